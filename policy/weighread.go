package policy

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// factText is a fact as Weigh reads it.
type factText struct {
	id        string // it as it compares letter by letter, whatever its case
	plain     bool   // it is written in the Latin script: its words can be compared
	denies    bool
	parts     []plainFact
	attribute attribute
}

// plainFact is one fact of a statement, parted where its verb stands.
type plainFact struct {
	words   []factWord // without a leading word for the person
	subject []string   // sorted; none when it is the person
	verb    string
	content []string // what it says of the subject, in order, each once
	a       bool     // behind the verb stands "a": one of several
}

// factWord is a word of a fact.
type factWord struct {
	text  string
	class valueClass
}

// matters reports whether a word carries something of its fact: "may" does when it is a
// month.
func (w factWord) matters() bool { return w.class != noClass || !factStops[w.text] }

// valueClass is the kind of a word that stands for a value.
type valueClass uint8

const (
	noClass valueClass = iota
	ofNumber
	ofMonth
	ofWeekday
	ofName
)

func weighedFact(fact string) factText {
	fact = flatten(fact)
	s := factText{id: foldText(idOf(fact)), plain: latinOnly(fact), denies: idiom().negations.in(wordsOf(fact))}
	for i, part := range factsIn(fact) {
		s.parts = append(s.parts, plainFactOf(part, i == 0))
	}
	s.attribute = attributeIn(s.parts)
	return s
}

func latinOnly(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
}

// plainFactOf reads one fact; opens says that its first word has a capital because it is the
// first.
func plainFactOf(text string, opens bool) plainFact {
	r := plainFact{words: factWords(text, opens)}
	for len(r.words) > 1 && selfReference[r.words[0].text] {
		r.words = r.words[1:]
	}
	at, end := r.verbAt()
	if end > 0 {
		r.verb = r.words[end-1].text
		r.a = end < len(r.words) && (r.words[end].text == "a" || r.words[end].text == "an")
	}
	for _, w := range r.words[:at] {
		if w.matters() {
			r.subject = append(r.subject, w.text)
		}
	}
	slices.Sort(r.subject)
	r.subject = slices.Compact(r.subject)
	for _, w := range r.words[end:] {
		if w.matters() && !slices.Contains(r.content, w.text) {
			r.content = append(r.content, w.text)
		}
	}
	return r
}

// verbAt returns where the verb of a fact begins and ends; without one it begins and ends
// before all: such a fact opens on what it says.
func (r *plainFact) verbAt() (start, end int) {
	gerund := func(i int) bool {
		return i < len(r.words) && len(r.words[i].text) > len("being") && strings.HasSuffix(r.words[i].text, "ing")
	}
	at := 0
	if !gerund(0) {
		at = slices.IndexFunc(r.words, func(w factWord) bool { return factVerbs()[w.text] })
	}
	if at < 0 {
		return 0, 0
	}
	end = at + 1
	if gerund(end) && verbGroups[r.words[at].text] == "is" {
		end++
	}
	if r.words[end-1].text == "trying" && end+1 < len(r.words) && r.words[end].text == "to" {
		end += 2
	}
	return at, end
}

// factVerbs are the verbs by which subject and matter are told apart: the English ones, and
// those of other languages that are no English words.
var factVerbs = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	addEach(set, english().verbs)
	for _, f := range tongueTells().foreign {
		maps.Copy(set, f.verbs)
	}
	maps.Copy(set, wordSet("am owns adores resides es son"))
	for _, w := range []string{"never", "always", "can", "can't", "cannot", "will", "won't", "should", "must", "does", "doesn't"} {
		delete(set, w)
	}
	return set
})

// factWords returns the words of a fact, accents folded, the "s" of a possessor dropped.
func factWords(text string, opens bool) []factWord {
	var list []factWord
	for i, field := range strings.Fields(text) {
		field = possessor.Replace(field + " ")
		capital := strings.IndexFunc(field, unicode.IsUpper) >= 0
		for _, w := range tokens(field) {
			w = unaccented(w)
			if same := spellings[w]; same != "" {
				w = same
			}
			list = append(list, classed(w, capital, i == 0 && opens))
		}
	}
	return list
}

