package policy

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"quipu/markdown"
)

// Rule names what a candidate was refused by, so that a report can count.
type Rule string

// The rules of capture. The first ones are of the answer's form.
const (
	RuleForm    Rule = "form"    // no object, or a field of another type
	RuleBlank   Rule = "blank"   // nothing but white space
	RuleLong    Rule = "long"    // over 300 characters
	RuleKind    Rule = "kind"    // no kind that there is
	RuleUnsure  Rule = "unsure"  // confidence under 0.6
	RulePast    Rule = "past"    // its last day has passed
	RuleMany    Rule = "many"    // more than eight
	RuleEcho    Rule = "echo"    // the prompt's own example, or a template
	RuleFrame   Rule = "frame"   // marks of a prompt's frame, or a block of code
	RuleSecret  Rule = "secret"  // a credential
	RuleHostile Rule = "hostile" // works against the person
	RuleHarm    Rule = "harm"    // how to do harm, or hate
	RuleVoice   Rule = "voice"   // not the person's own words
	RuleQuote   Rule = "quote"   // words that were not said
	RuleThin    Rule = "thin"    // a quote that says nothing by itself
	RuleCut     Rule = "cut"     // a quote that leaves out the "not" before it
	RuleAsked   Rule = "asked"   // a question is no fact
	RuleTask    Rule = "task"    // nor is something to do, now
	RuleSuppose Rule = "suppose" // nor is a supposition, or a part that is played
	RuleProxy   Rule = "proxy"   // nor what somebody else wants to know
	RuleHanded  Rule = "handed"  // nor is a text to work on
	RulePassing Rule = "passing" // true for the moment
	RuleGround  Rule = "ground"  // a number, path or address that was not said
	RuleTopic   Rule = "topic"   // religion and the like, which the person did not say of themselves
	RuleOrder   Rule = "order"   // tells the bot what to do, and not in the person's words
)

// Unfit is the refusal of a candidate: a Refusal with the rule that it met.
//
//nolint:errname // as Refusal, which it is
type Unfit struct {
	Rule Rule
	*Refusal
}

// Unwrap returns the Refusal.
func (u *Unfit) Unwrap() error { return u.Refusal }

func unfit(rule Rule, format string, args ...any) error {
	return &Unfit{Rule: rule, Refusal: &Refusal{Code: Refused, Reason: fmt.Sprintf(format, args...)}}
}

// CaptureRules say what may be filed from what was said. The zero value is for a
// chat with one person.
type CaptureRules struct {
	Room      bool     // several people and bots take part
	Sensitive bool     // religion, politics, health and the like may be kept when only inferred
	Prompt    []string // the prompt's own examples, which a model may echo
	Injected  []Frame  // the marks around what the host puts into a person's message: notes recalled, a brief

	// Today lets a fact name the day that "Friday" meant. Without it only days count
	// that were said as dates.
	Today markdown.Date
	// Redactor tells credentials; one of the package's own when nil.
	Redactor *Redactor
}

// captureRedactor serves callers that bring none.
var captureRedactor = sync.OnceValue(NewRedactor)

// Admit returns the candidate as it may be kept after what was heard, or an
// *Unfit that names the rule against it. Quotes are kept as the person wrote
// them, and only those that hold; a day that comes again each year has no last
// day; a batch in which somebody else spoke says nothing about the person.
//
// What no rule can tell it lets pass: sarcasm, opinions, gossip, what is false.
// These are for the prompt.
func (c Candidate) Admit(heard []Heard, r CaptureRules) (Candidate, error) {
	a := newAdmission(c, heard, r)
	for _, check := range []func() error{
		a.form, a.echo, a.secret, a.hostile, a.readable, a.evidence, a.agreement, a.whose, a.order, a.grounded, a.delicate, a.lasting,
	} {
		if err := check(); err != nil {
			return Candidate{}, err
		}
	}
	return a.kept(), nil
}

// admission is one candidate while it is judged.
type admission struct {
	Candidate
	heard []Heard // without what the host put in
	rules CaptureRules
	held  []evidence
}

func newAdmission(c Candidate, heard []Heard, r CaptureRules) *admission {
	a := &admission{Candidate: c, rules: r}
	for _, h := range heard {
		h.Text = WithoutFrames(strings.ReplaceAll(h.Text, "\r\n", "\n"), r.Injected)
		a.heard = append(a.heard, h)
	}
	return a
}

