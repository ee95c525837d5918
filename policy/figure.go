package policy

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quipu/markdown"
)

// figure is a number as it stands in a folded text.
type figure struct {
	span
	values []string // the ways to read it, in plain digits: 1,500 is 1500 or 1.5
	unit   string   // what clings to it: "kg" of 10kg
	date   markdown.Date
}

// figures returns the numbers of a folded text: with their sign, their decimals
// and what clings to them, a date as one and as its parts.
func figures(text string) []figure {
	var list []figure
	for i := 0; i < len(text); {
		if !digit(text[i]) {
			i++
			continue
		}
		if f, ok := dateFigure(text, i); ok {
			list = append(list, f)
			list = append(list, f.parts()...)
			i = f.end
			continue
		}
		f := readFigure(text, i)
		list = append(list, f)
		list = append(list, dottedParts(text, f)...)
		if wide, ok := groupedFigure(text, f); ok {
			list = append(list, wide)
		}
		i = f.end
	}
	return append(list, spelledFigures(text)...)
}

// dateFigure reads YYYY-MM-DD at i, also with slashes or dots.
func dateFigure(text string, i int) (figure, bool) {
	const size = len("2026-09-25")
	if i+size > len(text) || i > 0 && digit(text[i-1]) || i+size < len(text) && digit(text[i+size]) {
		return figure{}, false
	}
	word := text[i : i+size]
	if c := word[4]; c != word[7] || c != '-' && c != '/' && c != '.' {
		return figure{}, false
	}
	day, ok := markdown.ParseDate(word[:4] + "-" + word[5:7] + "-" + word[8:])
	return figure{span: span{start: i, end: i + size}, date: day}, ok
}

// parts returns the year, the month and the day of a date as numbers.
func (f figure) parts() []figure {
	var list []figure
	for part := range strings.SplitSeq(f.date.String(), "-") {
		list = append(list, figure{span: f.span, values: []string{part, strings.TrimLeft(part, "0")}})
	}
	return list
}

// dottedParts returns the parts of a date such as 12.06.2027 as numbers.
func dottedParts(text string, f figure) []figure {
	parts := strings.Split(text[f.start:f.end], ".")
	if len(parts) != 3 || len(parts[0]) > 2 || len(parts[1]) > 2 || len(parts[2]) != 2 && len(parts[2]) != 4 {
		return nil
	}
	var list []figure
	for _, p := range parts {
		list = append(list, figure{span: f.span, values: readings(p)})
	}
	return list
}

// readFigure reads the number whose first digit is at i.
func readFigure(text string, i int) figure {
	end := digitsEnd(text, i)
	f := figure{span: span{start: i, end: unitEnd(text, end)}, values: readings(text[i:end])}
	f.unit = plainUnit(text[end:f.end])
	if negative(text[:i]) {
		if text[i-1] == '-' { // else it is the word "minus"
			f.start--
		}
		for k, v := range f.values {
			f.values[k] = "-" + v
		}
	}
	if f.unit == "k" {
		f.unit = ""
		for _, v := range slices.Clone(f.values) {
			if n, err := strconv.ParseFloat(v, 64); err == nil {
				f.values = append(f.values, strconv.FormatFloat(n*1000, 'f', -1, 64))
			}
		}
	}
	return f
}

// digitsEnd returns the end of the digits at i, with the points inside them.
func digitsEnd(text string, i int) int {
	for i < len(text) {
		inside := isPoint(rune(text[i])) || text[i] == '\''
		if !digit(text[i]) && (!inside || i+1 == len(text) || !digit(text[i+1])) {
			break
		}
		i++
	}
	return i
}

// unitEnd returns the end of what clings to a number that ends at i.
func unitEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && r != '%' && r != '°' || single(r) {
			break
		}
		i += n
	}
	return i
}

// plainUnit returns what clings to a number, "" for the ending of an ordinal or
// a plural.
func plainUnit(unit string) string {
	switch unit {
	case "st", "nd", "rd", "th", "s", "er", "re", "ème", "e", "º", "ª", "й", "я", "го":
		return ""
	}
	return unit
}

// readings returns the ways to read digits with points in them: as decimals and
// as thousands. 1.91 is only 1.91, 62,000 is 62000 or 62.000, 1.2.3 is itself.
func readings(digits string) []string {
	var list []string
	parts := strings.FieldsFunc(digits, func(r rune) bool { return r == '.' || r == ',' || r == '\'' })
	switch {
	case len(parts) == 1 && len(digits) == 2 && digits[0] == '0':
		return []string{digits, digits[1:]}
	case len(parts) == 1:
		return []string{digits}
	case len(parts) == 2:
		list = append(list, parts[0]+"."+parts[1])
	default:
		list = append(list, digits)
	}
	if len(parts[0]) <= 3 && allThrees(parts[1:]) {
		list = append(list, strings.Join(parts, ""))
	} else if n := len(parts) - 1; n > 1 && len(parts[0]) <= 3 && allThrees(parts[1:n]) {
		list = append(list, strings.Join(parts[:n], "")+"."+parts[n]) // 1.234.567,89
	}
	return list
}

