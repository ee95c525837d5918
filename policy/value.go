package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// value judges what follows a label: a credential, or prose about one.
type value struct {
	tier  tier
	sign  bool // it follows : or =, not a word such as "is"
	tight bool // it follows = at once, as in code and connection strings
	short bool // any length counts
}

// read returns the span of the credential that tail begins with, if any.
func (v value) read(tail string) []span {
	if rest, ok := strings.CutPrefix(tail, marker); ok {
		return shift(v.read(rest), len(marker)) // real markers were cut off: this one hides something
	}
	if opening, closing := quotes(tail); opening != "" {
		return v.quoted(tail, opening, closing)
	}
	if first, _ := utf8.DecodeRuneInString(tail); unspaced(first) {
		return nil
	}
	word := bareWord(tail, v.tight)
	switch {
	case noValue(word) || isCode(tail):
		return nil
	case v.tier == tierAnswer:
		return v.answer(tail, word)
	case plainWord(word):
		return v.words(tail, word)
	case v.enough(word):
		return []span{{end: len(word)}}
	}
	return nil
}

// enough reports whether a word that is no prose is long and odd enough for the
// tier of its label.
func (v value) enough(word string) bool {
	n := utf8.RuneCountInString(word)
	switch v.tier {
	case tierPassword:
		return n >= 4
	case tierKey:
		return v.short && v.sign && n >= 4 || n >= 8 && (v.sign || looksPassword(word))
	}
	return v.tier == tierPass && n >= 6 && looksPassword(word)
}

// noValue reports whether a word is no credential whatever it follows: a stop
// word, a placeholder, a day, or the scheme before a credential, which has a
// pattern of its own.
func noValue(word string) bool {
	if word == "" || isStop(word) || placeholder(word) || dateRE.MatchString(word) {
		return true
	}
	low := strings.ToLower(word)
	return low == "bearer" || low == "basic" || strings.HasPrefix(low, "1password") ||
		strings.HasPrefix(low, "http://") || strings.HasPrefix(low, "https://")
}

// isCode reports whether s begins with code that fetches a value.
func isCode(s string) bool {
	return strings.ContainsAny(s, ".[(") && (codeRoot.MatchString(s) || callRE.MatchString(s))
}

// quotes returns the quotation mark that s begins with and the one that ends it.
func quotes(s string) (opening, closing string) {
	for _, pair := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {`\"`, `\"`}, {"«", "»"}, {"„", `"`}, {"「", "」"}} {
		if strings.HasPrefix(s, pair[0]) {
			return pair[0], pair[1]
		}
	}
	return "", ""
}

// quoted returns what stands between the quotes that tail begins with.
func (v value) quoted(tail, opening, end string) []span {
	open := len(opening)
	closing := strings.Index(tail[open:], end)
	if closing < 0 {
		return shift(v.read(tail[open:]), open)
	}
	word := tail[open : open+closing]
	least := 4
	if v.tier == tierKey && !v.short {
		least = 8
	}
	if utf8.RuneCountInString(strings.TrimSpace(word)) < least || placeholder(word) || strings.Contains(word, "://") {
		return nil
	}
	if v.tier == tierKey && strings.Contains(strings.TrimSpace(word), " ") || isStop(word) || v.tier == tierPass && !looksPassword(word) {
		return nil
	}
	return []span{{start: open, end: open + closing}}
}

// words judges a value that is a plain word. Behind a sign a word that stands
// alone is a password; four words or more in a row, none of which builds a
// sentence, are a passphrase anywhere.
func (v value) words(tail, word string) []span {
	n := utf8.RuneCountInString(word)
	if v.tier == tierPass || n > maxWordRunes || strings.ContainsFunc(word, unspaced) {
		return nil
	}
	if v.tier == tierPassword {
		phrase := wordsRE.FindString(strings.ToLower(tail))
		if phrase != "" && len(phrase) <= len(tail) && !hasStop(phrase) {
			return []span{{end: len(strings.TrimRight(phrase, " \t,"))}}
		}
	}
	least := 4
	if v.tier == tierKey && !v.short {
		least = 8
	}
	named := v.tier == tierPassword && strings.ToLower(word) != word // "the password is Fidelio"
	if n >= least && (v.sign || named) && standsAlone(tail[len(word):]) {
		return []span{{end: len(word)}}
	}
	return nil
}

// maxWordRunes is the longest word of letters alone that is taken for a password.
const maxWordRunes = 64

// unspaced reports whether r is of a script that puts no blanks between words:
// a run of it is a sentence.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// answer takes the whole short answer to a security question.
func (v value) answer(tail, word string) []span {
	if isStop(word) {
		return nil
	}
	end := strings.IndexAny(tail, ".,;|(")
	if end < 0 {
		end = len(tail)
	}
	text := strings.TrimRight(tail[:end], " \t*`\"'")
	if n := len(strings.Fields(text)); n == 0 || n > 4 || hasStop(text) {
		text = word
	}
	return []span{{end: len(text)}}
}

