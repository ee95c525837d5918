package markdown

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Files as a bot has them, for random operations.
var mergePaths = []string{memoryPath, foodPath, "memory/work.md", archivePath}

// facts have no word in common, so that no wording passes for another's.
var mergeFacts = strings.Fields(`apple brook candle donkey ember falcon garden hammer island jungle kettle ladder
	marble needle orchid pepper quarry ribbon saddle temple urchin violet walnut yellow zephyr anchor basket copper`)

// notebook is a version that random operations change: entries by file.
type notebook map[string][]Entry

func (n notebook) clone() notebook {
	out := notebook{}
	for path, entries := range n {
		out[path] = slices.Clone(entries)
	}
	return out
}

func (n notebook) files(eol string) map[string][]byte {
	files := map[string][]byte{}
	for path, entries := range n {
		text := ""
		if path != memoryPath {
			text = "---\ntitle: " + path + "\n---\n\n"
		}
		for _, e := range entries {
			text += e.String() + "\n"
		}
		files[path] = []byte(strings.ReplaceAll(text, "\n", eol))
	}
	return files
}

// find returns the file of a fact, "" when there is none.
func (n notebook) find(fact string) string {
	for path, entries := range n {
		if slices.ContainsFunc(entries, func(e Entry) bool { return word(e) == fact }) {
			return path
		}
	}
	return ""
}

// word is the fact that an entry is about.
func word(e Entry) string { return strings.Fields(e.Text)[0] }

// deed is what a side did to one fact.
type deed struct {
	struck, edited, deleted, added, until bool
	moved                                 string // where to, or ""
}

// act does random things to a version, at most one of a kind to each fact, and
// returns them. name makes the two sides' words differ.
func act(t *rapid.T, n notebook, name string) map[string]*deed {
	did := map[string]*deed{}
	at := func(w string) *deed {
		if did[w] == nil {
			did[w] = &deed{}
		}
		return did[w]
	}
	today, _ := ParseDate("2026-11-30")
	for i := range rapid.IntRange(0, 8).Draw(t, "ops "+name) {
		op := rapid.SampledFrom([]string{"add", "strike", "edit", "move", "delete", "reorder", "until"}).Draw(t, "op")
		path := rapid.SampledFrom(mergePaths).Draw(t, "path")
		if op == "add" {
			e := NewEntry(fmt.Sprintf("%s%d plus", name, i), "", false, today.AddDays(-rapid.IntRange(0, 90).Draw(t, "age")), Date{})
			n[path] = append(n[path], e)
			at(word(e)).added = true
			continue
		}
		entries := n[path]
		if len(entries) == 0 {
			continue
		}
		k := rapid.IntRange(0, len(entries)-1).Draw(t, "entry")
		e := &entries[k]
		d := at(word(*e))
		if d.added || d.deleted {
			continue
		}
		switch op {
		case "strike":
			if !e.Struck {
				*e = Entry{Date: e.Date, Text: e.Text, Struck: true, Superseded: today}
				d.struck = true
			}
		case "edit":
			if !d.edited && !d.struck {
				*e = e.Replaced(e.Text+" "+name, today)
				d.edited = true
			}
		case "until":
			if !e.Struck {
				e.Until, d.until = today.AddDays(40), true
			}
		case "move":
			to := rapid.SampledFrom(mergePaths).Draw(t, "to")
			if to == path || d.moved != "" {
				continue
			}
			moved := *e
			if to == archivePath {
				moved.Moved = today
			}
			n[path] = slices.Delete(entries, k, k+1)
			n[to] = append(n[to], moved)
			d.moved = to
		case "delete":
			n[path] = slices.Delete(entries, k, k+1)
			d.deleted = true
		case "reorder":
			entries[k], entries[0] = entries[0], entries[k]
		}
	}
	return did
}

func drawNotebook(t *rapid.T) notebook {
	n := notebook{}
	today, _ := ParseDate("2026-11-30")
	for _, path := range mergePaths {
		n[path] = nil
	}
	for _, fact := range rapid.SliceOfNDistinct(rapid.SampledFrom(mergeFacts), 0, 20, rapid.ID).Draw(t, "facts") {
		path := rapid.SampledFrom(mergePaths).Draw(t, "file")
		n[path] = append(n[path], NewEntry(fact, "", false, today.AddDays(-100), Date{}))
	}
	return n
}

