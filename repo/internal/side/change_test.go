package side

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quipu/repo/internal/git"
)

// FuzzOfCommit: whatever a commit says, its row has an id of one of two forms and
// text that can be shown.
func FuzzOfCommit(f *testing.F) {
	f.Add(ours("update: tea", ulid(1), "Memory-Source", `chat "Plans"`, "Memory-Undoes", ulid(0)), "Ada")
	f.Add("Revert \"x\"\n\nThis reverts commit 0123456789012345678901234567890123456789, reversing\nchanges", "")
	f.Add("\n\n\r\n  subject\r\nmore\r\n\r\nMemory-Change: 01jdxk3t9m2q4r6s8v0w1x2y3z\r\n", "a\x00b")
	f.Add("\xff\xfe\n\nMemory-Change: \nMemory-Author: \xff\n", "\xff")
	f.Fuzz(func(t *testing.T, message, name string) {
		c := ofCommit(&git.Commit{
			Hash: git.HashBlob([]byte(message)), Message: message,
			Author: git.Signature{Name: name}, Committer: git.Signature{Name: "quipu", Email: git.CommitterEmail},
		})
		if id, isULID := canonicalID(c.ID); id != c.ID || isULID == c.Foreign {
			t.Errorf("id %q, foreign %t", c.ID, c.Foreign)
		}
		if c.AuthorKind == "" || c.Action == "" {
			t.Errorf("author %q, action %q", c.AuthorKind, c.Action)
		}
		texts := []string{c.AuthorKind, c.AuthorName, c.GitAuthor, c.Source, c.Action, c.Via, c.Undoes, c.Turn, c.Quote, c.Subject}
		if i := slices.IndexFunc(texts, func(s string) bool { return !utf8.ValidString(s) || strings.Contains(s, "\x00") }); i >= 0 {
			t.Errorf("text %d cannot be shown: %q", i, texts[i])
		}
		if strings.ContainsAny(c.Subject, "\r\n") {
			t.Errorf("subject of several lines: %q", c.Subject)
		}
	})
}

func TestFold(t *testing.T) {
	for _, same := range [][]string{
		{"tea", "Tea", "TEA"},
		{"straße", "STRASSE", "Straẞe"},
		{"größe", "GRO\u0308ßE"},
		{"σοφός", "ΣΟΦΌΣ"},
		{"kelvin", "\u212Aelvin"},
		{"чай", "ЧАЙ"},
	} {
		for _, s := range same[1:] {
			if d := cmp.Diff(fold(same[0]), fold(s)); d != "" {
				t.Errorf("%q and %q (-first +second):\n%s", same[0], s, d)
			}
		}
	}
	if fold("tea") == fold("tee") {
		t.Error("different words fold to the same")
	}
}

func TestUnitsBelongToNotesOnly(t *testing.T) {
	s := newStory(t)
	s.tell(t, edit("a", "memory/.ledger.ndjson", "{\"a\":1}\n", "memory/UPPER.MD", "a line\n"))
	x := indexed(t, s)
	checkTaught(t, x, "memory/.ledger.ndjson", "{\"a\":1}\n", "?")
	checkTaught(t, x, "memory/UPPER.MD", "a line\n", "a/a")
	got, err := x.Newest(t.Context(), Filter{Path: "memory/.ledger.ndjson"})
	if err != nil || len(got) != 1 || got[0].Files[0].Added != 1 || got[0].Touched != 2 {
		t.Errorf("the ledger's own row: %+v, %v", got, err)
	}
}
