package server

import (
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func fileURL(path string) string { return scout + "/memory/file?path=" + url.QueryEscape(path) }

func TestOverview(t *testing.T) {
	h := newHarness(t)
	text := "# Memory\n\n- 2026-11-01 · from chat \"Setup\" · Likes tea\n"
	h.edit("MEMORY.md", text)
	h.edit("memory/food.md", "- tea\n")
	h.edit("memory/log/2026-11-29.md", "- 10:00 · from chat \"x\" · done\n")
	must(t, os.Chtimes(h.file("memory/food.md"), testTime, testTime))
	got := h.do(http.MethodGet, scout+"/memory", nil, as(h.tokens["scout"])).expect(t, 200, "")
	topics, logs := got.list("topics"), got.list("logs")
	if len(topics) != 1 || len(logs) != 1 {
		t.Fatalf("got %d topics and %d logs, want one of each\n%s", len(topics), len(logs), got.raw)
	}
	at, err := time.Parse(time.RFC3339, topics[0]["modifiedAt"].(string))
	must(t, err)
	if !at.Equal(testTime) {
		t.Errorf("modifiedAt is %v, want %v", at, testTime)
	}
	delete(topics[0], "modifiedAt")
	delete(logs[0], "modifiedAt")
	want := map[string]any{
		"botId": "scout", "workspacePath": h.file(""), "text": text, "truncated": false,
		"index": map[string]any{
			"lines": 3.0, "bytes": float64(len(text)), "maxLines": 200.0, "maxBytes": 24000.0,
			"loadedLines": 3.0, "loadedBytes": float64(len(text)), "truncated": false, "hash": hash(text),
		},
		"gauge": map[string]any{
			"lines": 3.0, "bytes": float64(len(text)), "maxLines": 200.0, "maxBytes": 24000.0, "loadedLines": 3.0, "loadedBytes": float64(len(text)),
			"truncated": false, "percent": 1.0, "colour": "ok", "sentence": "only the first 200 lines load each turn",
		},
		"topics": []any{map[string]any{"path": "memory/food.md", "name": "food.md", "bytes": 6.0}},
		"logs":   []any{map[string]any{"path": "memory/log/2026-11-29.md", "name": "2026-11-29.md", "bytes": 33.0}},
	}
	if diff := cmp.Diff(want, got.body); diff != "" {
		t.Errorf("overview (-want +got):\n%s", diff)
	}
	if tag := got.header.Get("ETag"); tag != `"`+hash(text)+`"` {
		t.Errorf("ETag is %s", tag)
	}
}

func TestOverviewOfLongMemory(t *testing.T) {
	h := newHarness(t)
	h.edit("MEMORY.md", strings.Repeat("- é\n", 201))
	got := h.do(http.MethodGet, scout+"/memory", nil).expect(t, 200, "")
	index := got.obj("index")
	if got.body["truncated"] != true || index["truncated"] != true || index["lines"] != 201.0 || index["loadedLines"] != 200.0 {
		t.Errorf("got truncated %v, index %v", got.body["truncated"], index)
	}
	gauge := got.obj("gauge")
	if gauge["colour"] != "red" || gauge["percent"] != 100.0 || gauge["sentence"] != "only the first 200 lines load each turn; 1 line does not" {
		t.Errorf("gauge %v", gauge)
	}
	// The limits are those of this home.
	must(t, h.store.SetConfig("memory.maxLines", 400))
	got = h.do(http.MethodGet, scout+"/memory", nil).expect(t, 200, "")
	if index := got.obj("index"); index["maxLines"] != 400.0 || got.body["truncated"] != false {
		t.Errorf("with 400 lines: truncated %v, index %v", got.body["truncated"], index)
	}
}

func TestGetFile(t *testing.T) {
	h := newHarness(t)
	h.edit("memory/café.md", "- crème\r\n")
	tests := []struct {
		name, target string
		want         map[string]any
	}{
		{"topic", fileURL("memory/café.md"), map[string]any{"path": "memory/café.md", "text": "- crème\r\n", "hash": hash("- crème\r\n"), "exists": true}},
		{"missing", fileURL("memory/none.md"), map[string]any{"path": "memory/none.md", "text": "", "hash": hash(""), "exists": false}},
		{"missing log", fileURL("memory/log/2026-01-01.md"), map[string]any{"path": "memory/log/2026-01-01.md", "text": "", "hash": hash(""), "exists": false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := h.do(http.MethodGet, tt.target, nil, as(h.tokens["scout"])).expect(t, 200, "")
			if diff := cmp.Diff(tt.want, got.body); diff != "" {
				t.Errorf("file (-want +got):\n%s", diff)
			}
			if got.header.Get("ETag") != `"`+got.str("hash")+`"` {
				t.Errorf("ETag %s is not the hash", got.header.Get("ETag"))
			}
		})
	}
	if got := h.do(http.MethodGet, scout+"/memory/file", nil).expect(t, 200, ""); got.str("path") != "MEMORY.md" {
		t.Errorf("without a path: got %s, want MEMORY.md", got.str("path"))
	}
	h.do(http.MethodGet, scout+"/memory/file?path=%zz", nil).expect(t, 400, "invalid")
	h.do(http.MethodGet, scout+"/memory/file?path=MEMORY.md&path=memory/x.md", nil).expect(t, 400, "invalid")
}

// TestBadPaths: 400 by all three methods, nothing read or written, and the answer
// names the rule and no place of the server.
func TestBadPaths(t *testing.T) {
	h := newHarness(t)
	before := tree(t, h.store.Home())
	for _, path := range []string{
		"../../etc/passwd", "/etc/passwd", "memory/../MEMORY.md", "memory/nested/x.md", "notes.txt", "", ".", "memory", "memory/",
		"../x.md", "memory/../.git/config", "memory/%2e%2e/x.md", `memory\..\x.md`, `memory\x.md`, "memory/a/b.md", "memory/.hidden.md",
		"memory/x.md\x00.txt", ".GIT/config", ".git", ".git/HEAD", "memory/x.md.md", "memory/x", "memory/X.MD", "MEMORY.md/", "memory.md", "ABOUT.md",
		"memory/CON.md", "memory/nul.md", "memory/a .md", "memory/.md", "memory/" + strings.Repeat("x", 300) + ".md", "memory//x.md", "./MEMORY.md",
		"memory/log/x.md", "memory/log/2026-02-30.md", "memory/log/../x.md", "memory/\u202egpj.md", "C:\\x.md", "memory/.ledger.ndjson", "memory/a\nb.md",
	} {
		answers := []reply{
			h.do(http.MethodGet, fileURL(path), nil),
			h.do(http.MethodDelete, fileURL(path), nil),
			h.do(http.MethodPut, scout+"/memory/file", map[string]any{"path": path, "text": "x", "expectedHash": hash("")}),
			h.do(http.MethodGet, scout+"/memory/blame?path="+url.QueryEscape(path), nil),
			h.do(http.MethodGet, scout+"/memory/at?at=1h&path="+url.QueryEscape(path), nil),
			h.do(http.MethodGet, scout+"/memory/diff?path="+url.QueryEscape(path), nil),
		}
		for i, a := range answers {
			if a.status != 400 || a.code() != "path" || strings.Contains(a.raw, h.store.Home()) {
				t.Errorf("%q, way %d: got %d %s, want 400 path without a place of the server", path, i, a.status, a.raw)
			}
		}
	}
	if diff := cmp.Diff(before, tree(t, h.store.Home())); diff != "" {
		t.Errorf("files changed (-before +after):\n%s", diff)
	}
}

// tree is every file under dir, with its size, but for what the server derives.
func tree(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	files := map[string]int64{}
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.Contains(path, string(filepath.Separator)+"quipu"+string(filepath.Separator)) || d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files[strings.TrimPrefix(path, dir)] = info.Size()
		return nil
	}))
	return files
}

