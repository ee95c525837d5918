package main

import (
	"time"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newToken() *cli.Command {
	return &cli.Command{
		Name: "token", Category: "serve",
		Usage:  "what opens the HTTP API",
		Action: groupOnly,
		Subcommands: []*cli.Command{
			{
				Name: "show", Usage: "print the owner's token, made on first use",
				Action: noArgs(runTokenShow),
			},
			{
				Name: "rotate", Usage: "replace the owner's token; the old one opens nothing any more",
				Flags:  []cli.Flag{dryRunFlag()},
				Action: noArgs(runTokenRotate),
			},
			{
				Name: "create", Usage: "make a token for a role; it is shown once",
				Description: "The role owner may do everything; bot reads and updates the notes of the bot that --bot names; member is a person in a shared installation.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "role", Usage: "`ROLE`: owner, bot, member", Value: repo.RoleBot},
					&cli.StringFlag{Name: "member", Usage: "the `PERSON` of a member's token"},
					dryRunFlag(),
				},
				Action: noArgs(runTokenCreate),
			},
			{
				Name: "list", Usage: "list the created tokens, without their text",
				Action: noArgs(runTokenList),
			},
			{
				Name: "revoke", Usage: "take a token away", ArgsUsage: "ID",
				Flags: []cli.Flag{dryRunFlag()},
				Action: func(c *cli.Context) error {
					args, err := words(c, "ID")
					if err != nil {
						return err
					}
					return runTokenRevoke(envOf(c), args[0], c.Bool("dry-run"))
				},
			},
		},
	}
}

// noArgs is the action of a verb that takes flags only.
func noArgs(fn func(*cli.Context, *env) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		if _, err := words(c); err != nil {
			return err
		}
		return fn(c, envOf(c))
	}
}

func runTokenShow(_ *cli.Context, e *env) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	plain, err := s.OwnerToken()
	if err != nil {
		return err
	}
	return e.printToken(plain, repo.Token{ID: repo.RoleOwner, Role: repo.RoleOwner})
}

func runTokenRotate(c *cli.Context, e *env) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	if c.Bool("dry-run") {
		e.say("would replace the owner's token (dry run, nothing is written)")
		return nil
	}
	plain, err := s.RotateToken()
	if err != nil {
		return err
	}
	e.say("the old token opens nothing any more")
	return e.printToken(plain, repo.Token{ID: repo.RoleOwner, Role: repo.RoleOwner})
}

func runTokenCreate(c *cli.Context, e *env) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	role, bot := c.String("role"), repo.ID(e.bot)
	if role == repo.RoleBot {
		if bot, err = e.which(c.Context, s); err != nil {
			return err
		}
		if _, err := s.Open(c.Context, bot); err != nil {
			return e.namingBot(err, bot)
		}
	}
	if role == repo.RoleOwner {
		bot = "" // QUIPU_BOT says whose memory the words mean, not whose token this is
	}
	if c.Bool("dry-run") {
		e.say("would make a token for the role %s (dry run, nothing is written)", role)
		return nil
	}
	plain, t, err := s.CreateToken(role, bot, c.String("member"))
	if err != nil {
		return err
	}
	e.say("made %s; its text is shown this once", t.ID)
	return e.printToken(plain, t)
}

func runTokenList(_ *cli.Context, e *env) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	list, err := s.ListTokens()
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"tokens": orNone(list)})
	}
	if len(list) == 0 {
		e.say("no tokens but the owner's")
	}
	rows := make([][]string, 0, len(list))
	for _, t := range list {
		rows = append(rows, []string{t.ID, t.Role, firstOf(string(t.Bot), "-"), firstOf(t.Member, "-"), t.Created.Format(time.RFC3339)})
	}
	return e.write(table(rows))
}

func runTokenRevoke(e *env, id string, dryRun bool) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	if dryRun {
		e.say("would take token %s away (dry run, nothing is written)", clean(id))
		return nil
	}
	if err := s.RevokeToken(id); err != nil {
		return hinted(err, "`quipu token list` lists them")
	}
	e.say("token %s opens nothing any more", clean(id))
	if e.json {
		return e.print(map[string]any{"ok": true, "id": id})
	}
	return nil
}

// printToken prints a token's text alone, so that a script can take it.
func (e *env) printToken(plain string, t repo.Token) error {
	if !e.json {
		return e.write(plain + "\n")
	}
	out := map[string]any{"token": plain, "id": t.ID, "role": t.Role}
	if t.Bot != "" {
		out["bot"] = t.Bot
	}
	if t.Member != "" {
		out["member"] = t.Member
	}
	return e.print(out)
}
