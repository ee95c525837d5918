package git

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// stallLimit is the limit of faults that only the limit ends.
const stallLimit = 400 * time.Millisecond

// scene is what the cases of faults share: a seeded remote and a home that fetches.
type scene struct {
	bare  string // with a branch whose pack is some hundred KB
	empty string
	h     *home
	r     *Repo
	tip   Hash // of our branch, which no remote has
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{bare: newBare(t), empty: newBare(t)}
	_, a := openHome(t)
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 120_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	must(t, add(a, "MEMORY.md", base64.StdEncoding.EncodeToString(noise)))
	tip := commits(t, a, 3)
	pushTo(t, a, Remote{URL: s.bare, Transport: ViaGit}, RefPush{Ref: mainRef, Local: tip})
	s.h, s.r = openHome(t)
	s.tip = commits(t, s.r, 1)
	return s
}

// faultCase makes a remote and says what comes of it.
type faultCase struct {
	name string
	make func(t *testing.T, s *scene) Remote
	ops  string // of "rfp": refs, fetch, push
	want Fault
	alt  Fault // git's words do not tell these two apart; 0 is none
	ssh  bool
}

func faultCases() []faultCase {
	plain := func(h func(t *testing.T, s *scene) http.Handler) func(*testing.T, *scene) Remote {
		return func(t *testing.T, s *scene) Remote {
			return Remote{URL: overHTTP(t, h(t, s)) + "/r.git"}
		}
	}
	answer := func(code int, kind, text string) func(*testing.T, *scene) Remote {
		return plain(func(*testing.T, *scene) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", kind)
				w.WriteHeader(code)
				_, _ = io.WriteString(w, text)
			})
		})
	}
	bend := func(then string, all bool, after int) func(*testing.T, *scene) Remote {
		return plain(func(t *testing.T, s *scene) http.Handler { return bending(t, s.bare, then, all, after) })
	}
	at := func(url string) func(*testing.T, *scene) Remote {
		return func(*testing.T, *scene) Remote { return Remote{URL: url, Limit: testLimit} }
	}
	overSSH := func(change func(t *testing.T, s *sshServer, m *Remote)) func(*testing.T, *scene) Remote {
		return func(t *testing.T, s *scene) Remote {
			server := newSSHServer(t)
			m := server.remote(s.bare)
			change(t, server, &m)
			return m
		}
	}
	return []faultCase{
		{name: "no such host", make: at("https://no-such-host.invalid/r.git"), ops: "rfp", want: FaultNoHost},
		{name: "closed port", make: at("http://127.0.0.1:9/r.git"), ops: "rfp", want: FaultRefused},
		{name: "no such folder", make: at("/nonexistent/r.git"), ops: "rfp", want: FaultNotFound},
		{name: "a folder that is no repository", make: func(t *testing.T, _ *scene) Remote { return Remote{URL: t.TempDir()} }, ops: "rfp", want: FaultNotGit},
		{name: "a file", make: func(t *testing.T, s *scene) Remote { return Remote{URL: filepath.Join(s.bare, "HEAD")} }, ops: "rfp", want: FaultNotGit},
		{name: "helper protocol", make: at("ext::sh -c 'touch /tmp/x'"), ops: "rfp", want: FaultProtocol},
		{name: "password", make: at("https://eve:hunter2@127.0.0.1/r.git"), ops: "rfp", want: FaultAddress},
		{name: "web page", make: answer(200, "text/html", "<html>hello</html>"), ops: "rfp", want: FaultNotGit, alt: FaultNoRef},
		{name: "not found", make: answer(404, "text/plain", "no"), ops: "rfp", want: FaultNotFound},
		{name: "forbidden", make: answer(403, "text/plain", "no\x1b[31m"), ops: "rfp", want: FaultDenied},
		{name: "server error", make: answer(503, "text/plain", "overloaded"), ops: "rfp", want: FaultServer},
		{name: "broken protocol", make: answer(200, "application/x-git-upload-pack-advertisement", "zzzz"), ops: "rf", want: FaultNotGit, alt: FaultDropped},
		{name: "silent at accept", make: func(t *testing.T, _ *scene) Remote {
			return Remote{URL: "http://" + silent(t, "") + "/r.git", Limit: stallLimit}
		}, ops: "rfp", want: FaultStalled},
		{name: "silent after headers", make: bend("hang", true, 10), ops: "rf", want: FaultStalled},
		{name: "silent in mid-pack", make: bend("hang", false, 30_000), ops: "f", want: FaultStalled},
		{name: "drips bytes of the refs", make: bend("drip", true, 10), ops: "rf", want: FaultStalled},
		{name: "drips bytes of the pack", make: bend("drip", false, 30_000), ops: "f", want: FaultStalled},
		{name: "breaks off in mid-pack", make: bend("drop", false, 30_000), ops: "f", want: FaultDropped},
		{name: "pack is damaged", make: bend("spoil", false, 30_000), ops: "f", want: FaultBroken, alt: FaultDropped},
		{name: "too large", make: func(t *testing.T, s *scene) Remote {
			m := httpsRemote(t, s.bare)
			m.Most = 20_000
			return m
		}, ops: "f", want: FaultTooLarge},
		{name: "wrong token", make: func(t *testing.T, s *scene) Remote {
			m := httpsRemote(t, s.bare)
			m.Token = "wrong-Token-4567"
			return m
		}, ops: "rfp", want: FaultAuth},
		{name: "no token", make: func(t *testing.T, s *scene) Remote {
			m := httpsRemote(t, s.bare)
			m.Token = ""
			return m
		}, ops: "rfp", want: FaultAuth},
		{name: "unknown certificate", make: func(t *testing.T, s *scene) Remote {
			m := httpsRemote(t, s.bare)
			m.CA = ""
			return m
		}, ops: "rfp", want: FaultTLS},
		{name: "read-only over http", make: func(t *testing.T, _ *scene) Remote {
			bare := newBare(t)
			runServerGit(t, bare, "config", "http.receivepack", "false")
			return httpsRemote(t, bare)
		}, ops: "p", want: FaultDenied},
		{name: "SHA-256", make: func(t *testing.T, _ *scene) Remote {
			bare := newBare(t, "--object-format=sha256")
			work := filepath.Join(t.TempDir(), "w")
			runServerGit(t, "/", "init", "-q", "--object-format=sha256", work)
			runServerGit(t, work, "commit", "-q", "--allow-empty", "-m", "x")
			runServerGit(t, work, "push", "-q", bare, "HEAD:"+mainRef)
			return Remote{URL: bare}
		}, ops: "rfp", want: FaultFormat},
		{name: "SHA-256, empty", make: func(t *testing.T, _ *scene) Remote { return Remote{URL: newBare(t, "--object-format=sha256")} }, ops: "p", want: FaultFormat},
		{name: "shallow", make: func(t *testing.T, s *scene) Remote {
			bare := filepath.Join(t.TempDir(), "r.git")
			runServerGit(t, "/", "clone", "-q", "--bare", "--depth=1", "file://"+s.bare, bare)
			return Remote{URL: bare}
		}, ops: "f", want: FaultFormat, alt: FaultNoRef},
		{name: "no such branch", make: func(_ *testing.T, s *scene) Remote { return Remote{URL: s.empty} }, ops: "f", want: FaultNoRef},
		{name: "wrong ssh key", make: overSSH(func(t *testing.T, _ *sshServer, m *Remote) { _, m.Key = newKey(t) }), ops: "rfp", want: FaultAuth, ssh: true},
		{name: "wrong host key", make: overSSH(func(t *testing.T, s *sshServer, m *Remote) {
			other, _ := newKey(t)
			m.KnownHosts = s.knownHosts(other.PublicKey())
		}), ops: "rfp", want: FaultHostKey, ssh: true},
		{name: "unknown host key", make: overSSH(func(_ *testing.T, s *sshServer, m *Remote) { m.KnownHosts = s.knownHosts(nil) }), ops: "rfp", want: FaultUnknownKey, ssh: true},
		{name: "no repository over ssh", make: overSSH(func(_ *testing.T, s *sshServer, m *Remote) {
			m.URL = "ssh://eve@" + s.address + "/nonexistent/r.git"
		}), ops: "rfp", want: FaultNotGit, ssh: true},
		{name: "read-only over ssh", make: overSSH(func(_ *testing.T, s *sshServer, _ *Remote) { s.services = []string{uploadPack} }), ops: "p", want: FaultDenied, ssh: true},
		{name: "silent ssh", make: func(t *testing.T, _ *scene) Remote {
			_, key := newKey(t)
			return Remote{URL: "ssh://eve@" + silent(t, "SSH-2.0-x\r\n") + "/r.git", Key: key, Limit: stallLimit}
		}, ops: "rfp", want: FaultStalled, ssh: true},
		{name: "ssh hangs in mid-pack", make: overSSH(func(t *testing.T, s *sshServer, m *Remote) {
			m.Limit = stallLimit
			done := make(chan struct{})
			t.Cleanup(func() { close(done) })
			s.bend = func(r io.Reader) io.Reader { return &bent{r: r, left: 30_000, then: "hang", until: done} }
		}), ops: "f", want: FaultStalled, ssh: true},
		{name: "ssh drops in mid-pack", make: overSSH(func(_ *testing.T, s *sshServer, _ *Remote) {
			s.bend = func(r io.Reader) io.Reader { return &bent{r: r, left: 30_000, then: "drop"} }
		}), ops: "f", want: FaultDropped, ssh: true},
	}
}

