package server

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// socketDir is a folder of this user alone, with a short path.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "quipu") //nolint:usetesting // a folder named after its test is too long for a socket
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	return dir
}

func TestListenUnix(t *testing.T) {
	dir := socketDir(t)
	path := filepath.Join(dir, "quipu.sock")
	defer syscall.Umask(syscall.Umask(0)) // whatever the person's is
	ln, err := ListenUnix(t.Context(), path)
	must(t, err)
	if info, err := os.Lstat(path); err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("the socket is %v, %v; want 0600", info.Mode(), err)
	}
	if _, err := ListenUnix(t.Context(), path); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("a second server listens there: %v", err)
	}
	must(t, ln.Close())
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
}

func TestListenUnixTakesOverOnlyTheDead(t *testing.T) {
	dir := socketDir(t)
	path := filepath.Join(dir, "quipu.sock")
	dead, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", path)
	must(t, err)
	dead.(*net.UnixListener).SetUnlinkOnClose(false)
	must(t, dead.Close())
	ln, err := ListenUnix(t.Context(), path)
	must(t, err)
	must(t, ln.Close())
	for name, put := range map[string]func() error{
		"a file":   func() error { return os.WriteFile(path, []byte("mine"), 0o600) },
		"a folder": func() error { return os.Mkdir(path, 0o700) },
		"a link":   func() error { return os.Symlink(filepath.Join(dir, "elsewhere"), path) },
	} {
		must(t, put())
		if _, err := ListenUnix(t.Context(), path); err == nil {
			t.Errorf("%s was taken over", name)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s is gone: %v", name, err)
		}
		must(t, os.Remove(path))
	}
	for name, at := range map[string]string{
		"no folder":   filepath.Join(dir, "none", "quipu.sock"),
		"a long path": filepath.Join(dir, strings.Repeat("x", 100)),
	} {
		if _, err := ListenUnix(t.Context(), at); err == nil {
			t.Errorf("%s: listens at %s", name, at)
		}
	}
	for _, mode := range []fs.FileMode{0o755, 0o750, 0o701, 0o710} {
		must(t, os.Chmod(dir, mode))
		if _, err := ListenUnix(t.Context(), path); err == nil {
			t.Errorf("listens in a folder that is %v", mode)
		}
	}
}

// TestOverASocket: who comes over the socket is at this machine, unless a proxy says otherwise.
func TestOverASocket(t *testing.T) {
	h := newHarness(t)
	over := func(r *http.Request) {
		r.RemoteAddr = "@"
		*r = *r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(&net.UnixAddr{Name: "/run/quipu.sock", Net: "unix"})))
	}
	open := map[string]any{"target": "folder"}
	h.do(http.MethodPost, scout+"/memory/open", open, over).expect(t, http.StatusOK, "")
	h.do(http.MethodPost, scout+"/memory/open", open, over, with("X-Forwarded-For", "127.0.0.1")).expect(t, http.StatusForbidden, "forbidden")
	h.do(http.MethodPost, scout+"/memory/open", open, over, as("")).expect(t, http.StatusUnauthorized, "")
	h.do(http.MethodGet, scout+"/memory", nil, over, func(r *http.Request) { r.Host = "evil.com" }).expect(t, http.StatusMisdirectedRequest, "")
}
