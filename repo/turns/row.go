package turns

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// stored is a turn with the keys of its rows.
type stored struct {
	Turn
	key, bot, conversation int64
	state                  int
	seq                    int64
}

// columns are what scan reads; a query joins turn t with conversation c and bot b.
const columns = `SELECT t.key, t.bot, t.conversation, t.state, t.seq, t.id, b.name, c.id, c.title, t.kind, t.started_by, t.room,
	t.by, t.speaker_id, t.speaker, t.tier, t.trust, t.message, t.started, t.ended, t.tools, t.failed, t.changes
	FROM turn t JOIN conversation c ON c.key = t.conversation JOIN bot b ON b.key = t.bot `

func scan(row func(...any) error) (t stored, err error) {
	var room, tools, changes string
	var started, ended int64
	err = row(&t.key, &t.bot, &t.conversation, &t.state, &t.seq, &t.ID, &t.Bot, &t.Conversation.ID, &t.Conversation.Title,
		&t.Conversation.Kind, &t.Conversation.StartedBy, &room, &t.Speaker.By, &t.Speaker.ID, &t.Speaker.Name,
		&t.Speaker.Tier, &t.Speaker.Trust, &t.Message, &started, &ended, &tools, &t.Failed, &changes)
	if err != nil {
		return stored{}, err
	}
	t.Started = time.UnixMilli(started).UTC()
	if t.state != stateOpen {
		t.Ended = time.UnixMilli(ended).UTC()
	}
	t.Lapsed = t.state == stateLapsed
	return t, errors.Join(unpack(room, &t.Conversation.Room), unpack(tools, &t.Tools), unpack(changes, &t.Changes))
}

// pack gives a value as JSON, nothing as "".
func pack(v any, empty bool) (string, error) {
	if empty {
		return "", nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

func unpack(s string, v any) error {
	if s == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(s), v); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

// read gives the turns of a query that begins with columns, without their messages.
func read(ctx context.Context, tx *work, rest string, args ...any) (turns []stored, err error) {
	rows, err := tx.QueryContext(ctx, columns+rest, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err has told what went wrong
	for rows.Next() {
		t, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		turns = append(turns, t)
	}
	return turns, rows.Err()
}

// readWhole is read with the messages of each turn.
func readWhole(ctx context.Context, tx *work, rest string, args ...any) ([]Turn, error) {
	rows, err := read(ctx, tx, rest, args...)
	if err != nil {
		return nil, err
	}
	turns := make([]Turn, len(rows))
	for i, t := range rows {
		if t.Messages, err = messagesOf(ctx, tx, t.key); err != nil {
			return nil, err
		}
		turns[i] = t.Turn
	}
	return turns, nil
}

func messagesOf(ctx context.Context, tx *work, turn int64) (messages []Message, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT by, speaker_id, speaker, tier, trust, text FROM message WHERE turn = ? AND deed = 0 ORDER BY n", turn)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err has told what went wrong
	for rows.Next() {
		var m Message
		if err := rows.Scan(&m.By, &m.ID, &m.Name, &m.Tier, &m.Trust, &m.Text); err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, rows.Err()
}

// botKey gives the key of a bot. ErrNotFound when nothing was ever said to it.
func botKey(ctx context.Context, tx *work, name string) (key int64, err error) {
	return oneKey(ctx, tx, "SELECT key FROM bot WHERE name = ?", name)
}

func conversationKey(ctx context.Context, tx *work, bot int64, id string) (key int64, err error) {
	return oneKey(ctx, tx, "SELECT key FROM conversation WHERE bot = ? AND id = ?", bot, id)
}

func oneKey(ctx context.Context, tx *work, query string, args ...any) (key int64, err error) {
	if err = tx.QueryRowContext(ctx, query, args...).Scan(&key); errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return key, err
}

// turnOf gives one turn of a bot, never another bot's.
func turnOf(ctx context.Context, tx *work, bot, id string) (stored, error) {
	found, err := read(ctx, tx, "WHERE b.name = ? AND t.id = ?", bot, id)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return stored{}, err
	}
	return found[0], nil
}
