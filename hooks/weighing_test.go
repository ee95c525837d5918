package hooks

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
	"quipu/repo"
)

// signs is an answer without facts.
func signs(list ...map[string]any) string {
	data, err := json.Marshal(map[string]any{"facts": []any{}, "signals": list})
	if err != nil {
		panic(err)
	}
	return string(data)
}

const standing = "- 2026-09-01 · The person is vegetarian\n- 2026-09-02 · The person lives in Pune\n- 2026-09-03 · The person likes tea\n" +
	"- 2026-09-04 · The person is allergic to nuts\n- 2026-09-05 · Never book flights on Mondays\n- 2026-09-06 · ~~The person owns a boat~~ · superseded 2026-09-07\nThe person has a cat\n"

// What the owner says by the way moves notes that stand, as one signal that the journal
// keeps apart from changes of notes; whatever the code cannot check is left out and counted.
func TestCaptureSignals(t *testing.T) {
	said := []repo.Message{
		{Speaker: owner, Text: "I'm still vegetarian, of course. I moved to Berlin last year. Nuts are fine for me now. I have a dog. I book flights on Mondays."},
		{Speaker: repo.Speaker{By: repo.ByPerson, Name: "Bob"}, Text: "Ada does not like tea"},
		{Speaker: repo.Speaker{By: repo.BySelf}, Text: "You like tea"},
	}
	sign := func(note, says, quote string) map[string]any {
		return map[string]any{"note": note, "says": says, "quote": []string{quote}}
	}
	for _, tt := range []struct {
		name                string
		signs               []map[string]any
		supported, disputed int
		refused             map[string]int
		moved               map[string]policy.Signal
	}{
		{"borne out", []map[string]any{sign("- 2026-09-01 · The person is vegetarian", "supports", "I'm still vegetarian")}, 1, 0, nil, map[string]policy.Signal{"The person is vegetarian": policy.Reinforce}},
		{"denied", []map[string]any{sign("The person lives in Pune", "denies", "I moved to Berlin last year")}, 0, 1, nil, map[string]policy.Signal{"The person lives in Pune": policy.Negate}},
		{"both, and the same twice", []map[string]any{
			sign("The person lives in Pune", "denies", "I moved to Berlin last year"), sign("The person is vegetarian", "supports", "I'm still vegetarian"), sign("The person is vegetarian.", "supports", "I'm still vegetarian"),
		}, 1, 1, nil, map[string]policy.Signal{"The person lives in Pune": policy.Negate, "The person is vegetarian": policy.Reinforce}},
		{"what never falls", []map[string]any{
			sign("The person is allergic to nuts", "denies", "Nuts are fine for me now"), sign("Never book flights on Mondays", "denies", "I book flights on Mondays"), sign("The person has a cat", "denies", "I have a dog"),
		}, 0, 0, map[string]int{"firm": 3}, nil},
		{"support of what never falls", []map[string]any{sign("The person has a cat", "supports", "I have a dog")}, 1, 0, nil, map[string]policy.Signal{"The person has a cat": policy.Reinforce}},
		{"no note that stands", []map[string]any{
			sign("The person is vegan", "denies", "I'm still vegetarian"), sign("vegetarian", "supports", "I'm still vegetarian"), sign("The person owns a boat", "denies", "I have a dog"),
		}, 0, 0, map[string]int{"note": 3}, nil},
		{"words that were not said, or not by the owner", []map[string]any{
			sign("The person likes tea", "denies", "I hate tea"), sign("The person likes tea", "denies", "Ada does not like tea"), sign("The person likes tea", "supports", "You like tea"),
		}, 0, 0, map[string]int{"quote": 1, "voice": 2}, nil},
		{"of no form", []map[string]any{sign("The person likes tea", "erase", "I have a dog")}, 0, 0, map[string]int{"form": 1}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t)
			d := newTended(t, s)
			d.clock("2026-09-25T14:00")
			write(t, d.ws(), "MEMORY.md", standing)
			s.on("capture", signs(tt.signs...))
			r, err := d.up.CaptureSaid(t.Context(), "scout", `chat "Old"`, said, false)
			if err != nil {
				t.Fatal(err)
			}
			if tt.refused == nil {
				tt.refused = map[string]int{}
			}
			if r.Supported != tt.supported || r.Disputed != tt.disputed || !maps.Equal(r.Refused, tt.refused) || r.Added+r.Known != 0 {
				t.Errorf("report %+v", r)
			}
			got := map[string]policy.Signal{}
			for _, kind := range []string{policy.EventSupport, policy.EventDispute} {
				for _, e := range d.ledger(kind) {
					if e.By != "upkeep" || e.Quote == "" {
						t.Errorf("event %+v", e)
					}
					got[e.Fact] = e.Why
				}
			}
			if tt.moved == nil {
				tt.moved = map[string]policy.Signal{}
			}
			if diff := cmp.Diff(tt.moved, got); diff != "" {
				t.Errorf("moved (-want +got):\n%s", diff)
			}
			if d.text("MEMORY.md") != standing {
				t.Errorf("the notes changed: %q", d.text("MEMORY.md"))
			}
			rows, err := d.ws().Journal(t.Context(), repo.Query{All: true, Limit: 1})
			if n := min(1, len(got)); err != nil || len(r.Changes) != n || n > 0 && (rows[0].Action != string(repo.ActSignal) || rows[0].Via != string(repo.ViaCapture)) {
				t.Errorf("%d changes, %+v, %v", len(r.Changes), rows, err)
			}
		})
	}
}

