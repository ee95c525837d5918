package repo

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo/turns"
)

const lover = "Persimmon"

// planted is a workspace that holds a word everywhere it can be.
func planted(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.append("Likes tea")
	l.append("The secret lover is " + lover)
	l.append("Sings at night")
	l.update(policy.Update{Action: policy.Append, Text: lover + " likes fish", TextSet: true, Topic: "persimmon"})
	l.update(policy.Update{Action: policy.Supersede, Text: "Sings in the morning", TextSet: true, OldText: "Sings at night", OldTextSet: true})
	l.update(policy.Update{Action: policy.Remove, OldText: "- 2026-09-12 · The secret lover is " + lover, OldTextSet: true})
	l.put("memory/log/2026-09-11.md", "- 14:03 · spoke of "+lover+"\n- 14:05 · made tea\n")
	l.put("memory/topic.md", "---\ntitle: "+lover+" and others\n---\n# About "+lover+"\n- 2026-09-01 · stays\n")
	if _, err := l.w.TakeIn(l.ctx(), ada.Author); err != nil {
		t.Fatal(err)
	}
	l.git("commit", "--allow-empty", "-qm", "by hand: "+lover)
	l.git("tag", "-am", "tagged "+lover, "v1")
	l.git("branch", "other")
	said, err := l.store.Conversations()
	if err != nil {
		t.Fatal(err)
	}
	turn := Turn{ID: "t1", Bot: "scout", Conversation: Conversation{ID: "c", Kind: DirectChat, Title: "On " + lover, StartedBy: "owner"}, Message: "what of " + lover, Speaker: Speaker{By: ByOwner}, Started: noon}
	if _, err := said.Begin(l.ctx(), turn); err != nil {
		t.Fatal(err)
	}
	if err := said.End(l.ctx(), "scout", "t1", Ending{At: noon, Messages: []Message{{Speaker: Speaker{By: turns.Self}, Text: lover + " is well"}, {Speaker: Speaker{By: turns.Self}, Text: "tea?"}}}); err != nil {
		t.Fatal(err)
	}
	return l
}

// After an erasure no object, file or database under the home holds the word; the rest
// is as it was; the story goes on.
func TestErase(t *testing.T) {
	l := planted(t)
	tea := l.rows(Query{All: true, Limit: 1000})
	if hits := stillIn(t, l); len(hits) == 0 {
		t.Fatal("the scan finds nothing of what was planted")
	}
	found, err := l.w.Gone(l.ctx(), []string{lover}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"blob ", "tree ", "commit ", "tag ", "logs/", "conversations", "memory/log/", "memory/persimmon.md"} {
		if !slices.ContainsFunc(found, func(f Finding) bool { return strings.HasPrefix(f.Where, kind) }) {
			t.Errorf("what was planted is not found in %q: %v", kind, found)
		}
	}
	got, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Copies == 0 || got.Changed == 0 || got.Objects == 0 || got.Said != 2 || got.Change == "" || len(got.Unreached) == 0 {
		t.Errorf("erased %+v", got)
	}
	if hits := stillIn(t, l); len(hits) > 0 {
		t.Errorf("it is still in %v", hits)
	}
	for _, want := range []string{"Likes tea", "~~Sings at night~~", "Sings in the morning"} {
		if !strings.Contains(l.text("MEMORY.md"), want) {
			t.Errorf("MEMORY.md lacks %q: %q", want, l.text("MEMORY.md"))
		}
	}
	if got := l.text("memory/log/2026-09-11.md"); got != "- 14:05 · made tea\n" {
		t.Errorf("the day log: %q", got)
	}
	if got := l.text("memory/topic.md"); got != "---\ntitle: «erased» and others\n---\n# About «erased»\n- 2026-09-01 · stays\n" {
		t.Errorf("the topic: %q", got)
	}
	after := l.rows(Query{All: true, Limit: 1000})
	ids := map[ChangeID]bool{}
	for _, r := range after {
		ids[r.Change] = true
	}
	for _, r := range tea {
		if len(r.Change) == 26 && !ids[r.Change] {
			t.Errorf("change %s (%s) is gone", r.Change, r.Action)
		}
	}
	if s := l.git("log", "-1", "--format=%s|%(trailers:key=Memory-Action,valueonly,separator=%x2C)"); !strings.HasPrefix(s, "erase: ") || !strings.HasSuffix(s, "|erase") {
		t.Errorf("the tombstone: %q", s)
	}
	l.sound()
	// Every other change can still be undone by its id, and what was erased is not learned.
	for _, r := range after {
		if r.Action == string(ActUpdate) && strings.Contains(r.Subject, "Likes tea") {
			l.undo(string(r.Change))
		}
	}
	if strings.Contains(l.text("MEMORY.md"), "Likes tea") {
		t.Error("an older change was not undone")
	}
	_, err = l.w.Update(l.ctx(), Meta{Author: Author{Kind: Bot, Name: "scout"}}, policy.Update{Action: policy.Append, Text: lover + " again", TextSet: true})
	l.refuses(err, ErrRefused)
	if found, err := l.w.Gone(l.ctx(), []string{lover}, nil); err != nil || len(found) != 0 {
		t.Errorf("gone: %v, %v", found, err)
	}
	l.reopen()
	if hits := stillIn(t, l); len(hits) > 0 {
		t.Errorf("after a restart it is in %v", hits)
	}
	l.append("Life goes on")
	l.sound()
}

