package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// secret is a word that occurs nowhere else, in capitals: in lower case it can only
// stand in the full text.
func secret(r *rand.Rand) string {
	var b strings.Builder
	for range 24 {
		b.WriteByte(byte('A' + r.IntN(26)))
	}
	return b.String()
}

// traces are the forms in which a secret can be left behind: as it was written, and
// the ends of its word in the full text, which shares beginnings between neighbours.
func traces(secrets ...string) []string {
	var out []string
	for _, s := range secrets {
		out = append(out, s, strings.ToLower(s[8:]))
	}
	return out
}

func TestDeletionLeavesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tests := []struct {
		name   string
		delete func(k *kit, mine []string) (int, error)
		n      int
	}{
		{"conversation", func(k *kit, _ []string) (int, error) { return k.DeleteConversation(k.Context(), "scout", "mine") }, 9},
		{"rewind", func(k *kit, mine []string) (int, error) { return k.Rewind(k.Context(), "scout", "mine", mine[0]) }, 8},
		{"bot", func(k *kit, _ []string) (int, error) { return k.DeleteBot(k.Context(), "scout") }, 57},
		{"person", func(k *kit, _ []string) (int, error) { return k.DeletePerson(k.Context(), "scout", "ana") }, 9},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKit(t)
			mineC := Conversation{ID: "mine", Kind: Direct, StartedBy: "person:ana"}
			var gone, kept, mine []string
			for i := range 8 {
				for j := range 6 { // what surrounds it, so that pages and segments are shared
					s := secret(r)
					if tt.name != "bot" {
						kept = append(kept, s)
					}
					k.say(chat(fmt.Sprint("c", j)), at(i), "tell me about "+s, "about what? "+strings.Repeat("filling ", r.IntN(200)))
				}
				asked, told, tool, long := secret(r), secret(r), secret(r), secret(r)
				id := k.begin(mineC, at(i), "open "+asked)
				mine = append(mine, id)
				k.end(id, Ending{
					At: at(i), Tools: []string{tool},
					Messages: []Message{{Speaker{By: Person, ID: "ana"}, "say " + asked}, self(told + strings.Repeat(" pad", 2000) + long)},
				})
				if i == 0 && tt.name == "rewind" {
					kept = append(kept, asked, told, tool, long)
				} else {
					gone = append(gone, asked, told, tool, long)
				}
			}
			gone = append(gone, secret(r))
			k.begin(mineC, at(99), "still open "+gone[len(gone)-1])
			control := traces(gone[:len(gone)-1]...)
			if diff := cmp.Diff(control, holds(t, k.path, control...)); diff != "" {
				t.Fatalf("not in the file before, so nothing is shown (-want +got):\n%s", diff)
			}
			n, err := tt.delete(k, mine)
			if err != nil || n != tt.n {
				t.Fatalf("deleted %d, %v; want %d", n, err, tt.n)
			}
			if left := holds(t, k.path, traces(gone...)...); left != nil {
				t.Errorf("%d of %d traces are left, as %q", len(left), 2*len(gone), left[0])
			}
			if diff := cmp.Diff(traces(kept...), holds(t, k.path, traces(kept...)...)); diff != "" {
				t.Errorf("what was kept is still there (-want +got):\n%s", diff)
			}
			for _, s := range gone {
				if got := k.find(s); got != nil {
					t.Fatalf("%s is found: %q", s, got)
				}
			}
			checkFile(t, k.Store)
		})
	}
}

