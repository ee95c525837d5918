package policy

import "testing"

// TestStems: the stop words of a text tell its language, and forms of one word meet.
func TestStems(t *testing.T) {
	tests := []struct {
		text, one, other string
		want             tongue
	}{
		{"the cat and the dog are in", "running", "runs", inEnglish},
		{"nothing here speaks", "tomatoes", "tomato", inEnglish},
		{"el gato y los perros", "pedido", "pedir", inSpanish},
		{"ich bin nicht in der Stadt", "tomaten", "tomate", inGerman},
		{"je ne suis pas avec elle", "réunions", "reunion", inFrench},
		{"não está com você", "praias", "praia", inPortuguese},
		{"lui è della città e gli", "gatti", "gatto", inItalian},
		{"ik ben niet bij het huis", "boeken", "boek", inDutch},
		{"это было не так", "зелёный", "зеленая", inRussian},
	}
	for _, tc := range tests {
		got := tongueIn(tokens(tc.text), inEnglish)
		if got != tc.want {
			t.Errorf("%q is taken for %d, want %d", tc.text, got, tc.want)
		}
		if s := newStems(got); s.of(tc.one) != s.of(tc.other) {
			t.Errorf("%q is cut to %q and %q to %q", tc.one, s.of(tc.one), tc.other, s.of(tc.other))
		}
	}
	if got := tongueIn(tokens("Siemens 2026"), inGerman); got != inGerman {
		t.Errorf("without stop words the language is %d, want the expected one", got)
	}
	if s := newStems(inGerman); s.of("der") != "" || s.of("x") != "" || s.of("7") != "7" {
		t.Errorf("a word without a subject is cut to %q, %q", s.of("der"), s.of("x"))
	}
}
