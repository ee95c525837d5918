package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newBlame() *cli.Command {
	return &cli.Command{
		Name: "blame", Category: "read", ArgsUsage: "[PATH]",
		Usage:       "who taught each note, when and from where",
		Description: "One line a note: date, who, source, change and text. A note is followed from file to file; the words it was first taught in stand under it where they differ.",
		Action: func(c *cli.Context) error {
			args, err := words(c, "[PATH]")
			if err != nil {
				return err
			}
			return runBlame(c.Context, envOf(c), args[0])
		},
	}
}

func runBlame(ctx context.Context, e *env, path string) error {
	w, path, err := e.fileSpace(ctx, path)
	if err != nil {
		return err
	}
	if _, err := textOf(ctx, w, showArgs{Path: path}); err != nil {
		return err
	}
	lines, err := w.Blame(ctx, path)
	if err != nil {
		return onFile("blame", path, err)
	}
	if e.json {
		return e.print(map[string]any{"path": path, "lines": orNone(lines)})
	}
	return e.page(ctx, e.taught(lines))
}

// taught lays the lines of a blame out: the columns first, then the text, which may
// be long.
func (e *env) taught(lines []repo.Blamed) string {
	rows := make([][]string, 0, len(lines))
	for _, l := range lines {
		by := strings.TrimSpace(l.Actor + " " + l.Who)
		day, change := "not taken in", ""
		if l.Change != "" {
			day, change = l.At.Format("2006-01-02"), e.shortID(l.Change)
		}
		head, _, _ := strings.Cut(l.Text, "\n")
		rows = append(rows, []string{day, by, firstOf(l.Source, "-"), change, head})
	}
	var b strings.Builder
	i := 0
	for text := range strings.Lines(table(rows)) {
		b.WriteString(text)
		if first := lines[i]; first.Words != "" && first.Words != first.Text {
			fmt.Fprintf(&b, "    first taught %s in %s as: %s\n",
				first.FirstAt.Format("2006-01-02"), e.shortID(first.First), clean(first.Words))
		}
		i++
	}
	return b.String()
}

// shortID shortens one id on a terminal: its moment is enough to find it by.
func (e *env) shortID(id repo.ChangeID) string {
	if !e.OutTerm || len(id) <= shortLen {
		return string(id)
	}
	return string(id[:shortLen])
}
