package server

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// guard stands before every route, static ones too: it sets the headers that keep
// answers private, refuses foreign host names and web pages of others, turns a
// panic into a plain 500 and writes one line to the log.
func (s *Server) guard(next http.Handler) http.Handler {
	pages := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w, id: requestID(), route: "none", status: http.StatusOK}
		started := s.now()
		defer func() { s.note(a, r, started) }()
		defer s.catch(a, r)
		private(a.Header())
		a.Header().Set("X-Request-Id", a.id)
		if !hostAllowed(r.Host, s.store.Config().AllowedHosts) {
			s.fail(a, r, &problem{
				status: http.StatusMisdirectedRequest, code: "host",
				sentence: "this host name is not served here; to allow it, add it to allowedHosts in config.json",
			})
			return
		}
		if r.Method == http.MethodOptions || pages.Check(r) != nil {
			s.fail(a, r, forbidden("requests from other web pages are not allowed"))
			return
		}
		next.ServeHTTP(a, r)
	})
}

// private sets the headers of every answer. There is never an Access-Control one.
func private(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

// hostAllowed compares the Host header with the names that this server has. A page
// of another site that got its name to resolve to this machine still sends its own
// name here, and so gets nothing.
func hostAllowed(header string, extra []string) bool {
	host, ok := hostOnly(header)
	if !ok {
		return false
	}
	switch host {
	case "localhost", "127.0.0.1", "[::1]":
		return true
	}
	return slices.ContainsFunc(extra, func(name string) bool {
		return strings.EqualFold(strings.Trim(name, "[]"), strings.Trim(host, "[]"))
	})
}

// hostOnly takes the port off. An IPv6 address keeps its brackets and must have them.
func hostOnly(header string) (host string, ok bool) {
	host = strings.ToLower(header)
	end := strings.LastIndexByte(host, ']')
	if colon := strings.LastIndexByte(host, ':'); colon > end {
		port := host[colon+1:]
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 || strconv.FormatUint(n, 10) != port {
			return "", false
		}
		host = host[:colon]
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		inner, closed := strings.CutSuffix(inner, "]")
		return host, closed && net.ParseIP(inner) != nil
	}
	return host, host != "" && !strings.ContainsAny(host, ":]")
}

func requestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	return hex.EncodeToString(b[:])
}

// answer remembers what the log line needs.
type answer struct {
	http.ResponseWriter
	id, route string
	status    int
	bytes     int64
	begun     bool
}

// WriteHeader notes the status.
func (a *answer) WriteHeader(status int) {
	if !a.begun {
		a.status, a.begun = status, true
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (a *answer) Write(p []byte) (int, error) {
	a.begun = true
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController through.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func noteRoute(w http.ResponseWriter, path string) {
	if a, ok := w.(*answer); ok {
		a.route = path
	}
}

// note writes the log line: the template of the route, never the path, which may
// hold a note's name.
func (s *Server) note(a *answer, r *http.Request, started time.Time) {
	s.log.Info("request", "id", a.id, "method", method(r.Method), "route", a.route, "status", a.status,
		"ms", s.now().Sub(started).Milliseconds(), "bytes", a.bytes)
}

// method keeps words that a client made up out of the log.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

// catch answers for a panic. Its value may hold a note, so only its type and the
// stack are logged.
func (s *Server) catch(a *answer, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
		panic(v)
	}
	s.log.Error("panic", "id", a.id, "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
	if a.begun {
		panic(http.ErrAbortHandler) // the client must not take half an answer for a whole one
	}
	s.fail(a, r, internal())
}
