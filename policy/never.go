package policy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	saltBytes      = 32
	hashBytes      = 16 // of the HMAC that is kept: enough to never meet by chance
	maxPhraseWords = 64 // words of a phrase that count; a longer one is cut
)

// Salt is the key of a never-learn list.
type Salt [saltBytes]byte

// NewSalt reads a new salt from a source of randomness.
func NewSalt(random io.Reader) (Salt, error) {
	var s Salt
	if _, err := io.ReadFull(random, s[:]); err != nil {
		return Salt{}, fmt.Errorf("salt of the never-learn list: %w", err)
	}
	return s, nil
}

// name is what a never event calls its salt by.
func (s Salt) name() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:4])
}

func (s Salt) hex() string { return hex.EncodeToString(s[:]) }

func parseSalt(text string) (Salt, bool) {
	var s Salt
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != saltBytes {
		return s, false
	}
	copy(s[:], raw)
	return s, true
}

// hash is the keyed hash of words; use keeps phrases and keywords apart.
func (s Salt) hash(use byte, words []string) string {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte{use})
	for _, w := range words {
		mac.Write([]byte(w))
		mac.Write([]byte{0})
	}
	return hex.EncodeToString(mac.Sum(nil)[:hashBytes])
}

const (
	usePhrase  = 'p'
	useKeyword = 'k'
)

// Never is the list of what no bot learns again. It holds keyed hashes alone:
// one of each phrase, to find it in a text as whole words in their order, and
// one of each keyword of all phrases together, to catch the same thing said in
// another order. Who holds the ledger holds the salt as well and could try short
// words against it.
type Never struct {
	salts   map[string]Salt
	entries []Event
	newest  *Salt
}

// Never returns the list as the ledger has it: every never event that was not
// lifted.
func (l Ledger) Never() Never {
	n := Never{salts: map[string]Salt{}}
	lifted := map[string]bool{}
	for _, e := range l.events {
		switch e.Kind {
		case EventLift:
			lifted[e.ID] = true
		case EventSalt:
			if s, ok := parseSalt(e.Salt); ok {
				n.salts[s.name()] = s
				n.newest = &s
			}
		}
	}
	for _, e := range l.events {
		if e.Kind == EventNever && !lifted[e.ID] {
			n.entries = append(n.entries, e)
		}
	}
	return n
}

// Len returns how many sets of phrases are listed.
func (n Never) Len() int { return len(n.entries) }

// Has reports whether the list holds what a change of this id put there.
func (n Never) Has(id string) bool {
	return slices.ContainsFunc(n.entries, func(e Event) bool { return e.ID == id })
}

// Add returns the events that list phrases which must all occur together: a salt
// event first when the list has no salt yet, for which fresh is used. id is the
// event's ULID, by names who asked.
func (n Never) Add(phrases []Phrase, id, by string, at time.Time, fresh Salt) []Event {
	var events []Event
	salt := fresh
	if n.newest != nil {
		salt = *n.newest
	} else {
		events = append(events, Event{Kind: EventSalt, At: at, Salt: fresh.hex()})
	}
	e := Event{Kind: EventNever, ID: id, At: at, By: by, Salt: salt.name()}
	keys := map[string]bool{}
	for _, p := range phrases {
		words := p.words[:min(len(p.words), maxPhraseWords)]
		e.N = append(e.N, len(words))
		e.H = append(e.H, salt.hash(usePhrase, words))
		for _, key := range keywords(p.Text) {
			keys[salt.hash(useKeyword, []string{key})] = true
		}
	}
	for key := range keys {
		e.K = append(e.K, key)
	}
	slices.Sort(e.K)
	return append(events, e)
}

// Blocks reports whether a text must not be learned: it mentions all phrases of
// a listed set, or is nearly the same by its keywords (all of them are among the
// listed ones, or the two sets share at least half of their union). Pass the
// fact alone, without date and source.
func (n Never) Blocks(text string) bool { return len(n.blocking(text)) > 0 }

// Mentions reports whether a text mentions all phrases of a set that was listed at a
// time or later.
func (n Never) Mentions(text string, since time.Time) bool {
	for _, e := range n.entries {
		salt, ok := n.salts[e.Salt]
		if ok && !e.At.Before(since) && newFingerprint(salt, text).mentions(e) {
			return true
		}
	}
	return false
}

// Lift returns the events that take from the list all that blocks a text which
// the person asks to remember; nil when nothing does.
func (n Never) Lift(text, by string, at time.Time) []Event {
	var events []Event
	for _, e := range n.blocking(text) {
		events = append(events, Event{Kind: EventLift, ID: e.ID, At: at, By: by})
	}
	return events
}

// blocking returns the entries that a text meets.
func (n Never) blocking(text string) []Event {
	if len(n.entries) == 0 {
		return nil
	}
	seen := map[string]*fingerprint{}
	var met []Event
	for _, e := range n.entries {
		salt, ok := n.salts[e.Salt]
		if !ok {
			continue // its salt is on another clone: it holds there
		}
		f := seen[e.Salt]
		if f == nil {
			f = newFingerprint(salt, text)
			seen[e.Salt] = f
		}
		if f.mentions(e) || f.near(e) {
			met = append(met, e)
		}
	}
	return met
}

// fingerprint is a text as hashes under one salt. Runs of words are hashed by
// length, when an entry asks for that length.
type fingerprint struct {
	salt  Salt
	words []string
	runs  map[int]map[string]bool
	keys  map[string]bool
}

func newFingerprint(salt Salt, text string) *fingerprint {
	f := &fingerprint{salt: salt, words: tokens(text), runs: map[int]map[string]bool{}, keys: map[string]bool{}}
	for _, key := range keywords(text) {
		f.keys[salt.hash(useKeyword, []string{key})] = true
	}
	return f
}

func (f *fingerprint) mentions(e Event) bool {
	for i, n := range e.N {
		runs, ok := f.runs[n]
		if !ok {
			runs = map[string]bool{}
			for at := 0; at+n <= len(f.words); at++ {
				runs[f.salt.hash(usePhrase, f.words[at:at+n])] = true
			}
			f.runs[n] = runs
		}
		if !runs[e.H[i]] {
			return false
		}
	}
	return true
}

// near reports whether the keywords of the text are a part of the listed ones,
// or overlap with them by half.
func (f *fingerprint) near(e Event) bool {
	shared := 0
	for _, key := range e.K {
		if f.keys[key] {
			shared++
		}
	}
	union := len(e.K) + len(f.keys) - shared
	return shared > 0 && (shared == len(f.keys) || 2*shared >= union)
}

// keywords returns the words of a text that carry its subject, each once:
// accents folded, stop words and words of one letter dropped. A character that
// is a word by itself counts with the one behind it.
func keywords(text string) []string {
	var list []string
	words := tokens(text)
	for i, w := range words {
		r := []rune(w)
		switch {
		case vocabulary().stop[w]:
			continue
		case single(r[0]):
			if i+1 < len(words) && single([]rune(words[i+1])[0]) {
				list = append(list, w+words[i+1])
			}
			continue
		case len(r) < 2 && !unicode.IsDigit(r[0]):
			continue
		}
		list = append(list, unaccented(w))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func unaccented(word string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word)))
}
