package repo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
)

func (l *lab) blame(path string) map[string]Blamed {
	l.t.Helper()
	all, err := l.w.Blame(l.t.Context(), path)
	if err != nil {
		l.t.Fatal(err)
	}
	out := map[string]Blamed{}
	for _, b := range all {
		out[b.Text] = b
	}
	return out
}

// Who taught each line of a file, through edits, strikes, moves and the person's own git.
func TestBlame(t *testing.T) {
	l := newLab(t)
	m := scout
	m.Quote = "we use npm here"
	taught := l.must(l.w.Update(t.Context(), m, policy.Update{Action: policy.Append, Text: "package manager: npm", Source: `chat "Setup"`}))
	edited := l.update(policy.Update{Action: policy.Replace, OldText: "manager: npm", Text: "manager: pnpm"})
	office := l.append("office is in Leeds")
	struck := l.update(policy.Update{Action: policy.Supersede, OldText: "in Leeds", Text: "office is in York"})
	l.add("- a line by hand\n")
	hand := l.append("after the hand line")
	l.add("- in my own commit\n")
	l.git("commit", "-q", "-am", "mine")
	own := l.git("rev-parse", "HEAD")
	same := l.append("same words")
	l.add("- 2026-09-12 · same words\n")
	double := l.append("last")
	got := l.blame("MEMORY.md")
	type facts struct {
		Change, First ChangeID
		Actor, Who    string
		Source, Words string
	}
	want := map[string]facts{
		"- 2026-09-12 · from chat \"Setup\" · package manager: pnpm · updated 2026-09-12": {
			edited.Change, taught.Change, "bot", "scout", `chat "Setup"`, "- 2026-09-12 · from chat \"Setup\" · package manager: npm",
		},
		"- 2026-09-12 · ~~office is in Leeds~~ · superseded 2026-09-12": {struck.Change, office.Change, "bot", "scout", "", "- 2026-09-12 · office is in Leeds"},
		"- 2026-09-12 · office is in York":                              {struck.Change, struck.Change, "bot", "scout", "", "- 2026-09-12 · office is in York"},
		"- a line by hand":                                              {hand.Outside[0], hand.Outside[0], "person", "Ada", "", "- a line by hand"},
		"- in my own commit":                                            {ChangeID(own), ChangeID(own), "person", "Ada", "", "- in my own commit"},
		"- 2026-09-12 · same words":                                     {double.Outside[0], same.Change, "bot", "scout", "", "- 2026-09-12 · same words"},
	}
	for text, w := range want {
		b, ok := got[text]
		if !ok {
			t.Errorf("no blame for %q", text)
			continue
		}
		if diff := cmp.Diff(w, facts{b.Change, b.First, b.Actor, b.Who, b.Source, b.Words}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	if b := got["- 2026-09-12 · from chat \"Setup\" · package manager: pnpm · updated 2026-09-12"]; b.Quote != "we use npm here" || b.Action != "update" {
		t.Errorf("blame %+v", b)
	}
	l.add("- not yet taken in\n")
	if b := l.blame("MEMORY.md")["- not yet taken in"]; b.Change != "" || b.Actor != "person" || b.Action != "outside" {
		t.Errorf("blame of a line that is in no change: %+v", b)
	}
}

// An entry that was moved to the archive, and back, is still by who taught it.
func TestBlameFollowsMoves(t *testing.T) {
	l := newLab(t)
	l.append("filler")
	taught := l.append("old habit: walks at six")
	moved := l.two("1 note moved", "- 2026-09-12 · old habit: walks at six · moved 2026-09-12\n", "# Memory\n\n- 2026-09-12 · filler\n")
	b := l.blame("memory/archive.md")["- 2026-09-12 · old habit: walks at six · moved 2026-09-12"]
	if b.First != taught.Change || b.Change != moved.Change || b.Actor != "bot" || !strings.HasSuffix(b.Words, "walks at six") {
		t.Errorf("blame in the archive %+v", b)
	}
	l.undo(string(moved.Change))
	b = l.blame("MEMORY.md")["- 2026-09-12 · old habit: walks at six"]
	if b.First != taught.Change {
		t.Errorf("blame after the move back %+v, want first %s", b, taught.Change)
	}
	_, err := l.w.Blame(t.Context(), "memory/archive.md")
	l.refuses(err, ErrNotFound)
}

// A page of a long file asks for its own lines alone, and is told of them what all are told.
func TestBlameOfAPage(t *testing.T) {
	l := newLab(t)
	l.save("memory/long.md", "---\ntitle: Long\n---\n\n- a\n\n- b\n- c\n  more of c\n- d\n")
	all, err := l.w.Blame(t.Context(), "memory/long.md")
	if err != nil {
		t.Fatal(err)
	}
	for from := range 12 {
		for most := range 4 {
			got, err := l.w.BlameFrom(t.Context(), "memory/long.md", from, most)
			if err != nil {
				t.Fatal(err)
			}
			var want []Blamed
			for _, b := range all {
				if b.Line >= from && (most == 0 || len(want) < most) {
					want = append(want, b)
				}
			}
			if len(got) == 0 && len(want) == 0 {
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("from line %d, %d at most (-want +got):\n%s", from, most, diff)
			}
		}
	}
}
