package mcp

import (
	"context"
	"fmt"

	"quipu/hooks"
	"quipu/repo"
)

type evidenceIn struct {
	Fact   string `json:"fact" jsonschema:"words that stand in exactly one note, or PATH:LINE"`
	Signal string `json:"signal" jsonschema:"support, dispute or ignore"`
	Quote  string `json:"quote,omitempty" jsonschema:"the person's words in this turn that say so, exactly; not with ignore"`
	Turn   string `json:"turn,omitempty" jsonschema:"the turn in which you act"`
}

func (m *Memory) evidence(ctx context.Context, in evidenceIn) (string, hooks.Signalled, error) {
	out, err := m.turns.Signal(ctx, m.bot, hooks.Signalling{Fact: in.Fact, Signal: in.Signal, Quote: in.Quote, Turn: in.Turn, Via: repo.ViaMCP})
	if err != nil {
		return "", out, err
	}
	return framed(stands(out)), out, nil
}

// stands is one line on how a fact stands after a signal.
func stands(s hooks.Signalled) string {
	text := "Noted"
	if s.Change == nil {
		text = "This turn had counted already"
	}
	switch x := s.Standing; {
	case x.Disputed:
		text += "; it is disputed and enters no prompt"
	case x.Score == nil:
		text += "; it keeps its place whatever speaks against it"
	default:
		text += fmt.Sprintf("; it stands at %.1f, %s, and stays in", *x.Score, x.Tier)
	}
	return text + ": " + s.Standing.Fact
}