func allThrees(parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return len(p) != 3 })
}

// groupedFigure reads a number whose thousands are parted by blanks, "62 000",
// of which f is the first group.
func groupedFigure(text string, f figure) (figure, bool) {
	first := strings.TrimPrefix(text[f.start:f.end], "-")
	if len(first) == 0 || len(first) > 3 || strings.ContainsFunc(first, func(r rune) bool { return !unicode.IsDigit(r) }) {
		return figure{}, false
	}
	value, end := f.values[0], f.end
	for groups := 0; groups < maxGroups && end+4 <= len(text) && text[end] == ' ' && allDigits(text[end+1:end+4]) && (end+4 == len(text) || !digit(text[end+4])); groups++ {
		value += text[end+1 : end+4]
		end += 4
	}
	return figure{span: span{start: f.start, end: end}, values: []string{value}}, end > f.end
}

const maxGroups = 6 // of three digits: more make no number that people write

func allDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// negative reports whether what stands before a number makes it less than
// nothing: a dash that joins no words, or the word "minus".
func negative(before string) bool {
	if rest, ok := strings.CutSuffix(before, "-"); ok {
		r, n := utf8.DecodeLastRuneInString(rest)
		return n == 0 || unicode.IsSpace(r) || strings.ContainsRune("([{\"'=<>:~$€£", r)
	}
	before = strings.TrimRight(before, " ")
	for _, word := range minusWords {
		if rest, ok := strings.CutSuffix(before, word); ok {
			r, n := utf8.DecodeLastRuneInString(rest)
			return n == 0 || !isWordRune(r) || single(r)
		}
	}
	return false
}

var minusWords = []string{"minus", "минус", "零下", "マイナス", "氷点下", "마이너스", "영하"}

// spelledFigures returns the numbers that a folded text writes in words.
func spelledFigures(text string) []figure {
	var list []figure
	v := &idiom().numerals
	for at := 0; at < len(text); {
		end := letterEnd(text, at)
		if end == at {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
			continue
		}
		if first := wordsOf(text[at:end]); len(first) > 0 && v.first[first[0]] {
			window := wordsOf(text[at:runeFloor(text, at+spelledWindow)])
			for _, value := range v.read(window) {
				list = append(list, figure{span: span{start: at, end: end}, values: []string{strconv.Itoa(value)}})
			}
		}
		if value, size := hanNumber(text[at:]); size > 0 {
			end = at + size
			list = append(list, figure{span: span{start: at, end: end}, values: []string{strconv.Itoa(value)}})
		}
		at = end
	}
	return list
}

const spelledWindow = 40 // bytes in which the words of a number stand

// read returns the values that words begin with: "thirty-four" is 30 and 34.
func (w *wordValues) read(words []string) []int {
	value, n, ok := w.at(words)
	if !ok {
		return nil
	}
	if one, _, ok := w.at(words[n:]); ok && value >= 20 && value < 100 && one > 0 && one < 10 {
		return []int{value, value + one}
	}
	return []int{value}
}

// letterEnd returns the end of the letters at i; a character that is a word by
// itself is one.
func letterEnd(text string, i int) int {
	for at := i; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return at
		}
		if single(r) {
			if at == i {
				at += n
			}
			return at
		}
		at += n
	}
	return len(text)
}

// hanNumber reads a number of several Chinese numerals that s begins with:
// 三十四 is 34.
func hanNumber(s string) (value, size int) {
	total, current, count := 0, 0, 0
	for i, r := range s {
		d := strings.IndexRune(hanDigits, r)
		switch {
		case d >= 0:
			current = d / len("一")
		case r == '十':
			total, current = total+10*max(1, current), 0
		case r == '百':
			total, current = total+100*max(1, current), 0
		case r == '千':
			total, current = total+1000*max(1, current), 0
		default:
			return total + current, hanSize(i, count)
		}
		count++
		if count > 8 {
			return 0, 0
		}
	}
	return total + current, hanSize(len(s), count)
}

func hanSize(size, count int) int {
	if count < 2 {
		return 0
	}
	return size
}

const hanDigits = "零一二三四五六七八九"
