package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns s as words are compared: NFKC (so that half-width kana and
// full-width letters meet their plain forms), lower case, no accents. Marks stay
// where they make another letter: й, voiced kana, the vowels of Thai and of India.
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	var last rune
	for _, r := range norm.NFKD.String(s) {
		if isAccent(r) {
			if r == breve && (last == 'и' || last == 'И') {
				b.WriteRune(r)
			}
			continue
		}
		last = r
		if to, ok := spelled(r); ok {
			b.WriteString(to)
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return norm.NFC.String(b.String())
}

const breve = '\u0306'

// isAccent reports a mark that people leave out when they type: the accents of
// Latin, Greek and Cyrillic, the vowel points of Arabic and Hebrew.
func isAccent(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x064B && r <= 0x0652 || r == 0x0670 || r == 0x0640 || r >= 0x0591 && r <= 0x05C7
}

// spelled returns the plain spelling of a letter that no decomposition gives.
func spelled(r rune) (string, bool) {
	switch r {
	case 'ß', 'ẞ':
		return "ss", true
	case 'æ', 'Æ':
		return "ae", true
	case 'œ', 'Œ':
		return "oe", true
	case 'þ', 'Þ':
		return "th", true
	case 'ø', 'Ø':
		return "o", true
	case 'ł', 'Ł':
		return "l", true
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d", true
	case 'ı':
		return "i", true
	case 'ς':
		return "σ", true
	case '’', 'ʼ', '＇':
		return "'", true
	case '−':
		return "-", true
	}
	return "", false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hasCyrillic reports whether a folded word is written in Cyrillic letters.
func hasCyrillic(s string) bool {
	for _, r := range s {
		return r >= 0x0400 && r <= 0x052F
	}
	return false
}