var possessor = strings.NewReplacer("'s ", " ", "’s ", " ", "' ", " ", "’ ", " ")

// classed gives a word its class; first says that a capital makes no name of it.
func classed(w string, capital, first bool) factWord {
	switch n := numberWords()[w]; {
	case n != "":
		return factWord{n, ofNumber}
	case strings.ContainsFunc(w, unicode.IsDigit):
		return factWord{w, ofNumber}
	case monthWords[w] && (capital || w != "may" && w != "march"):
		return factWord{w, ofMonth}
	case weekdayWords[w]:
		return factWord{w, ofWeekday}
	case capital && !first && !factStops[w]:
		return factWord{w, ofName}
	}
	return factWord{w, noClass}
}

// numberWords leads from an English word for a number to its figures.
var numberWords = sync.OnceValue(func() map[string]string {
	figures := map[string]string{}
	for i, place := range strings.Split(englishTalk().numerals, "|") {
		word, _, _ := strings.Cut(place, "/")
		figures[word] = strconv.Itoa(numeralValue(i))
	}
	for word := range strings.FieldsSeq("first second third fourth fifth sixth seventh eighth ninth tenth") {
		figures[word] = word
	}
	return figures
})

// attribute is a statement of a value that there is one of: "favorite X is V".
type attribute struct {
	key          string // "" for none
	scope, value []string
	names        map[string]bool // the words of it that are written as names
	shared       bool            // it is one of several facts of its statement
}

// attributeIn finds the attribute that a statement gives, in one of its facts.
func attributeIn(parts []plainFact) attribute {
	for i := range parts {
		if a := attributeOf(parts[i].words); a.key != "" {
			a.shared = len(parts) > 1
			return a
		}
	}
	return attribute{}
}

func attributeOf(words []factWord) attribute {
	at := slices.IndexFunc(words, func(w factWord) bool { return favorites[w.text] })
	if at < 0 {
		return attribute{}
	}
	from, to := at, at
	switch noun := func(i int) bool { return i >= 0 && i < len(words) && words[i].matters() }; {
	case noun(at + 1):
		to++
	case noun(at - 1):
		from--
	default:
		return attribute{}
	}
	head := words[from].text
	if from == at {
		head = words[to].text
	}
	copula := slices.IndexFunc(words[to+1:], func(w factWord) bool { return copulas[w.text] })
	if copula < 0 || strings.HasSuffix(head, "s") { // several of them are no one value
		return attribute{}
	}
	copula += to + 1
	a := attribute{key: head, names: map[string]bool{}}
	a.scope = a.enter(a.enter(nil, words[:from]), words[to+1:copula])
	a.value = a.enter(nil, words[copula+1:])
	if len(a.value) == 0 {
		return attribute{}
	}
	return a
}

// enter adds the words that carry meaning to a sorted set.
func (a *attribute) enter(set []string, words []factWord) []string {
	for _, w := range words {
		if w.matters() {
			set = append(set, w.text)
			a.names[w.text] = a.names[w.text] || w.class == ofName
		}
	}
	slices.Sort(set)
	return slices.Compact(set)
}

var (
	selfReference = wordSet("the user users person persons owner owners he she they his her their i my el la usuario usuaria su")
	favorites     = wordSet("favorite favorites preferred favorito favorita favoritos favoritas preferido preferida preferidos preferidas")
	copulas       = wordSet("is are es son")
	spellings     = map[string]string{"colour": "color", "colours": "colors", "favourite": "favorite", "favourites": "favorites", "grey": "gray"}
	monthWords    = wordSet("january february march april may june july august september october november december enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
	weekdayWords  = wordSet("monday tuesday wednesday thursday friday saturday sunday lunes martes miercoles jueves viernes sabado domingo")
	// factStops carry no matter of a fact. Words of direction and order do.
	factStops = wordSet(`the a an is are was were be been being am user users person i im my me of and or but has have had his her hers their its it for on in with at by as this that these those they them he she you your we our us
 do does did will would can could may might also just any some often currently into not very really el la los las un una unos unas de del con para por que su sus y o en se es son esta lo le`)
)
