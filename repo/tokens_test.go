package repo

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var testTime = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

func tokenStore(t *testing.T) *Store {
	t.Helper()
	return &Store{
		home: filepath.Join(t.TempDir(), "home"),
		now:  func() time.Time { return testTime },
		log:  slog.New(slog.DiscardHandler),
	}
}

func TestOwnerToken(t *testing.T) {
	s := tokenStore(t)
	if _, ok := s.CheckToken(""); ok {
		t.Error("an empty token opens a home without tokens")
	}
	first, err := s.OwnerToken()
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.OwnerToken()
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 43 || again != first {
		t.Errorf("got %q then %q, want the same 43 characters twice", first, again)
	}
	got, ok := s.CheckToken(first)
	if want := (Token{ID: "owner", Role: RoleOwner}); !ok || got != want {
		t.Errorf("got %v %v, want %v", got, ok, want)
	}
	rotated, err := s.RotateToken()
	if err != nil {
		t.Fatal(err)
	}
	for plain, want := range map[string]bool{first: false, rotated: true, rotated + "x": false, rotated[:42]: false, "": false} {
		if _, ok := s.CheckToken(plain); ok != want {
			t.Errorf("CheckToken(%d characters) = %v, want %v", len(plain), ok, want)
		}
	}
}

func TestTokenFilesAreTheOwnersAlone(t *testing.T) {
	s := tokenStore(t)
	plain, _, err := s.CreateToken(RoleBot, "scout", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.OwnerToken(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{".": 0o700, "token": 0o600, "tokens.json": 0o600, "lock": 0o600} {
		info, err := os.Stat(filepath.Join(s.home, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %v, want %v", name, got, want)
		}
	}
	data, err := os.ReadFile(filepath.Join(s.home, "tokens.json"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), plain) {
		t.Error("tokens.json holds the plain text of a token")
	}
	if names, _ := filepath.Glob(filepath.Join(s.home, "*.tmp-*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestCreatedTokens(t *testing.T) {
	s := tokenStore(t)
	plain, made, err := s.CreateToken(RoleBot, "scout", "")
	if err != nil {
		t.Fatal(err)
	}
	other, member, err := s.CreateToken(RoleMember, "", "Ada")
	if err != nil {
		t.Fatal(err)
	}
	want := []Token{
		{ID: made.ID, Role: RoleBot, Bot: "scout", Created: testTime},
		{ID: member.ID, Role: RoleMember, Member: "Ada", Created: testTime},
	}
	got, err := s.ListTokens()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	if got, ok := s.CheckToken(plain); !ok || got != want[0] {
		t.Errorf("got %v %v, want %v", got, ok, want[0])
	}
	if err := s.RevokeToken(made.ID); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.CheckToken(plain); ok {
		t.Error("a revoked token still opens")
	}
	if _, ok := s.CheckToken(other); !ok {
		t.Error("revoking one token closed another")
	}
	if err := s.RevokeToken(made.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

func TestCreateTokenRefuses(t *testing.T) {
	tests := []struct {
		name, role string
		bot        ID
		member     string
	}{
		{"unknown role", "admin", "", ""},
		{"no role", "", "", ""},
		{"owner with bot", RoleOwner, "scout", ""},
		{"bot without bot", RoleBot, "", ""},
		{"bot with member", RoleBot, "scout", "Ada"},
		{"bad bot", RoleBot, "../etc", ""},
		{"reserved bot", RoleBot, "scout--member-p1", ""},
		{"member without name", RoleMember, "scout", ""},
		{"member over two lines", RoleMember, "", "Ada\nowner"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := tokenStore(t)
			if _, _, err := s.CreateToken(tt.role, tt.bot, tt.member); !errors.Is(err, ErrInvalid) {
				t.Errorf("got %v, want ErrInvalid", err)
			}
			if _, err := os.Stat(s.home); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a refused token left something: %v", err)
			}
		})
	}
}

func TestDamagedTokensFileIsKept(t *testing.T) {
	s := tokenStore(t)
	owner, err := s.OwnerToken()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"tokens": [`, `{"version": 9, "tokens": []}`, `[]`} {
		path := filepath.Join(s.home, "tokens.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.CreateToken(RoleBot, "scout", ""); err == nil {
			t.Errorf("%s: a token was added", text)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("%s: replaced by %s", text, got)
		}
		if _, ok := s.CheckToken(owner); !ok {
			t.Errorf("%s: the owner is shut out", text)
		}
	}
}

func TestTokensFromManyWriters(t *testing.T) {
	s := tokenStore(t)
	const writers = 8
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			if _, err := s.OwnerToken(); err != nil {
				t.Error(err)
			}
			if _, _, err := s.CreateToken(RoleMember, "", "Ada"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := s.ListTokens()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != writers {
		t.Errorf("got %d tokens, want %d", len(got), writers)
	}
}

func FuzzParseTokens(f *testing.F) {
	f.Add([]byte(`{"version":1,"tokens":[{"id":"t1","role":"bot","bot":"scout","sha256":"00"}]}`))
	f.Add([]byte(`null`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := tokenStore(t)
		if err := os.MkdirAll(s.home, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.home, "tokens.json"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ListTokens(); err == nil && len(data) > 0 && !json.Valid(data) {
			t.Errorf("%q was read as tokens", data)
		}
		if _, ok := s.CheckToken(""); ok {
			t.Errorf("%q lets an empty token in", data)
		}
	})
}
