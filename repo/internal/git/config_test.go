package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPersonsConfig: nothing in the person's settings runs or changes what we write.
func TestPersonsConfig(t *testing.T) {
	h := newHome(t)
	trap := filepath.Join(t.TempDir(), "trap")
	marker := trap + ".sprung"
	script := "#!/bin/sh\necho \"$0 $*\" >> " + marker + "\ncat\nexit 0\n"
	if err := os.WriteFile(trap, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Dir(trap)
	for _, name := range []string{"pre-commit", "post-commit", "reference-transaction", "post-index-change", "commit-msg", "prepare-commit-msg"} {
		for _, dir := range []string{hooks, filepath.Join(h.dir, "hooks")} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	global := filepath.Join(t.TempDir(), "gitconfig")
	excludes := global + ".ignore"
	config := fmt.Sprintf(`[commit]
	gpgsign = true
[gpg]
	program = %[1]s
[core]
	hooksPath = %[2]s
	autocrlf = true
	fsmonitor = %[1]s
	excludesFile = %[3]s
	attributesFile = %[3]s.attributes
	editor = %[1]s
[filter "trap"]
	clean = %[1]s
	smudge = %[1]s
	required = true
`, trap, hooks, excludes)
	for name, text := range map[string]string{
		global: config, excludes: "MEMORY.md\nmemory/\n*.md\n", excludes + ".attributes": "*.md filter=trap text eol=crlf\n",
		h.path(".gitattributes"): "*.md filter=trap text eol=crlf\n", h.path(".gitignore"): "memory/\n*.md\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	r := h.open()
	for i := range 2 { // the second time in a form of index that git itself writes
		h.write("memory/hand.md", fmt.Sprintf("by hand %d\r\nwith CRLF\r\n", i))
		if err := add(r, "MEMORY.md", "- a line\r"); err != nil {
			t.Fatal(err)
		}
		if err := remove(r, "memory/hand.md"); err != nil {
			t.Fatal(err)
		}
		if err := add(r, "memory/topic.md", "- topic"); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(marker); err == nil {
			t.Fatalf("run by us:\n%s", b)
		}
		if got, want := h.git("show", "HEAD:MEMORY.md"), strings.Repeat("- a line\r\n", i+1); got != want {
			t.Errorf("committed %q, want %q", got, want)
		}
		if got, want := h.git("ls-tree", "-r", "--name-only", "HEAD"), "MEMORY.md\nmemory/topic.md\n"; got != want {
			t.Errorf("tracked: %q, want %q", got, want)
		}
		if i == 0 {
			h.git("update-index", "--index-version", "4")
			_ = os.Remove(marker)
		}
	}
	h.sound()
	t.Setenv("GIT_CONFIG_GLOBAL", global) // and as the person sees it
	if out, err := h.gitWith("GIT_CONFIG_GLOBAL="+global, "-c", "core.fsmonitor=false", "-c", "commit.gpgsign=false", "status", "--porcelain"); err != nil || out != "" {
		t.Errorf("status with the person's settings: %v\n%s", err, out)
	}
}

// TestSharedRules: what hides memory from git does not hide it from us.
func TestSharedRules(t *testing.T) {
	h := newHome(t)
	h.write(".gitignore", "memory/\n*.md\n")
	h.write("memory/hand.md", "- by hand\n")
	h.write("node_modules/readme.md", "not memory\n")
	r := h.open()
	if err := add(r, "MEMORY.md", "- one"); err != nil {
		t.Fatal(err)
	}
	h.write("memory/hand.md", "- by hand, again\n")
	if edited, _, err := r.Scan(); err != nil || len(edited) != 1 {
		t.Errorf("edited: %v, %v", edited, err)
	}
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Fatal(err)
	}
	if got := h.git("show", "HEAD:memory/hand.md"); got != "- by hand, again\n" {
		t.Errorf("got %q", got)
	}
	if got := h.git("ls-files"); got != "MEMORY.md\nmemory/hand.md\n" {
		t.Errorf("tracked: %q", got)
	}
	h.sound()
}

// TestNestedRepository: a repository that someone made inside memory/ changes
// nothing about its notes.
func TestNestedRepository(t *testing.T) {
	h, r := started(t)
	h.git("init", "-q", "memory")
	if err := add(r, "memory/topic.md", "- two"); err != nil {
		t.Fatal(err)
	}
	if err := add(r, "memory/new.md", "- new"); err != nil {
		t.Fatal(err)
	}
	if got := h.git("ls-files", "--stage"); strings.Contains(got, "160000") || !strings.Contains(got, "memory/new.md") {
		t.Errorf("index:\n%s", got)
	}
	if got := h.git("show", "HEAD:memory/new.md"); got != "- new\n" {
		t.Errorf("got %q", got)
	}
}

// TestShallowClone: an ordinary .git folder with a cut-off history.
func TestShallowClone(t *testing.T) {
	h, r := started(t)
	for range 3 {
		if err := add(r, "MEMORY.md", "- more"); err != nil {
			t.Fatal(err)
		}
	}
	work := filepath.Join(t.TempDir(), "clone")
	h.git("clone", "-q", "--depth=2", "file://"+h.dir, work)
	c := &home{t: t, dir: filepath.Join(work, ".git"), work: work, boot: "boot-1", wait: time.Second}
	for _, boot := range []string{"boot-1", "boot-2"} {
		c.boot = boot
		cr := c.open()
		if err := add(cr, "memory/topic.md", "- in the clone"); err != nil {
			t.Fatal(err)
		}
		if err := cr.Close(); err != nil {
			t.Fatal(err)
		}
		c.sound()
	}
	if got := c.read("memory/topic.md"); got != "- topic\n- in the clone\n- in the clone\n" {
		t.Errorf("got %q", got)
	}
}
