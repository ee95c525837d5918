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

// Event is one line of the ledger. Only the fields of its kind are set; hashes
// are hexadecimal.
type Event struct {
	Kind string    `json:"t"`
	ID   string    `json:"id,omitempty"` // never: its own ULID; lift: that of the never event
	At   time.Time `json:"at,omitzero"`
	By   string    `json:"by,omitempty"`   // who asked, as in Memory-Author
	Salt string    `json:"salt,omitempty"` // salt: 32 bytes; never: the first 8 of the salt's own hash
	N    []int     `json:"n,omitempty"`    // never: the number of words of each phrase
	H    []string  `json:"h,omitempty"`    // never: the hash of each phrase
	K    []string  `json:"k,omitempty"`    // never: the hash of each keyword of all phrases
}

// Ledger is a ledger that was read. What is not understood is kept as it is.
type Ledger struct {
	text   []byte
	events []Event
}

// ParseLedger reads a ledger. Lines of a kind that is not known here are kept and
// passed over; a line that is no JSON object is kept and gives an error that
// names the line and not what it holds. An event that stands there twice, as
// after a merge, counts once.
func ParseLedger(text []byte) (Ledger, []error) {
	l := Ledger{text: text}
	var problems []error
	seen := map[string]bool{}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		var head struct {
			Kind string `json:"t"`
		}
		var e Event
		if err := json.Unmarshal(line, &head); err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: no JSON object", LedgerFile, n))
			continue
		}
		if head.Kind != EventSalt && head.Kind != EventNever && head.Kind != EventLift {
			continue
		}
		if err := json.Unmarshal(line, &e); err != nil || !e.whole() {
			problems = append(problems, fmt.Errorf("%s:%d: the %s event is not whole", LedgerFile, n, head.Kind))
			continue
		}
		if !seen[string(line)] {
			seen[string(line)] = true
			l.events = append(l.events, e)
		}
	}
	return l, problems
}

// whole reports whether an event has what its kind needs.
func (e Event) whole() bool {
	switch e.Kind {
	case EventSalt:
		return len(e.Salt) == 2*saltBytes
	case EventLift:
		return e.ID != ""
	}
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
// with the one before it.
func mergeLedger(a, b []byte) []byte {
	ours, theirs := ledgerLines(a), ledgerLines(b)
	n := 0
	for n < min(len(ours), len(theirs)) && ours[n].text == theirs[n].text {
		n++
	}
	has := map[string]bool{}
	for _, l := range ours {
		has[l.text] = true
	}
	out := slices.Clone(ours[:n])
	mine, other := ours[n:], slices.DeleteFunc(theirs[n:], func(l ledgerLine) bool { return has[l.text] })
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
