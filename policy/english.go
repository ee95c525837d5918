package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// English reports whether a fact is written in English, as the switch of that name asks.
// Spans in quotes and code, addresses and words that are written as names count for
// nothing, so a title or a place may be in any language. Another language is told by its
// script, or by its verbs and function words as the table of languages has them; a text
// that nothing speaks against is English, and so is one where as much speaks for it.
func English(text string) bool {
	text = withoutQuotes(text)
	if foreignText(text) {
		return false
	}
	pieces := clauseStops.Split(text, -1)
	return len(pieces) == 1 || !slices.ContainsFunc(pieces, foreignText)
}

var (
	clauseStops = regexp.MustCompile(`[.;!?]\s+|[。；！？\n]`)
	quotedSpan  = regexp.MustCompile("\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|《[^》\n]*》|‘[^’\n]*’|`[^`\n]*`")
	singleSpan  = regexp.MustCompile(`(^|[\s(:,])'[^'\n]*'($|[\s).,;:!?])`)
	webSpan     = regexp.MustCompile(`\S+://\S+|\S+@\S+|\bwww\.\S+`)
)

// withoutQuotes is a text without what it quotes: titles, code and addresses are not its
// own words. An apostrophe inside a word quotes nothing.
func withoutQuotes(text string) string {
	text = quotedSpan.ReplaceAllString(strings.ToValidUTF8(text, " "), " ")
	return webSpan.ReplaceAllString(singleSpan.ReplaceAllString(text, "$1 $2"), " ")
}

func foreignText(text string) bool { return foreignScript(text) || foreignWords(text) }

// foreignScript reports whether a text is written in another script than the Latin one. A
// few such words in an English statement are a name.
func foreignScript(text string) bool {
	latin, other, grammar := 0, 0, 0
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.In(r, unicode.Hiragana, unicode.Hangul):
			other, grammar = other+1, grammar+1
		case unicode.Is(unicode.Han, r):
			other += hanLetters
		default:
			other++
		}
	}
	switch {
	case other == 0:
		return false
	case latin == 0:
		return true
	case englishWords(text):
		return false
	}
	return grammar > 0 || other > latin
}

const hanLetters = 3 // Latin letters that one Chinese character weighs

// englishWords reports whether a text has a word by which an English statement is told.
func englishWords(text string) bool {
	for _, w := range tokens(text) {
		if tongueTells().english[w] || len(w) > len("sing") && (strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing")) {
			return true
		}
	}
	return false
}

// tellTable is what languages are told by.
type tellTable struct {
	english map[string]bool
	foreign []foreignTells
}

// foreignTells is what one language is told by. Verbs, function and weak words are apart:
// weak ones are English words as well.
type foreignTells struct {
	verbs, function, weak, weakVerbs, tells map[string]bool
	nouns                                   bool // its nouns have capitals
}

var tongueTells = sync.OnceValue(func() *tellTable {
	t := &tellTable{english: wordSet(englishBeside)}
	for _, l := range languages() {
		if l.code == "en" {
			for _, list := range []string{l.verbs, l.finite, l.joins, l.openers, l.talk.kin, l.talk.others, l.talk.mine, strings.ReplaceAll(l.stop, " ", "|")} {
				for form := range strings.SplitSeq(list, "|") {
					for _, w := range tokens(form) {
						t.english[w] = true
					}
				}
			}
			continue
		}
		if _, ok := tongueOf(l.code); ok && l.code != "ru" {
			t.foreign = append(t.foreign, t.newForeign(l))
		}
	}
	return t
})

// newForeign enters a language, English having been read before.
func (t *tellTable) newForeign(l language) foreignTells {
	look := wordSet(englishLookAlikes)
	f := foreignTells{verbs: map[string]bool{}, function: map[string]bool{}, weak: map[string]bool{}, weakVerbs: map[string]bool{}, tells: map[string]bool{}, nouns: l.code == "de"}
	addTells(f.tells, l.tells)
	addTells(f.verbs, l.verbs+"|"+l.finite)
	addTells(f.function, strings.ReplaceAll(l.stop, " ", "|")+"|"+l.joins)
	for w := range f.verbs {
		delete(f.function, w)
		if t.english[w] || look[w] {
			delete(f.verbs, w)
			f.weakVerbs[w], f.weak[w] = true, true
		}
	}
	for w := range f.function {
		if t.english[w] || look[w] {
			delete(f.function, w)
			f.weak[w] = true
		}
	}
	return f
}

