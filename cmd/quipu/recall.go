package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

func newRecall() *cli.Command {
	return &cli.Command{
		Name: "recall", Category: "read", ArgsUsage: "MESSAGE",
		Usage: "what would be put before this message, and why",
		Description: "Prints the block that a turn with this message gets besides what loads, and on standard error which words brought each " +
			"piece up. As in a chat of yours with the bot; with --room as in that room, where notes alone are recalled, its own among them; " +
			"with --member as in that person's chat.",
		Action: func(c *cli.Context) error {
			args, err := words(c, "MESSAGE")
			if err != nil {
				return err
			}
			return runRecall(c.Context, envOf(c), args[0])
		},
	}
}

func runRecall(ctx context.Context, e *env, message string) error {
	message, err := e.input(message)
	if err != nil {
		return err
	}
	w, turns, err := e.turns(ctx)
	if err != nil {
		return err
	}
	c, who := e.asks()
	if c == nil {
		c, who = server.OwnersChat()
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
	if _, err := e.Store(); err != nil {
		return nil, nil, err
	}
	alone := *e // --room and --member say where a turn is, not whose it is
	alone.room, alone.member = "", ""
	w, err := alone.botsNotes(ctx)
	if err != nil {
		return nil, nil, err
	}
	return w, hooks.NewTurns(e.opened, e.Now, e.logger()), nil
}

// asks says where a turn is thought to be that --room or --member means, and who speaks in
// it: you in the room, the person in a chat of theirs. nil for neither.
func (e *env) asks() (*repo.Conversation, repo.Speaker) {
	switch of := e.layer(); of.Kind {
	case policy.GroupChat:
		return &repo.Conversation{Kind: repo.RoomChat, Room: &repo.Room{ID: of.ID}}, repo.Speaker{By: repo.ByOwner}
	case policy.Participant:
		return &repo.Conversation{Kind: repo.DirectChat, StartedBy: "person:" + of.ID}, repo.Speaker{By: repo.ByPerson, ID: of.ID}
	}
	return nil, repo.Speaker{}
}
