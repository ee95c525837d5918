package hooks

import (
	"context"
	"errors"

	"quipu/hooks/model"
	"quipu/policy"
	"quipu/repo"
)

// ReviewBy lets models review what a bot asks to keep, where a rule asks for it. Without
// them such a note is skipped.
func (t *Turns) ReviewBy(models *model.Models) *Turns {
	t.models = models
	return t
}

// errSkipped says that a note was not borne out. It is no fault: the chat goes on.
var errSkipped = errors.New("skipped")

// reviewed has a note of the bot judged by a model, which sees the note and the owner's last
// messages of that chat alone. errSkipped when it says no, or nothing that can be read.
func (t *Turns) reviewed(ctx context.Context, bot repo.ID, u *policy.Update) error {
	rules := t.store.Config().RulesIn(bot)
	learns := u.Action == policy.Append || u.Action == policy.Replace || u.Action == policy.Supersede
	if !learns || !policy.On(rules.Reviewed) || len(u.Said) > 0 && policy.WholeMessage(u.Said[len(u.Said)-1], u.Quote) {
		return nil
	}
	if len(u.Said) == 0 || t.models == nil {
		return errSkipped
	}
	engine, err := t.models.For(bot)
	if err != nil {
		t.log.InfoContext(ctx, "a note was skipped: no model reviews it", "bot", bot, "err", err)
		return errSkipped
	}
	note, _ := t.store.Redact(u.Text)
	ask := policy.ReviewRequest(u.Said, note)
	text, _ := t.store.Redact(ask.Text)
	answer, err := engine.Complete(ctx, "review", model.Prompt{System: ask.System, Text: text, Schema: ask.Schema, Name: "review"})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.log.InfoContext(ctx, "a note was skipped: its review failed", "bot", bot, "err", err)
		return errSkipped
	}
	if !policy.Reviewed(answer, policy.On(rules.Sensitive), u.Said[len(u.Said)-1]) {
		return errSkipped
	}
	u.Reviewed = true
	return nil
}