func TestPutFile(t *testing.T) {
	h := newHarness(t)
	body := map[string]any{"path": "memory/clients.md", "text": "# Clients\n", "expectedHash": hash("")}
	got := h.do(http.MethodPut, scout+"/memory/file", body).expect(t, 200, "")
	entry := got.obj("entry")
	want := map[string]any{"kind": "created", "actor": "person", "via": "ui", "path": "memory/clients.md", "added": 1.0, "action": "edit"}
	for key, value := range want {
		if entry[key] != value {
			t.Errorf("entry.%s = %v, want %v", key, entry[key], value)
		}
	}
	if _, has := entry["before"]; has {
		t.Error("entry has the earlier text")
	}
	topics, _ := got.obj("overview")["topics"].([]any)
	if len(topics) != 1 || topics[0].(map[string]any)["path"] != "memory/clients.md" {
		t.Errorf("overview.topics = %v", topics)
	}
	if got.str("text") != "# Clients\n" || got.str("hash") != hash("# Clients\n") || got.body["exists"] != true || got.body["ok"] != true {
		t.Errorf("got %s", got.raw)
	}

	body = map[string]any{"path": "memory/clients.md", "text": "# Clients\n", "expectedHash": hash("# Clients\n")}
	got = h.do(http.MethodPut, scout+"/memory/file", body).expect(t, 200, "")
	if got.body["entry"] != nil {
		t.Errorf("an unchanged text made a row: %v", got.body["entry"])
	}
}

