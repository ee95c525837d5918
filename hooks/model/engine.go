package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quipu/repo"
)

// Engine is a model that writes for one bot.
type Engine struct {
	models *Models
	bot    repo.ID
	name   string
	helper bool
	conf   repo.ModelConfig
	model  Model
}

// Name is the engine's name among the configuration's models.
func (e *Engine) Name() string { return e.name }

// Helper says whether it is the helper that stands in for the bot's own engine.
func (e *Engine) Helper() bool { return e.helper }

// Complete asks the model and keeps what the call used, by the job that it is for:
// capture, organize, tidy. ErrLimit, without asking, when a month's limit is reached:
// calls that are under way do not count yet. ErrTimeout, ErrFailed; the context's
// error when that was cancelled.
func (e *Engine) Complete(ctx context.Context, job string, p Prompt) (string, error) {
	m := e.models
	start := m.o.Now()
	a, err := e.ask(ctx, start, p)
	err = m.masked(err)
	use := Use{
		At: start.UTC().Truncate(time.Second), Bot: e.bot, Job: job, Engine: e.name, Model: e.conf.Model, Helper: e.helper,
		In: a.In, Out: a.Out, Ms: max(0, m.o.Now().Sub(start).Milliseconds()), OK: err == nil, Error: word(err),
	}
	if price := e.conf.Price; price != nil {
		cost := (price.In*float64(a.In) + price.Out*float64(a.Out)) / 1e6
		use.Cost = &cost
	}
	if kept := m.book.add(use); kept != nil {
		m.o.Log.Warn("the use of a model is not counted", "engine", e.name, "err", kept)
	}
	if err != nil {
		if e.helper && !errors.Is(err, context.Canceled) {
			m.note(m.o.Config(), e.name, Plain(err))
		}
		return "", err
	}
	return a.Text, nil
}

// ask asks the model within its limits of money and time.
func (e *Engine) ask(ctx context.Context, now time.Time, p Prompt) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, given(err)
	}
	if err := e.models.book.admit(e.models.o.Config().Usage, now); err != nil {
		return Answer{}, err
	}
	limit := e.conf.Timeout()
	call, stop := context.WithTimeout(ctx, limit)
	defer stop()
	a, err := e.model.Complete(call, p)
	switch {
	case err == nil:
		return a, nil
	case ctx.Err() != nil:
		return a, given(ctx.Err())
	case call.Err() != nil:
		return a, late(limit)
	}
	return a, err
}

// given is the error of a call that ended because its caller's time did.
func given(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrTimeout
	}
	return fmt.Errorf("ask the model: %w", err)
}
