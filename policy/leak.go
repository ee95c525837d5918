package policy

import (
	"math"
	"regexp"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/zricethezav/gitleaks/v8/config"
)

// leakSet is the rule set of gitleaks v8.30.1 (MIT), read as data. Its own
// detector compiles all rules before it looks at a text, reports secrets
// without their place, and spends the square of a long line's length; here a
// rule is compiled at its first keyword and looks only near it.
type leakSet struct {
	allow leakAllow
	rules []*leakRule
	by    map[string][]*leakRule // rules by keyword
}

type leakRule struct {
	ID          string      `toml:"id"`
	Pattern     string      `toml:"regex"`
	Path        string      `toml:"path"`
	Keywords    []string    `toml:"keywords"`
	Entropy     float64     `toml:"entropy"`
	SecretGroup int         `toml:"secretGroup"`
	Allow       []leakAllow `toml:"allowlists"`

	assign bool // the pattern wants an assignment behind its keyword
	once   sync.Once
	re     *regexp.Regexp
}

// assignPattern is the part that the patterns with assign share.
const assignPattern = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`

// assigns reports whether text, which begins with a keyword, can hold what
// assign patterns want: behind the keyword nothing but the rest of a name,
// blanks and quotes, a sign within some 20 characters, and behind at most 8 more
// a run of 8 characters. It is cheap and never says no to a match: no pattern
// goes over the marks of what is masked already.
func assigns(text string) bool {
	text = beforeMarker(text[:min(len(text), 96)])
	at := 0
	for at < len(text) && at < assignReach && (tokenByte(text[at]) && text[at] != '=' || strings.IndexByte(" \t\r\n\v\f'\"", text[at]) >= 0) {
		at++
	}
	if at == len(text) || strings.IndexByte("=>:,|?", text[at]) < 0 {
		return false
	}
	for at < len(text) && strings.IndexByte("=>:,|?", text[at]) >= 0 {
		at++
		for skip := range 9 {
			end := wordEnd(text, min(len(text), at+skip))
			if end-at-skip >= 8 {
				return true
			}
		}
	}
	return false
}

const assignReach = 64 // bytes of keyword and name before the sign

const minWebToken = 19 // characters of the first part of a web token

// begins reports whether the token at a keyword can be as long as its rules
// want. The keyword of web tokens, two letters of many words, is the one that
// needs it.
func begins(text, keyword string) bool {
	return keyword != "ey" || wordEnd(text[:min(len(text), minWebToken)], 0) == minWebToken
}

// leakAllow is a list of what is no secret although a rule matches.
type leakAllow struct {
	Condition string   `toml:"condition"`
	Target    string   `toml:"regexTarget"`
	Paths     []string `toml:"paths"`
	Patterns  []string `toml:"regexes"`
	StopWords []string `toml:"stopwords"`

	re    *regexp.Regexp
	stops *lexicon
}

// readLeaks reads the rule set that comes with the gitleaks module.
func readLeaks() (*leakSet, error) {
	var file struct {
		Allow leakAllow   `toml:"allowlist"`
		Rules []*leakRule `toml:"rules"`
	}
	if _, err := toml.Decode(config.DefaultConfig, &file); err != nil {
		return nil, err
	}
	set := &leakSet{allow: file.Allow, by: map[string][]*leakRule{}}
	set.allow.compile()
	for _, rule := range file.Rules {
		if rule.Path != "" || rule.Pattern == "" || rule.ID == "private-key" {
			continue // for files by name, which a note has not; keys: see keyBlocks
		}
		rule.assign = strings.Contains(rule.Pattern, assignPattern)
		set.rules = append(set.rules, rule)
		for _, word := range rule.Keywords {
			word = strings.ToLower(word)
			set.by[word] = append(set.by[word], rule)
		}
	}
	return set, nil
}

func (a *leakAllow) compile() {
	if len(a.Patterns) > 0 {
		a.re = regexp.MustCompile("(?:" + strings.Join(a.Patterns, ")|(?:") + ")")
	}
	if len(a.StopWords) > 0 {
		a.stops = newLexicon()
		for _, word := range a.StopWords {
			if word = strings.ToLower(word); len(word) > 1 {
				a.stops.add(word, hit{})
			}
		}
	}
}

func (r *leakRule) compiled() *regexp.Regexp {
	r.once.Do(func() {
		r.re = regexp.MustCompile(r.Pattern)
		for i := range r.Allow {
			r.Allow[i].compile()
		}
	})
	return r.re
}

// allows reports whether a finding is on the list. Lists that also ask for a
// path never apply: what is scanned here has none.
func (a *leakAllow) allows(secret, match, line string) bool {
	if strings.EqualFold(a.Condition, "AND") && len(a.Paths) > 0 {
		return false
	}
	target := secret
	switch a.Target {
	case "match":
		target = match
	case "line":
		target = line
	}
	inRegex := a.re != nil && a.re.MatchString(target)
	inStops := a.stops != nil && a.stops.holdsAny(strings.ToLower(secret))
	if strings.EqualFold(a.Condition, "AND") {
		return (a.re == nil || inRegex) && (a.stops == nil || inStops)
	}
	return inRegex || inStops
}

// How far around a keyword a rule looks. Every pattern holds its keyword and
// starts at most some 50 characters before it; a secret that runs on past the
// window is taken to the end of its word.
const (
	leakBefore = 128
	leakAfter  = 256
	leakFar    = 640     // for curl, whose secret stands behind other arguments
	leakRun    = 4 << 10 // of a word that goes on past the window
)

// find returns the spans of secrets that the keyword hits in f lead to.
func (set *leakSet) find(f folded, hits []leakHit) []span {
	windows := map[*leakRule][]span{}
	word := 0 // end of the last window's word
	for _, h := range hits {
		after := h.pos + leakAfter
		if h.word == "curl" {
			after = h.pos + leakFar
		}
		if after <= word {
			after = word // the same long word as before
		} else {
			after = wordEnd(f.text[:min(len(f.text), after+leakRun)], min(len(f.text), after))
			word = after
		}
		if !begins(f.text[h.pos:], h.word) {
			continue
		}
		assign := assigns(f.text[h.pos:])
		for _, rule := range set.by[h.word] {
			if rule.assign && !assign {
				continue
			}
			w := span{start: max(0, h.pos-leakBefore), end: after}
			list := windows[rule]
			if n := len(list); n > 0 && list[n-1].end >= w.start {
				list[n-1].end = w.end
			} else {
				list = append(list, w)
			}
			windows[rule] = list
		}
	}
	var spans []span
	for rule, list := range windows {
		for _, w := range list {
			spans = append(spans, set.apply(rule, f.text, w)...)
		}
	}
	return spans
}

type leakHit struct {
	word string
	pos  int
}

// apply runs one rule over one window of text.
func (set *leakSet) apply(rule *leakRule, text string, w span) []span {
	part := text[w.start:w.end]
	var spans []span
	for _, m := range rule.compiled().FindAllStringSubmatchIndex(part, -1) {
		g := secretGroup(m, rule.SecretGroup)
		if g.start >= g.end {
			continue
		}
		secret := part[g.start:g.end]
		if rule.Entropy != 0 && entropy(secret) <= rule.Entropy {
			continue
		}
		match, line := strings.Trim(part[m[0]:m[1]], "\n"), lineAround(part, m[0], m[1])
		if set.allow.allows(secret, match, line) || rule.allowed(secret, match, line) {
			continue
		}
		end := w.start + g.end
		if g.end == len(part) {
			end = wordEnd(text, end)
		}
		spans = append(spans, span{start: w.start + g.start, end: end})
	}
	return spans
}

func (r *leakRule) allowed(secret, match, line string) bool {
	for i := range r.Allow {
		if r.Allow[i].allows(secret, match, line) {
			return true
		}
	}
	return false
}

// secretGroup picks the group that holds the secret: the named one, else the
// first that is not empty, else the whole match.
func secretGroup(m []int, want int) span {
	if want > 0 && 2*want+1 < len(m) {
		return span{start: m[2*want], end: m[2*want+1]}
	}
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 && m[i] < m[i+1] {
			return span{start: m[i], end: m[i+1]}
		}
	}
	return span{start: m[0], end: m[1]}
}

// lineAround returns the lines of text that the match touches, at most 1 KiB
// to each side.
func lineAround(text string, start, end int) string {
	from := strings.LastIndexByte(text[max(0, start-1024):start], '\n')
	to := strings.IndexByte(text[end:min(len(text), end+1024)], '\n')
	if from < 0 {
		from = max(0, start-1024)
	} else {
		from += max(0, start-1024) + 1
	}
	if to < 0 {
		return text[from:min(len(text), end+1024)]
	}
	return text[from : end+to]
}

// wordEnd returns the end of the run of token characters that starts at i.
func wordEnd(text string, i int) int {
	for i < len(text) && tokenByte(text[i]) {
		i++
	}
	return i
}

func tokenByte(c byte) bool {
	return alnum(c) || c == '_' || c == '-' || c == '+' || c == '/' || c == '=' || c == '.' || c == '~'
}

// entropy is Shannon's, in bits a character, as the rules' limits mean it.
func entropy(s string) float64 {
	counts := map[rune]int{}
	for _, r := range s {
		counts[r]++
	}
	sum, n := 0.0, float64(len(s))
	for _, c := range counts {
		p := float64(c) / n
		sum -= p * math.Log2(p)
	}
	return sum
}