// What is told out of order moves rows between pages, and SQLite leaves copies of them
// in the gaps, which overwriting deleted rows does not reach.
func TestDeletionLeavesNoCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	k := newKit(t)
	var gone []string
	err := k.update(t.Context(), func(ctx context.Context, tx *work) error {
		for i := range 600 {
			c, word := chat("kept"), secret(r)
			if i%3 == 0 {
				c = chat("gone")
				gone = append(gone, word)
			}
			when := at(r.IntN(1_000_000))
			turn := Turn{ID: fmt.Sprint("T", i), Bot: "scout", Conversation: c, Started: when}
			if err := tell(ctx, tx, turn, Ending{At: when, Messages: []Message{self(word + " " + strings.Repeat("x", 20+r.IntN(600)))}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.DeleteConversation(t.Context(), "scout", "gone"); err != nil {
		t.Fatal(err)
	}
	if left := holds(t, k.path, traces(gone...)...); left != nil {
		t.Errorf("left: %q", left)
	}
	checkFile(t, k.Store)
}

// checkFile holds the tables and the full text against each other.
func checkFile(t *testing.T, s *Store) {
	t.Helper()
	err := s.update(t.Context(), func(ctx context.Context, tx *work) error {
		var said string
		if err := tx.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&said); err != nil || said != "ok" {
			return fmt.Errorf("integrity check: %s, %w", said, err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO found (found) VALUES ('integrity-check')"); err != nil {
			return fmt.Errorf("full text: %w", err)
		}
		var strays int
		err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM message WHERE turn NOT IN (SELECT key FROM turn))
			+ (SELECT count(*) FROM turn WHERE conversation NOT IN (SELECT key FROM conversation))
			+ (SELECT count(*) FROM conversation WHERE bot NOT IN (SELECT key FROM bot))`).Scan(&strays)
		if err == nil && strays > 0 {
			err = fmt.Errorf("%d rows that belong to nothing", strays)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestDeletePerson(t *testing.T) {
	k := newKit(t)
	ana := Speaker{By: Person, ID: "ana", Name: "Ana"}
	own := Conversation{ID: "anas", Kind: Direct, StartedBy: "person:ana"}
	k.say(own, at(0), "q", "answer to ana")
	in := k.begin(room("team", "r1"), at(1), "x")
	k.end(in, Ending{At: at(1), Messages: []Message{{ana, "my wife is Eva"}, owner("noted"), self("I see")}})
	if n, err := k.DeletePerson(t.Context(), "scout", "ana"); n != 2 || err != nil {
		t.Fatalf("deleted %d, %v", n, err)
	}
	if diff := cmp.Diff([]Message{owner("noted"), self("I see")}, k.get(in).Messages); diff != "" {
		t.Errorf("what is left of the room (-want +got):\n%s", diff)
	}
	if got := k.find("answer"); got != nil {
		t.Errorf("her chat is found: %q", got)
	}
	if _, err := k.DeletePerson(t.Context(), "scout", ""); !errors.Is(err, ErrInvalid) {
		t.Errorf("nobody: %v, want ErrInvalid", err)
	}
}

func TestRewind(t *testing.T) {
	k := newKit(t)
	a, b := k.say(chat("a"), at(0), "q", "one"), k.say(chat("a"), at(1), "q", "two")
	k.say(chat("a"), at(2), "q", "three")
	other := k.say(chat("b"), at(3), "q", "four")
	open := k.begin(chat("a"), at(4), "five")
	for _, to := range []string{other, "nope", ""} {
		if n, err := k.Rewind(t.Context(), "scout", "a", to); n != 0 || !errors.Is(err, ErrNotFound) {
			t.Errorf("to %q: %d, %v; want ErrNotFound", to, n, err)
		}
	}
	if n, err := k.Rewind(t.Context(), "other", "a", a); n != 0 || !errors.Is(err, ErrNotFound) {
		t.Errorf("another bot: %d, %v; want ErrNotFound", n, err)
	}
	if n, err := k.Rewind(t.Context(), "scout", "a", b); n != 2 || err != nil {
		t.Fatalf("rewound %d, %v", n, err)
	}
	if diff := cmp.Diff([]string{"four", "q", "two", "q", "one", "q"}, k.find("")); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	if err := k.End(t.Context(), "scout", open, Ending{At: at(5), Messages: []Message{self("too late")}}); !errors.Is(err, ErrNotFound) {
		t.Errorf("end of a turn that was taken away: %v, want ErrNotFound", err)
	}
	if n, err := k.Rewind(t.Context(), "scout", "a", b); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
}

func TestDeleteNothing(t *testing.T) {
	k := newKit(t)
	a := k.say(chat("a"), at(0), "q", "one")
	for name, fn := range map[string]func() (int, error){
		"conversation":               func() (int, error) { return k.DeleteConversation(t.Context(), "scout", "b") },
		"another bot's conversation": func() (int, error) { return k.DeleteConversation(t.Context(), "other", "a") },
		"bot":                        func() (int, error) { return k.DeleteBot(t.Context(), "other") },
	} {
		if n, err := fn(); n != 0 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	if k.get(a).Open() {
		t.Error("it is open")
	}
}

func TestRenameBot(t *testing.T) {
	k := newKit(t)
	a := k.say(chat("a"), at(0), "q", "one")
	k.beginOf("taken", chat("a"), at(0), "q")
	if err := k.RenameBot(t.Context(), "scout", "taken"); !errors.Is(err, ErrExists) {
		t.Errorf("onto another: %v, want ErrExists", err)
	}
	for _, names := range [][2]string{{"nobody", "taken"}, {"scout", "scout"}, {"scout", "ranger"}} {
		if err := k.RenameBot(t.Context(), names[0], names[1]); err != nil {
			t.Fatalf("%s to %s: %v", names[0], names[1], err)
		}
	}
	if _, err := k.Get(t.Context(), "scout", a); !errors.Is(err, ErrNotFound) {
		t.Errorf("the old name: %v, want ErrNotFound", err)
	}
	if got, err := k.Get(t.Context(), "ranger", a); err != nil || got.Bot != "ranger" {
		t.Errorf("the new name: %q, %v", got.Bot, err)
	}
	if got := k.snippets(Query{Bot: "ranger", Words: "one", Scope: Scope{Everything: true}}); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

// A reader in another handle keeps the log from being emptied: the deletion stands,
// and the bytes go when the reader has gone.
func TestScrubWaitsForReaders(t *testing.T) {
	k := newKit(t)
	r := rand.New(rand.NewPCG(3, 4))
	word := secret(r)
	k.say(chat("a"), at(0), "q", word)
	other := opened(t, k.path)
	tx, err := other.db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM message").Scan(&n); err != nil || n != 2 {
		t.Fatalf("%d messages, %v", n, err)
	}
	if n, err := k.DeleteConversation(t.Context(), "scout", "a"); n != 1 || err != nil {
		t.Fatalf("deleted %d, %v", n, err)
	}
	if left := holds(t, k.path, word); left == nil {
		t.Error("nothing is left, so the reader was not in the way")
	}
	if err := k.Scrub(t.Context()); !errors.Is(err, ErrBusy) {
		t.Errorf("while it reads: %v, want ErrBusy", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := k.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := holds(t, k.path, traces(word)...); left != nil {
		t.Errorf("left: %q", left)
	}
}
