package git

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Relate agrees with git on random histories whose dates are any that clocks give.
func TestRelate(t *testing.T) {
	h := newHome(t)
	r := h.open()
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test's
	tree := strings.TrimSpace(h.git("write-tree"))
	for round := range 24 {
		var commits []string
		for n := range 14 {
			args := []string{"commit-tree", tree, "-m", fmt.Sprint(rng.Int64())}
			for range min(n, rng.IntN(3)) {
				if p := commits[rng.IntN(len(commits))]; !slices.Contains(args, p) {
					args = append(args, "-p", p)
				}
			}
			date := rng.IntN(1000)
			if round%2 == 1 { // a program's: many within one second
				date = n / 7
			}
			out, err := h.gitWith(fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", 1_700_000_000+date), args...)
			if err != nil {
				t.Fatal(out)
			}
			commits = append(commits, strings.TrimSpace(out))
		}
		for range 12 {
			a, b := commits[rng.IntN(len(commits))], commits[rng.IntN(len(commits))]
			x, _ := ParseHash(a)
			y, _ := ParseHash(b)
			got, err := r.Relate(t.Context(), x, y)
			if err != nil {
				t.Fatal(err)
			}
			bases, _ := h.tryGit("merge-base", "--all", a, b)
			sameCommits(t, "bases", got.Bases, bases)
			sameCommits(t, "ours", got.Ours, h.git("rev-list", a, "^"+b))
			sameCommits(t, "theirs", got.Theirs, h.git("rev-list", b, "^"+a))
		}
	}
	if _, err := r.Relate(t.Context(), Hash{1}, Hash{2}); err == nil {
		t.Error("commits that are not here are related")
	}
}

func sameCommits(t *testing.T, what string, got []Hash, want string) {
	t.Helper()
	var list []string
	for _, h := range got {
		list = append(list, h.String())
	}
	wanted := strings.Fields(want)
	slices.Sort(list)
	slices.Sort(wanted)
	if !slices.Equal(list, wanted) {
		t.Errorf("%s: %v, git says %v", what, list, wanted)
	}
}
