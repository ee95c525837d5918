package policy

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quipu/markdown"
)

// Kind is what a candidate is.
type Kind string

// The kinds of a candidate.
const (
	KindPreference Kind = "preference"
	KindFact       Kind = "fact"
	KindDecision   Kind = "decision"
	KindOutcome    Kind = "outcome"
)

// personal reports whether such a fact needs the words it rests on.
func (k Kind) personal() bool { return k == KindPreference || k == KindFact }

// Candidate is one fact that a model proposes to keep.
type Candidate struct {
	Text       string // the fact, on one line
	Kind       Kind
	Until      markdown.Date // the last day on which it holds
	AboutUser  bool          // it goes to About me as well: a preference or a fact that lasts
	Noted      bool          // the notes have it already
	Topic      string        // "" for MEMORY.md
	Aliases    []string      // other words for the topic
	Confidence float64       // 1 when none was given
	Quotes     []string      // the words on which it rests

	// By says in which places of what was heard these words stand, and Asked that a person
	// asks there to keep them in mind. Admit tells it from what was heard, never from an answer.
	By    []int
	Asked bool
}

// The limits of an answer.
const (
	MaxCandidates     = 8
	MaxCandidateRunes = 300 // characters of a fact; cut, it could say something else
	maxAliasRunes     = 40
	maxQuotes         = 8
	maxQuoteRunes     = 1000
	minConfidence     = 0.6
)

