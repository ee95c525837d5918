package repo

import (
	"errors"
	"strings"
	"testing"
	"time"

	"quipu/markdown"
	"quipu/policy"
)

var upkept = Meta{Author: Author{Kind: Upkeep}, Via: ViaTidy}

const sporting = "The person enjoys endurance sport"

var sports = []string{"Swims in the lake", "Runs up hills", "Brews green tea in a kettle"}

// reflected is a workspace with a reflection of two facts.
func reflected(t *testing.T) (*lab, Reflections) {
	t.Helper()
	l := newLab(t)
	for _, f := range sports {
		l.append(f)
	}
	return l, l.reflect(policy.Reflected{Text: sporting, From: sports[:2], Weight: 10})
}

func (l *lab) reflect(list ...policy.Reflected) Reflections {
	l.t.Helper()
	r, err := l.w.Reflect(l.ctx(), upkept, list, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

// guess is the one reflection that there is.
func (l *lab) guess() Guess {
	l.t.Helper()
	list, err := l.w.Guesses(l.ctx())
	if err != nil || len(list) != 1 {
		l.t.Fatalf("%d reflections, %v", len(list), err)
	}
	return list[0]
}

// recalls says whether the reflection can enter a prompt.
func (l *lab) recalls() bool {
	l.t.Helper()
	notes, err := l.w.Notes(l.ctx(), NoteQuery{Text: "enjoys endurance sport", Limit: 10})
	if err != nil {
		l.t.Fatal(err)
	}
	loaded, err := l.w.Load(l.ctx())
	if err != nil {
		l.t.Fatal(err)
	}
	for _, n := range notes {
		if strings.Contains(n.Text, sporting) {
			return true
		}
	}
	return strings.Contains(loaded.Block, sporting)
}

// TestReflect files a reflection with its facts and its support as one change, which one
// undo takes back whole.
func TestReflect(t *testing.T) {
	l, r := reflected(t)
	l.contains(l.text(policy.ReflectionsFile), "title: Reflections", `from reflection on "Swims in the lake"; "Runs up hills" (noticed) · `+sporting)
	g := l.guess()
	if g.Fact != sporting || g.Support != 0.8 || g.Tier != policy.TierPending || len(g.From) != 2 || g.Fell || g.Path != policy.ReflectionsFile {
		t.Errorf("%+v", g)
	}
	if row := l.rows(Query{Limit: 1})[0]; row.Action != "reflect" || row.Actor != "upkeep" || row.Subject != "reflect: "+sporting {
		t.Errorf("%+v", row)
	}
	if !l.recalls() {
		t.Error("it is not found")
	}
	l.undo(string(r.Change))
	list, err := l.w.Guesses(l.ctx())
	e, _ := l.w.Evidence(l.ctx(), sporting, time.Time{})
	if err != nil || len(list) > 0 || e.Support != 0 || l.recalls() {
		t.Errorf("undone: %+v, %+v, %v", list, e, err)
	}
	if again := l.reflect(policy.Reflected{Text: sporting, From: sports[:2], Weight: 8}); len(again.Kept) != 1 {
		t.Error("what was undone cannot be drawn again")
	}
	if g := l.guess(); g.Support != 0.4 {
		t.Errorf("drawn again: %+v", g)
	}
	l.sound()
}

// TestReflectChecksAgain: what changed while the model thought voids what it drew.
func TestReflectChecksAgain(t *testing.T) {
	for name, change := range map[string]func(l *lab){
		"a fact is gone": func(l *lab) { l.update(policy.Update{Action: policy.Remove, OldText: sports[0]}) },
		"a fact is struck": func(l *lab) {
			l.update(policy.Update{Action: policy.Supersede, OldText: sports[0], Text: "Sits on the sofa"})
		},
		"a fact is disputed": func(l *lab) { l.signal(policy.Rebut, sports[1]) },
		"a note says it":     func(l *lab) { l.append(sporting) },
		"it is disputed": func(l *lab) {
			l.signal(policy.Rebut, l.append("Enjoys endurance sport").Entry[len("- 2026-09-10 · "):])
		},
		"it is forgotten":           func(l *lab) { l.forget(Forgetting{Words: []string{"endurance"}}) },
		"it is not to be mentioned": func(l *lab) { l.wish("endurance sport") },
		"a fact is edited by hand": func(l *lab) {
			l.put("MEMORY.md", strings.Replace(l.text("MEMORY.md"), sports[1], "Runs down hills", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			for _, f := range sports {
				l.append(f)
			}
			change(l)
			r := l.reflect(policy.Reflected{Text: sporting, From: sports[:2], Weight: 10})
			if len(r.Kept) > 0 || r.Skipped != 1 || r.Change != "" {
				t.Errorf("%+v", r)
			}
		})
	}
	l, _ := reflected(t)
	if r := l.reflect(policy.Reflected{Text: "Is a strong person", From: []string{sporting, sports[0]}}); len(r.Kept) > 0 {
		t.Error("drawn from a reflection")
	}
	if _, err := l.w.Reflect(l.ctx(), upkept, []policy.Reflected{{Text: "x y z", From: sports[:2]}}, func() error { return ErrOff }); !errors.Is(err, ErrOff) {
		t.Errorf("got %v", err)
	}
}

// TestReflectionFalls: it enters no prompt while one of its facts does not stand, from that
// change on, and stands again when that is undone.
func TestReflectionFalls(t *testing.T) {
	for name, change := range map[string]func(l *lab) Receipt{
		"disputed": func(l *lab) Receipt { return l.signal(policy.Rebut, sports[1]) },
		"removed":  func(l *lab) Receipt { return l.update(policy.Update{Action: policy.Remove, OldText: sports[0]}) },
		"superseded": func(l *lab) Receipt {
			return l.update(policy.Update{Action: policy.Supersede, OldText: sports[0], Text: "Sits on the sofa"})
		},
		"forgotten": func(l *lab) Receipt { return l.forget(Forgetting{Words: []string{"hills"}}).Receipt },
		"said to be something else": func(l *lab) Receipt {
			return l.update(policy.Update{Action: policy.Replace, OldText: sports[0], Text: "Collects stamps of old ships"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := reflected(t)
			if !l.recalls() {
				t.Fatal("out to begin with")
			}
			r := change(l)
			if l.recalls() {
				t.Error("it enters a prompt")
			}
			l.reopen()
			if l.recalls() {
				t.Error("it enters a prompt after a restart")
			}
			l.undo(string(r.Change))
			if !l.recalls() {
				t.Error("undone, and still out")
			}
			l.sound()
		})
	}
	t.Run("reworded", func(t *testing.T) {
		l, _ := reflected(t)
		l.update(policy.Update{Action: policy.Replace, OldText: sports[1], Text: "Runs up the hills."})
		if !l.recalls() {
			t.Error("a fact in other words is the same fact")
		}
	})
	t.Run("erased", func(t *testing.T) {
		l, _ := reflected(t)
		l.forget(Forgetting{Words: []string{"hills"}, Erase: true})
		if l.recalls() || strings.Contains(l.objects(), "hills") {
			t.Error("it is not gone")
		}
	})
}

// TestShownOnce: a reflection is shown once, across a restart, one a day, and neither what
// is out nor what is not to be mentioned.
func TestShownOnce(t *testing.T) {
	l, _ := reflected(t)
	second := "The person keeps fit outdoors"
	l.clock.set(l.clock.now().Add(time.Minute))
	l.reflect(policy.Reflected{Text: second, From: []string{sports[1], sports[2]}, Weight: 5})
	g, ok, err := l.w.ToShow(l.ctx())
	if err != nil || !ok || g.Fact != sporting {
		t.Fatalf("%+v %v %v", g, ok, err)
	}
	l.must(l.w.MarkShown(l.ctx(), upkept, g.Fact))
	l.refuses(onlyErr(l.w.MarkShown(l.ctx(), upkept, g.Fact)), ErrConflict)
	l.refuses(onlyErr(l.w.MarkShown(l.ctx(), upkept, sports[0])), ErrNotFound)
	l.reopen()
	if _, ok, _ := l.w.ToShow(l.ctx()); ok {
		t.Error("two on one day")
	}
	l.clock.set(l.clock.now().Add(24 * time.Hour))
	if g, ok, _ := l.w.ToShow(l.ctx()); !ok || g.Fact != second {
		t.Errorf("the next day: %+v %v", g, ok)
	}
	w := l.wish("outdoors")
	if _, ok, _ := l.w.ToShow(l.ctx()); ok {
		t.Error("it is not to be mentioned")
	}
	l.undo(string(w.Change))
	r := l.signal(policy.Rebut, sports[2])
	if _, ok, _ := l.w.ToShow(l.ctx()); ok {
		t.Error("a fact of it is out")
	}
	l.undo(string(r.Change))
	if _, ok, _ := l.w.ToShow(l.ctx()); !ok {
		t.Error("it stands again")
	}
}

func onlyErr(_ Receipt, err error) error { return err }

// TestAnswers: yes, no and silence.
func TestAnswers(t *testing.T) {
	l, _ := reflected(t)
	l.must(l.w.MarkShown(l.ctx(), upkept, sporting))
	if _, n, err := l.w.Unanswered(l.ctx(), upkept); err != nil || n != 0 {
		t.Errorf("at once: %d, %v", n, err)
	}
	l.clock.set(l.clock.now().Add(25 * time.Hour))
	for range 2 { // silence counts once
		if _, _, err := l.w.Unanswered(l.ctx(), upkept); err != nil {
			t.Fatal(err)
		}
	}
	g := l.guess()
	if g.Dispute != 0 || g.Disputed || g.Support < 0.55 || g.Support > 0.6 || !g.Answered || !l.recalls() {
		t.Errorf("after silence: %+v", g)
	}
	l.must(l.w.Answer(l.ctx(), ada, "endurance sport", true))
	if g := l.guess(); g.Tier != policy.TierConfirmed {
		t.Errorf("after yes: %+v", g)
	}
	l.must(l.w.Answer(l.ctx(), ada, "endurance sport", false))
	l.must(l.w.Answer(l.ctx(), ada, "endurance sport", false))
	if g := l.guess(); !g.Disputed || l.recalls() {
		t.Errorf("after no: %+v", g)
	}
	if r := l.reflect(policy.Reflected{Text: "Enjoys endurance sport", From: sports[:2], Weight: 10}); len(r.Kept) > 0 {
		t.Error("what was denied is drawn again")
	}
	l.refuses(onlyErr(l.w.Answer(l.ctx(), ada, sports[0], true)), ErrNotFound)
	l.refuses(onlyErr(l.w.Answer(l.ctx(), ada, "never heard of", true)), ErrNotFound)
}

// TestBorneOut: two times yes, and the tidy-up takes it to MEMORY.md with its evidence.
func TestBorneOut(t *testing.T) {
	l, _ := reflected(t)
	for range 2 {
		l.must(l.w.Answer(l.ctx(), ada, sporting, true))
	}
	n, err := l.w.WholeNotes(l.ctx())
	if err != nil {
		t.Fatal(err)
	}
	falling, err := l.w.Falling()
	if err != nil {
		t.Fatal(err)
	}
	plan := policy.Plan{Steps: policy.SweepFallen(n, falling, markdown.DateOf(l.w.Now()), nil)}
	done, err := l.w.Apply(l.ctx(), Meta{Author: Author{Kind: Upkeep}, Action: ActTidy, Via: ViaTidy}, plan, nil)
	if err != nil || len(done.Done) != 1 || done.Done[0].Op != policy.OpRise {
		t.Fatalf("%+v, %v", done, err)
	}
	loaded, _ := l.w.Load(l.ctx())
	if g := l.guess(); g.Path != policy.MemoryFile || g.Tier != policy.TierPromoted || !strings.Contains(loaded.Block, sporting) {
		t.Errorf("%+v, loads:\n%s", g, loaded.Block)
	}
	l.signal(policy.Rebut, sports[0])
	if loaded, _ := l.w.Load(l.ctx()); strings.Contains(loaded.Block, sporting) {
		t.Errorf("loads without its facts:\n%s", loaded.Block)
	}
	// A plan that was made before is checked again.
	if done, err := l.w.Apply(l.ctx(), Meta{Author: Author{Kind: Upkeep}, Action: ActTidy, Via: ViaTidy}, plan, nil); err != nil || len(done.Done) > 0 {
		t.Errorf("%+v, %v", done, err)
	}
	l.sound()
}

// TestReflectionElsewhere: what was forgotten on one machine takes the ground from a
// reflection that the other one drew meanwhile.
func TestReflectionElsewhere(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	for _, f := range sports {
		a.append(f)
	}
	a.sync()
	b.sync()
	b.reflect(policy.Reflected{Text: sporting, From: sports[:2], Weight: 10})
	a.forget(Forgetting{Words: []string{"hills"}})
	a.sync()
	b.sync()
	a.sync()
	for name, l := range map[string]*lab{"a": a, "b": b} {
		if l.recalls() {
			t.Errorf("on %s it enters a prompt:\n%s\n%s", name, l.text(policy.ReflectionsFile), l.text(policy.LedgerFile))
		}
	}
}
