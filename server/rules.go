package server

import (
	"context"
	"net/http"

	"quipu/policy"
	"quipu/repo"
)

// RulesAnswer is the rules in force, as they are sent and printed.
type RulesAnswer struct {
	Preset   string          `json:"preset"`
	Switches []policy.Switch `json:"switches"`
	Told     []string        `json:"told"` // as a bot is told them
}

// AnswerRules lays out rules.
func AnswerRules(r policy.Rules) RulesAnswer {
	return RulesAnswer{Preset: r.Preset, Switches: r.List(), Told: append([]string{}, r.Told()...)}
}

// rules lists the switches in force for a bot.
func (s *Server) rules(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, AnswerRules(ws.Rules()))
	return nil
}

// Trial is a text that somebody might ask to keep, to be tried against the rules.
type Trial struct {
	Text, Topic string
	Said        string // the person's message that it rests on
	Quote       string // words of it, as a bot would quote them
	Asked       bool   // the person asks for it
}

// Run tries it; who is the person for whom the bot works, and nothing is written.
func (t Trial) Run(ctx context.Context, ws *repo.Workspace, who repo.Author, via repo.Via) (repo.Tried, error) {
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: string(ws.ID())}, Via: via}
	if t.Asked {
		m.Author = who
	}
	u := policy.Update{Action: policy.Append, Text: t.Text, TextSet: true, Topic: t.Topic, Quote: t.Quote, Asked: t.Asked || policy.AsksToRemember(t.Said)}
	if t.Said != "" {
		u.Said = []string{t.Said}
	}
	return ws.Try(ctx, m, u)
}

// tryRules says what would become of a text.
func (s *Server) tryRules(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var t Trial
	var topic, said, quote *string
	var asked *bool
	if err := decode(w, r, mustText("text", &t.Text), text("topic", &topic), text("said", &said), text("quote", &quote), flag("asked", &asked)); err != nil {
		return err
	}
	t.Topic, t.Said, t.Quote, t.Asked = valueOf(topic), valueOf(said), valueOf(quote), isTrue(asked)
	got, err := t.Run(r.Context(), ws, s.byPerson().Author, repo.ViaAPI)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, got)
	return nil
}
