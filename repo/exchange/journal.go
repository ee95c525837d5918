package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	"quipu/policy"
)

// Version is one text that a file had: a row of another system's journal.
type Version struct {
	At     time.Time
	Path   string
	Actor  string // bot, person, import, upkeep; "" for a text that no row brought
	Via    string
	Thread string
	Text   string
	Gone   bool // the file was deleted
}

// maxVersions bounds a journal: of a longer one the newest rows come in.
const maxVersions = 5000

// journalRow is one line of memory-journal/<bot>.ndjson. The text before a change is
// kept (redacted), the one after it is the next row's, or the file's.
type journalRow struct {
	At     int64   `json:"at"`
	Path   string  `json:"path"`
	Actor  string  `json:"actor"`
	Via    string  `json:"via"`
	Thread string  `json:"threadId"`
	Kind   string  `json:"kind"`
	Was    *string `json:"beforeHash"`
	Is     *string `json:"afterHash"`
	Before *string `json:"before"`
}

// readWorkspace reads a workspace of OpenMausBot: its notes, and its journal as the
// versions that they had.
func readWorkspace(s Source, b *Batch) error {
	inMemory := func(p string) bool {
		return p == policy.MemoryFile || strings.HasPrefix(p, "memory/") && isMarkdown(p)
	}
	f, err := readFolder(s.Dir, inMemory, "not memory: the bot's work")
	if err != nil {
		return err
	}
	b.Left = append(b.Left, f.left...)
	now := map[string]string{}
	for _, file := range f.files {
		b.page(file.path, file.path, file.text)
		now[file.path] = file.text
	}
	if s.Journal == nil {
		b.leave("journal", "no journal lies beside the workspace: its history is not taken in")
		return nil
	}
	return readJournal(s.Journal, now, b)
}

// readJournal makes versions of the rows. A last line that is torn is left out, as a
// crash may leave one; any other that is no JSON is a fault.
func readJournal(text []byte, now map[string]string, b *Batch) error {
	var rows []journalRow
	lines := bytes.Split(bytes.TrimRight(text, "\n"), []byte("\n"))
	for i, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var r journalRow
		if err := json.Unmarshal(line, &r); err != nil {
			if i == len(lines)-1 {
				b.leave(place("journal", i+1), "its last line is cut off")
				break
			}
			return faulty("journal: line %d: no row: %v", i+1, err)
		}
		if _, err := policy.CheckPath(r.Path); err != nil {
			b.leave(place("journal", i+1), "a row of a file that is no note here")
			continue
		}
		rows = append(rows, r)
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].At < rows[j].At })
	if over := len(rows) - maxVersions; over > 0 {
		b.leave("journal", fmt.Sprintf("its %d oldest rows: the newest %d come in", over, maxVersions))
		rows = rows[over:]
	}
	b.Versions = versions(rows, now, b)
	return nil
}

// versions finds the text that each row left. What stood in a file without a row
// having brought it comes in as a version of its own.
func versions(rows []journalRow, now map[string]string, b *Batch) []Version {
	next := make([]int, len(rows)) // the next row of the same path, or -1
	last := map[string]int{}
	for i := len(rows) - 1; i >= 0; i-- {
		next[i] = -1
		if j, ok := last[rows[i].Path]; ok {
			next[i] = j
		}
		last[rows[i].Path] = i
	}
	var out []Version
	stands := map[string]string{}
	lost := 0
	for i, r := range rows {
		at := time.UnixMilli(r.At).UTC()
		if have, known := stands[r.Path]; r.Before != nil && (!known || have != *r.Before) {
			out = append(out, Version{At: at, Path: r.Path, Text: *r.Before})
			stands[r.Path] = *r.Before
		}
		v := Version{At: at, Path: r.Path, Actor: r.Actor, Via: r.Via, Thread: r.Thread}
		var ok bool
		if v.Text, v.Gone, ok = after(rows, r, next[i], now); !ok {
			lost++
			continue
		}
		if delete(stands, r.Path); !v.Gone {
			stands[r.Path] = v.Text
		}
		out = append(out, v)
	}
	if lost > 0 {
		b.leave("journal", fmt.Sprintf("%d rows whose text is kept nowhere", lost))
	}
	return out
}

// after is what a row left: the text before the next one where the two fit, or the
// file as it is.
func after(rows []journalRow, r journalRow, next int, now map[string]string) (text string, gone, ok bool) {
	if r.Is == nil || r.Kind == "deleted" {
		return "", true, r.Kind == "deleted"
	}
	if next >= 0 {
		n := rows[next]
		if n.Before != nil && n.Was != nil && *n.Was == *r.Is {
			return *n.Before, false, true
		}
		return "", false, false
	}
	text, has := now[r.Path]
	return text, false, has && sum(text) == *r.Is
}