func TestRemoteFaults(t *testing.T) {
	apart(t)
	s := newScene(t)
	before := snapshot(t, s.r)
	t.Run("each", func(t *testing.T) { s.each(t, before) })
	s.h.sound()
	left, err := filepath.Glob(filepath.Join(s.r.own, quarantineName+"*"))
	must(t, err)
	same(t, "left of transfers", nil, left)
	if left := leftChildren(t); left != nil {
		t.Errorf("left running: %q", left)
	}
}

// each runs the cases side by side: most of their time is waiting.
func (s *scene) each(t *testing.T, before map[string]Hash) {
	t.Helper()
	for _, c := range faultCases() {
		for _, via := range []string{ViaGit, ViaGoGit} {
			t.Run(c.name+" "+via, func(t *testing.T) {
				t.Parallel()
				if c.ssh {
					needSSH(t, via)
				}
				m := c.make(t, s)
				m.Transport = via
				switch {
				case m.Limit > 0:
				case c.want == FaultStalled:
					m.Limit = stallLimit
				default:
					m.Limit = testLimit
				}
				for _, op := range c.ops {
					s.fault(t, c, m, op)
				}
				same(t, "our refs", before, snapshot(t, s.r))
			})
		}
	}
}

func (s *scene) fault(t *testing.T, c faultCase, m Remote, op rune) {
	t.Helper()
	ctx, start := context.Background(), time.Now()
	var err error
	switch op {
	case 'r':
		_, err = s.r.RemoteRefs(ctx, m)
	case 'f':
		_, err = s.r.Fetch(ctx, m, map[string]string{mainRef: "refs/remotes/origin/main"})
	case 'p':
		_, err = s.r.Push(ctx, m, []RefPush{{Ref: "refs/heads/new", Local: s.tip}})
	}
	took := time.Since(start)
	if got := FaultOf(err); got != c.want && (c.alt == 0 || got != c.alt) {
		t.Errorf("%c: fault %d (want %d): %v", op, got, c.want, err)
	}
	if limit := m.Limit + childGrace + 2*time.Second; m.Limit > 0 && took > limit {
		t.Errorf("%c: ended after %s, limit %s", op, took, m.Limit)
	}
	if c.want == FaultStalled && took < stallLimit/2 {
		t.Errorf("%c: given up after %s", op, took)
	}
	if err == nil {
		return
	}
	t.Logf("%c %s: %v", op, took.Round(time.Millisecond), err)
	text := err.Error()
	for _, secret := range []string{testToken, "wrong-Token", "hunter2", base64.StdEncoding.EncodeToString([]byte("git:wrong-Token-4567")), "\x1b", "\n"} {
		if strings.Contains(text, secret) {
			t.Errorf("%c: the message holds %q: %q", op, secret, text)
		}
	}
	if a, aerr := CheckURL(m.URL); aerr == nil && !strings.Contains(text, a.place()) {
		t.Errorf("%c: the message does not name %s: %s", op, a.place(), text)
	}
}

