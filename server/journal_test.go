package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func (h *harness) rows(query string) []map[string]any {
	h.t.Helper()
	return h.do(http.MethodGet, scout+"/memory/journal"+query, nil).expect(h.t, 200, "").list("entries")
}

func column(rows []map[string]any, name string) []any {
	values := []any{}
	for _, r := range rows {
		values = append(values, r[name])
	}
	return values
}

func (h *harness) put(path, text, expected string) reply {
	h.t.Helper()
	return h.do(http.MethodPut, scout+"/memory/file", map[string]any{"path": path, "text": text, "expectedHash": hash(expected)})
}

func TestJournal(t *testing.T) {
	h := newHarness(t)
	h.put("memory/x.md", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "").expect(t, 200, "")
	h.put("memory/x.md", "one\ntwo\nthree\nFOUR\nfive\nsix\nseven\neight\n", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n").expect(t, 200, "")
	h.update(map[string]any{"action": "append", "text": "Likes tea"}).expect(t, 200, "")
	h.edit("memory/food.md", "- from an editor\n")

	rows := h.rows("")
	if diff := cmp.Diff([]any{"memory/food.md", "MEMORY.md", "memory/x.md", "memory/x.md"}, column(rows, "path")[:4]); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{"outside", "update", "edit", "edit"}, column(rows, "action")[:4]); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{"disk", "api", "ui", "ui"}, column(rows, "via")[:4]); diff != "" {
		t.Errorf("doors (-want +got):\n%s", diff)
	}
	edit := rows[2]
	want := "--- a/memory/x.md\n+++ b/memory/x.md\n@@ -2,6 +2,7 @@\n two\n three\n-four\n+FOUR\n five\n six\n seven\n+eight"
	if edit["diff"] != want || edit["added"] != 2.0 || edit["removed"] != 1.0 || edit["canRevert"] != true {
		t.Errorf("row %v, want the diff\n%s", edit, want)
	}
	if _, has := edit["before"]; has {
		t.Error("a row has the earlier text")
	}

	for query, want := range map[string]int{
		"?limit=1": 1, "?limit=1000": 5, "?path=memory/x.md": 2, "?author=bot": 1, "?action=outside": 1, "?q=tea": 1, "?q=TEA+likes": 1, "?q=nothing": 0,
		"?path=memory/x.md&before=" + edit["change"].(string): 1, "?since=2026-12-01": 0, "?until=2026-11-29": 0, "?since=today&path=memory/x.md": 2,
		"?since=2026-11-30T00:00:00Z&until=today&path=memory/x.md": 2, "?since=1h&author=bot": 1, "?author=&action=&path=memory/x.md": 2,
	} {
		if got := h.rows(query); len(got) != want {
			t.Errorf("%s: got %d rows, want %d: %v", query, len(got), want, column(got, "path"))
		}
	}
	for _, query := range []string{"?limit=many", "?limit=1.5", "?limit=0", "?limit=-1", "?author=nobody", "?action=bogus", "?since=soon", "?until=2026-02-30", "?all=yes", "?limit=1&limit=2"} {
		h.do(http.MethodGet, scout+"/memory/journal"+query, nil).expect(t, 400, "invalid")
	}
	h.do(http.MethodGet, scout+"/memory/journal?path=../x", nil).expect(t, 400, "path")
	h.do(http.MethodGet, scout+"/memory/journal?before=nope", nil).expect(t, 404, "not_found")
}

func TestJournalOfOneNote(t *testing.T) {
	h := newHarness(t)
	h.update(map[string]any{"action": "append", "text": "Likes tea"}).expect(t, 200, "")
	h.update(map[string]any{"action": "append", "text": "Lives in Pune"}).expect(t, 200, "")
	h.update(map[string]any{"action": "replace", "oldText": "Likes tea", "text": "Likes green tea"}).expect(t, 200, "")
	for _, query := range []string{"?entry=MEMORY.md:3", "?entry=green+tea"} {
		rows := h.rows(query)
		if len(rows) != 2 || !strings.Contains(rows[0]["diff"].(string), "green tea") || strings.Contains(rows[1]["diff"].(string), "green") {
			t.Errorf("%s: %v", query, column(rows, "diff"))
		}
	}
	if got := h.rows("?entry=green+tea&limit=1"); len(got) != 1 {
		t.Errorf("one row was asked for: %v", got)
	}
	for query, want := range map[string]int{"?entry=MEMORY.md:99": 404, "?entry=nowhere": 409, "?entry=tea&author=bot": 400, "?entry=../x.md:1": 400} {
		if got := h.do(http.MethodGet, scout+"/memory/journal"+query, nil); got.status != want {
			t.Errorf("%s: %d %s", query, got.status, got.raw)
		}
	}
}

func TestJournalNeverNull(t *testing.T) {
	h := newHarness(t)
	if got := h.do(http.MethodGet, scout+"/memory/journal?q=nothing", nil).expect(t, 200, ""); got.raw != "{\"entries\":[]}\n" {
		t.Errorf("got %s", got.raw)
	}
}

