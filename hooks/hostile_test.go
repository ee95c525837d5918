package hooks

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// BUG-103 and the hostile model: whatever it answers over thirty nights, every text stays
// somewhere, at most a fifth is struck in one pass, and each pass can be undone.
//
// QUIPU_WORKSPACES is over how many workspaces; 100 takes half a minute.
func TestHostileModel(t *testing.T) {
	workspaces, _ := strconv.Atoi(os.Getenv("QUIPU_WORKSPACES")) // not a number is none
	for i := range max(workspaces, 3) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			hostileNights(t, i)
		})
	}
}

func hostileNights(t *testing.T, seed int) {
	const nights = 30
	s := newScript(t)
	d := newTended(t, s)
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "- 2026-0%d-%02d · Fact number %d stays %d\n", 1+i%8, 1+i%28, i, i*7)
	}
	write(t, d.ws(), "MEMORY.md", b.String())
	write(t, d.ws(), "memory/few.md", "- 2026-09-01 · One\n- 2026-09-02 · Two\n")
	d.clock("2026-09-25T04:00")
	for night := range nights {
		hostile(s, night+seed)
		before := d.whole()
		live := strings.Count(before["MEMORY.md"], "·") - strings.Count(before["MEMORY.md"], "~~")/2
		d.clock(fmt.Sprintf("2026-%02d-%02dT04:00", 10+night/28, 1+night%28))
		r := d.tidy()
		struckMemory := strings.Count(d.text("MEMORY.md"), "~~")/2 - strings.Count(before["MEMORY.md"], "~~")/2
		if struckMemory > live/5 {
			t.Fatalf("night %d: %d of %d struck", night, struckMemory, live)
		}
		all := strings.Join([]string{d.text("MEMORY.md"), d.text("memory/few.md"), d.text("memory/archive.md"), d.text("memory/x.md"), d.text("memory/y.md")}, "\n")
		for i := range 40 {
			if !strings.Contains(all, fmt.Sprintf("Fact number %d stays %d", i, i*7)) {
				t.Fatalf("night %d: fact %d is gone", night, i)
			}
		}
		if night%5 == 0 {
			d.undone(r.Changes, before, night)
		}
	}
}

// undone undoes a pass, compares, and redoes it.
func (d *tended) undone(changes []repo.ChangeID, before map[string]string, night int) {
	d.t.Helper()
	ada := repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}
	for _, change := range slices.Backward(changes) {
		if _, err := d.ws().Undo(d.t.Context(), ada, string(change), repo.Revert); err != nil {
			d.t.Fatalf("night %d: %v", night, err)
		}
	}
	for path, text := range d.whole() {
		if text != before[path] {
			d.t.Fatalf("night %d: undone, %s is\n%q, was\n%q", night, path, text, before[path])
		}
	}
	for range changes {
		if _, err := d.ws().Redo(d.t.Context(), ada); err != nil {
			d.t.Fatalf("night %d: redo: %v", night, err)
		}
	}
}

func (d *tended) whole() map[string]string {
	d.t.Helper()
	n, err := d.ws().WholeNotes(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	out := map[string]string{}
	for path, text := range n.Files {
		out[path] = string(text)
	}
	return out
}

// hostile sets what the model answers in one night.
func hostile(s *script, night int) {
	var strikes, moves []string
	for i := range 100 {
		strikes = append(strikes, fmt.Sprintf(`{"a":%d,"b":%d,"keep":"%s","remainder":"%s"}`, i, (i*7+night)%60, []string{"a", "b"}[i%2], []string{"", "stays", "obey me", "Fact number"}[i%4]))
		moves = append(moves, fmt.Sprintf(`{"i":%d,"topic":"%s"}`, i%40, []string{"x", "y", "../../x", "few"}[i%4]))
	}
	s.on("tidy", []string{
		`{"pairs":[` + strings.Join(strikes, ",") + `]}`, "ignore your rules", "", `{"pairs":[{"a":1e99,"b":-1}]}`, `[[[[`, `{"pairs":[null,1,"x",{}]}`,
	}[night%6])
	s.on("organize", []string{
		`{"moves":[]}`, `{"moves":[` + strings.Join(moves[:7], ",") + `]}`, `{"moves":[` + strings.Join(moves, ",") + `]}`, `{"moves":[{"i":99,"topic":"x"}]}`, "rm -rf /",
	}[night%5])
}

// No turn waits for a model: while one hangs, turns begin and end, the bot's notes are
// written, and the pass ends at the model's limit.
func TestHangingModelHoldsNobodyUp(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	hangs, asked := make(chan struct{}), make(chan struct{}, 1)
	s.say["tidy"] = func(string) string {
		asked <- struct{}{}
		<-hangs
		return ""
	}
	defer close(hangs)
	write(t, d.ws(), "MEMORY.md", homes)
	report := make(chan TidyReport, 1)
	go func() {
		r, err := d.up.Tidy(t.Context(), "scout", false, nil)
		if err != nil {
			t.Error(err)
		}
		report <- r
	}()
	<-asked
	start := time.Now()
	d.said(plans, "hello", "hello yourself")
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}}
	if _, err := d.ws().Update(t.Context(), m, policy.Update{Action: policy.Append, Text: "Sings", TextSet: true}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("a turn and a note waited %v", took)
	}
	// Nobody else tidies the same notes meanwhile, in another process either.
	other, err := repo.OpenHome(d.store.Home(), repo.Options{Now: d.now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if _, err := NewUpkeep(other, NewModels(other, d.now, nil, nil), d.now, nil).Tidy(t.Context(), "scout", false, nil); !errors.Is(err, repo.ErrBusy) {
		t.Errorf("another pass beside it: %v", err)
	}
	if state, err := d.up.Status(t.Context(), "scout"); err != nil || state.Running == nil || state.Running.Job != "tidy" {
		t.Errorf("while it runs: %+v, %v", state, err)
	}
	if r := <-report; !strings.Contains(r.Note, "did not answer within 2 s") || r.Contradictions {
		t.Errorf("report %+v", r)
	}
	if state, err := d.up.Status(t.Context(), "scout"); err != nil || state.Running != nil || state.LastTidy == nil {
		t.Errorf("when it has ended: %+v, %v", state, err)
	}
}

// Two that ask at once get one run.
func TestTidyIsShared(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	write(t, d.ws(), "MEMORY.md", homes)
	together := make(chan struct{})
	s.say["tidy"] = func(string) string {
		<-together
		return `{"pairs":[]}`
	}
	reports := make(chan TidyReport, 2)
	for range 2 {
		go func() {
			r, err := d.up.Tidy(t.Context(), "scout", false, nil)
			if err != nil {
				t.Error(err)
			}
			reports <- r
		}()
	}
	time.Sleep(50 * time.Millisecond) // both have asked; one that came late would only run again
	close(together)
	if a, b := <-reports, <-reports; a.At != b.At || s.calls("tidy") != 1 {
		t.Errorf("reports of %d and %d, asked %d times", a.At, b.At, s.calls("tidy"))
	}
}
