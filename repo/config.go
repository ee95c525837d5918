package repo

import (
	"os/user"
	"strings"
	"time"

	"quipu/policy"
)

// DefaultListen is where the server listens when nothing else is set.
const DefaultListen = "127.0.0.1:7717"

// Config is config.json with what the environment overrides. The zero value is
// every default; the methods give a setting with its default filled in.
type Config struct {
	Timezone     string                 `json:"timezone,omitempty"` // IANA name; empty is the machine's
	Person       PersonConfig           `json:"person,omitzero"`
	Listen       string                 `json:"listen,omitempty"`       // host:port or unix:/PATH; empty is DefaultListen
	AllowedHosts []string               `json:"allowedHosts,omitempty"` // host names that the server answers to besides loopback's
	Features     FeatureConfig          `json:"features,omitzero"`
	Memory       MemoryConfig           `json:"memory,omitzero"`
	Models       map[string]ModelConfig `json:"models,omitempty"`
	Model        string                 `json:"model,omitempty"` // a name in Models
	Helper       HelperConfig           `json:"helper,omitzero"`
	Usage        UsageConfig            `json:"usage,omitzero"`
	Rules        RulesConfig            `json:"rules,omitzero"`
	Bots         map[ID]BotConfig       `json:"bots,omitempty"`
	Sync         SyncConfig             `json:"sync,omitzero"`

	// Unknown names the keys that quipu does not know, dotted and in file order.
	// They stay in the file.
	Unknown []string `json:"-"`

	// Environment names the variable that sets a setting, by the setting's dotted key. What
	// the file says of such a setting has no effect.
	Environment map[string]string `json:"-"`

	location *time.Location // of Timezone, read once; nil is the machine's

	gitName, gitEmail string // what the person's own git signs with
}

// PersonConfig is who the person is in commits.
type PersonConfig struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

// FeatureConfig switches features for every bot.
type FeatureConfig struct {
	AutoRecall        *bool `json:"autoRecall,omitempty"` // nil is true
	NeverLearn        *bool `json:"neverLearn,omitempty"` // nil is true; false keeps no list of what was forgotten
	RoomMemoryCapture bool  `json:"roomMemoryCapture,omitempty"`
	TrustTieBreak     *bool `json:"trustTieBreak,omitempty"` // nil is true; see Config.TrustTieBreak
	RoomLayers        bool  `json:"roomLayers,omitempty"`    // what is captured in a room is filed in that room's layer
	MemberMemory      *bool `json:"memberMemory,omitempty"`  // nil is true; false reads and writes no layer of a person
}

// MemoryConfig is when upkeep runs and how much loads. Zero and nil are the defaults.
type MemoryConfig struct {
	CaptureQuietMs int  `json:"captureQuietMs,omitempty"` // milliseconds; 120,000
	CaptureTurns   int  `json:"captureTurns,omitempty"`   // 6
	TidyHour       *int `json:"tidyHour,omitempty"`       // 0 to 23, local; 3
	MaxLines       int  `json:"maxLines,omitempty"`       // 200
	MaxBytes       int  `json:"maxBytes,omitempty"`       // bytes of UTF-8; 24,000
	HistoryDays    int  `json:"historyDays,omitempty"`    // older history becomes one commit; 0 keeps all
}

// The kinds of model.
const (
	KindOpenAI    = "openai"    // any server that speaks OpenAI's chat completions
	KindAnthropic = "anthropic" // any server that speaks Anthropic's messages
	KindExec      = "exec"      // a program that reads the prompt and writes the answer
)

// ModelConfig is one model that upkeep may call. The key itself stands in the
// environment variable KeyEnv, never in the file.
type ModelConfig struct {
	Kind      string       `json:"kind"`
	BaseURL   string       `json:"baseURL,omitempty"` // empty is the kind's own service
	Model     string       `json:"model,omitempty"`
	KeyEnv    string       `json:"keyEnv,omitempty"`
	Command   []string     `json:"command,omitempty"`   // the program and its words, of an exec alone
	Price     *PriceConfig `json:"price,omitempty"`     // nil: what a call costs is not counted
	TimeoutMs int          `json:"timeoutMs,omitempty"` // milliseconds a call may take; 60,000
}

