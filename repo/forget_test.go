package repo

import (
	"strings"
	"testing"
	"testing/fstest"

	"quipu/policy"
)

func (l *lab) forget(f Forgetting) Forgotten {
	l.t.Helper()
	out, err := l.w.Forget(l.ctx(), ada, f)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func (l *lab) me() *Workspace {
	l.t.Helper()
	w, err := l.store.MakeMe(l.ctx(), "")
	if err != nil {
		l.t.Fatal(err)
	}
	return w
}

func (l *lab) about() string {
	l.t.Helper()
	t, err := l.me().Read(l.ctx(), policy.AboutFile)
	if err != nil {
		l.t.Fatal(err)
	}
	return t.Text
}

// withLuna is a workspace that mentions a dog in every living file and in About me.
func withLuna(t *testing.T) *lab {
	l := newLab(t)
	l.append("The dog is called Luna")
	l.append("Has an appointment with the dentist")
	l.update(policy.Update{Action: policy.Append, Text: "Luna eats twice a day", Topic: "pets"})
	l.update(policy.Update{Action: policy.Append, Text: "The cat is called Mo", Topic: "pets"})
	l.save("memory/archive.md", "- 2026-01-02 · Luna was a puppy · moved 2026-02-03\n- 2026-01-03 · The tram is late · moved 2026-02-03\n")
	if _, err := l.me().Prefer(l.ctx(), ada, "Scout", "Walks Luna at seven"); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestForgetEverywhere(t *testing.T) {
	l := withLuna(t)
	out := l.forget(Forgetting{Words: []string{"luna"}, About: true})
	if out.Notes != 3 || out.About != 1 || !out.Listed {
		t.Errorf("forgot %d here and %d in About me, listed %v; want 3, 1, true", out.Notes, out.About, out.Listed)
	}
	for _, p := range []string{"MEMORY.md", "memory/pets.md", "memory/archive.md", policy.LedgerFile} {
		if strings.Contains(strings.ToLower(l.text(p)), "luna") {
			t.Errorf("%s still says it:\n%s", p, l.text(p))
		}
	}
	if strings.Contains(l.about(), "Luna") {
		t.Errorf("About me still says it:\n%s", l.about())
	}
	l.contains(l.text("MEMORY.md"), "dentist")
	l.contains(l.text("memory/pets.md"), "title: pets", "The cat is called Mo")
	if s := l.git("log", "-1", "--format=%B"); strings.Contains(strings.ToLower(s), "luna") || !strings.HasPrefix(s, "forget: 3 notes\n") {
		t.Errorf("the message: %q", s)
	}
	l.sound()
}

func TestForgottenIsNotLearnedAgain(t *testing.T) {
	l := withLuna(t)
	l.forget(Forgetting{Words: []string{"Luna"}, About: true})
	_, err := l.w.Update(l.ctx(), scout, policy.Update{Action: policy.Append, Text: "Luna likes the park"})
	l.refuses(err, ErrRefused)
	l.create("other") // another bot consults the person's list
	_, err = l.w.Update(l.ctx(), scout, policy.Update{Action: policy.Append, Text: "Luna likes the park"})
	l.refuses(err, ErrRefused)
	im, err := l.w.ImportFolder(l.ctx(), ada, fstest.MapFS{"memory/pets.md": {Data: []byte("- 2026-05-05 · Luna barks\n- 2026-05-06 · Mo sleeps\n")}}, "old")
	if err != nil || im.Files[0].Why == "" || strings.Contains(l.text("memory/pets.md"), "Luna") {
		t.Errorf("import: %+v, %v\n%s", im.Files, err, l.text("memory/pets.md"))
	}
	if lines, _, err := l.me().Learn(l.ctx(), scout, "Other", []string{"Has a dog named Luna"}); err != nil || len(lines) != 0 {
		t.Errorf("learned %q, %v", lines, err)
	}
	l.use("scout")
	l.must(l.w.Update(l.ctx(), ada, policy.Update{Action: policy.Append, Text: "Luna is back"}))
	l.append("Luna likes the park") // the bot may learn again what the person asked to remember
	l.sound()
}

func TestUndoOfAForget(t *testing.T) {
	l := withLuna(t)
	before, about := l.text("MEMORY.md"), l.about()
	first := l.rows(Query{Limit: 500, All: true})
	out := l.forget(Forgetting{Words: []string{"Luna"}, About: true})
	for _, row := range first {
		if row.Path == "MEMORY.md" && strings.Contains(row.Subject, "Luna") {
			_, err := l.w.Undo(l.ctx(), ada, string(row.Change), Restore)
			if err == nil && strings.Contains(l.text("MEMORY.md"), "Luna") {
				t.Errorf("restoring before %s brought it back", row.Subject)
			}
		}
	}
	r := l.undo(string(out.Change))
	if l.about() != about {
		t.Errorf("About me: got %q, want %q", l.about(), about)
	}
	if r.Undone != out.Change {
		t.Errorf("undone %s, want %s", r.Undone, out.Change)
	}
	l.contains(l.text("MEMORY.md"), "The dog is called Luna")
	_ = before
	l.append("Luna likes the park")
	l.sound()
}

func TestForgetIsGuarded(t *testing.T) {
	l := newLab(t)
	for s := range strings.FieldsSeq("one two three four five six seven") {
		l.append("The tram is late at " + s)
	}
	_, err := l.w.Forget(l.ctx(), ada, Forgetting{Words: []string{"tram"}})
	l.refuses(err, ErrRefused)
	_, err = l.w.Forget(l.ctx(), ada, Forgetting{Words: []string{"the"}})
	l.refuses(err, ErrRefused)
	m := ada
	m.DryRun = true
	n := l.count()
	dry, err := l.w.Forget(l.ctx(), m, Forgetting{Words: []string{"tram"}, Confirm: true})
	if err != nil || dry.Notes != 7 || l.count() != n {
		t.Errorf("dry run: %d notes, %v; %d commits, want %d", dry.Notes, err, l.count(), n)
	}
	if out := l.forget(Forgetting{Words: []string{"tram"}, Confirm: true}); out.Notes != 7 {
		t.Errorf("forgot %d, want 7", out.Notes)
	}
	l.sound()
}

// A forget that was cut short between the bot and About me is finished later.
func TestForgetIsFinished(t *testing.T) {
	l := withLuna(t)
	phrases, err := policy.ParsePhrases([]string{"Luna"})
	if err != nil {
		t.Fatal(err)
	}
	id, err := l.store.change(l.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	m := ada
	m.Action = ActForget
	if _, _, err := l.w.forgetHere(l.ctx(), m, id, phrases, nil); err != nil {
		t.Fatal(err)
	}
	l.contains(l.about(), "Luna")
	l.reopen()
	for range 2 {
		if err := l.w.Idle(l.ctx(), ada.Author); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(l.about(), "Luna") {
		t.Errorf("About me still says it:\n%s", l.about())
	}
	n := len(strings.Split(l.gitIn(l.me(), "log", "--format=%H"), "\n"))
	if err := l.w.Idle(l.ctx(), ada.Author); err != nil || len(strings.Split(l.gitIn(l.me(), "log", "--format=%H"), "\n")) != n {
		t.Errorf("finishing twice made another change, or failed: %v", err)
	}
}

func (l *lab) gitIn(w *Workspace, args ...string) string {
	l.t.Helper()
	dir := l.dir
	l.dir = w.Dir()
	defer func() { l.dir = dir }()
	return l.git(args...)
}

func TestLedgerIsPutBack(t *testing.T) {
	l := newLab(t)
	l.append("The dog is called Luna")
	l.forget(Forgetting{Words: []string{"Luna"}})
	was := l.text(policy.LedgerFile)
	l.put(policy.LedgerFile, "")
	l.reopen()
	r := l.append("The cat is called Mo")
	if l.text(policy.LedgerFile) != was || was == "" {
		t.Errorf("the ledger: %q, want %q", l.text(policy.LedgerFile), was)
	}
	if !strings.Contains(strings.Join(r.Notes, " "), "put back") {
		t.Errorf("notes %q do not tell", r.Notes)
	}
	l.sound()
}

func TestNeverLearnCanBeSwitchedOff(t *testing.T) {
	l := newLab(t)
	if err := l.store.SetConfig("features.neverLearn", false); err != nil {
		t.Fatal(err)
	}
	l.append("The dog is called Luna")
	if out := l.forget(Forgetting{Words: []string{"Luna"}}); out.Listed || l.text(policy.LedgerFile) != "" {
		t.Errorf("listed %v, ledger %q", out.Listed, l.text(policy.LedgerFile))
	}
	l.append("The dog is called Luna")
	l.sound()
}
