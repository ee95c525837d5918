package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

// about is what the manual says that belongs to no verb.
const about = `A bot's memory is a folder of markdown notes under git. Every change is one commit that
says who made it and why, and every change can be undone.

A selector (OLD) is words that stand in exactly one note, or PATH:LINE. A CHANGE is an id from
quipu log, or enough of its first letters, a commit, HEAD or HEAD~N. A TIME is 24h, 3d, yesterday, today, YYYY-MM-DD or
RFC 3339. - reads standard input. Text that begins with - follows --. ABOUT.md, or --bot @me, is
About me: what every bot knows of you.

Exit status: 0 ok, 1 failure, 2 usage, 3 not found, 4 conflict or stale, 5 refused, 6 busy,
7 auth, 8 remote, 9 a check found something.

Environment: QUIPU_HOME, QUIPU_BOT, VISUAL, EDITOR, PAGER, NO_COLOR.`

// verbs lists every verb of the program.
func verbs() []*cli.Command {
	return []*cli.Command{
		newInit(), newBots(), newImport(), newExport(), newBackup(), newRestoreBackup(),
		newRemember(), newReplace(), newSupersede(), newDrop(), newForget(), newErase(), newPrefer(), newDirective(), newTool(), newWrite(), newEdit(), newRemove(), newImage(),
		newShow(), newLoad(), newList(), newStatus(), newStats(), newBlame(),
		newDispute(), newSupport(), newEvidence(),
		newRecall(), newSearch(), newBrief(), newGate(), newRules(), newReflections(),
		newLog(), newDiff(), newShowChange(), newUndo(), newRedo(), newRestore(),
		newTidy(), newReflect(), newRetain(), newCapture(), newUpkeep(), newDoctor(), newVerify(), newScan(),
		newRemote(), newSync(), newConflicts(),
		newServe(), newOpen(), newMCP(), newSkill(), newTurn(), newToken(), newSession(), newConfig(), newOpenAPI(),
		newCompletion(), newHelp(), newMan(), newVersion(), newHook(), newBench(),
	}
}

func newApp(e *env) *cli.App {
	app := &cli.App{
		Name:           "quipu",
		Usage:          "what a bot remembers, kept in git",
		Description:    about,
		Version:        version().Version,
		Flags:          globalFlags(),
		Commands:       verbs(),
		Reader:         e.In,
		Writer:         e.Out,
		ErrWriter:      e.Err,
		Metadata:       map[string]any{envKey: e},
		Before:         e.configure,
		OnUsageError:   onUsageError,
		HideHelp:       true, // `help` is a verb of ours
		Action:         func(c *cli.Context) error { return runHelp(c.App, nil) },
		ExitErrHandler: func(*cli.Context, error) {}, // run reports
	}
	for _, c := range app.Commands {
		prepare(c, app.Name)
	}
	app.Setup()
	return app
}

// prepare gives a verb, and those under it, what urfave/cli does not hand down.
func prepare(c *cli.Command, under string) {
	c.OnUsageError = onUsageError
	c.HideHelp = true // `quipu remember help` remembers "help"
	for _, sub := range c.Subcommands {
		sub.HelpName = under + " " + c.Name + " " + sub.Name
		prepare(sub, under+" "+c.Name)
	}
}

func onUsageError(c *cli.Context, err error, _ bool) error {
	verb := strings.TrimSpace(strings.TrimPrefix(c.Command.FullName(), c.App.Name))
	return usage("see `quipu help "+verb+"`", "%s", strings.TrimPrefix(err.Error(), "flag "))
}

// run runs one command line and gives its exit code; args[0] is the program.
func run(ctx context.Context, e *env, args []string) int {
	app := newApp(e)
	if n := len(args); n > 1 && args[n-1] == completing {
		e.complete(ctx, app, args[1:n-1])
		_ = e.close() //nolint:contextcheck // a shell that completes a line wants words, not faults
		return exitOK
	}
	// A mistake in the flags is told as JSON too.
	e.json = slices.Contains(args, "--json")
	args, err := arrange(app, args)
	if err == nil {
		err = app.RunContext(ctx, args)
	}
	// What is to be put in order at the end is, whether or not the work was interrupted.
	if closing := e.close(); err == nil { //nolint:contextcheck // see above
		err = closing
	}
	if err != nil && ctx.Err() != nil {
		err = &told{err: context.Canceled, text: "interrupted"}
	}
	e.report(err)
	return exitOf(err)
}

// words gives the arguments of a verb; names says what they are for, and the last
// ones, in brackets, may be left out.
func words(c *cli.Context, names ...string) ([]string, error) {
	got := c.Args().Slice()
	verb := c.Command.FullName()
	if _, path, ok := strings.Cut(c.Command.HelpName, "quipu "); ok {
		verb = path // a verb under a verb is explained with it
	}
	need := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, "[") })
	if need < 0 {
		need = len(names)
	}
	if len(got) < need {
		return nil, usage("see `quipu help "+verb+"`", "%s needs %s", verb, strings.Join(names[len(got):need], " and "))
	}
	if len(got) > len(names) {
		hint := "see `quipu help " + verb + "`"
		if len(names) > 0 {
			hint = "put text of several words in quotes"
		}
		return nil, usage(hint, "%s has an argument too many: %q", verb, got[len(names)])
	}
	return append(got, make([]string, len(names)-len(got))...), nil
}

func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Usage: "show what would change and write nothing"}
}

// takeIn commits what was edited outside. It turns what keeps outside edits from being taken in into a note: what
// was asked for can be read without them.
func (e *env) takeIn(ctx context.Context, w *repo.Workspace) error {
	who, err := e.person()
	if err != nil {
		return err
	}
	taken, err := w.TakeIn(ctx, who)
	if errors.Is(err, repo.ErrBusy) || errors.Is(err, repo.ErrState) {
		e.say("note: edits made outside are not taken in yet: %s", clean(err.Error()))
		return nil
	}
	for _, r := range taken {
		e.say("took in an edit made outside: %s", listed(r.Rows))
		e.notes(r)
	}
	return err
}
