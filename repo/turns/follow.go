package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// pageSize is how many turns one call of Follow or Waiting gives.
const pageSize = 200

// Mark is how far a reader has come in what a bot's conversations hold. The zero Mark
// is the beginning. It holds for one file.
type Mark struct{ bot, seq, cut int64 }

// Page is what a reader has not seen yet.
type Page struct {
	Turns []Turn // in the order in which they ended; none: the reader has seen all
	Next  Mark
	// Reset says that something was deleted since the mark: the reader forgets what it
	// had, and the page, which may be empty, begins anew.
	Reset bool
}

// Follow gives the turns that ended after a mark, at most 200; call it with Next until
// there are none. A turn that lapsed and was ended later comes twice, under one id.
func (s *Store) Follow(ctx context.Context, bot string, from Mark) (page Page, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		var key, cut int64
		err := tx.QueryRowContext(ctx, "SELECT key, cut FROM bot WHERE name = ?", bot).Scan(&key, &cut)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := Mark{bot: key, seq: from.seq, cut: cut}
		if from != now {
			page.Reset = from != Mark{}
			now.seq = 0
		}
		turns, err := read(ctx, tx, "WHERE t.bot = ? AND t.seq > ? AND t.state > 0 ORDER BY t.seq LIMIT ?", key, now.seq, pageSize)
		if err != nil {
			return err
		}
		for _, t := range turns {
			now.seq = t.seq
			if t.Messages, err = messagesOf(ctx, tx, t.key); err != nil {
				return err
			}
			page.Turns = append(page.Turns, t.Turn)
		}
		page.Next = now
		return nil
	})
	if err != nil {
		return Page{}, fmt.Errorf("follow conversations of %s: %w", bot, err)
	}
	return page, nil
}

// Batch is the turns of one conversation that capture has not read, in the order in
// which they ended.
type Batch struct {
	Conversation Conversation // as of its newest turn
	Turns        []Turn
}

// Waiting gives the bot's turns that capture has not read, by conversation, the
// conversation that waits longest first. It gives at most 200; the rest come when
// these are marked.
func (s *Store) Waiting(ctx context.Context, bot string) (batches []Batch, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		turns, err := readWhole(ctx, tx, "WHERE b.name = ? AND t.waiting = 1 ORDER BY t.seq LIMIT ?", bot, pageSize)
		at := map[string]int{}
		for _, t := range turns {
			i, ok := at[t.Conversation.ID]
			if !ok {
				i = len(batches)
				at[t.Conversation.ID] = i
				batches = append(batches, Batch{})
			}
			batches[i].Conversation = t.Conversation
			batches[i].Turns = append(batches[i].Turns, t)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("waiting turns of %s: %w", bot, err)
	}
	return batches, nil
}

// Queued is a conversation whose turns capture has not read.
type Queued struct {
	Bot, Conversation string
	Turns             int
	Last              time.Time // when the newest of them ended
}

// Queue gives, of all bots, the conversations that have turns waiting.
func (s *Store) Queue(ctx context.Context) (queue []Queued, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		rows, err := tx.QueryContext(ctx, `SELECT b.name, c.id, count(*), max(t.ended) FROM turn t JOIN bot b ON b.key = t.bot JOIN conversation c ON c.key = t.conversation
			WHERE t.waiting = 1 GROUP BY t.conversation ORDER BY max(t.ended), t.conversation`)
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err has told what went wrong
		for rows.Next() {
			var q Queued
			var last int64
			if err := rows.Scan(&q.Bot, &q.Conversation, &q.Turns, &last); err != nil {
				return err
			}
			q.Last = time.UnixMilli(last).UTC()
			queue = append(queue, q)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("waiting conversations: %w", err)
	}
	return queue, nil
}

