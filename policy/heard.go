package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Voice is whose words a line is. The zero Voice is nobody's.
type Voice uint8

// The voices of a conversation.
const (
	VoiceNobody   Voice = iota // a prompt, a webhook, a routine
	VoicePerson                // the person for whom the bot works
	VoiceOther                 // somebody else in a room
	VoiceBot                   // this bot
	VoiceOtherBot              // another bot
)

// Heard is one thing that was said, as capture reads it.
type Heard struct {
	Voice Voice
	Name  string
	Text  string

	// What the host says of who said it, and nobody else: the account as it gives it, its
	// tier, and the base of trust that the account tells of itself; see TrustInput.
	Account  string
	Tier     TrustTier
	Reported *float64
	Turn     string // in which it was said; "" is none
}

// Readable reports whether anything was said that capture may read: words of the
// person, or in a room of anybody who is no bot.
func Readable(heard []Heard, room bool) bool {
	return slices.ContainsFunc(heard, func(h Heard) bool {
		return (h.Voice == VoicePerson || room && h.Voice == VoiceOther) && strings.ContainsFunc(h.Text, isWordRune)
	})
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Frame is a pair of marks around a text that was put into a message: it is no
// word of who sent the message.
type Frame struct{ Open, Close string }

// WithoutFrames returns text without what stands between the marks of a frame. A
// frame that is not closed goes to the end.
func WithoutFrames(text string, frames []Frame) string {
	for _, f := range frames {
		if f.Open == "" || !strings.Contains(text, f.Open) {
			continue
		}
		var b strings.Builder
		for rest, found := text, true; found; {
			var before, after string
			before, after, found = strings.Cut(rest, f.Open)
			b.WriteString(before)
			if found {
				b.WriteString(paragraphEnd)
				_, rest, _ = strings.Cut(after, f.Close)
				if f.Close == "" {
					rest = ""
				}
			}
		}
		text = b.String()
	}
	return text
}

const paragraphEnd = "\n\n"

// ownWords returns what a message says in its sender's own words: without blocks
// of code, without lines that quote a mail.
func ownWords(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, ">") {
		return text
	}
	var kept []string
	var block []string // an open block of code: when it has no end it is none
	in := false
	for line := range strings.SplitSeq(text, "\n") {
		start := strings.TrimSpace(line)
		marks := strings.Count(line, "```")
		switch {
		case strings.HasPrefix(start, "```") && marks%2 == 1 || in && marks%2 == 1:
			in, block, kept = !in, nil, append(kept, "")
		case in:
			block = append(block, line)
		case strings.HasPrefix(start, ">") || strings.HasPrefix(start, "```"):
			kept = append(kept, "")
		default:
			kept = append(kept, line)
		}
	}
	if in {
		kept = append(kept, block...)
	}
	return strings.Join(kept, "\n")
}

// line is what was said in one message, in the form in which quotes are looked
// for: NFC, lower case, plain quotes and dashes, invisible characters, stars and
// back-ticks gone, a run of white space one blank, or \n where a line ends and
// \f where a paragraph does.
type line struct {
	voice  Voice
	place  int     // in what was heard
	text   string  // as it was said, NFC
	folded string  // as it is compared, but for the ends of lines
	flat   string  // the same with blanks for these
	at     []int32 // where in text each byte of folded comes from, and last the end
	parts  []span  // the sentences of folded
	framed []bool  // for each sentence: it belongs to a game or to a text that was handed over
	noted  []bool  // for each sentence: it is of a list that is to be remembered
	judged [][]clause
}

