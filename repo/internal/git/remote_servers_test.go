package git

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cgi" //nolint:gosec // a test server
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

const testToken = "s3cret-Token-0123"

// childMark is set in the environment of what our side starts, and not of test servers.
const childMark = "QUIPU_TEST_CHILD"

// apart gives a test that talks to remotes a person without configuration.
func apart(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, name := range []string{"GIT_SSH", "GIT_SSH_COMMAND", "SSH_AUTH_SOCK", "https_proxy", "http_proxy", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "all_proxy"} {
		t.Setenv(name, "")
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv(childMark, t.Name())
}

// serverEnv is the environment of a server's git.
func serverEnv() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "HOME=/nonexistent"}
}

func runServerGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(serverEnv(), "GIT_AUTHOR_NAME=Eve", "GIT_AUTHOR_EMAIL=e@localhost", "GIT_COMMITTER_NAME=Eve", "GIT_COMMITTER_EMAIL=e@localhost")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func newBare(t testing.TB, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "r.git")
	runServerGit(t, "/", append([]string{"init", "-q", "--bare", "-b", "main", dir}, args...)...)
	runServerGit(t, dir, "config", "http.receivepack", "true")
	return dir
}

// backend serves the folder that holds a bare repository.
func backend(bare string) http.Handler {
	git, _ := exec.LookPath("git")
	return &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Stderr: io.Discard,
		Env: append(serverEnv(), "GIT_PROJECT_ROOT="+filepath.Dir(bare), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=eve"),
	}
}

func needToken(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, token, ok := r.BasicAuth(); !ok || token != testToken {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "who are you? you sent "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// overTLS serves a handler and gives its address and the file of its certificate.
func overTLS(t testing.TB, h http.Handler) (url, ca string) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	ca = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return s.URL, ca
}

func overHTTP(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

func httpsRemote(t testing.TB, bare string) Remote {
	t.Helper()
	url, ca := overTLS(t, needToken(backend(bare)))
	return Remote{URL: url + "/r.git", CA: ca, Token: testToken, Limit: testLimit}
}

const testLimit = 10 * time.Second

// sshServer is an ssh server in this process that runs git for one key.
type sshServer struct {
	t        testing.TB
	address  string
	key      string                    // file of the key that it lets in
	known    string                    // known_hosts file with its own key
	services []string                  // that it runs; nil is both
	bend     func(io.Reader) io.Reader // what it does to git's answers; nil is nothing
	host     ssh.Signer
}

func newKey(t testing.TB) (ssh.Signer, string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "test")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "id")
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	return signer, file
}

func newSSHServer(t testing.TB) *sshServer {
	t.Helper()
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Log("the ssh program is not installed: only go-git is tried over ssh")
	}
	s := &sshServer{t: t}
	var client ssh.Signer
	client, s.key = newKey(t)
	s.host, _ = newKey(t)
	config := &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		if !bytes.Equal(key.Marshal(), client.PublicKey().Marshal()) {
			return nil, fmt.Errorf("unknown key")
		}
		return &ssh.Permissions{}, nil
	}}
	config.AddHostKey(s.host)
	var lc net.ListenConfig
	l, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = l.Addr().String()
	s.known = s.knownHosts(s.host.PublicKey())
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { s.serve(conn, config) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	return s
}

func (s *sshServer) knownHosts(key ssh.PublicKey) string {
	file := filepath.Join(s.t.TempDir(), "known hosts")
	text := ""
	if key != nil {
		text = knownhosts.Line([]string{knownhosts.Normalize(s.address)}, key) + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return file
}

func (s *sshServer) serve(conn net.Conn, config *ssh.ServerConfig) {
	defer conn.Close() //nolint:errcheck // it is over
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		channel, requests, err := c.Accept()
		if err != nil {
			return
		}
		for req := range requests {
			if req.Type != "exec" {
				_ = req.Reply(req.Type == "env", nil)
				continue
			}
			_ = req.Reply(true, nil)
			s.exec(channel, string(req.Payload[4:]))
			break
		}
		_ = channel.Close()
	}
}