func TestPutFileNeedsTheTextItWasBasedOn(t *testing.T) {
	const disk = "# Clients\n- Acme (bot)\n"
	tests := []struct {
		name    string
		body    map[string]any
		changes []change
		status  int
		code    string
	}{
		{"stale", map[string]any{"expectedHash": "stale"}, nil, 409, "conflict"},
		{"hash of nothing", map[string]any{"expectedHash": hash("")}, nil, 409, "conflict"},
		{"no hash", nil, nil, 428, "revision_needed"},
		{"null hash", map[string]any{"expectedHash": nil}, nil, 428, "revision_needed"},
		{"empty hash", map[string]any{"expectedHash": ""}, nil, 428, "revision_needed"},
		{"stale If-Match", nil, []change{with("If-Match", `"`+hash("x")+`"`)}, 409, "conflict"},
		{"any If-Match", nil, []change{with("If-Match", "*")}, 400, "invalid"},
		{"weak If-Match", nil, []change{with("If-Match", `W/"`+hash(disk)+`"`)}, 400, "invalid"},
		{"two in If-Match", nil, []change{with("If-Match", `"a", "b"`)}, 400, "invalid"},
		{"the two differ", map[string]any{"expectedHash": hash(disk)}, []change{with("If-Match", `"`+hash("x")+`"`)}, 400, "invalid"},
		{"right hash", map[string]any{"expectedHash": hash(disk)}, nil, 200, ""},
		{"right hash in capitals", map[string]any{"expectedHash": strings.ToUpper(hash(disk))}, nil, 200, ""},
		{"right If-Match", nil, []change{with("If-Match", `"`+hash(disk)+`"`)}, 200, ""},
		{"both right", map[string]any{"expectedHash": hash(disk)}, []change{with("If-Match", `"`+hash(disk)+`"`)}, 200, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			h.edit("memory/clients.md", disk)
			body := map[string]any{"path": "memory/clients.md", "text": "mine\n"}
			maps.Copy(body, tt.body)
			got := h.do(http.MethodPut, scout+"/memory/file", body, tt.changes...).expect(t, tt.status, tt.code)
			want := disk
			if tt.status == 200 {
				want = "mine\n"
			}
			if now := h.onDisk("memory/clients.md"); now != want {
				t.Errorf("the file is %q, want %q", now, want)
			}
			if tt.status == 409 && (got.str("current") != disk || got.str("currentHash") != hash(disk)) {
				t.Errorf("409 without the text that stands there: %s", got.raw)
			}
		})
	}
}

func TestPutFileRefuses(t *testing.T) {
	h := newHarness(t)
	h.edit("memory/Food.md", "- tea\n")
	h.edit("memory/log/2026-11-29.md", "- 10:00 · from chat \"x\" · done\n")
	before := h.do(http.MethodGet, scout+"/memory/journal?all=true", nil).raw
	tests := []struct {
		name   string
		body   any
		status int
		code   string
	}{
		{"too large", map[string]any{"path": "memory/big.md", "text": strings.Repeat("x", 262145)}, 413, "too-large"},
		{"over the body's limit", map[string]any{"path": "memory/big.md", "text": strings.Repeat("x", 2<<20)}, 413, "too-large"},
		{"a log", map[string]any{"path": "memory/log/2026-11-29.md", "text": "", "expectedHash": hash("x")}, 403, "forbidden"},
		{"a new log", map[string]any{"path": "memory/log/2026-11-30.md", "text": "x"}, 403, "forbidden"},
		{"other case", map[string]any{"path": "memory/food.md", "text": "x"}, 409, "conflict"},
		{"text as number", map[string]any{"path": "memory/x.md", "text": 42}, 400, "invalid"},
		{"no text", map[string]any{"path": "memory/x.md"}, 400, "invalid"},
		{"path as list", map[string]any{"path": []string{"memory/x.md"}, "text": "x"}, 400, "invalid"},
		{"misspelt hash", map[string]any{"path": "memory/x.md", "text": "x", "expectedhash": hash("")}, 400, "invalid"},
		{"not UTF-8", "{\"path\":\"memory/x.md\",\"text\":\"\xff\"}", 400, "invalid"},
		{"half a character", `{"path":"memory/x.md","text":"\ud800"}`, 400, "invalid"},
		{"cut short", `{"path":"memory/x.md","text":"x"`, 400, "invalid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := h.do(http.MethodPut, scout+"/memory/file", tt.body).expect(t, tt.status, tt.code)
			if strings.Contains(got.raw, h.store.Home()) {
				t.Errorf("the answer tells a path of the server: %s", got.raw)
			}
		})
	}
	if diff := cmp.Diff(before, h.do(http.MethodGet, scout+"/memory/journal?all=true", nil).raw); diff != "" {
		t.Errorf("the journal changed:\n%s", diff)
	}
}