// PriceConfig is what a million tokens cost, in whichever currency the monthly limit
// is in.
type PriceConfig struct {
	In  float64 `json:"in"`
	Out float64 `json:"out"`
}

// UsageConfig is where calls of models stop for the rest of a calendar month (UTC),
// all bots together. Zero is no limit.
type UsageConfig struct {
	MonthlyCost   float64 `json:"monthlyCost,omitempty"` // of the calls whose model has a price
	MonthlyTokens int     `json:"monthlyTokens,omitempty"`
}

// HelperConfig is the model that fills in for engines without one. InstanceID is
// a name in Models; empty is off.
type HelperConfig struct {
	InstanceID string `json:"instanceId,omitempty"`
	Model      string `json:"model,omitempty"`
}

// RulesConfig is a preset and the switches that differ from it; nil leaves the
// preset's.
type RulesConfig struct {
	Preset string `json:"preset,omitempty"` // one of policy.Presets; empty is the default
	policy.Switches
}

// BotConfig is what is set for one bot alone. Nil and empty leave what holds for
// every bot.
type BotConfig struct {
	Name          string       `json:"name,omitempty"`
	Model         string       `json:"model,omitempty"`         // a name in Models
	MemoryEnabled *bool        `json:"memoryEnabled,omitempty"` // nil is true
	MemoryUpkeep  *bool        `json:"memoryUpkeep,omitempty"`  // nil is true
	HelperModel   *bool        `json:"helperModel,omitempty"`   // nil is true; false never uses the helper
	Rules         *RulesConfig `json:"rules,omitempty"`
	Timezone      string       `json:"timezone,omitempty"`
}

// SyncConfig is how often and by what a remote is spoken to.
type SyncConfig struct {
	IntervalMinutes int    `json:"intervalMinutes,omitempty"` // 0 is only when asked
	Transport       string `json:"transport,omitempty"`       // auto, git, go-git; empty is auto
}

// of is what is set for a bot, which holds for its layers.
func (c Config) of(id ID) BotConfig { return c.Bots[id.bot()] }

// Location is the time zone that days are counted in, the machine's when none is set.
func (c Config) Location() *time.Location {
	if c.location != nil {
		return c.location
	}
	return locationOr(c.Timezone, time.Local)
}

// LocationOf is Location for one bot, which may have a time zone of its own.
func (c Config) LocationOf(id ID) *time.Location {
	return locationOr(c.of(id).Timezone, c.Location())
}

func locationOr(name string, other *time.Location) *time.Location {
	if name == "" {
		return other
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return other // refused when the file was read; the machine's zones may have gone since
	}
	return loc
}

