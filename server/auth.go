package server

import (
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/mux"

	"quipu/repo"
)

// admit says whether a request may go through a route, and with whose token. What a
// bot's or a member's token may not do is refused before anything is looked up, so
// that the answer does not tell which bots there are.
func (s *Server) admit(rt route, r *http.Request) (repo.Token, error) {
	if rt.who == anyone {
		return repo.Token{}, nil
	}
	t, err := s.caller(r)
	if err != nil {
		return t, err
	}
	id := mux.Vars(r)["id"]
	switch {
	case rt.who == self:
		if t.Role == repo.RoleMember && t.Member != "" && (t.Bot == "" || string(t.Bot) == id) {
			return t, nil
		}
	case t.Role == repo.RoleOwner, rt.who == member:
		return t, nil
	case t.Role == repo.RoleBot && t.Bot != "" && (rt.who == client || rt.who == bot && string(t.Bot) == id):
		return t, nil
	}
	return t, forbidden("this token may not do that")
}

// tokenKey is where a request carries the token that let it in.
type tokenKey struct{}

// holder is the token that let a request in.
func holder(r *http.Request) repo.Token {
	t, _ := r.Context().Value(tokenKey{}).(repo.Token)
	return t
}

// caller reads the token of a request. Only the header counts: a token in an
// address would end up in histories and logs.
func (s *Server) caller(r *http.Request) (repo.Token, error) {
	plain, given := bearer(r)
	if !given {
		return repo.Token{}, &problem{
			status: http.StatusUnauthorized, code: "unauthorized",
			sentence: "send the token as Authorization: Bearer TOKEN", header: http.Header{"Www-Authenticate": {"Bearer"}},
		}
	}
	t, ok := s.store.CheckToken(plain)
	if ok {
		return t, nil
	}
	if wait, free := s.wrong.take(peer(r), s.now()); !free {
		seconds := strconv.Itoa(int(math.Ceil(wait.Seconds())))
		return repo.Token{}, &problem{
			status: http.StatusTooManyRequests, code: "too_many",
			sentence: "too many wrong tokens, wait a little", header: http.Header{"Retry-After": {seconds}},
		}
	}
	return repo.Token{}, &problem{
		status: http.StatusUnauthorized, code: "unauthorized",
		sentence: "this token opens nothing here", header: http.Header{"Www-Authenticate": {"Bearer"}},
	}
}

func bearer(r *http.Request) (string, bool) {
	lines := r.Header.Values("Authorization")
	if len(lines) != 1 {
		return "", false
	}
	scheme, plain, _ := strings.Cut(lines[0], " ")
	plain = strings.TrimSpace(plain)
	return plain, strings.EqualFold(scheme, "Bearer") && plain != ""
}

// peer is the address that a request came from, by the connection alone.
func peer(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// limiter slows down whoever guesses tokens: 30 wrong ones at once, then one a
// second, for each address. A right token never waits. The zero value works.
type limiter struct {
	mu   sync.Mutex
	seen map[string]allowance
}

type allowance struct {
	left float64
	at   time.Time
}

const (
	burst      = 30
	maxGuesses = 1024 // addresses remembered
)

func (l *limiter) take(from string, now time.Time) (wait time.Duration, free bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil || len(l.seen) >= maxGuesses {
		l.seen = map[string]allowance{}
	}
	a, known := l.seen[from]
	if !known {
		a = allowance{left: burst, at: now}
	}
	a.left = min(burst, a.left+max(0, now.Sub(a.at).Seconds()))
	a.at = now
	free = a.left >= 1
	if free {
		a.left--
	}
	l.seen[from] = a
	return time.Duration((1 - a.left) * float64(time.Second)), free
}
