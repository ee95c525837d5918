package git

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// day is a date of a test's history; the window ends at day 100.
func day(n int) time.Time { return time.Unix(1_700_000_000, 0).Add(time.Duration(n) * 24 * time.Hour) }

const letGoText = "what was before was let go\n"

// cutting is a rewriting as a retention window makes one.
func cutting() Rewriting {
	return Rewriting{
		ID:   "cut-1",
		Text: func(_ string, text []byte) ([]byte, bool) { return text, false },
		Path: func(path string) string { return path },
		Message: func(m Message) string {
			if m.Base {
				return letGoText
			}
			return m.Text
		},
		Found: func([]byte) bool { return false },
		Old:   func(at time.Time) bool { return at.Before(day(100)) },
	}
}

// dot is one commit of a drawn history.
type dot struct {
	day     int
	parents []int
	text    string
}

// draw makes the commits that dots say, and main at the last one; it gives their names.
func (h *home) draw(dots []dot) []string {
	h.t.Helper()
	cmd := h.command("fast-import", "--quiet", "--force")
	var in strings.Builder
	for i, d := range dots {
		text, msg := fmt.Sprintf("- %d %s\n", i, d.text), fmt.Sprintf("change %d %s\n", i, d.text)
		fmt.Fprint(&in, "reset refs/heads/drawn\n\n")
		fmt.Fprintf(&in, "commit refs/heads/drawn\nmark :%d\nauthor Bo <bo@localhost> %d +0100\ncommitter Ada <ada@localhost> %d +0000\ndata %d\n%s\n",
			i+1, day(d.day).Unix()-5, day(d.day).Unix(), len(msg), msg)
		for n, p := range d.parents {
			fmt.Fprintf(&in, "%s :%d\n", []string{"from", "merge"}[min(n, 1)], p+1)
		}
		fmt.Fprintf(&in, "M 100644 inline memory/t%d.md\ndata %d\n%s\n", i%4, len(text), text)
	}
	fmt.Fprintf(&in, "reset refs/heads/main\nfrom :%d\n\n", len(dots))
	for i := range dots {
		fmt.Fprintf(&in, "get-mark :%d\n", i+1)
	}
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatal(err)
	}
	h.git("update-ref", "-d", "refs/heads/drawn")
	h.git("reset", "-q", "--hard", "main")
	h.git("config", "gc.auto", "0")
	return strings.Fields(string(out))
}

// wanted says, from the words of Rewriting.Old alone, which dots stay and which of them
// are bases.
func wanted(dots []dot, named map[int]bool) (stay, bases map[int]bool) {
	reach := map[int]bool{}
	var walk func(into map[int]bool, i int)
	walk = func(into map[int]bool, i int) {
		if into[i] {
			return
		}
		into[i] = true
		for _, p := range dots[i].parents {
			walk(into, p)
		}
	}
	for i := range named {
		walk(reach, i)
	}
	old := map[int]bool{}
	for i := range reach {
		if dots[i].day < 100 {
			walk(old, i)
		}
	}
	stay, bases = map[int]bool{}, map[int]bool{}
	for i := range reach {
		if !old[i] {
			stay[i] = true
			for _, p := range dots[i].parents {
				if old[p] {
					bases[p] = true
				}
			}
		} else if named[i] {
			bases[i] = true
		}
	}
	maps.Copy(stay, bases)
	return stay, bases
}

// cut rewrites, and checks every commit against what was to become of it.
func (p *past) cut(dots []dot, names []string, named map[int]bool) Rewritten {
	t := p.t
	t.Helper()
	stay, bases := wanted(dots, named)
	before := map[int]moment{}
	for i := range stay {
		h, _ := ParseHash(names[i])
		before[i] = p.moment(h)
	}
	out, err := p.r.Rewrite(t.Context(), cutting())
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for line := range strings.FieldsSeq(p.git("rev-list", "--branches", "--tags", "--glob=refs/quipu/*")) {
		have[line] = true
	}
	now := func(i int) Hash {
		h, _ := ParseHash(names[i])
		if next, changed := out.New[h]; changed {
			return next
		}
		return h
	}
	for i, want := range before {
		if want.Parents = nil; bases[i] {
			want.Message = letGoText
		} else {
			for _, q := range dots[i].parents {
				want.Parents = append(want.Parents, now(q))
			}
		}
		if d := cmp.Diff(want, p.moment(now(i))); d != "" {
			t.Errorf("commit %d (-want +got):\n%s", i, d)
		}
		if !have[now(i).String()] {
			t.Errorf("commit %d is not reachable", i)
		}
	}
	if len(have) != len(stay) {
		t.Errorf("%d commits, want %d", len(have), len(stay))
	}
	for i := range dots {
		h, _ := ParseHash(names[i])
		if next, changed := out.New[h]; !stay[i] && (changed && !next.IsZero() || p.r.has(h) && out.Dropped > 0) {
			t.Errorf("commit %d did not go: %v", i, next)
		}
	}
	return out
}

// cutAgain cuts a second time, which changes nothing.
func (p *past) cutAgain() {
	t := p.t
	t.Helper()
	before := p.git("for-each-ref")
	out, err := p.r.Rewrite(t.Context(), cutting())
	if err != nil || out.Changed+out.Dropped+out.Refs+len(out.New)+len(out.Notes) > 0 {
		t.Errorf("again: %+v %v", out, err)
	}
	if d := cmp.Diff(before, p.git("for-each-ref")); d != "" {
		t.Error(d)
	}
}

