package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRemainder(t *testing.T) {
	tests := []struct{ name, fact, old, want string }{
		{"second clause stays", "lives in Pune and prefers short replies", "lives in Pune", "prefers short replies"},
		{"first clause stays", "lives in Pune and prefers short replies", "prefers short replies", "lives in Pune"},
		{"a word of the clause", "lives in Pune and prefers short replies", "Pune", "prefers short replies"},
		{"the subject goes with it", "Anna lives in Pune and works at Acme", "lives in Pune", "Anna works at Acme"},
		{"a subject of two words", "The user lives in Pune, prefers short replies", "Pune", "The user prefers short replies"},
		{"own subject", "The office is in Pune and the warehouse is in Goa", "office is in Pune", "the warehouse is in Goa"},
		{"semicolon", "Office is in Pune; lunch is at noon", "Office is in Pune", "lunch is at noon"},
		{"sentence", "Office is in Pune. Lunch is at noon.", "Office is in Pune", "Lunch is at noon."},
		{"three clauses", "lives in Pune and works at Acme and likes tea", "works at Acme", "lives in Pune; likes tea"},
		{"whole", "lives in Pune and prefers short replies", "lives in Pune and prefers short replies", ""},
		{"one clause", "The office is in Leeds", "office is in Leeds", ""},
		{"salt and pepper", "Likes salt and pepper", "salt and pepper", ""},
		{"a list, its middle", "Likes tea and coffee", "tea", ""},
		{"in quotes", `Says "it is; it was" often`, `often`, ""},
		{"a version is no sentence", "Uses Go 1.26 and is happy", "Uses Go 1.26", "is happy"},
		{"spanish", "vive en Pune y prefiere respuestas cortas", "vive en Pune", "prefiere respuestas cortas"},
		{"code is whole", "runs `make` and is slow", "make", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			at := strings.Index(tc.fact, tc.old)
			got, ok := remainder(tc.fact, at, at+len(tc.old))
			if diff := cmp.Diff(tc.want, got); diff != "" || !ok {
				t.Errorf("ok %v (-want +got):\n%s", ok, diff)
			}
		})
	}
	for fact, old := range map[string]string{"Likes tea and coffee": "Likes tea", "runs `make` and is slow": "runs `make`", "Speaks French & Dutch": "Speaks French"} {
		if got, ok := remainder(fact, 0, len(old)); ok {
			t.Errorf("%q of %q: got %q, want a refusal", old, fact, got)
		}
	}
}

func TestSupersedeKeepsWhatIsTrue(t *testing.T) {
	tests := []struct{ name, memory, old, text, want, kept string }{
		{
			name:   "entry",
			memory: "- 2026-09-10 · from chat \"Setup\" · lives in Pune and prefers short replies · until 2027-01-01\n- 2026-09-11 · Likes tea\n",
			old:    "lives in Pune", text: "lives in Goa",
			kept: "- 2026-09-10 · from chat \"Setup\" · prefers short replies · until 2027-01-01",
			want: "- 2026-09-10 · from chat \"Setup\" · ~~lives in Pune and prefers short replies~~ · superseded 2026-09-20\n" +
				"- 2026-09-10 · from chat \"Setup\" · prefers short replies · until 2027-01-01\n- 2026-09-11 · Likes tea\n- 2026-09-20 · lives in Goa\n",
		},
		{
			name:   "hand-written, CRLF",
			memory: "- lives in Pune and prefers short replies\r\n- tea\r\n",
			old:    "lives in Pune", text: "lives in Goa",
			kept: "- prefers short replies",
			want: "- ~~lives in Pune and prefers short replies~~ · superseded 2026-09-20\r\n- prefers short replies\r\n- tea\r\n- 2026-09-20 · lives in Goa\r\n",
		},
		{
			name:   "by its line all of it goes",
			memory: "- 2026-09-10 · lives in Pune and prefers short replies\n",
			old:    "MEMORY.md:1", text: "lives in Goa",
			want: "- 2026-09-10 · ~~lives in Pune and prefers short replies~~ · superseded 2026-09-20\n- 2026-09-20 · lives in Goa\n",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Update{Action: Supersede, OldText: tc.old, Text: tc.text}.Plan(memory(tc.memory), today(t), NewRedactor())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got.Edits[0].Text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got.Kept != tc.kept {
				t.Errorf("kept %q, want %q", got.Kept, tc.kept)
			}
		})
	}
}
