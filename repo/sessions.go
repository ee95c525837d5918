package repo

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// How long a person has to follow a sign-in link, and how long the panel then stays open.
const (
	loginFor   = 10 * time.Minute
	sessionFor = 14 * 24 * time.Hour
	maxDoors   = 200 // codes and sessions kept, the newest
)

// The home's files that the panel needs: codes and sessions, and the address of the server
// that ran last.
const (
	sessionsFile = "sessions.json"
	servingFile  = "serving"
)

// Session is one browser that the owner signed in with. Its secret is known to the
// browser alone; it is kept hashed.
type Session struct {
	// ID names it in lists. It opens nothing, and the file does not hold it.
	ID    string    `json:"id,omitempty"`
	Began time.Time `json:"began"`
	Until time.Time `json:"until"`
}

// keptDoor is a line of sessions.json: a session, or a code that begins one.
type keptDoor struct {
	Session
	Hash string `json:"sha256"` // hex, of the secret or the code
	// Owner is the hash of the owner's token when it was made. It opens nothing once the
	// token is another: rotating the token ends every session, whoever rotates it.
	Owner string `json:"owner"`
	Code  bool   `json:"code,omitempty"`
}

// NewLogin makes a code that begins one session, once, within ten minutes. It works
// with every server of this home.
func (s *Store) NewLogin() (string, error) {
	owner, err := s.OwnerToken()
	if err != nil {
		return "", err
	}
	code := newSecret()
	err = s.editDoors(func(kept []keptDoor) []keptDoor {
		return append(kept, s.newDoor(code, owner, loginFor, true))
	})
	if err != nil {
		return "", err
	}
	return code, nil
}

// TakeLogin exchanges a code for the secret of a session. ok is false for a code that is
// unknown, used, too old, or from before the owner's token was rotated.
func (s *Store) TakeLogin(code string) (secret string, began Session, ok bool, err error) {
	if owner := s.ownerOnFile(); owner == "" || code == "" || !s.opensDoor(code, true) {
		return "", Session{}, false, nil // the file stays as it is: guesses write nothing
	}
	err = s.editDoors(func(kept []keptDoor) []keptDoor {
		// Another request may have used it while this one waited for the file.
		i := slices.IndexFunc(kept, func(d keptDoor) bool { return d.Code && sameHash(d.Hash, secretHash(code)) })
		owner := s.ownerOnFile()
		if i < 0 || !sameHash(kept[i].Owner, secretHash(owner)) {
			return kept
		}
		secret = newSecret()
		door := s.newDoor(secret, owner, sessionFor, false)
		began, ok = door.Session, true
		return append(slices.Delete(kept, i, i+1), door)
	})
	if err != nil {
		return "", Session{}, false, err
	}
	return secret, began, ok, nil
}

// CheckSession says whether a secret opens the panel. The time it takes does not depend on
// the text of any secret.
func (s *Store) CheckSession(secret string) bool { return secret != "" && s.opensDoor(secret, false) }

// EndSession signs a browser out; a secret that opens nothing is no error.
func (s *Store) EndSession(secret string) error {
	return s.editDoors(func(kept []keptDoor) []keptDoor {
		return slices.DeleteFunc(kept, func(d keptDoor) bool { return !d.Code && sameHash(d.Hash, secretHash(secret)) })
	})
}

// SessionID is the name in lists of the session with a secret: the beginning of its hash.
func SessionID(secret string) string { return doorID(secretHash(secret)) }

func doorID(hash string) string { return "s" + hash[:min(len(hash), 10)] }

// ListSessions gives the browsers that are signed in, the one that began first first.
func (s *Store) ListSessions() ([]Session, error) {
	kept, err := parseDoors(s.home)
	if err != nil {
		return nil, err
	}
	list := []Session{}
	owner, now := s.ownerOnFile(), s.now()
	for _, d := range kept {
		if d.Code || !d.opens(owner, now) {
			continue
		}
		d.ID = doorID(d.Hash)
		list = append(list, d.Session)
	}
	slices.SortStableFunc(list, func(a, b Session) int { return a.Began.Compare(b.Began) })
	return list, nil
}

