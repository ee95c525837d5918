package server

import (
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi" //nolint:gosec // a test server
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	remoteToken = "s3cret-Token-0123"
	// childMark is in the environment of what our side starts.
	childMark = "QUIPU_TEST_CHILD"
	about     = "/api/profile"
)

// apart gives a test that talks to remotes a person without configuration.
func apart(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for name, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "QUIPU_REMOTE_TOKEN": "", childMark: t.Name(),
		"http_proxy": "", "https_proxy": "", "HTTP_PROXY": "", "HTTPS_PROXY": "", "ALL_PROXY": "", "all_proxy": "",
	} {
		t.Setenv(name, value)
	}
}

// serverEnv is the environment of a remote's own git.
func serverEnv() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "HOME=/nonexistent"}
}

// bareRemote is an empty repository in a folder.
func bareRemote(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "r.git")
	for _, args := range [][]string{{"init", "-q", "--bare", "-b", "main", dir}, {"-C", dir, "config", "http.receivepack", "true"}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Env = serverEnv()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir
}

// overTLS serves a bare repository to whoever has the token.
func overTLS(t *testing.T, bare string) (url, ca string) {
	t.Helper()
	git, err := exec.LookPath("git")
	must(t, err)
	backend := &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Stderr: io.Discard,
		Env: append(serverEnv(), "GIT_PROJECT_ROOT="+filepath.Dir(bare), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=eve"),
	}
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, token, ok := r.BasicAuth(); !ok || token != remoteToken {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "you sent "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	return s.URL + "/r.git", ca
}

func (h *harness) setRemote(base, url string) {
	h.t.Helper()
	h.do(http.MethodPut, base+"/remote", map[string]any{"url": url}).expect(h.t, 200, "")
}

func (h *harness) sync(base string, body any) reply {
	h.t.Helper()
	return h.do(http.MethodPost, base+"/sync", body).expect(h.t, 200, "")
}

func (h *harness) note(text string) {
	h.t.Helper()
	h.update(map[string]any{"action": "append", "text": text}).expect(h.t, 200, "")
}

func (h *harness) replace(old, text string) {
	h.t.Helper()
	h.update(map[string]any{"action": "replace", "oldText": old, "text": text}).expect(h.t, 200, "")
}

// What is set for a remote, of a bot and of About me; its token is in no answer.
func TestRemoteSettings(t *testing.T) {
	apart(t)
	for _, base := range []string{scout, about} {
		h := newHarness(t)
		for _, none := range [][2]string{{"GET", "/remote"}, {"DELETE", "/remote"}, {"POST", "/remote/test"}, {"POST", "/sync"}} {
			if got := h.do(none[0], base+none[1], nil).expect(t, 404, "not_found"); got.str("error") != "no remote is set" {
				t.Errorf("%v: %s", none, got.raw)
			}
		}
		if got := h.do(http.MethodGet, base+"/conflicts", nil).expect(t, 200, ""); got.raw != "{\"conflicts\":[]}\n" {
			t.Errorf("conflicts %s", got.raw)
		}
		h.do(http.MethodPost, base+"/conflicts/resolve", map[string]any{"path": map[string]string{scout: "MEMORY.md", about: "ABOUT.md"}[base], "line": 1, "keep": "first"}).expect(t, 404, "not_found")
		for name, body := range map[string]any{
			"no url": map[string]any{}, "empty": map[string]any{"url": " "}, "number": map[string]any{"url": 1}, "program": map[string]any{"url": "ext::sh -c id"},
			"password": map[string]any{"url": "https://u:" + remoteToken + "@example.org/x"}, "option": map[string]any{"url": "--upload-pack=id"},
			"relative folder": map[string]any{"url": "shared.git"}, "branch": map[string]any{"url": "/x", "branch": "-b"}, "key": map[string]any{"url": "git@example.org:x", "key": "id"},
			"ca": map[string]any{"url": "https://example.org/x", "ca": "../ca.pem"}, "misspelt": map[string]any{"url": "/x", "Token": "t"}, "token": map[string]any{"url": "/x", "token": true},
		} {
			if got := h.do(http.MethodPut, base+"/remote", body).expect(t, 400, "invalid"); strings.Contains(got.raw, remoteToken) {
				t.Errorf("%s: %s", name, got.raw)
			}
		}
		if _, err := os.Stat(filepath.Join(h.store.Home(), "workspaces", "@me")); !os.IsNotExist(err) {
			t.Errorf("what was refused made About me: %v", err)
		}
		steps := []struct {
			name    string
			body    map[string]any
			token   bool
			notices int
		}{
			{"http to another machine", map[string]any{"url": "http://example.org/r.git", "token": remoteToken, "user": "ada"}, true, 1},
			{"again, without naming the token", map[string]any{"url": "http://example.org/r.git"}, true, 1},
			{"another address", map[string]any{"url": "https://example.org/r.git", "ca": "/etc/ca.pem", "branch": "notes"}, false, 0},
			{"its own token", map[string]any{"url": "https://example.org/r.git", "token": remoteToken}, true, 0},
			{"none", map[string]any{"url": "https://example.org/r.git", "token": ""}, false, 0},
		}
		for _, tt := range steps {
			set := h.do(http.MethodPut, base+"/remote", tt.body).expect(t, 200, "")
			got := h.do(http.MethodGet, base+"/remote", nil).expect(t, 200, "")
			if diff := cmp.Diff(set.body, got.body); diff != "" || strings.Contains(got.raw, remoteToken) {
				t.Errorf("%s: %s\n%s", tt.name, got.raw, diff)
			}
			notices, _ := got.body["notices"].([]any)
			if got.body["token"] != tt.token || len(notices) != tt.notices || got.str("url") != tt.body["url"] || got.obj("state")["inSync"] != false {
				t.Errorf("%s: %s", tt.name, got.raw)
			}
			for _, key := range []string{"user", "ca", "branch"} {
				if want, _ := tt.body[key].(string); got.str(key) != want {
					t.Errorf("%s: %s is %q, want %q", tt.name, key, got.str(key), want)
				}
			}
		}
		h.do(http.MethodDelete, base+"/remote", map[string]any{"made": "up"}).expect(t, 400, "invalid")
		h.do(http.MethodDelete, base+"/remote", nil).expect(t, 200, "")
		h.do(http.MethodGet, base+"/remote", nil).expect(t, 404, "not_found")
		if strings.Contains(h.log.String(), remoteToken) {
			t.Error("the token is in the log")
		}
	}
}

// Faults of remotes: each is a 502 that names the cause, and nothing is lost.
func TestSyncFaults(t *testing.T) {
	apart(t)
	bare := bareRemote(t)
	url, ca := overTLS(t, bare)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	closed := bareRemote(t)
	must(t, os.WriteFile(filepath.Join(closed, "hooks", "pre-receive"), []byte("#!/bin/sh\necho no entry >&2\nexit 1\n"), 0o700)) //nolint:gosec // a hook must run
	for name, tt := range map[string]struct {
		settings map[string]any
		says     string
		test     int // what asking it alone is answered
	}{
		"no folder":     {map[string]any{"url": bare + "x"}, "no such folder", 502},
		"no server":     {map[string]any{"url": gone.URL + "/r.git"}, "cannot be reached", 502},
		"no token":      {map[string]any{"url": url, "ca": ca}, "signing in failed", 502},
		"wrong token":   {map[string]any{"url": url, "ca": ca, "token": remoteToken + "x"}, "signing in failed", 502},
		"not trusted":   {map[string]any{"url": url, "token": remoteToken}, "certificate is not trusted", 502},
		"no repository": {map[string]any{"url": strings.Replace(url, "r.git", "s.git", 1), "ca": ca, "token": remoteToken}, "no such repository", 502},
		"no such head":  {map[string]any{"url": closed, "branch": "main"}, "refuses the push to main (", 200},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			h.do(http.MethodPut, scout+"/remote", tt.settings).expect(t, 200, "")
			h.note("Likes tea")
			code := map[int]string{502: "remote"}[tt.test]
			test := h.do(http.MethodPost, scout+"/remote/test", nil).expect(t, tt.test, code)
			got := h.do(http.MethodPost, scout+"/sync", nil).expect(t, 502, "remote")
			if !strings.Contains(got.str("error"), tt.says) || strings.Contains(got.raw+test.raw+h.log.String(), remoteToken) {
				t.Errorf("said %s", got.raw)
			}
			state := h.remote().obj("state")
			ahead, _ := state["ahead"].(float64)
			if fault, _ := state["fault"].(string); !strings.Contains(fault, tt.says) || state["inSync"] != false || ahead < 2 || state["success"] != nil {
				t.Errorf("state %v", state)
			}
			if !strings.Contains(h.onDisk("MEMORY.md"), "Likes tea") {
				t.Error("the note is gone")
			}
			ready := h.do(http.MethodGet, "/readyz", nil).expect(t, 200, "")
			if list, _ := ready.body["warnings"].([]any); len(list) != 1 || !strings.Contains(fmt.Sprint(list[0]), tt.says) {
				t.Errorf("ready %s", ready.raw)
			}
			if bots := h.do(http.MethodGet, "/readyz", nil, as(h.tokens["other"])).expect(t, 200, ""); bots.raw != "{\"ready\":true}\n" {
				t.Errorf("a bot is told %s", bots.raw)
			}
		})
	}
}