// StillWaiting gives those of a bot's turns that are there and that capture has not
// read.
func (s *Store) StillWaiting(ctx context.Context, bot string, turns ...string) (waiting []string, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		for _, id := range turns {
			var there bool
			err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM turn WHERE bot = (SELECT key FROM bot WHERE name = ?) AND id = ? AND waiting = 1)", bot, id).Scan(&there)
			if err != nil {
				return err
			}
			if there {
				waiting = append(waiting, id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("waiting turns of %s: %w", bot, err)
	}
	return waiting, nil
}

// MarkRead says that capture has read turns, and gives the ids of those that were
// still waiting: what was deleted since, or read by another, is not among them, and
// nothing that rests on it may be kept.
func (s *Store) MarkRead(ctx context.Context, bot string, turns ...string) (marked []string, err error) {
	err = s.change(ctx, func(ctx context.Context, tx *work) (err error) {
		marked, err = changedBy(ctx, tx, turns, "UPDATE turn SET waiting = 0 WHERE bot = (SELECT key FROM bot WHERE name = ?) AND id = ? AND waiting = 1", bot)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("mark turns of %s as read: %w", bot, err)
	}
	return marked, nil
}

// changedBy runs a statement for each id, which is its last argument, and gives the ids
// for which it changed a row.
func changedBy(ctx context.Context, tx *work, ids []string, statement string, args ...any) (changed []string, err error) {
	for _, id := range ids {
		done, err := tx.ExecContext(ctx, statement, append(slices.Clone(args), id)...)
		if err != nil {
			return nil, err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return nil, err
		}
		if n > 0 {
			changed = append(changed, id)
		}
	}
	return changed, nil
}

// Said is the newest that a bot said in a conversation.
type Said struct {
	Turn         string
	Conversation Conversation
	At           time.Time
	Text         string
}

// Newest gives for each of the bot's conversations but one the newest that the bot
// said in it, at or after a moment, newest first.
func (s *Store) Newest(ctx context.Context, bot string, since time.Time, except string) (said []Said, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		rows, err := tx.QueryContext(ctx, `SELECT m.key, m.text, m.turn FROM message m WHERE m.key IN (
				SELECT max(key) FROM message WHERE by = 'self' AND bot = (SELECT key FROM bot WHERE name = ?) AND key >= ? GROUP BY conversation)
			ORDER BY m.key DESC`, bot, keyAt(since.UnixMilli()))
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err has told what went wrong
		for rows.Next() {
			var key, turn int64
			var n Said
			if err := rows.Scan(&key, &n.Text, &turn); err != nil {
				return err
			}
			turns, err := read(ctx, tx, "WHERE t.key = ? AND c.id <> ?", turn, except)
			if err != nil {
				return err
			}
			for _, t := range turns {
				n.Turn, n.Conversation, n.At = t.ID, t.Conversation, momentOf(key)
				said = append(said, n)
			}
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("what %s said last: %w", bot, err)
	}
	return said, nil
}

// Tell records that a room was told which of the bot's conversations were carried into
// it, and gives those that it was not told of before; never one that the bot does not have.
func (s *Store) Tell(ctx context.Context, bot, room string, conversations ...string) (fresh []string, err error) {
	err = s.change(ctx, func(ctx context.Context, tx *work) (err error) {
		fresh, err = changedBy(ctx, tx, conversations, `INSERT INTO told (bot, room, conversation)
			SELECT b.key, ?, c.key FROM bot b JOIN conversation c ON c.bot = b.key WHERE b.name = ? AND c.id = ? ON CONFLICT DO NOTHING`, room, bot)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tell room %s: %w", room, err)
	}
	return fresh, nil
}

// TurnsOf gives the ids of a conversation's turns, oldest first.
func (s *Store) TurnsOf(ctx context.Context, bot, conversation string) (ids []string, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		turns, err := read(ctx, tx, "WHERE b.name = ? AND c.id = ? ORDER BY t.key", bot, conversation)
		for _, t := range turns {
			ids = append(ids, t.ID)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("turns of %s: %w", conversation, err)
	}
	return ids, nil
}

// Summary is one conversation in a list of them.
type Summary struct {
	Conversation Conversation // as of its newest turn
	Turns        int
	Last         time.Time // when its newest turn started
}

// Conversations lists a bot's conversations, that with the newest turn first: what a
// caller decides a scope from, besides the facts of the turn that asks.
func (s *Store) Conversations(ctx context.Context, bot string) (list []Summary, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		rows, err := tx.QueryContext(ctx, `SELECT max(t.key), count(*) FROM conversation c JOIN turn t ON t.conversation = c.key
			WHERE c.bot = (SELECT key FROM bot WHERE name = ?) GROUP BY c.key ORDER BY 1 DESC`, bot)
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err has told what went wrong
		for rows.Next() {
			var turn int64
			var n Summary
			if err := rows.Scan(&turn, &n.Turns); err != nil {
				return err
			}
			turns, err := read(ctx, tx, "WHERE t.key = ?", turn)
			if err != nil {
				return err
			}
			for _, t := range turns {
				n.Conversation, n.Last = t.Conversation, t.Started
				list = append(list, n)
			}
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("conversations of %s: %w", bot, err)
	}
	return list, nil
}
