package turns

import (
	"context"
	"fmt"
	"slices"
)

// recentTurns is how many turns of a bot Speakers looks back: who spoke before them is
// recent no more.
const recentTurns = 400

// Speakers gives the persons that spoke to a bot in a room of late, by the ids that the
// host gave, each once with the newest name, who spoke last first. The owner is none of
// them, nor is anybody without an id; a blank room has no speakers. Turns that are open
// are not counted yet.
func (s *Store) Speakers(ctx context.Context, bot, room string) (list []Speaker, err error) {
	if room == "" {
		return nil, nil
	}
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		rows, err := tx.QueryContext(ctx, `WITH t AS (
				SELECT key, seq, room, by, speaker_id, speaker FROM turn
				WHERE bot = (SELECT key FROM bot WHERE name = ?) AND state > 0 ORDER BY seq DESC LIMIT ?)
			SELECT room, id, called FROM (
				SELECT t.seq AS seq, m.n AS n, t.room AS room, m.by AS by, m.speaker_id AS id, m.speaker AS called FROM t JOIN message m ON m.turn = t.key
				UNION ALL SELECT seq, -1, room, by, speaker_id, speaker FROM t)
			WHERE room <> '' AND by = 'person' AND id <> '' ORDER BY seq DESC, n DESC`, bot, recentTurns)
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err has told what went wrong
		for rows.Next() {
			one := Speaker{By: Person}
			var at string
			var r *Room
			if err := rows.Scan(&at, &one.ID, &one.Name); err != nil {
				return err
			}
			if err := unpack(at, &r); err != nil {
				return err
			}
			known := slices.ContainsFunc(list, func(s Speaker) bool { return s.ID == one.ID })
			if r != nil && r.ID == room && !known {
				list = append(list, one)
			}
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("who spoke to %s in a room: %w", bot, err)
	}
	return list, nil
}
