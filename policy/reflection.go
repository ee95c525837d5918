package policy

import (
	"slices"
	"strings"

	"quipu/markdown"
)

// OperationRules say what reflection may do. The functions may be nil, which then hold
// nothing back.
type OperationRules struct {
	Sensitive bool // sensitive topics may be kept
	Today     markdown.Date
	Redactor  *Redactor              // one of the package's own when nil
	Never     func(text string) bool // it is on the never-learn list
	Out       func(fact string) bool // it is disputed, or says again what is
}

// Added is an entry that reflection would add.
type Added struct {
	Area    Area
	Text    string
	Until   markdown.Date
	Sources []Source // the messages that bear it out, at least one
}

// BorneOut is an entry that stands and that messages bear out once more.
type BorneOut struct {
	Entry   AreaEntry
	Sources []Source // that it did not rest on yet, at least one
}

// LearnedOf is what a batch comes to.
type LearnedOf struct {
	Added    []Added
	BorneOut []BorneOut
	Steps    []Step  // inferred entries that the owner said are wrong
	Held     []Added // read as sensitive and are said not to be: the person decides
	Dropped  []Dropped
}

// Learn judges what a model proposed after a batch, on the areas as they stand. An addition
// needs a cited message that holds its quote word for word and states it; only those are its
// evidence. One that says the same as an inferred entry, but for case, accents and
// punctuation, adds evidence to that; a confirmed entry is never touched, and none but an
// inferred one is archived.
func (b Batch) Learn(ops []Operation, t Tree, r OperationRules) LearnedOf {
	l := learning{batch: b, tree: t, rules: r}
	for _, op := range ops {
		var rule Rule
		if op.Kind == OperationAdd {
			rule = l.add(op)
		} else {
			rule = l.archive(op)
		}
		if rule != "" {
			l.count.add(rule)
		}
	}
	l.out.Dropped = l.count.list
	return l.out
}

type learning struct {
	batch Batch
	tree  Tree
	rules OperationRules
	count tally
	out   LearnedOf
}

// add takes an addition, or names the rule against it.
func (l *learning) add(op Operation) Rule {
	text, err := AdmitAreaText(op.Text, l.rules.Redactor, flatten(op.Quote))
	if err != nil {
		return unfitRule(err)
	}
	sources, rule := l.evidence(op, text)
	switch {
	case rule != "":
		return rule
	case !op.Until.IsZero() && op.Until.Before(l.rules.Today):
		return RulePast
	case applies(l.rules.Never, text):
		return RuleForgotten
	case applies(l.rules.Out, text):
		return RuleDisputed
	case op.Sensitive == nil:
		return RuleFlag
	case *op.Sensitive && !l.rules.Sensitive:
		return RuleTopic
	}
	return l.place(Added{Area: op.Area, Text: text, Until: op.Until, Sources: sources})
}

// place finds out what an admitted addition is: more evidence, a new entry, or one that the
// person must decide on.
func (l *learning) place(a Added) Rule {
	key := plainKey(a.Text)
	same := slices.DeleteFunc(slices.Clone(l.tree.Entries), func(e AreaEntry) bool { return plainKey(e.Text) != key })
	switch {
	case len(same) == 0:
	case slices.ContainsFunc(same, func(e AreaEntry) bool { return e.Status == StatusStated }):
		return RuleStated
	case same[0].Origin != ByInferring || l.leaves(same[0]):
		return RuleKnown
	default:
		return l.bear(same[0], a.Sources)
	}
	for i := range l.out.Added {
		if x := &l.out.Added[i]; plainKey(x.Text) == key {
			x.Sources = append(x.Sources, unknown(a.Sources, x.Sources)...)
			return ""
		}
	}
	if !l.rules.Sensitive && (IsHealth(a.Text) || Delicate(a.Text)) { // the words are a brake: the model said that it is not
		l.out.Held = append(l.out.Held, a)
		return RuleHeld
	}
	bytes := 0
	for _, x := range append(l.out.Added, a) {
		bytes += len(x.Text)
	}
	if CheckAreaLimits(len(l.tree.Entries)+len(l.out.Added)+1, l.tree.Bytes+bytes, a.Text) != nil {
		return RuleFull
	}
	l.out.Added = append(l.out.Added, a)
	return ""
}

