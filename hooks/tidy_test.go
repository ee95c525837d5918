package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo"
)

// tidy-09, tidy-11: without a model what needs none is done and the report says so; the
// row of MEMORY.md stands before that of the archive.
func TestTidyWithoutAModel(t *testing.T) {
	d := newTended(t, nil)
	d.clock("2026-09-25T04:00")
	write(t, d.ws(), "MEMORY.md", "# Memory\n- 2026-09-01 · In Goa · until 2026-09-07\n  with Kim\n- 2026-09-02 · Likes tea\n- 2026-09-03 · Likes tea.\nby hand\n")
	r := d.tidy()
	if r.Expired != 1 || r.Duplicates != 1 || r.Contradictions || !strings.Contains(r.Note, "no model is set for this bot") || len(r.Changes) != 1 {
		t.Errorf("report %+v", r)
	}
	if got, want := d.text("MEMORY.md"), "# Memory\n- 2026-09-03 · Likes tea.\nby hand\n"; got != want {
		t.Errorf("MEMORY.md %q, want %q", got, want)
	}
	if got, want := d.text("memory/archive.md"), "- 2026-09-01 · In Goa · until 2026-09-07 · expired 2026-09-25\n  with Kim\n"; got != want {
		t.Errorf("archive %q, want %q", got, want)
	}
	rows, err := d.ws().Journal(t.Context(), repo.Query{Limit: 2})
	if err != nil || fmt.Sprint(rows[0].Path, rows[0].Actor, rows[0].Via, rows[0].Action, rows[1].Path) != "memory/archive.mdupkeeptidytidyMEMORY.md" &&
		fmt.Sprint(rows[0].Path, rows[0].Actor, rows[0].Via, rows[0].Action, rows[1].Path) != "MEMORY.mdupkeeptidytidymemory/archive.md" {
		t.Errorf("rows %+v, %v", rows, err)
	}
	// A pass without new input makes no commit.
	before := len(d.rows())
	if r = d.tidy(); len(r.Changes) != 0 || len(d.rows()) != before {
		t.Errorf("an idle pass: %+v", r)
	}
	if _, err := d.ws().Undo(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}, "", repo.Revert); err != nil {
		t.Fatal(err)
	}
	if got, want := d.text("MEMORY.md"), "# Memory\n- 2026-09-01 · In Goa · until 2026-09-07\n  with Kim\n- 2026-09-02 · Likes tea\n- 2026-09-03 · Likes tea.\nby hand\n"; got != want {
		t.Errorf("undone: %q", got)
	}
}

const homes = "- 2026-09-01 · Lives in City A and prefers short replies\n- 2026-09-02 · Likes tea\n- 2026-09-03 · Has a dog\n- 2026-09-04 · Drives a car\n- 2026-09-10 · Moved to City B\n"

// tidy-05: the older of a pair is struck, and what is still true of it stays.
func TestTidyStrikes(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	d.clock("2026-09-25T04:00")
	write(t, d.ws(), "MEMORY.md", homes)
	s.on("tidy", `{"pairs":[{"a":0,"b":4,"keep":"b","remainder":"Prefers short replies"}]}`)
	dry, err := d.up.Tidy(t.Context(), "scout", true, nil)
	if err != nil || len(dry.Plan) != 1 || dry.Plan[0].Keeps != "Prefers short replies" || d.text("MEMORY.md") != homes {
		t.Fatalf("the plan: %+v, %v", dry, err)
	}
	if r := d.tidy(); r.Superseded != 1 || !r.Contradictions || r.Note != "" {
		t.Errorf("report %+v", r)
	}
	want := "- 2026-09-01 · ~~Lives in City A and prefers short replies~~ · superseded 2026-09-25\n- 2026-09-25 · from tidy-up · Prefers short replies\n"
	if got := d.text("MEMORY.md"); !strings.HasPrefix(got, want) {
		t.Errorf("MEMORY.md %q", got)
	}
	if !strings.Contains(s.last("tidy"), "[4] (2026-09-10) Moved to City B") {
		t.Errorf("asked %q", s.last("tidy"))
	}
	// What was looked through and did not change is not asked about again.
	s.on("tidy", `{"pairs":[]}`)
	d.tidy()
	asked := s.calls("tidy")
	if d.tidy(); s.calls("tidy") != asked {
		t.Errorf("asked %d times, then %d", asked, s.calls("tidy"))
	}
}

