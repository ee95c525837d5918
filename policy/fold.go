package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text as it reads, with a map back to how it is written: invisible
// characters are gone, and full-width letters, digits of any script, odd
// spaces, dashes and quotes are their ASCII twins. Bytes that are no UTF-8 stay.
type folded struct {
	source string
	text   string  // the folded text
	lower  string  // text in lower case, byte for byte as long
	at     []int32 // source offset of each byte of text; nil when they are equal
}

func fold(s string) folded {
	ascii := true
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return folded{source: s, text: s, lower: lowerASCII(s)}
	}
	f := folded{source: s, at: make([]int32, 0, len(s)+1)}
	text, lower := make([]byte, 0, len(s)), make([]byte, 0, len(s))
	wordEnd, mixed, others := 0, false, mayMix(s)
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			text, lower, f.at = append(text, c), append(lower, lower1(c)), append(f.at, int32(i))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if others && i >= wordEnd {
			wordEnd, mixed = wordAt(s, i)
		}
		if mixed {
			r = lookAlike(r)
		}
		from := len(text)
		if r == utf8.RuneError && size == 1 {
			text, lower = append(text, s[i]), append(lower, s[i])
		} else if r = foldRune(r); r >= 0 {
			text = utf8.AppendRune(text, r)
			small := unicode.ToLower(r)
			if utf8.RuneLen(small) != utf8.RuneLen(r) {
				small = r
			}
			lower = utf8.AppendRune(lower, small)
		}
		for range len(text) - from {
			f.at = append(f.at, int32(i))
		}
		i += size
	}
	f.text, f.lower = string(text), string(lower)
	return f
}

// origin maps a span of the folded text to the source.
func (f folded) origin(s span) span {
	if f.at == nil || s.start >= s.end {
		return s
	}
	last := int(f.at[s.end-1])
	_, size := utf8.DecodeRuneInString(f.source[last:])
	return span{start: int(f.at[s.start]), end: last + size, block: s.block}
}

func lowerASCII(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// foldRune returns the plain twin of r, r itself, or -1 for what does not show.
func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case unicode.Is(hidden, r):
		return -1
	case 0xFF01 <= r && r <= 0xFF5E:
		return r - 0xFEE0
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Pd, r) || r == 0x2212:
		return '-'
	case 0x2018 <= r && r <= 0x201A:
		return '\''
	case 0x201C <= r && r <= 0x201F:
		return '"'
	case unicode.Is(unicode.Nd, r):
		return '0' + digitValue(r)
	case styled(r):
		if plain := norm.NFKC.String(string(r)); len(plain) == 1 {
			return rune(plain[0])
		}
	}
	return r
}

// styled reports whether r is of the letters that are others in bold, script,
// circles or squares.
func styled(r rune) bool {
	return 0x1D400 <= r && r <= 0x1D7FF || 0x2460 <= r && r <= 0x24FF || 0x2100 <= r && r <= 0x214F || 0x1F130 <= r && r <= 0x1F189
}

// lookAlikes are the Cyrillic and Greek letters that look like Latin ones, each
// before its twin.
const lookAlikes = "аaеeоoрpсcуyхxіiѕsјjһhкkмmтtвbнhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTХXІIЅSЈJοoαaνvρpιiκkΑAΒBΕEΗHΙIΚKΜMΝNΟOΡPΤTΧX"

// lookAlike returns the Latin letter that r looks like, r itself when it looks
// like none.
func lookAlike(r rune) rune {
	if r < 0x391 || r > 0x51D {
		return r
	}
	_, after, found := strings.Cut(lookAlikes, string(r))
	if !found {
		return r
	}
	return rune(after[0])
}

// mayMix reports whether a text holds a byte with which Greek and Cyrillic
// letters begin.
func mayMix(s string) bool {
	for i := range len(s) {
		if 0xCE <= s[i] && s[i] <= 0xD4 {
			return true
		}
	}
	return false
}

// wordAt returns the end of the word around i and whether it is Latin but for
// letters that look so: nobody mixes alphabets in a word but to deceive.
func wordAt(s string, i int) (end int, mixed bool) {
	latin, other := i > 0 && alnum(s[i-1]) && !digit(s[i-1]), false
	for end = i; end < len(s); {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.IsLetter(r) {
			break
		}
		switch {
		case r < utf8.RuneSelf:
			latin = true
		case lookAlike(r) == r:
			return max(end, i+1), false
		default:
			other = true
		}
		end += size
	}
	return max(end, i+1), latin && other
}

// hidden are the soft hyphen and the marks of joining, direction and order.
var hidden = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0xAD, Hi: 0xAD, Stride: 1},
	{Lo: 0x200B, Hi: 0x200F, Stride: 1},
	{Lo: 0x202A, Hi: 0x202E, Stride: 1},
	{Lo: 0x2060, Hi: 0x2064, Stride: 1},
	{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1},
}, LatinOffset: 1}

// digitValue returns the value of a decimal digit of any script: Unicode keeps
// each script's ten digits together, so the count of digits below r tells.
func digitValue(r rune) rune {
	n := rune(0)
	for n < 9 && unicode.Is(unicode.Nd, r-n-1) {
		n++
	}
	if 0x1D7CE <= r && r <= 0x1D7FF { // five alphabets of mathematical digits in one run
		return (r - 0x1D7CE) % 10
	}
	return n
}
