package repo

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/policy"
)

func writeConfig(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const fullConfig = `{"timezone":"Europe/Berlin","person":{"name":"Ada","email":"ada@example.org"},"listen":"127.0.0.1:8000","allowedHosts":["notes.lan"],
"features":{"autoRecall":false,"roomMemoryCapture":true,"trustTieBreak":false},
"memory":{"captureQuietMs":60000,"captureTurns":4,"tidyHour":0,"maxLines":100,"maxBytes":12000},
"models":{"big":{"kind":"openai","baseURL":"https://models.example/v1","model":"m1","keyEnv":"BIG_KEY","price":{"in":3,"out":15.5},"timeoutMs":20000},
"cli":{"kind":"exec","command":["claude","-p"]},"free":{"kind":"anthropic","price":{}}},"model":"big","helper":{"instanceId":"big","model":"small"},
"usage":{"monthlyCost":5.5,"monthlyTokens":1000000},
"rules":{"preset":"otto","english":true,"maxEntryChars":300},"bots":{"scout":{"model":"cli","memoryEnabled":false,"helperModel":false,"timezone":"Asia/Tokyo","rules":{"preset":"kotoba"}}},
"sync":{"intervalMinutes":5,"transport":"git"}}`

func TestLoadConfig(t *testing.T) {
	dir := t.TempDir()
	writeConfig(t, dir, fullConfig)
	got, err := LoadConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	yes, no, midnight := true, false, 0
	want := Config{
		Timezone: "Europe/Berlin", Person: PersonConfig{Name: "Ada", Email: "ada@example.org"}, Listen: "127.0.0.1:8000",
		AllowedHosts: []string{"notes.lan"},
		Features:     FeatureConfig{AutoRecall: &no, RoomMemoryCapture: true, TrustTieBreak: &no},
		Memory:       MemoryConfig{CaptureQuietMs: 60000, CaptureTurns: 4, TidyHour: &midnight, MaxLines: 100, MaxBytes: 12000},
		Models: map[string]ModelConfig{
			"big":  {Kind: "openai", BaseURL: "https://models.example/v1", Model: "m1", KeyEnv: "BIG_KEY", Price: &PriceConfig{In: 3, Out: 15.5}, TimeoutMs: 20000},
			"cli":  {Kind: "exec", Command: []string{"claude", "-p"}},
			"free": {Kind: "anthropic", Price: &PriceConfig{}},
		},
		Model: "big", Helper: HelperConfig{InstanceID: "big", Model: "small"},
		Usage: UsageConfig{MonthlyCost: 5.5, MonthlyTokens: 1_000_000},
		Rules: RulesConfig{Preset: "otto", Switches: policy.Switches{English: &yes, MaxEntryChars: new(300)}},
		Bots:  map[ID]BotConfig{"scout": {Model: "cli", MemoryEnabled: &no, HelperModel: &no, Timezone: "Asia/Tokyo", Rules: &RulesConfig{Preset: "kotoba"}}},
		Sync:  SyncConfig{IntervalMinutes: 5, Transport: "git"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	type derived struct {
		Zone, BotZone, Rules, OtherRules, Email, Model, OtherModel string
		Memory, Upkeep, Helper                                     bool
		Tidy                                                       int
		Quiet, Timeout, OtherTimeout                               time.Duration
	}
	if diff := cmp.Diff(derived{
		"Europe/Berlin", "Asia/Tokyo", "kotoba", "otto", "ada@example.org", "cli", "big",
		false, false, false, 0, time.Minute, 20 * time.Second, time.Minute,
	}, derived{
		got.Location().String(), got.LocationOf("scout").String(), got.RulesOf("scout").Preset, got.RulesOf("other").Preset, got.PersonEmail(),
		got.ModelOf("scout"), got.ModelOf("other"),
		got.MemoryOn("scout"), got.UpkeepOn("scout"), got.HelperOn("scout"), got.TidyHour(), got.CaptureQuiet(),
		got.Models["big"].Timeout(), got.Models["cli"].Timeout(),
	}); diff != "" {
		t.Errorf("derived (-want +got):\n%s", diff)
	}
}

func TestConfigDefaults(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	for name, text := range map[string]string{"no file": "", "empty": " \n", "object": "{}", "nulls": `{"timezone":null,"memory":{"tidyHour":null,"maxLines":null},"bots":null}`, "byte order mark": "\ufeff{}"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if name != "no file" {
				writeConfig(t, dir, text)
			}
			c, err := LoadConfig(dir)
			if err != nil {
				t.Fatal(err)
			}
			got := []any{c.ListenAddr(), c.MaxLines(), c.MaxBytes(), c.TidyHour(), c.CaptureTurns(), c.CaptureQuiet(), c.MemoryOn("a"), c.UpkeepOn("a"), c.HelperOn("a"), c.AutoRecall(), c.TrustTieBreak(), c.RulesOf("a").Preset, c.PersonEmail(), c.Location()}
			want := []any{"127.0.0.1:7717", 200, 24000, 3, 6, 2 * time.Minute, true, true, false, true, true, "default", "person@localhost", time.Local}
			if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *time.Location) bool { return a == b })); diff != "" {
				t.Errorf("defaults (-want +got):\n%s", diff)
			}
			if !plainName(c.PersonName()) {
				t.Errorf("PersonName %q cannot stand in a commit", c.PersonName())
			}
		})
	}
}

