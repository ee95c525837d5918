package policy

import (
	"fmt"

	"quipu/markdown"
)

// Limits are the two limits of MEMORY.md. The loader, the gauge, the budget and
// every message read them from here. A zero field means MaxLines or MaxBytes.
type Limits struct {
	Lines int // lines that are loaded
	Bytes int // bytes of UTF-8 that are loaded
}

// The colours of a Gauge.
const (
	ColourOK    = "ok"
	ColourAmber = "amber" // from 80 percent on
	ColourRed   = "red"   // part of the file no longer loads
)

const amberPercent = 80

func (l Limits) set() Limits {
	if l.Lines <= 0 {
		l.Lines = MaxLines
	}
	if l.Bytes <= 0 {
		l.Bytes = MaxBytes
	}
	return l
}

// over reports whether a text of so many lines and bytes passes a limit.
func (l Limits) over(lines, bytes int) bool { return lines > l.Lines || bytes > l.Bytes }

// Measure returns the gauge of a text. The loaded part is its first lines up to
// the limit, and of these as many bytes as the other limit allows. It never ends
// inside a character, nor inside an entry that can be left out whole.
func (l Limits) Measure(text []byte) Gauge {
	g := l.gauge(text)
	loaded := text
	if g.Truncated {
		loaded = l.set().cut(read(text))
	}
	g.loads(loaded)
	return g
}

// gauge measures a text, but for what of it is loaded.
func (l Limits) gauge(text []byte) Gauge {
	l = l.set()
	g := Gauge{Lines: countLines(text), Bytes: len(text), MaxLines: l.Lines, MaxBytes: l.Bytes}
	g.Percent = max(g.Lines*100/l.Lines, g.Bytes*100/l.Bytes)
	g.Truncated = l.over(g.Lines, g.Bytes)
	return g
}

// loads notes which part of the file is loaded and what colour follows.
func (g *Gauge) loads(loaded []byte) {
	g.LoadedLines, g.LoadedBytes = countLines(loaded), len(loaded)
	switch {
	case g.Truncated:
		g.Colour = ColourRed
	case g.Percent >= amberPercent:
		g.Colour = ColourAmber
	default:
		g.Colour = ColourOK
	}
}

// Sentence returns the plain sentence that stands beside the gauge, and how many
// lines are left out when some are.
func (g Gauge) Sentence() string {
	rule := fmt.Sprintf("only the first %d lines load each turn", g.MaxLines)
	switch hidden := g.Lines - g.LoadedLines; {
	case !g.Truncated:
		return rule
	case hidden > 0:
		return fmt.Sprintf("%s; %s", rule, counted(hidden, "line does not", "lines do not"))
	default:
		return fmt.Sprintf("%s, and at most %d bytes", rule, g.MaxBytes)
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// sheet is a text with its units and the offset of each, and last its end.
type sheet struct {
	text   []byte
	units  []markdown.Unit
	starts []int
}

func read(text []byte) sheet {
	f := markdown.Parse(MemoryFile, text)
	return sheet{text: text, units: f.Units(), starts: unitStarts(f)}
}

// cut returns the part of a text that is loaded.
func (l Limits) cut(s sheet) []byte {
	loaded := cutBytes(cutLines(s.text, l.Lines), l.Bytes)
	if len(loaded) == len(s.text) {
		return s.text
	}
	says := false // something but headings and blank lines is loaded before
	for i, u := range s.units {
		at := s.starts[i]
		if at+len(u.Raw) > len(loaded) {
			if says && u.Kind == markdown.KindEntry && at <= len(loaded) {
				return trimLineEnd(s.text[:at])
			}
			break
		}
		says = says || saysSomething(u)
	}
	return loaded
}

// saysSomething reports whether a unit is more than a blank line, a heading or a
// line of the header.
func saysSomething(u markdown.Unit) bool {
	switch u.Kind {
	case markdown.KindBlank, markdown.KindHeader:
		return false
	case markdown.KindLine:
		return !isHeading(string(u.Raw))
	}
	return true
}

// isHeading reports whether a line is a heading of one to six number signs.
func isHeading(line string) bool {
	level := 0
	for level < len(line) && line[level] == '#' {
		level++
	}
	return level > 0 && level <= 6 && (level == len(line) || line[level] == ' ' || line[level] == '\t' || line[level] == '\r')
}

func trimLineEnd(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	return text
}

// unitStarts returns the offset of each unit and, last, the end of the text.
func unitStarts(f *markdown.File) []int {
	text, units := f.Bytes(), f.Units()
	starts := make([]int, 0, len(units)+1)
	at := 0
	if len(units) > 0 {
		at = unitStart(f, 0)
	}
	for _, u := range units {
		starts = append(starts, at)
		at += len(u.Raw)
		at += lineEndLen(text[at:])
	}
	return append(starts, at)
}
