package panel_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/repo"
	"quipu/server"
)

// reopen is the server begun anew, with what the browser knows.
func (b *browser) reopen(options ...func(*server.Options)) {
	b.t.Helper()
	home := b.store.Home()
	_ = b.store.Close()
	var err error
	b.store, err = repo.OpenHome(home, repo.Options{Now: b.clock.now})
	must(b.t, err)
	store := b.store
	b.t.Cleanup(func() { _ = store.Close() })
	o := server.Options{Now: b.clock.now}
	for _, set := range options {
		set(&o)
	}
	b.server = server.New(b.store, o)
	b.scout, err = b.store.Open(b.t.Context(), "scout")
	must(b.t, err)
}

func (b *browser) config() string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.store.Home(), "config.json"))
	must(b.t, err)
	return string(data)
}

// ticked are the switches of the home that are on by themselves.
func ticked() url.Values {
	return url.Values{"features.autoRecall": {"on"}, "features.neverLearn": {"on"}}
}

func TestHomeSettings(t *testing.T) {
	b := signedIn(t)
	b.get("/settings").is(200).has("Settings", "nothing brings it back", "quipu config set listen", b.store.Home())
	sent := ticked()
	for key, value := range map[string]string{
		"person.name": "Grace", "timezone": "Europe/Berlin", "memory.captureQuietMs": "90.5", "memory.tidyHour": "0", "memory.maxLines": "150", "memory.historyDays": "", "sync.intervalMinutes": "5",
	} {
		sent.Set(key, value)
	}
	sent.Del("features.autoRecall")
	sent.Set("features.roomMemoryCapture", "on")
	b.follow(b.post("/settings", sent)).is(200).has("The settings are saved.")
	c := b.store.Config()
	if c.PersonName() != "Grace" || c.Location().String() != "Europe/Berlin" || c.Memory.CaptureQuietMs != 90500 || c.TidyHour() != 0 || c.MaxLines() != 150 ||
		c.Sync.IntervalMinutes != 5 || c.AutoRecall() || !c.NeverLearn() || !c.Features.RoomMemoryCapture {
		t.Errorf("kept %+v", c)
	}
	if a := b.get("/settings").is(200); a.field("memory.captureQuietMs") != "90.5" || a.field("person.name") != "Grace" || a.field("memory.maxBytes") != "" {
		t.Error("the page does not show what is kept")
	}
	// What is blank holds by itself again, and is not written.
	b.follow(b.post("/settings", ticked())).is(200)
	if got := strings.Join(strings.Fields(b.config()), ""); got != "{}" {
		t.Errorf("config.json is %s", got)
	}
}

// What is wrong is told beside its field, what was typed stays, and nothing is written.
func TestSettingsThatAreWrong(t *testing.T) {
	tests := map[string]struct{ key, value, want string }{
		"zone":          {"timezone", "Mars/Olympus", "There is no such time zone."},
		"a path":        {"timezone", "../../etc/passwd", "There is no such time zone."},
		"hour":          {"memory.tidyHour", "24", "This is a whole number from 0 to 23."},
		"half a line":   {"memory.maxLines", "1.5", "This is a whole number from 1 to 100,000."},
		"words":         {"memory.captureTurns", "six", "This is a whole number from 1 to 1,000."},
		"not a number":  {"memory.maxBytes", "NaN", "This is a whole number from 256 to"},
		"endless":       {"sync.intervalMinutes", "Inf", "This is a whole number from 0 to 525,600."},
		"no time":       {"memory.captureQuietMs", "0", "This is a number above 0"},
		"name":          {"person.name", "A <b@c>", "This is one line of at most 100 characters, without < and >."},
		"address":       {"person.email", "a\nb", "This is one line of at most 100 characters, without < and >."},
		"markup":        {"person.name", `"><script>alert(1)</script>`, "This is one line"},
		"a huge number": {"memory.historyDays", "1e99", "This is a whole number from 0 to 36,500."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := signedIn(t)
			before := b.config()
			sent := ticked()
			sent.Set("memory.maxLines", "150")
			sent.Set(tt.key, tt.value)
			a := b.post("/settings", sent).is(http.StatusBadRequest).has("Nothing was kept: see below what is wrong.", tt.want)
			if !strings.Contains(a.body, `aria-invalid="true"`) || strings.TrimSpace(a.field(tt.key)) != strings.TrimSpace(tt.value) && tt.value != "a\nb" {
				t.Errorf("the field shows %q", a.field(tt.key))
			}
			if tt.key != "memory.maxLines" && a.field("memory.maxLines") != "150" {
				t.Error("what was typed in another field is lost")
			}
			if b.config() != before {
				t.Errorf("config.json is %s", b.config())
			}
		})
	}
}