// An erasure by change takes what it brought in out of the history, in every file it
// went to since.
func TestEraseByChange(t *testing.T) {
	l := newLab(t)
	l.append("Likes tea")
	change := l.append("The secret lover is " + lover).Change
	l.update(policy.Update{Action: policy.Supersede, Text: "Alone", TextSet: true, OldText: "The secret lover is " + lover, OldTextSet: true})
	got, err := l.w.Erase(l.ctx(), ada, Erasing{Change: string(change)})
	if err != nil || got.Notes != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if hits := stillIn(t, l); len(hits) > 0 {
		t.Errorf("it is still in %v", hits)
	}
	if text := l.text("MEMORY.md"); !strings.Contains(text, "Likes tea") || !strings.Contains(text, "Alone") {
		t.Errorf("MEMORY.md %q", text)
	}
	_, err = l.w.Undo(l.ctx(), ada, string(change), Revert)
	l.refuses(err, ErrNoUndo)
	l.sound()
}

func TestEraseRefuses(t *testing.T) {
	l := newLab(t)
	for range 8 {
		l.put("MEMORY.md", l.text("MEMORY.md")+"- note of tea\n")
	}
	_, err := l.w.Erase(l.ctx(), ada, Erasing{})
	l.refuses(err, ErrInvalid)
	_, err = l.w.Erase(l.ctx(), ada, Erasing{Words: []string{"the"}})
	l.refuses(err, ErrRefused)
	_, err = l.w.Erase(l.ctx(), ada, Erasing{Words: []string{"tea"}})
	l.refuses(err, ErrRefused)
	_, err = l.w.Erase(l.ctx(), ada, Erasing{Change: "01ARZ3NDEKTSV4RRFFQ69G5FAV"})
	l.refuses(err, ErrNotFound)
	dry := ada
	dry.DryRun = true
	before := l.git("rev-parse", "HEAD")
	if got, err := l.w.Erase(l.ctx(), dry, Erasing{Words: []string{"tea"}}); err != nil || got.Notes != 8 || l.git("rev-parse", "HEAD") != before {
		t.Errorf("dry: %+v, %v", got, err)
	}
}