func TestRevert(t *testing.T) {
	h := newHarness(t)
	revert := func(id, mode string) reply {
		t.Helper()
		return h.do(http.MethodPost, scout+"/memory/journal/"+id+"/revert"+mode, nil)
	}
	newest := func() string { return h.rows("?limit=1")[0]["id"].(string) }

	h.put("memory/new.md", "new\n", "").expect(t, 200, "")
	created := newest()
	got := revert(created, "").expect(t, 200, "")
	if got.body["exists"] != false || got.str("path") != "memory/new.md" || got.str("text") != "" || got.str("hash") != hash("") {
		t.Errorf("undo of a creation: %s", got.raw)
	}
	entry := got.obj("entry")
	if entry["actor"] != "person" || entry["via"] != "revert" || entry["kind"] != "deleted" || got.str("undone") != created {
		t.Errorf("row of the undo: %v", entry)
	}
	// The undo is a change and can be undone.
	if got = revert(entry["id"].(string), "").expect(t, 200, ""); got.str("text") != "new\n" {
		t.Errorf("undo of the undo: %s", got.raw)
	}

	h.put("memory/keep.md", "keep me\n", "").expect(t, 200, "")
	h.do(http.MethodDelete, fileURL("memory/keep.md"), nil).expect(t, 200, "")
	if got = revert(newest(), "").expect(t, 200, ""); got.str("text") != "keep me\n" || got.body["exists"] != true {
		t.Errorf("undo of a deletion: %s", got.raw)
	}
}

func TestRevertKeepsLaterEdits(t *testing.T) {
	h := newHarness(t)
	h.update(map[string]any{"action": "append", "text": "Likes tea"}).expect(t, 200, "")
	tea := h.rows("?limit=1")[0]["id"].(string)
	h.update(map[string]any{"action": "append", "text": "Lives in Pune"}).expect(t, 200, "")
	got := h.do(http.MethodPost, scout+"/memory/journal/"+tea+"/revert", nil).expect(t, 200, "")
	if strings.Contains(got.str("text"), "tea") || !strings.Contains(got.str("text"), "Pune") {
		t.Errorf("got %q", got.str("text"))
	}
}

func TestRevertOfWhatChangedSince(t *testing.T) {
	h := newHarness(t)
	h.update(map[string]any{"action": "append", "text": "Likes tea"}).expect(t, 200, "")
	h.update(map[string]any{"action": "replace", "oldText": "Likes tea", "text": "Likes green tea"}).expect(t, 200, "")
	replaced := h.rows("?limit=1")[0]["id"].(string)
	h.update(map[string]any{"action": "replace", "oldText": "Likes green tea", "text": "Likes black tea"}).expect(t, 200, "")
	before := h.onDisk("MEMORY.md")
	got := h.do(http.MethodPost, scout+"/memory/journal/"+replaced+"/revert", nil).expect(t, 409, "conflict")
	clashes := got.list("clashes")
	if len(clashes) != 1 || !strings.Contains(clashes[0]["have"].(string), "black tea") || !strings.Contains(clashes[0]["want"].(string), "Likes tea") {
		t.Errorf("clashes %v", clashes)
	}
	if now := h.onDisk("MEMORY.md"); now != before {
		t.Errorf("a refused undo changed MEMORY.md to %q", now)
	}
	whole := h.do(http.MethodPost, scout+"/memory/journal/"+replaced+"/revert?mode=restore", nil).expect(t, 200, "")
	if !strings.Contains(whole.str("text"), "· Likes tea\n") || strings.Contains(whole.str("text"), "green") {
		t.Errorf("restore gave %q", whole.str("text"))
	}
}

func TestRevertRefuses(t *testing.T) {
	h := newHarness(t)
	h.put("memory/x.md", "x\n", "").expect(t, 200, "")
	id := h.rows("?limit=1")[0]["id"].(string)
	for _, bad := range []string{"nope", "01ARZ3NDEKTSV4RRFFQ69G5FAV", id + ".9", strings.Repeat("a", 40), "..%2f..%2ftoken", "%00", "HEAD", "x"} {
		got := h.do(http.MethodPost, scout+"/memory/journal/"+bad+"/revert", nil).expect(t, 404, "not_found")
		if got.str("error") != "no such memory change" {
			t.Errorf("%s: got %q", bad, got.str("error"))
		}
	}
	h.do(http.MethodPost, scout+"/memory/journal/"+id+"/revert?mode=undo", nil).expect(t, 400, "invalid")
	h.do(http.MethodPost, scout+"/memory/journal/"+id+"/revert", map[string]any{"mode": "restore"}).expect(t, 400, "invalid")
	h.do(http.MethodPost, scout+"/memory/journal/"+id+"/revert", "x", with("Content-Type", "text/plain")).expect(t, 415, "type")
	h.do(http.MethodPost, scout+"/memory/journal/"+id+"/revert", map[string]any{}).expect(t, 200, "")
}