// A file that is not valid is shown with what is wrong in it, and nothing is kept.
func TestBrokenConfig(t *testing.T) {
	b := signedIn(t)
	const broken = `{"memory":{"tidyHour":99},"timezone":"Mars/Olympus"}`
	must(t, os.WriteFile(filepath.Join(b.store.Home(), "config.json"), []byte(broken), 0o600))
	for _, page := range []string{"/settings", "/bots/scout/settings"} {
		b.get(page).is(200).has("config.json is not valid", "memory.tidyHour must be a whole number from 0 to 23", `timezone "Mars/Olympus" is no time zone`, "quipu config validate").hasNot("Save the settings")
		b.post(page, ticked()).is(http.StatusBadRequest).has("so nothing was kept")
	}
	if b.config() != broken {
		t.Errorf("config.json is %s", b.config())
	}
}

// A variable wins over the file, and the page says so instead of a field that does nothing.
func TestSettingsOfTheEnvironment(t *testing.T) {
	t.Setenv("QUIPU_TIMEZONE", "Asia/Tokyo")
	b := signedIn(t)
	a := b.get("/settings").is(200).has("Asia/Tokyo", "The variable QUIPU_TIMEZONE sets it, and wins over this page.")
	if strings.Contains(a.body, `name="timezone"`) {
		t.Error("there is a field for it")
	}
	sent := ticked()
	sent.Set("timezone", "Europe/Berlin")
	b.follow(b.post("/settings", sent)).is(200)
	if !strings.Contains(b.config(), `"timezone": "UTC"`) { // what stood in the file
		t.Errorf("config.json is %s", b.config())
	}
}

func TestBotSettings(t *testing.T) {
	b := signedIn(t)
	must(t, b.store.SetConfig("models.m", map[string]any{"kind": "openai", "model": "x", "baseURL": "http://localhost:1"}))
	must(t, b.store.SetBot("scout", map[string]any{"rules": map[string]any{"preset": "otto", "english": true}}))
	b.get("/bots/scout/settings").is(200).has("as for every bot: the usual ones", "Let this bot use memory", "single rules of its own", b.scout.Dir())
	own := func(key string) string { return "bots.scout." + key }
	sent := url.Values{own("name"): {"The Scout"}, own("memoryEnabled"): {"on"}, own("rules.preset"): {"kotoba"}, own("timezone"): {"Asia/Tokyo"}, own("model"): {"m"}}
	b.follow(b.post("/bots/scout/settings", sent)).is(200).has("The settings are saved.", "The Scout")
	c := b.store.Config()
	if got := c.Bots["scout"]; got.Name != "The Scout" || c.UpkeepOn("scout") || !c.MemoryOn("scout") || got.Rules.Preset != "kotoba" || got.Rules.English == nil || got.Timezone != "Asia/Tokyo" || got.Model != "m" {
		t.Errorf("kept %+v", got)
	}
	sent.Set(own("timezone"), "Nowhere")
	sent.Set(own("name"), "a<b")
	b.post("/bots/scout/settings", sent).is(http.StatusBadRequest).has("There is no such time zone.")
	sent.Set(own("timezone"), "")
	b.post("/bots/scout/settings", sent).is(http.StatusBadRequest).has("This is one line of at most 100 characters")
	sent.Set(own("name"), "")
	sent.Set(own("rules.preset"), "made up")
	b.post("/bots/scout/settings", sent).is(http.StatusBadRequest)
	if b.store.Config().Bots["scout"].Name != "The Scout" {
		t.Error("something was kept")
	}
	// As for every bot: nothing of its own is left.
	b.follow(b.post("/bots/scout/settings", url.Values{own("memoryEnabled"): {"on"}, own("memoryUpkeep"): {"on"}, own("helperModel"): {"on"}})).is(200)
	if own, set := b.store.Config().Bots["scout"]; set {
		t.Errorf("left %+v", own)
	}
	// Another bot's setting, or the home's, is not taken from this form.
	b.follow(b.post("/bots/scout/settings", url.Values{own("memoryEnabled"): {"on"}, "bots.ada.name": {"x"}, "person.name": {"Eve"}, "listen": {"0.0.0.0:1"}})).is(200)
	if c := b.store.Config(); c.PersonName() != "Ada" || c.Listen != "" || c.Bots["ada"].Name != "" {
		t.Errorf("kept %s", b.config())
	}
}

