package repo

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"quipu/markdown"
	"quipu/policy"
)

var tended = Meta{Author: Author{Kind: Upkeep}, Action: ActTidy, Via: ViaTidy}

// A plan is one change, in counts; what has changed since is passed over; a plan that is
// not wanted any more writes nothing.
func TestApply(t *testing.T) {
	l := newLab(t)
	l.put("MEMORY.md", "- 2026-09-01 · Trip · until 2026-09-02\n- 2026-09-03 · Tea\n- 2026-09-04 · Tea\n- mine\n")
	n, err := l.w.WholeNotes(l.ctx())
	if err != nil {
		t.Fatal(err)
	}
	plan := policy.Plan{Steps: policy.Sweep(n, markdown.DateOf(noon)).Steps}
	unwanted := errors.New("not wanted")
	if _, err := l.w.Apply(l.ctx(), tended, plan, func() error { return unwanted }); !errors.Is(err, unwanted) || !strings.Contains(l.text("MEMORY.md"), "Trip") {
		t.Errorf("unwanted: %v", err)
	}
	dry := tended
	dry.DryRun = true
	if a, err := l.w.Apply(l.ctx(), dry, plan, nil); err != nil || len(a.Done) != 2 || a.Change != "" || !strings.Contains(l.text("MEMORY.md"), "Trip") {
		t.Errorf("dry: %+v, %v", a, err)
	}
	l.put("MEMORY.md", "- 2026-09-01 · Trip · until 2026-09-02\n- 2026-09-03 · Tea\n- mine, and more\n") // the twin goes
	a, err := l.w.Apply(l.ctx(), tended, plan, nil)
	if err != nil || len(a.Done) != 1 || len(a.Passed) != 1 || len(a.Rows) != 2 {
		t.Fatalf("%+v, %v", a, err)
	}
	if got := l.text("MEMORY.md"); got != "- 2026-09-03 · Tea\n- mine, and more\n" {
		t.Errorf("MEMORY.md %q", got)
	}
	if got := l.git("log", "-1", "--format=%s"); got != "tidy: 1 expired" {
		t.Errorf("subject %q", got)
	}
	before := l.git("rev-parse", "HEAD")
	if a, err = l.w.Apply(l.ctx(), tended, plan, nil); err != nil || a.Change != "" || l.git("rev-parse", "HEAD") != before {
		t.Errorf("again: %+v, %v", a, err)
	}
	l.sound()
}

// A file that wants mending first is left alone, and nothing is moved into it.
func TestApplyLeavesConflictsAlone(t *testing.T) {
	const conflict = "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n"
	l := newLab(t)
	l.put("memory/archive.md", "- 2026-09-01 · old\n")
	l.put("memory/x.md", "- 2026-09-01 · x\n")
	l.put("MEMORY.md", "- 2026-09-01 · Trip · until 2026-09-02\n- 2026-09-03 · Tea\n")
	n, err := l.w.WholeNotes(l.ctx())
	if err != nil {
		t.Fatal(err)
	}
	l.put("memory/archive.md", conflict)
	l.put("memory/x.md", conflict)
	steps := policy.Sweep(n, markdown.DateOf(noon)).Steps
	steps = append(steps, policy.Step{Op: policy.OpFile, Path: "MEMORY.md", Line: 2, Raw: "- 2026-09-03 · Tea", To: "memory/x.md"})
	a, err := l.w.Apply(l.ctx(), tended, policy.Plan{Steps: steps}, nil)
	if err != nil || len(a.Done) != 0 || len(a.Passed) != 2 || a.Change != "" {
		t.Errorf("%+v, %v", a, err)
	}
	if l.text("memory/archive.md") != conflict || l.text("memory/x.md") != conflict || !strings.Contains(l.text("MEMORY.md"), "Trip") {
		t.Error("a file with conflict markers was written")
	}
	filed, err := l.w.Notice(l.ctx(), tended, func() (Noticing, error) {
		return Noticing{Facts: []policy.Fact{{Text: "X is tall", Topic: "x"}, {Text: "Sings"}}}, nil
	})
	if err != nil || len(filed.Notes.Kept) != 1 || l.text("memory/x.md") != conflict {
		t.Errorf("noticed %+v, %v", filed.Notes, err)
	}
}