// A line of changes, two branches over the window's edge, a merge over it, and clocks
// that went wrong.
func TestCut(t *testing.T) {
	for _, tc := range []struct {
		name  string
		dots  []dot
		bases int
		drop  int
	}{
		{"linear", []dot{{day: 1}, {10, []int{0}, ""}, {90, []int{1}, ""}, {100, []int{2}, ""}, {110, []int{3}, ""}}, 1, 2},
		{"all old", []dot{{day: 1}, {10, []int{0}, ""}, {90, []int{1}, ""}}, 1, 2},
		{"none old", []dot{{day: 101}, {110, []int{0}, ""}}, 0, 0},
		{"merge", []dot{{day: 1}, {50, []int{0}, ""}, {60, []int{0}, ""}, {110, []int{1}, ""}, {120, []int{3, 2}, ""}}, 2, 1},
		{"old merge", []dot{{day: 1}, {50, []int{0}, ""}, {60, []int{0}, ""}, {70, []int{1, 2}, ""}, {120, []int{3}, ""}}, 1, 3},
		{"a root joins", []dot{{day: 101}, {day: 50}, {110, []int{0, 1}, ""}}, 1, 0},
		{"clock behind", []dot{{day: 101}, {110, []int{0}, ""}, {20, []int{1}, ""}, {120, []int{2}, ""}}, 1, 2},
		{"clock ahead", []dot{{day: 1}, {500, []int{0}, ""}, {50, []int{1}, ""}, {130, []int{2}, ""}}, 1, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := newHome(t)
			names := h.draw(tc.dots)
			p := &past{home: h, r: h.open()}
			named := map[int]bool{len(tc.dots) - 1: true}
			out := p.cut(tc.dots, names, named)
			if _, bases := wanted(tc.dots, named); len(bases) != tc.bases || out.Dropped != tc.drop {
				t.Errorf("%d bases, %+v", len(bases), out)
			}
			if len(out.New) != out.Changed+out.Dropped {
				t.Errorf("got %+v", out)
			}
			h.whole()
			h.tidy()
			if _, change, ok, err := p.r.LastRewrite(); tc.bases > 0 && (err != nil || !ok || !cmp.Equal(change, out.New)) {
				t.Errorf("last: %v %v %v", change, ok, err)
			}
			p.cutAgain()
			p.must(add(p.r, "MEMORY.md", "- after"))
			p.r = p.reopen(p.r)
			p.must(add(p.r, "MEMORY.md", "- after that"))
			h.sound()
		})
	}
}

// TestCutLaw cuts random histories with branches, tags and notes, loose and packed.
func TestCutLaw(t *testing.T) {
	rounds := fewer(40)
	if long {
		rounds = 300
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(seed), 9))
			var dots []dot
			for i := range 2 + rng.IntN(20) {
				d := dot{day: 60 + 4*i + rng.IntN(30)}
				if rng.IntN(6) == 0 {
					d.day = rng.IntN(200) // a clock went wrong
				}
				for range min(i, 1+rng.IntN(8)/5) {
					if q := max(0, i-1-rng.IntN(4)); !slices.Contains(d.parents, q) && rng.IntN(15) > 0 {
						d.parents = append(d.parents, q)
					}
				}
				dots = append(dots, d)
			}
			h := newHome(t)
			names := h.draw(dots)
			named := map[int]bool{len(dots) - 1: true}
			for n := range rng.IntN(4) {
				i := rng.IntN(len(dots))
				named[i] = true
				switch rng.IntN(4) {
				case 0:
					h.git("branch", fmt.Sprint("b", n), names[i])
				case 1:
					h.git("tag", fmt.Sprint("light", n), names[i])
				case 2:
					h.git("tag", "-a", "-m", "a tag", fmt.Sprint("heavy", n), names[i])
				default:
					h.git("update-ref", fmt.Sprint("refs/quipu/lost/", n), names[i])
				}
			}
			h.lawOfNotes(rng, dots, names, named)
		})
	}
}

// lawOfNotes puts notes on commits that are reachable, cuts, and looks for them.
func (h *home) lawOfNotes(rng *rand.Rand, dots []dot, names []string, named map[int]bool) {
	t := h.t
	t.Helper()
	stay, _ := wanted(dots, named)
	reachable := h.git("rev-list", "--branches", "--tags", "--glob=refs/quipu/*")
	noted := map[int]bool{}
	for range rng.IntN(5) {
		if i := rng.IntN(len(dots)); strings.Contains(reachable, names[i]) {
			noted[i] = true
			h.git("notes", "add", "-f", "-m", fmt.Sprint("note of ", i), names[i])
		}
	}
	if rng.IntN(2) == 0 {
		h.git("gc", "-q", "--prune=now")
	}
	p := &past{home: h, r: h.open()}
	out := p.cut(dots, names, named)
	if len(out.New) > 0 {
		h.whole()
	}
	want := 0
	for i := range noted {
		if !stay[i] {
			continue
		}
		want++
		now := names[i]
		old, _ := ParseHash(now)
		if next, changed := out.New[old]; changed {
			now = next.String()
		}
		if got := h.git("notes", "show", now); got != fmt.Sprintf("note of %d\n", i) {
			t.Errorf("the note of commit %d: %q", i, got)
		}
	}
	if len(noted) > 0 {
		if got := strings.Count(h.git("notes", "list"), "\n"); got != want {
			t.Errorf("%d notes, want %d", got, want)
		}
	}
	p.cutAgain()
	h.sound()
}
