package policy

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// idioms holds the talk of all languages, ready to be looked up.
type idioms struct {
	// Each is named as in talk.
	supposes, plays, delegates, tasks, texts, standing, asks, tags, whether, links, inverts, negations forms

	selves, mine, us, kin, others forms

	yearly, ends, days, states, moments, instants, sessions, lasting, justs, meals, passes forms

	overrides, controls, grants, money, unasked, reveals, secrets, hostile, orders forms

	answers, howto, harmful, hateful, peoples forms

	delicate            [topics]forms
	wishes              []wish
	lastTasks, lastText []string // what a task ends with
	breaks              []string
	months, numerals    wordValues
}

// The topics of which a person must have spoken themselves.
const (
	topicFaith = iota
	topicPolitics
	topicOrigin
	topicIllness
	topicLove
	topicUnion
	topicCrime
	topicPay
	topics
)

// idiom builds the tables at the first line that is read.
var idiom = sync.OnceValue(func() *idioms {
	v := &idioms{}
	for _, l := range languages() {
		v.add(l.talk, l.guard, l.code == "ja" || l.code == "ko")
	}
	return v
})

// add enters one language. verbLast says that a task ends with its verb.
func (v *idioms) add(t talk, g guard, verbLast bool) {
	for f, list := range map[*forms]string{
		&v.supposes: t.supposes, &v.plays: t.plays, &v.delegates: t.delegates, &v.standing: t.standing, &v.asks: t.asks, &v.tags: t.tags,
		&v.whether: t.whether, &v.links: t.links, &v.inverts: t.inverts, &v.negations: t.negations,
		&v.selves: t.selves, &v.mine: t.mine, &v.us: t.us, &v.kin: t.kin, &v.others: t.others,
		&v.yearly: t.yearly, &v.ends: t.ends, &v.days: t.days, &v.states: t.states, &v.moments: t.moments, &v.instants: t.instants,
		&v.sessions: t.sessions, &v.lasting: t.lasting, &v.justs: t.justs, &v.meals: t.meals, &v.passes: t.passes,
		&v.overrides: g.overrides, &v.controls: g.controls, &v.grants: g.grants, &v.money: g.money, &v.unasked: g.unasked,
		&v.reveals: g.reveals, &v.secrets: g.secrets, &v.hostile: g.hostile, &v.orders: g.orders, &v.answers: g.answers, &v.howto: g.howto, &v.harmful: g.harmful, &v.hateful: g.hateful, &v.peoples: g.peoples,
		&v.delicate[topicFaith]: g.faith, &v.delicate[topicPolitics]: g.politics, &v.delicate[topicOrigin]: g.origin,
		&v.delicate[topicIllness]: g.illness, &v.delicate[topicLove]: g.love, &v.delicate[topicUnion]: g.union,
		&v.delicate[topicCrime]: g.crime, &v.delicate[topicPay]: g.pay,
	} {
		f.add(list)
	}
	if verbLast {
		v.lastTasks = append(v.lastTasks, split(t.tasks)...)
		v.lastText = append(v.lastText, split(t.texts)...)
	} else {
		v.tasks.add(t.tasks)
		v.texts.add(t.texts)
	}
	v.breaks = append(v.breaks, split(t.breaks)...)
	v.months.add(t.months, monthValue)
	v.numerals.add(t.numerals, numeralValue)
	if t.wishes != "" {
		v.wishes = append(v.wishes, newWish(t.wishes))
	}
}

// split returns the forms of a list, folded.
func split(list string) []string {
	var out []string
	for form := range strings.SplitSeq(list, "|") {
		if form != "" {
			out = append(out, foldText(form))
		}
	}
	return out
}

// wish is a supposition that begins with one form and has another behind it:
// "wenn ich … wäre". A third makes it a wish that is meant: "hätte ich gern".
type wish struct{ opens, holds, means forms }

func newWish(list string) wish {
	part := strings.Split(list, "…")
	var w wish
	w.opens.add(part[0])
	w.holds.add(part[1])
	w.means.add(part[2])
	return w
}

// in reports whether a sentence, a clause of which opens it, holds the rest.
func (w *wish) in(sentence []string) bool { return w.holds.in(sentence) && !w.means.in(sentence) }

// wordValues are words that stand for numbers.
type wordValues struct {
	values map[string]int
	first  map[string]bool // the words that a form begins with
}

const maxValueWords = 4 // tokens of the longest form

// add enters a list by position; of gives the value of a position.
func (w *wordValues) add(list string, of func(int) int) {
	if w.values == nil {
		w.values, w.first = map[string]int{}, map[string]bool{}
	}
	i := 0
	for place := range strings.SplitSeq(list, "|") {
		for form := range strings.SplitSeq(place, "/") {
			if key := tokens(form); len(key) > 0 {
				w.values[strings.Join(key, " ")] = of(i)
				w.first[key[0]] = true
			}
		}
		i++
	}
}

func monthValue(i int) int { return i + 1 }

// numeralValue is 0 to 20 for the first places, then 30 up to 100, then 1000.
func numeralValue(i int) int {
	switch {
	case i <= 20:
		return i
	case i <= 28:
		return (i - 18) * 10
	}
	return 1000
}

// at returns the value of the longest form that list begins with, and how many
// words it has.
func (w *wordValues) at(list []string) (value, words int, ok bool) {
	for n := min(len(list), maxValueWords); n > 0; n-- {
		if value, ok := w.values[strings.Join(list[:n], " ")]; ok {
			return value, n, true
		}
	}
	return 0, 0, false
}

// span returns how many words the longest form has that list begins with, 0
// when there is none.
func (f *forms) span(list []string) int {
	if len(list) == 0 {
		return 0
	}
	best := 0
	for _, run := range f.runs[list[0]] {
		if len(run) > best && len(run) <= len(list) && holdsRun(list[:len(run)], run) {
			best = len(run)
		}
	}
	if best == 0 && f.at(list[:1]) {
		best = 1
	}
	return best
}

// first returns where the first form among the words begins and ends, -1 when
// there is none.
func (f *forms) first(list []string) (start, end int) {
	for i := range list {
		if n := f.span(list[i:]); n > 0 {
			return i, i + n
		}
	}
	return -1, -1
}

const maxWordBytes = 64 // of a word that are looked at: none of the table is so long

// wordsOf returns the words of a text, each cut at 64 bytes, so that one endless
// word costs no more than another.
func wordsOf(text string) []string {
	list := tokens(text)
	for i, w := range list {
		if len(w) > maxWordBytes {
			n := maxWordBytes
			for !utf8.RuneStart(w[n]) {
				n--
			}
			list[i] = w[:n]
		}
	}
	return list
}

// afterCourtesy returns the words behind the ones of courtesy.
func afterCourtesy(list []string) []string {
	for len(list) > 0 && (courtesies[list[0]] || leadIns[list[0]]) {
		list = list[1:]
	}
	return list
}

// leadIns may stand before a task as well: "now", "first", and in Chinese
// "please", "you", "trouble you to", "can", "quick".
var leadIns = wordSet("now then first next just also quickly maybe again ahora luego jetzt dann erst maintenant ensuite agora depois adesso poi nu dan теперь сейчас потом " +
	"请 請 你 您 麻 烦 煩 能 快 先 再 就")