// What the server refuses is a result with its words, not an error.
func TestRemoteRejects(t *testing.T) {
	eachWay(t, func(t *testing.T, m Remote, bare string) {
		hook := "#!/bin/sh\nprintf 'the \\033[31mhouse\\033[0m rule says no\\n' >&2\nexit 1\n"
		must(t, os.WriteFile(filepath.Join(bare, "hooks", "pre-receive"), []byte(hook), 0o755)) //nolint:gosec // a hook
		_, r := openHome(t)
		tip := commits(t, r, 1)
		got, err := r.Push(context.Background(), m, []RefPush{{Ref: mainRef, Local: tip}})
		must(t, err)
		if len(got) != 1 || got[0].Outcome != RefRejected || !strings.Contains(got[0].Said, "hook declined") ||
			!strings.Contains(got[0].Said, "house") || strings.Contains(got[0].Said, "\x1b") {
			t.Errorf("got %+v", got)
		}
		state, err := r.RemoteRefs(context.Background(), m)
		must(t, err)
		if !state.Empty() {
			t.Errorf("the remote took %v", state)
		}
	})
}

// A caller who gives up gets its own error at once, and nothing stays behind.
func TestRemoteCancelled(t *testing.T) {
	apart(t)
	_, r := openHome(t)
	commits(t, r, 1)
	address := silent(t, "")
	for _, url := range []string{"http://" + address + "/r.git", "ssh://eve@" + address + "/r.git"} {
		for _, via := range []string{ViaGit, ViaGoGit} {
			t.Run(url[:4]+" "+via, func(t *testing.T) {
				if strings.HasPrefix(url, "ssh") {
					needSSH(t, via)
				}
				t.Setenv(childMark, t.Name())
				_, key := newKey(t)
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(200*time.Millisecond, cancel)
				start := time.Now()
				_, err := r.Fetch(ctx, Remote{URL: url, Transport: via, Key: key}, map[string]string{mainRef: "refs/remotes/o/main"})
				if !errors.Is(err, context.Canceled) || time.Since(start) > 200*time.Millisecond+2*childGrace {
					t.Errorf("after %s: %v", time.Since(start), err)
				}
				if left := leftChildren(t); left != nil {
					t.Errorf("left running: %q", left)
				}
			})
		}
	}
}