func TestRemoveBot(t *testing.T) {
	b := signedIn(t)
	for _, typed := range []string{"", "Scout", "scout ", "yes"} {
		b.post("/bots/scout/remove", url.Values{"confirm": {typed}}).is(http.StatusBadRequest).has("Nothing was removed. To remove the bot, type its id: scout")
	}
	b.get("/bots/scout").is(200)
	b.follow(b.post("/bots/scout/remove", url.Values{"confirm": {"scout"}})).is(200).has("The bot is removed.", "There is no bot yet.")
	b.get("/bots/scout").is(http.StatusNotFound)
	b.post("/bots/scout/remove", url.Values{"confirm": {"scout"}}).is(http.StatusNotFound)
}

// A folder is opened only for somebody at this machine; elsewhere its path is shown.
func TestOpenFolder(t *testing.T) {
	b := signedIn(t)
	var opened []string
	var fault error
	b.reopen(func(o *server.Options) {
		o.Open = func(_ context.Context, target, dir string) error {
			opened = append(opened, target+" "+dir)
			return fault
		}
	})
	b.get("/bots/scout").is(200).has("Show in folder", "Open in Obsidian", b.scout.Dir())
	for _, target := range []string{"folder", "obsidian"} {
		b.follow(b.post("/bots/scout/open", url.Values{"target": {target}, "dir": {"/etc"}})).is(200).has("The folder is open on this machine.")
	}
	if got := strings.Join(opened, ","); got != "folder "+b.scout.Dir()+",obsidian "+b.scout.Dir() {
		t.Errorf("opened %s", got)
	}
	b.post("/bots/scout/open", url.Values{"target": {"/bin/sh"}}).is(http.StatusForbidden)
	fault = errors.New("no desktop")
	b.post("/bots/scout/open", url.Values{"target": {"folder"}}).is(http.StatusInternalServerError).has("The desktop did not open the folder.")
	opened = nil
	for _, away := range []change{with("X-Forwarded-For", "10.0.0.9"), with("Forwarded", "for=10.0.0.9"), func(r *http.Request) { r.RemoteAddr = "10.0.0.9:4000" }} {
		a := b.get("/bots/scout", away).is(200).hasNot("Show in folder", "Open in Obsidian").has("On the computer that runs quipu:")
		if !strings.Contains(a.body, `value="`+b.scout.Dir()+`" readonly`) {
			t.Error("the path is not there to copy")
		}
		b.post("/bots/scout/open", url.Values{"target": {"folder"}}, away).is(http.StatusForbidden).has("only opened for somebody at this machine")
	}
	if opened != nil {
		t.Errorf("opened %v for somebody elsewhere", opened)
	}
}
