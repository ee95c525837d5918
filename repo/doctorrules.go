package repo

import (
	"fmt"
	"maps"
	"slices"

	"quipu/markdown"
	"quipu/policy"
)

// maxBreaches are told of each file: a preset switched on late may be broken by every note.
const maxBreaches = 20

// rules lists notes that stand and break the rules in force. They stay: what was kept under
// other rules is the person's.
func (d *doctor) rules() {
	r := d.w.Rules()
	if len(r.Told()) == 0 && !policy.On(r.DateBehind) {
		return
	}
	files, _, err := d.w.git.ListWork()
	if err != nil {
		return // told already
	}
	n := policy.Notes{Files: d.w.shownOf(files, live)}
	for _, path := range slices.Sorted(maps.Keys(n.Files)) {
		d.breaches(r, path, n.Files[path])
	}
	if held := policy.Held(n); r.Bounded() && held > *r.MaxEntries {
		d.add("note", "memory", fmt.Sprintf("it holds %d notes; rule maxEntries allows %d", held, *r.MaxEntries), "they stay; new ones are refused until some are taken out")
	}
}

func (d *doctor) breaches(r policy.Rules, path string, text []byte) {
	told, more := 0, 0
	for _, e := range markdown.Parse(path, text).Entries() {
		if e.Struck || !e.Expired.IsZero() {
			continue
		}
		found := r.Findings(policy.Asking{Text: e.Text, Topic: policy.TopicOf(path), Stands: true})
		switch {
		case len(found) == 0:
		case told == maxBreaches:
			more++
		default:
			told++
			d.add("note", fmt.Sprintf("%s:%d", path, e.Line), "it breaks rule "+found[0].Name()+": "+found[0].Reason, "it stays as it is; replace it, or switch the rule off")
		}
	}
	if more > 0 {
		d.add("note", path, fmt.Sprintf("%d more notes break a rule", more), "")
	}
}
