package hooks

import (
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo"
)

// TestDisputedInWhatWasSaid: a disputed claim that was said in a chat comes back by no
// passage, no brief and no search of a turn; the owner, outside any, still finds it.
func TestDisputedInWhatWasSaid(t *testing.T) {
	b := newBench(t)
	person := repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}
	b.end(b.says(owner, "which tea do I like?").Turn, "You like green tea from Uji best.")
	if _, err := b.ws().Update(t.Context(), person, policy.Update{Action: policy.Append, Text: "The user likes green tea from Uji best", TextSet: true}); err != nil {
		t.Fatal(err)
	}
	other := repo.Conversation{ID: "c2", Kind: repo.DirectChat, Title: "Other", StartedBy: "owner"}
	told := func() (everything string, owners int) {
		o, err := b.turns.Start(t.Context(), "scout", Opening{Conversation: other, Speaker: owner, Message: "shall we order green tea from Uji?"})
		if err != nil {
			t.Fatal(err)
		}
		inTurn, err := b.turns.Search(t.Context(), "scout", Search{Words: "green tea", Conversation: &other, Speaker: owner})
		if err != nil {
			t.Fatal(err)
		}
		alone, err := b.turns.Search(t.Context(), "scout", Search{Words: "green tea", Scope: "conversations"})
		if err != nil {
			t.Fatal(err)
		}
		everything = o.Load.Block + o.Brief + o.Recall.Block
		for _, h := range inTurn.Hits {
			everything += h.Snippet
		}
		return everything, len(alone.Hits)
	}
	before, _ := told()
	if _, err := b.ws().Signal(t.Context(), person, []repo.Signalled{{Fact: "The user likes green tea from Uji best", Why: policy.Rebut}}); err != nil {
		t.Fatal(err)
	}
	after, owners := told()
	if n := strings.Count(before, "green tea"); n < 3 {
		t.Errorf("before, it is told %d times:\n%s", n, before)
	}
	if strings.Contains(after, "like green tea") || strings.Contains(after, "likes green tea") {
		t.Errorf("after:\n%s", after)
	}
	if owners == 0 {
		t.Error("the owner does not find what was said")
	}
}