// addTells enters a list of single words, without accents too where that leaves a word.
func addTells(set map[string]bool, list string) {
	for form := range strings.SplitSeq(list, "|") {
		for _, w := range tokens(form) {
			set[w] = true
			if plain := unaccented(w); len(plain) > 1 {
				set[plain] = true
			}
		}
	}
}

// englishBeside are words of English statements that stand in no other list.
const englishBeside = `name song book film movie title album band poem novel address phone email job birthday dog cat pet city country street hometown colour color food drink game sport music
 fan lover owner member old years year days new first last best big small good great very real full half both few several other others own same such between under during against until while
 friends team company office school university project works working living learning reading training playing`

// englishLookAlikes are English words, and parts of names, that other languages have as
// words of their own.
const englishLookAlikes = `die war hat rock main chat pain sang son sin con pour sur plus lit sale bad fast gut rate mine come use usa ama lee van den der wild wit dank toast men ze per dos tres sol fin tu so
 al mal dire fur art kind stern rand hell brief gift wand tag arm bald wo also am an as at on or no us room slim boom toe map weer even over tot door want hoop pin bent ben been ship
 deed were leg led bin dem des noch mit sans sous ne ni si se te la le lo el il las de del di da du en et ad ha ho hi par io ma mi me mes tes ses ton car est vie dit doit fait vis va
 vas suis hay ya pero para dar ser ver sea lean em um uma os na nos ao com mas que quiet beve corre cantor note more dove cosa sera cara mare pace pure sole solo tale tra ora ik je u
 we op om als dan dat had hem hun kan met naar nu of uit was wat lust run mode angel tier herd held horn court conduit cuisine adore fa ja mange marie mia mir mon nee o pas pu sa sein sie spiel ta ti toi uber von vous voyage era ella elle nato nata
 moro utilise ai ce d l e vivo juega practica sue ese esta legge noi cerca porte mach regarde sort dort practice do`

// foreignWords reports whether the Latin words of a text speak for another language, and
// more of them than speak for English.
func foreignWords(text string) bool {
	words := unnamedWords(text)
	if len(words) == 0 {
		return false
	}
	t := tongueTells()
	for i := range t.foreign {
		if t.foreign[i].told(words, t.english) {
			return true
		}
	}
	return false
}

// unnamedWords returns the words of a text that are not written as names: its first one, and
// those without a capital. In a text of capitals alone all count.
func unnamedWords(text string) []string {
	shouted := strings.ToUpper(text) == text
	var list []string
	first := true
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !inWord(r) && !unicode.IsMark(r) }) {
		capital := strings.IndexFunc(w, unicode.IsUpper) >= 0
		switch {
		case first || shouted || !capital:
			list = append(list, foldText(w))
		default:
			list = append(list, "") // a name: it keeps its place
		}
		first = false
	}
	return list
}

// spokenFor counts what speaks for a language, and own what speaks for English.
type spokenFor struct {
	verbs, function, tells, weak, weakVerbs, own int
}

func (f *foreignTells) count(words []string, english map[string]bool) (n spokenFor) {
	for _, w := range words {
		switch {
		case w == "": // a name
		case f.tells[w]:
			n.tells++
		case f.verbs[w]:
			n.verbs++
		case f.function[w]:
			n.function++
		case f.weakVerbs[w]:
			n.weak, n.weakVerbs = n.weak+1, n.weakVerbs+1
		case f.weak[w]:
			n.weak++
		case english[w]:
			n.own++
		}
	}
	return n
}

// told reports whether the words are of the language. A name among them is "".
func (f *foreignTells) told(words []string, english map[string]bool) bool {
	n := f.count(words, english)
	if english[words[0]] && !f.weak[words[0]] {
		n.own *= 3 // it opens as an English statement: the rest may be a title
	}
	switch {
	case n.own >= n.tells+n.verbs+n.function:
		return false
	case n.tells > 0, n.verbs > 1, n.verbs > 0 && n.function > 0:
		return true
	}
	return n.own == 0 && (n.alone() || f.opensOnVerb(words))
}

// alone reports whether little speaks for a language where nothing speaks for English.
func (n spokenFor) alone() bool {
	return n.verbs > 0 && n.weak > 0 || n.weakVerbs > 0 && n.function > 0 || n.function > 1
}

// opensOnVerb reports whether a text begins with a verb of the language and goes on with a
// word of it; where nouns have capitals, with what looks like a name as well.
func (f *foreignTells) opensOnVerb(words []string) bool {
	if len(words) < 2 || !f.verbs[words[0]] {
		return false
	}
	if words[1] == "" {
		return f.nouns
	}
	return !unicode.IsDigit(rune(words[1][0]))
}
