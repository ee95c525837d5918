package main

import (
	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/server/mcp"
)

func newSkill() *cli.Command {
	return &cli.Command{
		Name: "skill", Category: "serve",
		Usage:       "print a skill file that tells an agent how to use its memory well",
		Description: "For clients that read skills, as: quipu skill > .claude/skills/memory/SKILL.md",
		Action:      noArgs(runSkill),
	}
}

// runSkill prints the skill with the rules of the bot that is meant; without one, or where
// several could be, it is the skill of a memory without rules of its own.
func runSkill(c *cli.Context, e *env) error {
	var rules policy.Rules
	if s, id, err := e.meant(c.Context); err == nil {
		rules = s.Config().RulesIn(id)
	} else if e.bot != "" {
		return err
	}
	return e.write(mcp.Skill(rules))
}
