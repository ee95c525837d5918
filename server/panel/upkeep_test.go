package panel_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

const untidy = "# Memory\n- 2026-09-01 · In Goa · until 2026-09-07\n- 2026-09-02 · Likes tea\n- 2026-09-03 · Likes tea\n"

// doing is a form of the upkeep page.
func doing(what string) url.Values { return url.Values{"do": {what}} }

// settled waits for upkeep that was asked for, and gives the page that is then shown.
func (b *browser) settled() answer {
	b.t.Helper()
	for range 400 {
		var state struct{ Over bool }
		must(b.t, json.Unmarshal([]byte(b.get("/bots/scout/upkeep/state").is(200).body), &state))
		if state.Over {
			return b.get("/bots/scout/upkeep").is(200)
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.t.Fatal("upkeep does not end")
	return answer{}
}

// A tidy-up shows its plan, runs, and shows what it did with the way back.
func TestTidyUp(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, untidy)
	b.get("/bots/scout/upkeep").is(200).has("Upkeep is on", "No model is set for this bot.", "What needs none still runs", "Tidy up now", "None yet.", "No turn waits to be read.")
	b.post("/bots/scout/upkeep", doing("plan")).is(http.StatusSeeOther)
	plan := b.settled().has("What a tidy-up would do", "Expired: to the archive", "In Goa", "The same fact twice: the newer one stays", "line 3", "this stays: 2026-09-03 · Likes tea",
		"Left out: No model is set for this bot.", "Each change can be undone.").hasNot("The model is asked again", "Tidy up now")
	if got := plan.link(policy.MemoryFile); got != "/bots/scout#L2" {
		t.Errorf("the first step leads to %q", got)
	}
	if b.read(policy.MemoryFile) != untidy {
		t.Error("a plan wrote something")
	}
	b.post("/bots/scout/upkeep", doing("tidy")).is(http.StatusSeeOther)
	done := b.settled().has("1 expired entry went to the archive.", "1 entry that said the same as a newer one went.").hasNot("What a tidy-up would do")
	if got := b.read(policy.MemoryFile); got != "# Memory\n- 2026-09-03 · Likes tea\n" {
		t.Errorf("tidied: %q", got)
	}
	undo := b.get(done.link("Undo")).is(200).has("Take this change back?")
	b.follow(b.post(done.link("Undo"), form(undo))).is(200)
	if b.read(policy.MemoryFile) != untidy {
		t.Errorf("undone: %q", b.read(policy.MemoryFile))
	}
	b.get("/bots/scout/upkeep").is(200).has("taken back")
}

// A plan of notes that changed since is not shown: what it quotes may be forgotten.
func TestPlanOfOtherNotes(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, untidy)
	b.post("/bots/scout/upkeep", doing("plan")).is(http.StatusSeeOther)
	b.settled().has("In Goa")
	b.write(policy.MemoryFile, "- another\n")
	b.get("/bots/scout/upkeep").is(200).has("The notes changed since the plan was made.").hasNot("In Goa")
	b.clock.on(time.Hour)
	b.get("/bots/scout/upkeep").is(200).hasNot("The notes changed since the plan was made.", "In Goa")
	b.post("/bots/scout/upkeep", doing("plan")).is(http.StatusSeeOther)
	b.settled().has("There is nothing to do.").hasNot("another")
	b.follow(b.post("/bots/scout/upkeep", doing("leave"))).is(200).has("Tidy up now").hasNot("There is nothing to do.")
}

// slowModel has every bot use a program as its model that answers when it is let go.
func (b *browser) slowModel() (letGo func()) {
	b.t.Helper()
	gate := filepath.Join(b.t.TempDir(), "gate")
	program := `asked=$(cat); while [ ! -e "` + gate + `" ]; do sleep 0.02; done
case "$asked" in *"cannot both be true"*) echo '{"pairs":[]}';; *) echo '{"moves":[]}';; esac`
	must(b.t, b.store.SetConfig("models.slow", map[string]any{"kind": "exec", "command": []string{"/bin/sh", "-c", program}, "timeoutMs": 20000}))
	must(b.t, b.store.SetConfig("model", "slow"))
	return func() { must(b.t, os.WriteFile(gate, nil, 0o600)) }
}

