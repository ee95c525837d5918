package main

import (
	"github.com/urfave/cli/v2"

	"quipu/server/mcp"
)

func newSkill() *cli.Command {
	return &cli.Command{
		Name: "skill", Category: "serve",
		Usage:       "print a skill file that tells an agent how to use its memory well",
		Description: "For clients that read skills, as: quipu skill > .claude/skills/memory/SKILL.md",
		Action:      noArgs(func(_ *cli.Context, e *env) error { return e.write(mcp.Skill()) }),
	}
}
