package policy

import (
	"slices"
	"strings"
)

// beside compares two statements of one value. Another scope is another value: the
// daughter's, the kitchen's. Only when a name makes the difference is it told, as the name
// may be the person's own.
func (a attribute) beside(old attribute, n, was *factText) relationTo {
	switch {
	case a.key == "" || a.key != old.key || a.shared || n.denies != was.denies || !n.plain || !was.plain:
		return asOther
	case !slices.Equal(a.scope, old.scope):
		if differByName(a, old) {
			return asContradicted
		}
		return asOther
	case slices.Equal(a.value, old.value):
		return asRestated
	case within(a.value, old.value): // the same with less said of it
		return asOther
	case old.shared || namesBeside(a, old):
		return asContradicted
	}
	return asCorrected
}

// differByName reports whether a name stands in the scope of one attribute only.
func differByName(a, b attribute) bool {
	alone := func(x, y attribute) bool {
		return slices.ContainsFunc(x.scope, func(w string) bool { return x.names[w] && !slices.Contains(y.scope, w) })
	}
	return alone(a, b) || alone(b, a)
}

// namesBeside reports whether an old value names somebody, beside other words, whom the new
// one does not. A value of names alone is a name itself.
func namesBeside(a, old attribute) bool {
	name, other := false, false
	for _, w := range old.value {
		if old.names[w] {
			name = name || !slices.Contains(a.value, w)
		} else {
			other = true
		}
	}
	return name && other
}

// within reports whether all words of one list stand in another.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}

// beside compares two facts of one polarity.
func (r *plainFact) beside(old *plainFact) relationTo {
	switch {
	case !slices.Equal(r.subject, old.subject) || groupOf(r.verb) != groupOf(old.verb):
		return asOther
	case r.holdsIn(old):
		return asRepeated
	case r.verb == old.verb && old.holdsIn(r) && !r.modifies(old):
		return asRefined
	}
	return r.swapped(old)
}

// holdsIn reports whether all that a fact says stands in another one, in its order where
// direction or order has a part in it.
func (r *plainFact) holdsIn(other *plainFact) bool {
	if !within(r.content, other.content) {
		return false
	}
	if r.verb == "" && len(r.content) > 0 && r.content[0] != other.content[0] {
		return false // it has no verb to tell its subject by
	}
	if !slices.ContainsFunc(other.content, func(w string) bool { return orderWords[w] }) {
		return true
	}
	at := 0
	for _, w := range other.content {
		if at < len(r.content) && r.content[at] == w {
			at++
		}
	}
	return at == len(r.content)
}

// modifies reports whether what an old fact ends with only describes another thing in the
// new one: "a doctor" in "a doctor's assistant", "tea" in "tea shops".
func (r *plainFact) modifies(old *plainFact) bool {
	if len(old.content) == 0 {
		return false
	}
	last := old.content[len(old.content)-1]
	at := slices.IndexFunc(r.words, func(w factWord) bool { return w.text == last })
	if at < 0 || at+1 >= len(r.words) {
		return false
	}
	next := r.words[at+1]
	if next.class != noClass || !next.matters() || orderWords[next.text] || qualifiers[next.text] {
		return false
	}
	return !strings.HasSuffix(next.text, "ed") && !strings.HasSuffix(next.text, "ly") && !strings.HasSuffix(next.text, "ing")
}

// swapped compares two facts that differ on both sides: one corrects the other when they
// are the same but for values of one class, and there can be but one such value.
func (r *plainFact) swapped(old *plainFact) relationTo {
	class, ok := r.swap(old)
	if !ok || eventVerb(r.verb) || r.verb != old.verb || !r.moves(class) && !r.close(old) {
		return asOther
	}
	switch group := groupOf(r.verb); {
	case r.holdsOne(class):
		return asCorrected
	case severalVerbs[group]: // another one may be meant
		return asContradicted
	}
	return asOther
}

// moves reports whether a fact says where the person lives, and nothing else.
func (r *plainFact) moves(class valueClass) bool {
	return singleVerbs[r.verb] && len(r.subject) == 0 && class == ofName && r.frame() == 0
}