// Each fact of a capture keeps the words that it rests on, through moves; one that rests
// on none has none. One id stands for both halves, and one undo takes both back.
func TestNotice(t *testing.T) {
	l := newLab(t)
	m := Meta{Author: Author{Kind: Upkeep}, Via: ViaCapture, Source: `chat "Plans"`}
	got, err := l.w.Notice(l.ctx(), m, func() (Noticing, error) {
		return Noticing{
			Bot: "Scout", AboutMe: []string{"Is vegetarian"},
			Facts: []policy.Fact{
				{Text: "The launch moved to Friday"}, {Text: "Is vegetarian", Quote: "I'm\nvegetarian"}, {Text: "Loves pasta", Topic: "food", Quote: "I love pasta"},
			},
		}, nil
	})
	if err != nil || len(got.AboutMe) != 1 || len(got.Rows) != 2 || got.Rows[0].Quote != "I'm vegetarian / I love pasta" {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := l.git("log", "-1", "--format=%s|%(trailers:key=Memory-Quote,valueonly,separator=%x2C)"); got != "capture: 3 facts noticed|-,I'm vegetarian,I love pasta" {
		t.Errorf("the commit: %q", got)
	}
	quotes := func(path string) string {
		t.Helper()
		lines, err := l.w.Blame(l.ctx(), path)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, b := range lines {
			if e := markdown.Parse("", []byte(b.Text)).Entries(); len(e) > 0 {
				out[e[0].Text] = b.Quote
			}
		}
		return fmt.Sprint(out)
	}
	if got, want := quotes("MEMORY.md"), "map[Is vegetarian:I'm vegetarian The launch moved to Friday:]"; got != want {
		t.Errorf("MEMORY.md: %s, want %s", got, want)
	}
	if got, want := quotes("memory/food.md"), "map[Loves pasta:I love pasta]"; got != want {
		t.Errorf("food: %s, want %s", got, want)
	}
	text := strings.Split(strings.TrimSpace(l.text("MEMORY.md")), "\n")
	raw := text[len(text)-1]
	if _, err := l.w.Apply(l.ctx(), tended, policy.Plan{Steps: []policy.Step{{Op: policy.OpFile, Path: "MEMORY.md", Line: len(text), Raw: raw, To: "memory/diet.md"}}}, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := quotes("memory/diet.md"), "map[Is vegetarian:I'm vegetarian]"; got != want {
		t.Errorf("after a move: %s, want %s", got, want)
	}
	l.undo("")
	l.undo(string(got.Change))
	me, err := l.store.Me(l.ctx(), "")
	if err != nil {
		t.Fatal(err)
	}
	about, err := me.Read(l.ctx(), policy.AboutFile)
	if err != nil || strings.Contains(about.Text, "vegetarian") || strings.Contains(l.text("MEMORY.md"), "·") {
		t.Errorf("after undo: %q, %q, %v", about.Text, l.text("MEMORY.md"), err)
	}
	l.sound()
}

// What upkeep remembers holds no text, survives, and is bounded; what cannot be read is
// found out again.
func TestUpkeepState(t *testing.T) {
	l := newLab(t)
	var s UpkeepState
	s.Judge("young", false)
	s.Judge("old", true)
	for i := range maxJudged - 2 {
		s.Judge(fmt.Sprint("more ", i), true)
	}
	if err := l.w.KeepUpkeep(s); err != nil {
		t.Fatal(err)
	}
	l.reopen()
	s = l.w.Upkeep()
	for _, tt := range []struct {
		fact        string
		stale, want bool
	}{{"young", false, true}, {"young", true, false}, {"old", true, true}, {"old", false, true}, {"none", false, false}} {
		if got := s.IsJudged(tt.fact, tt.stale); got != tt.want {
			t.Errorf("%s, stale %v: %v", tt.fact, tt.stale, got)
		}
	}
	if s.Judge("one more", true); s.IsJudged("young", false) || len(s.Judged) != maxJudged {
		t.Errorf("%d are remembered", len(s.Judged))
	}
	path := l.w.git.Own() + "/" + upkeepFile
	putAt(t, path, "{torn")
	if s = l.w.Upkeep(); len(s.Judged) != 0 {
		t.Error("a torn file was read")
	}
	putAt(t, path, `{"shape":2,"judged":[{"fact":"x"}]}`)
	if s = l.w.Upkeep(); len(s.Judged) != 0 {
		t.Error("a newer file was read")
	}
}

// One pass at a time, and a pause that ends by itself.
func TestPassAndPause(t *testing.T) {
	l := newLab(t)
	end, err := l.w.Pass()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.w.Pass(); !errors.Is(err, ErrBusy) {
		t.Errorf("a second pass: %v", err)
	}
	end()
	if end, err = l.w.Pass(); err != nil {
		t.Fatal(err)
	}
	end()
	if err := l.store.PauseUpkeep(l.clock.now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := l.store.UpkeepAllowed("scout"); !errors.Is(err, ErrOff) {
		t.Errorf("paused: %v", err)
	}
	l.clock.set(noon.Add(2 * time.Hour))
	if err := l.store.UpkeepAllowed("scout"); err != nil {
		t.Errorf("an hour later: %v", err)
	}
	if err := l.store.PauseUpkeep(time.Time{}); err != nil {
		t.Error("ending a pause that is over:", err)
	}
}

func putAt(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
