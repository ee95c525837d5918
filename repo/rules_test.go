package repo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/policy"
)

var scoutBot = Meta{Author: Author{Kind: Bot, Name: "scout"}, Via: ViaAPI}

// ruled switches a preset, or single switches, for every bot.
func (l *lab) ruled(rules string) {
	l.t.Helper()
	config := `{"timezone":"UTC","person":{"name":"Ada","email":"ada@example.org"},"rules":` + rules + `}`
	if err := os.WriteFile(filepath.Join(l.home, configFile), []byte(config), 0o600); err != nil {
		l.t.Fatal(err)
	}
	l.reopen()
}

func keep(text string) policy.Update {
	return policy.Update{Action: policy.Append, Text: text, TextSet: true}
}

// A preset that is switched on or off changes no byte of what stands, and what breaks its
// rules is listed and stays.
func TestPresetChangesNothing(t *testing.T) {
	l := newLab(t)
	l.append("The note that stands has many words, so many that no preset would take it: " + strings.Repeat("word ", 150))
	l.append("Vive en Madrid y tiene un perro")
	before := l.text("MEMORY.md")
	for _, preset := range policy.Presets() {
		l.ruled(`{"preset":"` + preset + `"}`)
		found, err := l.w.Doctor(l.ctx(), true)
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for _, f := range found {
			if strings.Contains(f.What, "breaks rule") {
				listed++
			}
		}
		if want := preset != policy.PresetDefault; (listed > 0) != want {
			t.Errorf("%s: %d notes are listed", preset, listed)
		}
		if got := l.text("MEMORY.md"); got != before {
			t.Errorf("%s changed the notes to\n%s", preset, got)
		}
	}
}

