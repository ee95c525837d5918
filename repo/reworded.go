package repo

import (
	"quipu/markdown"
	"quipu/policy"
)

// reworded adds to a draft that a note which has evidence says the same in other words now,
// so that its evidence goes along. A note that says something else begins anew.
func (v *view) reworded(m Meta, d *draft) error {
	_, stands, err := v.standings()
	if err != nil || stands.Len() == 0 {
		return err
	}
	var events []policy.Event
	for _, f := range d.files {
		if kind, err := policy.CheckPath(f.path); err != nil || kind == policy.Log || f.del {
			continue
		}
		before, _, err := v.tx.File(f.path)
		if err != nil {
			return err
		}
		for _, p := range markdown.Pairs(before, f.text) {
			was, is, ok := bothFacts(p)
			if !ok || !stands.Knows(was) && !stands.Grounds(was) || !policy.Rewords(is, was) {
				continue
			}
			id, err := v.w.store.change(v.at)
			if err != nil {
				return err
			}
			events = append(events, policy.Event{Kind: policy.EventRename, ID: string(id), At: v.at, By: m.Author.String(), Fact: was, To: v.w.clean(is)})
		}
	}
	return v.record(d, events)
}

// bothFacts are the facts that a note stated and states, where they differ.
func bothFacts(p markdown.Pair) (was, is string, ok bool) {
	if p.Before == nil || p.After == nil {
		return "", "", false
	}
	was, is = policy.FactOf(*p.Before), policy.FactOf(*p.After)
	return was, is, was != "" && is != "" && was != is
}
