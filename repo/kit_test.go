package repo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/policy"
)

// clock is a wall clock that a test moves.
type clock struct {
	mu  sync.Mutex
	at  time.Time
	per time.Duration // how far it goes on at each look
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(c.per)
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

// lab is a home with one bot, and a person with an editor and git.
type lab struct {
	t        testing.TB
	home     string
	clock    *clock
	store    *Store
	w        *Workspace
	dir      string
	env      []string // of the person's git
	resident bool     // the process stays
}

var noon = time.Date(2026, 9, 12, 12, 0, 0, 0, time.UTC)

func newLab(t testing.TB) *lab {
	t.Helper()
	l := bareLab(t, filepath.Join(t.TempDir(), "home"), `{"timezone":"UTC","person":{"name":"Ada","email":"ada@example.org"}}`)
	l.create("scout")
	return l
}

// bareLab is a home without a bot.
func bareLab(t testing.TB, home, config string) *lab {
	t.Helper()
	l := &lab{t: t, home: home, clock: &clock{at: noon, per: time.Second}}
	person := t.TempDir()
	l.env = append(os.Environ(), "HOME="+person, "XDG_CONFIG_HOME="+person, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_EDITOR=true")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if config != "" {
		if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l.open()
	return l
}

// open opens the home as a new process does.
func (l *lab) open() {
	l.t.Helper()
	s, err := OpenHome(l.home, Options{Now: l.clock.now, Wait: 2 * time.Second, Resident: l.resident})
	if err != nil {
		l.t.Fatal(err)
	}
	l.store = s
	l.t.Cleanup(func() { _ = s.Close() })
}

func (l *lab) create(id ID) {
	l.t.Helper()
	if _, _, err := l.store.Create(l.t.Context(), id, ""); err != nil {
		l.t.Fatal(err)
	}
	l.use(id)
}

func (l *lab) use(id ID) {
	l.t.Helper()
	w, err := l.store.Open(l.t.Context(), id)
	if err != nil {
		l.t.Fatal(err)
	}
	l.w, l.dir = w, w.Dir()
}

// reopen is another process on the same home, after this one ended.
func (l *lab) reopen() {
	l.t.Helper()
	if err := l.store.Close(); err != nil {
		l.t.Fatal(err)
	}
	l.open()
	l.use(l.w.ID())
}

func (l *lab) ctx() context.Context { return l.t.Context() }

func (l *lab) path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

// put is a person's editor.
func (l *lab) put(name, text string) {
	l.t.Helper()
	if err := os.MkdirAll(filepath.Dir(l.path(name)), 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(l.path(name), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// add is `echo text >> MEMORY.md`.
func (l *lab) add(text string) {
	l.t.Helper()
	f, err := os.OpenFile(l.path("MEMORY.md"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

// text is a work file, "" when there is none.
func (l *lab) text(name string) string {
	l.t.Helper()
	b, err := os.ReadFile(l.path(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		l.t.Fatal(err)
	}
	return string(b)
}

func (l *lab) gitTry(args ...string) (string, error) {
	out, bad, err := l.gitRaw(args...)
	return strings.TrimRight(out, "\n") + bad, err
}

func (l *lab) gitRaw(args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(l.t.Context(), "git", append([]string{"-C", l.dir}, args...)...)
	cmd.Env = l.env
	var out, bad bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &bad
	err = cmd.Run()
	return out.String(), bad.String(), err
}

// git runs the person's git in the workspace.
func (l *lab) git(args ...string) string {
	l.t.Helper()
	out, err := l.gitTry(args...)
	if err != nil {
		l.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// sound asks git whether the history is whole and the work tree is its newest commit.
func (l *lab) sound() {
	l.t.Helper()
	if out := l.git("fsck", "--strict", "--no-dangling"); out != "" {
		l.t.Errorf("git fsck says:\n%s", out)
	}
	if out := l.git("status", "--porcelain"); out != "" {
		l.t.Errorf("git status says:\n%s", out)
	}
}

// log gives one format of every commit of the branch, oldest first.
func (l *lab) log(format string) []string {
	l.t.Helper()
	return strings.Split(l.git("log", "--reverse", "--format="+format), "\n")
}

func (l *lab) count() int { l.t.Helper(); return len(l.log("%H")) }

var (
	scout = Meta{Author: Author{Kind: Bot, Name: "scout"}, Via: ViaTurn}
	ada   = Meta{Author: Author{Kind: Person, Name: "Ada"}, Via: ViaUI}
)

func (l *lab) must(r Receipt, err error) Receipt {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

func (l *lab) append(text string) Receipt {
	l.t.Helper()
	return l.must(l.w.Update(l.ctx(), scout, policy.Update{Action: policy.Append, Text: text}))
}

func (l *lab) update(u policy.Update) Receipt {
	l.t.Helper()
	return l.must(l.w.Update(l.ctx(), scout, u))
}

func (l *lab) save(name, text string) Receipt {
	l.t.Helper()
	return l.must(l.w.Save(l.ctx(), ada, name, text, Expect{Any: true}))
}

func (l *lab) undo(id string) Receipt {
	l.t.Helper()
	return l.must(l.w.Undo(l.ctx(), ada, id, Revert))
}

func (l *lab) rows(q Query) []Row {
	l.t.Helper()
	rows, err := l.w.Journal(l.ctx(), q)
	if err != nil {
		l.t.Fatal(err)
	}
	return rows
}

// refuses wants an error of a meaning.
func (l *lab) refuses(err, kind error) {
	l.t.Helper()
	if !errors.Is(err, kind) {
		l.t.Fatalf("error %v, want %v", err, kind)
	}
}

// contains wants every part in a text.
func (l *lab) contains(text string, parts ...string) {
	l.t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			l.t.Errorf("%q is not in:\n%s", p, text)
		}
	}
}

// secret is shaped like a credential of a well-known kind.
var secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2"

// objects is every object of the repository, decompressed.
func (l *lab) objects() string {
	l.t.Helper()
	return l.git("cat-file", "--batch-all-objects", "--batch", "--unordered")
}