// bareWord returns the unquoted value that s begins with, without the marks
// that close the sentence, bracket or quote around it.
func bareWord(s string, tight bool) string {
	stops := " \t|<\"`"
	if tight {
		stops += "&;"
	}
	word := s
	if i := strings.IndexAny(s, stops); i >= 0 {
		word = s[:i]
	}
	for {
		short := strings.TrimRight(word, ".,;:'*)]}>")
		short = strings.TrimSuffix(strings.TrimSuffix(short, `\n`), `\`)
		short = strings.TrimSuffix(short, "…")
		if short == word {
			return word
		}
		word = short
	}
}

// plainWord reports whether s is a word of prose: letters, joined at most once
// by a dash or an apostrophe, with no capital inside.
func plainWord(s string) bool {
	joints := 0
	for i, r := range s {
		switch {
		case r == '-' || r == '\'' || r == '/':
			joints++
		case r == '?' && i == len(s)-1:
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			return false
		case i > 0 && unicode.IsUpper(r) && strings.ToUpper(s) != s && s[i-1] != '-' && s[i-1] != '\'':
			return false
		}
	}
	return joints <= 1
}

// looksPassword reports whether a bare word can hardly be prose: it has a digit
// and letters, or a sign that words do not have.
func looksPassword(s string) bool {
	if isStop(s) || countedThing(s) || strings.HasPrefix(strings.ToLower(s), "1password") {
		return false
	}
	digit := strings.ContainsAny(s, "0123456789")
	letter := strings.ContainsFunc(s, unicode.IsLetter)
	sign := strings.ContainsAny(strings.TrimRight(s, "!?"), "!@#$%^&*+=~")
	return letter && (digit || sign)
}

// mixedCase reports whether s has capitals, small letters and digits.
func mixedCase(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ToLower(s) != s && strings.ToUpper(s) != s
}

// countedThing reports whether s counts something: 8-digit, 12-character.
func countedThing(s string) bool {
	count, unit, ok := strings.Cut(s, "-")
	return ok && strings.Trim(count, "0123456789") == "" && count != "" && strings.ToLower(unit) == unit && strings.ContainsFunc(unit, unicode.IsLetter) && plainWord(unit)
}

// placeholder reports whether s stands for a value that is not there: <token>,
// ${TOKEN}, {{ token }}, %TOKEN%, YOUR_TOKEN, ****, xxxx.
func placeholder(s string) bool {
	if s == "" || strings.ContainsAny(s[:1], "<({[") || strings.HasPrefix(s, "${") || strings.HasPrefix(s, "$(") {
		return true
	}
	low := strings.ToLower(s)
	if strings.HasPrefix(low, "your") && len(low) > 5 && strings.Trim(low, "abcdefghijklmnopqrstuvwxyz_-") == "" {
		return true
	}
	if (s[0] == '$' || s[0] == '%') && len(s) > 1 && strings.Trim(s[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_%") == "" {
		return true
	}
	return strings.Trim(low, "*") == "" || strings.Trim(low, "x") == "" || strings.Trim(low, ".…_-") == ""
}

// standsAlone reports whether nothing that goes on as prose follows a word.
func standsAlone(after string) bool {
	after = strings.TrimLeft(after, "\"'`*_)]}>!?")
	trimmed := strings.TrimLeft(after, " \t")
	if trimmed == "" || trimmed[0] == '|' || trimmed[0] == '<' || trimmed[0] == '(' || trimmed[0] == '#' {
		return true
	}
	if strings.ContainsRune(",;.&", rune(trimmed[0])) && len(trimmed) == len(after) {
		return true
	}
	return strings.HasPrefix(trimmed, "· ") || strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "/ ")
}

// codeValue reads a code of digits, or of digits and letters.
func codeValue(tail string, sign bool) []span {
	open := len(tail) - len(strings.TrimLeft(tail, "\"'`*"))
	m := codeRE.FindStringSubmatchIndex(tail[open:])
	if m == nil {
		return nil
	}
	word := tail[open+m[2] : open+m[3]]
	after := tail[open+m[3]:]
	digits := countDigits(word)
	full := word + bareWord(after, false)
	switch {
	case dateRE.MatchString(full) || countedThing(full) || strings.HasPrefix(after, "%"):
		return nil
	case digits >= 3 && digits <= 10, sign && digits == 2 && len(word) >= 5:
		return []span{{start: open + m[2], end: open + m[2] + len(strings.TrimRight(full, " -"))}}
	}
	return nil
}

func phraseValue(tail string) []span {
	open := len(tail) - len(strings.TrimLeft(tail, "\"'`*"))
	m := wordsRE.FindStringSubmatchIndex(tail[open:])
	if m == nil {
		return nil
	}
	words := tail[open+m[2] : open+m[3]]
	if countWords(words) < 12 && hasStop(words) {
		return nil
	}
	return []span{{start: open + m[2], end: open + m[3]}}
}

func loginValue(rest string) []span {
	m := loginRE.FindStringSubmatchIndex(rest)
	if m == nil {
		return nil
	}
	word := bareWord(rest[m[2]:m[3]], false)
	if !looksPassword(word) || dateRE.MatchString(word) || placeholder(word) || strings.Contains(word, "://") || utf8.RuneCountInString(word) < 6 {
		return nil
	}
	return []span{{start: m[2], end: m[2] + len(word)}}
}

// idValue reads the number that names a person, a document or an account.
func idValue(rest string) []span {
	m := idRE.FindStringSubmatchIndex(rest)
	if m == nil {
		return nil
	}
	word := strings.TrimRight(rest[m[2]:m[3]], " .-/")
	if m[2] == 0 || countDigits(word) < 4 || len(word) < 6 || dateRE.MatchString(word) || dateRE.MatchString(strings.Fields(word)[0]) {
		return nil
	}
	return []span{{start: m[2], end: m[2] + len(word)}}
}

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			n++
		}
	}
	return n
}