// personal reports whether the candidate needs the words it rests on: a preference
// or a fact, or what only calls itself a decision and tells of the person.
func (a *admission) personal() bool { return a.Kind.personal() || tellsOfPerson(wordsOf(a.Text)) }

// form puts the fact on one line and refuses what no fact may hold.
func (a *admission) form() error {
	a.Text = oneFact(a.Text)
	switch {
	case !strings.ContainsFunc(a.Text, isWordRune):
		return unfit(RuleBlank, "the fact is blank")
	case utf8.RuneCountInString(a.Text) > MaxCandidateRunes:
		return unfit(RuleLong, "the fact has over %d characters: keep one fact", MaxCandidateRunes)
	case !knownKind(a.Kind):
		return unfit(RuleKind, "a fact is a preference, a fact, a decision or an outcome")
	case escaped(a.Text) != a.Text || strings.Contains(a.Text, "```"):
		return unfit(RuleFrame, "the fact holds marks of a prompt or a block of code")
	}
	a.Quotes = a.Quotes[:min(len(a.Quotes), maxQuotes)]
	return nil
}

// secret refuses credentials, in the fact and in what comes with it.
func (a *admission) secret() error {
	red := a.rules.Redactor
	if red == nil {
		red = captureRedactor()
	}
	for _, text := range slices.Concat([]string{a.Text, a.Topic}, a.Aliases, a.Quotes) {
		if len(text) > maxQuoteRunes*utf8.UTFMax {
			continue // no quote is so long: it will not hold
		}
		_, n := red.Redact(text)
		if at, _ := findMarker(text); n > 0 || at >= 0 || idiom().answers.in(wordsOf(text)) {
			return unfit(RuleSecret, "credentials are never kept")
		}
	}
	return nil
}

func (a *admission) readable() error {
	if !Readable(a.heard, a.rules.Room) {
		return unfit(RuleVoice, "no person said anything")
	}
	return nil
}

// order refuses a rule for the bot that is not in the person's own words.
func (a *admission) order() error {
	w := wordsOf(a.Text)
	task := idiom().tasks.span(w)
	tells := IsRule(a.Text) || idiom().orders.in(w) || task > 1 || task == 1 && len(w) > 1 && determiners[w[1]]
	if tells && !slices.ContainsFunc(a.held, func(e evidence) bool { return e.line.voice == VoicePerson && e.meant }) {
		return unfit(RuleOrder, "only the person's own words make a rule for the bot")
	}
	return nil
}

// determiners stand behind the verb of a task: "write the report". "Compute costs"
// sets none.
var determiners = wordSet("a an the this that these those my your our all some me us it")

// lasting refuses what will not be true in a week.
func (a *admission) lasting() error {
	if Ephemeral(a.Text) {
		return unfit(RulePassing, "it is true for the moment only")
	}
	return nil
}

// said are the words that hold, each once, as they were said.
func (a *admission) said() []string {
	var quotes []string
	for _, e := range a.held {
		if quote := e.line.said(e.span); !slices.Contains(quotes, quote) {
			quotes = append(quotes, quote)
		}
	}
	return quotes
}

// asked reports whether a person asks in so many words to keep in mind what is quoted.
func (e evidence) asked() bool {
	if e.line.voice != VoicePerson && e.line.voice != VoiceOther {
		return false
	}
	quote := e.line.flat[e.start:e.end]
	return slices.ContainsFunc(ExplicitNotes(e.line.text), func(note string) bool {
		note = compared(note)
		return note != "" && (strings.Contains(note, compared(quote)) || strings.Contains(quote, note))
	})
}

// kept returns the candidate as it may be filed.
func (a *admission) kept() Candidate {
	c := a.Candidate
	c.Quotes, c.By, c.Asked = a.said(), nil, false
	for _, e := range a.held {
		if !slices.Contains(c.By, e.line.place) {
			c.By = append(c.By, e.line.place)
		}
		c.Asked = c.Asked || e.asked()
	}
	if IsYearly(c.Text) {
		c.Until = markdown.Date{}
	}
	others := slices.ContainsFunc(a.heard, func(h Heard) bool { return h.Voice == VoiceOther })
	c.AboutUser = c.AboutUser && c.Kind.personal() && c.Until.IsZero() && !others
	return c
}
