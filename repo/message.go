package repo

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

const subjectColumns = 72

// trailer is one line of a message's last paragraph.
type trailer struct{ key, value string }

// The keys of the trailers, as `git log --format='%(trailers:key=…)'` asks for them.
const (
	keyAuthor = "Memory-Author"
	keySource = "Memory-Source"
	keyAction = "Memory-Action"
	keyVia    = "Memory-Via"
	keyChange = "Memory-Change"
	keyUndoes = "Memory-Undoes"
	keyTurn   = "Memory-Turn"
	keyQuote  = "Memory-Quote"
	keyFiles  = "Memory-Files"
	keyPart   = "Memory-Import"
)

// message writes a commit message: the subject, then the trailers as the last
// paragraph. Nothing that a text holds can become a line of its own.
func message(action Action, subject string, trailers []trailer) string {
	var b strings.Builder
	b.WriteString(fitColumns(strings.TrimSuffix(string(action)+": "+oneLine(subject), ": "), subjectColumns))
	b.WriteString("\n\n")
	for _, t := range trailers {
		if v := oneLine(t.value); v != "" {
			b.WriteString(t.key + ": " + v + "\n")
		}
	}
	return b.String()
}

// oneLine folds white space and drops what a terminal or git would act on.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029', r == '\u0085':
			return ' '
		case unicode.IsControl(r), bidi(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}

// bidi names the characters that reorder the text around them.
func bidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}

// fitColumns cuts a line to so many columns of a terminal, with an ellipsis.
func fitColumns(s string, most int) string {
	n, cut := 0, 0
	for i, r := range s {
		w := columns(r)
		if n+w > most {
			return strings.TrimRight(s[:cut], " ") + "…"
		}
		n += w
		if n <= most-1 {
			cut = i + len(string(r))
		}
	}
	return s
}

func columns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
