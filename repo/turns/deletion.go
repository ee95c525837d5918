package turns

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// DeleteConversation takes a conversation away with everything that was said in it,
// open turns too, and gives the number of its turns; 0 when the bot has none such.
// When it returns, no byte of the text is left in the file or its log, unless another
// process was reading meanwhile: see Scrub.
func (s *Store) DeleteConversation(ctx context.Context, bot, conversation string) (n int, err error) {
	n, err = s.cut(ctx, bot, func(ctx context.Context, tx *work, key int64) (int, error) {
		c, err := conversationKey(ctx, tx, key, conversation)
		if err != nil {
			return 0, err
		}
		n, err := drop(ctx, tx, "WHERE t.conversation = ?", c)
		if err != nil {
			return 0, err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM told WHERE conversation = ?", c); err != nil {
			return 0, err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM conversation WHERE key = ?", c)
		return n, err
	})
	if err != nil {
		return 0, fmt.Errorf("delete conversation %s: %w", conversation, err)
	}
	return n, nil
}

// Rewind takes away what was said in a conversation after the turn to, which stays,
// and gives the number of turns that are gone, as DeleteConversation does.
// ErrNotFound when the conversation has no such turn.
func (s *Store) Rewind(ctx context.Context, bot, conversation, to string) (n int, err error) {
	found := false
	n, err = s.cut(ctx, bot, func(ctx context.Context, tx *work, _ int64) (int, error) {
		last, err := turnOf(ctx, tx, bot, to)
		if err != nil || last.Conversation.ID != conversation {
			return 0, orElse(err, ErrNotFound)
		}
		found = true
		return drop(ctx, tx, "WHERE t.conversation = ? AND t.key > ?", last.conversation, last.key)
	})
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("rewind %s: %w", conversation, err)
	}
	return n, nil
}

// DeletePerson takes away what one person said to a bot: the conversations outside
// rooms that they began, whole, and elsewhere their own messages. It gives the number
// of turns that were touched, as DeleteConversation does. The person is the host's id,
// as in Speaker.ID and in StartedBy "person:<id>".
func (s *Store) DeletePerson(ctx context.Context, bot, person string) (n int, err error) {
	if person == "" {
		return 0, fmt.Errorf("delete person: %w: no id", ErrInvalid)
	}
	n, err = s.cut(ctx, bot, func(ctx context.Context, tx *work, key int64) (int, error) {
		n, err := drop(ctx, tx, "WHERE t.bot = ? AND t.room = '' AND t.started_by = ?", key, "person:"+person)
		if err != nil {
			return 0, err
		}
		others, err := read(ctx, tx, `WHERE t.bot = ?1 AND (t.speaker_id = ?2 OR t.key IN (SELECT turn FROM message WHERE bot = ?1 AND speaker_id = ?2))`, key, person)
		if err != nil {
			return 0, err
		}
		for _, t := range others {
			if _, err := t.unsayWhich(ctx, tx, func(m heard) bool { return m.speaker == person }); err != nil {
				return 0, err
			}
		}
		_, err = tx.ExecContext(ctx, "UPDATE turn SET message = '', speaker_id = '', speaker = '', tier = '', trust = NULL, by = '' WHERE bot = ? AND speaker_id = ?", key, person)
		return n + len(others), err
	})
	if err != nil {
		return 0, fmt.Errorf("delete person: %w", err)
	}
	return n, nil
}

// DeleteBot takes everything away that was said to a bot and gives the number of its
// turns, as DeleteConversation does.
func (s *Store) DeleteBot(ctx context.Context, bot string) (n int, err error) {
	n, err = s.cut(ctx, bot, func(ctx context.Context, tx *work, key int64) (int, error) {
		n, err := drop(ctx, tx, "WHERE t.bot = ?", key)
		if err != nil {
			return 0, err
		}
		for _, table := range []string{"told WHERE bot", "conversation WHERE bot", "bot WHERE key"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" = ?", key); err != nil {
				return 0, err
			}
		}
		return n, nil
	})
	if err != nil {
		return 0, fmt.Errorf("delete bot %s: %w", bot, err)
	}
	return n, nil
}