// A model takes its time: the page says what is being done, without scripts too, a second
// press is told, and nothing hangs.
func TestUpkeepThatTakesLong(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, untidy+"- 2026-09-04 · Has a dog\n- 2026-09-05 · Drives a car\n- 2026-09-06 · Lives in Pune\n- 2026-09-07 · Plays chess\n")
	letGo := b.slowModel()
	began := time.Now()
	b.post("/bots/scout/upkeep", doing("plan")).is(http.StatusSeeOther)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("the form waited %v for the model", took)
	}
	page := b.get("/bots/scout/upkeep").is(200).has("Finding out what a tidy-up would do", "Looking for notes that belong in a topic.", "Reload the page", "The model is: slow").hasNot("Tidy up now", "Read them now")
	if !strings.Contains(page.body, `<noscript><meta http-equiv="refresh" content="3"></noscript>`) || !strings.Contains(page.body, "<progress") {
		t.Error("a page without scripts does not look again")
	}
	var state map[string]any
	must(t, json.Unmarshal([]byte(b.get("/bots/scout/upkeep/state").is(200).body), &state))
	if state["over"] != false || state["step"] != "Looking for notes that belong in a topic." {
		t.Errorf("state %v", state)
	}
	for _, job := range []string{"plan", "tidy", "capture"} {
		b.post("/bots/scout/upkeep", doing(job)).is(http.StatusConflict).has("This is running already. Wait until it ends.")
	}
	letGo()
	b.settled().has("What a tidy-up would do", "The model is asked again").hasNot("Finding out what")
	if page := b.get("/bots/scout/upkeep"); strings.Contains(page.body, "http-equiv") {
		t.Error("a page that waits for nothing is asked for again")
	}
}

// A pass that another process runs is followed, too, and one of ours beside it says so.
func TestUpkeepElsewhere(t *testing.T) {
	b := signedIn(t)
	end, err := b.scout.Pass()
	must(t, err)
	must(t, b.scout.KeepUpkeep(repo.UpkeepState{Running: &repo.Running{Job: "tidy", Step: "contradictions memory/food.md", Done: 1, Of: 4}}))
	b.get("/bots/scout/upkeep").is(200).has("Tidying up", "Looking in memory/food.md for notes that cannot both be true.")
	b.post("/bots/scout/upkeep", doing("tidy")).is(http.StatusSeeOther)
	end()
	b.settled().has("Upkeep of these notes was running already, so nothing was done.")
}

// Waiting turns are read on request, and what came of it is told.
func TestReadNow(t *testing.T) {
	b := signedIn(t)
	b.say("Remember: short answers, please", "ok")
	b.get("/bots/scout/upkeep").is(200).has("1 turn waits to be read.")
	b.post("/bots/scout/upkeep", doing("capture")).is(http.StatusSeeOther)
	b.settled().has("1 turn was read.", "1 note went into MEMORY.md.", "No turn waits to be read.", "Not all was done: No model is set")
	if !strings.Contains(b.read(policy.MemoryFile), "hort answers") {
		t.Errorf("MEMORY.md: %q", b.read(policy.MemoryFile))
	}
}

