package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// objectFiles lists the files that hold objects, with what tells one from another that
// took its name.
func (h *home) objectFiles() map[string]fs.FileInfo {
	h.t.Helper()
	out := map[string]fs.FileInfo{}
	err := filepath.WalkDir(filepath.Join(h.dir, "objects"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out[p], err = d.Info()
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// lines commits 20 lines to a file of its own.
func lines(r *Repo, name string) error {
	var errs []error
	for i := range 20 {
		errs = append(errs, add(r, name, fmt.Sprintf("- %s %d %s", name, i, incompressible(40))))
	}
	return errors.Join(errs...)
}

// What an erase does not change stays in its files: loose objects, and packs of which
// everything stays. Of others, what stays is copied.
func TestEraseLeavesObjects(t *testing.T) {
	h := newHome(t)
	r := h.open()
	h.git("config", "gc.auto", "0")
	if err := lines(r, "memory/packed.md"); err != nil {
		t.Fatal(err)
	}
	h.git("repack", "-q", "-a", "-d")
	whole, _ := filepath.Glob(filepath.Join(h.dir, "objects/pack/*.pack"))
	if err := errors.Join(lines(r, "memory/half.md"), add(r, "MEMORY.md", "- Zanzibar"), lines(r, "memory/half.md")); err != nil {
		t.Fatal(err)
	}
	h.git("repack", "-q", "-d")
	if err := lines(r, "memory/loose.md"); err != nil {
		t.Fatal(err)
	}
	blobs := strings.Fields(h.git("log", "--format=", "--raw", "--no-abbrev", "--", "memory/loose.md"))
	if err := drop(r); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lateAge)
	before := h.objectFiles()
	out := erase(t, r)
	h.erased()
	h.sound()
	after := h.objectFiles()
	stayed := func(p string) bool { return before[p] != nil && after[p] != nil && os.SameFile(before[p], after[p]) }
	if len(whole) != 1 || !stayed(whole[0]) {
		t.Errorf("a pack in which everything stays was replaced: %v", whole)
	}
	n := 0
	for _, hex := range blobs {
		if len(hex) != 40 || strings.Trim(hex, "0") == "" {
			continue
		}
		if n++; !stayed(filepath.Join(h.dir, "objects", hex[:2], hex[2:])) {
			t.Errorf("the loose object %s was replaced", hex)
		}
	}
	if packs, _ := filepath.Glob(filepath.Join(h.dir, "objects/pack/*.pack")); n == 0 || len(packs) != 2 {
		t.Errorf("%d objects, packs %v", n, packs)
	}
	if all := strings.Count(h.git("rev-list", "--all", "--objects"), "\n"); out.Objects != all {
		t.Errorf("%d objects, want %d", out.Objects, all)
	}
}

// A pack keeps the deltas of what stays, also when it is replaced again and again; and
// an object that stands in two places stands in one.
func TestEraseCopiesDeltas(t *testing.T) {
	h := newHome(t)
	h.importTopic(400, 0.5)
	h.git("gc", "-q", "--prune=now")
	r := h.open()
	size := func() int64 {
		packs, _ := filepath.Glob(filepath.Join(h.dir, "objects/pack/*.pack"))
		if len(packs) != 1 {
			t.Fatal(packs)
		}
		info, err := os.Stat(packs[0])
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	for i := range 4 {
		if err := errors.Join(add(r, "memory/other.md", fmt.Sprintf("- Zanzibar %d", i)), drop(r)); err != nil {
			t.Fatal(err)
		}
		h.git("repack", "-q", "-a", "-d")
		time.Sleep(2 * lateAge)
		h.twice()
		erase(t, r)
		h.erased()
		if got := size(); got > before*3/2 {
			t.Fatalf("round %d: the pack has %d bytes, and had %d", i, got, before)
		}
	}
	h.sound()
}

// twice makes loose copies of what the newest commit holds, and a second pack.
func (h *home) twice() {
	h.t.Helper()
	list := h.git("rev-list", "--objects", "HEAD~3..HEAD")
	cmd := h.command("pack-objects", "-q", filepath.Join(h.dir, "objects/pack/pack"))
	cmd.Stdin = strings.NewReader(list)
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Fatalf("%v\n%s", err, out)
	}
	hex := strings.TrimSpace(h.git("rev-parse", "HEAD"))
	raw := h.git("cat-file", "commit", hex)
	path := filepath.Join(h.dir, "objects", hex[:2], hex[2:])
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	r := &Repo{}
	z, err := r.deflate.deflate(KindCommit, []byte(raw))
	if err == nil {
		err = os.WriteFile(path, z, 0o400)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// A pack that is broken where something stays is told, and nothing changes; where it can
// be read all the same, all is well afterwards.
func TestEraseOfABrokenPack(t *testing.T) {
	template := newHome(t)
	template.importTopic(50, 0.9)
	template.git("gc", "-q", "--prune=now")
	told := 0
	for part := range 40 {
		h, discard := copyHome(t, template)
		packs, _ := filepath.Glob(filepath.Join(h.dir, "objects/pack/*.pack"))
		b, err := os.ReadFile(packs[0])
		if err != nil {
			t.Fatal(err)
		}
		at := 100 + (len(b)-200)*part/40
		b[at] ^= 0x10
		if err := errors.Join(os.Chmod(packs[0], 0o600), os.WriteFile(packs[0], b, 0o600)); err != nil {
			t.Fatal(err)
		}
		r := h.open()
		switch _, err := r.Rewrite(t.Context(), erasing()); {
		case err == nil:
			h.erased()
		case !errors.Is(err, ErrDamaged):
			t.Errorf("broken at %d: %v", at, err)
		default:
			told++
			if got, err := os.ReadFile(packs[0]); err != nil || string(got) != string(b) {
				t.Errorf("broken at %d: the pack was altered: %v", at, err)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		discard()
		if t.Failed() {
			t.Fatalf("broken at %d of %d", at, len(b))
		}
	}
	if told == 0 {
		t.Error("nothing was told")
	}
}

// TestEraseBesidePacking lets a person's git pack everything before each call of an
// erase: nothing is lost, whatever it takes away.
func TestEraseBesidePacking(t *testing.T) {
	p := newErasePlan(t)
	busy, late := 0, 0
	for k := 0; k < p.calls; k += 2 * step() {
		h, discard := copyHome(t, p.template)
		n, where := -1, ""
		h.fault = func(op, path string) error {
			if n++; n == k {
				where = fmt.Sprintf("packed before call %d, %s %s", k, op, filepath.Base(path))
				h.git("repack", "-q", "-a", "-d")
			}
			return nil
		}
		r := h.open()
		n = -1
		err := p.do(r)
		if err != nil && strings.Contains(err.Error(), mayYet) { // the pack was taken away before a ref reached it
			late++
			err = r.Close()
			r = h.open()
		}
		switch {
		case errors.Is(err, ErrBusy):
			busy++
		case err != nil:
			t.Errorf("%s: %v", where, err)
		case !p.check(t, h, where, true):
			t.Errorf("%s: not done", where)
		}
		p.again(t, h, r, where, true)
		discard()
	}
	t.Logf("%d calls, %d times busy, %d times finished by the next start", p.calls, busy, late)
}