// A redirect to another host does not get the token; one on the same host is followed.
func TestRemoteRedirect(t *testing.T) {
	apart(t)
	bare := newBare(t)
	_, r := openHome(t)
	tip := commits(t, r, 1)
	pushTo(t, r, Remote{URL: bare, Transport: ViaGit}, RefPush{Ref: mainRef, Local: tip})
	var leaked, asked atomic.Int32
	other, ca2 := overTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if user, token, ok := r.BasicAuth(); ok || r.Header.Get("Authorization") != "" {
			leaked.Add(1)
			t.Logf("the other host was sent %q %q", user, token)
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	whole := needToken(backend(bare))
	first, ca1 := overTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/away/"):
			http.Redirect(w, r, other+r.URL.RequestURI(), http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/old/"):
			http.Redirect(w, r, strings.TrimPrefix(r.URL.RequestURI(), "/old"), http.StatusMovedPermanently)
		default:
			whole.ServeHTTP(w, r)
		}
	}))
	both := filepath.Join(t.TempDir(), "both.pem")
	a, err := os.ReadFile(ca1)
	must(t, err)
	b, err := os.ReadFile(ca2)
	must(t, err)
	must(t, os.WriteFile(both, append(a, b...), 0o600))
	for _, via := range []string{ViaGit, ViaGoGit} {
		m := Remote{URL: first + "/away/r.git", Token: testToken, CA: both, Transport: via, Limit: testLimit}
		_, err := r.RemoteRefs(context.Background(), m)
		if f := FaultOf(err); f != FaultMoved && f != FaultAuth {
			t.Errorf("%s: %v", via, err)
		}
		m.URL = first + "/old/r.git"
		state, err := r.RemoteRefs(context.Background(), m)
		must(t, err)
		same(t, via+" refs", map[string]Hash{mainRef: tip}, state.Refs)
		same(t, via+" push", []Outcome{RefPushed}, pushTo(t, r, m, RefPush{Ref: "refs/heads/" + via, Local: tip}))
		pushTo(t, r, m, RefPush{Ref: "refs/heads/" + via, Expect: tip, Force: true})
	}
	if leaked.Load() != 0 {
		t.Error("the token went to another host")
	}
	if asked.Load() == 0 {
		t.Error("no transport followed the redirect: the test shows nothing")
	}
}