func TestConfigFaultsNameTheKey(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"not JSON", "{\n  \"timezone\": \"UTC\",\n}", "line 3, column 1"},
		{"cut short", `{"timezone":`, "line 1"},
		{"text behind", `{} {}`, "line 1, column 4"},
		{"not UTF-8", "{\"timezone\":\"\xff\"}", "UTF-8"},
		{"a list", `[]`, "must be an object"},
		{"timezone", `{"timezone":"Mars/Olympus"}`, `timezone "Mars/Olympus" is no time zone`},
		{"timezone path", `{"timezone":"../../etc/passwd"}`, "timezone"},
		{"timezone type", `{"timezone":2}`, "timezone must be a text"},
		{"bot timezone", `{"bots":{"scout":{"timezone":"x"}}}`, "bots.scout.timezone"},
		{"memory type", `{"memory":[]}`, "memory must be an object"},
		{"lines as text", `{"memory":{"maxLines":"200"}}`, "memory.maxLines must be a whole number"},
		{"lines broken", `{"memory":{"maxLines":1.5}}`, "memory.maxLines must be a whole number"},
		{"lines zero", `{"memory":{"maxLines":0}}`, "memory.maxLines"},
		{"lines huge", `{"memory":{"maxLines":1e99}}`, "memory.maxLines"},
		{"hour", `{"memory":{"tidyHour":24}}`, "memory.tidyHour must be a whole number from 0 to 23"},
		{"listen", `{"listen":"7717"}`, "listen"},
		{"listen port", `{"listen":"127.0.0.1:99999"}`, "listen"},
		{"hosts type", `{"allowedHosts":"a"}`, "allowedHosts must be a list"},
		{"hosts star", `{"allowedHosts":["*"]}`, "allowedHosts"},
		{"hosts scheme", `{"allowedHosts":["http://a"]}`, "allowedHosts"},
		{"hosts port", `{"allowedHosts":["a:80"]}`, "allowedHosts"},
		{"feature", `{"features":{"autoRecall":"yes"}}`, "features.autoRecall must be true or false"},
		{"preset", `{"rules":{"preset":"strict"}}`, "rules.preset must be one of"},
		{"bot preset", `{"bots":{"scout":{"rules":{"preset":1}}}}`, "bots.scout.rules.preset"},
		{"bot id", `{"bots":{"../x":{}}}`, "bots.../x is no bot"},
		{"bot type", `{"bots":{"scout":1}}`, "bots.scout must be an object"},
		{"model unknown", `{"model":"gone"}`, `model "gone" is not among models`},
		{"helper unknown", `{"helper":{"instanceId":"gone"}}`, "helper.instanceId"},
		{"bot's model unknown", `{"bots":{"scout":{"model":"gone"}}}`, `bots.scout.model "gone" is not among models`},
		{"bot's model type", `{"bots":{"scout":{"model":1}}}`, "bots.scout.model must be a text"},
		{"model kind", `{"models":{"m":{}}}`, "models.m.kind must be one of openai, anthropic, exec"},
		{"model kind unknown", `{"models":{"m":{"kind":"OpenAI"}}}`, "models.m.kind must be one of openai, anthropic, exec"},
		{"model null", `{"models":{"m":null}}`, "models.m.kind"},
		{"model address", `{"models":{"m":{"kind":"openai","baseURL":"file:///etc"}}}`, "models.m.baseURL"},
		{"model address with a password", `{"models":{"m":{"kind":"openai","baseURL":"https://me:sk-live-123@a"}}}`, "models.m.baseURL"},
		{"model address with a key", `{"models":{"m":{"kind":"openai","baseURL":"https://a/v1?key=sk-live-123"}}}`, "models.m.baseURL"},
		{"command missing", `{"models":{"m":{"kind":"exec"}}}`, "models.m.command must be a program and its words"},
		{"command empty", `{"models":{"m":{"kind":"exec","command":[""]}}}`, "models.m.command must be a program"},
		{"command as a line", `{"models":{"m":{"kind":"exec","command":"claude -p"}}}`, "models.m.command must be a list of words"},
		{"command in a folder", `{"models":{"m":{"kind":"exec","command":["./claude"]}}}`, "models.m.command must begin with"},
		{"command of a server", `{"models":{"m":{"kind":"openai","command":["claude"]}}}`, "models.m.command is only for kind exec"},
		{"address of a command", `{"models":{"m":{"kind":"exec","command":["x"],"baseURL":"http://a"}}}`, "models.m.baseURL is not for kind exec"},
		{"price", `{"models":{"m":{"kind":"openai","price":3}}}`, "models.m.price must be an object"},
		{"price below nothing", `{"models":{"m":{"kind":"openai","price":{"in":-1}}}}`, "models.m.price.in must be a number from 0"},
		{"price as text", `{"models":{"m":{"kind":"openai","price":{"out":"15"}}}}`, "models.m.price.out must be a number"},
		{"price beyond numbers", `{"models":{"m":{"kind":"openai","price":{"in":1e400}}}}`, "models.m.price.in must be a number"},
		{"timeout", `{"models":{"m":{"kind":"openai","timeoutMs":600001}}}`, "models.m.timeoutMs must be a whole number from 1 to 600000"},
		{"timeout zero", `{"models":{"m":{"kind":"openai","timeoutMs":0}}}`, "models.m.timeoutMs"},
		{"cost", `{"usage":{"monthlyCost":-0.5}}`, "usage.monthlyCost must be a number from 0"},
		{"tokens", `{"usage":{"monthlyTokens":1.5}}`, "usage.monthlyTokens must be a whole number"},
		{"key for its name", `{"models":{"m":{"kind":"openai","keyEnv":"sk-live-123"}}}`, "models.m.keyEnv must be the name"},
		{"person", `{"person":{"name":"A\nB"}}`, "person.name"},
		{"e-mail", `{"person":{"email":"a<b>"}}`, "person.email"},
		{"twice", `{"timezone":"UTC","timezone":"UTC"}`, `"timezone" twice`},
		{"transport", `{"sync":{"transport":"rsync"}}`, "sync.transport"},
		{"two at once", `{"listen":1,"memory":{"maxBytes":true}}`, "; memory.maxBytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			writeConfig(t, dir, tt.text)
			_, err := LoadConfig(dir)
			if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an ErrInvalid with %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "sk-live") {
				t.Errorf("the message repeats a key: %v", err)
			}
		})
	}
}