// What a sync refuses, and a history that has nothing in common with ours.
func TestSyncRefusals(t *testing.T) {
	apart(t)
	bare := bareRemote(t)
	first := newHarness(t)
	first.note("Likes tea")
	first.setRemote(scout, bare)
	first.sync(scout, nil)
	for name, body := range map[string]any{
		"both": map[string]any{"pullOnly": true, "pushOnly": true}, "how": map[string]any{"unrelated": "force"}, "misspelt": map[string]any{"dryRun": true},
		"text": map[string]any{"preview": "yes"}, "no object": "[]", "no JSON": "{",
	} {
		if got := first.do(http.MethodPost, scout+"/sync", body); got.status != 400 || got.code() != "invalid" {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
	}
	first.do(http.MethodPost, scout+"/sync", nil, as(first.tokens["scout"])).expect(t, 403, "forbidden")
	first.do(http.MethodPost, "/api/bots/nobody/sync", nil).expect(t, 404, "")
	for how, want := range map[string][]string{"join": {"Likes tea", "Sings at night"}, "adopt": {"Likes tea"}} {
		h := newHarness(t)
		h.note("Sings at night")
		h.setRemote(scout, bare)
		got := h.do(http.MethodPost, scout+"/sync", map[string]any{"unrelated": nil}).expect(t, 409, "conflict")
		if choices, _ := got.body["choices"].([]any); len(choices) != 2 || !strings.Contains(got.str("error"), "join") || !strings.Contains(got.str("error"), "adopt") {
			t.Errorf("unrelated %s", got.raw)
		}
		if text := h.onDisk("MEMORY.md"); strings.Contains(text, "Likes tea") {
			t.Errorf("it came all the same: %q", text)
		}
		h.sync(scout, map[string]any{"unrelated": how, "pullOnly": true})
		for _, fact := range []string{"Likes tea", "Sings at night"} {
			if text := h.onDisk("MEMORY.md"); strings.Contains(text, fact) != slices.Contains(want, fact) {
				t.Errorf("%s: %q in %q", how, fact, text)
			}
		}
	}
}
