package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quipu/markdown"
)

// Statement is an entry as a model is asked about it.
type Statement struct {
	Path string
	Line int
	Raw  string // byte for byte, line ends as LF
	Date markdown.Date
	Text string // the fact, on one line
	// Trust in who said it, nil when that is not known; for whoever lists the statements to
	// fill in.
	Trust *float64
}

const maxListed = 200 // statements that a model is shown at once

// Statements returns the entries of a file that hold and are not about to go, in
// their order, at most 200: what is asked about in search of two that cannot both be
// true.
func Statements(path string, text []byte, going []Step, today markdown.Date) []Statement {
	var list []Statement
	for _, u := range markdown.Parse(path, text).Units() {
		if len(list) == maxListed {
			break
		}
		if u.Entry == nil || !holdsOn(*u.Entry, today) || slices.ContainsFunc(going, func(s Step) bool { return s.Path == path && s.Line == u.Line }) {
			continue
		}
		list = append(list, statement(path, u))
	}
	return list
}

func statement(path string, u markdown.Unit) Statement {
	return Statement{Path: path, Line: u.Line, Raw: plainRaw(u), Date: u.Entry.Date, Text: factOf(plainRaw(u))}
}

// ListStatements writes statements as a model is shown them: `[i] (date) fact`, a line
// each.
func ListStatements(list []Statement) string {
	var b strings.Builder
	for i, s := range list {
		fmt.Fprintf(&b, "[%d] (%s) %s\n", i, s.Date, s.Text)
	}
	return b.String()
}

// Pair is two statements of which a model says that they cannot both be true.
type Pair struct {
	A, B  int
	KeepA bool
	Rest  string // what the other one says besides that is still true
}

const maxRest = 300 // characters of what is kept of a struck entry

// ParsePairs reads the answer {"pairs":[{"a","b","keep":"a"|"b","remainder"?}]} about
// count statements. A pair that makes no sense is passed over, and so is one of two
// statements that are paired already; dropped says how many were. The error says that
// the answer has no list of pairs.
func ParsePairs(answer string, count int) (pairs []Pair, dropped int, err error) {
	list, err := answered(answer, "pairs")
	if err != nil {
		return nil, 0, err
	}
	seen := map[[2]int]bool{}
	for _, raw := range list {
		p, ok := readPair(raw, count)
		key := [2]int{min(p.A, p.B), max(p.A, p.B)}
		if !ok || seen[key] {
			dropped++
			continue
		}
		seen[key] = true
		pairs = append(pairs, p)
	}
	return pairs, dropped, nil
}

func readPair(raw json.RawMessage, count int) (Pair, bool) {
	var p struct {
		A, B      json.RawMessage
		Keep      string
		Remainder string
	}
	if json.Unmarshal(raw, &p) != nil || p.Keep != "a" && p.Keep != "b" {
		return Pair{}, false
	}
	a, okA := placeOf(p.A, count)
	b, okB := placeOf(p.B, count)
	rest := strings.Trim(strings.Join(strings.Fields(strings.ReplaceAll(p.Remainder, "~~", "")), " "), " ")
	if len([]rune(rest)) > maxRest {
		return Pair{}, false // cut, it would say something else
	}
	return Pair{A: a, B: b, KeepA: p.Keep == "a", Rest: rest}, okA && okB && a != b
}

// Strikes are the strikes that pairs come to.
type Strikes struct {
	Steps    []Step
	Deferred int // pairs for which there was no room in this pass
	Refused  int // pairs that would strike the newer one, or keep what was not said
	Trusted  int // steps that strike the newer one, since who said the older is trusted more
}

// PlanStrikes plans to strike one of each pair, at most as many as the budget allows: the
// older, unless PreferByTrust speaks for it. An entry takes part in one pair a pass. A
// pair is refused when it would strike the newer statement without such a preference, and
// when what it would keep is not in the words of the struck one: a model may not write
// notes of its own here. Where trust strikes the other one than the model meant, nothing
// of that one is kept: the remainder is of the one that stays.
func PlanStrikes(list []Statement, pairs []Pair, budget int) Strikes {
	var out Strikes
	paired := map[int]bool{}
	for _, p := range pairs {
		lost, kept := p.A, p.B
		if p.KeepA {
			lost, kept = p.B, p.A
		}
		fits := partOf(p.Rest, list[lost].Text)
		prefers := PreferByTrust(list[lost].Trust, list[kept].Trust)
		if prefers == PreferOld {
			lost, kept, p.Rest = kept, lost, ""
		}
		backwards := list[kept].Date.Before(list[lost].Date)
		switch {
		case backwards && prefers == PreferNeither, !fits:
			out.Refused++
		case paired[p.A] || paired[p.B] || len(out.Steps) >= budget:
			out.Deferred++
		default:
			paired[p.A], paired[p.B] = true, true
			if backwards {
				out.Trusted++
			}
			out.Steps = append(out.Steps, Step{
				Op: OpStrike, Path: list[lost].Path, Line: list[lost].Line, Raw: list[lost].Raw, Twin: list[kept].Raw, Rest: p.Rest, Trusted: backwards,
			})
		}
	}
	return out
}

// partOf reports whether a remainder says less than the whole and nothing else: each
// of its words that carries a subject is one of the whole's.
func partOf(rest, whole string) bool {
	if rest == "" {
		return true
	}
	have := map[string]bool{}
	for _, w := range tokens(whole) {
		have[w] = true
	}
	said := false
	for _, w := range tokens(rest) {
		if vocabulary().stop[w] {
			continue
		}
		if !have[w] {
			return false
		}
		said = true
	}
	return said && markdown.Identity(rest) != markdown.Identity(whole)
}

// StrikeBudget is how many entries of a file one pass may strike: of MEMORY.md a fifth
// of those that hold, and none of fewer than five; of a topic one, from two on.
func StrikeBudget(path string, live int) int {
	if path == MemoryFile {
		return live / 5
	}
	return min(1, live/2)
}
