package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// LedgerFile is the tracked, append-only file beside the notes. Each line is one
// JSON object whose field "t" says what it is; versions are merged by union.
const LedgerFile = "memory/.ledger.ndjson"

// The kinds of Event that the never-learn list is made of.
const (
	EventSalt  = "salt"  // the key of the hashes, kept with the list so that it holds on every clone
	EventNever = "never" // words that no bot learns again
	EventLift  = "lift"  // the person asked to remember: the never event with this id is over
)

// The kinds of Event that standing is made of. Each has an id of its own, by which it
// counts once however often it stands there.
const (
	EventSupport   = "support"   // somebody said that the fact is so; Why is the Signal
	EventDispute   = "dispute"   // somebody said that it is not
	EventIgnore    = "ignore"    // it was brought up, and nobody answered
	EventSaid      = "said"      // where the fact is from: origin, words, speaker and trust
	EventRename    = "rename"    // the note of the fact was reworded: To is the same claim
	EventReflect   = "reflect"   // the fact was drawn from others
	EventShown     = "shown"     // and was shown to the person
	EventTrust     = "trust"     // a speaker was borne out or corrected
	EventDirective = "directive" // the person asked not to mention Term
	EventLifted    = "lifted"    // the directive Of is over
	EventVoid      = "void"      // the event Of was undone
)

// The kinds of Event that the areas of a memory are made of; see Tree.
const (
	EventName     = "name"     // what the fact is found by: Slug, Abstract, or both
	EventOverview = "overview" // Text tells of the Area, whose facts were From
	EventLeft     = "left"     // the fact left Area and Slug for the archive; What says why
	EventProgress = "progress" // how far the pass What has come: Mark. It is never undone
)

// Event is one line of the ledger. Only the fields of its kind are set; hashes
// are hexadecimal.
type Event struct {
	Kind string    `json:"t"`
	ID   string    `json:"id,omitempty"` // its own; lift: that of the never event
	At   time.Time `json:"at,omitzero"`
	By   string    `json:"by,omitempty"`   // who asked, as in Memory-Author
	Salt string    `json:"salt,omitempty"` // salt: 32 bytes; never: the first 8 of the salt's own hash
	N    []int     `json:"n,omitempty"`    // never: the number of words of each phrase
	H    []string  `json:"h,omitempty"`    // never: the hash of each phrase
	K    []string  `json:"k,omitempty"`    // never: the hash of each keyword of all phrases

	Fact    string   `json:"fact,omitempty"` // identity of the fact that it is about, credentials masked
	Why     Signal   `json:"why,omitempty"`
	To      string   `json:"to,omitempty"`
	Of      string   `json:"of,omitempty"` // id of another event
	Quote   string   `json:"quote,omitempty"`
	Turn    string   `json:"turn,omitempty"`
	Origin  Origin   `json:"origin,omitempty"`
	Speaker string   `json:"speaker,omitempty"` // account, as the host gives it
	Trust   *float64 `json:"trust,omitempty"`   // in the speaker at the time, 0 to 1; nil is not known
	From    []string `json:"from,omitempty"`    // identities of the facts that a reflection was drawn from
	Weight  int      `json:"weight,omitempty"`  // their greatest importance, 1 to 10

	Area     Area      `json:"area,omitempty"`
	Slug     string    `json:"slug,omitempty"`     // what the fact is called in its area
	Abstract string    `json:"abstract,omitempty"` // what it says, shortly
	Text     string    `json:"text,omitempty"`     // of an overview
	Mark     *Progress `json:"mark,omitempty"`

	Term  string    `json:"term,omitempty"` // what is not to be mentioned
	What  string    `json:"what,omitempty"` // its DirectiveKind
	Until time.Time `json:"until,omitzero"`
}

// Ledger is a ledger that was read. What is not understood is kept as it is.
type Ledger struct {
	text   []byte
	events []Event
	claims *claims
}

// ParseLedger reads a ledger. Lines of a kind that is not known here are kept and
// passed over; a line that is no JSON object is kept and gives an error that
// names the line and not what it holds. An event that stands there twice, as
// after a merge, counts once.
func ParseLedger(text []byte) (Ledger, []error) { return Ledger{}.Grown(text) }

// Grown reads a later text of the same ledger. Where lines were only added, only these
// are read.
func (l Ledger) Grown(text []byte) (Ledger, []error) {
	if n := len(l.text); n == 0 || l.text[n-1] != '\n' || !bytes.HasPrefix(text, l.text) {
		l = Ledger{claims: l.claims}
	}
	out := Ledger{text: text, events: slices.Clip(l.events), claims: cmp.Or(l.claims, &claims{read: map[string]claim{}})}
	var problems []error
	seen := map[string]bool{}
	n := bytes.Count(l.text, []byte("\n"))
	for line := range bytes.Lines(text[len(l.text):]) {
		n++
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if len(line) == 0 || seen[string(line)] {
			continue
		}
		seen[string(line)] = true
		var e Event
		switch err := json.Unmarshal(line, &e); {
		case err != nil && !isObject(line):
			problems = append(problems, fmt.Errorf("%s:%d: no JSON object", LedgerFile, n))
		case eventNeeds[e.Kind] == nil:
			continue // of a kind that may come, with fields of its own
		case err != nil || !eventNeeds[e.Kind](e):
			problems = append(problems, fmt.Errorf("%s:%d: the %s event is not whole", LedgerFile, n, e.Kind))
		default:
			out.events = append(out.events, e)
		}
	}
	return out, problems
}

