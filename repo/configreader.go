package repo

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quipu/policy"
)

// configReader collects what is wrong and what is unknown, so that a person can
// mend a file in one go.
type configReader struct {
	faults  []string
	unknown []string

	helperSet bool // by the environment
}

// reading takes one value out of the file; at is its dotted key.
type reading func(at string, raw json.RawMessage)

func (r *configReader) topKeys(c *Config) map[string]reading {
	return map[string]reading{
		"timezone":     r.zone(&c.Timezone),
		"person":       r.object(map[string]reading{"name": r.name(&c.Person.Name), "email": r.name(&c.Person.Email)}),
		"listen":       r.text(&c.Listen),
		"allowedHosts": into(r, &c.AllowedHosts, "a list of host names"),
		"features": r.object(map[string]reading{
			"autoRecall":        into(r, &c.Features.AutoRecall, "true or false"),
			"neverLearn":        into(r, &c.Features.NeverLearn, "true or false"),
			"roomMemoryCapture": into(r, &c.Features.RoomMemoryCapture, "true or false"),
			"trustTieBreak":     into(r, &c.Features.TrustTieBreak, "true or false"),
			"roomLayers":        into(r, &c.Features.RoomLayers, "true or false"),
			"memberMemory":      into(r, &c.Features.MemberMemory, "true or false"),
		}),
		"memory": r.object(map[string]reading{
			"captureQuietMs": r.count(&c.Memory.CaptureQuietMs, 1, 86_400_000),
			"captureTurns":   r.count(&c.Memory.CaptureTurns, 1, 1000),
			"tidyHour":       r.hour(&c.Memory.TidyHour),
			"maxLines":       r.count(&c.Memory.MaxLines, 1, 100_000),
			"maxBytes":       r.count(&c.Memory.MaxBytes, 256, policy.MaxFileBytes),
			"historyDays":    r.count(&c.Memory.HistoryDays, 0, 36_500),
		}),
		"models": r.models(&c.Models),
		"model":  r.text(&c.Model),
		"helper": r.object(map[string]reading{"instanceId": r.text(&c.Helper.InstanceID), "model": r.text(&c.Helper.Model)}),
		"usage": r.object(map[string]reading{
			"monthlyCost":   r.amount(&c.Usage.MonthlyCost),
			"monthlyTokens": r.count(&c.Usage.MonthlyTokens, 0, 2_000_000_000),
		}),
		"rules": r.rules(&c.Rules),
		"bots":  r.bots(&c.Bots),
		"sync": r.object(map[string]reading{
			"intervalMinutes": r.count(&c.Sync.IntervalMinutes, 0, 525_600),
			"transport":       r.oneOf(&c.Sync.Transport, "auto", "git", "go-git"),
		}),
	}
}

func (r *configReader) fault(at, format string, args ...any) {
	r.faults = append(r.faults, at+" "+fmt.Sprintf(format, args...))
}

// into reads a value of Go's own shape; null leaves the default.
func into[T any](r *configReader, target *T, want string) reading {
	return func(at string, raw json.RawMessage) {
		var v T
		if err := json.Unmarshal(raw, &v); err != nil {
			r.fault(at, "must be %s", want)
			return
		}
		*target = v
	}
}

func (r *configReader) object(keys map[string]reading) reading {
	return func(at string, raw json.RawMessage) {
		list, err := members(raw)
		if err != nil {
			r.fault(orFile(at), "%v", err)
			return
		}
		for _, m := range list {
			key := dotted(at, m.key)
			if read, ok := keys[m.key]; ok {
				read(key, m.value)
			} else {
				r.unknown = append(r.unknown, key)
			}
		}
	}
}

func (r *configReader) text(target *string) reading { return into(r, target, "a text") }

func (r *configReader) name(target *string) reading {
	return func(at string, raw json.RawMessage) {
		r.text(target)(at, raw)
		if *target != "" && !plainName(*target) {
			r.fault(at, "must be one line of at most 100 characters without < and >")
		}
	}
}

// CheckName says whether a name can stand in a commit's author line, as a person's
// and a bot's must: one line of at most 100 characters without < and >. ErrInvalid.
func CheckName(name string) error {
	if !plainName(name) {
		return wrapf(ErrInvalid, "a name is one line of at most 100 characters without < and >")
	}
	return nil
}

// plainName says whether a text can stand in a commit's author line.
func plainName(s string) bool {
	return strings.TrimSpace(s) == s && s != "" && utf8.RuneCountInString(s) <= 100 &&
		!strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f || c == '<' || c == '>' || c == utf8.RuneError })
}

