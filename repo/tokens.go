package repo

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quipu/policy"
)

// The roles of a token: what its holder may do over HTTP.
const (
	RoleOwner  = "owner"  // everything
	RoleBot    = "bot"    // read and update the notes of one bot
	RoleMember = "member" // what a member of a shared installation may do; nothing of the owner's
)

// The home's files that hold tokens. The owner's stands in plain text, readable
// by the owner alone, because the command line and scripts of the same person use
// it; every other one is kept only as its SHA-256.
const (
	ownerFile  = "token"
	tokensFile = "tokens.json"
)

// Token is one credential for the HTTP API. Its text is shown once, at creation,
// and kept hashed.
type Token struct {
	ID      string    `json:"id"`
	Role    string    `json:"role"` // owner, bot, member
	Bot     ID        `json:"bot,omitempty"`
	Member  string    `json:"member,omitempty"`
	Created time.Time `json:"created"`
}

// keptToken is a line of tokens.json.
type keptToken struct {
	Token
	Hash string `json:"sha256"` // hex, of the plain text
}

// OwnerToken gives the owner's token, 43 characters of base64url, and makes it on
// first use. It opens everything in this home.
func (s *Store) OwnerToken() (string, error) {
	plain, err := readOwner(s.home)
	if err != nil || plain != "" {
		return plain, err
	}
	err = lockHome(s.home, func(root *os.Root) error {
		// Another process may have made it while we waited.
		if plain, err = readOwner(s.home); err != nil || plain != "" {
			return err
		}
		plain = newSecret()
		return writeWhole(root, ownerFile, []byte(plain+"\n"))
	})
	return plain, err
}

// RotateToken replaces the owner's token; the old one opens nothing from now on.
func (s *Store) RotateToken() (string, error) {
	plain := newSecret()
	err := lockHome(s.home, func(root *os.Root) error {
		return writeWhole(root, ownerFile, []byte(plain+"\n"))
	})
	if err != nil {
		return "", err
	}
	return plain, nil
}

// CreateToken makes a token for a role. A bot's token names its bot; a member's
// names the person and may name a bot. The plain text is given here and never
// again. ErrInvalid.
func (s *Store) CreateToken(role string, bot ID, member string) (plain string, t Token, err error) {
	if err := checkHolder(role, bot, member); err != nil {
		return "", Token{}, err
	}
	plain = newSecret()
	t = Token{ID: newTokenID(), Role: role, Bot: bot, Member: member, Created: s.now().UTC().Truncate(time.Second)}
	err = s.editTokens(func(kept []keptToken) ([]keptToken, error) {
		return append(kept, keptToken{Token: t, Hash: secretHash(plain)}), nil
	})
	if err != nil {
		return "", Token{}, err
	}
	return plain, t, nil
}

// ListTokens gives every created token, oldest first; the owner's own is not among them.
func (s *Store) ListTokens() ([]Token, error) {
	kept, err := parseTokens(s.home)
	if err != nil {
		return nil, err
	}
	list := make([]Token, 0, len(kept))
	for _, k := range kept {
		list = append(list, k.Token)
	}
	return list, nil
}

// RevokeToken takes a created token away; it opens nothing from now on. ErrNotFound.
func (s *Store) RevokeToken(id string) error {
	return s.editTokens(func(kept []keptToken) ([]keptToken, error) {
		rest := make([]keptToken, 0, len(kept))
		for _, k := range kept {
			if k.ID != id {
				rest = append(rest, k)
			}
		}
		if len(rest) == len(kept) {
			return nil, wrapf(ErrNotFound, "no token %q", id)
		}
		return rest, nil
	})
}

// revokeOf takes away the tokens of a bot and of its members, and gives how many.
func (s *Store) revokeOf(bot ID) (n int, err error) {
	err = s.editTokens(func(kept []keptToken) ([]keptToken, error) {
		rest := slices.DeleteFunc(slices.Clone(kept), func(k keptToken) bool { return k.Bot == bot })
		n = len(kept) - len(rest)
		return rest, nil
	})
	return n, err
}

