package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// operation is one change of which every system call is made to fail.
type operation struct {
	name    string
	prepare func(h *home, r *Repo) error
	do      func(r *Repo) error
}

func operations() []operation {
	return []operation{
		{
			"add to MEMORY.md", func(_ *home, r *Repo) error { return add(r, "MEMORY.md", "- one") },
			func(r *Repo) error { return add(r, "MEMORY.md", "- two") },
		},
		{
			"new topic, no folder", func(_ *home, r *Repo) error { return add(r, "MEMORY.md", "- one") },
			func(r *Repo) error { return add(r, "memory/new.md", "- topic") },
		},
		{
			"new topic, in the folder", func(_ *home, r *Repo) error { return add(r, "memory/old.md", "- one") },
			func(r *Repo) error { return add(r, "memory/new.md", "- topic") },
		},
		{"two files", func(_ *home, r *Repo) error {
			return errors.Join(add(r, "MEMORY.md", "- one"), add(r, "MEMORY.md", "- two"), add(r, "memory/archive.md", "- zero"))
		}, archiveLine},
		{"delete", func(_ *home, r *Repo) error {
			return errors.Join(add(r, "MEMORY.md", "- one"), add(r, "memory/gone.md", "- gone"))
		}, func(r *Repo) error { return remove(r, "memory/gone.md") }},
		{"an edit outside and an add", func(h *home, r *Repo) error {
			err := add(r, "MEMORY.md", "- one")
			h.write("MEMORY.md", "- one\n- by hand\n")
			h.write("memory/by-hand.md", "- by hand, too\n")
			return err
		}, func(r *Repo) error { return add(r, "MEMORY.md", "- two") }},
		{
			"the first change of all", func(*home, *Repo) error { return nil },
			func(r *Repo) error { return add(r, "MEMORY.md", "- two") },
		},
	}
}

// archiveLine moves a line to the archive in one commit.
func archiveLine(r *Repo) error {
	return r.Update(context.Background(), func(t *Tx) error {
		if _, _, err := t.Outside("MEMORY.md", archivePath); err != nil {
			return err
		}
		who := Signature{Name: "Ada", Email: "ada@localhost", When: t.Now()}
		_, err := t.Commit(NewCommit{Author: who, Message: "archive a line\n", Files: []File{
			{Path: "MEMORY.md", Text: []byte("- two\n")}, {Path: archivePath, Text: []byte("- zero\n- one\n")},
		}})
		return err
	})
}

func remove(r *Repo, path string) error {
	return r.Update(context.Background(), func(t *Tx) error {
		if _, _, err := t.Outside(path); err != nil {
			return err
		}
		who := Signature{Name: "Ada", Email: "ada@localhost", When: t.Now()}
		_, err := t.Commit(NewCommit{Author: who, Message: "delete " + path + "\n", Files: []File{{Path: path, Delete: true}}})
		return err
	})
}

// picture is what a person sees: the files of the newest commit, and those of the
// work tree.
type picture struct{ Head, Work map[string]string }

