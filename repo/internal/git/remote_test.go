package git

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// eachWay runs a test for every kind of remote and both transports.
func eachWay(t *testing.T, test func(t *testing.T, m Remote, bare string)) {
	t.Helper()
	apart(t)
	for _, kind := range []string{"file", "https", "ssh"} {
		for _, via := range []string{ViaGit, ViaGoGit} {
			t.Run(kind+" "+via, func(t *testing.T) {
				t.Setenv(childMark, t.Name())
				bare := newBare(t)
				var m Remote
				switch kind {
				case "file":
					if m = (Remote{URL: bare}); via == ViaGoGit {
						m.URL = "file://" + bare
					}
				case "https":
					m = httpsRemote(t, bare)
				case "ssh":
					needSSH(t, via)
					m = newSSHServer(t).remote(bare)
				}
				m.Transport, m.Limit = via, testLimit
				test(t, m, bare)
				if left := leftChildren(t); left != nil {
					t.Errorf("left running: %q", left)
				}
			})
		}
	}
}

func needSSH(t *testing.T, via string) {
	t.Helper()
	if _, err := exec.LookPath("ssh"); err != nil && via == ViaGit {
		t.Skip("the ssh program is not installed")
	}
}

func openHome(t testing.TB) (*home, *Repo) {
	t.Helper()
	h := newHome(t)
	r := h.open()
	t.Cleanup(func() { _ = r.Close() })
	return h, r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func headOf(t testing.TB, r *Repo) Hash {
	t.Helper()
	_, h, err := r.Head()
	must(t, err)
	return h
}

func commits(t testing.TB, r *Repo, n int) Hash {
	t.Helper()
	for range n {
		must(t, add(r, "MEMORY.md", fmt.Sprintf("- fact %d", factNumber.add())))
	}
	return headOf(t, r)
}

type counter struct{ n int }

func (c *counter) add() int { c.n++; return c.n }

var factNumber counter

const mainRef = "refs/heads/main"

func pushTo(t testing.TB, r *Repo, m Remote, pushes ...RefPush) []Outcome {
	t.Helper()
	got, err := r.Push(context.Background(), m, pushes)
	must(t, err)
	var out []Outcome
	for _, g := range got {
		out = append(out, g.Outcome)
	}
	return out
}

func same[T any](t testing.TB, what string, want, got T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestRemoteRoundTrip(t *testing.T) {
	eachWay(t, func(t *testing.T, m Remote, bare string) {
		ctx := context.Background()
		_, a := openHome(t)
		first := commits(t, a, 2)
		state, err := a.RemoteRefs(ctx, m)
		must(t, err)
		if !state.Empty() {
			t.Errorf("a new remote holds %v", state)
		}
		same(t, "first push", []Outcome{RefPushed}, pushTo(t, a, m, RefPush{Ref: mainRef, Local: first}))
		same(t, "the same again", []Outcome{RefSame}, pushTo(t, a, m, RefPush{Ref: mainRef, Local: first}))
		second := commits(t, a, 1)
		same(t, "next push", []Outcome{RefPushed}, pushTo(t, a, m, RefPush{Ref: mainRef, Local: second, Expect: first}))
		same(t, "stale lease", []Outcome{RefMoved}, pushTo(t, a, m, RefPush{Ref: mainRef, Local: commits(t, a, 1), Expect: first}))
		same(t, "must not exist", []Outcome{RefMoved}, pushTo(t, a, m, RefPush{Ref: mainRef, Local: headOf(t, a)}))
		same(t, "backwards", []Outcome{RefDiverged}, pushTo(t, a, m, RefPush{Ref: mainRef, Local: first, Expect: second}))
		same(t, "one of two moved", []Outcome{RefMoved, RefHeld}, pushTo(t, a, m,
			RefPush{Ref: mainRef, Local: headOf(t, a), Expect: first}, RefPush{Ref: "refs/quipu/epoch", Local: second}))
		state, err = a.RemoteRefs(ctx, m)
		must(t, err)
		same(t, "refs", RemoteState{Refs: map[string]Hash{mainRef: second}, Head: mainRef}, state)

		hb, b := openHome(t)
		own := commits(t, b, 1)
		got, err := b.Fetch(ctx, m, map[string]string{mainRef: "refs/remotes/origin/main"})
		must(t, err)
		same(t, "fetched", map[string]Hash{mainRef: second}, got)
		c, err := b.Commit(second)
		must(t, err)
		blob, err := b.FileAt(c.Hash, "MEMORY.md")
		must(t, err)
		if text, err := b.Blob(blob); err != nil || len(text) == 0 {
			t.Errorf("the fetched note reads %q, %v", text, err)
		}
		same(t, "our branch", own, headOf(t, b))

		third := commits(t, a, 36) // more than are kept loose
		same(t, "forced two", []Outcome{RefPushed, RefPushed}, pushTo(t, a, m,
			RefPush{Ref: mainRef, Local: third, Expect: second, Force: true}, RefPush{Ref: "refs/quipu/epoch", Local: first}))
		_, err = b.Fetch(ctx, m, map[string]string{mainRef: "refs/remotes/origin/main", "refs/quipu/epoch": "refs/remotes/origin/epoch"})
		must(t, err)
		refs, err := b.allRefs()
		must(t, err)
		same(t, "our refs", map[string]Hash{mainRef: own, "refs/remotes/origin/main": third, "refs/remotes/origin/epoch": first}, refs)
		same(t, "rewritten and taken away", []Outcome{RefPushed, RefPushed}, pushTo(t, a, m,
			RefPush{Ref: mainRef, Local: first, Expect: third, Force: true}, RefPush{Ref: "refs/quipu/epoch", Expect: first, Force: true}))
		state, err = a.RemoteRefs(ctx, m)
		must(t, err)
		same(t, "refs after", map[string]Hash{mainRef: first}, state.Refs)
		runServerGit(t, bare, "symbolic-ref", "HEAD", "refs/heads/trunk")
		same(t, "another branch", []Outcome{RefPushed}, pushTo(t, a, m, RefPush{Ref: "refs/heads/trunk", Local: second}))
		state, err = a.RemoteRefs(ctx, m)
		must(t, err)
		same(t, "another default branch", "refs/heads/trunk", state.Head)
		runServerGit(t, bare, "fsck", "--strict", "--full")
		hb.sound()
		clean, err := filepath.Glob(filepath.Join(b.own, quarantineName+"*"))
		must(t, err)
		same(t, "left of the transfer", nil, clean)
	})
}

// Two histories with a common part: only what is new goes over, and a rebuilt home gets all.
func TestRemoteCarriesOnlyWhatIsNew(t *testing.T) {
	eachWay(t, func(t *testing.T, m Remote, bare string) {
		ctx := context.Background()
		_, a := openHome(t)
		base := commits(t, a, 30)
		pushTo(t, a, m, RefPush{Ref: mainRef, Local: base})
		_, b := openHome(t)
		_, err := b.Fetch(ctx, m, map[string]string{mainRef: "refs/remotes/origin/main"})
		must(t, err)
		before := runServerGit(t, bare, "count-objects", "-v")
		next := commits(t, a, 1)
		pushTo(t, a, m, RefPush{Ref: mainRef, Local: next, Expect: base})
		if after := runServerGit(t, bare, "count-objects", "-v"); objects(t, after)-objects(t, before) != 3 {
			t.Errorf("one commit of three objects was pushed\nbefore: %s\nafter: %s", before, after)
		}
		small := m
		small.Most = 4 << 10 // of the whole there are more
		_, err = b.Fetch(ctx, small, map[string]string{mainRef: "refs/remotes/origin/main"})
		must(t, err)
	})
}

// objects adds up what `git count-objects -v` counts.
func objects(t testing.TB, text string) int {
	t.Helper()
	var loose, size, packed int
	if _, err := fmt.Sscanf(text, "count: %d\nsize: %d\nin-pack: %d", &loose, &size, &packed); err != nil {
		t.Fatal(err)
	}
	return loose + packed
}

func snapshot(t testing.TB, r *Repo) map[string]Hash {
	t.Helper()
	refs, err := r.allRefs()
	must(t, err)
	return maps.Clone(refs)
}
