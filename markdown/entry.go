package markdown

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Form is how an entry carries its date.
type Form uint8

// The two forms that are read. Dotted is the one that is written by default.
const (
	// Dotted is `- 2026-09-10 · from chat "Plans" · the fact`.
	Dotted Form = iota
	// Bracketed is `- the fact [2026-09-10]`, or with a time `[2026-09-10T15:04:05]`.
	Bracketed
)

const (
	bullet  = "- "
	dot     = " · "
	from    = "from "
	noticed = "(noticed)"
	strike  = "~~"
	indent  = "  "
)

// Entry is one dated bullet with what is indented under it.
type Entry struct {
	Form Form
	Date Date
	// Clock is the time part of a bracketed date as written, else "".
	Clock string
	// Source is where the fact comes from, such as `chat "Plans"`: without
	// "from " and without " (noticed)"; "" if there is none.
	Source string
	// Noticed says that the fact was noticed, not told.
	Noticed bool
	// Text is the fact alone: no date, source, strike marks or trailing marks.
	// Owned lines follow, joined by "\n", without their two-space indent.
	Text string
	// The trailing marks of the bullet line; zero where absent.
	Until, Superseded, Updated, Moved, Expired, Confirmed Date
	// Conflict is the day of the merge that kept this wording beside another one
	// of the same note, until the person decides; see Conflicts.
	Conflict Date
	// Struck says that the text is struck through: no longer true.
	Struck bool
	// Line is the 1-based line of the bullet in the file as parsed, 0 for an
	// entry that comes from no file.
	Line int
}

// Identity returns Identity(e.Text), and "" when e is struck: what is no longer
// held cannot be the same as what is.
func (e Entry) Identity() string {
	if e.Struck {
		return ""
	}
	return Identity(e.Text)
}

// Identity returns what two texts that state the same fact have in common:
// NFC, one leading bullet dropped, white space folded and trimmed, one final
// full stop dropped. Case, signs, symbols and digits count.
func Identity(text string) string {
	text = fold(norm.NFC.String(text))
	for _, mark := range []string{"- ", "* ", "• "} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			text = rest
			break
		}
	}
	return strings.TrimSpace(strings.TrimSuffix(text, "."))
}

// fold makes every run of white space one space and trims both ends.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }

// isEntryLine reports whether line, without its line end, begins an entry.
func isEntryLine(line string) bool {
	_, ok := readBullet(line)
	return ok
}

// readBullet reads an entry's own line. It is false for every other line: a
// date that no calendar has makes no entry.
func readBullet(line string) (Entry, bool) {
	rest, ok := strings.CutPrefix(line, bullet)
	if !ok {
		return Entry{}, false
	}
	if len(rest) > 10 && strings.HasPrefix(rest[10:], dot) {
		if day, ok := ParseDate(rest[:10]); ok {
			return readDotted(day, rest[10+len(dot):]), true
		}
	}
	return readBracketed(rest)
}

func readDotted(day Date, body string) Entry {
	e := Entry{Date: day}
	// Marks go first: in `from Berlin · until 2026-09-14` Berlin is no source.
	body = e.takeMarks(body)
	body = e.takeSource(body)
	e.takeText(body)
	return e
}

func (e *Entry) takeSource(body string) string {
	label, rest, ok := cutSource(body)
	if !ok {
		return body
	}
	if label == noticed {
		e.Noticed = true
		return rest
	}
	e.Source, e.Noticed = strings.CutSuffix(label, " "+noticed)
	e.Source = strings.TrimSpace(e.Source)
	return rest
}

// cutSource splits `from <label> · rest`; a label holds no middle dot.
func cutSource(body string) (label, rest string, ok bool) {
	after, ok := strings.CutPrefix(body, from)
	if !ok {
		return "", body, false
	}
	label, rest, ok = strings.Cut(after, "·")
	if !ok || !strings.HasSuffix(label, " ") || !strings.HasPrefix(rest, " ") {
		return "", body, false
	}
	label = strings.TrimSpace(label)
	return label, rest[1:], label != ""
}

func (e *Entry) takeText(body string) {
	body = strings.Trim(body, " \t")
	if rest, ok := strings.CutPrefix(body, strike); ok {
		e.Struck = true
		body = strings.Trim(strings.TrimSuffix(rest, strike), " \t")
	}
	e.Text = body
	if e.Until.IsZero() && !e.Struck {
		e.Until = innerUntil(body)
	}
}

func readBracketed(rest string) (Entry, bool) {
	if !strings.Contains(rest, "]") {
		return Entry{}, false
	}
	e := Entry{Form: Bracketed}
	body := strings.TrimRight(e.takeMarks(rest), " \t")
	if strings.HasPrefix(body, strike) && strings.HasSuffix(body, "]"+strike) {
		e.Struck = true
		body = body[len(strike) : len(body)-len(strike)]
	}
	inner, ok := strings.CutSuffix(body, "]")
	open := strings.LastIndexByte(inner, '[')
	if !ok || open < 2 || inner[open-1] != ' ' {
		return Entry{}, false
	}
	stamp := inner[open+1:]
	if len(stamp) < 10 {
		return Entry{}, false
	}
	if e.Date, ok = ParseDate(stamp[:10]); !ok {
		return Entry{}, false
	}
	if e.Clock, ok = readClock(stamp[10:]); !ok {
		return Entry{}, false
	}
	struck := e.Struck
	e.takeText(e.takeMarks(strings.TrimRight(inner[:open], " \t")))
	e.Struck = e.Struck || struck
	return e, e.Text != ""
}

// readClock reads "" or `T15:04`, with seconds, a fraction and a zone or not.
func readClock(s string) (string, bool) {
	if s == "" {
		return "", true
	}
	clock, ok := strings.CutPrefix(s, "T")
	if !ok || len(clock) > 35 {
		return "", false
	}
	shape := []byte(clock)
	for i, b := range shape {
		if b >= '0' && b <= '9' {
			shape[i] = '0'
		}
	}
	rest, ok := strings.CutPrefix(string(shape), "00:00")
	if !ok {
		return "", false
	}
	if after, ok := strings.CutPrefix(rest, ":00"); ok {
		rest = after
		if fraction, ok := strings.CutPrefix(rest, ".0"); ok {
			rest = strings.TrimLeft(fraction, "0")
		}
	}
	switch rest {
	case "", "Z", "+00:00", "-00:00", "+0000", "-0000":
		return clock, true
	default:
		return "", false
	}
}