func isObject(line []byte) bool {
	var any map[string]json.RawMessage
	return json.Unmarshal(line, &any) == nil
}

// eventNeeds says of each kind of event that is known whether one has what it needs.
var eventNeeds = map[string]func(Event) bool{
	EventSalt:      func(e Event) bool { return len(e.Salt) == 2*saltBytes },
	EventNever:     Event.wholeNever,
	EventLift:      func(e Event) bool { return e.ID != "" },
	EventSupport:   Event.wholeSignal,
	EventDispute:   Event.wholeSignal,
	EventIgnore:    func(e Event) bool { return e.ID != "" && e.Fact != "" },
	EventSaid:      func(e Event) bool { return e.ID != "" && e.Fact != "" },
	EventShown:     func(e Event) bool { return e.ID != "" && e.Fact != "" },
	EventReflect:   func(e Event) bool { return e.ID != "" && e.Fact != "" && len(e.From) > 0 },
	EventRename:    func(e Event) bool { return e.ID != "" && e.Fact != "" && e.To != "" },
	EventTrust:     func(e Event) bool { return e.ID != "" && e.Speaker != "" && e.What != "" },
	EventDirective: func(e Event) bool { return e.ID != "" && e.Term != "" && e.What != "" },
	EventLifted:    func(e Event) bool { return e.ID != "" && e.Of != "" },
	EventVoid:      func(e Event) bool { return e.ID != "" && e.Of != "" },
	EventName:      func(e Event) bool { return e.ID != "" && e.Fact != "" && e.Slug+e.Abstract != "" },
	EventOverview:  func(e Event) bool { return e.ID != "" && e.Area.Valid() && e.Text != "" && len(e.From) > 0 },
	EventLeft: func(e Event) bool {
		return e.ID != "" && e.Fact != "" && e.Area.Valid() && e.Slug != "" && e.What != ""
	},
	EventProgress: func(e Event) bool { return e.ID != "" && e.What != "" && e.Mark != nil },
}

func (e Event) wholeSignal() bool { return e.ID != "" && e.Fact != "" && e.Why.Kind() == e.Kind }

func (e Event) wholeNever() bool {
	if e.ID == "" || len(e.N) == 0 || len(e.N) != len(e.H) {
		return false
	}
	for _, n := range e.N {
		if n < 1 || n > maxPhraseWords {
			return false
		}
	}
	return true
}

// Holds reports whether an event of a kind and an id stands there, undone or not.
func (l Ledger) Holds(kind, id string) bool {
	return slices.ContainsFunc(l.events, func(e Event) bool { return e.Kind == kind && e.ID == id })
}

// Append returns the text of the ledger with the events at its end, one a line.
// Every byte that is there stays; a final newline that is missing comes first.
func (l Ledger) Append(events ...Event) []byte {
	out := bytes.Clone(l.text)
	if n := len(out); n > 0 && out[n-1] != '\n' {
		out = append(out, '\n')
	}
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil { // only a time outside the years 0 to 9999 has no JSON
			e.At = time.Time{}
			line, _ = json.Marshal(e)
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

// mergeLedger unites two ledgers that were only appended to: what both begin with,
// then the lines of either, each once, by their time. A line without a time goes
// with the one before it. What stood in a base and one of the two has no more was taken
// out: forgotten, erased or undone.
func mergeLedger(bases [][]byte, a, b []byte) []byte {
	ours, theirs := ledgerLines(a), ledgerLines(b)
	n := 0
	for n < min(len(ours), len(theirs)) && ours[n].text == theirs[n].text {
		n++
	}
	inOurs, inTheirs, inBase := lineSet(ours), lineSet(theirs), map[string]bool{}
	for _, base := range bases {
		for _, l := range ledgerLines(base) {
			inBase[l.text] = true
		}
	}
	out := slices.Clone(ours[:n])
	mine := slices.DeleteFunc(ours[n:], func(l ledgerLine) bool { return inBase[l.text] && !inTheirs[l.text] })
	other := slices.DeleteFunc(theirs[n:], func(l ledgerLine) bool { return inOurs[l.text] || inBase[l.text] })
	for len(mine) > 0 && len(other) > 0 {
		if c := cmp.Or(other[0].at.Compare(mine[0].at), strings.Compare(other[0].text, mine[0].text)); c < 0 {
			mine, other = other, mine
		}
		out, mine = append(out, mine[0]), mine[1:]
	}
	var text []byte
	for _, l := range slices.Concat(out, mine, other) {
		text = append(append(text, l.text...), '\n')
	}
	return text
}

func lineSet(lines []ledgerLine) map[string]bool {
	set := make(map[string]bool, len(lines))
	for _, l := range lines {
		set[l.text] = true
	}
	return set
}

type ledgerLine struct {
	text string
	at   time.Time
}

func ledgerLines(text []byte) []ledgerLine {
	var list []ledgerLine
	var last time.Time
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		var head struct {
			At time.Time `json:"at"`
		}
		if json.Unmarshal(line, &head) == nil && !head.At.IsZero() {
			last = head.At
		}
		list = append(list, ledgerLine{string(line), last})
	}
	return list
}