func (s *sshServer) exec(channel ssh.Channel, command string) {
	service, path, _ := strings.Cut(command, " ")
	allowed := s.services == nil && (service == uploadPack || service == receivePack)
	for _, x := range s.services {
		allowed = allowed || x == service
	}
	if !allowed {
		_, _ = io.WriteString(channel.Stderr(), "ERROR: The key you are authenticating with has been marked as read only.\n")
		_, _ = channel.SendRequest("exit-status", false, []byte{0, 0, 0, 1})
		return
	}
	cmd := exec.CommandContext(context.Background(), "git", service[len("git-"):], strings.Trim(path, "'")) //nolint:gosec // a test server
	cmd.Env = serverEnv()
	cmd.Stderr = channel.Stderr()
	in, err := cmd.StdinPipe()
	if err != nil {
		return
	}
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	go func() {
		_, _ = io.Copy(in, channel)
		_ = in.Close()
	}()
	answer := io.Reader(out)
	if s.bend != nil {
		answer = s.bend(out)
	}
	_, err = io.Copy(channel, answer)
	_ = out.Close()
	code := byte(0)
	if cmd.Wait() != nil || err != nil {
		code = 1
	}
	_, _ = channel.SendRequest("exit-status", false, []byte{0, 0, 0, code})
}

func (s *sshServer) remote(bare string) Remote {
	return Remote{URL: "ssh://eve@" + s.address + bare, Key: s.key, KnownHosts: s.known, Limit: testLimit}
}

// bent is an answer that goes on so far and then hangs, drips or breaks off.
type bent struct {
	r     io.Reader
	left  int
	then  string // hang, drip, drop, spoil
	until <-chan struct{}
}

func (b *bent) Read(p []byte) (int, error) {
	if b.left > 0 {
		n, err := b.r.Read(p[:min(len(p), b.left)])
		b.left -= n
		return n, err
	}
	switch b.then {
	case "spoil":
		n, err := b.r.Read(p)
		for i := range n {
			p[i] ^= 0x55
		}
		return n, err
	case "drip":
		select {
		case <-time.After(100 * time.Millisecond):
			return b.r.Read(p[:1])
		case <-b.until:
		}
	case "hang":
		<-b.until
	}
	return 0, io.ErrUnexpectedEOF
}

// bending serves a bare repository over http, but bends the answers to POST, or to all.
func bending(t testing.TB, bare, then string, all bool, after int) http.Handler {
	t.Helper()
	whole := backend(bare)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost && !all {
			whole.ServeHTTP(w, r)
			return
		}
		rec := httptest.NewRecorder()
		whole.ServeHTTP(rec, r)
		maps.Copy(w.Header(), rec.Header())
		w.WriteHeader(rec.Code)
		b := &bent{r: rec.Body, left: after, then: then, until: r.Context().Done()}
		flush := http.NewResponseController(w)
		buf := make([]byte, 512)
		_ = flush.Flush()
		for {
			n, err := b.Read(buf)
			_, werr := w.Write(buf[:n])
			if werr != nil || err == io.EOF { //nolint:errorlint // of Read itself
				return
			}
			if err != nil {
				panic(http.ErrAbortHandler)
			}
			_ = flush.Flush()
			if r.Context().Err() != nil {
				return
			}
		}
	})
}

// silent accepts connections, says what it is given, and then nothing.
func silent(t testing.TB, say string) (address string) {
	t.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, say)
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			_ = c.Close()
		}
	})
	return l.Addr().String()
}

// leftChildren lists what our side started and did not end.
func leftChildren(t testing.TB) (left []string) {
	t.Helper()
	for range 20 {
		left = nil
		procs, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil || len(procs) == 0 {
			return nil // no such file system here
		}
		for _, p := range procs {
			env, err := os.ReadFile(p)
			if err != nil || !bytes.Contains(env, []byte(childMark+"="+t.Name())) || p == fmt.Sprintf("/proc/%d/environ", os.Getpid()) {
				continue
			}
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(p), "cmdline"))
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
		}
		if len(left) == 0 {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return left
}
