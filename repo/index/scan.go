package index

import (
	"unicode"
	"unicode/utf8"
)

// kind says how the words of a span are found.
type kind uint8

const (
	// plain is a word between blanks or punctuation.
	plain kind = iota
	// signed is a word whose symbols count: -10, c++, v2.1, r&d, 2026-09-10.
	signed
	// dense is a run of a script that has no blanks between words.
	dense
)

// span is one word, or one run of a dense script: text[from:to].
type span struct {
	from, to int
	kind     kind
}

// scanner finds the spans of a text, in order.
type scanner struct {
	text string
	pos  int
}

// class is what a character is to the scanner.
type class uint8

const (
	other class = iota
	letter
	digit
	denseLetter
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return classOfASCII(byte(r))
	case isDense(r):
		return denseLetter
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	case unicode.IsNumber(r):
		return digit
	}
	return other
}

func classOfASCII(c byte) class {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return letter
	case c >= '0' && c <= '9':
		return digit
	}
	return other
}

// denseRanges are the letters of the scripts without blanks between words: Thai
// and Lao, Burmese, Khmer, Chinese, Japanese; and of Korean, where particles are
// glued on. In order.
var denseRanges = [...]struct{ from, to rune }{
	{0x0E01, 0x0E3A},
	{0x0E40, 0x0E4E},
	{0x0E81, 0x0ECD},
	{0x0EDC, 0x0EDF},
	{0x1000, 0x103F},
	{0x1050, 0x108F},
	{0x1100, 0x11FF},
	{0x1780, 0x17D3},
	{0x3005, 0x3007},
	{0x3041, 0x30FA},
	{0x30FC, 0x30FF},
	{0x3131, 0x318E},
	{0x31F0, 0x31FF},
	{0x3400, 0x4DBF},
	{0x4E00, 0x9FFF},
	{0xAC00, 0xD7A3},
	{0xF900, 0xFAFF},
	{0xFF66, 0xFF9F},
	{0x20000, 0x3FFFF},
}

// isDense reports a letter of a script without blanks between words.
func isDense(r rune) bool {
	for _, in := range denseRanges {
		if r <= in.to {
			return r >= in.from
		}
	}
	return false
}

// at returns the character at i and its length; 0, 0 at the end.
func (s *scanner) at(i int) (rune, int) {
	if i >= len(s.text) {
		return 0, 0
	}
	if c := s.text[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s.text[i:])
}

// class returns the class of the character at i, other at the end.
func (s *scanner) class(i int) class {
	r, _ := s.at(i)
	return classOf(r)
}

// next returns the next span; false at the end.
func (s *scanner) next() (span, bool) {
	before := ' '
	for s.pos < len(s.text) {
		r, size := s.at(s.pos)
		start := s.pos
		switch classOf(r) {
		case denseLetter:
			s.pos = s.denseEnd(start)
			return span{start, s.pos, dense}, true
		case letter, digit:
			return s.word(start, start), true
		}
		if isSign(r) && s.class(start+size) == digit && isOpen(before) {
			return s.word(start, start+size), true
		}
		before = r
		s.pos += size
	}
	return span{}, false
}

func isSign(r rune) bool { return r == '-' || r == '−' || r == '+' }

// isOpen reports whether a minus after r is a sign, not a dash.
func isOpen(r rune) bool {
	switch r {
	case '(', '[', '=', ':', ',', '<', '>', '~', '≈', '/', '"', '\'', '*', '`':
		return true
	}
	return unicode.IsSpace(r)
}

func (s *scanner) denseEnd(i int) int {
	for {
		r, size := s.at(i)
		if size == 0 || !isDense(r) {
			return i
		}
		i += size
	}
}

// word reads the word that begins at start, whose letters or digits begin at i.
func (s *scanner) word(start, i int) span {
	found := span{from: start, kind: plain}
	if i > start {
		found.kind = signed
	}
	last := other
	for {
		r, size := s.at(i)
		c := classOf(r)
		if size == 0 || c == denseLetter {
			break
		}
		if c == other {
			joins, symbol := s.joint(start, i, r, size, last)
			if !joins {
				break
			}
			if symbol {
				found.kind = signed
			}
		}
		last = c
		i += size
	}
	if end := s.tail(start, i); end > i {
		found.kind = signed
		i = end
	}
	found.to, s.pos = i, i
	return found
}

// joint reports whether the mark r at i stands inside a word that began at
// start, and whether it counts as a symbol: an apostrophe joins letters but does
// not; the marks of numbers and the & of R&D do.
func (s *scanner) joint(start, i int, r rune, size int, last class) (joins, symbol bool) {
	after := s.class(i + size)
	switch r {
	case '\'', '’', 'ʼ', '＇':
		return last == letter && after == letter, false
	case '.', ',', ':', '-', '/':
		both := last == digit && after == digit
		return both, both
	case '&':
		both := last == letter && after == letter && i-start <= len("AT")
		return both, both
	}
	return false, false
}

// tail returns the end of the symbols that belong to the word text[start:i]: the
// pluses of C++ and A+, the sharp of C#. Without such it returns i.
func (s *scanner) tail(start, i int) int {
	if i == start || s.class(i-1) != letter {
		return i
	}
	end := i
	switch r, _ := s.at(i); {
	case r == '+':
		for end < len(s.text) && s.text[end] == '+' {
			end++
		}
		if end-i == 1 && i-start > 1 {
			return i
		}
	case r == '#' && i-start <= 2:
		end = i + 1
	default:
		return i
	}
	if c := s.class(end); c != other {
		return i
	}
	return end
}
