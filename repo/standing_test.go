package repo

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A token is of one address: it never goes to another, whatever is set while a sync runs.
func TestTokenIsOfOneAddress(t *testing.T) {
	t.Setenv(tokenVar, "")
	l := newLab(t)
	set := func(url string, token *string) {
		t.Helper()
		if err := l.w.SetRemote(Remote{URL: url}, token); err != nil {
			t.Fatal(err)
		}
	}
	sent := func() string {
		t.Helper()
		m, _, err := l.w.transport()
		if err != nil {
			t.Fatal(err)
		}
		return m.Token
	}
	const a, b = "https://a.example.org/r", "https://b.example.org/r"
	set(a, new("of-a"))
	if got := sent(); got != "of-a" {
		t.Errorf("sent %q", got)
	}
	file := filepath.Join(l.w.git.Own(), tokenFile)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of the token: %v, %v", info, err)
	}
	of, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set(b, nil)
	if got := sent(); got != "" {
		t.Errorf("to the other address %q", got)
	}
	// As it stands between two steps of SetRemote, or after a stop there.
	if err := os.WriteFile(file, of, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := l.w.Shared(l.ctx()); sent() != "" || err != nil || got.Token {
		t.Errorf("a token that is left over: sent %q, %+v, %v", sent(), got, err)
	}
	if err := os.WriteFile(file, []byte("of-a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.w.transport(); !errors.Is(err, ErrState) || strings.Contains(err.Error(), "of-a") {
		t.Errorf("a token that cannot be read: %v", err)
	}
}

// How both sides stand is counted anew with each change, and is of the remote that is set.
func TestStanding(t *testing.T) {
	remote := bareRemote(t)
	l := machine(t, "a", remote)
	if none, err := newLab(t).w.Standing(l.ctx()); none != nil || err != nil {
		t.Errorf("without a remote: %+v, %v", none, err)
	}
	type stands struct {
		ahead, behind int
		sync, holds   bool
	}
	want := func(when string, want stands) SyncState {
		t.Helper()
		s, err := l.w.Standing(l.ctx())
		if err != nil {
			t.Fatal(err)
		}
		if got := (stands{s.Ahead, s.Behind, s.InSync, s.Holds}); got != want {
			t.Errorf("%s: %+v, want %+v", when, got, want)
		}
		status, err := l.w.Status(l.ctx())
		if diff := cmp.Diff(s, status.Remote); err != nil || diff != "" {
			t.Errorf("%s: status says otherwise (%v): %s", when, err, diff)
		}
		return *s
	}
	want("never synced", stands{ahead: 1})
	if _, err := l.w.Sync(l.ctx(), Meta{Author: ada.Author, DryRun: true}, Syncing{}); err != nil {
		t.Fatal(err)
	}
	if s := want("looked at", stands{ahead: 1}); !s.Tried.IsZero() || !s.Success.IsZero() {
		t.Errorf("a dry run counts as a sync: %+v", s)
	}
	l.sync()
	want("synced", stands{sync: true})
	l.append("Likes tea")
	want("changed", stands{ahead: 1})
	l.sync()
	l.put("memory/by-hand.md", "- by hand\n")
	want("edited outside", stands{})
	l.sync()
	want("synced again", stands{sync: true})

	other := machine(t, "b", remote)
	other.sync()
	other.append("Sings at night")
	other.sync()
	if _, err := l.w.Sync(l.ctx(), Meta{Author: ada.Author, DryRun: true}, Syncing{}); err != nil {
		t.Fatal(err)
	}
	want("the other one pushed", stands{behind: 1})
	l.sync()
	want("pulled", stands{sync: true})

	erased, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{"tea"}})
	if err != nil || !slices.ContainsFunc(erased.Unreached, func(p string) bool { return strings.Contains(p, remote) }) {
		t.Fatalf("%+v, %v", erased, err)
	}
	if s, err := l.w.Standing(l.ctx()); err != nil || s.InSync || !s.Holds || s.Ahead < 4 {
		t.Errorf("erased: %+v, %v", s, err)
	}
	l.sync()
	want("the erasure is there", stands{sync: true})

	// Of another remote nothing is known, not even when a sync with the first ends later.
	late := l.w.SyncState()
	if err := l.w.SetRemote(Remote{URL: bareRemote(t)}, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.w.keepSyncState(late); err != nil {
		t.Fatal(err)
	}
	if s, err := l.w.Standing(l.ctx()); err != nil || !s.Tried.IsZero() || s.InSync || s.Ahead < 4 {
		t.Errorf("another remote: %+v, %v", s, err)
	}
}

// A sync whose caller goes away says so, lets its lock go and leaves what was changed.
func TestSyncGivenUp(t *testing.T) {
	begun := make(chan struct{}, 8)
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(func() { hangs.CloseClientConnections(); hangs.Close() })
	l := machine(t, "a", hangs.URL+"/r.git")
	ctx, leave := context.WithCancel(l.ctx())
	go func() { <-begun; leave() }()
	if _, err := l.w.Sync(ctx, ada, Syncing{}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if s := l.w.SyncState(); s.Fault == "" || strings.Contains(s.Fault, "context") || s.Tried.IsZero() {
		t.Errorf("state %+v", s)
	}
	if err := l.w.SetRemote(Remote{URL: bareRemote(t)}, nil); err != nil {
		t.Fatal(err)
	}
	l.sync()
}

// Which workspaces are shared is found without opening one.
func TestWithRemote(t *testing.T) {
	l := machine(t, "a", bareRemote(t))
	l.create("other")
	me, err := l.store.MakeMe(l.ctx(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := me.SetRemote(Remote{URL: bareRemote(t)}, nil); err != nil {
		t.Fatal(err)
	}
	if got := l.store.WithRemote(); !slices.Equal(got, []ID{"@me", "scout"}) {
		t.Errorf("got %v, %v", got, err)
	}
}

// About me of a machine where nothing was kept but its first line takes the remote's over.
func TestSyncFreshAboutMe(t *testing.T) {
	remote := bareRemote(t)
	me := func(name string) (*lab, *Workspace) {
		l := bareLab(t, filepath.Join(t.TempDir(), name), `{"timezone":"UTC"}`)
		w, err := l.store.MakeMe(l.ctx(), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.SetRemote(Remote{URL: remote}, nil); err != nil {
			t.Fatal(err)
		}
		return l, w
	}
	a, x := me("a")
	b, y := me("b")
	if _, err := x.Save(a.ctx(), ada, "ABOUT.md", "# About me\n- short replies\n", Expect{Any: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Sync(a.ctx(), ada, Syncing{}); err != nil {
		t.Fatal(err)
	}
	if _, err := y.Sync(b.ctx(), ada, Syncing{}); err != nil {
		t.Fatal(err)
	}
	if text, err := y.Read(b.ctx(), "ABOUT.md"); err != nil || !strings.Contains(text.Text, "short replies") {
		t.Errorf("%+v, %v", text, err)
	}
}
