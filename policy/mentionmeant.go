package policy

import (
	"slices"
	"strings"
)

// meant reports whether a template is what the person wants of the bot.
func (r *hearing) meant(m match) bool {
	t := m.tongue
	if t.code == "zh" && r.kana || r.clung(m) || t.behind.spanOf(r.words[m.end:]) > 0 && len(m.before) == 0 {
		return false
	}
	if m.toEnd && !r.endsClause(m) || len(m.before) == 0 && t.reports.within(r.words[m.end:min(len(r.words), m.end+maxTermWords)]) {
		return false
	}
	lead, prior := r.lead(m.start)
	if !r.wished(m, lead, prior) || r.asks && !r.asksPolitely(m) {
		return false
	}
	return r.own(m)
}

// clung reports whether the first word of a template is the end of another one:
// 特别.
func (r *hearing) clung(m match) bool {
	if m.start == 0 || m.tongue.clings == "" {
		return false
	}
	before, first := r.words[m.start-1], r.words[m.start].text
	return (first == "别" || first == "別") && before.end == r.words[m.start].start && strings.Contains(m.tongue.clings, before.text)
}

// endsClause reports whether nothing but courtesy follows a template in its clause.
func (r *hearing) endsClause(m match) bool {
	rest := r.words[m.end:]
	for len(rest) > 0 && rest[0].mark == 0 {
		n := m.tongue.tails.spanOf(rest)
		if n == 0 {
			return false
		}
		rest = rest[n:]
	}
	return true
}

// lead returns the words of the clause before a template, and all of the sentence
// before it, each as far as they are read.
func (r *hearing) lead(start int) (lead, prior []heardWord) {
	from := start
	for from > 0 && start-from < maxBefore && r.words[from].mark == 0 {
		from--
	}
	if from > 0 && start-from == maxBefore && r.words[from].mark == 0 {
		from-- // so that what is cut off is no lead
	}
	lead = r.words[from:start]
	for i, w := range slices.Backward(lead) {
		if vocabulary().joins[w.text] || clauseJoins[w.text] {
			lead = lead[i+1:]
			break
		}
	}
	return lead, r.words[max(0, start-2*maxBefore):start]
}

var clauseJoins = wordSet("so because cause since but porque pero asi car donc parce weil denn aber dus want omdat poiche quindi perche portanto entao поэтому потому но а и")

// wished reports whether what stands before a template leaves it the person's wish.
func (r *hearing) wished(m match, lead, prior []heardWord) bool {
	t := m.tongue
	if t.composes.within(r.words[:min(len(r.words), 6, m.start)]) || t.tells.within(unled(t, prior)) {
		return false
	}
	if t.east {
		return !t.blocks.within(prior) && (!m.opens || len(unled(t, lead)) == 0)
	}
	if len(m.before) == 0 { // the lead is before the term, which is cut to what it names
		return true
	}
	rest := unled(t, lead)
	const unknown = 4
	return len(rest) == 0 || m.loose && len(rest) <= unknown && !t.blocks.within(rest)
}

// unled returns the words that are none of those which may stand before a template.
// Words of a script that the template is not in may, too.
func unled(t *hushTongue, list []heardWord) []heardWord {
	var rest []heardWord
	for i := 0; i < len(list); {
		if n := t.leads.spanOf(list[i:]); n > 0 {
			i += n
			continue
		}
		if eastern(list[i].text) == t.east {
			rest = append(rest, list[i])
		}
		i++
	}
	return rest
}

// asksPolitely reports whether a question is a request: it says so, or the question
// is behind the template, "…, okay?".
func (r *hearing) asksPolitely(m match) bool {
	if m.tongue.asks.within(r.words) {
		return true
	}
	end := max(m.end, m.term.end)
	return end < len(r.words) && r.words[end].mark != 0 && r.words[end].mark != '?' && r.words[end].mark != '¿' || end < len(r.words) && r.words[end].mark == ','
}

// own reports whether a template is the person's own word, and not one of a game or of
// a text that was handed over.
func (r *hearing) own(m match) bool {
	s := span{start: r.words[m.start].start, end: r.words[m.end-1].end}
	if r.part.end-r.part.start > maxJudged {
		return true
	}
	for _, c := range r.line.clausesOf(s) {
		if c.start < s.end && s.start < c.end && (c.stance == handed || c.stance == supposed || c.stance == delegated) {
			return false
		}
	}
	return true
}