// newLine folds a text.
func newLine(voice Voice, text string) *line {
	l := &line{voice: voice, text: norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD"))}
	var b strings.Builder
	b.Grow(len(l.text))
	l.at = make([]int32, 0, len(l.text)+1)
	for i := 0; i < len(l.text); {
		r, size := utf8.DecodeRuneInString(l.text[i:])
		if space, n := blanks(l.text[i:]); n > 0 {
			if b.Len() > 0 {
				b.WriteByte(space)
				l.at = append(l.at, int32(i))
			}
			i += n
			continue
		}
		if r = comparedRune(r); r >= 0 {
			from := b.Len()
			b.WriteRune(r)
			for range b.Len() - from {
				l.at = append(l.at, int32(i))
			}
		}
		i += size
	}
	l.folded = b.String()
	l.flat = strings.Map(spaced, l.folded)
	l.at = append(l.at, int32(len(l.text)))
	return l
}

// blanks returns the length of the white space that s begins with and what
// stands for it.
func blanks(s string) (stands byte, size int) {
	lines := 0
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		if !unicode.IsSpace(r) {
			break
		}
		if r == '\n' || r == '\u2029' || r == '\u2028' || r == '\u0085' {
			lines++
		}
		size += n
	}
	switch {
	case lines > 1:
		return '\f', size
	case lines == 1:
		return '\n', size
	}
	return ' ', size
}

// comparedRune returns the form in which a character is compared, -1 for one
// that does not count.
func comparedRune(r rune) rune {
	if r == '*' || r == '`' || unicode.Is(unicode.Variation_Selector, r) {
		return -1
	}
	if r = foldRune(r); r < 0 {
		return -1
	}
	return unicode.ToLower(r)
}

// compared returns a quote as it is looked for: folded, without the marks around
// it.
func compared(quote string) string {
	flat := strings.TrimPrefix(newLine(VoiceNobody, quote).flat, "- ")
	return strings.Trim(flat, " \"'«»„“”‚‘’.…,;:!?。！？、，()[]")
}

// spaced turns the ends of lines into blanks, byte for byte.
func spaced(r rune) rune {
	if r == '\n' || r == '\f' {
		return ' '
	}
	return r
}

// said returns a part of the folded text as it was said, on one line and in
// plain type.
func (l *line) said(s span) string {
	if s.start >= s.end {
		return ""
	}
	start, last := int(l.at[s.start]), int(l.at[s.end-1])
	_, size := utf8.DecodeRuneInString(l.text[last:])
	end := last + size
	for end < len(l.text) { // a combining mark, a variation selector
		r, n := utf8.DecodeRuneInString(l.text[end:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		end += n
	}
	return strings.Join(strings.Fields(bareMarks.Replace(l.text[start:end])), " ")
}

// bareMarks takes out what only makes words bold, or code.
var bareMarks = strings.NewReplacer("**", "", "`", "")

const maxPlaces = 32 // places of one quote in one line that are looked at

// places returns where a compared quote stands in the line as whole words.
func (l *line) places(quote string) []span {
	if quote == "" {
		return nil
	}
	var list []span
	for at := 0; len(list) < maxPlaces; {
		n := strings.Index(l.flat[at:], quote)
		if n < 0 {
			break
		}
		s := span{start: at + n, end: at + n + len(quote)}
		if !cutsWord(l.flat, s) {
			list = append(list, s)
		}
		_, size := utf8.DecodeRuneInString(l.flat[s.start:])
		at = s.start + size
	}
	return list
}

// cutsWord reports whether a span begins or ends inside a word or a number.
func cutsWord(text string, s span) bool {
	return cutsAt(text, s.start) || cutsAt(text, s.end)
}

func cutsAt(text string, i int) bool {
	before, n := utf8.DecodeLastRuneInString(text[:i])
	after, m := utf8.DecodeRuneInString(text[i:])
	if n == 0 || m == 0 || single(before) || single(after) {
		return false
	}
	if inWord(before) && inWord(after) || unicode.IsMark(after) {
		return true
	}
	// 1.91 is one number, whichever end of it was cut off.
	further, _ := utf8.DecodeLastRuneInString(text[:i-n])
	beyond, _ := utf8.DecodeRuneInString(text[i+m:])
	return isPoint(before) && unicode.IsDigit(further) && unicode.IsDigit(after) || isPoint(after) && unicode.IsDigit(before) && unicode.IsDigit(beyond)
}

func isPoint(r rune) bool { return r == '.' || r == ',' }
