//go:build unix

package server

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOddFiles(t *testing.T) {
	h := newHarness(t)
	outside := filepath.Join(t.TempDir(), "outside.md")
	must(t, os.WriteFile(outside, []byte("not yours\n"), 0o600))
	must(t, os.MkdirAll(h.file("memory/folder.md"), 0o700))
	must(t, os.Symlink(outside, h.file("memory/link.md")))
	must(t, os.Symlink(filepath.Join(filepath.Dir(outside), "nothing.md"), h.file("memory/dangling.md")))
	must(t, syscall.Mkfifo(h.file("memory/pipe.md"), 0o600))
	for _, name := range []string{"folder", "link", "dangling", "pipe"} {
		path := "memory/" + name + ".md"
		answers := []reply{
			h.do(http.MethodGet, fileURL(path), nil),
			h.do(http.MethodPut, scout+"/memory/file", map[string]any{"path": path, "text": "x\n", "expectedHash": hash("")}),
			h.do(http.MethodPut, scout+"/memory/file", map[string]any{"path": path, "text": "x\n"}),
			h.do(http.MethodDelete, fileURL(path), nil),
		}
		for i, a := range answers {
			if a.status != 400 || a.code() != "path" || strings.Contains(a.raw, "not yours") {
				t.Errorf("%s, way %d: got %d %s, want 400 path", path, i, a.status, a.raw)
			}
		}
	}
	if got := h.do(http.MethodGet, scout+"/memory", nil).expect(t, 200, ""); len(got.list("topics")) != 0 {
		t.Errorf("odd files are listed: %s", got.raw)
	}
	if text, _ := os.ReadFile(outside); string(text) != "not yours\n" {
		t.Errorf("the file outside became %q", text)
	}
}

// TestLinkedFolders: a workspace whose folders lead elsewhere gives and takes nothing there.
func TestLinkedFolders(t *testing.T) {
	h := newHarness(t)
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "x.md"), []byte("not yours\n"), 0o600))
	must(t, os.RemoveAll(h.file("memory")))
	must(t, os.Symlink(outside, h.file("memory")))
	must(t, os.Remove(h.file("MEMORY.md")))
	must(t, os.Symlink(filepath.Join(outside, "x.md"), h.file("MEMORY.md")))
	answers := []reply{
		h.do(http.MethodGet, fileURL("memory/x.md"), nil),
		h.do(http.MethodPut, scout+"/memory/file", map[string]any{"path": "memory/y.md", "text": "mine\n"}),
		h.do(http.MethodPut, scout+"/memory", map[string]any{"text": "mine\n"}),
		h.do(http.MethodDelete, fileURL("memory/x.md"), nil),
		h.do(http.MethodGet, scout+"/memory", nil),
		h.do(http.MethodGet, scout+"/memory/journal", nil),
		h.update(map[string]any{"action": "append", "text": "mine", "topic": "y"}),
		h.update(map[string]any{"action": "append", "text": "mine"}),
	}
	for i, a := range answers {
		if strings.Contains(a.raw, "not yours") || a.status >= 500 {
			t.Errorf("way %d: %d %s", i, a.status, a.raw)
		}
	}
	left, err := os.ReadDir(outside)
	must(t, err)
	if text, _ := os.ReadFile(filepath.Join(outside, "x.md")); string(text) != "not yours\n" || len(left) != 1 {
		t.Errorf("outside: %d files, x.md says %q", len(left), text)
	}
}