func (r *configReader) zone(target *string) reading {
	return func(at string, raw json.RawMessage) {
		r.text(target)(at, raw)
		if _, err := time.LoadLocation(*target); err != nil {
			r.fault(at, "%q is no time zone; it must be a name such as Europe/Berlin", *target)
		}
	}
}

func (r *configReader) count(target *int, low, high int) reading {
	want := fmt.Sprintf("a whole number from %d to %d", low, high)
	return func(at string, raw json.RawMessage) {
		if string(raw) == "null" {
			return
		}
		into(r, target, want)(at, raw)
		if n, err := strconv.Atoi(string(raw)); err == nil && (n < low || n > high) {
			r.fault(at, "must be %s", want)
		}
	}
}

// maxAmount keeps a sum of a month's costs a number.
const maxAmount = 1_000_000

func (r *configReader) amount(target *float64) reading {
	want := fmt.Sprintf("a number from 0 to %d", maxAmount)
	return func(at string, raw json.RawMessage) {
		into(r, target, want)(at, raw)
		if *target < 0 || *target > maxAmount {
			r.fault(at, "must be %s", want)
		}
	}
}

func (r *configReader) hour(target **int) reading { return r.counted(target, 0, 23) }

func (r *configReader) oneOf(target *string, words ...string) reading {
	return func(at string, raw json.RawMessage) {
		want := "one of " + strings.Join(words, ", ")
		into(r, target, want)(at, raw)
		if *target != "" && !slices.Contains(words, *target) {
			r.fault(at, "must be %s", want)
		}
	}
}

// each reads an object whose keys are names that the person chose.
func (r *configReader) each(fn func(key, at string, raw json.RawMessage)) reading {
	return func(at string, raw json.RawMessage) {
		list, err := members(raw)
		if err != nil {
			r.fault(at, "%v", err)
			return
		}
		for _, m := range list {
			fn(m.key, dotted(at, m.key), m.value)
		}
	}
}

func (r *configReader) bots(target *map[ID]BotConfig) reading {
	return r.each(func(key, at string, raw json.RawMessage) {
		if err := policy.CheckID(key); err != nil {
			r.fault(at, "is no bot: %v", err)
			return
		}
		var b BotConfig
		keys := map[string]reading{
			"name":          r.name(&b.Name),
			"model":         r.text(&b.Model),
			"memoryEnabled": into(r, &b.MemoryEnabled, "true or false"),
			"memoryUpkeep":  into(r, &b.MemoryUpkeep, "true or false"),
			"helperModel":   into(r, &b.HelperModel, "true or false"),
			"timezone":      r.zone(&b.Timezone),
			"rules": func(at string, raw json.RawMessage) {
				if string(raw) != "null" {
					b.Rules = &RulesConfig{}
					r.rules(b.Rules)(at, raw)
				}
			},
		}
		r.object(keys)(at, raw)
		if *target == nil {
			*target = map[ID]BotConfig{}
		}
		(*target)[ID(key)] = b
	})
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (r *configReader) models(target *map[string]ModelConfig) reading {
	return r.each(func(key, at string, raw json.RawMessage) {
		var m ModelConfig
		r.object(map[string]reading{
			"kind": r.text(&m.Kind), "baseURL": r.text(&m.BaseURL), "model": r.text(&m.Model), "keyEnv": r.text(&m.KeyEnv),
			"command": into(r, &m.Command, "a list of words"), "timeoutMs": r.count(&m.TimeoutMs, 1, 600_000),
			"price": func(at string, raw json.RawMessage) {
				if string(raw) != "null" {
					m.Price = &PriceConfig{}
					r.object(map[string]reading{"in": r.amount(&m.Price.In), "out": r.amount(&m.Price.Out)})(at, raw)
				}
			},
		})(at, raw)
		if kinds := []string{KindOpenAI, KindAnthropic, KindExec}; !slices.Contains(kinds, m.Kind) {
			r.fault(at+".kind", "must be one of %s", strings.Join(kinds, ", "))
		}
		// Neither text is shown: it may be the key, or hold it, that was put here by mistake.
		if m.BaseURL != "" && !serverAddress(m.BaseURL) {
			r.fault(at+".baseURL", "must be an http or https address without a password, ? and #")
		}
		if m.KeyEnv != "" && !envName.MatchString(m.KeyEnv) {
			r.fault(at+".keyEnv", "must be the name of an environment variable, not the key itself")
		}
		r.command(at, m)
		if *target == nil {
			*target = map[string]ModelConfig{}
		}
		(*target)[key] = m
	})
}

// command checks that a model is either a program or a server. A program is started
// in an empty folder, so a path that starts elsewhere would never be found.
func (r *configReader) command(at string, m ModelConfig) {
	switch {
	case m.Kind != KindExec && m.Command != nil:
		r.fault(at+".command", "is only for kind %s", KindExec)
	case m.Kind != KindExec:
	case len(m.Command) == 0 || m.Command[0] == "" || strings.Contains(strings.Join(m.Command, ""), "\x00"):
		r.fault(at+".command", `must be a program and its words, as ["claude", "-p"]`)
	case strings.ContainsRune(m.Command[0], filepath.Separator) && !filepath.IsAbs(m.Command[0]):
		r.fault(at+".command", "must begin with a program's name or its whole path")
	}
	if m.Kind == KindExec && m.BaseURL != "" {
		r.fault(at+".baseURL", "is not for kind %s", KindExec)
	}
}

func serverAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && !strings.ContainsAny(s, "?#")
}

