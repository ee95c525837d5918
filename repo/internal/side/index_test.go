package side

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBrokenFileIsMadeAgain(t *testing.T) {
	s := newStory(t)
	var commits []told
	for i := range 40 {
		commits = append(commits, told{message: ours("c", ulid(i)), files: map[string]string{"MEMORY.md": strings.Repeat("- 2026-09-01 · a fact\n", i+1)}})
	}
	head := s.tell(t, commits...)
	want := dump(t, indexed(t, s))
	alter := func(fn func(b []byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, fn(b), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	statement := func(query string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.ExecContext(t.Context(), query)
			if err = errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name  string
		spoil func(t *testing.T, path string)
	}{
		{"nothing", func(*testing.T, string) {}},
		{"lost", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}},
		{"empty", alter(func([]byte) []byte { return nil })},
		{"cut short", alter(func(b []byte) []byte { return b[:len(b)/2] })},
		{"cut inside a page", alter(func(b []byte) []byte { return b[:len(b)-1000] })},
		{"cut inside the header", alter(func(b []byte) []byte { return b[:50] })},
		{"another file", alter(func([]byte) []byte { return []byte("# Notes\n") })},
		{"noise", alter(func(b []byte) []byte {
			for i := range b {
				b[i] = byte(i * 31)
			}
			return b
		})},
		{"zeros in the middle", alter(func(b []byte) []byte {
			clear(b[4096 : len(b)-4096])
			return b
		})},
		{"another database", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			statement("CREATE TABLE t (x); INSERT INTO t VALUES (1)")(t, path)
		}},
		{"another schema", statement("PRAGMA user_version = 99")},
		{"a table is missing", statement("DROP TABLE change")},
		{"a head that it does not have", statement("UPDATE meta SET head = x'0102'")},
		{"newest rows lost", statement("DELETE FROM change WHERE pos > 30")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			x := open(t, dir)
			mustSync(t, x, s, head)
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			tt.spoil(t, filepath.Join(dir, fileName))
			x = open(t, dir)
			// Damage in a page that opening does not read shows when it is read.
			if err := x.Check(t.Context()); err != nil && !errors.Is(err, ErrBroken) {
				t.Fatal(err)
			}
			mustSync(t, x, s, head)
			if d := cmp.Diff(want, dump(t, x)); d != "" {
				t.Errorf("tables (-want +got):\n%s", d)
			}
		})
	}
}

// Damage that is met in use is told, and the next Sync mends it.
func TestBrokenInUse(t *testing.T) {
	s := newStory(t)
	head := s.tell(t, told{message: "one", files: map[string]string{"MEMORY.md": "a\n"}})
	dir := t.TempDir()
	x := open(t, dir)
	mustSync(t, x, s, head)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fileName)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x = open(t, dir) // it has read the first pages only
	clear(b[8192:])
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Newest(t.Context(), Filter{}); !errors.Is(err, ErrBroken) {
		t.Fatalf("reading a damaged page: %v, want ErrBroken", err)
	}
	if n := mustSync(t, x, s, head); n != 1 {
		t.Errorf("added %d, want 1", n)
	}
	if got, err := x.Newest(t.Context(), Filter{}); len(got) != 1 || err != nil {
		t.Errorf("after a sync: %d changes, %v; want 1", len(got), err)
	}
}

func TestOpen(t *testing.T) {
	t.Run("odd folder names", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "50% of? this #1 & that", "quipu")
		x := open(t, dir)
		if n, err := x.Count(t.Context()); n != 0 || err != nil {
			t.Errorf("count %d, %v", n, err)
		}
		if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
			t.Error(err)
		}
	})
	t.Run("files are private", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, fileName), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		x := open(t, dir)
		s := newStory(t)
		mustSync(t, x, s, s.tell(t, told{message: "one"}))
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(names) < 3 {
			t.Fatalf("files %v, %v: want the index with its WAL", names, err)
		}
		for _, name := range names {
			fi, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if fi.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %o, want 600", name, fi.Mode().Perm())
			}
		}
	})
	t.Run("the log of a lost file is not read", func(t *testing.T) {
		dir := t.TempDir()
		x := open(t, dir)
		s := newStory(t)
		mustSync(t, x, s, s.tell(t, told{message: "one"}))
		log, err := os.ReadFile(filepath.Join(dir, fileName+"-wal"))
		if err != nil || len(log) == 0 {
			t.Fatal("no log to leave behind", err)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(dir, fileName)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fileName+"-wal"), log, 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := open(t, dir).Count(t.Context()); n != 0 || err != nil {
			t.Errorf("count %d, %v; want 0", n, err)
		}
	})
	t.Run("a folder in its place", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, fileName), 0o700); err != nil {
			t.Fatal(err)
		}
		if x, err := Open(dir, nil); err == nil {
			t.Errorf("opened %v", x)
		}
	})
	t.Run("after close", func(t *testing.T) {
		x := open(t, t.TempDir())
		if err := errors.Join(x.Close(), x.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Count(context.Background()); !errors.Is(err, ErrClosed) {
			t.Errorf("count: %v, want ErrClosed", err)
		}
	})
}

// What one handle wrote is there for the next, without a build.
func TestReopenKeepsTheIndex(t *testing.T) {
	s := newStory(t)
	head := s.tell(t, told{message: "one"}, told{message: "two"})
	dir := t.TempDir()
	x := open(t, dir)
	mustSync(t, x, s, head)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	x = open(t, dir)
	if x.Head() != head {
		t.Errorf("head %s, want %s", x.Head(), head)
	}
	if n := mustSync(t, x, s, head); n != 0 {
		t.Errorf("added %d, want 0", n)
	}
}

// A read that is given up half-way leaves the index as it was.
func TestReadsStopWithTheirContext(t *testing.T) {
	s := diary(t)
	x := indexed(t, s)
	stopped := 0
	for i := range 300 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*5*time.Microsecond)
		_, err := x.Newest(ctx, Filter{Words: []string{"tea"}})
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after %d: %v", i, err)
		}
		if err != nil {
			stopped++
		}
	}
	if stopped == 0 {
		t.Fatal("no read was stopped: the test proves nothing")
	}
	if n, err := x.Count(t.Context()); n != 5 || err != nil {
		t.Errorf("count %d, %v; want 5", n, err)
	}
}
