package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

func newHelp() *cli.Command {
	return &cli.Command{
		Name: "help", Aliases: []string{"h"}, Category: "help", ArgsUsage: "[VERB]",
		Usage: "what there is, or how a verb is written",
		Action: func(c *cli.Context) error {
			args, err := words(c, "[VERB]", "[VERB]")
			if err != nil {
				return err
			}
			return runHelp(c.App, strings.Fields(strings.Join(args, " ")))
		},
	}
}

// runHelp prints the help of the verb at path, of the program for none.
func runHelp(app *cli.App, path []string) error {
	l := &line{}
	for _, word := range path {
		if err := l.word(app.Commands, word); err != nil {
			return err
		}
	}
	if len(l.path) == 0 {
		cli.HelpPrinter(app.Writer, cli.AppHelpTemplate, app)
		return nil
	}
	verb := l.path[len(l.path)-1]
	cli.HelpPrinter(app.Writer, cli.CommandHelpTemplate, verb)
	if len(verb.Subcommands) == 0 {
		return nil
	}
	rows := make([][]string, 0, len(verb.Subcommands))
	for _, sub := range verb.Subcommands {
		rows = append(rows, []string{"   " + strings.TrimSpace(sub.Name+" "+sub.ArgsUsage), sub.Usage})
	}
	_, err := io.WriteString(app.Writer, "\nCOMMANDS:\n"+table(rows))
	return err
}
