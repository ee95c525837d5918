package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/repo"
	"quipu/server"
)

func newRecall() *cli.Command {
	return &cli.Command{
		Name: "recall", Category: "read", ArgsUsage: "MESSAGE",
		Usage: "what would be put before this message, and why",
		Description: "Prints the block that a turn with this message gets besides what loads, and on standard error which words brought each " +
			"piece up. As in a chat of yours with the bot; with --room as in that room, where notes alone are recalled.",
		Flags: []cli.Flag{&cli.StringFlag{Name: "room", Usage: "as in the room with this `ID`"}},
		Action: func(c *cli.Context) error {
			args, err := words(c, "MESSAGE")
			if err != nil {
				return err
			}
			return runRecall(c.Context, envOf(c), args[0], c.String("room"))
		},
	}
}

func runRecall(ctx context.Context, e *env, message, room string) error {
	message, err := e.input(message)
	if err != nil {
		return err
	}
	w, turns, err := e.turns(ctx)
	if err != nil {
		return err
	}
	c, who := server.OwnersChat()
	if room != "" {
		c = &repo.Conversation{Kind: repo.RoomChat, Room: &repo.Room{ID: room}}
	}
	if err := e.takeIn(ctx, w); err != nil {
		return err
	}
	r, err := turns.Recall(ctx, w.ID(), message, *c, who)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(server.AnswerRecall(r))
	}
	if r.Block == "" {
		e.say("%s", e.unlessOff(w.ID(), "nothing is recalled"))
		return nil
	}
	if err := e.write(e.shown(strings.TrimSuffix(r.Block, "\n") + "\n")); err != nil {
		return err
	}
	for _, why := range r.Why {
		e.say("%s", because(why))
	}
	return nil
}

// unlessOff is what to say of an empty answer: that memory is off, where it is.
func (e *env) unlessOff(bot repo.ID, text string) string {
	switch c := e.opened.Config(); {
	case !c.MemoryOn(bot):
		return "memory is switched off for this bot"
	case !c.AutoRecall() && strings.Contains(text, "recalled"):
		return "automatic recall is switched off"
	}
	return text
}

// because says on one line what brought a piece up.
func because(w hooks.Why) string {
	text := fmt.Sprintf("%s: %s (%.2f)", clean(w.Label), clean(strings.Join(w.Words, ", ")), w.Score)
	if w.Change != "" {
		text += ", from change " + clean(w.Change)
	}
	return text
}

// turns opens the bot that is meant and the boundary of its turns.
func (e *env) turns(ctx context.Context) (*repo.Workspace, *hooks.Turns, error) {
	w, err := e.botsNotes(ctx)
	if err != nil {
		return nil, nil, err
	}
	return w, hooks.NewTurns(e.opened, e.Now, e.logger()), nil
}