// What is disputed gets no support by being said again, and is not filed; what one capture
// files or says again is borne out by that alone. All of it is one change, once a turn.
func TestCaptureSignalsBesideFacts(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	d.clock("2026-09-25T14:00")
	write(t, d.ws(), "MEMORY.md", "- 2026-09-01 · The person likes green tea\n- 2026-09-02 · The person is vegetarian\n- 2026-09-03 · The person lives in Pune\n")
	ada := repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaCLI}
	if _, err := d.ws().Signal(t.Context(), ada, []repo.Signalled{{Fact: "The person likes green tea", Why: policy.Rebut}}); err != nil {
		t.Fatal(err)
	}
	d.said(plans, "I like green tea. I'm vegetarian. I moved to Berlin.", "ok")
	s.on("capture", `{"facts":[
		{"text":"The person likes green tea","kind":"preference","quote":"I like green tea"},
		{"text":"The person is vegetarian","kind":"fact","quote":"I'm vegetarian"},
		{"text":"The person lives in Berlin","kind":"fact","quote":"I moved to Berlin"}],
		"signals":[
		{"note":"The person likes green tea","says":"supports","quote":"I like green tea"},
		{"note":"The person is vegetarian","says":"supports","quote":"I'm vegetarian"},
		{"note":"The person lives in Pune","says":"denies","quote":"I moved to Berlin"}]}`)
	r := d.capture()
	if r.Added != 1 || r.Known != 1 || r.Supported != 0 || r.Disputed != 1 || r.Refused["disputed"] != 2 || len(r.Changes) != 1 {
		t.Errorf("report %+v", r)
	}
	if e := d.evidence("The person likes green tea"); e.Support != 0 || !e.Disputed || len(e.Said) != 0 {
		t.Errorf("what is disputed: %+v", e)
	}
	if e := d.evidence("The person is vegetarian"); e.Reinforced != 1 || e.Disputed {
		t.Errorf("what stands: %+v", e)
	}
	if e := d.evidence("The person lives in Pune"); !e.Disputed || e.Moved[0].Why != policy.Negate || e.Moved[0].Turn == "" {
		t.Errorf("what was denied: %+v", e)
	}
	if _, err := d.ws().Undo(t.Context(), ada, string(r.Changes[0]), repo.Revert); err != nil {
		t.Fatal(err)
	}
	if e := d.evidence("The person lives in Pune"); e.Disputed {
		t.Errorf("after undo: %+v", e)
	}
}

// Without a model the words alone tell: the same again bears a note out, and a "not" more
// or less disputes it.
func TestCaptureSignalsWithoutAModel(t *testing.T) {
	d := newTended(t, nil)
	d.clock("2026-09-25T14:00")
	write(t, d.ws(), "MEMORY.md", "- 2026-09-01 · The launch is on Friday\n- 2026-09-02 · The office is in Pune\n- 2026-09-03 · My allergy is not bad\n- 2026-09-04 · I like tea\n")
	d.said(plans, "the launch is on friday. The office is not in Pune. My allergy is bad. Do I like tea?", "ok")
	dry, err := d.up.Capture(t.Context(), "scout", Capturing{DryRun: true})
	if err != nil || dry.Supported != 1 || dry.Disputed != 1 || len(d.ledger(policy.EventDispute)) != 0 {
		t.Errorf("dry: %+v, %v", dry, err)
	}
	r := d.capture()
	if r.Supported != 1 || r.Disputed != 1 || r.Refused["firm"] != 1 {
		t.Errorf("report %+v", r)
	}
	for fact, why := range map[string]policy.Signal{"The launch is on Friday": policy.Reinforce, "The office is in Pune": policy.Keyword} {
		if e := d.evidence(fact); len(e.Moved) != 1 || e.Moved[0].Why != why || e.Moved[0].Turn == "" {
			t.Errorf("%s: %+v", fact, e.Moved)
		}
	}
	if e := d.evidence("I like tea"); len(e.Moved) != 0 {
		t.Errorf("a question moved a note: %+v", e.Moved)
	}
	d.said(plans, "The office is in Pune.", "ok")
	if r = d.capture(); r.Supported != 0 || r.Refused["disputed"] != 1 {
		t.Errorf("what is disputed was borne out by the way: %+v", r)
	}
}
