package server

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// standing is on whose behalf a bot's update comes: what its turn says, and nothing
// that the update says itself.
type standing struct {
	meta   repo.Meta
	person bool // the owner, in a chat of their own that is under way, began it in their own words
	asks   bool // and those words ask to keep something in mind
	said   string
}

// names reports whether the person's own words name what is to be forgotten. Only that
// is erased for good: a bot could call for more than its person asked.
func (by standing) names(words []string) bool {
	phrases, err := policy.ParsePhrases(words)
	return by.person && err == nil && !slices.ContainsFunc(phrases, func(p policy.Phrase) bool { return !p.In(by.said) })
}

// source is where a fact that is learned so comes from.
func (by standing) source() string { return cmp.Or(by.meta.Source, "api") }

// standing looks the turn up; without one it is the bot's alone. A turn that has ended
// still says where a fact is from, but nobody waits behind it any more.
func (s *Server) standing(ctx context.Context, bot repo.ID, turn *string) (standing, error) {
	if turn == nil {
		return standing{meta: repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: string(bot)}, Via: repo.ViaAPI, Source: "api"}}, nil
	}
	t, err := s.turnOf(ctx, bot, *turn)
	if err != nil {
		return standing{}, err
	}
	by := standing{meta: repo.MetaOf(bot, t)}
	by.person = t.Open() && t.Speaker.By == repo.ByOwner && t.Conversation.Kind == repo.DirectChat && t.Conversation.Room == nil &&
		strings.TrimSpace(t.Message) != ""
	by.said = t.Message
	by.asks = by.person && policy.AsksToRemember(t.Message)
	return by, nil
}

// learn runs an update of the notes. What the person had forgotten is learned again
// when they ask for it themselves: that change is then the person's.
func (s *Server) learn(ctx context.Context, ws *repo.Workspace, by standing, u policy.Update) (repo.Receipt, error) {
	receipt, err := ws.Update(ctx, by.meta, u)
	if by.asks && errors.Is(err, repo.ErrRefused) {
		by.meta.Author = s.person()
		return ws.Update(ctx, by.meta, u)
	}
	return receipt, err
}

// prefer adds a preference to About me, in a turn of the owner's own.
func (s *Server) prefer(ctx context.Context, bot repo.ID, by standing, text string) (repo.Receipt, error) {
	if !by.person {
		return repo.Receipt{}, &problem{
			status: http.StatusUnprocessableEntity, code: "refused",
			sentence: "a preference goes into About me only in a turn whose own person asked for it: send turn",
		}
	}
	if _, err := policy.Preference(text); err != nil {
		return repo.Receipt{}, err
	}
	me, err := s.store.MakeMe(ctx, "")
	if err != nil {
		return repo.Receipt{}, err
	}
	s.used(me)
	if by.asks {
		by.meta.Author = s.person()
	}
	return me.Prefer(ctx, by.meta, cmp.Or(s.store.Config().Bots[bot].Name, string(bot)), text)
}
