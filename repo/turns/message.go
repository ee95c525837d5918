package turns

import (
	"context"
	"strings"
)

// say writes what was said and done in a turn that ends at a moment. What others
// said before the bot's first word was said when the turn began.
func (t stored) say(ctx context.Context, tx *work, ended int64, e Ending) error {
	began := true
	deed := deedOf(e)
	for i, m := range e.Messages {
		if m.By == Self && began {
			began = false
		}
		if strings.TrimSpace(m.Text) == "" {
			continue
		}
		at := ended
		if began {
			at = t.Started.UnixMilli()
		}
		// Among what was said in one moment the deed comes first, so that newest first
		// shows the words before it.
		if !began && deed != "" {
			if err := t.add(ctx, tx, ended, -1, Message{Text: deed}); err != nil {
				return err
			}
			deed = ""
		}
		if err := t.add(ctx, tx, at, i, m); err != nil {
			return err
		}
	}
	if deed == "" {
		return nil
	}
	return t.add(ctx, tx, ended, -1, Message{Text: deed})
}

// deedOf says in words what the bot did in a turn, "" when there is nothing to say.
func deedOf(e Ending) string {
	var parts []string
	if len(e.Tools) > 0 {
		parts = append(parts, "used "+strings.Join(e.Tools, ", "))
	}
	if len(e.Changes) > 0 {
		parts = append(parts, "changed memory")
	}
	if e.Failed {
		parts = append(parts, "failed")
	}
	return clean(strings.Join(parts, " · "))
}

// add writes the message with number n of the turn; n below 0 is the deed.
func (t stored) add(ctx context.Context, tx *work, at int64, n int, m Message) error {
	var key int64
	err := tx.QueryRowContext(ctx, "SELECT coalesce(max(key) + 1, ?1) FROM message WHERE key >= ?1 AND key < ?2", keyAt(at), keyAt(at+1)).Scan(&key)
	if err != nil {
		return err
	}
	text := clean(m.Text)
	_, err = tx.ExecContext(ctx, `INSERT INTO message (key, turn, n, bot, conversation, deed, by, speaker_id, speaker, tier, trust, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		key, t.key, n, t.bot, t.conversation, n < 0, m.By, m.ID, clean(m.Name), m.Tier, m.Trust, text)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO found (rowid, words, place) VALUES (?, ?, ?)", key, analysed(text), t.place(n < 0))
	return err
}

// heard is a message as it is taken out.
type heard struct {
	key     int64
	deed    bool
	speaker string // its id
	text    string
}

// unsay takes the messages of a turn out of the table and of the full text.
func (t stored) unsay(ctx context.Context, tx *work) error {
	_, err := t.unsayWhich(ctx, tx, func(heard) bool { return true })
	return err
}

// unsayWhich is unsay for some of the messages, and gives how many.
func (t stored) unsayWhich(ctx context.Context, tx *work, which func(heard) bool) (int, error) {
	rows, err := tx.QueryContext(ctx, "SELECT key, deed, speaker_id, text FROM message WHERE turn = ?", t.key)
	if err != nil {
		return 0, err
	}
	defer rows.Close() //nolint:errcheck // Err has told what went wrong
	var gone []heard
	for rows.Next() {
		var m heard
		if err := rows.Scan(&m.key, &m.deed, &m.speaker, &m.text); err != nil {
			return 0, err
		}
		if which(m) {
			gone = append(gone, m)
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	for _, m := range gone {
		// The full text keeps no copy: it must be told the very words to take out.
		if _, err := tx.ExecContext(ctx, "INSERT INTO found (found, rowid, words, place) VALUES ('delete', ?, ?, ?)", m.key, analysed(m.text), t.place(m.deed)); err != nil {
			return 0, err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM message WHERE key = ?", m.key); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}

// reindex makes the full text anew with this program's analysis.
func reindex(ctx context.Context, tx *work) error {
	var words string
	if err := tx.QueryRowContext(ctx, "SELECT analysis FROM meta").Scan(&words); err != nil || words == analysis() {
		return err // another process was faster
	}
	if err := rebuild(ctx, tx); err != nil {
		return err
	}
	// Words of the other analysis lie in what was freed, also those of what is deleted later.
	_, err := tx.ExecContext(ctx, "UPDATE meta SET analysis = ?, scrub = scrub + 1", analysis())
	return err
}

// rebuild makes the full text anew from the messages.
func rebuild(ctx context.Context, tx *work) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO found (found) VALUES ('delete-all')"); err != nil {
		return err
	}
	const batch = 500
	for after := int64(-1); ; {
		turns, err := read(ctx, tx, "WHERE t.key > ? ORDER BY t.key LIMIT ?", after, batch)
		if err != nil || len(turns) == 0 {
			return err
		}
		for _, t := range turns {
			if err := t.index(ctx, tx); err != nil {
				return err
			}
			after = t.key
		}
	}
}

// index puts the messages of a turn into the full text.
func (t stored) index(ctx context.Context, tx *work) error {
	rows, err := tx.QueryContext(ctx, "SELECT key, deed, text FROM message WHERE turn = ?", t.key)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err has told what went wrong
	for rows.Next() {
		var key int64
		var deed bool
		var text string
		if err := rows.Scan(&key, &deed, &text); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO found (rowid, words, place) VALUES (?, ?, ?)", key, analysed(text), t.place(deed)); err != nil {
			return err
		}
	}
	return rows.Err()
}