// What a rule refuses, no way of a bot's writes.
func TestRulesHoldEveryWay(t *testing.T) {
	l := newLab(t)
	l.append("Tea is green")
	l.ruled(`{"maxEntryChars":20}`)
	long := "This fact is longer than that"
	ways := map[string]func() error{
		"append":    func() error { _, err := l.w.Update(l.ctx(), scoutBot, keep(long)); return err },
		"replace":   func() error { return l.do(scoutBot, policy.Replace, long, "Tea is green") },
		"supersede": func() error { return l.do(scoutBot, policy.Supersede, long, "Tea is green") },
		"the tool": func() error {
			c, err := policy.ParseTool([]byte(`{"command":"create","path":"/memories/tea.md","file_text":"- 2026-09-10 · ` + long + `\n"}`))
			if err == nil {
				_, _, err = l.w.Tool(l.ctx(), scoutBot, c)
			}
			return err
		},
	}
	for name, way := range ways {
		err := way()
		var refusal *policy.Refusal
		if !errors.Is(err, ErrRefused) || !errors.As(err, &refusal) || refusal.Rule != "maxEntryChars" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := l.text("MEMORY.md"); strings.Contains(got, "longer") || !strings.Contains(got, "Tea is green") {
		t.Errorf("after refusals:\n%s", got)
	}
	l.save("memory/tea.md", "- 2026-09-10 · "+long+"\n") // a person's own file is theirs
}

func (l *lab) do(m Meta, a policy.Action, text, old string) error {
	_, err := l.w.Update(l.ctx(), m, policy.Update{Action: a, Text: text, TextSet: true, OldText: old, OldTextSet: true})
	return err
}

// The limit counts what MEMORY.md and the topics hold; to replace is still allowed.
func TestMaxEntries(t *testing.T) {
	l := newLab(t)
	l.ruled(`{"maxEntries":2}`)
	l.append("One")
	l.save("memory/two.md", "- 2026-09-10 · Two\n")
	if _, err := l.w.Update(l.ctx(), scoutBot, keep("Three")); !errors.Is(err, ErrRefused) {
		t.Errorf("a third: %v", err)
	}
	if err := l.do(scoutBot, policy.Replace, "Uno", "One"); err != nil {
		t.Errorf("in place of one: %v", err)
	}
}

// A date behind is written by every way that adds a note, and read again.
func TestDateBehind(t *testing.T) {
	l := newLab(t)
	l.ruled(`{"dateBehind":true}`)
	r, err := l.w.Update(l.ctx(), scoutBot, keep("2026-01-02 · odd ~~text~~ [2026-01-02]"))
	if err != nil || !strings.HasPrefix(r.Entry, "- 2026-01-02 - odd ~~text~~ [2026-01-02] [2026-09-12T12:00:") {
		t.Fatalf("%q, %v", r.Entry, err)
	}
	got, err := l.w.Notice(l.ctx(), Meta{Author: Author{Kind: Upkeep}, Via: ViaCapture}, func() (Noticing, error) {
		return Noticing{Facts: []policy.Fact{{Text: "Likes tea"}}}, nil
	})
	if err != nil || len(got.Notes.Core) != 1 || !strings.HasPrefix(got.Notes.Core[0], "- Likes tea [2026-09-12T12:00:") {
		t.Errorf("noticed %+v, %v", got.Notes.Core, err)
	}
}

// Try tells what Update would do, and writes nothing.
func TestTry(t *testing.T) {
	l := newLab(t)
	l.ruled(`{"maxEntryChars":20}`)
	l.append("Tea is green")
	head := l.git("rev-parse", "HEAD")
	for text, want := range map[string]Tried{
		"Coffee is black":               {Passes: true, Entry: "- 2026-09-12 · Coffee is black"},
		"Tea is green":                  {Passes: true, Known: true, Entry: "- 2026-09-12 · Tea is green"},
		"This fact is longer than that": {Findings: []policy.Finding{{Switch: "maxEntryChars"}}},
	} {
		got, err := l.w.Try(l.ctx(), scoutBot, keep(text))
		if err != nil || got.Passes != want.Passes || got.Known != want.Known || got.Entry != want.Entry || len(got.Findings) != len(want.Findings) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	if _, err := l.w.Try(l.ctx(), scoutBot, policy.Update{Action: policy.Append}); !errors.Is(err, ErrInvalid) {
		t.Errorf("nothing to try: %v", err)
	}
	if now := l.git("rev-parse", "HEAD"); now != head {
		t.Error("something was written")
	}
}

// A fact is weighed against all topics: what is known there is quoted, what it corrects is
// taken out with one change, and what cannot be told is named and stays.
func TestDedupeAcrossTopics(t *testing.T) {
	l := newLab(t)
	l.ruled(`{"dedupeAcrossTopics":true}`)
	topic := func(text, topic string) Receipt {
		u := keep(text)
		u.Topic = topic
		r, err := l.w.Update(l.ctx(), scoutBot, u)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	topic("Has a dog named Luna", "pets")
	if r := topic("The user has a dog named Luna.", "animals"); !r.Known || !strings.Contains(r.Entry, "Has a dog named Luna") || r.Change != "" {
		t.Errorf("a second time: %+v", r)
	}
	topic("Lives in Barcelona", "personal")
	r := topic("Lives in Madrid", "location")
	if len(r.Retired) != 1 || !strings.Contains(r.Retired[0], "Barcelona") || strings.Contains(l.text("memory/personal.md"), "Barcelona") || !strings.Contains(l.text("memory/location.md"), "Madrid") {
		t.Errorf("corrected: %+v", r)
	}
	if _, err := l.w.Undo(l.ctx(), ada, string(r.Change), Revert); err != nil || !strings.Contains(l.text("memory/personal.md"), "Barcelona") || strings.Contains(l.text("memory/location.md"), "Madrid") {
		t.Errorf("undone: %v\n%s", err, l.text("memory/personal.md"))
	}
	topic("Allergic to 2 nuts", "health")
	if r := topic("Allergic to 3 nuts", "other"); len(r.Retired) != 0 || !strings.Contains(l.text("memory/health.md"), "2 nuts") {
		t.Errorf("a note of health was retired: %+v", r)
	}
	l.save("memory/hand.md", "- Lives in Rome\n")
	if topic("Lives in Oslo", "location"); !strings.Contains(l.text("memory/hand.md"), "Rome") {
		t.Error("a line by hand went")
	}
}

// The newest notes load in place of MEMORY.md, but what the person wrote by hand, health and
// rules load all the same, and what is disputed does not.
func TestRecentLoads(t *testing.T) {
	l := newLab(t)
	l.save("MEMORY.md", "# Memory\n\nBy hand: be kind\n\n- 2026-09-01 · Likes tea\n- 2026-09-01 · Allergic to nuts\n")
	l.save("memory/pets.md", "- 2026-09-10 · Has a dog named Luna\n- 2026-09-11 · Has a cat\n- ~~Had a bird~~ [2026-09-11]\n")
	l.ruled(`{"recent":2}`)
	got, err := l.w.Load(l.ctx())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"By hand: be kind", "Allergic to nuts", "- Has a dog named Luna [pets]\n- Has a cat [pets]\n", "2 of 3 facts"} {
		if !strings.Contains(got.Block, want) {
			t.Errorf("no %q in\n%s", want, got.Block)
		}
	}
	l.signal(policy.Rebut, "Has a cat")
	got, err = l.w.Load(l.ctx())
	if err != nil || strings.Contains(got.Block, "bird") || strings.Contains(got.Block, "Has a cat") || !strings.Contains(got.Block, "Likes tea [general]") {
		t.Errorf("%v\n%s", err, got.Block)
	}
}

// A switch of one bot stands over everyone's preset; a preset of its own stands alone.
func TestRulesOfOneBot(t *testing.T) {
	everyone := RulesConfig{Preset: policy.PresetKotoba, Switches: policy.Switches{Recent: new(9)}}
	c := Config{Rules: everyone, Bots: map[ID]BotConfig{
		"a": {Rules: &RulesConfig{Switches: policy.Switches{MaxEntryChars: new(50)}}},
		"b": {Rules: &RulesConfig{Preset: policy.PresetRetention}},
	}}
	if r := c.RulesIn("a"); r.Preset != policy.PresetKotoba || r.Chars() != 50 || !policy.On(r.English) || r.Newest() != 9 {
		t.Errorf("over everyone's: %+v", r)
	}
	if r := c.RulesIn("b"); r.Preset != policy.PresetRetention || policy.On(r.English) || r.Newest() != 0 {
		t.Errorf("its own: %+v", r)
	}
}
