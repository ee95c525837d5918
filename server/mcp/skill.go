package mcp

import (
	_ "embed"
	"strings"

	"quipu/policy"
)

//go:embed skill.md
var skill string

// Skill tells an agent how to use the tools well, as a skill file: a header with its name
// and when to use it, and the text.
//
// With rules that ask for more it says so at its end.
func Skill(r policy.Rules) string {
	list := r.Told()
	if len(list) == 0 {
		return skill
	}
	return strings.TrimRight(skill, "\n") + "\n\n## The rules of this memory\n\n- " + strings.Join(list, "\n- ") + "\n"
}
