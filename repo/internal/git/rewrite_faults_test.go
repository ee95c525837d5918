package git

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// erasePlan is a small history of every kind, rewritten again and again with something
// going wrong.
type erasePlan struct {
	template *home
	what     func() Rewriting
	old, new map[string]string // refs and stashes -> what they hold
	calls    int
}

func newErasePlan(t *testing.T) *erasePlan {
	t.Helper()
	return newRewritePlan(t, erasing, growErasePlan)
}

func growErasePlan(h *home) {
	t, r := h.t, h.open()
	h.git("config", "gc.auto", "0")
	for _, line := range []string{"- one", "- Zanzibar", "- two"} {
		if err := add(r, "MEMORY.md", line); err != nil {
			t.Fatal(err)
		}
		if line == "- one" { // a pack of which everything stays
			h.git("repack", "-q", "-a", "-d")
			packs, _ := filepath.Glob(filepath.Join(h.dir, "objects/pack/*.pack"))
			h.gitFile("objects/pack/"+packName(packs[0])+".keep", "")
		}
	}
	h.git("branch", "side")
	h.git("tag", "light")
	h.git("tag", "-a", "-m", "Zanzibar", "heavy")
	h.git("notes", "add", "-m", "a note of Zanzibar")
	h.git("update-ref", "refs/remotes/origin/main", "HEAD")
	h.git("pack-refs", "--all")
	h.git("gc", "-q", "--prune=now")
	h.git("branch", "loose", "HEAD~1")
	for i := range 2 {
		h.write("MEMORY.md", fmt.Sprintf("- one\n- Zanzibar\n- two\n- stashed %d\n", i))
		h.git("stash", "push", "-q", "-m", "stash of Zanzibar")
	}
	if err := errors.Join(drop(r), r.Close()); err != nil {
		t.Fatal(err)
	}
}

// newRewritePlan rewrites a history that grow makes once, undisturbed.
func newRewritePlan(t *testing.T, what func() Rewriting, grow func(h *home)) *erasePlan {
	t.Helper()
	h := newHome(t)
	grow(h)
	if err := h.open().Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lateAge)
	p := &erasePlan{template: h, what: what, old: h.held()}
	c, discard := copyHome(t, h)
	defer discard()
	armed := false
	c.fault = func(string, string) error {
		if armed {
			p.calls++
		}
		return nil
	}
	r := c.open()
	armed = true
	if err := p.do(r); err != nil {
		t.Fatal(err)
	}
	armed = false
	p.new = c.held()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	c.erased()
	c.sound()
	if cmp.Equal(p.old, p.new) || p.calls < 60 {
		t.Fatalf("%d calls", p.calls)
	}
	return p
}

func (p *erasePlan) do(r *Repo) error {
	_, err := r.Rewrite(context.Background(), p.what())
	return err
}

// held gives what each ref and stash holds, in git's own words.
func (h *home) held() map[string]string {
	h.t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(h.git("for-each-ref", "--format=%(refname) %(objectname)")) {
		ref, hash, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[ref] = hash
	}
	out["stashes"] = h.git("log", "-g", "--format=%H %gs", "refs/stash", "--")
	out["index"] = h.git("ls-files", "--stage")
	return out
}

// check says which of the two states the home is in, and that it is whole.
func (p *erasePlan) check(t *testing.T, h *home, where string, thorough bool) (isNew bool) {
	t.Helper()
	now := h.held()
	switch {
	case cmp.Equal(now, p.new):
		if got := h.holds(); len(got) > 0 {
			t.Errorf("%s: still told by %v", where, got)
		}
		if thorough {
			h.whole()
		}
		isNew = true
	case !cmp.Equal(now, p.old):
		t.Errorf("%s: neither old nor new (-new +got):\n%s", where, cmp.Diff(p.new, now))
	}
	if thorough {
		h.sound()
	}
	return isNew
}

// again erases once more, and checks that everything is in order.
func (p *erasePlan) again(t *testing.T, h *home, r *Repo, where string, thorough bool) {
	t.Helper()
	if err := add(r, "memory/next.md", "- next"); err != nil {
		t.Errorf("%s: the next change: %v", where, err)
	}
	if err := p.do(r); err != nil {
		t.Errorf("%s: the next erase: %v", where, err)
	}
	if err := r.Close(); err != nil {
		t.Errorf("%s: %v", where, err)
	}
	if got := h.holds(); len(got) > 0 {
		t.Errorf("%s: still told after the next erase by %v", where, got)
	}
	now := h.held()
	if len(now) != len(p.new) || strings.Count(now["stashes"], "\n") != 2 {
		t.Errorf("%s: refs after the next erase: %v", where, now)
	}
	if thorough {
		h.whole()
		h.sound()
	}
	h.tidy()
	if locks, _ := filepath.Glob(filepath.Join(h.dir, "refs", "*", "*.lock")); len(locks) > 0 {
		t.Errorf("%s: locks were left: %v", where, locks)
	}
	if t.Failed() {
		t.Fatalf("%s: stopped here", where)
	}
}

// step is how many calls lie between two that go wrong: none, but some under the race
// detector.
func step() int {
	if raceFactor > 1 && !long {
		return 5
	}
	return 1
}

