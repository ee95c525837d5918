package turns

import (
	"context"
	"fmt"
	"slices"
)

// Erasing says what is taken out of what was said to a bot.
type Erasing struct {
	Tells func(text string) bool   // whether a text says what is erased: such a message goes whole
	Mask  func(text string) string // the same of a name or a title, with the words masked
}

// Erase takes what is erased out of a bot's conversations and gives the number of
// messages that are gone. A turn stays with its place and time; titles and names keep
// the rest of their words. When it returns no byte of it is left in the file or its
// log, unless another process was reading meanwhile: see Scrub.
func (s *Store) Erase(ctx context.Context, bot string, e Erasing) (n int, err error) {
	n, err = s.cut(ctx, bot, func(ctx context.Context, tx *work, key int64) (int, error) {
		turns, err := read(ctx, tx, "WHERE t.bot = ? ORDER BY t.key", key)
		if err != nil {
			return 0, err
		}
		gone := 0
		for _, t := range turns {
			n, err := t.erase(ctx, tx, e)
			if err != nil {
				return 0, err
			}
			gone += n
		}
		return gone, eraseTitles(ctx, tx, key, e)
	})
	if err != nil {
		return 0, fmt.Errorf("erase from conversations: %w", err)
	}
	return n, nil
}

// erase takes out of one turn what tells it.
func (t stored) erase(ctx context.Context, tx *work, e Erasing) (int, error) {
	gone, err := t.unsayWhich(ctx, tx, func(m heard) bool { return e.Tells(m.text) })
	if err != nil {
		return 0, err
	}
	opening, room := t.Message, t.Conversation.Room
	if e.Tells(opening) {
		opening = ""
		if t.state == stateOpen {
			gone++ // it is no message yet
		}
	}
	if room != nil {
		masked := *room
		masked.Name, masked.Members = e.Mask(room.Name), e.masks(room.Members)
		room = &masked
	}
	tools := e.masks(t.Tools)
	used, err := pack(tools, len(tools) == 0)
	if err != nil {
		return 0, err
	}
	packed, err := pack(room, room == nil)
	if err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE turn SET message = ?, room = ?, speaker = ?, tools = ? WHERE key = ?", opening, packed, e.Mask(t.Speaker.Name), used, t.key); err != nil {
		return 0, err
	}
	names, err := readNames(ctx, tx, "SELECT DISTINCT speaker FROM message WHERE turn = ?", t.key)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if masked := e.Mask(name); masked != name {
			if _, err := tx.ExecContext(ctx, "UPDATE message SET speaker = ? WHERE turn = ? AND speaker = ?", masked, t.key, name); err != nil {
				return 0, err
			}
		}
	}
	return gone, nil
}

// masks masks each of a list of names.
func (e Erasing) masks(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = e.Mask(name)
	}
	return out
}

func eraseTitles(ctx context.Context, tx *work, bot int64, e Erasing) error {
	titles, err := readNames(ctx, tx, "SELECT DISTINCT title FROM conversation WHERE bot = ?", bot)
	if err != nil {
		return err
	}
	for _, title := range titles {
		if masked := e.Mask(title); masked != title {
			if _, err := tx.ExecContext(ctx, "UPDATE conversation SET title = ? WHERE bot = ? AND title = ?", masked, bot, title); err != nil {
				return err
			}
		}
	}
	return nil
}

func readNames(ctx context.Context, tx *work, query string, arg int64) (names []string, err error) {
	rows, err := tx.QueryContext(ctx, query, arg)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err has told what went wrong
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// Holds gives how many turns of a bot still say what is erased, in a message, a name or
// a title.
func (s *Store) Holds(ctx context.Context, bot string, e Erasing) (n int, err error) {
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		turns, err := readWhole(ctx, tx, "WHERE b.name = ? ORDER BY t.key", bot)
		for _, t := range turns {
			if t.holds(e) {
				n++
			}
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("look through conversations: %w", err)
	}
	return n, nil
}

func (t Turn) holds(e Erasing) bool {
	names := append([]string{t.Conversation.Title, t.Speaker.Name}, t.Tools...)
	if t.Conversation.Room != nil {
		names = append(append(names, t.Conversation.Room.Name), t.Conversation.Room.Members...)
	}
	told := e.Tells(t.Message)
	for _, m := range t.Messages {
		told = told || e.Tells(m.Text)
		names = append(names, m.Name)
	}
	return told || slices.ContainsFunc(names, func(name string) bool { return e.Mask(name) != name })
}
