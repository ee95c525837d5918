package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

// env is all that a verb may touch of the world: tests put their own in its place.
type env struct {
	In       io.Reader
	Out, Err io.Writer
	Now      func() time.Time
	Getenv   func(string) string
	Dir      string // the folder that the command was started in
	Program  string // the path of this program, which git's hooks call; "" installs none
	Open     func(home string, o repo.Options) (*repo.Store, error)

	InTerm, OutTerm, ErrTerm bool

	// What the global flags say; filled in before a verb runs.
	home, bot    string
	room, member string // whose layer of the bot is meant; at most one of them
	json         bool   // answers and errors as JSON
	quiet        bool   // no words on standard error but errors
	color        bool
	pager        bool

	door     repo.Via      // by which workspaces are made; "" is the command line
	resident bool          // the process stays
	log      *slog.Logger  // of the vault; nil tells the person in plain sentences
	wait     time.Duration // how long a write waits for locks; 0 is the vault's own
	opened   *repo.Store
}

// envKey is where the app carries its env from run to the verbs.
const envKey = "env"

func envOf(c *cli.Context) *env { return c.App.Metadata[envKey].(*env) }

// globalFlags are the flags that every verb has, before it or after it.
func globalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "home", Usage: "the `DIR` that holds the bots (default: $QUIPU_HOME, else ~/.quipu)"},
		&cli.StringFlag{Name: "bot", Usage: "whose memory: a bot's `ID`, or @me for About me (default: $QUIPU_BOT, else the workspace you are in, else the only bot)"},
		&cli.StringFlag{Name: "room", Usage: "what the bot keeps of the room with this `ID`; of load, recall and search: as in that room"},
		&cli.StringFlag{Name: "member", Usage: "what it keeps of the person with this `ID`; of load, recall and search: as in their chat"},
		&cli.BoolFlag{Name: "json", Usage: "print JSON, errors too"},
		&cli.BoolFlag{Name: "quiet", Usage: "print no words beside the answer"},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` to colour: auto, always, never"},
		&cli.BoolFlag{Name: "no-pager", Usage: "do not page long answers"},
	}
}

// configure takes the global flags and the environment in.
func (e *env) configure(c *cli.Context) error {
	e.home = firstOf(c.String("home"), e.Getenv("QUIPU_HOME"))
	e.bot = firstOf(c.String("bot"), e.Getenv("QUIPU_BOT"))
	if e.room, e.member = c.String("room"), c.String("member"); e.room != "" && e.member != "" {
		return usage("name one of them", "--room and --member mean two different layers")
	}
	e.json, e.quiet = c.Bool("json"), c.Bool("quiet")
	switch when := c.String("color"); when {
	case "auto", "":
		e.color = e.OutTerm && e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb"
	case "always", "never":
		e.color = when == "always"
	default:
		return usage("write --color auto, always or never", "%q is no way to colour", when)
	}
	e.pager = e.OutTerm && !e.json && !c.Bool("no-pager")
	return nil
}

// Store is the home, opened at the first need; run closes it.
func (e *env) Store() (*repo.Store, error) {
	if e.opened != nil {
		return e.opened, nil
	}
	home, err := e.homeDir()
	if err != nil {
		return nil, err
	}
	s, err := e.Open(home, repo.Options{Now: e.Now, Log: e.logger(), Wait: e.wait, Program: e.Program, Door: e.door, Resident: e.resident})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", home, err)
	}
	e.opened = s
	return s, nil
}

// logger is where the lower floors tell what goes on beside an answer.
func (e *env) logger() *slog.Logger {
	if e.log != nil {
		return e.log
	}
	return slog.New(&sentences{out: e.Err, quiet: e.quiet || e.json})
}

// homeDir is the home's folder, absolute, whether it is there or not.
func (e *env) homeDir() (string, error) {
	home := e.home
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return "", usage("say where with --home DIR or QUIPU_HOME", "no home folder is known")
		}
		home = filepath.Join(user, ".quipu")
	}
	if filepath.IsAbs(home) {
		return filepath.Clean(home), nil
	}
	return filepath.Join(e.Dir, home), nil
}

func (e *env) close() error {
	if e.opened == nil {
		return nil
	}
	s := e.opened
	e.opened = nil
	return s.Close()
}

// person is who acts here: the command line acts for the person.
func (e *env) person() (repo.Author, error) {
	s, err := e.Store()
	if err != nil {
		return repo.Author{}, err
	}
	return repo.Author{Kind: repo.Person, Name: s.Config().PersonName()}, nil
}

// meta is how a change from here is signed.
func (e *env) meta(dryRun bool) (repo.Meta, error) {
	who, err := e.person()
	if err != nil {
		return repo.Meta{}, err
	}
	return repo.Meta{Author: who, Via: repo.ViaCLI, DryRun: dryRun}, nil
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// lookup is Getenv for who asks whether a variable is set; an empty one is not.
func (e *env) lookup(name string) (string, bool) {
	v := e.Getenv(name)
	return v, v != ""
}