// TestEraseEveryCallFails fails one call of an erase, or every call from one on.
func TestEraseEveryCallFails(t *testing.T) { newErasePlan(t).everyCallFails(t) }

func (p *erasePlan) everyCallFails(t *testing.T) {
	kinds := []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES}
	made := map[string]int{}
	for k := 0; k < p.calls; k += step() {
		for _, lasting := range []bool{false, true} {
			made[p.fail(t, k, kinds[k%3], lasting)]++
		}
	}
	t.Logf("%d calls: %v", p.calls, made)
	if made["refused"] == 0 || made["unfinished"] == 0 {
		t.Error("a kind of outcome was never met")
	}
}

func (p *erasePlan) fail(t *testing.T, k int, kind error, lasting bool) (outcome string) {
	t.Helper()
	h, discard := copyHome(t, p.template)
	defer discard()
	armed, n, where := false, 0, "nowhere"
	h.fault = func(op, path string) error {
		if !armed {
			return nil
		}
		n++
		if n == k+1 {
			where = fmt.Sprintf("%v at call %d, %s %s, lasting: %v", kind, k, op, filepath.Base(path), lasting)
		}
		if n == k+1 || lasting && n > k {
			return kind
		}
		return nil
	}
	r := h.open()
	armed = true
	err := p.do(r)
	armed = false
	thorough := k%7 == 0
	switch {
	case err == nil:
		outcome = "made"
		if !p.check(t, h, where, thorough) {
			t.Errorf("%s: false success", where)
		}
		if _, err := os.Lstat(r.rewriteDir()); err == nil { // the old objects lie there
			t.Errorf("%s: success, but the old objects were left", where)
		}
	case strings.Contains(err.Error(), mayYet):
		outcome = "unfinished"
		if k%2 == 0 {
			if err := r.Close(); err != nil {
				t.Errorf("%s: %v", where, err)
			}
			r = h.open()
			if !p.check(t, h, where, thorough) {
				t.Errorf("%s: not finished by the next start", where)
			}
		}
	default:
		outcome = "refused"
		if p.check(t, h, where, thorough && !lasting) {
			t.Errorf("%s: refused, %v, but done", where, err)
		}
	}
	p.again(t, h, r, where, thorough)
	return outcome
}

// TestEraseStopAtEveryCall kills an erase before each of its calls: the next start
// finds the old history or the new one, and finishes it.
func TestEraseStopAtEveryCall(t *testing.T) { newErasePlan(t).stopAtEveryCall(t) }

func (p *erasePlan) stopAtEveryCall(t *testing.T) {
	made := map[bool]int{}
	for k := 0; k < p.calls; k += step() {
		h, discard := copyHome(t, p.template)
		where, hit, err := h.stopAt(k, p.do)
		if !hit {
			t.Fatalf("call %d of %d was not reached: %v", k, p.calls, err)
		}
		r := h.open()
		made[p.check(t, h, where, k%7 == 0)]++
		if k%3 == 0 { // and again while that is finished, on a copy of the stopped one
			p.stopTwice(t, k)
		}
		p.again(t, h, r, where, k%7 == 0)
		discard()
	}
	t.Logf("%d calls, %d left the new history, %d the old one", p.calls, made[true], made[false])
	if made[true] == 0 || made[false] == 0 {
		t.Error("one outcome was never met")
	}
}

// stopTwice stops an erase, and then its recovery at a call of its own.
func (p *erasePlan) stopTwice(t *testing.T, k int) {
	t.Helper()
	h, discard := copyHome(t, p.template)
	defer discard()
	where, _, _ := h.stopAt(k, p.do)
	n, at := 0, k/2
	h.fault = func(op, path string) error {
		if n++; n > at {
			where += fmt.Sprintf(", and then %s %s", op, filepath.Base(path))
			panic(stopped{})
		}
		return nil
	}
	func() {
		defer func() {
			if v := recover(); v != nil {
				if _, ok := v.(stopped); !ok {
					panic(v)
				}
			}
		}()
		r, err := Open(context.Background(), h.options())
		if err == nil {
			_ = r.Close()
		}
	}()
	h.fault = nil
	r := h.open()
	p.check(t, h, where, true)
	p.again(t, h, r, where, false)
}

// playEraser erases once, and says when it is done.
func playEraser() error {
	h, _ := playedHome()
	r, err := Open(context.Background(), h.options())
	if err != nil {
		return err
	}
	fmt.Println("begins")
	if _, err := r.Rewrite(context.Background(), erasing()); err != nil {
		return err
	}
	fmt.Println("done")
	return r.Close()
}

// TestEraseKill kills an erase at random moments.
func TestEraseKill(t *testing.T) {
	p := newErasePlan(t)
	made := map[bool]int{}
	for range fewer(60) {
		h, discard := copyHome(t, p.template)
		cmd := h.player("eraser")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var b [6]byte
		if _, err := out.Read(b[:]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(30 * time.Millisecond))
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it says "killed"
		r := h.open()
		made[p.check(t, h, "killed", true)]++
		p.again(t, h, r, "killed", true)
		discard()
	}
	t.Logf("%d left the new history, %d the old one", made[true], made[false])
}
