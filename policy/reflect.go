package policy

import (
	"encoding/json"
	"slices"
	"strings"

	"quipu/markdown"
)

// ReflectionsFile is the topic of what was drawn from several facts.
const ReflectionsFile = topicDir + "reflections.md"

const (
	reflectionsTitle = "Reflections"

	// MaxReflections is how many reflections one pass may draw.
	MaxReflections = 3
	// ReflectFrom is how many facts must be new since the last pass.
	ReflectFrom = 5

	fewestFacts    = 2  // that a reflection rests on
	mostImportance = 10 // of a fact
)

// The rules of reflections beside those of capture.
const (
	RuleFew      Rule = "few"      // it rests on fewer than two facts
	RuleKnown    Rule = "known"    // a note says it already
	RuleDisputed Rule = "disputed" // it says again what is disputed
	RuleQuiet    Rule = "quiet"    // the person asked not to mention it
)

// ReflectionsSchema is the form of the answer that ParseReflections reads.
func ReflectionsSchema() json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["reflections"],"properties":{"reflections":{"type":"array","items":
{"type":"object","additionalProperties":false,"required":["text","from","importance"],"properties":
{"text":{"type":"string"},"from":{"type":"array","items":{"type":"integer"}},"importance":{"type":"array","items":{"type":"integer"}}}}}}}`)
}

// Drawn is a reflection as a model proposes it.
type Drawn struct {
	Text   string
	From   []int // places in the list that it was shown, each once
	Weight int   // the greatest importance among them, 1 to 10
}

// ParseReflections reads the answer {"reflections":[{"text","from":[line],"importance":
// [1-10 of each line]}]} about count statements; importance may be an object by line as
// well. One malformed reflection voids the answer: a model that miscounts may have meant
// other lines everywhere. What rests on fewer than two facts is dropped, and so is what
// comes after the first three.
func ParseReflections(answer string, count int) (list []Drawn, dropped []Dropped, err error) {
	raw, err := answered(answer, "reflections")
	if err != nil {
		return nil, nil, err
	}
	var out tally
	for _, one := range raw {
		d, ok := readDrawn(one, count)
		switch {
		case !ok:
			return nil, nil, errAnswer
		case len(d.From) < fewestFacts:
			out.add(RuleFew)
		case len(list) == MaxReflections:
			out.add(RuleMany)
		default:
			list = append(list, d)
		}
	}
	return list, out.list, nil
}

func readDrawn(raw json.RawMessage, count int) (Drawn, bool) {
	var p struct {
		Text       *string
		From       []json.RawMessage
		Importance json.RawMessage
	}
	if json.Unmarshal(raw, &p) != nil || p.Text == nil || len(p.From) == 0 {
		return Drawn{}, false
	}
	weights, ok := importanceOf(p.Importance, p.From)
	if !ok {
		return Drawn{}, false
	}
	d := Drawn{Text: *p.Text}
	for i, line := range p.From {
		at, ok := placeOf(line, count)
		weight, whole := placeOf(weights[i], mostImportance+1)
		if !ok || !whole || weight < 1 {
			return Drawn{}, false
		}
		d.Weight = max(d.Weight, weight)
		if !slices.Contains(d.From, at) {
			d.From = append(d.From, at)
		}
	}
	return d, true
}

// importanceOf lays the importance of each line beside the lines.
func importanceOf(raw json.RawMessage, lines []json.RawMessage) ([]json.RawMessage, bool) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		return list, len(list) == len(lines)
	}
	var by map[string]json.RawMessage
	if json.Unmarshal(raw, &by) != nil {
		return nil, false
	}
	for _, line := range lines {
		list = append(list, by[strings.TrimSpace(string(line))])
	}
	return list, true
}

// ReflectRules say what a reflection may rest on and what it may say. The functions may be
// nil, which then hold nothing back.
type ReflectRules struct {
	Sensitive bool     // health, religion and the like may be drawn from, and be drawn
	Prompt    []string // the prompt's own examples, which a model may echo
	Today     markdown.Date
	Person    string    // the name of the person, who is "the person" as well
	Redactor  *Redactor // one of the package's own when nil

	Out   func(fact string) bool // a fact is disputed, or says again what is
	Drawn func(fact string) bool // a fact is a reflection itself
	Quiet func(text string) bool // the person asked not to mention what a text tells of
}

func applies(rule func(string) bool, text string) bool { return rule != nil && rule(text) }

// Reflectable lists the facts that a reflection may rest on, the 200 newest, in the order of
// the files: those that hold today and are neither out, nor drawn themselves, nor a rule,
// nor, without the switch, of health and the like.
func Reflectable(n Notes, r ReflectRules) []Statement {
	var list []Statement
	for _, path := range sortedKeys(n.Files) {
		if path != MemoryFile && (!isTopic(path) || path == ReflectionsFile) {
			continue
		}
		for _, u := range markdown.Parse(path, n.Files[path]).Units() {
			if u.Entry == nil || !holdsOn(*u.Entry, r.Today) || isReflection(*u.Entry) {
				continue
			}
			if s := statement(path, u); r.mayRestOn(s.Text) {
				list = append(list, s)
			}
		}
	}
	return newestStatements(list, maxListed)
}

// newestStatements are the n newest statements of a list, in its order; of one day the upper ones.
func newestStatements(list []Statement, n int) []Statement {
	if len(list) <= n {
		return list
	}
	byDay := slices.Clone(list)
	slices.SortStableFunc(byDay, func(a, b Statement) int { return b.Date.Compare(a.Date) })
	oldest, left := byDay[n-1].Date, 0
	for _, s := range byDay[:n] {
		if s.Date == oldest {
			left++
		}
	}
	return slices.DeleteFunc(list, func(s Statement) bool {
		if s.Date == oldest {
			left--
		}
		return s.Date.Before(oldest) || s.Date == oldest && left < 0
	})
}

func (r ReflectRules) mayRestOn(fact string) bool {
	switch {
	case markdown.Identity(fact) == "", IsRule(fact), !r.Sensitive && (IsHealth(fact) || Delicate(fact)):
		return false
	}
	return !applies(r.Out, fact) && !applies(r.Drawn, fact) && !applies(r.Quiet, fact)
}

// Reflected is a reflection that may be kept.
type Reflected struct {
	Text   string
	From   []string // identities of its facts
	Weight int
}

// AdmitReflections judges what a model drew from a list of statements. notes are all notes,
// and past what was ever drawn: none of them says it already. dropped counts what was refused,
// by rule.
func AdmitReflections(drawn []Drawn, list []Statement, notes Notes, past []string, r ReflectRules) (kept []Reflected, dropped []Dropped) {
	known, person := make([]claim, 0, len(list)+len(past)), tokens(r.Person)
	if len(drawn) > 0 {
		for _, s := range Stated(notes) {
			known = append(known, claimOf(s.Fact, person))
		}
		for _, fact := range past {
			known = append(known, claimOf(fact, person))
		}
	}
	var out tally
	for _, d := range drawn {
		a := reflecting{drawn: d, rules: r, known: known}
		for _, i := range d.From {
			a.facts = append(a.facts, list[i].Text)
		}
		if rule := a.refusal(); rule != "" {
			out.add(rule)
			continue
		}
		x := Reflected{Text: a.text, Weight: d.Weight}
		for _, fact := range a.facts {
			if id := markdown.Identity(fact); !slices.Contains(x.From, id) {
				x.From = append(x.From, id)
			}
		}
		if len(x.From) < fewestFacts { // two notes of one fact
			out.add(RuleFew)
			continue
		}
		kept, known = append(kept, x), append(known, claimOf(a.text, person))
	}
	return kept, out.list
}

// reflecting is one reflection while it is judged.
type reflecting struct {
	drawn Drawn
	rules ReflectRules
	facts []string
	known []claim
	text  string
}

// refusal names the rule that a reflection breaks, "" for none. What any fact must be it
// must be, too, and nobody's words stand behind it.
func (x *reflecting) refusal() Rule {
	a := &admission{
		Candidate: Candidate{Text: x.drawn.Text, Kind: KindOutcome},
		rules:     CaptureRules{Prompt: x.rules.Prompt, Today: x.rules.Today, Redactor: x.rules.Redactor},
	}
	for _, check := range []func() error{a.form, a.echo, a.secret, a.hostile, a.order, a.lasting} {
		if err := check(); err != nil {
			return unfitRule(err)
		}
	}
	x.text = a.Text
	c := claimOf(x.text, tokens(x.rules.Person))
	switch {
	case strings.Contains(x.drawn.Text, "\n"):
		return RuleFrame
	case strings.HasSuffix(strings.TrimRight(x.text, ` "'”»)`), "?") || strings.HasSuffix(x.text, "？"):
		return RuleAsked
	case !x.grounded():
		return RuleGround
	case !x.rules.Sensitive && (IsHealth(x.text) || Delicate(x.text)):
		return RuleTopic
	case applies(x.rules.Quiet, x.text):
		return RuleQuiet
	case applies(x.rules.Out, x.text):
		return RuleDisputed
	case slices.ContainsFunc(x.known, func(old claim) bool { return c.restates(old) || old.restates(c) }):
		return RuleKnown
	}
	return ""
}

func unfitRule(err error) Rule {
	if u, ok := err.(*Unfit); ok { //nolint:errorlint // made by the checks above, never wrapped
		return u.Rule
	}
	return RuleForm
}

// grounded reports whether every number, path and address stands in the facts.
func (x *reflecting) grounded() bool {
	g := newGrounds(x.rules.Today)
	for _, fact := range x.facts {
		l := newLine(VoicePerson, fact)
		g.add(l, span{end: len(l.flat)})
	}
	return g.missing(x.text) == ""
}
