package main

import (
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
)

func newMan() *cli.Command {
	return &cli.Command{
		Name: "man", Category: "help",
		Usage:       "print the manual page",
		Description: "In man's own format: quipu man | man -l -",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runMan(c.App, envOf(c))
		},
	}
}

func runMan(app *cli.App, e *env) error {
	for _, c := range app.Commands {
		spell(c)
	}
	page, err := app.ToManWithSection(1)
	if err != nil {
		return err
	}
	return e.write(synopsis.ReplaceAllString(page, ".SH SYNOPSIS\n"+invocation+"\n\n\n.SH DESCRIPTION"))
}

// synopsis is the library's, which lists the flags one by one and no verb.
var synopsis = regexp.MustCompile(`(?s)\.SH SYNOPSIS\n.*?\.SH DESCRIPTION`)

// invocation is how a command line is written.
const invocation = `\fBquipu\fP [\fIFLAG\fP...] \fIVERB\fP [\fIARGUMENT\fP...] [\fIFLAG\fP...]`

// spell gives a verb, and those under it, what the page would leave out: how it is
// written, and what more there is to say.
func spell(c *cli.Command) {
	c.UsageText = strings.TrimSpace(c.HelpName + " " + c.ArgsUsage)
	if c.Description != "" {
		c.Usage += ". " + c.Description
	}
	for _, sub := range c.Subcommands {
		spell(sub)
	}
}
