package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// signedIn is a home with one session, and what moves its clock.
func signedIn(t *testing.T) (s *Store, secret string, now *time.Time) {
	t.Helper()
	s = tokenStore(t)
	at := testTime
	s.now = func() time.Time { return at }
	code, err := s.NewLogin()
	if err != nil {
		t.Fatal(err)
	}
	secret, _, ok, err := s.TakeLogin(code)
	if err != nil || !ok {
		t.Fatalf("a fresh code began no session: %v", err)
	}
	return s, secret, &at
}

func TestSessionEnds(t *testing.T) {
	tests := map[string]struct {
		do   func(s *Store, secret string, now *time.Time) error
		open bool
	}{
		"nothing":            {func(*Store, string, *time.Time) error { return nil }, true},
		"a week":             {func(_ *Store, _ string, now *time.Time) error { *now = now.AddDate(0, 0, 7); return nil }, true},
		"two weeks":          {func(_ *Store, _ string, now *time.Time) error { *now = now.AddDate(0, 0, 14); return nil }, false},
		"signed out":         {func(s *Store, secret string, _ *time.Time) error { return s.EndSession(secret) }, false},
		"another signed out": {func(s *Store, _ string, _ *time.Time) error { return s.EndSession("another") }, true},
		"rotated":            {func(s *Store, _ string, _ *time.Time) error { _, err := s.RotateToken(); return err }, false},
		"token taken away":   {func(s *Store, _ string, _ *time.Time) error { return os.Remove(filepath.Join(s.home, "token")) }, false},
		"file cut short": {func(s *Store, _ string, _ *time.Time) error {
			return os.WriteFile(filepath.Join(s.home, sessionsFile), []byte(`{"sessions":[`), 0o600)
		}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, secret, now := signedIn(t)
			if err := tt.do(s, secret, now); err != nil {
				t.Fatal(err)
			}
			if got := s.CheckSession(secret); got != tt.open {
				t.Errorf("open %v, want %v", got, tt.open)
			}
			if s.CheckSession("") || s.CheckSession(secret[:42]) {
				t.Error("something that is no secret opens it")
			}
		})
	}
}

func TestLoginCode(t *testing.T) {
	s, secret, now := signedIn(t)
	code, err := s.NewLogin()
	if err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]string{"no code": "", "a session": secret, "cut": code[:42], "longer": code + "x"} {
		if _, _, ok, err := s.TakeLogin(wrong); ok || err != nil {
			t.Errorf("%s began a session (%v)", name, err)
		}
	}
	if s.CheckSession(code) {
		t.Error("a code opens the panel by itself")
	}
	// However many ask at once, one gets in.
	var in atomic.Int32
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			if _, _, ok, _ := s.TakeLogin(code); ok {
				in.Add(1)
			}
		})
	}
	asking.Wait()
	if in.Load() != 1 {
		t.Errorf("a code was good for %d sessions, want 1", in.Load())
	}
	late, err := s.NewLogin()
	if err != nil {
		t.Fatal(err)
	}
	*now = now.Add(loginFor)
	if _, _, ok, _ := s.TakeLogin(late); ok {
		t.Error("a code is good after its ten minutes")
	}
	before, err := s.NewLogin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.RotateToken(); err != nil {
		t.Fatal(err)
	}
	if _, _, ok, _ := s.TakeLogin(before); ok {
		t.Error("a code from before the rotation is good")
	}
}

func TestSessionsAreKeptHashedAndClosed(t *testing.T) {
	s, secret, _ := signedIn(t)
	code, err := s.NewLogin()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.home, sessionsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); strings.Contains(text, secret) || strings.Contains(text, code) {
		t.Error("the file holds a secret in plain text")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != fs.FileMode(0o600) {
		t.Errorf("mode %v, want 0600", info.Mode().Perm())
	}
	// A server that starts anew knows the session.
	again := &Store{home: s.home, now: s.now, log: s.log}
	if !again.CheckSession(secret) {
		t.Error("the session did not outlive the process")
	}
}

func TestServing(t *testing.T) {
	s := tokenStore(t)
	if got := s.Serving(); got != "" {
		t.Errorf("got %q before a server ran", got)
	}
	for address, want := range map[string]string{"http://127.0.0.1:7717": "http://127.0.0.1:7717", "unix:/run/user/1/quipu.sock": "unix:/run/user/1/quipu.sock", "unix:sock": "", "javascript:alert(1)": "", "\x00": ""} {
		if err := s.SetServing(address); err != nil {
			t.Fatal(err)
		}
		if got := s.Serving(); got != want {
			t.Errorf("kept %q, got %q, want %q", address, got, want)
		}
	}
}

// A list of sessions names each by what opens nothing, and each can be ended by its name.
func TestSessionsAreListedAndEnded(t *testing.T) {
	s, first, now := signedIn(t)
	begin := func() string {
		*now = now.Add(time.Hour)
		code, err := s.NewLogin()
		if err != nil {
			t.Fatal(err)
		}
		secret, _, _, err := s.TakeLogin(code)
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	second, third := begin(), begin()
	unused, err := s.NewLogin()
	if err != nil {
		t.Fatal(err)
	}
	listed := func(want ...string) {
		t.Helper()
		list, err := s.ListSessions()
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, one := range list {
			got = append(got, one.ID)
			if s.CheckSession(one.ID) || one.Until.Sub(one.Began) != sessionFor {
				t.Errorf("session %+v", one)
			}
		}
		for i := range want {
			want[i] = SessionID(want[i])
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("listed %v, want %v", got, want)
		}
	}
	listed(first, second, third)
	if err := s.DropSession(SessionID(second)); err != nil {
		t.Fatal(err)
	}
	if err := s.DropSession(SessionID(second)); !errors.Is(err, ErrNotFound) {
		t.Errorf("ended twice: %v", err)
	}
	if err := s.DropSession(SessionID(unused)); !errors.Is(err, ErrNotFound) {
		t.Errorf("a link that nobody followed is no session: %v", err)
	}
	if s.CheckSession(second) || !s.CheckSession(first) {
		t.Error("another session than the named one ended")
	}
	listed(first, third)
	if n, err := s.DropSessions(third); n != 1 || err != nil {
		t.Errorf("everywhere else: %d, %v", n, err)
	}
	if _, _, ok, err := s.TakeLogin(unused); ok || err != nil {
		t.Errorf("a link from before still begins a session: %v", err)
	}
	listed(third)
	if _, err := s.RotateToken(); err != nil {
		t.Fatal(err)
	}
	listed()
	if n, err := s.DropSessions(""); n != 0 || err != nil {
		t.Errorf("what opened nothing any more counted: %d, %v", n, err)
	}
}
