package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk adds to a real file system until it is full, many times over, with
// more and less room: what was answered stays, what was refused changed nothing,
// and once there is room the next change works.
func TestFullDisk(t *testing.T) {
	for kb := 1300; kb <= 1800; kb += 100 { // 1 MB of it is the record file
		t.Run(fmt.Sprintf("%d KB", kb), func(t *testing.T) {
			base := t.TempDir()
			if err := syscall.Mount("tmpfs", base, "tmpfs", 0, fmt.Sprintf("size=%dk", kb)); err != nil {
				t.Skipf("a small file system cannot be mounted here: %v", err)
			}
			defer func() {
				if err := syscall.Unmount(base, syscall.MNT_DETACH); err != nil {
					t.Error(err)
				}
			}()
			h := newHomeAt(t, base)
			r := h.open()
			answered, refused := h.fill(r)
			if refused == nil {
				t.Fatal("the disk never got full")
			}
			if !errors.Is(refused, syscall.ENOSPC) {
				t.Errorf("got %v, want ENOSPC", refused)
			}
			h.checkFull(answered)
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if err := os.Remove(filepath.Join(base, "ballast")); err != nil {
				t.Fatal(err)
			}
			r = h.open()
			defer func() { _ = r.Close() }()
			if err := add(r, "MEMORY.md", "- there is room again"); err != nil {
				t.Error(err)
			}
			if got, want := h.read("MEMORY.md"), strings.Join(append(answered, "- there is room again\n"), ""); got != want {
				t.Errorf("got %d bytes, want %d", len(got), len(want))
			}
			h.sound()
		})
	}
}

// TestNoRoomToOpen: a disk that has no room for the record file is left as it was.
func TestNoRoomToOpen(t *testing.T) {
	base := t.TempDir()
	if err := syscall.Mount("tmpfs", base, "tmpfs", 0, "size=600k"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(base, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	h := newHomeAt(t, base)
	if _, err := Open(context.Background(), h.options()); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v, want ENOSPC", err)
	}
	if left, err := filepath.Glob(filepath.Join(h.dir, "quipu", "wal*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := syscall.Mount("tmpfs", base, "tmpfs", syscall.MS_REMOUNT, "size=3m"); err != nil {
		t.Fatal(err)
	}
	r := h.open()
	defer func() { _ = r.Close() }()
	if err := add(r, "MEMORY.md", "- one"); err != nil {
		t.Error(err)
	}
	h.sound()
}

// fill puts ballast on the disk and adds lines, each longer, until one is refused;
// then it tries shorter ones.
func (h *home) fill(r *Repo) (answered []string, refused error) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(filepath.Dir(h.dir)), "ballast"), make([]byte, 60<<10), 0o600); err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < 400; i++ {
		size := 100 * i
		if refused != nil {
			size = 10
		}
		line := "- " + incompressible(size)
		before := h.read0("MEMORY.md")
		err := add(r, "MEMORY.md", line)
		switch {
		case err == nil:
			answered = append(answered, line+"\n")
		case !strings.Contains(err.Error(), mayYet) && h.read0("MEMORY.md") != before:
			h.t.Fatalf("refused (%v), but the file changed", err)
		case refused == nil:
			refused = err
			i = 390 // a few more
		}
	}
	return answered, refused
}

func (h *home) checkFull(answered []string) {
	h.t.Helper()
	if got := h.git("show", "HEAD:MEMORY.md"); got != strings.Join(answered, "") {
		h.t.Errorf("the history holds %d bytes, %d were answered", len(got), len(strings.Join(answered, "")))
	}
	if out := h.git("--no-optional-locks", "status", "--porcelain"); out != "" {
		h.t.Errorf("git status on the full disk:\n%s", out)
	}
}
