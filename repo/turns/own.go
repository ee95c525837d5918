package turns

import (
	"context"
	"fmt"
	"time"
)

// Own is one message of the bot.
type Own struct {
	Text       string
	At         time.Time
	Unprompted bool // no person's words began the turn
}

// Own gives the newest messages of the bot itself, in whatever conversation, newest first.
func (s *Store) Own(ctx context.Context, bot string, limit int) (said []Own, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		rows, err := tx.QueryContext(ctx, `SELECT m.key, m.text, t.by NOT IN ('owner', 'person') FROM message m JOIN turn t ON t.key = m.turn
			WHERE m.by = 'self' AND m.bot = (SELECT key FROM bot WHERE name = ?) ORDER BY m.key DESC LIMIT ?`, bot, limit)
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err has told what went wrong
		for rows.Next() {
			var key int64
			var o Own
			if err := rows.Scan(&key, &o.Text, &o.Unprompted); err != nil {
				return err
			}
			o.At = momentOf(key)
			said = append(said, o)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("what %s said: %w", bot, err)
	}
	return said, nil
}
