package policy

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quipu/markdown"
)

// grounds are what the numbers, paths and addresses of a fact must come from.
type grounds struct {
	units     map[string]map[string]bool // what clung to each number that was said
	dates     map[markdown.Date]bool
	addresses map[string]bool
	year      bool // a number was said that reads as a year
	months    map[int]bool
	days      bool // a day was named by today's: "Friday", "tomorrow"
	today     markdown.Date
}

func newGrounds(today markdown.Date) *grounds {
	return &grounds{
		units: map[string]map[string]bool{}, dates: map[markdown.Date]bool{}, addresses: map[string]bool{}, months: map[int]bool{}, today: today,
	}
}

// add takes in what a part of a line says: only what stands wholly in it, so
// that -10 does not give 10, nor 110 people ten.
func (g *grounds) add(l *line, s span) {
	whole := contextOf(l.flat, s)
	for _, f := range figures(l.flat[whole.start:whole.end]) {
		f.start, f.end = f.start+whole.start, f.end+whole.start
		if s.start <= f.start && f.end <= s.end {
			g.take(f)
		}
	}
	from, to := int(l.at[s.start]), int(l.at[s.end])
	for _, a := range addressSpans(l.text) {
		if from <= a.start && a.end <= to {
			g.addresses[plainAddress(l.text[a.start:a.end])] = true
		}
	}
	w := wordsOf(l.flat[s.start:s.end])
	g.days = g.days || idiom().days.in(w)
	for i := range w {
		if m, _, ok := idiom().months.at(w[i:]); ok {
			g.months[m] = true
		}
	}
}

func (g *grounds) take(f figure) {
	if !f.date.IsZero() {
		g.dates[f.date] = true
	}
	for _, v := range f.values {
		if g.units[v] == nil {
			g.units[v] = map[string]bool{}
		}
		g.units[v][f.unit] = true
		g.year = g.year || len(v) == 4 && "1900" <= v && v <= "2199"
	}
}

const contextBytes = 64 // around a part in which a number may go on

// contextOf widens a span so that a number at its edge is read whole.
func contextOf(text string, s span) span {
	start := runeFloor(text, max(0, s.start-contextBytes))
	for start > 0 && digit(text[start]) && digit(text[start-1]) {
		start--
	}
	return span{start: start, end: runeFloor(text, min(len(text), s.end+contextBytes))}
}

// missing returns the first number, path or address of a fact that has no
// ground, "" when each has one.
func (g *grounds) missing(fact string) string {
	l := newLine(VoiceNobody, fact)
	for i := 0; i < len(l.flat); {
		if !digit(l.flat[i]) {
			i++
			continue
		}
		f, ok := dateFigure(l.flat, i)
		if ok {
			if !g.holdsDate(f.date) {
				return f.date.String()
			}
			i = f.end
			continue
		}
		f = readFigure(l.flat, i)
		if wide, ok := groupedFigure(l.flat, f); ok && g.holds(wide) {
			i = wide.end
			continue
		}
		if !g.holds(f) {
			return l.flat[f.start:f.end]
		}
		i = f.end
	}
	for _, a := range addressSpans(l.text) {
		if word := l.text[a.start:a.end]; !g.addresses[plainAddress(word)] {
			return word
		}
	}
	return ""
}

// holds reports whether a number was said: with these digits, this sign, and
// nothing else clinging to it.
func (g *grounds) holds(f figure) bool {
	return slices.ContainsFunc(f.values, func(v string) bool {
		units, ok := g.units[v]
		return ok && (f.unit == "" || units[""] || units[f.unit])
	})
}

func (g *grounds) holdsValue(value string) bool { return g.units[value] != nil }

// daysAhead is how far from today a day may lie that was named by its weekday or
// as "next month".
const daysAhead = 62

// holdsDate reports whether a day was said, in whatever form: 12 June 2027 is
// 2027-06-12. A year that nobody named is this one or a neighbour, and "Friday"
// may be any day of these two months.
func (g *grounds) holdsDate(d markdown.Date) bool {
	if g.dates[d] {
		return true
	}
	text := d.String()
	year, month, day := text[:4], text[5:7], text[8:]
	named := g.holdsValue(strings.TrimLeft(day, "0")) && (g.months[monthNumber(month)] || g.holdsValue(strings.TrimLeft(month, "0")))
	if named && (g.holdsValue(year) || g.holdsValue(year[2:]) || !g.year && g.near(d, 366)) {
		return true
	}
	return g.days && g.near(d, daysAhead)
}

func monthNumber(text string) int { return int(text[0]-'0')*10 + int(text[1]-'0') }

// near reports whether a day is no further than so many days from today. Without
// today none is.
func (g *grounds) near(d markdown.Date, days int) bool {
	if g.today.IsZero() {
		return false
	}
	from, errFrom := time.Parse(time.DateOnly, g.today.String())
	to, errTo := time.Parse(time.DateOnly, d.String())
	return errFrom == nil && errTo == nil && to.Sub(from).Abs() <= time.Duration(days)*24*time.Hour
}

// An address is a URL, a mail address, or a path: something that begins as a
// path does, or that ends in the name of a file behind a slash. "and/or" and
// "they/them" are none.
var addressShape = regexp.MustCompile(`^(?:` +
	`[A-Za-z][A-Za-z0-9+.-]*://\S+` +
	`|(?i:www)\.\S+` +
	`|[A-Za-z0-9](?:[A-Za-z0-9-]*\.)+[A-Za-z]{2,}/\S*` +
	`|[^\s@]+@[^\s@]+\.[^\s@]+` +
	`|(?:~|\.{1,2})?/[^\s/]\S*` +
	`|[A-Za-z]:\\\S+` +
	`|\\\\\S+` +
	`|\S+/\S*[\w-]+\.[A-Za-z][A-Za-z0-9]{0,7}` +
	`)$`)

// addressSpans returns the addresses of a text, without the marks around them.
func addressSpans(text string) []span {
	if !strings.ContainsAny(text, `/\@`) && !strings.Contains(text, "www.") && !strings.Contains(text, "WWW.") {
		return nil
	}
	var list []span
	for at := 0; at < len(text); {
		n := strings.IndexFunc(text[at:], unicode.IsSpace)
		if n < 0 {
			n = len(text) - at
		}
		if s := bareSpan(text, span{start: at, end: at + n}); n <= maxAddressBytes && addressShape.MatchString(text[s.start:s.end]) {
			list = append(list, s)
		}
		_, space := utf8.DecodeRuneInString(text[at+n:])
		at += n + space
	}
	return list
}

const maxAddressBytes = 2048

// bareSpan returns a span without the marks around what stands in it.
func bareSpan(text string, s span) span {
	word := text[s.start:s.end]
	left := len(word) - len(strings.TrimLeft(word, "\"'`()[]{}<>«»„“”*（「"))
	s.start += left
	s.end -= len(word[left:]) - len(strings.TrimRight(word[left:], ",.;:!?\"'`()[]{}<>«»„“”*。，、；：！？）」"))
	return s
}

// plainAddress returns the form in which addresses compare: without scheme, www.
// and a final slash, the host in lower case.
func plainAddress(address string) string {
	_, rest, found := strings.Cut(address, "://")
	if !found {
		rest = address
	}
	host, path, slash := strings.Cut(rest, "/")
	if host != "" && strings.Contains(host, ".") {
		host = strings.TrimPrefix(strings.ToLower(host), "www.")
	}
	if slash && path != "" {
		return strings.TrimRight(host+"/"+path, "/")
	}
	return host
}