// leaves reports whether an entry is archived by an operation before.
func (l *learning) leaves(e AreaEntry) bool {
	return slices.ContainsFunc(l.out.Steps, func(s Step) bool { return s.Path == e.File && s.Raw == e.Raw })
}

// bear adds messages to those that an entry rests on.
func (l *learning) bear(e AreaEntry, sources []Source) Rule {
	for i := range l.out.BorneOut {
		if x := &l.out.BorneOut[i]; x.Entry.Address() == e.Address() {
			x.Sources = append(x.Sources, unknown(sources, x.Sources)...)
			return ""
		}
	}
	if sources = unknown(sources, e.Sources); len(sources) == 0 {
		return RuleKnown
	}
	l.out.BorneOut = append(l.out.BorneOut, BorneOut{Entry: e, Sources: sources})
	return ""
}

// unknown are the messages that are not among others.
func unknown(list, among []Source) []Source {
	return slices.DeleteFunc(slices.Clone(list), func(s Source) bool {
		return slices.ContainsFunc(among, func(o Source) bool { return o.Message == s.Message })
	})
}

// evidence are the cited messages that hold the quote and state it, each once. The rule says
// why there are none.
func (l *learning) evidence(op Operation, text string) ([]Source, Rule) {
	why := RuleQuote
	var list []Source
	for _, m := range l.quoted(op) {
		a := newAdmission(Candidate{Text: text, Kind: KindFact, Quotes: []string{flatten(op.Quote)}}, []Heard{{Voice: VoicePerson, Text: m.Text}},
			CaptureRules{Today: l.rules.Today, Redactor: l.rules.Redactor, Sensitive: true})
		if rule := a.first(a.evidence, a.agreement, a.whose, a.order, a.grounded, a.lasting); rule != "" {
			why = rule
			continue
		}
		list = append(list, Source{Message: m.ID, Quote: op.Quote, At: m.At})
	}
	if len(list) == 0 {
		return nil, why
	}
	return list, ""
}

// first is the rule of the first check that refuses, "" for none.
func (a *admission) first(checks ...func() error) Rule {
	for _, check := range checks {
		if err := check(); err != nil {
			return unfitRule(err)
		}
	}
	return ""
}

// quoted are the cited messages that hold the quote word for word, each once.
func (l *learning) quoted(op Operation) []Spoken {
	var list []Spoken
	for _, id := range op.Messages {
		m, ok := l.batch.message(id)
		if ok && strings.Contains(m.Text, op.Quote) && SaidIn(m.Text, op.Quote) && !slices.ContainsFunc(list, func(x Spoken) bool { return x.ID == m.ID }) {
			list = append(list, m)
		}
	}
	return list
}

// archive takes the archiving of an entry, or names the rule against it.
func (l *learning) archive(op Operation) Rule {
	e, ok := l.tree.At(op.Path)
	switch {
	case !ok:
		return RuleNoEntry
	case e.Status == StatusStated || e.Hand || e.Origin != ByInferring:
		return RuleStated
	case !e.Falls:
		return RuleProtected
	}
	said := l.quoted(op)
	if len(said) == 0 {
		return RuleQuote
	}
	if !slices.ContainsFunc(said, func(m Spoken) bool { return !IsQuestion(m.Text) }) {
		return RuleAsked
	}
	if l.leaves(e) {
		return ""
	}
	l.out.BorneOut = slices.DeleteFunc(l.out.BorneOut, func(b BorneOut) bool { return b.Entry.Address() == e.Address() })
	l.out.Steps = append(l.out.Steps, Step{Op: OpLetGo, Path: e.File, Line: e.Line, Raw: e.Raw, Why: LeftWrong})
	return ""
}

// SourceEvents tell which messages an entry rests on: one event a message, without id and
// time. speaker is the owner's account, "" for none.
func SourceEvents(fact string, o Origin, speaker string, sources []Source) []Event {
	var list []Event
	for _, s := range sources {
		list = append(list, Event{Kind: EventSaid, Fact: markdown.Identity(fact), Origin: o, Speaker: speaker, Quote: s.Quote, Turn: s.Message})
	}
	return list
}
