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
		span := []int{1000, 400_000, 2}[round%3] // seconds; clocks that are minutes apart, and days; a program's haste
		var commits []string
		for n := range 14 {
			args := []string{"commit-tree", tree, "-m", fmt.Sprint(rng.Int64())}
			for range min(n, rng.IntN(3)) {
				if p := commits[rng.IntN(len(commits))]; !slices.Contains(args, p) {
					args = append(args, "-p", p)
				}
			}
			out, err := h.gitWith(fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", 1_700_000_000+rng.IntN(span)), args...)
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
			for i, child := range got.Ours {
				c, err := r.Commit(child)
				if err != nil || slices.ContainsFunc(got.Ours[:i], func(p Hash) bool { return slices.Contains(c.Parents, p) }) {
					t.Errorf("%s comes behind one of its parents, %v", child, err)
				}
			}
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
