package policy

import "quipu/markdown"

// Known is a fact that is kept already, with the place at which its caller keeps it.
type Known struct {
	Fact, Place string
}

// Weighing says what becomes of a new fact beside the known ones.
type Weighing struct {
	Verdict Weight
	Of      Known // what it restates or repeats; zero when it is written
	// Retires are the known facts that no longer hold because of it, and Conflicts those
	// that still speak against it and are kept: they say more than it does, or name somebody
	// it does not. Both are in the order of the known facts.
	Retires, Conflicts []Known
}

// Weight is what becomes of a new fact.
type Weight string

// What becomes of a new fact: only one that is written is new.
const (
	WeighedBlank     Weight = "blank"     // it says nothing
	WeighedWritten   Weight = "written"   // it is to be written
	WeighedRestated  Weight = "restated"  // the value is known: what it corrects goes all the same
	WeighedDuplicate Weight = "duplicate" // it is known, or less than what is known
)

// Weigh compares a new fact with the known ones, of all topics. It is a rule of words alone,
// and keeps where they leave a doubt: a fact repeats another one when all that it says stands
// in it; it retires one when it says all of that and more, or the same with another value in
// its place. A fact of another subject or with a "not" more or less is another fact. So is one
// whose words differ on both sides, and one in a script other than the Latin, unless it is the
// same letter by letter.
//
// What is retired is struck by the caller: Weigh only names it.
func Weigh(fact string, known []Known) Weighing {
	n := weighedFact(fact)
	if n.id == "" {
		return Weighing{Verdict: WeighedBlank}
	}
	var found [asContradicted + 1][]Known
	retired := map[int]relationTo{}
	for i, k := range known {
		old := weighedFact(k.Fact)
		how := n.beside(&old)
		found[how] = append(found[how], k)
		if how == asRefined || how == asCorrected {
			retired[i] = how
		}
	}
	w := Weighing{Verdict: WeighedWritten, Conflicts: found[asContradicted]}
	switch {
	case len(found[asRestated]) > 0:
		w.Verdict, w.Of = WeighedRestated, found[asRestated][0]
	case len(found[asVerbatim]) > 0:
		return Weighing{Verdict: WeighedDuplicate, Of: found[asVerbatim][0]}
	case len(found[asRepeated]) > 0 && len(found[asCorrected]) == 0:
		return Weighing{Verdict: WeighedDuplicate, Of: found[asRepeated][0]}
	}
	for i, k := range known {
		// What is restated is not written, so it is no refinement of anything.
		if how := retired[i]; how == asCorrected || how == asRefined && w.Verdict == WeighedWritten {
			w.Retires = append(w.Retires, k)
		}
	}
	return w
}

// relationTo is how a new statement stands to a known one.
type relationTo uint8

const (
	asOther relationTo = iota
	asVerbatim
	asRestated
	asRepeated
	asRefined
	asCorrected
	asContradicted
)

// beside compares a new statement with a known one.
func (n *factText) beside(old *factText) relationTo {
	if how := n.attribute.beside(old.attribute, n, old); how != asOther {
		return how
	}
	switch {
	case n.id == old.id:
		return asVerbatim
	case n.denies != old.denies || !n.plain || !old.plain:
		return asOther
	}
	if len(n.parts) == 1 && len(old.parts) == 1 {
		return n.parts[0].beside(&old.parts[0])
	}
	return n.compound(old)
}

// compound compares statements of several facts, part by part. One of them retires nothing
// but what it holds itself, and is not retired for a part: its other half is true still.
func (n *factText) compound(old *factText) relationTo {
	held := 0
	for i := range n.parts {
		holds := false
		for j := range old.parts {
			switch how := n.parts[i].beside(&old.parts[j]); {
			case how == asRepeated:
				holds = true
			case (how == asCorrected || how == asContradicted) && len(n.parts) == 1:
				return asContradicted
			case how == asRefined && len(old.parts) == 1:
				return asRefined
			}
		}
		if holds {
			held++
		}
	}
	switch {
	case held >= len(n.parts):
		return asRepeated
	case held > 0 && len(old.parts) == 1:
		return asRefined
	}
	return asOther
}

// idOf is a fact as it compares letter by letter.
func idOf(fact string) string { return markdown.Identity(flatten(fact)) }
