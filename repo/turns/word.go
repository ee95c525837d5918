package turns

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxWord is how many characters of one word count; the rest of a key or a hash
// tells nothing more.
const maxWord = 64

// word is one word of a text as the full text holds it: without case, accents and
// width. From and to are the bytes where it stands in the text.
type word struct {
	text     string
	from, to int
	half     int  // where the first of two characters without spaces ends; 0 in other words
	tail     bool // the last character of a run without spaces, which stands for itself
}

// wordsOf cuts a text into words. Letters and digits in a row are one word; scripts
// that are written without spaces give each character with the one that follows it,
// and the last one alone, so that any piece of them is found as a phrase. A minus
// before a number and the signs of c++ and c# belong to the word.
func wordsOf(text string) []word {
	c := cutter{text: text, out: make([]word, 0, len(text)/6+1)}
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf && (i+1 == len(text) || text[i+1] < utf8.RuneSelf) {
			c.ascii(b, i)
			i++
			continue
		}
		if next := c.plain(i); next > i {
			i = next
			continue
		}
		next := i + norm.NFKC.NextBoundaryInString(text[i:], true)
		if next <= i { // not UTF-8
			next = i + 1
		}
		c.cluster(i, next)
		i = next
	}
	c.flush()
	return c.out
}

// plain adds the characters from a place on that fold to themselves or to their lower
// case and have nothing that modifies them behind them, and gives the place after them.
// It does nothing that cluster would not do; it is what most of such texts consist of.
func (c *cutter) plain(at int) int {
	r, size := utf8.DecodeRuneInString(c.text[at:])
	for isPlain(r) {
		next, following := utf8.DecodeRuneInString(c.text[at+size:])
		if next >= utf8.RuneSelf && !isPlain(next) {
			break // perhaps a mark of this one
		}
		if isCyrillic(r) {
			c.letter(unicode.ToLower(r), at, at+size)
		} else {
			c.flushWord()
			c.run = append(c.run, word{text: c.text[at : at+size], from: at, to: at + size})
		}
		at += size
		r, size = next, following
	}
	return at
}

func isPlain(r rune) bool { return isCyrillic(r) || isIdeograph(r) || isKana(r) }

func isCyrillic(r rune) bool { return r >= 'А' && r <= 'я' && r != 'Й' && r != 'й' }

func isIdeograph(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }

func isKana(r rune) bool { return r >= 'ぁ' && r <= 'ゖ' || r >= 'ァ' && r <= 'ヺ' }

// cluster adds one character with what modifies it.
func (c *cutter) cluster(from, to int) {
	s := c.text[from:to]
	r, size := utf8.DecodeRuneInString(s)
	if size == len(s) && norm.NFKD.PropertiesString(s).Decomposition() == nil && !strings.ContainsRune(special, r) {
		c.add(unicode.ToLower(r), from, to) // most of what is not ASCII, and much faster
		return
	}
	for _, r := range fold(s) {
		c.add(r, from, to)
	}
}

// fold gives characters without case, width and the accents of Latin, Greek and
// Cyrillic; the vowel signs of other scripts stay.
func fold(s string) string {
	s = cases.Fold().String(norm.NFKD.String(s))
	s = strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f {
			return -1
		}
		return r
	}, s)
	return letters.Replace(norm.NFC.String(s))
}

// special are the characters that fold to more than their lower case.
const special = "ßẞςØøŁłĐđÐðÆæŒœıÞþĦħ"

// letters are those that Unicode does not take apart although people do.
var letters = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ð", "d", "æ", "ae", "œ", "oe", "ı", "i", "þ", "th", "ħ", "h")

// cutter collects words. At most one of run and word is not empty.
type cutter struct {
	text string
	out  []word

	word     []byte
	size     int // characters in word
	from, to int
	digits   bool // the word holds something besides letters

	run []word // characters of a script without spaces
}

func (c *cutter) ascii(b byte, at int) {
	switch {
	case b >= 'A' && b <= 'Z':
		c.letter(rune(b)+'a'-'A', at, at+1)
	case b >= 'a' && b <= 'z', b >= '0' && b <= '9':
		c.letter(rune(b), at, at+1)
	default:
		c.sign(rune(b), at)
	}
}

func (c *cutter) add(r rune, from, to int) {
	switch {
	case spaceless(r):
		c.flushWord()
		c.run = append(c.run, word{text: string(r), from: from, to: to})
	case unicode.IsLetter(r), unicode.IsDigit(r):
		c.letter(r, from, to)
	case unicode.IsMark(r) && (c.size > 0 || len(c.run) > 0):
		c.mark(r, to)
	default:
		c.sign(r, from)
	}
}

// spaceless reports whether the character is of a script that is written without
// spaces between words.
func spaceless(r rune) bool {
	return r >= 0xe00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

func (c *cutter) letter(r rune, from, to int) {
	c.flushRun()
	if c.size == 0 {
		c.from = from
	}
	if c.size < maxWord {
		c.word = utf8.AppendRune(c.word, r)
	}
	c.size++
	c.to = to
	c.digits = c.digits || !unicode.IsLetter(r)
}

// mark keeps a vowel sign with the character that it belongs to.
func (c *cutter) mark(r rune, to int) {
	if n := len(c.run); n > 0 {
		c.run[n-1].text += string(r)
		c.run[n-1].to = to
		return
	}
	if c.size < maxWord {
		c.word = utf8.AppendRune(c.word, r)
	}
	c.size++
	c.to = to
}

// sign ends a word, or joins it: c++, c#, -10.
func (c *cutter) sign(r rune, at int) {
	rest := c.text[at:]
	c.join(rest, at)
	c.flush()
	if (r == '-' || r == '−') && c.opens(at) {
		rest = rest[utf8.RuneLen(r):]
		if rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			c.word, c.size, c.from, c.digits = append(c.word, '-'), 1, at, true
		}
	}
}

// join adds the signs of c++ and c# to the letters before them.
func (c *cutter) join(rest string, at int) {
	if c.size == 0 || c.digits {
		return
	}
	for _, signs := range []string{"++", "#"} {
		after, found := strings.CutPrefix(rest, signs)
		if found && !wordly(after) && (signs == "++" || c.size <= 2) {
			c.word, c.to = append(c.word, signs...), at+len(signs)
		}
	}
}

// opens reports whether a minus at this place can be a sign: it follows a blank, a
// bracket or nothing.
func (c *cutter) opens(at int) bool {
	r, _ := utf8.DecodeLastRuneInString(c.text[:at])
	return at == 0 || unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pi) || strings.ContainsRune("=:\"'", r)
}

// wordly reports whether a text begins with a letter or a digit.
func wordly(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func (c *cutter) flush() {
	c.flushWord()
	c.flushRun()
}

func (c *cutter) flushWord() {
	if c.size > 0 {
		c.out = append(c.out, word{text: string(c.word), from: c.from, to: c.to})
	}
	c.word, c.size, c.digits = c.word[:0], 0, false
}

func (c *cutter) flushRun() {
	for i, w := range c.run {
		if i+1 == len(c.run) {
			w.tail = true
		} else {
			w.text, w.to, w.half = w.text+c.run[i+1].text, c.run[i+1].to, w.to
		}
		c.out = append(c.out, w)
	}
	c.run = c.run[:0]
}

// analysed is a text as it is put into the full text.
func analysed(text string) string {
	words := wordsOf(text)
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}
