package turns

import (
	"context"
	"fmt"
)

// CopyTo writes the conversations as they stand at one moment into a new file, for its
// owner alone, while others go on reading and writing. What was deleted is not in it.
func (s *Store) CopyTo(ctx context.Context, path string) error {
	if s.closed.Load() {
		return ErrClosed
	}
	if err := makePrivate(path); err != nil { // SQLite takes an empty file for a new one
		return fmt.Errorf("copy conversations: %w", err)
	}
	if _, err := s.db.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return fmt.Errorf("copy conversations: %w", explain(err))
	}
	return nil
}