// TestMergeOfRandomWork lets two sides do random things and wants of each fact
// exactly what both sides' work comes to.
func TestMergeOfRandomWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawNotebook(t)
		a, b := base.clone(), base.clone()
		didA, didB := act(t, a, "north"), act(t, b, "south")
		eolA := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "line end")
		before, left, right := treeOf(base.files("\n")), treeOf(a.files(eolA)), treeOf(b.files("\n"))
		dayA, _ := ParseDate("2026-11-30")
		got := mergeBoth(t, before, left, right, dayA, dayA.AddDays(-rapid.IntRange(0, 1).Draw(t, "later")))
		found := map[string][]Entry{}
		where := map[string]string{}
		for path, text := range got.Files {
			if strings.Contains(string(text), "\r\n") && strings.Contains(strings.ReplaceAll(string(text), "\r\n", ""), "\n") {
				t.Fatalf("%s has two line ends: %q", path, text)
			}
			for _, e := range Parse(path, text).Entries() {
				found[word(e)] = append(found[word(e)], e)
				where[word(e)] = path
			}
		}
		for _, side := range []notebook{base, a, b} {
			for path, entries := range side {
				for _, e := range entries {
					was := base.find(word(e))
					if was == "" {
						was = path
					}
					wantFact(t, word(e), was, found[word(e)], where[word(e)], cmpDeed(didA[word(e)]), cmpDeed(didB[word(e)]))
				}
			}
		}
		again := mergeBoth(t, before, treeOf(got.Files), left, dayA, dayA)
		if diff := cmp.Diff(entrySet(got.Files), entrySet(again.Files)); diff != "" {
			t.Fatalf("merged with a side once more (-once +twice):\n%s", diff)
		}
	})
}

func cmpDeed(d *deed) deed {
	if d == nil {
		return deed{}
	}
	return *d
}

// wantFact checks what became of one fact.
func wantFact(t *rapid.T, fact, was string, got []Entry, where string, a, b deed) {
	changed := func(d deed) bool { return d.struck || d.edited || d.until }
	want := 1
	switch {
	case a.deleted && b.deleted, a.deleted && !changed(b), b.deleted && !changed(a):
		want = 0
	case !a.deleted && !b.deleted && a.edited && b.edited:
		want = 2
	}
	if len(got) != want {
		t.Fatalf("%s stands %d times, want %d: %v\na %+v\nb %+v", fact, len(got), want, got, a, b)
	}
	if want == 0 {
		return
	}
	alive := func(d deed) deed {
		if d.deleted {
			return deed{}
		}
		return d
	}
	a, b = alive(a), alive(b)
	place := []string{a.moved, b.moved}
	if place = slices.DeleteFunc(place, func(to string) bool { return to == "" }); len(place) == 0 {
		place = []string{was}
	}
	if !slices.Contains(place, where) {
		t.Fatalf("%s is in %s, want %v\na %+v\nb %+v", fact, where, place, a, b)
	}
	if want == 2 {
		if got[0].Conflict.IsZero() == got[1].Conflict.IsZero() {
			t.Fatalf("%s: not exactly one is marked: %v", fact, got)
		}
		return
	}
	e := got[0]
	if !e.Conflict.IsZero() {
		t.Fatalf("%s is marked: %v", fact, e)
	}
	if e.Struck != (a.struck || b.struck) {
		t.Fatalf("%s: struck = %v\na %+v\nb %+v", fact, e.Struck, a, b)
	}
	if edited := e.Text != fact && !a.added && !b.added; edited != (a.edited || b.edited) {
		t.Fatalf("%s: text %q\na %+v\nb %+v", fact, e.Text, a, b)
	}
	if until := !e.Until.IsZero(); until != (a.until || b.until) && !e.Struck {
		t.Fatalf("%s: until = %v\na %+v\nb %+v", fact, e.Until, a, b)
	}
}

// entrySet lists all entries but for the date of a conflict, sorted.
func entrySet(files map[string][]byte) []string {
	var list []string
	for path, text := range files {
		for _, e := range Parse(path, text).Entries() {
			if e.Line = 0; !e.Conflict.IsZero() {
				e.Conflict, _ = ParseDate("2000-01-01")
			}
			list = append(list, path+" "+e.String())
		}
	}
	slices.Sort(list)
	return list
}

// TestMergeOfThree holds up to the order of entries: whichever two of three sides
// are merged first. Left out are a delete against a change and a move, which meet
// the third side in another state, and a strike or last day where two others made
// two wordings: it holds for the one that stood at the time.
func TestMergeOfThree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawNotebook(t)
		sides := make([]Side, 3)
		edits, others := map[string]int{}, map[string]int{}
		for i, name := range []string{"north", "south", "east"} {
			side := base.clone()
			did := act(t, side, name)
			for fact, d := range did {
				if d.edited {
					edits[fact]++
				}
				if d.struck || d.until {
					others[fact]++
				}
				if d.deleted || d.moved != "" || edits[fact] > 1 && others[fact] > 0 {
					t.Skip("a delete or a move, or a strike of two wordings")
				}
			}
			at, _ := ParseDate(fmt.Sprintf("2026-11-%d", 28+i))
			sides[i] = Side{side.files("\n"), at}
		}
		bases := []map[string][]byte{base.files("\n")}
		two := func(a, b Side) Side {
			at := a.At
			if at.Before(b.At) {
				at = b.At
			}
			return Side{Merge(bases, a, b, nil).Files, at}
		}
		first := two(two(sides[0], sides[1]), sides[2])
		for _, other := range []Side{two(sides[0], two(sides[1], sides[2])), two(two(sides[0], sides[2]), sides[1])} {
			if diff := cmp.Diff(entrySet(first.Files), entrySet(other.Files)); diff != "" {
				t.Fatalf("entries (-first +other):\n%s", diff)
			}
		}
	})
}

