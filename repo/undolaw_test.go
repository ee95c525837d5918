package repo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quipu/markdown"
	"quipu/policy"
)

// sequence is a lab driven by random verbs, and what it has seen.
type sequence struct {
	*lab
	r     *rapid.T
	made  []Receipt
	facts int
	start map[string]string // the files after init
}

var seqPaths = []string{"MEMORY.md", "memory/food.md", "memory/work.md"}

func (s *sequence) fact() string {
	s.facts++
	words := []string{"tea", "Leeds", "short replies", "the red door", "plan B", "Ünï", "旅行"}
	return fmt.Sprintf("fact %03d about %s", s.facts, rapid.SampledFrom(words).Draw(s.r, "word"))
}

// files is every memory file now.
func (s *sequence) files() map[string]string {
	out := map[string]string{}
	for _, p := range seqPaths {
		if text := s.text(p); text != "" {
			out[p] = text
		}
	}
	return out
}

// entry picks a live entry of the files, "" when there is none.
func (s *sequence) entry() string {
	var all []string
	for _, p := range seqPaths {
		for _, e := range markdown.Parse(p, []byte(s.text(p))).Entries() {
			if !e.Struck {
				all = append(all, e.Text)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return rapid.SampledFrom(all).Draw(s.r, "entry")
}

// did notes a receipt; an error must be one that a person can act on.
func (s *sequence) did(r Receipt, err error) bool {
	if err != nil {
		for _, k := range []error{ErrConflict, ErrNotFound, ErrInvalid, ErrNoUndo} {
			if errors.Is(err, k) {
				return false
			}
		}
		s.r.Fatalf("%v", err)
	}
	if r.Change != "" {
		s.made = append(s.made, r)
	}
	return r.Change != ""
}

// step does one verb and checks that no line went away but by a change that says so.
func (s *sequence) step() {
	before, n := s.files(), len(s.made)
	s.verb()
	var diffs strings.Builder
	for _, r := range s.made[n:] {
		for _, row := range r.Rows {
			diffs.WriteString("\n" + row.Diff + "\n")
		}
	}
	for path, text := range before {
		for line := range strings.SplitSeq(text, "\n") {
			if !strings.Contains(s.text(path), line) && !strings.Contains(diffs.String(), "\n-"+line+"\n") {
				s.r.Fatalf("the line %q of %s is gone and no change says so:\n%s", line, path, diffs.String())
			}
		}
	}
}

func (s *sequence) verb() {
	old := s.entry()
	switch verb := rapid.SampledFrom([]string{"append", "append", "append", "replace", "supersede", "remove", "save", "delete", "outside", "undo", "undo newest", "redo", "restore", "restore row"}).Draw(s.r, "verb"); verb {
	case "append":
		topic := rapid.SampledFrom([]string{"", "", "food", "work"}).Draw(s.r, "topic")
		s.did(s.w.Update(s.ctx(), scout, policy.Update{Action: policy.Append, Text: s.fact(), Topic: topic}))
	case "replace", "supersede":
		s.did(s.w.Update(s.ctx(), scout, policy.Update{Action: policy.Action(verb), OldText: old, Text: s.fact()}))
	case "remove":
		s.did(s.w.Update(s.ctx(), scout, policy.Update{Action: policy.Remove, OldText: old}))
	case "save":
		path := rapid.SampledFrom(seqPaths).Draw(s.r, "path")
		s.did(s.w.Save(s.ctx(), ada, path, s.text(path)+"a line by hand "+s.fact()+"\n", Expect{Any: true}))
	case "delete":
		s.did(s.w.Delete(s.ctx(), ada, "memory/food.md", Expect{}))
	case "outside":
		s.put("memory/work.md", "- edited outside: "+s.fact()+"\n"+s.text("memory/work.md"))
		receipts, err := s.w.TakeIn(s.ctx(), ada.Author)
		if err != nil || len(receipts) != 1 {
			s.r.Fatalf("taking in gave %v %v", receipts, err)
		}
		s.did(receipts[0], nil)
	case "undo":
		s.undoOne()
	case "undo newest":
		s.did(s.w.Undo(s.ctx(), ada, "", Revert))
	case "redo":
		s.did(s.w.Redo(s.ctx(), ada))
	case "restore row":
		if len(s.made) > 0 {
			rows := rapid.SampledFrom(s.made).Draw(s.r, "row").Rows
			s.did(s.w.Undo(s.ctx(), ada, rapid.SampledFrom(rows).Draw(s.r, "its file").ID, Restore))
		}
	case "restore":
		if len(s.made) > 0 {
			r := rapid.SampledFrom(s.made).Draw(s.r, "state")
			s.did(s.w.Restore(s.ctx(), ada, rapid.SampledFrom(seqPaths).Draw(s.r, "path"), string(r.Change)))
		}
	}
}

// undoOne undoes a change by its id and checks two laws: what is undone and done
// again is as it was, and an undo takes out no unit but what the change had put in.
func (s *sequence) undoOne() {
	if len(s.made) == 0 {
		return
	}
	target := rapid.SampledFrom(s.made).Draw(s.r, "change")
	before := s.files()
	rows := s.rows(Query{Change: target.Change})
	undone, err := s.w.Undo(s.ctx(), ada, string(target.Change), Revert)
	if !s.did(undone, err) {
		if after := s.files(); fmt.Sprint(after) != fmt.Sprint(before) {
			s.r.Fatalf("a refused undo changed the files from %q to %q", before, after)
		}
		return
	}
	for path, text := range before {
		for _, u := range markdown.Parse(path, []byte(text)).Units() {
			raw := string(u.Raw)
			if u.Kind == markdown.KindBlank || strings.Contains(s.text(path), raw) || wroteIn(rows, path, raw) {
				continue
			}
			s.r.Fatalf("undo of %s took %q out of %s, which that change had not put in:\n%v", target.Change, raw, path, rows)
		}
	}
	again, err := s.w.Undo(s.ctx(), ada, string(undone.Change), Revert)
	if !s.did(again, err) {
		s.r.Fatalf("the undo %s cannot be undone: %v", undone.Change, err)
	}
	if again.Rows[0].Action != string(ActRedo) && rows[0].Action != string(ActUndo) {
		s.r.Fatalf("the undo of an undo is called %s", again.Rows[0].Action)
	}
	if after := s.files(); fmt.Sprint(after) != fmt.Sprint(before) {
		s.r.Fatalf("undo and undo of that went from %q to %q", before, after)
	}
}

// wroteIn says whether a change's diff of a path has a line of the unit as added.
func wroteIn(rows []Row, path, raw string) bool {
	first, _, _ := strings.Cut(raw, "\n")
	return slices.ContainsFunc(rows, func(r Row) bool {
		return r.Path == path && strings.Contains(r.Diff+"\n", "\n+"+strings.TrimRight(first, "\r")+"\n")
	})
}

// end checks what must hold after any sequence.
func (s *sequence) end() {
	commits := s.log("%H")
	for _, r := range s.made {
		if !slices.Contains(commits, r.Commit) {
			s.r.Fatalf("change %s is not in the history", r.Change)
		}
		d, err := s.w.Show(s.ctx(), string(r.Change))
		if err != nil || len(d.Rows) != len(r.Rows) {
			s.r.Fatalf("show %s: %d rows (%v), want %d", r.Change, len(d.Rows), err, len(r.Rows))
		}
		for i, row := range d.Rows {
			s.sameRow(row, r.Rows[i])
		}
	}
	s.pages()
	for range 2*len(s.made) + 5 {
		_, err := s.w.Undo(s.ctx(), ada, "", Revert)
		if errors.Is(err, ErrNotFound) {
			if got := s.files(); fmt.Sprint(got) != fmt.Sprint(s.start) {
				s.r.Fatalf("all is undone and the files are %q, want %q", got, s.start)
			}
			break
		}
		if errors.Is(err, ErrConflict) {
			break // a change that a restore or an undo by id went over: told, not forced
		}
		if err != nil {
			s.r.Fatal(err)
		}
	}
	s.sound()
}

// sameRow compares a row as read with the one the receipt had, and its hashes with
// the texts in the history.
func (s *sequence) sameRow(got, want Row) {
	type facts struct{ id, path, kind, diff, subject, before, after string }
	of := func(r Row) facts {
		f := facts{r.ID, r.Path, r.Kind, r.Diff, r.Subject, "", ""}
		if r.BeforeHash != nil {
			f.before = *r.BeforeHash
		}
		if r.AfterHash != nil {
			f.after = *r.AfterHash
		}
		return f
	}
	if of(got) != of(want) {
		s.r.Fatalf("row read  %+v\nreceipt's %+v", of(got), of(want))
	}
	for ref, sum := range map[string]string{got.Commit: of(got).after, got.Commit + "~": of(got).before} {
		if sum == "" {
			continue
		}
		text, _, err := s.gitRaw("cat-file", "blob", ref+":"+got.Path)
		if err != nil || sum != hashText([]byte(text)) {
			s.r.Fatalf("hash of %s at %s is wrong (%v)", got.Path, ref, err)
		}
	}
}

// pages reads the journal in pages: each row comes once, in the order of one page.
func (s *sequence) pages() {
	all := s.rows(Query{Limit: 1000, All: true})
	size := rapid.IntRange(1, 7).Draw(s.r, "page")
	var got []string
	for before := ""; ; {
		rows := s.rows(Query{Limit: size, All: true, Before: ChangeID(before)})
		for _, r := range rows {
			got = append(got, r.ID)
		}
		if len(rows) < size {
			break
		}
		before = rows[len(rows)-1].ID
	}
	var want []string
	for _, r := range all {
		want = append(want, r.ID)
	}
	if !slices.Equal(got, want) {
		s.r.Fatalf("pages of %d give %v, want %v", size, got, want)
	}
}

func TestUndoLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := newLab(t)
		s := &sequence{lab: l, r: r}
		s.start = s.files()
		for range rapid.IntRange(3, 14).Draw(r, "steps") {
			s.step()
		}
		s.end()
		_ = l.store.Close()
	})
}
