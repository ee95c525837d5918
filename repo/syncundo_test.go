package repo

import (
	"strings"
	"testing"

	"quipu/policy"
)

// An undo without an id takes back the person's own last change, not what a sync merged
// after it, and the journal shows the changes that came and not the merge.
func TestSyncUndoPassesMerges(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.sync()
	b.sync()
	a.append("Sings at night")
	a.sync()
	b.update(policy.Update{Action: policy.Append, Text: "Lives in Goa", TextSet: true, Topic: "home"})
	if got := b.sync(); !got.Merged {
		t.Fatalf("%+v", got)
	}
	for _, row := range b.rows(Query{}) {
		if row.Action == string(ActMerge) {
			t.Errorf("the journal shows %+v", row)
		}
	}
	b.undo("")
	if all := b.text("MEMORY.md") + b.text("memory/home.md"); strings.Contains(all, "Goa") == strings.Contains(all, "night") {
		t.Errorf("undone: %q", all)
	}
}
