package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newLog() *cli.Command {
	return &cli.Command{
		Name: "log", Category: "history", ArgsUsage: "[PATH or PATH:LINE]",
		Usage: "the journal: who changed what and why, newest first",
		Description: "Edits made outside are taken in first. Day logs, signals, sync and erase are left out unless --all. With PATH:LINE, or --note and words that " +
			"one note alone holds, it is every change that touched that note, from file to file.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "n", Usage: "about `N` changed files, to the end of a change", Value: 50},
			&cli.StringFlag{Name: "since", Usage: "from this `TIME` on"},
			&cli.StringFlag{Name: "until", Usage: "up to this `TIME`, a day to its end"},
			&cli.StringFlag{Name: "author", Usage: "only by `KIND`: bot, person, upkeep, import, sync"},
			&cli.StringFlag{Name: "action", Usage: "only this `ACTION`, as update, edit, undo"},
			&cli.StringFlag{Name: "grep", Usage: "only with all of these `WORDS` in subject, source or diff"},
			&cli.StringFlag{Name: "before", Usage: "only older than this `CHANGE`"},
			&cli.StringFlag{Name: "note", Usage: "only what touched the one note that holds `TEXT`"},
			&cli.BoolFlag{Name: "all", Usage: "day logs, signals, sync and erase too"},
			&cli.BoolFlag{Name: "patch", Aliases: []string{"p"}, Usage: "with the diff of each"},
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "[PATH or PATH:LINE]")
			if err != nil {
				return err
			}
			note := c.String("note")
			if path, _, ok := cutPlace(args[0]); ok && note == "" {
				args[0], note = path, args[0]
			}
			return runLog(c.Context, envOf(c), logArgs{
				Query: repo.Query{
					Path: args[0], Limit: c.Int("n"), Author: repo.AuthorKind(c.String("author")),
					Action: repo.Action(c.String("action")), Words: c.String("grep"),
					Before: repo.ChangeID(c.String("before")), All: c.Bool("all"), Note: note,
				},
				Since: c.String("since"), Until: c.String("until"), Patch: c.Bool("patch"),
			})
		},
	}
}

type logArgs struct {
	Query        repo.Query
	Since, Until string
	Patch        bool
}

func runLog(ctx context.Context, e *env, a logArgs) error {
	if a.Query.Limit < 1 {
		return usage("as in `quipu log -n 20`", "-n %d is no number of rows", a.Query.Limit)
	}
	if err := kindsOf(a.Query); err != nil {
		return err
	}
	if err := notePath(a.Query.Path); err != nil {
		return err
	}
	w, _, err := e.fileSpace(ctx, a.Query.Path)
	if err != nil {
		return err
	}
	now := e.Now().In(e.opened.Config().LocationOf(w.ID()))
	if a.Query.Since, err = whenFlag(a.Since, now, false); err != nil {
		return err
	}
	if a.Query.Until, err = whenFlag(a.Until, now, true); err != nil {
		return err
	}
	if err := e.takeIn(ctx, w); err != nil {
		return err
	}
	rows, err := w.Journal(ctx, a.Query)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"entries": orNone(rows)})
	}
	if len(rows) == 0 {
		e.say("no changes")
	}
	if len(rows) == a.Query.Limit && a.Query.Path+a.Query.Note == "" {
		if rows, err = wholeLast(ctx, w, rows); err != nil {
			return err
		}
	}
	return e.page(ctx, e.journal(rows, a.Patch))
}

// kindsOf holds that what narrows a journal is a kind that there is: an answer of
// nothing would hide the mistake.
func kindsOf(q repo.Query) error {
	if authors := repo.AuthorKinds(); q.Author != "" && !slices.Contains(authors, q.Author) {
		return usage("the kinds are "+joined(authors), "%q is no kind of author", string(q.Author))
	}
	if actions := repo.Actions(); q.Action != "" && !slices.Contains(actions, q.Action) {
		return usage("the actions are "+joined(actions), "%q is no action", string(q.Action))
	}
	return nil
}

func joined[S ~string](list []S) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// wholeLast adds to rows, which a limit cut off, what is missing of the last change:
// half of its files would be told as all of them.
func wholeLast(ctx context.Context, w *repo.Workspace, rows []repo.Row) ([]repo.Row, error) {
	last := rows[len(rows)-1]
	if last.ID == string(last.Change) {
		return rows, nil // a change of one file
	}
	d, err := w.Show(ctx, string(last.Change))
	if err != nil {
		return nil, err
	}
	from := slices.IndexFunc(rows, func(r repo.Row) bool { return r.Change == last.Change })
	return append(rows[:from:from], d.Rows...), nil
}

// journal lays rows out for reading: a change has one line with its time, id, who,
// how and files, and under it what it was.
func (e *env) journal(rows []repo.Row, patch bool) string {
	var b strings.Builder
	short := e.shortIDs(rows)
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Change == rows[0].Change {
			n++
		}
		e.change(&b, rows[:n], short)
		if patch {
			b.WriteString(e.painted(diffOf(rows[:n])))
		}
		rows = rows[n:]
	}
	return b.String()
}

// change writes one change; rows are its files.
func (e *env) change(b *strings.Builder, rows []repo.Row, short func(repo.ChangeID) string) {
	r := rows[0]
	how := r.Action
	if r.Via != "" {
		how += "/" + r.Via
	}
	fmt.Fprintf(b, "%s  %s  %s  %s", e.paint(faint, r.AtTime.Format("2006-01-02 15:04")),
		e.paint(yellow, short(r.Change)), clean(who(r)), clean(how))
	if paths := listed(rows); paths != "" {
		fmt.Fprintf(b, "  %s", e.paint(cyan, paths))
	}
	if r.UndoneBy != "" {
		fmt.Fprintf(b, "  %s", e.paint(red, "(undone by "+short(r.UndoneBy)+")"))
	}
	fmt.Fprintf(b, "\n    %s\n", clean(r.Subject))
	if r.Undoes != "" {
		fmt.Fprintf(b, "    undoes %s\n", short(r.Undoes))
	}
	if r.Source != "" {
		fmt.Fprintf(b, "    from %s\n", clean(r.Source))
	}
}

func who(r repo.Row) string { return strings.TrimSpace(r.Actor + " " + r.Who) }

// shortLen is how much of an id a terminal shows: of a ULID, its moment.
const shortLen = 10

// shortIDs shortens ids on a terminal while that leaves them different; scripts get
// them whole.
func (e *env) shortIDs(rows []repo.Row) func(repo.ChangeID) string {
	owner := map[string]repo.ChangeID{}
	same := map[string]bool{}
	for _, r := range rows {
		for _, id := range []repo.ChangeID{r.Change, r.Undoes, r.UndoneBy} {
			if len(id) <= shortLen {
				continue
			}
			head := string(id[:shortLen])
			if other, ok := owner[head]; ok && other != id {
				same[head] = true
			}
			owner[head] = id
		}
	}
	return func(id repo.ChangeID) string {
		if !e.OutTerm || len(id) <= shortLen || same[string(id[:shortLen])] {
			return string(id)
		}
		return string(id[:shortLen])
	}
}
