package repo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"quipu/repo/exchange"
)

// told writes the journal of files as another system does: each line is path, actor and
// the text after; "" deletes.
type told struct{ path, actor, text string }

func journalOf(t *testing.T, rows []told) []byte {
	t.Helper()
	var out strings.Builder
	stands := map[string]string{}
	at := time.Date(2026, 8, 1, 10, 0, 0, 0, time.UTC)
	for i, r := range rows {
		row := map[string]any{"id": fmt.Sprint(i), "at": at.Add(time.Duration(i) * time.Hour).UnixMilli(), "botId": "scout", "path": r.path, "actor": r.actor, "via": "ui", "threadId": "t1", "kind": "edited"}
		if was, ok := stands[r.path]; ok {
			row["before"], row["beforeHash"] = was, sumText(was)
		} else {
			row["kind"], row["before"], row["beforeHash"] = "created", nil, nil
		}
		if stands[r.path] = r.text; r.text == "" {
			row["kind"], row["afterHash"] = "deleted", nil
			delete(stands, r.path)
		} else {
			row["afterHash"] = sumText(r.text)
		}
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(string(line) + "\n")
	}
	return []byte(out.String())
}

func sumText(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

func workspaceBatch(t *testing.T, files map[string]string, journal []byte) exchange.Batch {
	t.Helper()
	b, err := exchange.Read("openmausbot", exchange.Source{Name: "scout", Dir: notesOf(files), Journal: journal})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Each row of a journal becomes a commit with its time and author; undoing the import
// reverses all of them.
func TestImportHistory(t *testing.T) {
	l := newLab(t)
	journal := journalOf(t, []told{
		{"MEMORY.md", "person", "- 2026-08-01 · tea\n"},
		{"memory/pets.md", "bot", "- 2026-08-01 · Luna barks\n"},
		{"MEMORY.md", "upkeep", "- 2026-08-01 · tea\n- 2026-08-02 · dogs\n"},
		{"memory/gone.md", "bot", "- 2026-08-01 · to go\n"},
		{"memory/gone.md", "person", ""},
		{"../escape.md", "person", "x"},
	})
	files := map[string]string{"MEMORY.md": "- 2026-08-01 · tea\n- 2026-08-02 · dogs\n", "memory/pets.md": "- 2026-08-01 · Luna barks\n", "work.md": "a report"}
	im := l.receiveBatch(workspaceBatch(t, files, journal), "scout")
	if im.History != 5 || l.count() != 7 {
		t.Fatalf("%d rows, %d commits; want 5 and 7: %+v", im.History, l.count(), im.Files)
	}
	log := l.git("log", "--format=%an|%aI|%(trailers:key=Memory-Author,valueonly,separator=)|%(trailers:key=Memory-Source,valueonly,separator=)", "-6")
	l.contains(log, "scout|2026-08-01T11:00:00+00:00|bot scout|thread t1", "Ada|2026-08-01T10:00:00+00:00|person Ada", "quipu|2026-08-01T12:00:00+00:00|upkeep")
	if got := l.text("MEMORY.md"); got != files["MEMORY.md"] {
		t.Errorf("MEMORY.md is %q", got)
	}
	rows, err := l.w.Journal(l.ctx(), Query{})
	if err != nil || len(rows) == 0 || rows[0].Change != im.Change || rows[0].Action != string(ActImport) {
		t.Errorf("the journal begins with %+v (%v)", rows[0], err)
	}
	if again := l.receiveBatch(workspaceBatch(t, files, journal), "scout"); again.Change != "" || l.count() != 7 {
		t.Errorf("a second import made the change %s", again.Change)
	}
	l.append("a fact after it")
	l.undo(string(im.Change))
	if got := l.git("ls-files"); strings.Contains(got, "memory/") {
		t.Errorf("after undo there are %q", got)
	}
	if got := l.text("MEMORY.md"); strings.Contains(got, "dogs") || !strings.Contains(got, "a fact after it") {
		t.Errorf("after undo MEMORY.md is %q", got)
	}
	if _, err := l.w.Redo(l.ctx(), ada); err != nil {
		t.Fatal(err)
	}
	l.contains(l.text("memory/pets.md")+l.text("MEMORY.md"), "Luna barks", "dogs", "a fact after it")
	l.sound()
}

// Undo without an id takes the import back whole, and then goes on with what was before.
func TestImportHistoryUndoNewest(t *testing.T) {
	l := newLab(t)
	l.append("a fact before it")
	files := map[string]string{"memory/pets.md": "- 2026-08-01 · Luna barks\n"}
	im := l.receiveBatch(workspaceBatch(t, files, journalOf(t, []told{{"memory/pets.md", "bot", files["memory/pets.md"]}})), "scout")
	if r := l.undo(""); r.Undone != im.Change {
		t.Errorf("undone is %s, want %s", r.Undone, im.Change)
	}
	l.undo("")
	if got := l.text("MEMORY.md") + l.git("ls-files"); strings.Contains(got, "before it") || strings.Contains(got, "pets") {
		t.Errorf("there is %q", got)
	}
	l.sound()
}

// A file that is here already keeps its own past: what it lacks is added.
func TestImportHistoryOntoNotes(t *testing.T) {
	l := newLab(t)
	l.append("a fact of mine")
	files := map[string]string{"MEMORY.md": "- 2026-08-01 · tea\n"}
	im := l.receiveBatch(workspaceBatch(t, files, journalOf(t, []told{{"MEMORY.md", "person", files["MEMORY.md"]}})), "scout")
	if im.History != 0 || l.count() != 3 {
		t.Errorf("%d rows, %d commits", im.History, l.count())
	}
	l.contains(l.text("MEMORY.md"), "a fact of mine", "tea")
	l.contains(fmt.Sprint(im.Files), "its past stays as it is")
	l.sound()
}

// A long journal, in one go.
func TestImportHistoryLong(t *testing.T) {
	l := newLab(t)
	var rows []told
	text := ""
	for i := range 500 {
		text += fmt.Sprintf("- 2026-08-01 · fact %d\n", i)
		rows = append(rows, told{fmt.Sprintf("memory/topic-%d.md", i%7), "bot", text})
	}
	files := map[string]string{}
	for _, r := range rows {
		files[r.path] = r.text
	}
	b := workspaceBatch(t, files, journalOf(t, rows))
	start := time.Now()
	im := l.receiveBatch(b, "scout")
	took := time.Since(start)
	t.Logf("500 rows: %v", took)
	if im.History != 500 || l.count() != 502 {
		t.Errorf("%d rows, %d commits", im.History, l.count())
	}
	if limit := 20 * time.Second * raceFactor; took > limit {
		t.Errorf("it took %v", took)
	}
	l.undo(string(im.Change))
	if got := l.git("ls-files"); strings.Contains(got, "topic") {
		t.Errorf("after undo there are %q", got)
	}
	l.sound()
}
