package turns

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// noon is when the stories of the tests begin.
var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// at is so many minutes after noon.
func at(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }

// kit is a store in a folder of its own, with words for telling what was said.
type kit struct {
	testing.TB
	*Store
	path  string
	turns int
}

func newKit(tb testing.TB) *kit {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "home", "turns.db")
	return &kit{TB: tb, Store: opened(tb, path), path: path}
}

func opened(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Open(path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// chat is a direct chat of the owner, titled by its id.
func chat(id string) Conversation {
	return Conversation{ID: id, Kind: Direct, Title: strings.ToUpper(id), StartedBy: "owner"}
}

func room(id, roomID string) Conversation {
	return Conversation{ID: id, Kind: InRoom, Title: strings.ToUpper(id), Room: &Room{ID: roomID, Name: "the " + roomID}, StartedBy: "owner"}
}

func owner(text string) Message { return Message{Speaker: Speaker{By: Owner}, Text: text} }

func self(text string) Message { return Message{Speaker: Speaker{By: Self}, Text: text} }

// begin opens the next turn of scout in a conversation and gives its id.
func (k *kit) begin(c Conversation, when time.Time, message string) string {
	k.Helper()
	return k.beginOf("scout", c, when, message)
}

func (k *kit) beginOf(bot string, c Conversation, when time.Time, message string) string {
	k.Helper()
	k.turns++
	id := fmt.Sprintf("T%d", k.turns)
	if _, err := k.Begin(k.Context(), Turn{ID: id, Bot: bot, Conversation: c, Speaker: Speaker{By: Owner}, Message: message, Started: when}); err != nil {
		k.Fatal(err)
	}
	return id
}

func (k *kit) end(id string, e Ending) {
	k.Helper()
	if err := k.End(k.Context(), "scout", id, e); err != nil {
		k.Fatal(err)
	}
}

// say tells a whole turn of scout that ends when it began.
func (k *kit) say(c Conversation, when time.Time, asked, answered string) string {
	k.Helper()
	id := k.begin(c, when, asked)
	k.end(id, Ending{At: when, Messages: []Message{owner(asked), self(answered)}})
	return id
}

// tell writes a whole turn in a transaction that holds many of them.
func tell(ctx context.Context, tx *work, turn Turn, e Ending) (err error) {
	t := stored{Turn: turn}
	if t.bot, t.conversation, err = settleAt(ctx, tx, turn); err != nil {
		return err
	}
	if err := t.insert(ctx, tx); err != nil {
		return err
	}
	if t, err = turnOf(ctx, tx, turn.Bot, turn.ID); err != nil {
		return err
	}
	return t.end(ctx, tx, stateEnded, e)
}

func (k *kit) get(id string) Turn {
	k.Helper()
	t, err := k.Get(k.Context(), "scout", id)
	if err != nil {
		k.Fatal(err)
	}
	return t
}

// find searches everything of scout and gives the snippets.
func (k *kit) find(words string) []string {
	k.Helper()
	return k.snippets(Query{Bot: "scout", Words: words, Scope: Scope{Everything: true}})
}

func (k *kit) snippets(q Query) []string {
	k.Helper()
	hits, err := k.Search(k.Context(), q)
	if err != nil {
		k.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.Snippet)
	}
	return out
}

func ids(turns []Turn) []string {
	var out []string
	for _, t := range turns {
		out = append(out, t.ID)
	}
	return out
}

// fataler is what a test and a property have in common here.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// holds reports which of the words stand in the bytes of the file or its log.
func holds(tb fataler, path string, words ...string) []string {
	tb.Helper()
	var raw []byte
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + suffix)
		if err != nil && !os.IsNotExist(err) {
			tb.Fatal(err)
		}
		raw = append(raw, b...)
	}
	var out []string
	for _, w := range words {
		if bytes.Contains(raw, []byte(w)) {
			out = append(out, w)
		}
	}
	return out
}
