package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

// Two servers share one memory through a folder, and over TLS with a token.
func TestSyncBetweenServers(t *testing.T) {
	apart(t)
	for _, kind := range []string{"folder", "https"} {
		t.Run(kind, func(t *testing.T) {
			bare := bareRemote(t)
			settings := map[string]any{"url": bare}
			if kind == "https" {
				url, ca := overTLS(t, bare)
				settings = map[string]any{"url": url, "ca": ca, "token": remoteToken}
			}
			a, b := newHarness(t), newHarness(t)
			for _, h := range []*harness{a, b} {
				h.do(http.MethodPut, scout+"/remote", settings).expect(t, 200, "")
			}
			a.note("The office is on floor 1")
			if got := a.do(http.MethodPost, scout+"/remote/test", nil).expect(t, 200, ""); got.body["empty"] != true {
				t.Errorf("test %s", got.raw)
			}
			if got := a.sync(scout, map[string]any{"preview": true}); got.num("pushed") < 2 || got.body["dryRun"] != true || a.remote().obj("state")["success"] != nil {
				t.Errorf("preview %s", got.raw)
			}
			first := a.sync(scout, nil)
			if first.num("pushed") < 2 || first.body["ahead"] != 0.0 || first.str("branch") != "main" {
				t.Errorf("first %s", first.raw)
			}
			if got := a.do(http.MethodPost, scout+"/remote/test", nil).expect(t, 200, ""); got.body["empty"] != false || got.str("head") != "main" {
				t.Errorf("test %s", got.raw)
			}
			if got := b.sync(scout, map[string]any{"pullOnly": true}); got.body["pulled"] != first.body["pushed"] || !strings.Contains(b.onDisk("MEMORY.md"), "floor 1") {
				t.Errorf("other %s", got.raw)
			}
			a.replace("floor 1", "The office is on floor 2")
			b.replace("floor 1", "The office is on floor 3")
			a.sync(scout, map[string]any{"pushOnly": true})
			b.do(http.MethodPost, scout+"/sync", map[string]any{"pushOnly": true}).expect(t, 409, "conflict")
			merged := b.sync(scout, map[string]any{})
			open := merged.list("conflicts")
			if merged.body["merged"] != true || len(open) != 1 || merged.str("change") == "" {
				t.Fatalf("merge %s", merged.raw)
			}
			b.resolveOne(open[0], scout)
			b.sync(scout, nil)
			a.sync(scout, nil)
			if x, y := a.onDisk("MEMORY.md"), b.onDisk("MEMORY.md"); x != y || strings.Contains(x, "conflict") || !strings.Contains(x, "floor") {
				t.Errorf("MEMORY.md %q and %q", x, y)
			}
		})
	}
}

// num is a count of the body; the time zone that machines share may be a change, too.
func (r reply) num(name string) float64 { n, _ := r.body[name].(float64); return n }

func (h *harness) remote() reply {
	h.t.Helper()
	return h.do(http.MethodGet, scout+"/remote", nil).expect(h.t, 200, "")
}

// resolveOne ends the one conflict that is open, after what cannot.
func (h *harness) resolveOne(open map[string]any, base string) {
	h.t.Helper()
	if got := h.do(http.MethodGet, base+"/conflicts", nil).expect(h.t, 200, "").list("conflicts"); len(got) != 1 || !cmp.Equal(got[0], open) {
		h.t.Fatalf("conflicts %v, want %v", got, open)
	}
	target := base + "/conflicts/resolve"
	body := func(key string, value any) map[string]any {
		m := map[string]any{"path": open["path"], "line": open["line"], "keep": "second"}
		m[key] = value
		return m
	}
	h.do(http.MethodPost, target, body("keep", "third")).expect(h.t, 400, "invalid")
	h.do(http.MethodPost, target, body("line", nil)).expect(h.t, 400, "invalid")
	h.do(http.MethodPost, target, body("line", "1")).expect(h.t, 400, "invalid")
	h.do(http.MethodPost, target, body("line", 999)).expect(h.t, 404, "not_found")
	h.do(http.MethodPost, target, body("path", "../x.md")).expect(h.t, 400, "path")
	h.do(http.MethodPost, target, body("path", "memory/none.md")).expect(h.t, map[string]int{scout: 404, about: 400}[base], "")
	h.do(http.MethodPost, target, body("keep", "second"), as(h.tokens["scout"])).expect(h.t, 403, "forbidden")
	got := h.do(http.MethodPost, target, body("keep", "second")).expect(h.t, 200, "")
	other, _ := open["other"].(string)
	since, _ := open["since"].(string)
	if text := got.str("text"); !strings.Contains(text, strings.Replace(other, " · conflict "+since, "", 1)) || strings.Contains(text, fmt.Sprint(open["kept"])) {
		h.t.Errorf("resolved %q, want the second of %v", text, open)
	}
	if entry := got.obj("entry"); entry["actor"] != "person" || entry["action"] != "edit" {
		h.t.Errorf("entry %v", entry)
	}
	if got := h.do(http.MethodGet, base+"/conflicts", nil).expect(h.t, 200, ""); len(got.list("conflicts")) != 0 {
		h.t.Errorf("still open: %s", got.raw)
	}
}

