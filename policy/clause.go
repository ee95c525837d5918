package policy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"quipu/markdown"
)

// A superseded note may say more than what is no longer true: "lives in Pune and
// prefers short replies". Its fact is parted into clauses, and the ones that the
// old text does not touch stay as an entry of their own. A clause begins behind a
// semicolon, a full stop, or a joining word that a verb follows, at once or
// behind a short subject: "salt and pepper" is one clause. A clause that begins
// with its verb takes over the subject of the first.

var clauseEnd = regexp.MustCompile(`;[ \t]+|[.!][ \t]+|(?:,[ \t]*)?[ \t]+(?:&|\pL+)[ \t]+|,[ \t]+`)

// clauses returns the spans of the clauses of a fact of one line.
func clauses(fact string) []span {
	if strings.ContainsAny(fact, "\n`") {
		return []span{{end: len(fact)}}
	}
	var list []span
	start := 0
	for at := 0; at < len(fact); {
		m := clauseEnd.FindStringIndex(fact[at:])
		if m == nil {
			break
		}
		from, to := at+m[0], at+m[1]
		if comma := commaLen(fact[from:to]); comma > 0 && !joins(fact[from:to], fact[to:]) {
			to = from + comma
		}
		if joins(fact[from:to], fact[to:]) && !inQuotes(fact[:from]) && from > start {
			list = append(list, span{start: start, end: from})
			start = to
			at = to
			continue
		}
		at = max(from+1, to-1) // the blank behind one word may stand before the next
	}
	return append(list, span{start: start, end: len(fact)})
}

// commaLen returns the length of the comma that a separator begins with and of
// the blanks behind it, 0 when it begins with none.
func commaLen(separator string) int {
	rest, ok := strings.CutPrefix(separator, ",")
	if !ok {
		return 0
	}
	return len(separator) - len(strings.TrimLeft(rest, " \t"))
}

// joins reports whether a separator parts two statements.
func joins(separator, rest string) bool {
	word := strings.Trim(separator, " \t,")
	switch {
	case strings.HasPrefix(word, ";"):
		return states(rest, maxSubject)
	case word == "." || word == "!":
		return states(rest, maxSubject)
	case word == "": // a comma: only before a verb, or lists would be torn
		return states(rest, 0)
	}
	return (word == "&" || vocabulary().joins[foldText(word)]) && states(rest, maxSubject)
}

const maxSubject = 3 // words before the verb

// states reports whether a text begins with a verb behind at most so many words.
func states(text string, subject int) bool {
	for i, word := range strings.Fields(text) {
		if i > subject {
			return false
		}
		if isVerb(word) {
			return len(strings.Fields(text)) > i+1
		}
		if strings.ContainsAny(word, ",;.") {
			return false
		}
	}
	return false
}

func isVerb(word string) bool {
	return vocabulary().verbs[foldText(strings.ReplaceAll(strings.Trim(word, ".,;!?\"()"), "’", "'"))]
}

func inQuotes(before string) bool { return strings.Count(before, `"`)%2 == 1 }

// subjectOf returns the words before the verb of a clause, "" when there are
// none or too many to be a subject.
func subjectOf(clause string) string {
	words := strings.Fields(clause)
	i := slices.IndexFunc(words, isVerb)
	if i <= 0 || i > maxSubject {
		return ""
	}
	return strings.Join(words[:i], " ")
}

// remainder returns what a fact still says without the clauses that its bytes
// from start to end touch, and "" when they touch all. It is false when the old
// text ends where a list goes on, so that what is left cannot be told.
func remainder(fact string, start, end int) (string, bool) {
	list := clauses(fact)
	var left []string
	touched := 0
	for _, c := range list {
		if start < c.end && end > c.start {
			touched++
			if !wholeList(fact[c.start:c.end], start-c.start, end-c.start) {
				return "", false
			}
			continue
		}
		left = append(left, fact[c.start:c.end])
	}
	if touched == 0 || len(left) == 0 {
		return "", true
	}
	if first := fact[list[0].start:list[0].end]; isVerb(strings.Fields(left[0])[0]) {
		if subject := subjectOf(first); subject != "" {
			left[0] = subject + " " + left[0]
		}
	}
	return strings.TrimRight(strings.Join(left, "; "), " .") + lastStop(fact), true
}

func lastStop(fact string) string {
	if strings.HasSuffix(strings.TrimSpace(fact), ".") {
		return "."
	}
	return ""
}

// wholeList reports whether the named part of a clause does not stop in the
// middle of a list: "likes tea" names a part of "likes tea and coffee", and
// nothing says whether coffee stays.
func wholeList(clause string, start, end int) bool {
	if start > 0 && strings.TrimFunc(clause[:start], unicode.IsSpace) != "" || end >= len(clause) {
		return true // it names less than its beginning, or all to the end
	}
	after := strings.TrimLeft(clause[max(end, 0):], " \t")
	word, _, _ := strings.Cut(after, " ")
	return !vocabulary().joins[foldText(word)] && word != "&" && !strings.HasPrefix(after, "; ")
}

// still returns what stays true of the unit at p. A unit that was named by its
// line is meant whole.
func (d *draft) still(p Place, f *markdown.File, u markdown.Unit) (string, error) {
	if p.Whole {
		return "", nil
	}
	at := unitStart(f, p.Unit)
	return d.keptOf(u, p.Start-at, p.End-at)
}

// keptOf returns the unit that keeps what is still true of u when the bytes
// from start to end of it are superseded, "" when nothing does.
func (d *draft) keptOf(u markdown.Unit, start, end int) (string, error) {
	raw := string(u.Raw)
	body := span{start: len(handBullet.FindString(raw)), end: len(strings.TrimRight(raw, " \t\r\n"))}
	if u.Entry != nil {
		body = bodyOf(raw, *u.Entry)
	}
	if strings.Contains(raw, "\n") || end <= body.start || start >= body.end {
		return "", nil
	}
	fact := raw[body.start:body.end]
	rest, ok := remainder(fact, max(0, start-body.start), min(len(fact), end-body.start))
	switch {
	case !ok:
		return "", refuse(Conflict, "the note goes on behind the old text (%q); give the whole fact as oldText, and in the new text what stays true", shortened(fact))
	case rest == "":
		return "", nil
	}
	if u.Entry == nil {
		return raw[:body.start] + rest, nil
	}
	e := *u.Entry
	e.Text = rest
	return d.redact(e.String()), nil
}