// PersonName is who the person's changes are by: the configured name, else the one
// that their own git signs with, else the operating system's, else "person".
func (c Config) PersonName() string {
	if c.Person.Name != "" {
		return c.Person.Name
	}
	if plainName(c.gitName) {
		return c.gitName
	}
	u, err := user.Current()
	if err != nil {
		return "person"
	}
	name := u.Name
	if name == "" {
		_, name, _ = strings.Cut(`\`+u.Username, `\`)
	}
	if !plainName(name) {
		return "person"
	}
	return name
}

// PersonEmail is the person's address in commits: the configured one, else their own
// git's where the name is its too. The default tells nothing about the machine, since
// a history may be pushed.
func (c Config) PersonEmail() string {
	if c.Person.Email != "" {
		return c.Person.Email
	}
	if plainName(c.gitName) && c.gitEmail != "" {
		return c.gitEmail
	}
	return "person@localhost"
}

// ListenAddr is the host:port, or the unix:/PATH, that the server listens on.
func (c Config) ListenAddr() string {
	if c.Listen != "" {
		return c.Listen
	}
	return DefaultListen
}

// MemoryOn says whether a bot keeps notes at all.
func (c Config) MemoryOn(id ID) bool { return isOn(c.of(id).MemoryEnabled) }

// UpkeepOn says whether a bot's notes are tended by themselves.
func (c Config) UpkeepOn(id ID) bool { return c.MemoryOn(id) && isOn(c.of(id).MemoryUpkeep) }

// HelperOn says whether the helper model may read a bot's text.
func (c Config) HelperOn(id ID) bool {
	return c.Helper.InstanceID != "" && isOn(c.of(id).HelperModel)
}

// ModelOf names the model that writes a bot's background text: its own where it has
// one, else everyone's; "" for none.
func (c Config) ModelOf(id ID) string {
	if own := c.of(id).Model; own != "" {
		return own
	}
	return c.Model
}

// Timeout is how long a call may take, with what is tried again in it.
func (m ModelConfig) Timeout() time.Duration {
	return time.Duration(orDefault(m.TimeoutMs, 60_000)) * time.Millisecond
}

// AutoRecall says whether notes are looked up by themselves at a turn's start.
func (c Config) AutoRecall() bool { return isOn(c.Features.AutoRecall) }

// NeverLearn says whether what was forgotten is kept on a list, as keyed hashes, so
// that no bot learns it again.
func (c Config) NeverLearn() bool { return isOn(c.Features.NeverLearn) }

// TrustTieBreak says whether, of notes that answer a question equally well, the one comes
// first whose speaker is trusted more.
func (c Config) TrustTieBreak() bool { return isOn(c.Features.TrustTieBreak) }

// MemberMemory says whether turns read and write what bots keep of single persons.
func (c Config) MemberMemory() bool { return isOn(c.Features.MemberMemory) }

// CaptureQuiet is how long a chat rests before it is read for what is new.
func (c Config) CaptureQuiet() time.Duration {
	if c.Memory.CaptureQuietMs == 0 {
		return 2 * time.Minute
	}
	return time.Duration(c.Memory.CaptureQuietMs) * time.Millisecond
}

// CaptureTurns is after how many turns a chat is read without waiting for quiet.
func (c Config) CaptureTurns() int { return orDefault(c.Memory.CaptureTurns, 6) }

// TidyHour is the local hour from which the nightly tidy-up is due.
func (c Config) TidyHour() int {
	if c.Memory.TidyHour == nil {
		return 3
	}
	return *c.Memory.TidyHour
}

// MaxLines is how many lines of MEMORY.md load.
func (c Config) MaxLines() int { return orDefault(c.Memory.MaxLines, 200) }

// MaxBytes is how many bytes of MEMORY.md load.
func (c Config) MaxBytes() int { return orDefault(c.Memory.MaxBytes, 24_000) }

// Limits are both limits of MEMORY.md.
func (c Config) Limits() policy.Limits {
	return policy.Limits{Lines: c.MaxLines(), Bytes: c.MaxBytes()}
}

// RulesOf is the rules for one bot: its own preset with its own switches, or, where it names
// no preset, everyone's with its own switches over them.
func (c Config) RulesOf(id ID) RulesConfig {
	r := c.Rules
	switch own := c.of(id).Rules; {
	case own == nil:
	case own.Preset != "":
		r = *own
	default:
		r.Switches = r.Under(own.Switches)
	}
	if r.Preset == "" {
		r.Preset = policy.PresetDefault
	}
	return r
}

// RulesIn is RulesOf with every switch: the preset's, where none is set beside it.
func (c Config) RulesIn(id ID) policy.Rules {
	r := c.RulesOf(id)
	return policy.RulesOf(r.Preset, r.Switches)
}

func isOn(b *bool) bool { return b == nil || *b }

func orDefault(n, other int) int {
	if n == 0 {
		return other
	}
	return n
}
