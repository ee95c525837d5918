package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"quipu": func() { os.Exit(realMain()) }, "gitserver": serveGit})
}

// TestScripts runs the manual: testdata/script has one script for each verb.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("scripts start many processes")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			// Nothing of the machine's own git or home takes part.
			e.Setenv("HOME", e.WorkDir+"/person")
			e.Setenv("QUIPU_HOME", e.WorkDir+"/quipu")
			e.Setenv("GIT_CONFIG_GLOBAL", e.WorkDir+"/gitconfig")
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Setenv("GIT_AUTHOR_NAME", "Ada")
			e.Setenv("GIT_AUTHOR_EMAIL", "ada@example.org")
			e.Setenv("GIT_COMMITTER_NAME", "Ada")
			e.Setenv("GIT_COMMITTER_EMAIL", "ada@example.org")
			e.Setenv("TZ", "UTC")
			// The race detector holds each process for a second at its end, else.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			e.Values[lockKey{}] = new(holder)
			if err := os.WriteFile(e.WorkDir+"/gitconfig", []byte("[safe]\n\tdirectory = *\n"), 0o600); err != nil {
				return err
			}
			return os.Mkdir(e.WorkDir+"/person", 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    scriptExits,
			"grab":     scriptGrab,
			"freeport": scriptFreePort,
			"fetch":    scriptFetch,
			"lock":     scriptLock,
			"ask":      scriptAsk,
			"mode":     scriptMode,
			"unzip":    scriptUnzip,
		},
	})
}

// scriptExits runs quipu and holds its exit code: exits 4 write MEMORY.md -.
func scriptExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec("quipu", args[1:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("quipu %s: exit %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// scriptUnzip unpacks a zip file into a folder: unzip FILE FOLDER.
func scriptUnzip(ts *testscript.TestScript, _ bool, args []string) {
	z, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer func() { _ = z.Close() }()
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), z))
}

// scriptGrab puts what a pattern finds in the last standard output into a variable:
// its first group, or all of it.
func scriptGrab(ts *testscript.TestScript, _ bool, args []string) {
	m := regexp.MustCompile(`(?m)` + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("no match for %s", args[1])
	}
	ts.Setenv(args[0], m[len(m)-1])
}

// scriptLock holds a lock file as another program would, until ! lock lets it go.
func scriptLock(ts *testscript.TestScript, neg bool, args []string) {
	h := ts.Value(lockKey{}).(*holder)
	if neg {
		ts.Check(h.lock.Unlock())
		return
	}
	h.lock = flock.New(ts.MkAbs(args[0]))
	ts.Check(h.lock.Lock())
	ts.Defer(func() { _ = h.lock.Unlock() }) // let go already, as a rule
}

type (
	holder  struct{ lock *flock.Flock }
	lockKey struct{}
)

// scriptFreePort puts a free port of this machine into a variable.
func scriptFreePort(ts *testscript.TestScript, _ bool, args []string) {
	ln, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a script has no context
	ts.Check(err)
	_, port, err := net.SplitHostPort(ln.Addr().String())
	ts.Check(err)
	ts.Check(ln.Close())
	ts.Setenv(args[0], port)
}

// scriptFetch asks a URL until something answers and prints the body:
// fetch 200 URL [TOKENFILE].
func scriptFetch(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	req, err := http.NewRequest(http.MethodGet, args[1], nil) //nolint:noctx // a script has no context
	ts.Check(err)
	if len(args) > 2 {
		bearToken(ts, req, args[2])
	}
	answered(ts, &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, req, want)
}

// scriptAsk asks over a socket file, as fetch does: ask 200 SOCKET PATH [TOKENFILE].
func scriptAsk(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	target := args[2]
	if strings.HasPrefix(target, "/") {
		target = "http://localhost" + target
	}
	req, err := http.NewRequest(http.MethodGet, target, nil) //nolint:noctx // a script has no context
	ts.Check(err)
	if len(args) > 3 {
		bearToken(ts, req, args[3])
	}
	socket := ts.MkAbs(args[1])
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	answered(ts, &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}, req, want)
}

// scriptMode holds what a file lets whom do: mode 0600 FILE.
func scriptMode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%#o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s is %s, want %s", args[1], got, args[0])
	}
}

func bearToken(ts *testscript.TestScript, req *http.Request, file string) {
	// Made by the server that is starting just now, perhaps.
	for range 100 {
		if text, err := os.ReadFile(ts.MkAbs(file)); err == nil && len(text) > 0 {
			req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(text)))
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// answered asks until something answers, holds the status and prints the body.
func answered(ts *testscript.TestScript, client *http.Client, req *http.Request, want int) {
	var resp *http.Response
	var err error
	for range 100 {
		if resp, err = client.Do(req); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Check(err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	if resp.StatusCode != want {
		ts.Fatalf("%s: %s, want %d\n%s", req.URL, resp.Status, want, body)
	}
	_, err = ts.Stdout().Write(body)
	ts.Check(err)
}