// About me is shared like a bot's notes, also by a server that had none.
func TestSyncOfAboutMe(t *testing.T) {
	apart(t)
	bare := bareRemote(t)
	a, b := newHarness(t), newHarness(t)
	save := func(h *harness, text string) {
		tag := h.do(http.MethodGet, aboutFileURL, nil).expect(t, 200, "").header.Get("ETag")
		h.do(http.MethodPut, aboutFileURL, map[string]any{"text": text}, with("If-Match", tag)).expect(t, 200, "")
	}
	text := func(h *harness) string { return h.do(http.MethodGet, aboutFileURL, nil).str("text") }
	save(a, "# About me\n- 2026-11-01 · Works on floor 1\n")
	for _, h := range []*harness{a, b} {
		h.setRemote(about, bare)
		h.sync(about, nil)
	}
	if text(a) != text(b) || !strings.Contains(text(b), "floor 1") {
		t.Errorf("taken over: %q", text(b))
	}
	save(a, strings.Replace(text(a), "floor 1", "floor 2", 1))
	save(b, strings.Replace(text(b), "floor 1", "floor 3", 1))
	a.sync(about, nil)
	open := b.sync(about, nil).list("conflicts")
	if len(open) != 1 {
		t.Fatalf("conflicts %v in %q", open, text(b))
	}
	b.resolveOne(open[0], about)
}

// "In sync" is said only while it is true, and to the owner alone.
func TestOverviewSaysHowItStands(t *testing.T) {
	apart(t)
	h := newHarness(t)
	overview := func(changes ...change) reply {
		return h.do(http.MethodGet, scout+"/memory", nil, changes...).expect(t, 200, "")
	}
	if _, has := overview().body["remote"]; has {
		t.Error("a remote where none is set")
	}
	bare := bareRemote(t)
	h.setRemote(scout, bare)
	h.sync(scout, nil)
	if got := overview().obj("remote"); got["inSync"] != true || got["url"] != bare || got["ahead"] != 0.0 || got["success"] == nil {
		t.Errorf("synced: %v", got)
	}
	if _, has := overview(as(h.tokens["scout"])).body["remote"]; has {
		t.Error("a bot is told")
	}
	h.edit("MEMORY.md", "# Memory\n\n- by hand\n")
	if got := overview().obj("remote"); got["inSync"] != false || got["ahead"] != 0.0 {
		t.Errorf("edited outside: %v", got)
	}
	h.note("Likes tea")
	if got := overview().obj("remote"); got["inSync"] != false || got["ahead"] != 2.0 {
		t.Errorf("changed: %v", got)
	}
	h.sync(scout, map[string]any{"pullOnly": true})
	if got := overview().obj("remote"); got["inSync"] != false || got["ahead"] != 2.0 || got["fault"] != nil {
		t.Errorf("pulled only: %v", got)
	}
	h.sync(scout, nil)
	h.do(http.MethodPost, scout+"/memory/erase", map[string]any{"words": "tea"}).expect(t, 200, "")
	if got := overview().obj("remote"); got["inSync"] != false || got["holds"] != true {
		t.Errorf("erased: %v", got)
	}
	h.sync(scout, nil)
	if got := overview().obj("remote"); got["inSync"] != true || got["holds"] != nil {
		t.Errorf("the erasure is there, too: %v", got)
	}
}