// tidy-10: upkeep that is switched off while the model thinks changes nothing. And what
// a person writes meanwhile stays as they wrote it.
func TestTidyBesideThePerson(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	d.clock("2026-09-25T04:00")
	write(t, d.ws(), "MEMORY.md", homes+"- 2026-09-11 · Likes tea\n")
	edited := strings.Replace(homes, "- 2026-09-01 · Lives in City A and", "- 2026-09-01 · Lives in City A (of A) and", 1) + "- mine\n"
	s.say["tidy"] = func(string) string {
		write(t, d.ws(), "MEMORY.md", edited)
		return `{"pairs":[{"a":0,"b":3,"keep":"b"}]}`
	}
	if r := d.tidy(); r.Superseded != 0 || r.Skipped != 2 {
		t.Errorf("report %+v", r)
	}
	if got := d.text("MEMORY.md"); got != edited {
		t.Errorf("MEMORY.md %q", got)
	}
	write(t, d.ws(), "MEMORY.md", homes+"- 2026-09-11 · Likes tea\n")
	s.say["tidy"] = func(string) string {
		d.set("bots.scout.memoryUpkeep", false)
		return `{"pairs":[{"a":0,"b":3,"keep":"b"}]}`
	}
	_, err := d.up.Tidy(t.Context(), "scout", false, nil)
	if !errors.Is(err, repo.ErrOff) || d.text("MEMORY.md") != homes+"- 2026-09-11 · Likes tea\n" {
		t.Errorf("switched off: %v, %q", err, d.text("MEMORY.md"))
	}
}

// BUG-105, BUG-106: whatever a model answers, or does not, what needs none is done, the
// report names what failed, and day logs stay as they are.
func TestTidyWithAModelThatFails(t *testing.T) {
	for name, answer := range map[string]string{
		"down": "HTTP 500", "prose": "I could not find any.", "html": "<html>502</html>", "empty": " ", "huge": `{"pairs":[` + strings.Repeat(`{"a":0,"b":1,"keep":"b"},`, 60000) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t)
			d := newTended(t, s)
			d.clock("2026-09-25T04:00")
			write(t, d.ws(), "MEMORY.md", homes+"- 2026-09-11 · Likes tea\n- 2026-09-05 · Trip · until 2026-09-06\n")
			write(t, d.ws(), "memory/log/2026-09-10.md", "- 14:03 · did it\n")
			s.on("tidy", answer)
			r := d.tidy()
			if r.Expired != 1 || r.Duplicates != 1 || r.Superseded != 0 || r.Contradictions || r.Note == "" {
				t.Errorf("report %+v", r)
			}
			if got := d.text("memory/log/2026-09-10.md"); got != "- 14:03 · did it\n" {
				t.Errorf("the day log: %q", got)
			}
		})
	}
}

