package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newDoctor() *cli.Command {
	return &cli.Command{
		Name: "doctor", Category: "check",
		Usage:       "find faults and say how to mend each",
		Description: "Looks at the bot that is meant, or at every bot where none is named. Exit status 9 when something is wrong.",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "fix", Usage: "mend what is safe to mend"}, dryRunFlag()},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runDoctor(c.Context, envOf(c), c.Bool("fix") && !c.Bool("dry-run"))
		},
	}
}

// configFile is where a finding about the home's settings is.
const configFile = "config.json"

func runDoctor(ctx context.Context, e *env, fix bool) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	list := e.homeFindings(s)
	bots, err := e.patients(ctx, s)
	if err != nil {
		return err
	}
	for _, id := range bots {
		some, err := examine(ctx, s, id, fix)
		if err != nil {
			return e.namingBot(err, id)
		}
		for _, f := range some {
			if f.Where == configFile {
				continue // the home's, and told once
			}
			if len(bots) > 1 {
				f.Where = strings.TrimRight(string(id)+": "+f.Where, ": ")
			}
			list = append(list, f)
		}
	}
	return e.verdict(list)
}

// patients are the bot that is meant, or all of them.
func (e *env) patients(ctx context.Context, s *repo.Store) ([]repo.ID, error) {
	id, err := e.which(ctx, s)
	if err == nil {
		return []repo.ID{id}, nil
	}
	if !errors.Is(err, errUsage) {
		return nil, err
	}
	bots, err := s.Bots(ctx)
	ids := make([]repo.ID, 0, len(bots))
	for _, b := range bots {
		ids = append(ids, b.ID)
	}
	return ids, err
}

// examine looks at one bot. What cannot even be opened is its finding.
func examine(ctx context.Context, s *repo.Store, id repo.ID, fix bool) ([]repo.Finding, error) {
	w, err := openID(ctx, s, id)
	if errors.Is(err, repo.ErrState) || errors.Is(err, repo.ErrDamaged) {
		return []repo.Finding{{Level: "error", Where: string(id), What: err.Error()}}, nil
	}
	if err != nil {
		return nil, err
	}
	return w.Doctor(ctx, fix)
}

// homeFindings looks at what belongs to no bot.
func (e *env) homeFindings(s *repo.Store) []repo.Finding {
	var list []repo.Finding
	if err := s.ConfigFault(); err != nil {
		what := strings.TrimPrefix(err.Error(), configFile+": ")
		list = append(list, repo.Finding{Level: "error", Where: configFile, What: what, Fix: "quipu config validate"})
	}
	if _, err := exec.LookPath("git"); err != nil {
		list = append(list, repo.Finding{
			Level: "note", Where: "git", What: "git is not installed: quipu works, and you cannot read its history by hand",
			Fix: "install git",
		})
	}
	return list
}

func newVerify() *cli.Command {
	return &cli.Command{
		Name: "verify", Category: "check",
		Usage:       "read every object of the history and every note",
		Description: "With --gone it looks whether words that were erased can still be found. Exit status 9 when something is wrong.",
		Flags:       []cli.Flag{&cli.StringSliceFlag{Name: "gone", Usage: "`WORDS` that must be nowhere; several must all occur in one note"}},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runVerify(c.Context, envOf(c), c.StringSlice("gone"))
		},
	}
}

func runVerify(ctx context.Context, e *env, gone []string) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	bar := e.bar("verify")
	look := w.Verify
	if len(gone) > 0 {
		look = func(ctx context.Context, step func(done, total int)) ([]repo.Finding, error) {
			return w.Gone(ctx, gone, step)
		}
	}
	list, err := look(ctx, bar.step)
	bar.done()
	if err != nil {
		return err
	}
	return e.verdict(list)
}

// verdict prints what a check found; errors and warnings make it exit 9.
func (e *env) verdict(list []repo.Finding) error {
	wrong := 0
	for _, f := range list {
		if f.Level != "note" {
			wrong++
		}
	}
	if e.json {
		if err := e.print(map[string]any{"ok": wrong == 0, "findings": orNone(list)}); err != nil {
			return err
		}
	} else if err := e.write(e.findings(list)); err != nil {
		return err
	}
	if wrong > 0 {
		return found(wrong)
	}
	e.say("all is well")
	return nil
}

// findings lays findings out: level, where, what, and how to mend it under that.
func (e *env) findings(list []repo.Finding) string {
	colours := map[string]string{"error": red, "warning": yellow, "note": faint}
	var b strings.Builder
	for _, f := range list {
		what := f.What
		if f.Where != "" && !strings.HasPrefix(what, f.Where+": ") {
			what = f.Where + ": " + what
		}
		fmt.Fprintf(&b, "%s  %s\n", e.paint(colours[f.Level], fmt.Sprintf("%-8s", f.Level)), clean(what))
		if f.Fix != "" {
			fmt.Fprintf(&b, "          fix: %s\n", clean(f.Fix))
		}
	}
	return b.String()
}
