package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
)

// Bearing is what the owner's own words do to a fact that stands.
type Bearing struct {
	Fact  string // its identity
	Does  Related
	Quote string // the words, as they were said
	Turn  string // in which; "" is none
	Why   Signal // what that moves: see Plainly, and Sign.Admit
}

// Plainly is the signal of a bearing that was told by its words alone.
func (r Related) Plainly() Signal {
	switch r {
	case Confirmation:
		return Reinforce
	case Correction:
		return Keyword
	case Unrelated:
	}
	return ""
}

const (
	maxStatements = 200 // of one stretch, that are compared
	maxNegating   = 24  // bytes by which a negation may lengthen a statement
)

// Bearings compares what the owner stated in heard, sentence by sentence and by Relation,
// with facts. A fact is borne on once in each way, by the first that is said of it. What
// the owner asks, supposes, passes on or was sent is no statement.
func Bearings(heard []Heard, facts []string, r CaptureRules) []Bearing {
	if len(facts) == 0 {
		return nil
	}
	var list []Bearing
	n := 0
	for _, h := range heard {
		if h.Voice != VoicePerson {
			continue
		}
		for _, said := range statementsOf(WithoutFrames(strings.ReplaceAll(h.Text, "\r\n", "\n"), r.Injected)) {
			if n++; n > maxStatements {
				return list
			}
			for _, fact := range facts {
				if far := len(fact) - len(said); far > maxNegating || far < -maxNegating {
					continue
				}
				b := Bearing{Fact: fact, Does: Relation(fact, said), Quote: said, Turn: h.Turn}
				if b.Why = b.Does.Plainly(); b.Why != "" && !bornBy(list, b) {
					list = append(list, b)
				}
			}
		}
	}
	return list
}

func bornBy(list []Bearing, b Bearing) bool {
	return slices.ContainsFunc(list, func(have Bearing) bool { return have.Fact == b.Fact && have.Does == b.Does })
}

// statementsOf are the sentences of a message that are meant as what they say, whole, and
// what it asks to remember.
func statementsOf(text string) []string {
	l := newLine(VoicePerson, ownWords(text))
	l.read()
	list := ExplicitNotes(text)
	for _, p := range l.parts {
		clauses := l.clausesOf(p)
		if len(clauses) == 0 || slices.ContainsFunc(clauses, func(c clause) bool { return c.stance != stated }) {
			continue
		}
		if said := l.said(p); utf8.RuneCountInString(said) <= MaxEntryRunes {
			list = append(list, said)
		}
	}
	return list
}

// Trust is what a bearing says of the account that taught its fact. The same words on the
// same fact are the same event, however often they are read.
func (b Bearing) Trust(taught Account) (TrustEvent, bool) {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	return NewTrustEvent(VoicePerson, taught, b.Does, hash(statedForm(b.Quote)), hash(b.Fact+"\n"+string(taught)))
}

// Sign is what a model says of a note that stands: that the owner's words bear it out, or
// that it cannot be true beside them.
type Sign struct {
	Note   string // as it stands, or its fact alone
	Denies bool
	Quotes []string
}

// MaxSigns is how many of them one answer may hold.
const MaxSigns = 8

// Rules for a Sign, beside those of its words.
const (
	RuleNote    Rule = "note"      // no note that stands says so
	RuleFirm    Rule = "firm"      // only the person disputes it themselves
	RuleAgainst Rule = "against"   // the words say the contrary
	RuleOut     Rule = "disputed"  // a person disputed it: nothing that is said by the way brings it back
	RuleHushed  Rule = "directive" // the person asked not to be told of it
)

// ParseSigns reads the signs in the answer of which ParseCandidates reads the facts; there
// may be none. It keeps the first eight that are well formed, and says how many were not.
func ParseSigns(answer string) (list []Sign, dropped []Dropped) {
	raw, err := answered(answer, "signals")
	if err != nil || !strings.HasPrefix(unfenced(answer), "{") {
		return nil, nil
	}
	var count tally
	for _, item := range raw {
		var p struct {
			Note  string
			Says  string
			Quote json.RawMessage
		}
		s := Sign{}
		rule := Rule("")
		if len(item) == 0 || item[0] != '{' || json.Unmarshal(item, &p) != nil {
			rule = RuleForm
		} else {
			s = Sign{Note: oneFact(p.Note), Denies: p.Says == "denies", Quotes: readQuotes(p.Quote)}
			rule = s.form(p.Says)
		}
		if rule == "" && len(list) == MaxSigns {
			rule = RuleMany
		}
		if rule != "" {
			count.add(rule)
			continue
		}
		list = append(list, s)
	}
	return list, count.list
}

func (s Sign) form(says string) Rule {
	switch {
	case says != "supports" && says != "denies":
		return RuleForm
	case s.Note == "":
		return RuleBlank
	case utf8.RuneCountInString(s.Note) > MaxEntryRunes:
		return RuleLong
	case len(s.Quotes) == 0:
		return RuleQuote
	}
	return ""
}

// Fact is the identity of the fact that the sign is about, whether or not date, source and
// marks stand around it as in the file.
func (s Sign) Fact(stands func(fact string) bool) (string, bool) {
	if id := markdown.Identity(s.Note); stands(id) {
		return id, true
	}
	for _, e := range markdown.Parse("", []byte("- "+s.Note)).Entries() {
		if id := e.Identity(); stands(id) {
			return id, true
		}
	}
	return "", false
}

// Admit returns the bearing of a sign on a fact that stands, or an *Unfit that names the
// rule against it. The words must be the owner's, said and meant as for a preference; what
// they say may not be the contrary of what they are quoted for.
func (s Sign) Admit(fact string, heard []Heard, r CaptureRules) (Bearing, error) {
	a := newAdmission(Candidate{Text: fact, Kind: KindPreference, Quotes: s.Quotes}, heard, r)
	for _, check := range []func() error{a.secret, a.readable, a.evidence} {
		if err := check(); err != nil {
			return Bearing{}, err
		}
	}
	quotes := a.said()
	b := Bearing{Fact: fact, Does: Confirmation, Why: Reinforce, Quote: strings.Join(quotes, " … "), Turn: heard[a.held[0].line.place].Turn}
	if s.Denies {
		b.Does, b.Why = Correction, Negate
	}
	against := func(quote string) bool {
		if s.Denies {
			return Relation(fact, quote) == Confirmation || Rewords(quote, fact)
		}
		return Relation(fact, quote) == Correction || claimOf(fact, nil).denies != claimOf(quote, nil).denies
	}
	if slices.ContainsFunc(quotes, against) {
		return Bearing{}, unfit(RuleAgainst, "the quoted words say the contrary")
	}
	return b, nil
}
