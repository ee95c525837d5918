package policy

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A credential may be written so that no rule sees it: with a blank behind each
// letter, with its sign written %3A, or wrapped in base64. Each of these is read
// once more as a person would read it, and what is found is masked where it
// stands.

// variant returns f as it reads when spaced-out words are closed up, %XX is
// decoded and words are joined that a line end parts. It is false when that
// changes nothing.
func (f folded) variant() (folded, bool) {
	v := folded{source: f.source}
	var text []byte
	var changed []int // where in text
	keep := func(from, to int) {
		for i := from; i < to; i++ {
			text = append(text, f.text[i])
			v.at = append(v.at, f.from(i))
		}
	}
	at := 0
	for i := 0; i < len(f.text); {
		switch end, c := spacedRun(f.text, i), f.text[i]; {
		case end > i:
			keep(at, i)
			for j := i; j < end; j += 2 {
				keep(j, j+1)
			}
			i, at, changed = end, end, append(changed, len(text)-1)
		case c == '%' && percent(f.text, i) != 0:
			keep(at, i)
			text = append(text, percent(f.text, i))
			v.at = append(v.at, f.from(i))
			i, at, changed = i+3, i+3, append(changed, len(text)-1)
		case c == '\n' && brokenEnd(f.text, i) > 0:
			from := hyphenStart(f.text, i)
			keep(at, max(at, from))
			i = brokenEnd(f.text, i)
			at, changed = i, append(changed, max(0, len(text)-1))
			if from > 0 && digit(f.text[from-1]) {
				text = append(text, ' ')
				v.at = append(v.at, f.from(from-1))
			}
		default:
			i++
		}
	}
	if len(changed) == 0 {
		return folded{}, false
	}
	keep(at, len(f.text))
	v.text = string(text)
	v.only(changed)
	return v, true
}

// only leaves of a text the lines that hold one of the places, which are in
// order.
func (f *folded) only(places []int) {
	var text []byte
	var at []int32
	done := 0
	for _, place := range places {
		if place < done {
			continue
		}
		start := strings.LastIndexByte(f.text[:place], '\n') + 1
		done = len(f.text)
		if n := strings.IndexByte(f.text[place:], '\n'); n >= 0 {
			done = place + n + 1
		}
		text, at = append(text, f.text[start:done]...), append(at, f.at[start:done]...)
	}
	f.text, f.at = string(text), at
	f.lower = lowerASCII(f.text)
}

// from returns the source offset of a byte of the folded text.
func (f folded) from(i int) int32 {
	if f.at == nil {
		return int32(i)
	}
	return f.at[i]
}

const minSpaced = 6 // characters of a spaced-out word

// spacedRun returns the end of the run of single characters from i on that one
// same sign parts, i when there is none: `p a s s w o r d`, `P-A-S-S`.
func spacedRun(text string, i int) int {
	if i+2*minSpaced-1 > len(text) || !strings.ContainsRune(" -._*", rune(text[i+1])) || i > 0 && !strings.ContainsRune(" \n\t\"(", rune(text[i-1])) {
		return i
	}
	sep := text[i+1]
	end, n := i, 0
	for j := i; j < len(text) && single1(text[j]) && text[j] != sep; j += 2 {
		end = j + 1
		n++
		if end >= len(text) || text[end] != sep {
			break
		}
	}
	if n > 0 && end < len(text) && alnum(text[end]) { // the last one begins a word
		end -= 2
		n--
	}
	if n < minSpaced {
		return i
	}
	return end
}

// single1 reports whether a byte is a character that may stand alone in a
// spaced-out word.
func single1(c byte) bool { return c > ' ' && c < utf8.RuneSelf && c != '|' }

// percent returns the ASCII character that %XX at i stands for, 0 for none.
func percent(text string, i int) byte {
	if i+3 > len(text) {
		return 0
	}
	high, low := strings.IndexByte("0123456789abcdef", lower1(text[i+1])), strings.IndexByte("0123456789abcdef", lower1(text[i+2]))
	if c := high*16 + low; high >= 2 && low >= 0 && c < 0x7F {
		return byte(c)
	}
	return 0
}

func lower1(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// brokenEnd returns where a word or a long number goes on behind the line end at
// i, 0 when none does: a hyphen at the end of the line, or digits on both sides.
func brokenEnd(text string, i int) int {
	next := i + 1
	for next < len(text) && (text[next] == ' ' || text[next] == '\t') {
		next++
	}
	start := hyphenStart(text, i)
	if next >= len(text) || start == 0 || !alnum(text[next]) {
		return 0
	}
	before := text[max(0, start-24):start]
	if hyphenated(text, start) || text[start] != '-' && longDigits(before) && longDigits(text[next:min(len(text), next+24)]) {
		return next
	}
	return 0
}

// hyphenated reports whether a word of two letters or more ends in a hyphen at
// start.
func hyphenated(text string, start int) bool {
	return text[start] == '-' && start >= 3 && alnum(text[start-1]) && alnum(text[start-2]) && !digit(text[start-1])
}

// hyphenStart returns where the line end at i begins, a hyphen before it too.
func hyphenStart(text string, i int) int {
	if i > 0 && text[i-1] == '\r' {
		i--
	}
	if i > 0 && text[i-1] == '-' {
		i--
	}
	return i
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// longDigits reports whether a piece of one line ends or begins with groups of
// eight digits and more, and holds nothing else.
func longDigits(s string) bool {
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)/2 {
		s = s[i:]
	} else if i >= 0 {
		s = s[:i]
	}
	return countDigits(s) >= 8 && strings.Trim(s, "0123456789 -.") == ""
}

const (
	minEncoded = 16 // characters of base64 that can hold a credential
	maxEncoded = 16 << 10
)

// encoded returns the runs of base64 whose text holds a credential, as found
// says.
func encoded(text string, found func(string) bool) []span {
	var spans []span
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && base64Char(text[end]) {
			end++
		}
		if n := end - i; n >= minEncoded && n <= maxEncoded && mixedRun(text[i:end]) {
			for end < len(text) && text[end] == '=' {
				end++
			}
			if plain := decoded(text[i:end]); plain != "" && found(plain) {
				spans = append(spans, span{start: i, end: end})
			}
		}
		i = end + 1
	}
	return spans
}

func base64Char(c byte) bool { return alnum(c) || c == '+' || c == '/' || c == '-' || c == '_' }

// mixedRun reports whether a run has small letters and capitals: what encodes a
// text has both.
func mixedRun(s string) bool { return strings.ToLower(s) != s && strings.ToUpper(s) != s }

// decoded returns the text that a run of base64 encodes, "" when it is none.
func decoded(run string) string {
	run = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(run, "="))
	raw, err := base64.RawStdEncoding.DecodeString(run)
	if err != nil || !utf8.Valid(raw) {
		return ""
	}
	text := string(raw)
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }) {
		return ""
	}
	return text
}