// RenameBot gives a bot's conversations another bot's name; nothing when it has none.
// ErrExists when the new name has conversations of its own.
func (s *Store) RenameBot(ctx context.Context, from, to string) error {
	if to == "" {
		return fmt.Errorf("rename bot %s: %w: no new name", from, ErrInvalid)
	}
	err := s.change(ctx, func(ctx context.Context, tx *work) error {
		var taken bool
		err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM bot WHERE name = ?)", to).Scan(&taken)
		if err != nil || from == to {
			return err
		}
		if _, err := botKey(ctx, tx, from); errors.Is(err, ErrNotFound) {
			return nil
		}
		if taken {
			return fmt.Errorf("%w: conversations of %s", ErrExists, to)
		}
		_, err = tx.ExecContext(ctx, "UPDATE bot SET name = ? WHERE name = ?", to, from)
		return err
	})
	if err != nil {
		return fmt.Errorf("rename bot %s: %w", from, err)
	}
	return nil
}

// cut runs a deletion of a bot's rows, and then takes the bytes out of the file. A
// bot, or a conversation, that is not there is nothing to delete.
func (s *Store) cut(ctx context.Context, bot string, fn func(ctx context.Context, tx *work, key int64) (int, error)) (n int, err error) {
	err = s.change(ctx, func(ctx context.Context, tx *work) error {
		key, err := botKey(ctx, tx, bot)
		if err == nil {
			n, err = fn(ctx, tx, key)
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE bot SET cut = cut + 1 WHERE key = ?", key); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE meta SET scrub = scrub + 1")
		return err
	})
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, err
	}
	// The rows are gone from here on: a caller that went away does not stop the rest.
	if err := s.Scrub(context.WithoutCancel(ctx)); err != nil {
		s.log.Warn("what was deleted from conversations may still lie in the file", "why", err)
	}
	return n, nil
}

// drop deletes the turns of a query with all that was said in them.
func drop(ctx context.Context, tx *work, rest string, args ...any) (n int, err error) {
	turns, err := read(ctx, tx, rest, args...)
	if err != nil {
		return 0, err
	}
	most, err := areMost(ctx, tx, len(turns))
	if err != nil {
		return 0, err
	}
	for _, t := range turns {
		if most {
			_, err = tx.ExecContext(ctx, "DELETE FROM message WHERE turn = ?", t.key)
		} else {
			err = t.unsay(ctx, tx)
		}
		if err != nil {
			return 0, err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM turn WHERE key = ?", t.key); err != nil {
			return 0, err
		}
	}
	if most { // making the full text of the rest is less work than taking so much out of it
		err = rebuild(ctx, tx)
	}
	return len(turns), err
}

// areMost reports whether n turns are more than those that would be left.
func areMost(ctx context.Context, tx *work, n int) (bool, error) {
	var all int
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM turn").Scan(&all)
	return n > all-n, err
}

// Scrub takes the bytes of what was deleted out of the file and its log: the full text
// is written anew without its notes of what to leave out, the file without its free
// space, and the log is emptied. It does nothing when nothing was deleted since the
// last time. Every deletion and Open do this; a caller that has a timer calls it too.
// ErrBusy when another process was reading or writing: call again.
func (s *Store) Scrub(ctx context.Context) error {
	if s.closed.Load() {
		return ErrClosed
	}
	var due int64
	err := s.db.QueryRowContext(ctx, "SELECT scrub FROM meta").Scan(&due)
	if err != nil || due == 0 {
		return explain(err)
	}
	err = s.update(ctx, func(ctx context.Context, tx *work) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO found (found) VALUES ('optimize')")
		return err
	})
	if err == nil {
		err = s.empty(ctx)
	}
	if err == nil {
		err = s.update(ctx, func(ctx context.Context, tx *work) error {
			_, err := tx.ExecContext(ctx, "UPDATE meta SET scrub = 0 WHERE scrub = ?", due)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("scrub conversations: %w", err)
	}
	return nil
}

// empty writes the file without its free space and cuts the log to nothing.
func (s *Store) empty(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.db.ExecContext(ctx, "VACUUM"); err != nil {
		return explain(err)
	}
	// A search is over in less; what reads for longer must not hold up the turns.
	limited, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var busy, inLog, moved int64
	err := s.db.QueryRowContext(limited, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &inLog, &moved)
	if err == nil && busy != 0 || errors.Is(err, context.DeadlineExceeded) {
		err = ErrBusy
	}
	return explain(err)
}
