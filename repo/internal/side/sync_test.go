package side

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/repo/internal/git"
)

func sumHex(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// brief is a change as the table of TestSyncReadsCommits writes it.
func brief(c Change) string {
	var files []string
	for _, f := range c.Files {
		files = append(files, fmt.Sprintf("%d %s %s +%d-%d", f.N, f.Kind, f.Path, f.Added, f.Removed))
	}
	return fmt.Sprintf("%s|%s %s|%s|foreign=%t|%s", c.Subject, c.AuthorKind, c.AuthorName, c.Action, c.Foreign, strings.Join(files, ", "))
}

func TestSyncReadsCommits(t *testing.T) {
	tests := []struct {
		name    string
		commits []told
		want    []string // oldest first
	}{
		{"a change of ours", []told{{
			message: ours("update: likes tea", ulid(1), "Memory-Action", "update", "Memory-Source", `chat "Plans"`),
			files:   map[string]string{"MEMORY.md": "- 2026-09-01 · likes tea\n"},
		}}, []string{"update: likes tea|bot scout|update|foreign=false|1 created MEMORY.md +1-0"}},
		{
			"a person's commit",
			[]told{{message: "tidy up\nby hand\n\nbecause", author: "Ada L. <a@b.c>", files: map[string]string{"ABOUT.md": "Ada\n"}}},
			[]string{"tidy up by hand|person Ada L.|outside|foreign=true|1 created ABOUT.md +1-0"},
		},
		{"no message, nothing in it", []told{{}}, []string{"|person Ada|outside|foreign=true|"}},
		{"archive first, other paths left out", []told{{message: "m", files: map[string]string{
			"MEMORY.md": "a\n", "memory/archive.md": "b\n", "memory/a.md": "c\n", "package.json": "{}\n", "memory.md": "no\n", "MEMORY.md.orig": "no\n",
		}}}, []string{"m|person Ada|outside|foreign=true|1 created memory/archive.md +1-0, 2 created MEMORY.md +1-0, 3 created memory/a.md +1-0"}},
		{"edited and deleted", []told{
			{message: "one", files: map[string]string{"MEMORY.md": "a\nb\n", "memory/x.md": "x\n"}},
			{message: "two", files: map[string]string{"MEMORY.md": "a\nc\n", "memory/x.md": gone}},
		}, []string{
			"one|person Ada|outside|foreign=true|1 created MEMORY.md +2-0, 2 created memory/x.md +1-0",
			"two|person Ada|outside|foreign=true|1 edited MEMORY.md +1-1, 2 deleted memory/x.md +0-1",
		}},
		{"a second root", []told{
			{message: "one", files: map[string]string{"MEMORY.md": "a\n"}},
			{message: "other", root: true, files: map[string]string{"ABOUT.md": "b\n"}},
			{message: "join", parents: []int{0, 1}, files: map[string]string{"ABOUT.md": "b\n"}},
		}, []string{
			"one|person Ada|outside|foreign=true|1 created MEMORY.md +1-0",
			"other|person Ada|outside|foreign=true|1 created ABOUT.md +1-0",
			"join|person Ada|outside|foreign=true|1 created ABOUT.md +1-0",
		}},
		{
			"bytes that are no UTF-8",
			[]told{{message: "caf\xe9", author: "J\xf6rg <j@x>", files: map[string]string{"MEMORY.md": "caf\xe9\n"}}},
			[]string{"caf\uFFFD|person J\uFFFDrg|outside|foreign=true|1 created MEMORY.md +1-0"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStory(t)
			s.tell(t, tt.commits...)
			changes, err := indexed(t, s).Newest(t.Context(), Filter{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range slices.Backward(changes) {
				got = append(got, brief(c))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("changes (-want +got):\n%s", d)
			}
		})
	}
}

func TestSyncKeepsEveryField(t *testing.T) {
	s := newStory(t)
	const before, after = "- 2026-09-01 · tea\n", "- 2026-09-01 · tea\n- 2026-09-02 · milk\n"
	first := s.tell(t, told{message: "one", files: map[string]string{"MEMORY.md": before}})
	head := s.tell(t, told{
		message: ours("update: milk", ulid(7), "Memory-Action", "update", "Memory-Source", `chat "Follow-up"`, "Memory-Via", "turn",
			"Memory-Turn", "t1", "Memory-Quote", "with milk", "Memory-Undoes", strings.ToLower(ulid(3))),
		author: "scout <scout@bots.invalid>", at: "1788300000 -0330",
		files: map[string]string{"MEMORY.md": after},
	})
	got, err := indexed(t, s).ByID(t.Context(), ulid(7))
	if err != nil {
		t.Fatal(err)
	}
	if h, m := got.At.Format("-0700"), got.At.Unix(); h != "-0330" || m != 1788300000 {
		t.Errorf("at = %d %s, want 1788300000 -0330", m, h)
	}
	c, err := s.repo.Commit(head)
	if err != nil {
		t.Fatal(err)
	}
	want := Change{
		Pos: 2, Hash: head, Tree: c.Tree, Parents: []git.Hash{first}, ID: ulid(7), At: got.At,
		AuthorKind: "bot", AuthorName: "scout", GitAuthor: "scout <scout@bots.invalid>",
		Source: `chat "Follow-up"`, Action: "update", Via: "turn", Undoes: ulid(3), Turn: "t1", Quote: "with milk",
		Subject: "update: milk", Touched: 1,
		Files: []File{{
			N: 1, Path: "MEMORY.md", Kind: "edited", Before: git.HashBlob([]byte(before)), After: git.HashBlob([]byte(after)),
			BeforeSum: sumHex(before), AfterSum: sumHex(after), BeforeSize: int64(len(before)), Added: 1,
			Diff: "--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1,1 +1,2 @@\n - 2026-09-01 · tea\n+- 2026-09-02 · milk",
		}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("change (-want +got):\n%s", d)
	}
}

func TestSyncUnknownHead(t *testing.T) {
	s := newStory(t)
	head := s.tell(t, told{message: "one"})
	x := open(t, t.TempDir())
	mustSync(t, x, s, head)
	none := git.HashBlob([]byte("no such commit"))
	if n, err := x.Sync(t.Context(), s.repo, none); !errors.Is(err, git.ErrNoObject) || n != 0 {
		t.Errorf("sync to a missing head: %d, %v; want ErrNoObject", n, err)
	}
	if x.Head() != head {
		t.Errorf("head %s, want %s as before", x.Head(), head)
	}
}

// Merged side lines come just before the merge, each parent before its children.
func TestSyncOrdersMerges(t *testing.T) {
	s := newStory(t)
	s.tell(t,
		told{message: "0"}, told{message: "1"},
		told{message: "2 side", parents: []int{0}}, told{message: "3 side", parents: []int{2}},
		told{message: "4", parents: []int{1}},
		told{message: "5 merge", parents: []int{4, 3}},
		told{message: "6 octopus", parents: []int{5, 2, 1}},
	)
	x := indexed(t, s)
	changes, err := x.Newest(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, c.Subject)
	}
	if d := cmp.Diff([]string{"6 octopus", "5 merge", "3 side", "2 side", "4", "1", "0"}, got); d != "" {
		t.Errorf("order (-want +got):\n%s", d)
	}
	if n, err := x.Count(t.Context()); n != 7 || err != nil {
		t.Errorf("count %d, %v; want 7", n, err)
	}
}

func TestDuplicateIDs(t *testing.T) {
	s := newStory(t)
	head := s.tell(t, told{message: ours("first", ulid(1))}, told{message: ours("picked again", ulid(1))})
	x := indexed(t, s)
	for id, want := range map[string]string{ulid(1): "first", head.String(): "picked again"} {
		c, err := x.ByID(t.Context(), id)
		if err != nil || c.Subject != want || c.ID != id || c.Foreign {
			t.Errorf("%s: %q %s foreign=%t, %v; want %q", id, c.Subject, c.ID, c.Foreign, err, want)
		}
	}
}

// What a rewritten history no longer has is gone from the tables and from the
// bytes of the files.
func TestSyncForgetsRewrittenCommits(t *testing.T) {
	const secret = "the code is 4711-zebra"
	s := newStory(t)
	files := func(text string) map[string]string {
		return map[string]string{"MEMORY.md": text, "memory/zebra-topic.md": text}
	}
	old := s.tell(t, told{message: "base", files: map[string]string{"MEMORY.md": "x\n"}},
		told{message: secret, files: files("- 2026-09-01 · " + secret + "\n")}, told{message: "later", files: files("y\n")})
	clean := s.tell(t, told{message: "base again", parents: []int{0}, files: map[string]string{"MEMORY.md": "y\n"}})
	dir := t.TempDir()
	x := open(t, dir)
	mustSync(t, x, s, old)
	if !holds(t, dir, "zebra") {
		t.Fatal("the control is not found: the test proves nothing")
	}
	if n := mustSync(t, x, s, clean); n != 1 {
		t.Errorf("added %d, want 1", n)
	}
	if holds(t, dir, "zebra") {
		t.Error("the file still holds what was rewritten")
	}
	if _, err := x.ByID(t.Context(), old.String()); !errors.Is(err, ErrNotFound) {
		t.Errorf("old head: %v, want ErrNotFound", err)
	}
	mustSync(t, x, s, git.Hash{})
	if n, err := x.Count(t.Context()); n != 0 || err != nil || !x.Head().IsZero() {
		t.Errorf("no history: %d changes, head %s, %v", n, x.Head(), err)
	}
}

func holds(tb testing.TB, dir, words string) bool {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) == 0 {
		tb.Fatal("no files", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		if bytes.Contains(b, []byte(words)) {
			return true
		}
	}
	return false
}

// Stepping through heads in any order gives the tables of one full build.
func TestSyncStepsEqualOneBuild(t *testing.T) {
	s := newStory(t) // one repository: each try begins a new root in it
	rapid.Check(t, func(rt *rapid.T) {
		base := len(s.hashes)
		n := rapid.IntRange(2, 25).Draw(rt, "commits")
		commits := make([]told, n)
		for i := range commits {
			commits[i] = randomCommit(rt, base, i)
		}
		s.tell(t, commits...)
		stepped := open(t, t.TempDir())
		heads := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 6).Draw(rt, "heads")
		for _, h := range heads {
			mustSync(t, stepped, s, s.hashes[base+h])
		}
		built := open(t, t.TempDir())
		mustSync(t, built, s, s.hashes[base+heads[len(heads)-1]])
		if d := cmp.Diff(dump(t, built), dump(t, stepped)); d != "" {
			rt.Fatalf("tables (-built +stepped):\n%s", d)
		}
		if err := stepped.Check(context.Background()); err != nil {
			rt.Fatal(err)
		}
		for _, x := range []*Index{stepped, built} {
			if err := x.Close(); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

func randomCommit(rt *rapid.T, base, i int) told {
	c := told{message: fmt.Sprintf("change %d", i), files: map[string]string{}}
	if rapid.Bool().Draw(rt, "ours") {
		c.message = ours(c.message, ulid(rapid.IntRange(0, i).Draw(rt, "id")), "Memory-Undoes", ulid(rapid.IntRange(0, i).Draw(rt, "undoes")))
	}
	for _, path := range rapid.SliceOfN(rapid.SampledFrom([]string{"MEMORY.md", "memory/a.md", "memory/archive.md", "other.txt"}), 0, 3).Draw(rt, "paths") {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"- 2026-09-01 · likes tea", "- 2026-09-01 · likes black tea", "- 2026-09-02 · has a dog", "# Notes", "", "a line"}), 0, 5).Draw(rt, "lines")
		c.files[path] = strings.Join(lines, "\n")
	}
	c.root = i == 0 || rapid.IntRange(0, 9).Draw(rt, "root") == 0
	if !c.root {
		c.parents = rapid.SliceOfNDistinct(rapid.IntRange(base+max(0, i-4), base+i-1), 1, min(3, i), rapid.ID[int]).Draw(rt, "parents")
	}
	return c
}

func TestSyncLocked(t *testing.T) {
	s := newStory(t)
	head := s.tell(t, told{message: "one"})
	dir := t.TempDir()
	x, other := open(t, dir), open(t, dir)
	err := other.write(t.Context(), func(ctx context.Context, _ *tables) error {
		if _, err := x.Sync(ctx, s.repo, head); !errors.Is(err, ErrLocked) {
			t.Errorf("sync while another writes: %v, want ErrLocked", err)
		}
		if n, err := x.Count(ctx); n != 0 || err != nil {
			t.Errorf("reading while another writes: %d, %v", n, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := mustSync(t, x, s, head); n != 1 {
		t.Errorf("added %d after the lock, want 1", n)
	}
}

func TestSyncOfTwoHandles(t *testing.T) {
	s := newStory(t)
	var commits []told
	for i := range 3 * batch {
		commits = append(commits, told{message: ours("c", ulid(i)), files: map[string]string{"MEMORY.md": fmt.Sprintf("- 2026-09-01 · fact %d\n", i)}})
	}
	s.tell(t, commits...)
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 2 {
		x := open(t, dir)
		wg.Go(func() {
			for _, h := range []int{10, batch, 2 * batch, 3*batch - 1} {
				if _, err := x.Sync(context.Background(), s.repo, s.hashes[h]); err != nil && !errors.Is(err, ErrLocked) {
					t.Errorf("sync: %v", err)
				}
			}
		})
	}
	wg.Wait()
	x := open(t, dir)
	mustSync(t, x, s, s.hashes[3*batch-1])
	if d := cmp.Diff(dump(t, indexed(t, s)), dump(t, x)); d != "" {
		t.Errorf("tables (-one build +two handles):\n%s", d)
	}
}

// A shallow clone begins above its missing parents.
func TestSyncShallow(t *testing.T) {
	s := newStory(t)
	s.tell(t, told{message: "one", files: map[string]string{"MEMORY.md": "a\n"}}, told{message: "two", files: map[string]string{"ABOUT.md": "b\n"}})
	head := s.tell(t, told{message: "three", files: map[string]string{"ABOUT.md": "c\n"}})
	cut := s.hashes[0].String()
	if err := os.Remove(filepath.Join(s.dir, ".git", "objects", cut[:2], cut[2:])); err != nil {
		t.Fatal(err)
	}
	x := open(t, t.TempDir())
	mustSync(t, x, s, head)
	changes, err := x.Newest(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"three|person Ada|outside|foreign=true|1 edited ABOUT.md +1-1",
		"two|person Ada|outside|foreign=true|1 created ABOUT.md +1-0, 2 created MEMORY.md +1-0",
	}
	var got []string
	for _, c := range changes {
		got = append(got, brief(c))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
}

func TestSyncStopsWithItsContext(t *testing.T) {
	s := newStory(t)
	head := s.tell(t, told{message: "one"})
	x := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Sync(ctx, s.repo, head); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	if n := mustSync(t, x, s, head); n != 1 {
		t.Errorf("added %d afterwards, want 1", n)
	}
}
