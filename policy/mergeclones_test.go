package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

// clone is one machine: what it has, and what of the remote it last saw.
type clone struct {
	name  string
	files map[string][]byte
	seen  map[string][]byte
	n     int
}

// work does one random thing, and notes in want what became of the facts.
func (c *clone) work(t *rapid.T, at markdown.Date, want map[string]bool) {
	topics := []string{MemoryFile, "memory/food.md", "memory/work.md", AboutFile}
	path := rapid.SampledFrom(topics).Draw(t, "path")
	f := markdown.Parse(path, c.files[path])
	var places []int
	for i, u := range f.Units() {
		if u.Entry != nil && u.Entry.Conflict.IsZero() && !strings.Contains(u.Entry.Text, "gone") {
			places = append(places, i)
		}
	}
	op := rapid.SampledFrom([]string{"add", "add", "edit", "strike", "move", "delete", "log", "until"}).Draw(t, "op")
	if len(places) == 0 && op != "log" {
		op = "add"
	}
	c.n++
	fact := fmt.Sprintf("%s%d", c.name, c.n)
	c.files = maps.Clone(c.files)
	if op == "add" {
		c.files[path] = f.Append(markdown.NewEntry(fact+" is kept", "", false, at, markdown.Date{}).String())
		want[fact] = true
		c.budget(at)
		return
	}
	if op == "log" {
		log := LogDir + at.String() + ".md"
		c.files[log] = markdown.Parse(log, c.files[log]).Append(fmt.Sprintf("- %02d:%02d · %s in the log", c.n/60, c.n%60, fact))
		want[fact] = true
		return
	}
	i := rapid.SampledFrom(places).Draw(t, "entry")
	e := *f.Units()[i].Entry
	name, _, _ := strings.Cut(e.Text, " ")
	switch op {
	case "edit":
		if !e.Struck {
			c.files[path] = f.ReplaceUnit(i, e.Replaced(e.Text+" "+fact, at).String())
			want[fact] = true
		}
	case "strike":
		if raw, ok := markdown.Strike(string(f.Units()[i].Raw), at); ok {
			c.files[path] = f.ReplaceUnit(i, raw)
		}
	case "until":
		if !e.Struck {
			e.Until = at.AddDays(30)
			c.files[path] = f.ReplaceUnit(i, e.String())
		}
	case "move":
		to := rapid.SampledFrom(topics).Draw(t, "to")
		raw := string(f.Units()[i].Raw)
		c.files[path] = f.RemoveUnit(i)
		c.files[to] = markdown.Parse(to, c.files[to]).Append(raw)
		c.budget(at)
	case "delete":
		c.files[path] = f.RemoveUnit(i)
		for fact := range want {
			if fact == name || strings.Contains(e.Text+" ", " "+fact+" ") {
				want[fact] = false // another side's rewording may keep it
			}
		}
	}
}

var cloneLimits = Limits{Lines: 12}

func (c *clone) budget(at markdown.Date) {
	o, err := Settle(Outcome{Edits: []Edit{{Path: MemoryFile, Text: c.files[MemoryFile]}}}, Notes{Files: c.files}, cloneLimits, at)
	if err != nil {
		return
	}
	for _, e := range o.Edits {
		c.files[e.Path] = e.Text
	}
}

// sync merges what the remote has and returns what it has then.
func (c *clone) sync(remote map[string][]byte, at markdown.Date) map[string][]byte {
	m := TreeMerge{Bases: []map[string][]byte{c.seen}, A: markdown.Side{Files: c.files, At: at}, B: markdown.Side{Files: remote, At: at}, Limits: cloneLimits}
	c.files = m.Merge().Files
	c.seen = c.files
	return c.files
}

// TestMergeClones lets three machines work and sync through one remote, in any
// order: in the end all have the same, with each fact once.
func TestMergeClones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, _ := markdown.ParseDate("2026-09-01")
		first := texts{MemoryFile: "# Notes\n\n", "memory/food.md": "---\ntitle: Food\n---\n\n"}.files()
		remote := first
		var clones []*clone
		for _, name := range []string{"north", "south", "east"} {
			clones = append(clones, &clone{name: name, files: first, seen: first})
		}
		want := map[string]bool{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			c := clones[rapid.IntRange(0, 2).Draw(t, "clone")]
			if at = at.AddDays(1); rapid.IntRange(0, 3).Draw(t, "sync") == 0 {
				remote = c.sync(remote, at)
				continue
			}
			c.work(t, at, want)
		}
		for range 2 {
			for _, c := range clones {
				remote = c.sync(remote, at)
			}
		}
		text := ""
		for _, c := range clones {
			if diff := cmp.Diff(treeTexts(remote), treeTexts(c.files)); diff != "" {
				t.Fatalf("%s differs (-remote +clone):\n%s", c.name, diff)
			}
		}
		for _, path := range sortedKeys(remote) {
			text += string(remote[path]) + "\n"
		}
		words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n~·", r) })
		for fact, must := range want {
			n := 0
			for _, w := range words {
				if w == fact {
					n++
				}
			}
			if open := strings.Contains(text, "· conflict "); n == 0 && must || n > 1 && !open {
				t.Fatalf("%s stands %d times in\n%s", fact, n, text)
			}
		}
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "<<<<<<<") || strings.HasPrefix(w, ">>>>>>>") }) {
			t.Fatalf("a marker in\n%s", text)
		}
	})
}
