package turns

import (
	"context"
	"errors"
	"fmt"
)

// SpeakerOf says who said a message of the turn. What the message does not tell of its
// speaker is what the turn tells of the one who began it, where both are the same: of one
// kind, and by no other id or name. There is one owner, whatever name they go by.
func (t Turn) SpeakerOf(m Message) Speaker {
	s, first := m.Speaker, t.Speaker
	otherID := s.ID != "" && s.ID != first.ID
	otherName := s.ID == "" && s.By != Owner && s.Name != "" && s.Name != first.Name
	if s.By != first.By || otherID || otherName {
		return s
	}
	if s.ID = first.ID; s.Name == "" {
		s.Name = first.Name
	}
	if s.Tier == "" && s.Trust == nil {
		s.Tier, s.Trust = first.Tier, first.Trust
	}
	return s
}

// Spoke is what an account said to a bot.
type Spoke struct {
	Messages int
	Owner    bool // it is one of the owner's
}

// Spoke counts what the account of a speaker, by the host's id, said to a bot.
func (s *Store) Spoke(ctx context.Context, bot, id string) (out Spoke, err error) {
	if id == "" {
		return Spoke{}, nil
	}
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		key, err := botKey(ctx, tx, bot)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		const own = "SELECT by FROM message WHERE bot = ?1 AND speaker_id = ?2 AND deed = 0"
		// A message without an id is by the one who began its turn; see SpeakerOf.
		const begun = `SELECT m.by FROM turn t JOIN message m ON m.turn = t.key
			WHERE t.bot = ?1 AND t.speaker_id = ?2 AND m.speaker_id = '' AND m.deed = 0 AND m.by = t.by AND m.speaker IN ('', t.speaker)`
		return tx.QueryRowContext(ctx, "SELECT count(*), coalesce(max(by = 'owner'), 0) FROM ("+own+" UNION ALL "+begun+")", key, id).
			Scan(&out.Messages, &out.Owner)
	})
	if err != nil {
		return Spoke{}, fmt.Errorf("count what was said: %w", err)
	}
	return out, nil
}