// mergeLaws checks what holds for any bytes.
func mergeLaws(t interface{ Fatalf(string, ...any) }, base, a, b []byte) {
	at, _ := ParseDate("2026-11-30")
	one := func(text []byte) map[string][]byte { return map[string][]byte{memoryPath: text} }
	bases := []map[string][]byte{one(base)}
	text := func(m Merged) []byte { return m.Files[memoryPath] }
	if got := text(Merge(bases, Side{one(a), at}, Side{one(a), at}, nil)); !bytes.Equal(got, a) {
		t.Fatalf("Merge(a, a) = %q, want %q", got, a)
	}
	if got := text(Merge(bases, Side{one(base), at}, Side{one(b), at}, nil)); !bytes.Equal(got, b) {
		t.Fatalf("Merge(base, b) = %q, want %q", got, b)
	}
	got := Merge(bases, Side{one(a), at}, Side{one(b), at}, nil)
	if back := Merge(bases, Side{one(b), at}, Side{one(a), at}, nil); !bytes.Equal(text(got), text(back)) {
		t.Fatalf("Merge(a, b) = %q, Merge(b, a) = %q\nbase %q\na %q\nb %q", text(got), text(back), base, a, b)
	}
	// Another file that changes on one side takes the shortcuts away.
	with := func(files map[string][]byte, path, text string) map[string][]byte {
		files = maps.Clone(files)
		files[path] = []byte(text)
		return files
	}
	far := Merge(bases, Side{with(one(base), foodPath, dog), at}, Side{one(b), at}, nil)
	if !bytes.Equal(text(far), b) {
		t.Fatalf("with another file Merge(base, b) = %q, want %q\nbase %q", text(far), b, base)
	}
	said := func(text []byte) map[string]int {
		n := map[string]int{}
		for _, e := range Parse("", text).Entries() {
			n[Identity(e.Text)]++
		}
		return n
	}
	if len(got.Apart) > 0 {
		if !bytes.Equal(text(got), a) && !bytes.Equal(text(got), b) {
			t.Fatalf("apart, but %q is no side's text", text(got))
		}
		return
	}
	was, inA, inB, now := said(base), said(a), said(b), said(text(got))
	for id := range maps.Keys(inA) {
		if (was[id] == 0 || inB[id] > 0) && now[id] == 0 {
			t.Fatalf("%q is lost\nbase %q\na %q\nb %q\ngot %q", id, base, a, b, text(got))
		}
	}
	for id := range maps.Keys(inB) {
		if was[id] == 0 && now[id] == 0 {
			t.Fatalf("%q is lost\nbase %q\na %q\nb %q\ngot %q", id, base, a, b, text(got))
		}
	}
	for _, marker := range []string{"<<<<<<<", "=======", ">>>>>>>"} {
		if bytes.Contains(text(got), []byte(marker)) && !bytes.Contains(slices.Concat(a, b), []byte(marker)) {
			t.Fatalf("a marker in %q", text(got))
		}
	}
}

func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mergeLaws(t, []byte(wild().Draw(t, "base")), []byte(wild().Draw(t, "a")), []byte(wild().Draw(t, "b")))
	})
}

func FuzzMerge(f *testing.F) {
	for i, seed := range fileSeeds {
		f.Add([]byte(seed), []byte(fileSeeds[(i+1)%len(fileSeeds)]), []byte(fileSeeds[(i+5)%len(fileSeeds)]))
	}
	f.Fuzz(func(t *testing.T, base, a, b []byte) { mergeLaws(t, base, a, b) })
}

// TestMergeAgain merges the result with a side once more: nothing is added to it
// and nothing taken out. Notes that share their words are the hard case.
func TestMergeAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, a, b := notes(true).Draw(t, "base"), notes(true).Draw(t, "a"), notes(true).Draw(t, "b")
		at, _ := ParseDate("2026-11-30")
		one := func(text string) tree { return tree{memoryPath: text} }
		first := mergeBoth(t, one(base), one(a), one(b), at, at)
		for _, side := range []string{a, b} {
			again := mergeBoth(t, one(base), treeOf(first.Files), one(side), at, at)
			if diff := cmp.Diff(counts(first.Files[memoryPath]), counts(again.Files[memoryPath])); diff != "" {
				t.Fatalf("units (-first +again):\n%s\nbase %q\na %q\nb %q\nfirst %q\nagain %q", diff, base, a, b, first.Files[memoryPath], again.Files[memoryPath])
			}
		}
	})
}
