package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Begin puts a turn on disk as open. Of t it reads what is known then: ID, Bot,
// Conversation, Speaker, Message, Started. It ends the open turn of the same
// conversation and those of the bot that are older than six hours, and gives them,
// so that the caller can say whose work they left behind. An empty title keeps the
// one that the conversation has. ErrExists for an id that the bot has.
func (s *Store) Begin(ctx context.Context, t Turn) (lapsed []Turn, err error) {
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("begin turn: %w", err)
	}
	err = s.change(ctx, func(ctx context.Context, tx *work) error {
		n := stored{Turn: t}
		if n.bot, n.conversation, err = settleAt(ctx, tx, t); err != nil {
			return err
		}
		if lapsed, err = lapseAll(ctx, tx, t.Started, "WHERE t.state = 0 AND t.bot = ? AND (t.conversation = ? OR t.started <= ?) ORDER BY t.key",
			n.bot, n.conversation, t.Started.Add(-lapseAfter).UnixMilli()); err != nil {
			return err
		}
		return n.insert(ctx, tx)
	})
	if err != nil {
		return nil, fmt.Errorf("begin turn: %w", err)
	}
	return lapsed, nil
}

// settleAt gives the keys of a turn's bot and conversation, and makes them if need be.
func settleAt(ctx context.Context, tx *work, t Turn) (bot, conversation int64, err error) {
	err = tx.QueryRowContext(ctx, "INSERT INTO bot (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING key", t.Bot).Scan(&bot)
	if err != nil {
		return 0, 0, err
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO conversation (bot, id, title) VALUES (?, ?, ?)
		ON CONFLICT (bot, id) DO UPDATE SET title = CASE excluded.title WHEN '' THEN title ELSE excluded.title END RETURNING key`,
		bot, t.Conversation.ID, clean(t.Conversation.Title)).Scan(&conversation)
	return bot, conversation, err
}

func (t stored) insert(ctx context.Context, tx *work) error {
	room, err := pack(t.Conversation.Room, t.Conversation.Room == nil)
	if err != nil {
		return err
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO turn (bot, conversation, id, state, seq, waiting, kind, started_by, room,
		by, speaker_id, speaker, tier, trust, message, started, ended, tools, failed, changes)
		VALUES (?, ?, ?, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', 0, '') ON CONFLICT DO NOTHING`,
		t.bot, t.conversation, t.ID, t.Conversation.Kind, t.Conversation.StartedBy, room,
		t.Speaker.By, t.Speaker.ID, clean(t.Speaker.Name), t.Speaker.Tier, t.Speaker.Trust, clean(t.Message), t.Started.UnixMilli())
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return orElse(err, fmt.Errorf("%w: turn %s", ErrExists, t.ID))
	}
	return nil
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// clean makes a text that every reader can show: it is UTF-8.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// Get gives one turn with its messages. ErrNotFound for an id that this bot does not
// have, whoever else does.
func (s *Store) Get(ctx context.Context, bot, turn string) (t Turn, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		found, err := turnOf(ctx, tx, bot, turn)
		if err != nil {
			return err
		}
		t = found.Turn
		t.Messages, err = messagesOf(ctx, tx, found.key)
		return err
	})
	if err != nil {
		return Turn{}, fmt.Errorf("turn %s: %w", turn, err)
	}
	return t, nil
}

// End keeps what was said and done in a turn. What began it is kept as its first
// message when the messages hold nothing of that speaker. A turn that lapsed can
// still be ended: it is then as if it had been open, and waits for capture again.
// ErrEnded for a turn that was ended before, ErrNotFound for one that was deleted
// meanwhile: then nothing is kept.
func (s *Store) End(ctx context.Context, bot, turn string, e Ending) error {
	err := e.check()
	if err == nil {
		err = s.change(ctx, func(ctx context.Context, tx *work) error {
			t, err := turnOf(ctx, tx, bot, turn)
			switch {
			case err != nil:
				return err
			case t.state == stateEnded:
				return ErrEnded
			case t.state == stateLapsed:
				if err := t.unsay(ctx, tx); err != nil {
					return err
				}
			}
			return t.end(ctx, tx, stateEnded, e)
		})
	}
	if err != nil {
		return fmt.Errorf("end turn %s: %w", turn, err)
	}
	return nil
}

// Lapse ends the bot's turns that are open for six hours or more, and gives them.
func (s *Store) Lapse(ctx context.Context, bot string, now time.Time) (lapsed []Turn, err error) {
	err = s.change(ctx, func(ctx context.Context, tx *work) error {
		lapsed, err = lapseAll(ctx, tx, now, "WHERE t.state = 0 AND b.name = ? AND t.started <= ? ORDER BY t.key",
			bot, now.Add(-lapseAfter).UnixMilli())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lapse turns of %s: %w", bot, err)
	}
	return lapsed, nil
}

// lapseAll ends the open turns of a query: now, or six hours after they began when
// that was earlier.
func lapseAll(ctx context.Context, tx *work, now time.Time, rest string, args ...any) ([]Turn, error) {
	open, err := read(ctx, tx, rest, args...)
	if err != nil {
		return nil, err
	}
	var out []Turn
	for _, t := range open {
		at := now
		if limit := t.Started.Add(lapseAfter); at.After(limit) {
			at = limit
		}
		if err := t.end(ctx, tx, stateLapsed, Ending{At: at}); err != nil {
			return nil, err
		}
		whole, err := readWhole(ctx, tx, "WHERE t.key = ?", t.key)
		if err != nil {
			return nil, err
		}
		out = append(out, whole...)
	}
	return out, nil
}

// OpenTurns gives the bot's turns that are open at a moment, oldest first. One that
// is due to lapse is left out.
func (s *Store) OpenTurns(ctx context.Context, bot string, now time.Time) (open []Turn, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		open, err = readWhole(ctx, tx, "WHERE t.state = 0 AND b.name = ? AND t.started > ? ORDER BY t.key",
			bot, now.Add(-lapseAfter).UnixMilli())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open turns of %s: %w", bot, err)
	}
	return open, nil
}

// end writes the messages of a turn and closes it.
func (t stored) end(ctx context.Context, tx *work, state int, e Ending) error {
	at := e.At
	if at.Before(t.Started) { // a clock was set back
		at = t.Started
	}
	if t.Speaker.By != Self && !saysOpening(e.Messages, t.Speaker) {
		e.Messages = slices.Insert(slices.Clone(e.Messages), 0, Message{Speaker: t.Speaker, Text: t.Message})
	}
	if err := t.say(ctx, tx, at.UnixMilli(), e); err != nil {
		return err
	}
	tools, err := pack(e.Tools, len(e.Tools) == 0)
	if err != nil {
		return err
	}
	changes, err := pack(e.Changes, len(e.Changes) == 0)
	if err != nil {
		return err
	}
	var seq int64
	if err := tx.QueryRowContext(ctx, "UPDATE meta SET seq = seq + 1 RETURNING seq").Scan(&seq); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE turn SET state = ?, seq = ?, waiting = 1, ended = ?, tools = ?, failed = ?, changes = ? WHERE key = ?",
		state, seq, at.UnixMilli(), tools, e.Failed, changes, t.key)
	return err
}