// organize-09 and the rest: a line is filed with its topic made; what was judged core is
// not asked about again, and what was left is.
func TestOrganizeFiles(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	d.clock("2026-09-25T04:00")
	var b strings.Builder
	for i := range 22 {
		fmt.Fprintf(&b, "- 2026-09-20 · Thing %d\n", i)
	}
	write(t, d.ws(), "MEMORY.md", b.String()+"- 2026-09-20 · Allergic to nuts\n- 2026-09-20 · Never call before nine\n")
	s.say["organize"] = func(prompt string) string {
		if strings.Contains(prompt, "Allergic") || strings.Contains(prompt, "Never call") {
			t.Errorf("offered: %s", prompt)
		}
		var moves []string
		for i := range strings.Count(prompt, "Thing") {
			if !strings.Contains(prompt, fmt.Sprintf("[%d] (2026-09-20) Thing 21\n", i)) {
				moves = append(moves, fmt.Sprintf(`{"i":%d,"topic":"Things","aliases":["stuff"]}`, i))
			}
		}
		return `{"moves":[` + strings.Join(moves, ",") + `]}`
	}
	if r := d.tidy(); r.Organized != 20 || len(r.Changes) != 1 {
		t.Errorf("the first pass: %+v", r)
	}
	if r := d.tidy(); r.Organized != 1 {
		t.Errorf("the second pass: %+v", r)
	}
	if got, want := d.text("MEMORY.md"), "- 2026-09-20 · Thing 21\n- 2026-09-20 · Allergic to nuts\n- 2026-09-20 · Never call before nine\n"; got != want {
		t.Errorf("MEMORY.md %q, want %q", got, want)
	}
	topic := d.text("memory/things.md")
	if !strings.HasPrefix(topic, "---\ntitle: things\naliases: [stuff]\n---\n") || strings.Count(topic, "Thing ") != 21 {
		t.Errorf("the topic: %q", topic)
	}
	asked := s.calls("organize")
	if d.tidy(); s.calls("organize") != asked {
		t.Error("what was judged core is asked about again")
	}
	d.clock("2026-10-20T04:00") // a work log may be done by now
	d.tidy()
	if !strings.Contains(s.last("organize"), "[0] (2026-09-20) Thing 21 (stale)\n") {
		t.Errorf("asked %q", s.last("organize"))
	}
	asked = s.calls("organize")
	if d.tidy(); s.calls("organize") != asked {
		t.Error("what was judged stale is asked about again")
	}
}

// BUG-107: while a line is filed under its topic it is found at every moment.
func TestOrganizeLeavesNoHole(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	d.clock("2026-09-25T04:00")
	write(t, d.ws(), "MEMORY.md", "- 2026-09-20 · The copper kettle stands in the pantry\n")
	s.on("organize", `{"moves":[{"i":0,"topic":"kitchen"}]}`)
	stop, polled := make(chan struct{}), make(chan int)
	dir := d.ws().Dir()
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				polled <- n
				return
			default:
			}
			memory, _ := os.ReadFile(filepath.Join(dir, "MEMORY.md")) // before the topic: the line goes that way
			topic, _ := os.ReadFile(filepath.Join(dir, "memory", "kitchen.md"))
			if !strings.Contains(string(memory)+string(topic), "copper kettle") {
				t.Error("the line is nowhere")
			}
			n++
		}
	}()
	d.tidy()
	close(stop)
	if n := <-polled; n == 0 {
		t.Error("nothing was polled")
	}
	if !strings.Contains(d.text("memory/kitchen.md"), "copper kettle") || strings.Contains(d.text("MEMORY.md"), "copper") {
		t.Errorf("MEMORY.md %q", d.text("MEMORY.md"))
	}
}

// Where the rules name the topics, nothing is filed under another one.
func TestOrganizeKeepsToTheAreas(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	for _, text := range []string{"The kitchen tiles are blue", "Anna is the neighbour"} {
		if _, err := d.ws().Update(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}, policy.Update{Action: policy.Append, Text: text, TextSet: true}); err != nil {
			t.Fatal(err)
		}
	}
	d.set("rules", map[string]any{"areas": []string{"people"}})
	s.on("organize", `{"moves":[{"i":0,"topic":"kitchen"},{"i":1,"topic":"People"}]}`)
	if r := d.tidy(); r.Organized != 1 || !strings.Contains(d.text("memory/people.md"), "Anna") || !strings.Contains(d.text("MEMORY.md"), "kitchen") {
		t.Errorf("%+v\n%s", r, d.text("MEMORY.md"))
	}
}