func TestPutFileMasksCredentials(t *testing.T) {
	h := newHarness(t)
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	got := h.do(http.MethodPut, scout+"/memory/file", map[string]any{"path": "memory/keys.md", "text": "- token: " + secret + "\n"}).expect(t, 200, "")
	if strings.Contains(got.raw, secret) || !strings.Contains(got.str("text"), "«redacted") || got.str("hash") != hash(got.str("text")) {
		t.Errorf("got %s", got.raw)
	}
	if strings.Contains(h.onDisk("memory/keys.md"), secret) {
		t.Error("the credential is on disk")
	}
	// Written from outside and not yet taken in: masked in the answer all the same.
	h.edit("MEMORY.md", "- token: "+secret+"\n")
	for _, target := range []string{"/memory", "/memory/file", "/memory/diff", "/memory/journal", "/memory/blame"} {
		if got := h.do(http.MethodGet, scout+target, nil).expect(t, 200, ""); strings.Contains(got.raw, secret) {
			t.Errorf("%s shows the credential: %s", target, got.raw)
		}
	}
	if strings.Contains(h.log.String(), secret) {
		t.Error("the log holds the credential")
	}
}

func TestOldPut(t *testing.T) {
	h := newHarness(t)
	got := h.do(http.MethodPut, scout+"/memory", map[string]any{"text": "- legacy note\n"}).expect(t, 200, "")
	if diff := cmp.Diff(map[string]any{"ok": true, "truncated": false, "hash": hash("- legacy note\n")}, got.body); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	row := h.do(http.MethodGet, scout+"/memory/journal", nil).list("entries")[0]
	if row["actor"] != "person" || row["via"] != "api" || row["path"] != "MEMORY.md" {
		t.Errorf("row %v", row)
	}
	bad := h.do(http.MethodPut, scout+"/memory", map[string]any{"text": 42}).expect(t, 400, "")
	if bad.str("error") != "text must be a string" {
		t.Errorf("got %q", bad.str("error"))
	}
	h.do(http.MethodPut, scout+"/memory", map[string]any{"text": strings.Repeat("x", 262145)}).expect(t, 400, "too-large")
	h.do(http.MethodPut, scout+"/memory", map[string]any{"text": strings.Repeat("- x\n", 201)}).expect(t, 200, "")
	if got := h.do(http.MethodGet, scout+"/memory", nil); got.body["truncated"] != true {
		t.Error("201 lines are not truncated")
	}
}

func TestDeleteFile(t *testing.T) {
	h := newHarness(t)
	h.edit("memory/food.md", "- tea\n")
	h.edit("memory/log/2026-11-29.md", "- 10:00 · from chat \"x\" · done\n")
	h.do(http.MethodDelete, fileURL("memory/food.md"), nil, with("If-Match", `"`+hash("x")+`"`)).expect(t, 409, "conflict")
	h.do(http.MethodDelete, fileURL("memory/food.md")+"&expectedHash="+hash("x"), nil).expect(t, 409, "conflict")
	got := h.do(http.MethodDelete, fileURL("memory/food.md")+"&expectedHash="+hash("- tea\n"), nil).expect(t, 200, "")
	if entry := got.obj("entry"); entry["kind"] != "deleted" || entry["actor"] != "person" || entry["via"] != "ui" || got.str("path") != "memory/food.md" {
		t.Errorf("got %s", got.raw)
	}
	again := h.do(http.MethodDelete, fileURL("memory/food.md"), nil).expect(t, 200, "")
	if again.body["entry"] != nil || again.body["ok"] != true {
		t.Errorf("a file that was not there: %s", again.raw)
	}
	h.do(http.MethodDelete, fileURL("memory/log/2026-11-29.md"), nil).expect(t, 200, "")
	if text := h.onDisk("memory/log/2026-11-29.md"); text != "" {
		t.Errorf("the log still says %q", text)
	}
	for _, target := range []string{scout + "/memory/file", fileURL("MEMORY.md")} {
		bad := h.do(http.MethodDelete, target, nil).expect(t, 400, "forbidden")
		if bad.str("error") != "MEMORY.md cannot be deleted" {
			t.Errorf("got %q", bad.str("error"))
		}
	}
	h.do(http.MethodDelete, fileURL("memory/food.md"), map[string]any{"path": "memory/x.md"}).expect(t, 400, "invalid")
}
