package markdown

import "strings"

// marks are the words of the trailing marks in the order in which they are
// written; the last ones are those that upkeep adds to a finished line.
var marks = [...]string{"confirmed", "updated", "until", "expired", "superseded", "moved", conflictWord}

// mark returns where e keeps the date of the mark with this word.
func (e *Entry) mark(word string) *Date {
	switch word {
	case "confirmed":
		return &e.Confirmed
	case "updated":
		return &e.Updated
	case "until":
		return &e.Until
	case "expired":
		return &e.Expired
	case "superseded":
		return &e.Superseded
	case conflictWord:
		return &e.Conflict
	default:
		return &e.Moved
	}
}

// takeMarks moves the run of marks at the end of body into e and returns what
// stands before it. Of two equal words the later one counts.
func (e *Entry) takeMarks(body string) string {
	for {
		rest, word, day, ok := cutMark(body)
		if !ok {
			return body
		}
		if kept := e.mark(word); kept.IsZero() {
			*kept = day
		}
		body = rest
	}
}

// cutMark splits ` · word 2026-09-10` off the end of body.
func cutMark(body string) (rest, word string, day Date, ok bool) {
	trimmed := strings.TrimRight(body, " \t")
	if len(trimmed) < 10 {
		return body, "", Date{}, false
	}
	head := trimmed[:len(trimmed)-10]
	if day, ok = ParseDate(trimmed[len(head):]); !ok {
		return body, "", Date{}, false
	}
	for _, word = range marks {
		rest, ok = strings.CutSuffix(head, " "+word+" ")
		if !ok {
			continue
		}
		if rest, ok = strings.CutSuffix(rest, " ·"); ok {
			return rest, word, day, true
		}
	}
	return body, "", Date{}, false
}

// dropMarks returns body without the run of marks at its end.
func dropMarks(body string) string {
	return new(Entry).takeMarks(body)
}

// innerUntil returns the first date of ` · until 2026-09-10` that is followed
// by ` · ` inside the first line of text.
func innerUntil(text string) Date {
	first, _, _ := strings.Cut(text, "\n")
	for {
		_, after, ok := strings.Cut(first, dot+"until ")
		if !ok {
			return Date{}
		}
		first = after
		if len(after) <= 10 || !strings.HasPrefix(after[10:], dot) {
			continue
		}
		if day, ok := ParseDate(after[:10]); ok {
			return day
		}
	}
}

// writeMarks appends the marks of e in their fixed order.
func (e *Entry) writeMarks(b *strings.Builder) {
	for _, word := range marks {
		day := *e.mark(word)
		if day.IsZero() {
			continue
		}
		if word == "until" && !e.Struck && day == innerUntil(e.Text) {
			continue // it already stands inside the text
		}
		b.WriteString(dot + word + " " + day.String())
	}
}

// trimStrike returns body without the strike marks around it.
func trimStrike(body string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(body), strike)
	if !ok {
		return body
	}
	return strings.TrimSuffix(rest, strike)
}
