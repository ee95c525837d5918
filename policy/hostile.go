package policy

// hostile refuses what would work against the person when it is read back: an
// order to set rules aside, to approve payments unasked, to tell secrets, to keep
// something from the person; and what does harm. The words for it alone are no
// offence: "never skip the safety checks" restricts the bot, "he ignored the
// safety rules" tells a story.
func (a *admission) hostile() error {
	for _, text := range append([]string{a.Text}, a.Quotes...) {
		if len(text) > maxQuoteRunes*4 {
			continue
		}
		folded := newLine(VoiceNobody, text).folded
		for _, s := range sentenceSpans(folded) {
			w := wordsOf(folded[s.start:s.end])
			switch {
			case manipulates(w):
				return unfit(RuleHostile, "it would turn the bot against the person")
			case harms(w):
				return unfit(RuleHarm, "it would keep what does harm")
			}
		}
	}
	return nil
}

const reach = 12 // words between a verb and what it acts on, in either order

// manipulates reports whether the words of a sentence tell the bot to work
// against its person.
func manipulates(w []string) bool {
	v := idiom()
	for i := range w {
		if n := v.hostile.span(w[i:]); n > 0 && (v.overrides.span(w[i:]) == 0 || !excused(w, i, i+1)) {
			return true
		}
	}
	return commands(w, &v.overrides, &v.controls) || commands(w, &v.reveals, &v.secrets) ||
		v.unasked.in(w) && commands(w, &v.grants, &v.money)
}

// commands reports whether a verb that nobody negated and nobody tells of
// themselves stands near one of its objects.
func commands(w []string, verbs, objects *forms) bool {
	for i := range w {
		n := verbs.span(w[i:])
		if n == 0 || excused(w, i, i+n) {
			continue
		}
		if objects.in(w[max(0, i-reach):min(len(w), i+n+reach)]) {
			return true
		}
	}
	return false
}

// excused reports whether a verb commands nothing: it is negated, or tells what
// somebody does, as in "I ignore".
func excused(w []string, start, end int) bool {
	return start > 0 && narrators[w[start-1]] || negated(w[max(0, start-5):start]) || negated(w[end:min(len(w), end+behindVerb(w[start]))])
}

// behindVerb is how many words behind a verb may negate it: two in "ignoriere
// nie", more where the verb comes last.
func behindVerb(verb string) int {
	if single([]rune(verb)[0]) {
		return 5
	}
	return 2
}

// negated reports whether one of the words negates. The "without" of "without
// asking" does not.
func negated(w []string) bool {
	at, _ := idiom().negations.first(w)
	return at >= 0 && !idiom().unasked.in(w[max(0, at-3):])
}

var narrators = wordSet("i we he she they people who j ich wir er io noi lui lei yo eu nós ele ela il elle ils elles ik wij hij zij я мы он она они 我 他 她")

// harms reports whether a sentence tells how to do harm, or denies people their
// worth. The table is small: the rest is for the prompt.
func harms(w []string) bool {
	v := idiom()
	return v.howto.in(w) && v.harmful.in(w) || v.hateful.in(w) && v.peoples.in(w)
}