// CaptureSchema returns the JSON schema of the answer that ParseCandidates and
// ParseSigns read, for models that take one. It is in the strict form: every field is required and
// nothing else is allowed.
func CaptureSchema() json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["facts","signals"],"properties":{"facts":{"type":"array","items":` +
		`{"type":"object","additionalProperties":false,` +
		`"required":["text","kind","until","aboutUser","noted","topic","topicAliases","confidence","quote"],"properties":{` +
		`"text":{"type":"string","description":"one fact, one sentence, at most 300 characters, numbers and names as they were said"},` +
		`"kind":{"type":"string","enum":["preference","fact","decision","outcome"]},` +
		`"until":{"type":["string","null"],"description":"YYYY-MM-DD, the last day on which it holds; null when it lasts"},` +
		`"aboutUser":{"type":"boolean","description":"true for a lasting preference of the person or a lasting fact about them"},` +
		`"noted":{"type":"boolean","description":"true when the notes already have it"},` +
		`"topic":{"type":["string","null"],"description":"the subject it belongs to; null for what is needed in every conversation"},` +
		`"topicAliases":{"type":"array","items":{"type":"string"},"description":"other words someone would ask with, at most 8"},` +
		`"confidence":{"type":"number","description":"0 to 1"},` +
		`"quote":{"type":"array","items":{"type":"string"},"description":"the words it rests on, copied from the person's own lines; empty for a decision or an outcome"}` +
		`}}},"signals":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["note","says","quote"],"properties":{` +
		`"note":{"type":"string","description":"a note that stands already, copied exactly"},` +
		`"says":{"type":"string","enum":["supports","denies"]},` +
		`"quote":{"type":"array","items":{"type":"string"},"description":"the person's own words that say so, copied exactly"}` +
		`}}}}}`)
}

// Dropped counts the candidates that were dropped by one rule.
type Dropped struct {
	Rule Rule `json:"rule"`
	N    int  `json:"n"`
}

// ParseCandidates reads a model's answer: a JSON list of facts, or an object that
// holds it under "facts", bare or in one fence. It keeps the first eight that are
// well formed. dropped says how many were not, by rule. The error says that the
// answer is of another form, or over 256 KiB; then nothing is kept.
func ParseCandidates(answer string, today markdown.Date) (list []Candidate, dropped []Dropped, err error) {
	raw, err := answered(answer, "facts")
	if err != nil {
		return nil, nil, err
	}
	var count tally
	for _, item := range raw {
		c, rule := readCandidate(item, today)
		if rule == "" && len(list) == MaxCandidates {
			rule = RuleMany
		}
		if rule != "" {
			count.add(rule)
			continue
		}
		list = append(list, c)
	}
	return list, count.list, nil
}

// tally counts by rule, in the order in which the rules came up.
type tally struct{ list []Dropped }

func (t *tally) add(rule Rule) {
	for i := range t.list {
		if t.list[i].Rule == rule {
			t.list[i].N++
			return
		}
	}
	t.list = append(t.list, Dropped{Rule: rule, N: 1})
}

// proposal is a candidate as a model writes it. What models write in more than
// one way is read by hand.
type proposal struct {
	Text         string
	Kind         string
	Until        json.RawMessage
	AboutUser    bool
	Noted        bool
	Topic        string
	TopicAliases json.RawMessage
	Confidence   json.RawMessage
	Quote        json.RawMessage
}

// readCandidate reads one item, or names the rule that it breaks.
func readCandidate(raw json.RawMessage, today markdown.Date) (Candidate, Rule) {
	var p proposal
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &p) != nil {
		return Candidate{}, RuleForm
	}
	c := Candidate{Text: oneFact(p.Text), Kind: Kind(strings.ToLower(strings.TrimSpace(p.Kind))), AboutUser: p.AboutUser, Noted: p.Noted}
	c.Topic = clipped(flatten(p.Topic), maxTopicLetter)
	c.Aliases = readAliases(p.TopicAliases)
	c.Quotes = readQuotes(p.Quote)
	sure, ok := readConfidence(p.Confidence)
	c.Confidence = sure
	switch {
	case !ok:
		return Candidate{}, RuleForm
	case c.Text == "":
		return Candidate{}, RuleBlank
	case utf8.RuneCountInString(c.Text) > MaxCandidateRunes:
		return Candidate{}, RuleLong
	case !knownKind(c.Kind):
		return Candidate{}, RuleKind
	case sure < minConfidence:
		return Candidate{}, RuleUnsure
	}
	var until string
	if json.Unmarshal(p.Until, &until) == nil {
		c.Until, _ = markdown.ParseDate(strings.TrimSpace(until))
	}
	if !c.Until.IsZero() && c.Until.Before(today) {
		return Candidate{}, RulePast
	}
	c.AboutUser = c.AboutUser && c.Kind.personal() && c.Until.IsZero()
	return c, ""
}

func knownKind(k Kind) bool { return k.personal() || k == KindDecision || k == KindOutcome }

// oneFact folds a text to the one line of a fact, without the bullet before it.
func oneFact(text string) string {
	return strings.TrimSpace(handBullet.ReplaceAllString(flatten(text)+" ", ""))
}

// flatten puts a text on one line and drops what does not show.
func flatten(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsSpace(r) && (unicode.Is(unicode.Cc, r) || unicode.Is(hidden, r) && r != '\u200d' && r != '\u200c') {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// clipped returns at most n characters of a text.
func clipped(text string, n int) string {
	for i := range text {
		if n == 0 {
			return strings.TrimSpace(text[:i])
		}
		n--
	}
	return text
}

// readStrings reads a list of strings, or one string; anything else is none.
func readStrings(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	return nil
}

func readAliases(raw json.RawMessage) []string {
	var list []string
	seen := map[string]bool{}
	for _, alias := range readStrings(raw) {
		alias = clipped(flatten(alias), maxAliasRunes)
		if key := foldText(alias); alias != "" && !seen[key] && len(list) < maxAliases {
			seen[key] = true
			list = append(list, alias)
		}
	}
	return list
}

func readQuotes(raw json.RawMessage) []string {
	var list []string
	for _, quote := range readStrings(raw) {
		if quote = flatten(quote); quote != "" && len(list) < maxQuotes && utf8.RuneCountInString(quote) <= maxQuoteRunes {
			list = append(list, quote)
		}
	}
	return list
}

// readConfidence reads a number, also as a string; 1 when there is none. It is
// false for anything else.
func readConfidence(raw json.RawMessage) (float64, bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return 1, true
	}
	var n float64
	if json.Unmarshal(raw, &n) == nil {
		return min(n, 1), true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return min(n, 1), err == nil && n >= 0
}
