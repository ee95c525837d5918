package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
)

func newForget() *cli.Command {
	return &cli.Command{
		Name: "forget", Category: "write", ArgsUsage: "WORDS...",
		Usage: "take out every note that mentions the words",
		Description: "Looks through MEMORY.md, the topics, the archive and About me. Each argument is one phrase of whole words, " +
			"and a note must mention all of them. The words are kept as keyed hashes, so that no bot learns the same again " +
			"until you ask for it. With --bot @me it is About me alone. " +
			"The words go from the whole history and from what was said to the bot as well, and there is no undo; " +
			"with --keep-history they stay there, and `quipu undo` brings the notes back.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "keep-history", Usage: "leave the history and what was said as they are, so that undo works"},
			&cli.BoolFlag{Name: "confirm", Usage: "take out more than 20 notes, or more than a fifth of them; and words that carry no subject"},
			&cli.BoolFlag{Name: "dry-run", Usage: "list the notes that would go and write nothing"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Len() == 0 {
				return usage("see `quipu help forget`", "forget needs WORDS")
			}
			return runForget(c.Context, envOf(c), forgetArgs{
				Words: c.Args().Slice(), KeepHistory: c.Bool("keep-history"), Confirm: c.Bool("confirm"), DryRun: c.Bool("dry-run"),
			})
		},
	}
}

type forgetArgs struct {
	Words                        []string
	KeepHistory, Confirm, DryRun bool
}

func runForget(ctx context.Context, e *env, a forgetArgs) error {
	for i, arg := range a.Words {
		text, err := e.fact(arg)
		if err != nil {
			return err
		}
		a.Words[i] = text
	}
	phrases, vague := policy.ParsePhrases(a.Words)
	if vague != nil && len(phrases) == 0 {
		return vague
	}
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	about, err := e.alsoAbout(ctx, w, a.DryRun)
	if err != nil {
		return err
	}
	bar := e.bar("erasing")
	f, err := w.Forget(ctx, m, repo.Forgetting{Words: a.Words, Confirm: a.Confirm || a.DryRun, About: about, Erase: !a.KeepHistory, Progress: bar.step})
	bar.done()
	if exitOf(err) == exitRefused {
		again := "quipu forget " + quoted(a.Words)
		return hinted(err, "`"+again+" --dry-run` lists what would go, `"+again+" --confirm` takes it out")
	}
	if err != nil {
		return err
	}
	if e.json {
		return e.printForgotten(ctx, w, f, a)
	}
	if a.DryRun {
		return e.tellPlanned(f, vague != nil && !a.Confirm)
	}
	e.tellForgotten(w.ID(), f)
	return nil
}

// quoted writes words as a shell takes them.
func quoted(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = w
		if w == "" || strings.ContainsFunc(w, unsafe) {
			list[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(list, " ")
}

// unsafe says whether a shell may read a character as more than itself.
func unsafe(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./", r)
}

// alsoAbout says whether a forget covers About me beside the notes of w. A trial
// does not make one that is not there.
func (e *env) alsoAbout(ctx context.Context, w *repo.Workspace, dryRun bool) (bool, error) {
	if isAbout(w.ID()) {
		return false, nil
	}
	if !dryRun {
		return true, nil
	}
	_, err := e.opened.Me(ctx, "")
	if errors.Is(err, repo.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// tellPlanned lists what a forget would take out; vague words want a confirmation.
func (e *env) tellPlanned(f repo.Forgotten, vague bool) error {
	n := f.Notes + f.About
	e.say("would forget %s (dry run, nothing is written)", count(n, "note"))
	if vague || n > sureForgets {
		e.say("note: it wants --confirm")
	}
	e.headings(f.Left)
	return e.write(e.removals(f.Taken))
}

// sureForgets is how many notes a forget takes out, at most, without being asked.
const sureForgets = 20

// tellForgotten says how many notes went, and never which.
func (e *env) tellForgotten(id repo.ID, f repo.Forgotten) {
	n := f.Notes + f.About
	where := ""
	if f.About > 0 {
		where = fmt.Sprintf(", %d of them in About me", f.About)
	}
	switch {
	case n == 0:
		e.say("no note mentions it")
	case f.Change == "":
		e.say("forgot %s%s", count(n, "note"), where)
	default:
		e.say("forgot %s%s (change %s)", count(n, "note"), where, f.Change)
	}
	if f.Listed {
		e.say(onTheList)
	}
	e.headings(f.Left)
	e.asides(f.Receipt)
	if f.Erased != nil {
		e.tellErased(*f.Erased)
		n = 0
	}
	undo := "quipu undo " + string(f.Change)
	if f.Change == "" {
		id = aboutMe // the words are kept on no list, and no note of the bot's held them
		undo = "quipu undo"
	}
	if isAbout(id) {
		undo += " --bot " + string(id)
	}
	switch {
	case n > 0:
		e.say("hint: `%s` brings the notes back", undo)
	case f.Listed && f.Change != "":
		e.say("hint: `%s` takes the words off the list", undo)
	}
}

const onTheList = "the words are on the list: no bot learns it again until you ask for it"

// headings says where the words stay: headings are kept.
func (e *env) headings(left []string) {
	if len(left) > 0 {
		e.say("note: the words still stand in headings: %s", clean(few(left)))
	}
}

// removals lists the notes that would go, each with its place.
func (e *env) removals(taken []policy.Removal) string {
	var b strings.Builder
	for _, r := range taken {
		first, rest, _ := strings.Cut(strings.TrimRight(r.Raw, "\n"), "\n")
		fmt.Fprintf(&b, "%s  %s\n", e.paint(cyan, clean(fmt.Sprintf("%s:%d", r.Path, r.Line))), clean(first))
		for line := range strings.Lines(rest) {
			fmt.Fprintf(&b, "  %s\n", clean(strings.TrimRight(line, "\n")))
		}
	}
	return b.String()
}

// printForgotten prints the answer of POST memory/update, and for a trial what would
// go.
func (e *env) printForgotten(ctx context.Context, w *repo.Workspace, f repo.Forgotten, a forgetArgs) error {
	message := "no note mentions it"
	if n := f.Notes + f.About; n > 0 {
		message = "forgot " + count(n, "note")
	}
	switch {
	case f.Erased != nil:
		message += "; it is out of the history and of what was said before, too"
	case f.Notes+f.About > 0:
		message += "; the history still holds the words"
	}
	out := map[string]any{
		"ok": true, "moved": []string{}, "truncated": e.truncated(ctx, w), "removed": f.Notes, "about": f.About, "listed": f.Listed,
		"left": orNone(f.Left), "change": changeOf(f.Receipt), "message": message,
	}
	if a.DryRun {
		notes := make([]map[string]any, 0, len(f.Taken))
		for _, r := range f.Taken {
			notes = append(notes, map[string]any{"path": r.Path, "line": r.Line, "text": r.Raw})
		}
		out["dryRun"], out["wouldGo"] = true, notes
	}
	if f.Erased != nil {
		f.Erased.Unreached = orNone(f.Erased.Unreached)
		out["erased"], out["erasure"] = f.Erased.Copies+f.Erased.Notes+f.Erased.Said, f.Erased
	}
	if len(f.Outside) > 0 {
		out["outside"] = f.Outside
	}
	if notes := f.Receipt.Notes; len(notes) > 0 {
		out["notes"] = notes
	}
	return e.print(out)
}