// DropSession signs out the browser whose session has an id. ErrNotFound.
func (s *Store) DropSession(id string) error {
	n, err := s.dropDoors(func(d keptDoor) bool { return !d.Code && doorID(d.Hash) == id })
	if err == nil && n == 0 {
		return wrapf(ErrNotFound, "no session %q", id)
	}
	return err
}

// DropSessions signs out every browser but the one with a secret, "" for none, and gives
// how many; links that nobody followed yet go, too.
func (s *Store) DropSessions(but string) (n int, err error) {
	kept := secretHash(but)
	return s.dropDoors(func(d keptDoor) bool { return d.Code || !sameHash(d.Hash, kept) })
}

// dropDoors takes doors away, and gives how many sessions that still opened something were
// among them.
func (s *Store) dropDoors(which func(keptDoor) bool) (n int, err error) {
	owner, now := s.ownerOnFile(), s.now()
	err = s.editDoors(func(kept []keptDoor) []keptDoor {
		return slices.DeleteFunc(kept, func(d keptDoor) bool {
			if !which(d) {
				return false
			}
			if !d.Code && d.opens(owner, now) {
				n++
			}
			return true
		})
	})
	return n, err
}

// SetServing keeps the address, http://HOST:PORT or unix:/PATH, at which a server of this
// home answers, so that a sign-in link can be made beside it.
func (s *Store) SetServing(address string) error {
	return lockHome(s.home, func(root *os.Root) error {
		return writeWhole(root, servingFile, []byte(address+"\n"))
	})
}

// Serving is the address of the server that began last, "" when none did. It may have
// ended since.
func (s *Store) Serving() string {
	data, err := readSmall(filepath.Join(s.home, servingFile))
	address := strings.TrimSpace(string(data))
	u, parsed := url.Parse(address)
	if err != nil || parsed != nil {
		return ""
	}
	if web, socket := u.Scheme == "http" && u.Host != "", u.Scheme == "unix" && filepath.IsAbs(u.Path); !web && !socket {
		return ""
	}
	return address
}

func (s *Store) newDoor(plain, owner string, open time.Duration, code bool) keptDoor {
	now := s.now().UTC().Truncate(time.Second)
	return keptDoor{Session: Session{Began: now, Until: now.Add(open)}, Hash: secretHash(plain), Owner: secretHash(owner), Code: code}
}

func (s *Store) opensDoor(plain string, code bool) bool {
	kept, err := parseDoors(s.home)
	if err != nil {
		s.log.Warn("sessions not readable", "file", sessionsFile, "err", err)
		return false
	}
	given, owner, now, open := secretHash(plain), s.ownerOnFile(), s.now(), false
	// Every one is compared, found or not.
	for _, d := range kept {
		if sameHash(given, d.Hash) && d.Code == code {
			open = d.opens(owner, now)
		}
	}
	return open
}

// opens says whether a door opens something, now and under this token of the owner's.
func (d keptDoor) opens(owner string, now time.Time) bool {
	return owner != "" && sameHash(d.Owner, secretHash(owner)) && now.Before(d.Until)
}

// editDoors changes sessions.json; what is too old goes with each change. A file that
// cannot be read is begun anew: nothing in it is worth more than signing in again.
func (s *Store) editDoors(fn func([]keptDoor) []keptDoor) error {
	return lockHome(s.home, func(root *os.Root) error {
		kept, err := parseDoors(s.home)
		if err != nil {
			s.log.Warn("sessions begun anew", "file", sessionsFile, "err", err)
		}
		now := s.now()
		kept = fn(slices.DeleteFunc(kept, func(d keptDoor) bool { return !now.Before(d.Until) }))
		kept = kept[max(0, len(kept)-maxDoors):]
		data, err := json.MarshalIndent(map[string]any{"version": 1, "sessions": kept}, "", "  ")
		if err != nil {
			return fmt.Errorf("encode sessions: %w", err)
		}
		return writeWhole(root, sessionsFile, append(data, '\n'))
	})
}

func parseDoors(home string) ([]keptDoor, error) {
	data, err := readSmall(filepath.Join(home, sessionsFile))
	if err != nil || len(data) == 0 {
		return nil, err
	}
	var file struct {
		Sessions []keptDoor `json:"sessions"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, wrapf(ErrDamaged, "%s cannot be read: %v", sessionsFile, err)
	}
	return file.Sessions, nil
}
