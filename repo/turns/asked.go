package turns

import (
	"context"
	"fmt"
	"slices"
)

// OwnersLast gives the newest messages with which the owner began turns of a conversation,
// the newest last: what a host put into them is still in them.
func (s *Store) OwnersLast(ctx context.Context, bot, conversation string, limit int) (said []string, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		rows, err := tx.QueryContext(ctx, `SELECT t.message FROM turn t JOIN conversation c ON c.key = t.conversation JOIN bot b ON b.key = t.bot
			WHERE b.name = ? AND c.id = ? AND t.by = 'owner' AND t.message <> '' ORDER BY t.key DESC LIMIT ?`, bot, conversation, limit)
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err has told what went wrong
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			said = append(said, text)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("what the owner said in %s: %w", conversation, err)
	}
	slices.Reverse(said)
	return said, nil
}
