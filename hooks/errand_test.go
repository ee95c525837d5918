package hooks

import (
	"errors"
	"strings"
	"testing"

	"quipu/repo"
)

// held makes a job of the model's wait until let go.
func (s *script) held(job, answer string) (asked <-chan struct{}, letGo func()) {
	came, gate := make(chan struct{}, 10), make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say[job] = func(string) string {
		came <- struct{}{}
		<-gate
		return answer
	}
	return came, func() { close(gate) }
}

// An errand runs on its own: how far it has come is told meanwhile, and a second one is
// refused until it ends.
func TestErrandRunsOneAtATime(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	d.clock("2026-09-25T12:00")
	write(t, d.ws(), "MEMORY.md", homes)
	if _, err := d.ws().TakeIn(t.Context(), repo.Author{Kind: repo.Person, Name: "Ada"}); err != nil {
		t.Fatal(err)
	}
	e := NewErrands(d.up, d.store, d.now, nil)
	defer e.Stop()
	asked, letGo := s.held("tidy", `{"pairs":[{"a":0,"b":4,"keep":"b"}]}`)
	over, err := e.Begin(t.Context(), "scout", PlanJob)
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	if last, ok := e.Last("scout"); !ok || last.Over || last.Running == nil || last.Running.Step != "contradictions MEMORY.md" {
		t.Errorf("meanwhile %+v", last)
	}
	e.Drop("scout")
	if _, err := e.Begin(t.Context(), "scout", TidyJob); !errors.Is(err, repo.ErrBusy) {
		t.Errorf("a second one: %v", err)
	}
	letGo()
	<-over
	last, _ := e.Last("scout")
	if !last.Over || last.Err != nil || last.Tidied == nil || len(last.Tidied.Plan) != 1 || last.Notes != d.ws().Newest() || d.text("MEMORY.md") != homes {
		t.Fatalf("the plan %+v\n%+v", last, last.Tidied)
	}
	s.on("tidy", `{"pairs":[{"a":0,"b":4,"keep":"b"}]}`)
	if over, err = e.Begin(t.Context(), "scout", TidyJob); err != nil {
		t.Fatal(err)
	}
	<-over
	if last, _ = e.Last("scout"); last.Tidied == nil || last.Tidied.Superseded != 1 || len(last.Tidied.Changes) != 1 || !strings.Contains(d.text("MEMORY.md"), "~~") {
		t.Errorf("the tidy-up %+v", last)
	}
	e.Drop("scout")
	if _, ok := e.Last("scout"); ok {
		t.Error("what is dropped is still there")
	}
}

// What ends the server breaks an errand off, and waits for it.
func TestErrandsStop(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	d.clock("2026-09-25T12:00")
	write(t, d.ws(), "MEMORY.md", homes)
	e := NewErrands(d.up, d.store, d.now, nil)
	asked, letGo := s.held("tidy", `{"pairs":[{"a":0,"b":4,"keep":"b"}]}`)
	defer letGo()
	if _, err := e.Begin(t.Context(), "scout", TidyJob); err != nil {
		t.Fatal(err)
	}
	<-asked
	e.Stop()
	if last, _ := e.Last("scout"); !last.Over || last.Err == nil || d.text("MEMORY.md") != homes {
		t.Errorf("broken off: %+v", last)
	}
	if _, err := e.Begin(t.Context(), "scout", TidyJob); !errors.Is(err, repo.ErrOff) {
		t.Errorf("after the end: %v", err)
	}
	e.Stop()
}

func TestErrandsThatDoNotBegin(t *testing.T) {
	d := newTended(t, nil)
	e := NewErrands(d.up, d.store, d.now, nil)
	defer e.Stop()
	d.set("bots.scout.memoryUpkeep", false)
	if _, err := e.Begin(t.Context(), "scout", TidyJob); !errors.Is(err, repo.ErrOff) {
		t.Errorf("upkeep off: %v", err)
	}
	d.set("bots.scout.memoryUpkeep", true)
	// Another process tidies: the errand ends at once and says so.
	end, err := d.ws().Pass()
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	over, err := e.Begin(t.Context(), "scout", TidyJob)
	if err != nil {
		t.Fatal(err)
	}
	<-over
	if last, _ := e.Last("scout"); !errors.Is(last.Err, repo.ErrBusy) {
		t.Errorf("beside another pass: %+v", last)
	}
}

// Waiting chats are read on request.
func TestErrandCaptures(t *testing.T) {
	d := newTended(t, nil)
	d.clock("2026-09-25T12:00")
	d.said(plans, "Remember: short answers, please", "ok")
	e := NewErrands(d.up, d.store, d.now, nil)
	defer e.Stop()
	over, err := e.Begin(t.Context(), "scout", CaptureJob)
	if err != nil {
		t.Fatal(err)
	}
	<-over
	if last, _ := e.Last("scout"); last.Captured == nil || last.Captured.Added != 1 || last.Captured.Turns != 1 {
		t.Errorf("captured %+v", last.Captured)
	}
}
