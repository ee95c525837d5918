package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilesArePrivate(t *testing.T) {
	k := newKit(t)
	k.say(chat("a"), at(0), "q", "x")
	for name, want := range map[string]os.FileMode{".": 0o700, "turns.db": 0o600, "turns.db-wal": 0o600, "turns.db-shm": 0o600} {
		fi, err := os.Stat(filepath.Join(filepath.Dir(k.path), name))
		if err != nil {
			t.Fatal(err)
		}
		if got := fi.Mode().Perm(); got != want {
			t.Errorf("%s: %o, want %o", name, got, want)
		}
	}
	if err := os.Chmod(k.path, 0o644); err != nil {
		t.Fatal(err)
	}
	opened(t, k.path)
	if fi, err := os.Stat(k.path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("opened again: %v, %v", fi.Mode(), err)
	}
}

func TestOpenOddNames(t *testing.T) {
	for _, name := range []string{"with space?.db", "100%#.db", "ключ.db"} {
		path := filepath.Join(t.TempDir(), name)
		k := &kit{TB: t, Store: opened(t, path), path: path}
		k.say(chat("a"), at(0), "q", "x")
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	write := func(b []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	statement := func(query string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			k := &kit{TB: t, Store: opened(t, path), path: path}
			k.say(chat("a"), at(0), "q", "x")
			_, err := k.db.ExecContext(t.Context(), query)
			if err = errors.Join(err, k.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name  string
		spoil func(t *testing.T, path string)
		want  error
	}{
		{"another file", write([]byte("# Notes\n")), ErrDamaged},
		{"another database", func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			if err == nil {
				_, err = db.ExecContext(t.Context(), "CREATE TABLE t (x)")
			}
			if err = errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		}, ErrDamaged},
		{"a newer schema", statement("PRAGMA user_version = 99"), ErrVersion},
		{"noise behind the header", func(t *testing.T, path string) {
			statement("SELECT 1")(t, path)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range b[100:] {
				b[100+i] = byte(i * 31)
			}
			write(b)(t, path)
		}, ErrDamaged},
		{"a link", func(t *testing.T, path string) {
			if err := os.Symlink("elsewhere", path); err != nil {
				t.Fatal(err)
			}
		}, ErrDamaged},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, ErrDamaged},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "turns.db")
			tt.spoil(t, path)
			before, _ := os.ReadFile(path) // a link or a folder has no bytes to lose
			s, err := Open(path, nil)
			if !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if err == nil {
				_ = s.Close()
			}
			after, _ := os.ReadFile(path)
			if !slices.Equal(before, after) {
				t.Error("the file was altered")
			}
		})
	}
	if _, err := Open(filepath.Join(os.DevNull, "turns.db"), nil); err == nil {
		t.Error("a folder that cannot be made: no error")
	}
}

// A program with other rules for words makes the full text anew, and one that is still
// running keeps its hands off it.
func TestAnotherAnalysis(t *testing.T) {
	k := newKit(t)
	k.say(chat("a"), at(0), "q", "Übung")
	err := k.update(t.Context(), func(ctx context.Context, tx *work) error {
		for _, query := range []string{
			"INSERT INTO found (found) VALUES ('delete-all')",
			"INSERT INTO found (rowid, words, place) SELECT key, 'otherwise', 'b1' FROM message",
			"UPDATE meta SET analysis = 'another'",
		} {
			if _, err := tx.ExecContext(ctx, query); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Begin(t.Context(), Turn{ID: "x", Bot: "scout", Conversation: chat("a"), Started: noon}); !errors.Is(err, ErrVersion) {
		t.Errorf("write by another version: %v, want ErrVersion", err)
	}
	again := &kit{TB: t, Store: opened(t, k.path), path: k.path}
	if diff := cmp.Diff([]string{"Übung"}, again.find("ubung")); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if got := again.find("otherwise"); got != nil {
		t.Errorf("the other words are found: %q", got)
	}
	if left := holds(t, k.path, "otherwise"); left != nil {
		t.Errorf("left in the file: %q", left)
	}
	checkFile(t, again.Store)
}

// A process that died between a deletion and the scrubbing leaves the rest to the next Open.
func TestOpenFinishesDeletion(t *testing.T) {
	k := newKit(t)
	k.say(chat("a"), at(0), "q", "XYLOPHONEQUARTZ")
	err := k.update(t.Context(), func(ctx context.Context, tx *work) error {
		if _, err := drop(ctx, tx, "WHERE b.name = 'scout'"); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE meta SET scrub = scrub + 1")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"XYLOPHONEQUARTZ", "phonequartz"}
	if left := holds(t, k.path, words...); left == nil {
		t.Fatal("nothing is left before, so nothing is shown")
	}
	opened(t, k.path)
	if left := holds(t, k.path, words...); left != nil {
		t.Errorf("left: %q", left)
	}
}

// A call whose caller has gone away does nothing and leaves the store usable.
func TestCancelled(t *testing.T) {
	k := newKit(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := k.Begin(ctx, Turn{ID: "x", Bot: "scout", Conversation: chat("a"), Started: noon})
	_, err2 := k.Search(ctx, Query{Bot: "scout", Scope: Scope{Everything: true}})
	for _, err := range []error{err, err2} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want context.Canceled", err)
		}
	}
	for i := range 10 {
		k.say(chat("a"), at(i), "q", fmt.Sprint("x", i))
	}
	if got := k.find("x9"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

// A file of the schema before is brought to this one; nothing that was said changes, and
// how far its speakers were trusted is not known.
func TestOpenUpgradesSpeakers(t *testing.T) {
	k := newKit(t)
	id := k.begin(chat("a"), at(0), "hello")
	k.end(id, Ending{At: at(1), Messages: []Message{owner("hello"), self("hi")}})
	want, err := k.Get(t.Context(), "scout", id)
	if err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{
		"DROP INDEX turn_speaker", "DROP INDEX message_speaker", "ALTER TABLE turn DROP COLUMN tier", "ALTER TABLE turn DROP COLUMN trust",
		"ALTER TABLE message DROP COLUMN tier", "ALTER TABLE message DROP COLUMN trust", "PRAGMA user_version = 1",
	} {
		if _, err := k.db.ExecContext(t.Context(), old); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is one of this version
		s := opened(t, k.path)
		got, err := s.Get(t.Context(), "scout", id)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("the turn, %v (-want +got):\n%s", err, diff)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var made, upgraded string
	shape := "SELECT group_concat(name || type, ' ') FROM (SELECT name, type FROM pragma_table_info('turn') UNION ALL SELECT name, type FROM pragma_table_info('message') UNION ALL SELECT name, type FROM sqlite_schema WHERE type = 'index' ORDER BY 1, 2)"
	if err := opened(t, k.path).db.QueryRowContext(t.Context(), shape).Scan(&upgraded); err != nil {
		t.Fatal(err)
	}
	if err := newKit(t).db.QueryRowContext(t.Context(), shape).Scan(&made); err != nil || made != upgraded {
		t.Errorf("%v: a new file has\n%s, an upgraded one\n%s", err, made, upgraded)
	}
}
