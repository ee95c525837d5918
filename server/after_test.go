package server

import (
	"net/http"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRevertOfForget: the file that a forget writes first, or alone, is one that nobody
// is shown; the revert of it happens, and says so.
func TestRevertOfForget(t *testing.T) {
	tests := []struct {
		name, note, topic, path string
		found                   float64
	}{
		{"no note mentioned it", "Likes tea", "", "MEMORY.md", 0},
		{"in MEMORY.md", "Luna is a dog", "", "MEMORY.md", 1},
		{"in a topic alone", "Luna is a dog", "pets", "memory/pets.md", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			note := map[string]any{"action": "append", "text": tt.note}
			if tt.topic != "" {
				note["topic"] = tt.topic
			}
			h.update(note).expect(t, 200, "")
			before := h.onDisk(tt.path)
			gone := h.update(map[string]any{"action": "forget", "words": "Luna", "confirm": true}).expect(t, 200, "")
			if gone.body["removed"] != tt.found {
				t.Fatalf("removed %v, want %v", gone.body["removed"], tt.found)
			}
			got := h.do(http.MethodPost, scout+"/memory/journal/"+gone.str("change")+"/revert", nil).expect(t, 200, "")
			want := []any{tt.path, before, hash(before), true, gone.str("change")}
			have := []any{got.str("path"), got.str("text"), got.str("hash"), got.obj("entry") != nil, got.str("undone")}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("the answer (-want +got):\n%s", diff)
			}
			h.do(http.MethodPost, scout+"/memory/journal/"+gone.str("change")+"/revert", nil).expect(t, 409, "conflict")
		})
	}
}

// TestKeptIsAnswered: a change that is kept is answered as one, though the file that the
// answer tells of beside it cannot be read.
func TestKeptIsAnswered(t *testing.T) {
	h := newHarness(t)
	h.put("memory/x.md", "one\n", "").expect(t, 200, "")
	h.put("memory/gone.md", "two\n", "").expect(t, 200, "")
	must(t, os.Remove(h.file("MEMORY.md")))
	must(t, os.Mkdir(h.file("MEMORY.md"), 0o700))

	saved := h.put("memory/x.md", "three\n", "one\n").expect(t, 200, "")
	if saved.str("text") != "three\n" || saved.body["overview"] != nil || h.onDisk("memory/x.md") != "three\n" {
		t.Errorf("a save: %s", saved.raw)
	}
	id, _ := saved.obj("entry")["id"].(string)
	back := h.do(http.MethodPost, scout+"/memory/journal/"+id+"/revert", nil).expect(t, 200, "")
	if back.str("text") != "one\n" || h.onDisk("memory/x.md") != "one\n" {
		t.Errorf("a revert: %s", back.raw)
	}
	deleted := h.do(http.MethodDelete, fileURL("memory/gone.md"), nil).expect(t, 200, "")
	if deleted.obj("entry")["kind"] != "deleted" || h.onDisk("memory/gone.md") != "" {
		t.Errorf("a deletion: %s", deleted.raw)
	}
}

// TestNotUTF8: bytes that are no UTF-8 cannot stand in JSON; the answer says so, and
// what was read of such a file is not saved over it.
func TestNotUTF8(t *testing.T) {
	h := newHarness(t)
	const latin = "- caf\xe9\n"
	h.edit("memory/old.md", latin)
	got := h.do(http.MethodGet, fileURL("memory/old.md"), nil).expect(t, 200, "")
	if got.str("text") != "- caf\uFFFD\n" || got.body["utf8"] != false {
		t.Errorf("got %s", got.raw)
	}
	save := map[string]any{"path": "memory/old.md", "text": got.str("text"), "expectedHash": got.str("hash")}
	refused := h.do(http.MethodPut, scout+"/memory/file", save).expect(t, 409, "conflict")
	if refused.str("error") == "" || h.onDisk("memory/old.md") != latin {
		t.Errorf("a save: %s; the file says %q", refused.raw, h.onDisk("memory/old.md"))
	}
	h.edit("memory/old.md", "- café\n")
	if got := h.do(http.MethodGet, fileURL("memory/old.md"), nil).expect(t, 200, ""); got.body["utf8"] != nil {
		t.Errorf("valid text: %s", got.raw)
	}
}

// TestCreateWithNameNeedsConfig: a bot is not made when its name cannot be kept.
func TestCreateWithNameNeedsConfig(t *testing.T) {
	h := newHarness(t)
	breakConfig(t, h.store)
	h.do(http.MethodPost, "/api/bots", map[string]any{"id": "new", "name": "New"}).expect(t, 409, "config")
	h.do(http.MethodGet, "/api/bots/new", nil).expect(t, 404, "")
}
