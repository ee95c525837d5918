package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckListen(t *testing.T) {
	tests := map[string]struct {
		addr   string
		remote bool
		exit   int
	}{
		"this machine":             {"127.0.0.1:7717", false, exitOK},
		"another loopback":         {"127.0.0.2:80", false, exitOK},
		"version six":              {"[::1]:7717", false, exitOK},
		"by name":                  {"localhost:0", false, exitOK},
		"every address":            {"0.0.0.0:7717", false, exitUsage},
		"every address, unsaid":    {":7717", false, exitUsage},
		"another machine's name":   {"localhost.evil.example:1", false, exitUsage},
		"one on the net":           {"192.168.1.5:7717", false, exitUsage},
		"on the net, and meant so": {"0.0.0.0:7717", true, exitOK},
		"a socket":                 {"unix:/run/quipu.sock", false, exitOK},
		"a socket of no name":      {"unix:", true, exitUsage},
		"no port":                  {"127.0.0.1", true, exitUsage},
		"nothing":                  {"", true, exitUsage},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := exitOf(checkListen(tt.addr, tt.remote)); got != tt.exit {
				t.Errorf("checkListen(%q, %v): exit %d, want %d", tt.addr, tt.remote, got, tt.exit)
			}
		})
	}
}

func TestDraft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d, err := newDraft("memory/café.md", "tea\r\n\x00")
	if err != nil {
		t.Fatal(err)
	}
	if got := filepath.Base(d.path); got != "café.md" {
		t.Errorf("named %s, want the note's own name", got)
	}
	for _, p := range []string{d.path, d.dir} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v, want it closed to others", p, info.Mode())
		}
	}
	if got, err := d.text(); err != nil || got != "tea\r\n\x00" {
		t.Errorf("text %q, %v; want every byte", got, err)
	}
	if err := d.remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(d.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h := newHarness(t)
	if exit := run(ctx, h.env, []string{"quipu", "show", "--bot", "nobody"}); exit == exitOK {
		t.Error("exit 0 for a command that was interrupted before it began")
	}
	if got := h.err.String(); !strings.HasPrefix(got, "quipu: ") {
		t.Errorf("words %q, want a sentence", got)
	}
}