func TestEnvironmentWins(t *testing.T) {
	dir := t.TempDir()
	writeConfig(t, dir, fullConfig)
	for name, value := range map[string]string{
		"QUIPU_LISTEN": "[::1]:9", "QUIPU_TIMEZONE": "UTC", "QUIPU_ALLOWED_HOSTS": "a.lan, b.lan", "QUIPU_PERSON_NAME": "Grace",
		"QUIPU_PERSON_EMAIL": "", "QUIPU_HELPER_INSTANCE": "",
	} {
		t.Setenv(name, value)
	}
	c, err := LoadConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{c.ListenAddr(), c.Location().String(), strings.Join(c.AllowedHosts, " "), c.PersonName(), c.PersonEmail(), c.Helper.InstanceID}
	if diff := cmp.Diff([]string{"[::1]:9", "UTC", "a.lan b.lan", "Grace", "ada@example.org", ""}, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	want := map[string]string{
		"listen": "QUIPU_LISTEN", "timezone": "QUIPU_TIMEZONE", "allowedHosts": "QUIPU_ALLOWED_HOSTS", "person.name": "QUIPU_PERSON_NAME",
		"helper.instanceId": "QUIPU_HELPER_INSTANCE",
	}
	if diff := cmp.Diff(want, c.Environment); diff != "" {
		t.Errorf("the variables in force (-want +got):\n%s", diff)
	}
	t.Setenv("QUIPU_TIMEZONE", "Nowhere/None")
	if _, err := LoadConfig(dir); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "QUIPU_TIMEZONE") {
		t.Errorf("got %v, want an ErrInvalid that names QUIPU_TIMEZONE", err)
	}
}