// What switches upkeep off is said, and nothing of it can be asked for.
func TestUpkeepOff(t *testing.T) {
	tests := map[string]struct {
		off  func(b *browser) error
		want string
	}{
		"memory": {func(b *browser) error { return b.store.SetBot("scout", map[string]any{"memoryEnabled": false}) }, "Memory is switched off for this bot, and upkeep with it."},
		"upkeep": {func(b *browser) error { return b.store.SetBot("scout", map[string]any{"memoryUpkeep": false}) }, "Upkeep is switched off for this bot."},
		"paused": {func(b *browser) error { return b.store.PauseUpkeep(b.clock.now().Add(time.Hour)) }, "Upkeep is paused until 30 Nov 2026, 09:00."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := signedIn(t)
			b.write(policy.MemoryFile, untidy)
			must(t, tt.off(b))
			b.get("/bots/scout/upkeep").is(200).has(tt.want).hasNot("Tidy up now", "Read them now")
			b.post("/bots/scout/upkeep", doing("tidy")).is(http.StatusConflict).has("Upkeep is off, so nothing was done.")
			if b.read(policy.MemoryFile) != untidy {
				t.Error("it was tidied")
			}
		})
	}
}

func TestSwitches(t *testing.T) {
	b := signedIn(t)
	sent := doing("switches") // a box that is not ticked is not sent
	sent.Set("bots.scout.memoryEnabled", "on")
	sent.Set("features.roomMemoryCapture", "on")
	b.follow(b.post("/bots/scout/upkeep", sent)).is(200).has("The settings are saved.", "Upkeep is switched off for this bot.")
	c := b.store.Config()
	if !c.MemoryOn("scout") || c.UpkeepOn("scout") || !c.Features.RoomMemoryCapture || c.Bots["scout"].MemoryEnabled != nil || c.Bots["scout"].HelperModel == nil {
		t.Errorf("kept %+v, %+v", c.Bots["scout"], c.Features)
	}
	for _, key := range []string{"memoryUpkeep", "helperModel"} {
		sent.Set("bots.scout."+key, "on")
	}
	sent.Del("features.roomMemoryCapture")
	b.follow(b.post("/bots/scout/upkeep", sent)).is(200).has("Upkeep is on")
	if _, set := b.store.Config().Bots["scout"]; set || b.store.Config().Features.RoomMemoryCapture {
		t.Errorf("what stands as it does by itself is written: %+v", b.store.Config().Bots)
	}
	b.post("/bots/scout/upkeep", doing("sing")).is(http.StatusForbidden)
	must(t, os.WriteFile(filepath.Join(b.store.Home(), "config.json"), []byte("{"), 0o600))
	b.post("/bots/scout/upkeep", sent).is(http.StatusBadRequest).has("config.json is not valid, so nothing was kept.")
}

// A bot that loads a lot is told of, with its button; never while memory or upkeep is off.
func TestHeavyBot(t *testing.T) {
	const line = "This bot loads a lot every turn."
	b := signedIn(t)
	b.write(policy.MemoryFile, strings.Repeat("- "+strings.Repeat("x", 97)+"\n", 180)) // 18,000 bytes
	b.get("/").is(200).hasNot(line)
	me, err := b.store.MakeMe(t.Context(), "")
	must(t, err)
	_, err = me.Save(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}, policy.AboutFile, strings.Repeat("all about me\n", 500), repo.Expect{Any: true})
	must(t, err)
	b.get("/").is(200).has(line, "Tidy memory")
	b.get("/bots/scout").is(200).has(line, "Tidy memory")
	b.post("/bots/scout/upkeep", doing("plan")).is(http.StatusSeeOther) // what the button sends
	b.settled().has("There is nothing to do.")
	// What expired loads no more, though the gauge counts it.
	b.write(policy.MemoryFile, strings.Repeat("- 2026-09-01 · "+strings.Repeat("x", 60)+" · until 2026-09-07\n", 150)+strings.Repeat("- y\n", 40))
	b.get("/bots/scout").is(200).hasNot(line)
	b.write(policy.MemoryFile, strings.Repeat("- "+strings.Repeat("x", 97)+"\n", 180))
	for _, key := range []string{"memoryUpkeep", "memoryEnabled"} {
		must(t, b.store.SetBot("scout", map[string]any{key: false}))
		b.get("/").is(200).hasNot(line)
		b.get("/bots/scout").is(200).hasNot(line)
		must(t, b.store.SetBot("scout", map[string]any{key: nil}))
	}
}