// A sync is told when it ended, well or not, also one of another process.
func TestSyncEvents(t *testing.T) {
	apart(t)
	h := newHarness(t)
	bare := bareRemote(t)
	h.setRemote(scout, bare+"x")
	addr, stop := h.serving()
	defer func() { must(t, stop()) }()
	bots := h.listen(addr, "")
	token := h.tokens["scout"]
	h.tokens["scout"] = h.tokens["owner"] // listen takes this one
	owners := h.listen(addr, "")
	h.tokens["scout"] = token
	told := func(events <-chan event) map[string]any {
		t.Helper()
		for {
			e, open := next(t, events)
			if !open {
				t.Fatal("the stream ended")
			}
			if e.name == "sync" {
				var state map[string]any
				must(t, json.Unmarshal([]byte(e.data), &state))
				return state
			}
		}
	}
	h.do(http.MethodPost, scout+"/sync", nil).expect(t, 502, "remote")
	if got := told(owners); !strings.Contains(fmt.Sprint(got["fault"]), "no such folder") || got["inSync"] != false {
		t.Errorf("a failure: %v", got)
	}
	if got := told(bots); got["fault"] != "it failed; the owner is told why" || got["url"] != nil {
		t.Errorf("a bot is told of a failure: %v", got)
	}
	h.setRemote(scout, bare)
	other, err := repo.OpenHome(h.store.Home(), repo.Options{Now: clock()})
	must(t, err)
	defer func() { must(t, other.Close()) }()
	ws, err := other.Open(t.Context(), "scout")
	must(t, err)
	_, err = ws.Sync(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, DryRun: true}, repo.Syncing{})
	must(t, err)
	time.Sleep(2 * lookEvery) // a preview is none
	_, err = ws.Sync(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}, repo.Syncing{})
	must(t, err)
	for _, events := range []<-chan event{owners, bots} {
		if got := told(events); got["fault"] != nil || got["inSync"] != true || got["ahead"] != 0.0 {
			t.Errorf("another process: %v", got)
		}
	}
}

// A client that goes away ends its sync: nothing of it stays, and the next one works.
func TestSyncEndsWithItsClient(t *testing.T) {
	apart(t)
	h := newHarness(t)
	begun, ended := make(chan struct{}, 8), make(chan struct{}, 8)
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-r.Context().Done()
		ended <- struct{}{}
	}))
	t.Cleanup(func() { hangs.CloseClientConnections(); hangs.Close() })
	h.setRemote(scout, hangs.URL+"/r.git")
	addr, stop := h.serving()
	defer func() { must(t, stop()) }()
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+scout+"/sync", strings.NewReader("{}"))
	must(t, err)
	as(h.tokens["owner"])(r)
	r.Header.Set("Content-Type", "application/json")
	gone := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
		gone <- err
	}()
	<-begun
	leave()
	if err := <-gone; err == nil {
		t.Fatal("the sync was answered")
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the remote is still being asked")
	}
	if left := leftChildren(t); len(left) > 0 {
		t.Errorf("still running: %v", left)
	}
	h.note("Likes tea")
	h.setRemote(scout, bareRemote(t))
	within := time.Now()
	if got := h.sync(scout, nil); got.num("pushed") < 2 || time.Since(within) > 5*time.Second {
		t.Errorf("the next one: %s", got.raw)
	}
}

// leftChildren lists what our side started and did not end.
func leftChildren(t *testing.T) (left []string) {
	t.Helper()
	for range 100 {
		left = nil
		procs, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil || len(procs) == 0 {
			t.Log("children are not looked for: there is no /proc here")
			return nil
		}
		for _, p := range procs {
			env, err := os.ReadFile(p)
			if err == nil && bytes.Contains(env, []byte(childMark+"="+t.Name())) && p != fmt.Sprintf("/proc/%d/environ", os.Getpid()) {
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(p), "cmdline"))
				left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
		if len(left) == 0 {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return left
}
