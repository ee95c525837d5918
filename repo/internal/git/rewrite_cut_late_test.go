package git

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A stash stays one: it can be taken back with what was staged in it.
func TestCutStash(t *testing.T) {
	h := newHome(t)
	dots := []dot{{day: 1}, {10, []int{0}, ""}, {20, []int{1}, ""}, {120, []int{2}, ""}}
	names := h.draw(dots)
	h.git("reset", "-q", "--hard", names[1])
	for i := range 2 {
		h.write("memory/t0.md", fmt.Sprintf("- staged %d\n", i))
		h.git("add", "-A")
		h.write("memory/t1.md", fmt.Sprintf("- not staged %d\n", i))
		h.write("memory/new.md", fmt.Sprintf("- new %d\n", i))
		if _, err := h.gitWith(fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", day(15).Unix()), "stash", "push", "-q", "-u", "-m", fmt.Sprint("stash ", i)); err != nil {
			t.Fatal(err)
		}
	}
	h.git("reset", "-q", "--hard", names[3])
	p := &past{home: h, r: h.open()}
	out, err := p.r.Rewrite(t.Context(), cutting())
	if err != nil {
		t.Fatal(err)
	}
	h.whole()
	if out.Dropped != 1 || strings.Count(h.git("rev-list", "main"), "\n") != 2 {
		t.Errorf("got %+v", out)
	}
	p.cutAgain()
	for i := range 2 {
		h.git("stash", "pop", "-q", "--index")
		if got, want := h.read("memory/t1.md"), fmt.Sprintf("- not staged %d\n", 1-i); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got, want := h.git("show", ":memory/t0.md"), fmt.Sprintf("- staged %d\n", 1-i); got != want {
			t.Errorf("staged: got %q, want %q", got, want)
		}
		if got, want := h.read("memory/new.md"), fmt.Sprintf("- new %d\n", 1-i); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		h.git("reset", "-q", "--hard")
		h.git("clean", "-fdq")
	}
}

// A branch that is made meanwhile at a commit which was to go keeps it, as a base.
func TestCutLateBranch(t *testing.T) {
	for _, when := range []string{"index.lock", "marker"} {
		t.Run(when, func(t *testing.T) {
			h := newHome(t)
			dots := []dot{{day: 1}, {10, []int{0}, ""}, {20, []int{1}, ""}, {120, []int{2}, ""}}
			names := h.draw(dots)
			at := ""
			h.fault = func(op, path string) error {
				if (op == "rename" || op == "link") && filepath.Base(path) == at {
					at = ""
					h.git("branch", "late", names[1])
				}
				return nil
			}
			r := h.open()
			at = when
			out, err := r.Rewrite(t.Context(), cutting())
			if err != nil || at != "" {
				t.Fatal(err, at)
			}
			h.whole()
			h.tidy()
			old, _ := ParseHash(names[1])
			if got := strings.Fields(h.git("rev-list", "late")); len(got) != 1 || got[0] != out.New[old].String() {
				t.Errorf("late: %v, want %s", got, out.New[old])
			}
			if got := h.git("log", "--format=%s", "late"); got != letGoText {
				t.Errorf("late: %q", got)
			}
			h.sound()
		})
	}
}

// newCutPlan is a history that is cut with something going wrong; only commits that go
// tell the secret.
func newCutPlan(t *testing.T) *erasePlan {
	t.Helper()
	return newRewritePlan(t, cutting, func(h *home) {
		names := h.draw([]dot{
			{day: 1, text: "Zanzibar"},
			{10, []int{0}, "Zanzibar"},
			{20, []int{1}, "Zanzibar"},
			{30, []int{1}, "Zanzibar"},
			{35, []int{3}, ""},
			{40, []int{4, 2}, ""},
			{45, []int{5}, ""},
			{50, []int{6}, ""},
			{110, []int{7}, ""},
			{120, []int{8}, ""},
		})
		for i := range 4 { // in no tree that stays
			for _, hex := range names[7:] {
				if got := h.git("show", fmt.Sprintf("%s:memory/t%d.md", hex, i)); tells([]byte(got)) {
					t.Fatalf("%s in %s", got, hex)
				}
			}
		}
		h.git("branch", "side", names[7])
		h.git("tag", "-a", "-m", "a tag", "heavy", names[7])
		h.git("notes", "add", "-m", "a note of Zanzibar", names[1])
		h.git("notes", "add", "-m", "a note", names[9])
		h.git("pack-refs", "--all")
		h.git("repack", "-q", "-a", "-d")
		for i := range 2 {
			h.write("memory/t1.md", fmt.Sprintf("- stashed %d\n", i))
			h.git("stash", "push", "-q", "-m", "a stash")
		}
	})
}

func TestCutEveryCallFails(t *testing.T)  { newCutPlan(t).everyCallFails(t) }
func TestCutStopAtEveryCall(t *testing.T) { newCutPlan(t).stopAtEveryCall(t) }
