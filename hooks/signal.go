package hooks

import (
	"context"
	"errors"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// The signals that a bot, or a person through a program, gives about a fact.
const (
	Support = "support" // it is so
	Dispute = "dispute" // it is not so
	Ignored = "ignore"  // it was brought up, and the person did not take it up
)

// Signalling is what somebody says about one fact.
type Signalling struct {
	Fact   string // selector; see repo.Workspace.Evidence
	Signal string // Support, Dispute or Ignored
	Quote  string // the words of the turn's message that say so
	Turn   string // in which the bot acts; "" is none
	Via    repo.Via
	Person bool // without a turn it is the person who says so, and no bot
}

// Signalled is what became of it.
type Signalled struct {
	OK     bool           `json:"ok"`
	Change *repo.ChangeID `json:"change"` // null when nothing was written: the turn had counted already
	// Standing is how the fact stands then.
	Standing repo.Stand `json:"standing"`
}

// Signal moves the standing of a fact. A bot does so in a turn alone: it supports and
// disputes with words of the owner's own message, while the turn is under way, as they were
// said and meant. What the owner asked to keep in mind in these words is the owner's own
// signal. ErrInvalid for no signal; ErrNotFound and ErrConflict for no one fact, and for a
// turn as Behalf has it; ErrRefused without a turn and for words that do not bear it out.
func (t *Turns) Signal(ctx context.Context, bot repo.ID, a Signalling) (Signalled, error) {
	if a.Signal != Support && a.Signal != Dispute && a.Signal != Ignored {
		return Signalled{}, repo.Meaning(repo.ErrInvalid, "signal must be support, dispute or ignore")
	}
	if !a.Person && !t.store.Config().MemoryOn(bot) {
		return Signalled{}, repo.Meaning(repo.ErrOff, "memory is switched off for this bot")
	}
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return Signalled{}, err
	}
	before, err := ws.Evidence(ctx, a.Fact, time.Time{})
	if err != nil {
		return Signalled{}, err
	}
	m, x, err := t.signalOf(ctx, bot, a, before.Fact)
	if err != nil {
		return Signalled{}, err
	}
	receipt, err := ws.Signal(ctx, m, []repo.Signalled{x})
	if err != nil {
		return Signalled{}, err
	}
	out := Signalled{OK: true, Standing: before.Stand()}
	if receipt.Change != "" {
		out.Change = &receipt.Change
	}
	after, err := ws.Evidence(ctx, before.Fact, time.Time{})
	if err != nil {
		t.log.WarnContext(ctx, "the signal is kept; how the fact stands now cannot be told", "bot", bot, "err", err)
		return out, nil
	}
	out.Standing = after.Stand()
	return out, nil
}

// signalOf is what a signal comes to, and in whose name.
func (t *Turns) signalOf(ctx context.Context, bot repo.ID, a Signalling, fact string) (repo.Meta, repo.Signalled, error) {
	x := repo.Signalled{Fact: a.Fact, Why: policy.Ignore, Quote: a.Quote}
	owners, bots := policy.Confirm, policy.Reinforce
	if a.Signal == Dispute {
		owners, bots = policy.Rebut, policy.Negate
	}
	switch {
	case a.Turn == "" && a.Signal == Ignored:
		return repo.Meta{}, x, repo.Meaning(repo.ErrRefused, "what was not taken up counts once a turn: send turn")
	case a.Turn == "" && !a.Person:
		return repo.Meta{}, x, repo.Meaning(repo.ErrRefused, "a bot says whether a note is so only in a turn, with words of the person: send turn")
	case a.Turn == "":
		x.Why = owners
		return repo.Meta{Author: t.owner(), Via: a.Via}, x, nil
	}
	by, err := t.Behalf(ctx, bot, a.Turn, a.Via)
	if err != nil || a.Signal == Ignored {
		x.Quote = ""
		return by.Meta, x, err
	}
	if x.Quote, err = by.quoted(a.Quote); err != nil {
		return by.Meta, x, err
	}
	x.Why = bots
	if by.asks && policy.Concerns(x.Quote, fact) {
		x.Why, by.Meta.Author = owners, t.owner()
	}
	return by.Meta, x, nil
}

// quoted is a quote as the person said it in the message that began the turn, if they did
// and meant it. ErrRefused.
func (by Behalf) quoted(quote string) (string, error) {
	if !by.person {
		return "", repo.Meaning(repo.ErrRefused, "only the person's own words, in a chat with them that is under way, say whether a note is so")
	}
	if strings.TrimSpace(quote) == "" {
		return "", repo.Meaning(repo.ErrRefused, "send quote: the words of the person's message that say so")
	}
	words, err := policy.Meant(quote, by.said, injected())
	if unfit, is := errors.AsType[*policy.Unfit](err); is {
		err = repo.Meaning(repo.ErrRefused, unfit.Reason)
	}
	return words, err
}
