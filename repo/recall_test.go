package repo

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// hf07: what cannot be read as notes is passed over, and the rest is found all the
// same: bytes that are no text, a broken header, an entry without a fact.
func TestRecallPassesOverWhatIsMalformed(t *testing.T) {
	l := newLab(t)
	l.put("memory/bytes.md", "kettle \xff\xfe\x00 \x80 kettle\n")
	l.put("memory/header.md", "---\ntitle: [kettle\naliases: {a: b}\n---\n- kettle\n")
	l.put("memory/empty.md", "- 2026-09-10 · \n- 2026-09-10 ·\n-\n")
	l.put("memory/tea.md", "- 2026-09-10 · The copper kettle stands in the pantry\n")
	if _, err := l.w.TakeIn(l.ctx(), ada.Author); err != nil {
		t.Fatal(err)
	}
	got, err := l.w.Recall(l.ctx(), "where does the copper kettle stand", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Block, "The copper kettle stands in the pantry") || !utf8.ValidString(got.Block) || strings.Contains(got.Block, "\x00") {
		t.Errorf("recalled %q", got.Block)
	}
}

func TestRecallWords(t *testing.T) {
	tests := map[string]struct {
		message, words string
		short          bool
	}{
		"short":         {"kettle", "", true},
		"blanks":        {"        ", "", true},
		"dense script":  {"東京の天気", "東京 の天", false},
		"no word":       {"the and of it", "", false},
		"words, folded": {"Where is the Copper Kettle?", "copper kettle", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			words, short := RecallWords(tt.message)
			if strings.Join(words, " ") != tt.words || short != tt.short {
				t.Errorf("got %q, short %v", words, short)
			}
		})
	}
}