func (h *home) picture(r *Repo) picture {
	h.t.Helper()
	p := picture{Head: map[string]string{}, Work: map[string]string{}}
	_, tip, err := r.Head()
	if err != nil {
		h.t.Fatal(err)
	}
	files, err := r.trackedAt(tip)
	if err != nil {
		h.t.Fatal(err)
	}
	for path, blob := range files {
		text, err := r.Blob(blob)
		if err != nil {
			h.t.Fatal(err)
		}
		p.Head[path] = string(text)
	}
	err = filepath.WalkDir(h.work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".git" {
			return err
		}
		rel, _ := filepath.Rel(h.work, path)
		p.Work[filepath.ToSlash(rel)] = h.read(filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

// copyHome makes a home like h, which is closed. discard ends it.
func copyHome(t testing.TB, h *home) (c *home, discard func()) {
	t.Helper()
	base, err := os.MkdirTemp("", "copy") //nolint:usetesting // a test makes hundreds and must not keep them
	if err != nil {
		t.Fatal(err)
	}
	c = &home{t: t, dir: filepath.Join(base, "history", "b.git"), work: filepath.Join(base, "workspaces", "b"), boot: h.boot, wait: h.wait}
	for from, to := range map[string]string{h.dir: c.dir, h.work: c.work} {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return c, func() {
		if err := os.RemoveAll(base); err != nil {
			t.Error(err)
		}
	}
}

// plan makes an operation's starting point and its old and new pictures.
type plan struct {
	operation
	template *home
	old, new picture
	status   string // what git status says of the old one
	calls    int    // system calls that the operation makes
}

func newPlan(t *testing.T, op operation) *plan {
	t.Helper()
	p := &plan{operation: op, template: newHome(t)}
	r := p.template.open()
	if err := op.prepare(p.template, r); err != nil {
		t.Fatal(err)
	}
	p.old, p.status = p.template.picture(r), p.template.git("status", "--porcelain")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lateAge) // replaced files are due, in every copy
	h, discard := copyHome(t, p.template)
	defer discard()
	armed := false
	h.fault = func(string, string) error {
		if armed {
			p.calls++
		}
		return nil
	}
	r = h.open()
	defer func() { _ = r.Close() }()
	armed = true
	if err := op.do(r); err != nil {
		t.Fatal(err)
	}
	armed = false
	p.new = h.picture(r)
	if p.calls < 12 || cmp.Equal(p.old, p.new) {
		t.Fatalf("%d calls, changed: %v", p.calls, !cmp.Equal(p.old, p.new))
	}
	return p
}

const mayYet = "may yet be finished"

// TestEveryCallFails fails one call, or every call from one on: the change is made
// or refused, never in between, and once the fault is gone the next change works.
func TestEveryCallFails(t *testing.T) {
	kinds := []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES}
	for _, op := range operations() {
		t.Run(op.name, func(t *testing.T) {
			p := newPlan(t, op)
			done := map[bool]int{}
			for k := range p.calls {
				for i, kind := range kinds {
					if !long && i != k%len(kinds) {
						continue
					}
					done[p.fail(t, k, kind, false)]++
				}
				done[p.fail(t, k, kinds[(k+1)%len(kinds)], true)]++
			}
			t.Logf("%d calls: %d changes made, %d refused", p.calls, done[true], done[false])
			if done[false] == 0 {
				t.Error("no fault had an effect")
			}
		})
	}
}

// fail runs the operation with a fault at call k and says whether it was answered.
func (p *plan) fail(t *testing.T, k int, kind error, lasting bool) bool {
	t.Helper()
	h, discard := copyHome(t, p.template)
	defer discard()
	where := "nowhere"
	armed, n := false, 0
	h.fault = func(op, path string) error {
		if !armed {
			return nil
		}
		n++
		if n == k+1 || lasting && n > k {
			if n == k+1 {
				where = fmt.Sprintf("%v at call %d, %s %s, lasting: %v", kind, k, op, filepath.Base(path), lasting)
			}
			return kind
		}
		return nil
	}
	r := h.open()
	armed = true
	err := p.do(r)
	armed = false
	now := h.picture(r)
	switch {
	case err == nil:
		if d := cmp.Diff(p.new, now); d != "" {
			t.Errorf("%s: false success (-want +got):\n%s", where, d)
		}
	case !strings.Contains(err.Error(), mayYet):
		if d := cmp.Diff(p.old, now); d != "" {
			t.Errorf("%s: refused (%v) but changed (-old +now):\n%s", where, err, d)
		}
		if got, want := h.git("status", "--porcelain"), p.status; got != want {
			t.Errorf("%s: git status after the refusal (%v): got %q, want %q", where, err, got, want)
		}
	}
	if k%2 == 0 { // another process goes on
		if err := r.Close(); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		r = h.open()
		p.oldOrNew(t, h, r, where, err == nil)
	}
	if err := add(r, "memory/next.md", "- next"); err != nil {
		t.Errorf("%s: the next change: %v", where, err)
	}
	p.settled(t, h, r, where)
	return err == nil
}

func (p *plan) oldOrNew(t *testing.T, h *home, r *Repo, where string, answered bool) {
	t.Helper()
	now := h.picture(r)
	if cmp.Equal(now, p.new) || !answered && cmp.Equal(now, p.old) {
		return
	}
	t.Errorf("%s: neither old nor new (answered: %v):\n%s", where, answered, cmp.Diff(p.new, now))
}

// settled checks the end of a round: the next change is there, beside the old or
// the new state, and git finds everything clean.
func (p *plan) settled(t *testing.T, h *home, r *Repo, where string) {
	t.Helper()
	now := h.picture(r)
	if d := cmp.Diff(now.Head, now.Work); d != "" {
		t.Errorf("%s: HEAD and files differ:\n%s", where, d)
	}
	if now.Work["memory/next.md"] != "- next\n" {
		t.Errorf("%s: the next change is not there", where)
	}
	delete(now.Work, "memory/next.md")
	if !cmp.Equal(now.Work, p.old.Work) && !cmp.Equal(now.Work, p.new.Work) {
		t.Errorf("%s: neither old nor new after the next change:\n%s", where, cmp.Diff(p.new.Work, now.Work))
	}
	if err := r.Close(); err != nil {
		t.Errorf("%s: %v", where, err)
	}
	h.sound()
	if t.Failed() {
		t.Fatalf("%s: stopped here", where)
	}
}

// stopped is what a fault panics with to stop a change as a kill would.
type stopped struct{}

// stopAt opens the home and stops it before the k-th call of do; false when do came
// to its end before. What was open is closed, as the end of a process does it.
func (h *home) stopAt(k int, do func(r *Repo) error) (where string, hit bool, err error) {
	armed, n := false, 0
	h.fault = func(op, path string) error {
		if armed {
			if n == k {
				where, hit = fmt.Sprintf("stopped before call %d, %s %s", k, op, filepath.Base(path)), true
				panic(stopped{})
			}
			n++
		}
		return nil
	}
	r := h.open()
	h.fault = nil
	armed = true
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(stopped); !ok {
				panic(p)
			}
		}
		r.abandon()
	}()
	err = do(r)
	return where, hit, err
}

