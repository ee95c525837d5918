package turns

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Origin names the turns outside rooms by the two facts that decide who may read them.
type Origin struct {
	Kind      Kind
	StartedBy string
}

// Scope says which turns of a bot a search may read. The caller decides it from the
// host's facts alone. The zero Scope reads nothing, and an empty list adds nothing:
// a fact that is missing never widens it.
type Scope struct {
	Everything    bool     // every turn of the bot
	From          []Origin // turns without a room, of this kind and begun by this one
	Rooms         []string // turns in these rooms, by the room's id
	Conversations []string // turns of these conversations
	Except        []string // conversations that are not read, whatever the rest says
	NotOthers     bool     // nor chats outside rooms that a person other than the owner began, or nobody knows who
}

// tokens are the words in place that say who may find a message. Ids of rooms and of
// who began a chat are hashed: they are matched whole and nobody needs to read them.
func botToken(bot int64) string { return fmt.Sprintf("b%d", bot) }

func conversationToken(conversation int64) string { return fmt.Sprintf("c%d", conversation) }

func roomToken(id string) string { return "r" + digest(id) }

func originToken(o Origin) string { return "o" + digest(string(o.Kind), o.StartedBy) }

const deedToken = "deed"

func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p) // a hash takes every write
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// place is what the full text holds of where a message was said.
func (t stored) place(deed bool) string {
	at := originToken(Origin{Kind: t.Conversation.Kind, StartedBy: t.Conversation.StartedBy})
	if r := t.Conversation.Room; r != nil && r.ID != "" {
		at = roomToken(r.ID)
	}
	tokens := []string{botToken(t.bot), conversationToken(t.conversation), at}
	if deed {
		tokens = append(tokens, deedToken)
	}
	return strings.Join(tokens, " ")
}

// match gives the scope in the language of the full text: what a message's place must
// hold, and what it must not. ok is false when nothing can be read.
func (sc Scope) match(ctx context.Context, tx *work, bot int64) (must, not string, ok bool, err error) {
	except, err := conversationTokens(ctx, tx, bot, sc.Except)
	if err != nil {
		return "", "", false, err
	}
	if sc.NotOthers {
		others, err := otherOrigins(ctx, tx, bot)
		if err != nil {
			return "", "", false, err
		}
		except = append(except, others...)
	}
	must = anyPlace(botToken(bot))
	if sc.Everything {
		return must, anyPlace(except...), true, nil
	}
	any, err := conversationTokens(ctx, tx, bot, sc.Conversations)
	if err != nil {
		return "", "", false, err
	}
	for _, r := range sc.Rooms {
		if r != "" {
			any = append(any, roomToken(r))
		}
	}
	for _, o := range sc.From {
		any = append(any, originToken(o))
	}
	return must + " AND " + anyPlace(any...), anyPlace(except...), len(any) > 0, nil
}

// otherOrigins gives the tokens of the chats that another person than the owner began.
func otherOrigins(ctx context.Context, tx *work, bot int64) ([]string, error) {
	began, err := readNames(ctx, tx, "SELECT DISTINCT started_by FROM turn WHERE bot = ? AND room = '' AND kind = 'direct' AND started_by <> 'owner'", bot)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, by := range began {
		out = append(out, originToken(Origin{Kind: Direct, StartedBy: by}))
	}
	return out, nil
}

func anyPlace(tokens ...string) string {
	if len(tokens) == 0 {
		return ""
	}
	return `place : ("` + strings.Join(tokens, `" OR "`) + `")`
}

// conversationTokens gives the tokens of the conversations that the bot has.
func conversationTokens(ctx context.Context, tx *work, bot int64, ids []string) ([]string, error) {
	var out []string
	for _, id := range ids {
		key, err := conversationKey(ctx, tx, bot, id)
		switch {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			return nil, err
		default:
			out = append(out, conversationToken(key))
		}
	}
	return out, nil
}
