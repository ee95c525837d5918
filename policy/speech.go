package policy

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// IsHealth reports whether a text speaks of health, diet, disability or safety
// in a language of the table. What counts is a word of the list, whatever the
// sense: "blind date" and "healthy snacks" count, "Dietrich", "deafening" and
// "Blindow" do not. Such a note is never moved out of MEMORY.md to make room.
func IsHealth(text string) bool {
	v := vocabulary()
	return v.health.in(tokens(text)) || v.eastHealth.in(text)
}

// IsRule reports whether a text opens with what a rule of the person opens with
// ("always", "never", "don't", "from now on", "every time", "whenever"), or one
// of its sentences does. "He always liked tea" is no rule.
func IsRule(text string) bool {
	v := vocabulary()
	for _, sentence := range sentences(text) {
		if v.rules.opens(tokens(sentence)) || v.eastRules.opens(sentence) {
			return true
		}
	}
	return false
}

// IsQuestion reports whether a text ends as a question or opens as one.
func IsQuestion(text string) bool {
	text = strings.TrimRightFunc(strings.TrimSpace(text), func(r rune) bool { return strings.ContainsRune("\"'”’)」*_ ", r) })
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "؟") {
		return true
	}
	v := vocabulary()
	return v.eastAsks.closes(text) || !strings.HasSuffix(text, ".") && v.questions.opens(tokens(text))
}

// AsksToRemember reports whether a text, or one of its sentences, opens with a
// request to keep something in mind. "I remember" and "do you remember" do not.
func AsksToRemember(text string) bool {
	v := vocabulary()
	for _, sentence := range sentences(text) {
		asked := strings.ContainsAny(sentence, "?？")
		if !asked && (v.remember.opens(tokens(sentence)) || v.eastRemember.opens(sentence) || v.eastRemember.closes(sentence)) {
			return true
		}
	}
	return false
}

// StopWord reports whether a word carries no subject in a language of the table.
func StopWord(word string) bool {
	list := tokens(word)
	for _, t := range list {
		if !vocabulary().stop[t] {
			return false
		}
	}
	return len(list) > 0
}

// words holds the tables of all languages, ready to be looked up.
type words struct {
	health, rules, questions, remember forms
	eastHealth, eastRules, eastAsks    substrings
	eastRemember                       substrings
	stop, verbs, joins                 map[string]bool
}

// vocabulary builds the tables at the first question that needs them.
var vocabulary = sync.OnceValue(func() *words {
	v := &words{stop: map[string]bool{}, verbs: map[string]bool{}, joins: map[string]bool{}}
	for _, l := range languages() {
		east := l.code == "zh" || l.code == "ja" || l.code == "ko"
		if east {
			v.eastHealth.add(l.health)
			v.eastRules.add(l.rules)
			v.eastAsks.add(l.questions)
			v.eastRemember.add(l.remember)
		} else {
			v.health.add(l.health)
			v.rules.add(l.rules)
			v.questions.add(l.questions)
			v.remember.add(l.remember)
		}
		for word := range strings.FieldsSeq(l.stop) {
			for _, t := range tokens(word) {
				v.stop[t] = v.stop[t] || len(tokens(word)) == 1 || !east
			}
		}
		addEach(v.verbs, l.verbs)
		addEach(v.joins, l.joins)
	}
	return v
})

func addEach(set map[string]bool, list string) {
	for word := range strings.SplitSeq(list, "|") {
		if word != "" {
			set[foldText(word)] = true
		}
	}
}

// forms are words and runs of words, found by their first word.
type forms struct {
	runs   map[string][][]string
	prefix map[string]bool // words that are the beginning of others
}

func (f *forms) add(list string) {
	if f.runs == nil {
		f.runs, f.prefix = map[string][][]string{}, map[string]bool{}
	}
	for form := range strings.SplitSeq(list, "|") {
		if stem, ok := strings.CutSuffix(form, "*"); ok {
			f.prefix[foldText(stem)] = true
			continue
		}
		if run := tokens(form); len(run) > 0 {
			f.runs[run[0]] = append(f.runs[run[0]], run)
		}
	}
}

// in reports whether a form stands anywhere among the words.
func (f *forms) in(list []string) bool {
	for i := range list {
		if f.at(list[i:]) {
			return true
		}
	}
	return false
}

// opens reports whether the words begin with a form, behind words of courtesy.
func (f *forms) opens(list []string) bool {
	for len(list) > 0 && courtesies[list[0]] {
		list = list[1:]
	}
	return len(list) > 0 && f.at(list)
}

func (f *forms) at(list []string) bool {
	word := list[0]
	for _, run := range f.runs[word] {
		if len(run) <= len(list) && holdsRun(list[:len(run)], run) {
			return true
		}
	}
	for i := range word { // only where a character begins
		if i >= minStem && f.prefix[word[:i]] {
			return true
		}
	}
	return f.prefix[word]
}

const minStem = 3 // bytes of the shortest prefix

// courtesies may stand before a rule or a request.
var courtesies = wordSet("please pls kindly ok okay so and hey hi also well bitte por favor per favore s il te plaît alstublieft пожалуйста rule important")

// substrings are forms of languages that put no blanks between words.
type substrings struct{ forms []string }

func (s *substrings) add(list string) {
	for form := range strings.SplitSeq(list, "|") {
		if form = foldText(strings.Trim(form, "〜~")); form != "" {
			s.forms = append(s.forms, form)
		}
	}
}

func (s *substrings) in(text string) bool {
	if !eastern(text) {
		return false
	}
	text = foldText(text)
	for _, form := range s.forms {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// opens reports whether a sentence begins with a form, behind "please".
func (s *substrings) opens(sentence string) bool {
	if !eastern(sentence) {
		return false
	}
	sentence = strings.TrimLeft(foldText(sentence), " \t-*、，,「\"请請")
	return slices.ContainsFunc(s.forms, func(form string) bool { return strings.HasPrefix(sentence, form) })
}

// closes reports whether a sentence ends with a form: in Japanese and Korean
// the verb comes last.
func (s *substrings) closes(sentence string) bool {
	if !eastern(sentence) {
		return false
	}
	sentence = strings.TrimRight(foldText(sentence), " \t。.!、，,」\"~")
	return slices.ContainsFunc(s.forms, func(form string) bool { return strings.HasSuffix(sentence, form) })
}

// eastern reports whether text holds a character of Chinese, Japanese or Korean.
func eastern(text string) bool {
	for _, r := range text {
		if r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			return true
		}
	}
	return false
}

// sentences parts a text at the marks that end one, and at line ends.
func sentences(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!;:\n。！；：", r) })
}