// stillIn names what under the home holds the word: files byte by byte, and the objects
// of the history.
func stillIn(t *testing.T, l *lab) []string {
	t.Helper()
	needle := []byte(strings.ToLower(lover))
	var hits []string
	err := filepath.WalkDir(l.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.Contains(strings.ToLower(d.Name()), string(needle)) {
			hits = append(hits, "the name "+path)
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && bytes.Contains(bytes.ToLower(data), needle) {
			hits = append(hits, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ToLower(l.objects()), string(needle)) {
		hits = append(hits, "an object")
	}
	return hits
}

// A forget that erases leaves nothing of it behind, here and in About me.
func TestForgetErases(t *testing.T) {
	l := planted(t)
	me, err := l.store.MakeMe(l.ctx(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := me.Prefer(l.ctx(), ada, "scout", "never tell of "+lover); err != nil {
		t.Fatal(err)
	}
	out := l.forget(Forgetting{Words: []string{lover}, About: true, Erase: true, Confirm: true})
	if out.Notes != 1 || out.About != 1 || !out.Listed || len(out.Left) != 0 {
		t.Errorf("forgot %+v", out)
	}
	if e := out.Erased; e == nil || e.Said != 2 || e.Copies == 0 || len(e.Unreached) == 0 {
		t.Fatalf("erased %+v", out.Erased)
	}
	if hits := stillIn(t, l); len(hits) > 0 {
		t.Errorf("it is still in %v", hits)
	}
	if found, err := me.Gone(l.ctx(), []string{lover}, nil); err != nil || len(found) != 0 {
		t.Errorf("in About me: %v, %v", found, err)
	}
	ledger, err := l.w.ledgerNow()
	if n := ledger.Never().Len(); err != nil || n != 1 {
		t.Errorf("listed %d times, %v", n, err)
	}
	l.sound()
	// What nobody ever said leaves no trace but the list.
	before := l.git("rev-list", "--count", "HEAD")
	out = l.forget(Forgetting{Words: []string{"Zanzibar"}, Erase: true})
	if after := l.git("rev-list", "--count", "HEAD"); out.Erased == nil || out.Erased.Copies != 0 || after == before {
		t.Errorf("%+v, %s commits after %s", out.Erased, after, before)
	}
	l.sound()
}

// An erasure that broke off before the history is told of until it is asked for again;
// what stands in its way is told before anything is written.
func TestEraseBrokenOff(t *testing.T) {
	l := planted(t)
	if err := l.w.keepErasing(ada, "01JDXK3T9M2Q4R6S8V0W1X2Y3Z", policy.EraseFacts([]string{"nobody said this"})); err != nil {
		t.Fatal(err)
	}
	l.reopen()
	for name, look := range map[string]func() ([]Finding, error){
		"verify": func() ([]Finding, error) { return l.w.Verify(l.ctx(), nil) },
		"doctor": func() ([]Finding, error) { return l.w.Doctor(l.ctx(), false) },
	} {
		found, err := look()
		if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return strings.Contains(f.What, "has not come to its end") }) {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	tree := filepath.Join(t.TempDir(), "wt")
	l.git("worktree", "add", "-q", tree, "-b", "side")
	before, text := l.git("rev-parse", "HEAD"), l.text("memory/persimmon.md")
	for name, erase := range map[string]func(Meta) error{
		"erase": func(m Meta) error {
			_, err := l.w.Erase(l.ctx(), m, Erasing{Words: []string{lover}, Confirm: true})
			return err
		},
		"forget": func(m Meta) error {
			_, err := l.w.Forget(l.ctx(), m, Forgetting{Words: []string{lover}, Confirm: true, Erase: true})
			return err
		},
	} {
		dry := ada
		dry.DryRun = true
		for _, m := range []Meta{ada, dry} {
			if err := erase(m); err == nil || !strings.Contains(err.Error(), "worktree") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if l.git("rev-parse", "HEAD") != before || l.text("memory/persimmon.md") != text {
			t.Errorf("%s changed something", name)
		}
	}
	l.git("worktree", "remove", "--force", tree)
	dry := ada
	dry.DryRun = true
	would, err := l.w.Erase(l.ctx(), dry, Erasing{Words: []string{lover}, Confirm: true})
	if err != nil || would.Copies == 0 || would.Said == 0 || would.Notes == 0 {
		t.Errorf("would erase %+v, %v", would, err)
	}
	if _, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	if found, err := l.w.Verify(l.ctx(), nil); err != nil || len(found) != 0 {
		t.Errorf("after it: %v, %v", found, err)
	}
}

// After an erasure undo and redo pass over what is gone, and say so where they are asked
// for it by name.
func TestUndoAfterErase(t *testing.T) {
	l := newLab(t)
	l.append("Likes tea")
	secret := l.append("The secret lover is " + lover)
	undone := l.undo("")
	if _, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
		t.Fatal(err)
	}
	_, err := l.w.Redo(l.ctx(), ada)
	l.refuses(err, ErrNotFound)
	for _, r := range []Receipt{secret, undone} {
		_, err := l.w.Undo(l.ctx(), ada, string(r.Change), Revert)
		if l.refuses(err, ErrNoUndo); !strings.Contains(err.Error(), "erased") {
			t.Errorf("%v", err)
		}
	}
	forgot := l.forget(Forgetting{Words: []string{"tea"}, Erase: true})
	r := l.undo(string(forgot.Change))
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "erased for good") {
		t.Errorf("undo of a forget that erased says %v", r.Notes)
	}
	l.sound()
}