// abandon closes a repository's descriptors and nothing else, as a kill does.
func (r *Repo) abandon() {
	if r.wal != nil {
		_ = r.wal.f.Close()
	}
	if r.flock != nil {
		_ = r.flock.Close()
	}
	if r.work != nil {
		_ = r.work.close()
	}
	_ = r.applied.Close() // of no file, too
	r.packs.close()
}

func (p *plan) stop(t *testing.T, k int) {
	t.Helper()
	h, discard := copyHome(t, p.template)
	defer discard()
	// A replaced file that a starting process holds open for a moment is not removed,
	// so a run may have a call or two less.
	const fewerCalls = 4
	where, hit, err := h.stopAt(k, p.do)
	if !hit && (err != nil || k < p.calls-fewerCalls) {
		t.Fatalf("call %d of %d was not reached: %v", k, p.calls, err)
	}
	r := h.open()
	p.oldOrNew(t, h, r, where, !hit)
	if err := add(r, "memory/next.md", "- next"); err != nil {
		t.Errorf("%s: the next change: %v", where, err)
	}
	p.settled(t, h, r, where)
}

// TestStopAtEveryCall kills a change before each of its calls: the next start finds
// the old state or the new one.
func TestStopAtEveryCall(t *testing.T) {
	for _, op := range operations() {
		t.Run(op.name, func(t *testing.T) {
			p := newPlan(t, op)
			for k := range p.calls {
				p.stop(t, k)
			}
			t.Logf("%d calls", p.calls)
		})
	}
}