// TestConfigHelperOfTheEnvironment: a helper that is missing breaks nothing, so a variable
// that names none of the models is no reason to refuse the file.
func TestConfigHelperOfTheEnvironment(t *testing.T) {
	tests := map[string]struct {
		file, instance, model string
		want                  HelperConfig
	}{
		"named":               {`{}`, "gone", "", HelperConfig{InstanceID: "gone"}},
		"instead of the file": {`{"helper":{"instanceId":"gone","model":"m"}}`, "big", "small", HelperConfig{InstanceID: "big", Model: "small"}},
		"off":                 {`{"helper":{"instanceId":"gone","model":"m"}}`, "", "", HelperConfig{Model: "m"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := parseConfig([]byte(tt.file), func(key string) (string, bool) {
				value, ok := map[string]string{"QUIPU_HELPER_INSTANCE": tt.instance, "QUIPU_HELPER_MODEL": tt.model}[key]
				return value, ok
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, c.Helper); diff != "" {
				t.Errorf("helper (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownKeysAreReported(t *testing.T) {
	dir := t.TempDir()
	writeConfig(t, dir, `{"colour":"red","memory":{"depth":1},"Timezone":"UTC","bots":{"scout":{"mood":1}},"models":{"m":{"kind":"openai","price":{"cached":1},"temperature":1}},"usage":{"daily":1}}`)
	c, err := LoadConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"colour", "memory.depth", "Timezone", "bots.scout.mood", "models.m.price.cached", "models.m.temperature", "usage.daily"}, c.Unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
}

func TestConfigBoxKeepsTheLastGoodOne(t *testing.T) {
	dir := t.TempDir()
	writeConfig(t, dir, `{"timezone":"Asia/Tokyo"}`)
	var box configBox
	var lines strings.Builder
	log := slog.New(slog.NewTextHandler(&lines, nil))
	steps := []struct{ name, text, zone, fault string }{
		{"as it was", "", "Asia/Tokyo", ""},
		{"broken", `{"timezone":"Nowhere"}`, "Asia/Tokyo", "timezone"},
		{"still broken", "", "Asia/Tokyo", "timezone"},
		{"mended", `{"timezone":"Europe/Paris"}`, "Europe/Paris", ""},
	}
	for _, s := range steps {
		if s.text != "" {
			writeConfig(t, dir, s.text)
		}
		c, err := box.current(dir, log)
		fault := ""
		if err != nil {
			fault = err.Error()
		}
		if c.Location().String() != s.zone || !strings.Contains(fault, s.fault) || (s.fault == "") != (fault == "") {
			t.Errorf("%s: got %s, fault %q; want %s, fault %q", s.name, c.Location(), fault, s.zone, s.fault)
		}
	}
	if got := strings.Count(lines.String(), "is not used"); got != 1 {
		t.Errorf("the fault was logged %d times, want once:\n%s", got, &lines)
	}
}

func TestEditConfigKeepsTheRest(t *testing.T) {
	s := tokenStore(t)
	writeConfig(t, s.home, "{\"colour\": \"rosé & <b>\", \"bots\": {\"zoe\":{\"mood\":1e2}},\n\"timezone\":\"UTC\"}")
	if err := s.SetBot("scout", map[string]any{"memoryEnabled": false, "timezone": "Asia/Tokyo"}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetConfig("memory.tidyHour", 0); err != nil {
		t.Fatal(err)
	}
	if err := s.SetConfig("timezone", nil); err != nil {
		t.Fatal(err)
	}
	want := `{
  "colour": "rosé & <b>",
  "bots": {
    "zoe": {
      "mood": 1e2
    },
    "scout": {
      "memoryEnabled": false,
      "timezone": "Asia/Tokyo"
    }
  },
  "memory": {
    "tidyHour": 0
  }
}
`
	got, err := os.ReadFile(filepath.Join(s.home, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("config.json (-want +got):\n%s", diff)
	}
	if err := s.SetBot("scout", map[string]any{"memoryEnabled": nil, "timezone": nil}); err != nil {
		t.Fatal(err)
	}
	if v, err := s.ConfigValue("bots"); err != nil || strings.Contains(string(v), "scout") {
		t.Errorf("bots = %s, %v; want scout gone with its last setting", v, err)
	}
	if _, err := s.ConfigValue("memory.maxLines"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

func TestEditConfigRefuses(t *testing.T) {
	tests := []struct {
		name, file string
		path       []string
		value      any
	}{
		{"unknown key", `{}`, []string{"colour"}, "red"},
		{"unknown inner key", `{}`, []string{"memory", "depth"}, 1},
		{"wrong type", `{}`, []string{"memory", "maxLines"}, "many"},
		{"zone", `{}`, []string{"bots", "scout", "timezone"}, "Mars"},
		{"bad bot", `{}`, []string{"bots", "a--b", "timezone"}, "UTC"},
		{"no key", `{}`, nil, 1},
		{"empty key", `{}`, []string{""}, 1},
		{"into a text", `{}`, []string{"timezone", "x"}, 1},
		{"broken file", `{`, []string{"timezone"}, "UTC"},
		{"not JSON", `{}`, []string{"timezone"}, func() {}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := tokenStore(t)
			writeConfig(t, s.home, tt.file)
			if err := s.EditConfig(Setting{Path: tt.path, Value: tt.value}); !errors.Is(err, ErrInvalid) {
				t.Errorf("got %v, want ErrInvalid", err)
			}
			if got, _ := os.ReadFile(filepath.Join(s.home, "config.json")); string(got) != tt.file {
				t.Errorf("the file became %s", got)
			}
		})
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(fullConfig))
	f.Add([]byte(`{"bots":{"scout":{"rules":null}},"x":[1,{"a":2}]}`))
	f.Add([]byte("\xef\xbb\xbf{}"))
	f.Add([]byte(`{"a":1,"a":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		before, err := parseConfig(data, noEnvironment)
		if err != nil {
			return
		}
		text, err := editConfig(data, []Setting{{Path: []string{"bots", "zz", "memoryEnabled"}, Value: false}})
		if err != nil {
			t.Fatalf("%q cannot be edited: %v", data, err)
		}
		if !json.Valid(text) {
			t.Fatalf("%q became %q", data, text)
		}
		after, err := parseConfig(text, noEnvironment)
		if err != nil {
			t.Fatalf("%q became %q: %v", data, text, err)
		}
		delete(after.Bots, "zz")
		delete(before.Bots, "zz")
		opts := cmp.Options{cmpopts.IgnoreUnexported(Config{}), cmpopts.EquateEmpty()}
		if diff := cmp.Diff(before, after, opts); diff != "" {
			t.Errorf("an edit changed more than its key (-before +after):\n%s", diff)
		}
	})
}