// holdsOne reports whether there is but one value of a class in a fact: a number of things,
// what something is, where somebody lives or works. Who "has a dog" of a name may have two.
func (r *plainFact) holdsOne(class valueClass) bool {
	group := groupOf(r.verb)
	if class == ofNumber {
		return group != "has" || !r.a || !r.hasYear()
	}
	return group == "is" || group == "works" || singleVerbs[r.verb]
}

// swap returns the class of the values that stand in one fact and not in the other, when
// both have such of the same classes and are the same in all else, word by word.
func (r *plainFact) swap(old *plainFact) (class valueClass, ok bool) {
	if !slices.Equal(r.shape(), old.shape()) {
		return noClass, false
	}
	mine, theirs := r.only(old), old.only(r)
	for c := ofNumber; c <= ofName; c++ {
		if mine[c] != theirs[c] {
			return noClass, false
		}
		if mine[c] && class == noClass {
			class = c
		}
	}
	return class, class != noClass
}

// only returns the classes of which a fact has values that another one lacks.
func (r *plainFact) only(other *plainFact) (has [ofName + 1]bool) {
	for _, w := range r.words {
		if w.class != noClass && !slices.ContainsFunc(other.words, func(o factWord) bool { return o.text == w.text }) {
			has[w.class] = true
		}
	}
	return has
}

// shape is a fact with the class for each value, neighbours as one, and without articles.
func (r *plainFact) shape() []string {
	marks := [...]string{ofNumber: "#", ofMonth: "#month", ofWeekday: "#day", ofName: "#name"}
	var list []string
	for _, w := range r.words {
		text := w.text
		if w.class != noClass {
			text = marks[w.class]
		}
		if text == "a" || text == "an" || text == "the" || w.class != noClass && len(list) > 0 && list[len(list)-1] == text {
			continue
		}
		list = append(list, text)
	}
	return list
}

// frame counts the words of the matter that are no values.
func (r *plainFact) frame() int {
	n := 0
	for _, w := range r.words {
		if w.class == noClass && w.text != r.verb && w.matters() {
			n++
		}
	}
	return n
}

// close reports whether two facts share half of their words, numbers and single letters
// aside: born in May says too little to correct born in June by.
func (r *plainFact) close(old *plainFact) bool {
	a, b := r.keys(), old.keys()
	shared := sharedWords(a, b)
	all := len(a) + len(b) - shared
	return all == 0 || 2*shared >= all
}

func (r *plainFact) keys() []string {
	var list []string
	for _, w := range r.words {
		if w.class != ofNumber && len(w.text) > 1 && w.matters() && !orderWords[w.text] {
			list = append(list, w.text)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (r *plainFact) hasYear() bool {
	return slices.ContainsFunc(r.words, func(w factWord) bool {
		return len(w.text) == len("2000") && (strings.HasPrefix(w.text, "19") || strings.HasPrefix(w.text, "20"))
	})
}

func groupOf(verb string) string {
	if g := verbGroups[verb]; g != "" {
		return g
	}
	return verb
}

// eventVerb reports whether a verb tells what happened once: the next time is no correction.
func eventVerb(verb string) bool {
	return strings.HasSuffix(verb, "ed") || verb == "" || pastVerbs[verb]
}

var (
	verbGroups = groupsOf("like likes like loves love prefers prefer enjoys enjoy adores adore", "seek looking searching seeking hunting find finding seeks searches",
		"has has have owns own", "is is are am", "lives lives live resides reside", "works works work", "wants wants want", "uses uses use using")
	singleVerbs  = wordSet("lives vive")
	severalVerbs = wordSet("has drives")
	orderWords   = wordSet("from to than not never before after over under without instead against until since then")
	qualifiers   = wordSet("every each daily weekly now who which when while because most more too since whose per everyday again alone together twice once")
	pastVerbs    = wordSet("was were had went ran won met saw bought sold made wrote read grew took gave got left came became did built began spent lost found")
)

// groupsOf leads from the verbs of each list to its first word.
func groupsOf(lists ...string) map[string]string {
	all := map[string]string{}
	for _, list := range lists {
		words := strings.Fields(list)
		for _, w := range words[1:] {
			all[w] = words[0]
		}
	}
	return all
}