// environment lays the variables over the file. An empty one counts as unset,
// but an empty QUIPU_HELPER_INSTANCE switches a saved helper off.
func (r *configReader) environment(c *Config, getenv func(string) (string, bool)) {
	for name, set := range map[string]struct {
		key    string
		target *string
	}{
		"QUIPU_LISTEN": {"listen", &c.Listen}, "QUIPU_TIMEZONE": {"timezone", &c.Timezone}, "QUIPU_MODEL": {"model", &c.Model},
		"QUIPU_PERSON_NAME": {"person.name", &c.Person.Name}, "QUIPU_PERSON_EMAIL": {"person.email", &c.Person.Email},
		"QUIPU_HELPER_MODEL": {"helper.model", &c.Helper.Model},
	} {
		if v, _ := getenv(name); v != "" {
			*set.target = v
			c.overridden(set.key, name)
		}
	}
	if v, _ := getenv("QUIPU_TIMEZONE"); v != "" {
		if _, err := time.LoadLocation(v); err != nil {
			r.fault("QUIPU_TIMEZONE", "%q is no time zone; it must be a name such as Europe/Berlin", v)
		}
	}
	for _, name := range []string{"QUIPU_PERSON_NAME", "QUIPU_PERSON_EMAIL"} {
		if v, _ := getenv(name); v != "" && !plainName(v) {
			r.fault(name, "must be one line of at most 100 characters without < and >")
		}
	}
	if v, _ := getenv("QUIPU_ALLOWED_HOSTS"); v != "" {
		c.overridden("allowedHosts", "QUIPU_ALLOWED_HOSTS")
		c.AllowedHosts = strings.FieldsFunc(v, func(c rune) bool { return c == ',' || c == ' ' })
	}
	if v, set := getenv("QUIPU_HELPER_INSTANCE"); set {
		c.Helper.InstanceID, r.helperSet = v, true
		c.overridden("helper.instanceId", "QUIPU_HELPER_INSTANCE")
	}
}

func (c *Config) overridden(key, variable string) {
	if c.Environment == nil {
		c.Environment = map[string]string{}
	}
	c.Environment[key] = variable
}

// together checks what hangs on the environment or on two settings at once.
func (r *configReader) together(c Config) {
	if c.Listen != "" && !listenAddress(c.Listen) {
		r.fault("listen", "%q must be host:port, as %s, or unix:/PATH", c.Listen, DefaultListen)
	}
	for _, h := range c.AllowedHosts {
		if !hostName(h) {
			r.fault("allowedHosts", "%q must be a host name or address alone, without scheme, port, path or *", h)
		}
	}
	if _, ok := c.Models[c.Model]; c.Model != "" && !ok {
		r.fault("model", "%q is not among models", c.Model)
	}
	for _, id := range slices.Sorted(maps.Keys(c.Bots)) {
		if name := c.Bots[id].Model; name != "" {
			if _, ok := c.Models[name]; !ok {
				r.fault("bots."+string(id)+".model", "%q is not among models", name)
			}
		}
	}
	// A helper that a variable names and the file does not know is one that is missing,
	// which breaks nothing: the file may not be refused for it.
	if _, ok := c.Models[c.Helper.InstanceID]; c.Helper.InstanceID != "" && !ok && !r.helperSet {
		r.fault("helper.instanceId", "%q is not among models", c.Helper.InstanceID)
	}
}

func listenAddress(s string) bool {
	if path, socket := strings.CutPrefix(s, "unix:"); socket {
		return filepath.IsAbs(path)
	}
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && strconv.FormatUint(n, 10) == port
}

var hostPattern = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$`)

func hostName(s string) bool {
	return len(s) <= 253 && (hostPattern.MatchString(s) || net.ParseIP(strings.Trim(s, "[]")) != nil)
}

func orFile(at string) string {
	if at == "" {
		return "the whole"
	}
	return at
}

func dotted(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}