// CheckToken says whose a token is; false for one that opens nothing. The time it
// takes does not depend on the text of any token.
func (s *Store) CheckToken(plain string) (Token, bool) {
	given := secretHash(plain)
	var found Token
	ok := false
	if owner := s.ownerOnFile(); owner != "" && sameHash(given, secretHash(owner)) {
		found, ok = Token{ID: RoleOwner, Role: RoleOwner}, true
	}
	kept, err := parseTokens(s.home)
	if err != nil {
		s.log.Warn("tokens not readable", "file", tokensFile, "err", err)
	}
	// Every one is compared, found or not.
	for _, k := range kept {
		if sameHash(given, k.Hash) {
			found, ok = k.Token, true
		}
	}
	return found, ok
}

func (s *Store) ownerOnFile() string {
	owner, err := readOwner(s.home)
	if err != nil {
		s.log.Warn("token not readable", "file", ownerFile, "err", err)
	}
	return owner
}

func (s *Store) editTokens(fn func([]keptToken) ([]keptToken, error)) error {
	return lockHome(s.home, func(root *os.Root) error {
		kept, err := parseTokens(s.home)
		if err != nil {
			return err
		}
		if kept, err = fn(kept); err != nil {
			return err
		}
		data, err := json.MarshalIndent(map[string]any{"version": 1, "tokens": kept}, "", "  ")
		if err != nil {
			return fmt.Errorf("encode tokens: %w", err)
		}
		return writeWhole(root, tokensFile, append(data, '\n'))
	})
}

// parseTokens reads tokens.json. One that cannot be read opens nothing and is
// never replaced: the person mends or removes it.
func parseTokens(home string) ([]keptToken, error) {
	data, err := readSmall(filepath.Join(home, tokensFile))
	if err != nil || len(data) == 0 {
		return nil, err
	}
	var file struct {
		Version int         `json:"version"`
		Tokens  []keptToken `json:"tokens"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, wrapf(ErrDamaged, "%s cannot be read: %v", tokensFile, err)
	}
	if file.Version > 1 {
		return nil, wrapf(ErrState, "%s was written by a newer quipu", tokensFile)
	}
	return file.Tokens, nil
}

func readOwner(home string) (string, error) {
	data, err := readSmall(filepath.Join(home, ownerFile))
	return strings.TrimSpace(string(data)), err
}

func checkHolder(role string, bot ID, member string) error {
	if bot != "" {
		if err := policy.CheckID(string(bot)); err != nil {
			return wrapf(ErrInvalid, "bot %q: %v", bot, err)
		}
	}
	if strings.ContainsFunc(member, func(r rune) bool { return r < ' ' || r == 0x7f }) || len(member) > 200 {
		return wrapf(ErrInvalid, "a member's name is one line of at most 200 bytes")
	}
	switch role {
	case RoleOwner:
		if bot != "" || member != "" {
			return wrapf(ErrInvalid, "an owner's token names no bot and no member")
		}
	case RoleBot:
		if bot == "" || member != "" {
			return wrapf(ErrInvalid, "a bot's token names its bot and no member")
		}
	case RoleMember:
		if member == "" {
			return wrapf(ErrInvalid, "a member's token names the member")
		}
	default:
		return wrapf(ErrInvalid, "role %q is none of owner, bot, member", role)
	}
	return nil
}

// newTokenID is a name to list and revoke a token by; it says nothing about its text.
func newTokenID() string {
	var b [5]byte
	_, _ = rand.Read(b[:])
	return "t" + hex.EncodeToString(b[:])
}

// newSecret is 256 random bits in base64url.
func newSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func secretHash(plain string) string {
	sum := sha256.Sum256([]byte(plain))
	return hex.EncodeToString(sum[:])
}

func sameHash(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
