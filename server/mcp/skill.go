package mcp

import _ "embed"

//go:embed skill.md
var skill string

// Skill tells an agent how to use the tools well, as a skill file: a header with its name
// and when to use it, and the text.
func Skill() string { return skill }
