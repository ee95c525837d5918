package side

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/markdown"
	"quipu/repo/internal/git"
)

// story makes real histories with git fast-import.
type story struct {
	dir    string
	repo   *git.Repo
	hashes []git.Hash // by the order in which the commits were told
}

// told is one commit of a story.
type told struct {
	message string
	author  string            // "Ada <ada@example.org>" unless said
	at      string            // git's raw form; a minute after the one before unless said
	files   map[string]string // path -> text; gone takes the file out
	parents []int             // by number in the story; nil: the one before
	root    bool
}

const gone = "\x00gone"

var (
	day0  = time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	berry = time.FixedZone("", 2*3600)
)

func newStory(tb testing.TB) *story {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "work")
	run(tb, nil, "git", "init", "-q", "-b", "main", dir)
	repo, err := git.Open(context.Background(), git.Options{
		Dir: filepath.Join(dir, ".git"), Work: dir,
		Committer: git.Signature{Name: "quipu", Email: "quipu@example.org"},
		Now:       func() time.Time { return day0 },
		Tracked:   isMemory, Union: markdown.Union,
		Redact: func(b []byte) ([]byte, int) { return b, 0 },
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = repo.Close() })
	return &story{dir: dir, repo: repo}
}

// tell adds commits and gives the newest.
func (s *story) tell(tb testing.TB, commits ...told) git.Hash {
	tb.Helper()
	var b bytes.Buffer
	base := len(s.hashes)
	for i, c := range commits {
		s.write(&b, base, base+i, c)
	}
	fmt.Fprint(&b, "done\n")
	marks := filepath.Join(tb.TempDir(), "marks")
	run(tb, &b, "git", "-C", s.dir, "-c", "core.fsyncObjectFiles=false", "fast-import", "--quiet", "--force", "--done", "--export-marks="+marks)
	listed, err := os.ReadFile(marks)
	if err != nil {
		tb.Fatal(err)
	}
	s.hashes = append(s.hashes, make([]git.Hash, len(commits))...)
	for line := range strings.Lines(string(listed)) {
		var n int
		var x string
		if _, err := fmt.Sscanf(line, ":%d %s", &n, &x); err != nil {
			tb.Fatal(err)
		}
		s.hashes[base+n-1], _ = git.ParseHash(x)
	}
	return s.hashes[len(s.hashes)-1]
}

func (s *story) write(b *bytes.Buffer, base, n int, c told) {
	author, at := c.author, c.at
	if author == "" {
		author = "Ada <ada@example.org>"
	}
	if at == "" {
		at = fmt.Sprintf("%d +0200", day0.Add(time.Duration(n)*time.Minute).Unix())
	}
	fmt.Fprintf(b, "reset refs/heads/main\ncommit refs/heads/main\nmark :%d\nauthor %s %s\ncommitter quipu <quipu@localhost> %s\ndata %d\n%s\n",
		n-base+1, author, at, at, len(c.message), c.message)
	parents := c.parents
	if parents == nil && !c.root && n > 0 {
		parents = []int{n - 1}
	}
	for i, p := range parents {
		verb, name := "merge", fmt.Sprintf(":%d", p-base+1)
		if i == 0 {
			verb = "from"
		}
		if p < base {
			name = s.hashes[p].String()
		}
		fmt.Fprintf(b, "%s %s\n", verb, name)
	}
	for path, text := range c.files {
		if text == gone {
			fmt.Fprintf(b, "D %s\n", path)
			continue
		}
		fmt.Fprintf(b, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	b.WriteString("\n")
}

func run(tb testing.TB, in *bytes.Buffer, name string, args ...string) {
	tb.Helper()
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if in != nil {
		cmd.Stdin = in
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// ours is a message with trailers as quipu writes them.
func ours(subject, id string, pairs ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nMemory-Author: bot scout\n", subject)
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, "%s: %s\n", pairs[i], pairs[i+1])
	}
	fmt.Fprintf(&b, "Memory-Change: %s\n", id)
	return b.String()
}

// ulid is the n-th id of a story.
func ulid(n int) string { return fmt.Sprintf("01JDXK3T9M2Q4R6S8V%08d", n) }

func open(tb testing.TB, dir string) *Index {
	tb.Helper()
	x, err := Open(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = x.Close() })
	return x
}

// indexed is a fresh index of a story's newest commit.
func indexed(tb testing.TB, s *story) *Index {
	tb.Helper()
	x := open(tb, tb.TempDir())
	mustSync(tb, x, s, s.hashes[len(s.hashes)-1])
	return x
}

func mustSync(tb testing.TB, x *Index, s *story, head git.Hash) int {
	tb.Helper()
	n, err := x.Sync(context.Background(), s.repo, head)
	if err != nil {
		tb.Fatalf("sync to %s: %v", head, err)
	}
	return n
}

// dump is every row of every table.
func dump(tb testing.TB, x *Index) []string {
	tb.Helper()
	var out []string
	err := x.view(context.Background(), func(ctx context.Context, t *tables) error {
		for _, table := range []string{"meta", "change", "path", "file", "unit", "gram"} {
			rows, err := t.conn.QueryContext(ctx, "SELECT * FROM "+table+" ORDER BY 1") //nolint:gosec // names from the line above
			if err != nil {
				return err
			}
			columns, err := rows.Columns()
			if err != nil {
				return err
			}
			for rows.Next() {
				values := make([]any, len(columns))
				for i := range values {
					values[i] = new(any)
				}
				if err := rows.Scan(values...); err != nil {
					return err
				}
				line := table
				for i, v := range values {
					line += fmt.Sprintf(" %s=%v", columns[i], *v.(*any))
				}
				out = append(out, line)
			}
			if err := rows.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// textsOf are the files of a story's newest commit, each with a line that no commit has.
func textsOf(tb testing.TB, s *story) map[string][]byte {
	tb.Helper()
	c, err := s.repo.Commit(s.hashes[len(s.hashes)-1])
	if err != nil {
		tb.Fatal(err)
	}
	all, err := s.repo.Changes(git.Hash{}, c.Tree)
	if err != nil {
		tb.Fatal(err)
	}
	texts := map[string][]byte{}
	for _, d := range all {
		text, err := s.repo.Blob(d.After)
		if err != nil {
			tb.Fatal(err)
		}
		texts[d.Path] = append(bytes.Clone(text), "- new in "+d.Path+"\n"...)
	}
	return texts
}

func unitsOf(tb testing.TB, s *story) map[string][]markdown.Unit {
	tb.Helper()
	units := map[string][]markdown.Unit{}
	for path, text := range textsOf(tb, s) {
		for _, u := range markdown.Parse(path, text).Units() {
			if visible(&u) != nil {
				units[path] = append(units[path], u)
			}
		}
	}
	return units
}
