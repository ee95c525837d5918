package mcp

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
)

// TestSkillNamesTheToolsThereAre holds the text to the tools.
func TestSkillNamesTheToolsThereAre(t *testing.T) {
	list, err := newDesk(t).client.ListTools(t.Context(), nil)
	must(t, err)
	var have, named []string
	for _, tool := range list.Tools {
		have = append(have, tool.Name)
	}
	for _, m := range regexp.MustCompile("`(memory(?:_[a-z]+)*)`").FindAllStringSubmatch(Skill(policy.Rules{}), -1) {
		named = append(named, m[1])
	}
	slices.Sort(have)
	slices.Sort(named)
	if diff := cmp.Diff(have, slices.Compact(named)); diff != "" {
		t.Errorf("(-tools +named)\n%s", diff)
	}
}
