package side

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// babble is a history whose texts are of few words, so that searches find some.
func babble(tb testing.TB, r *rand.Rand, n int) *story {
	tb.Helper()
	words := strings.Fields("tea Tee Straße STRASSE größe gro\u0308ße Ὀδυσσεύς ſüß 東京 茶 a xy it's 50% moved plans née cafe\u0301 café zzz")
	say := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[r.IntN(len(words))] + " \n"[r.IntN(8)/7:][:1])
		}
		return b.String()
	}
	s := newStory(tb)
	var commits []told
	for i := range n {
		c := told{message: ours(strings.ReplaceAll(say(1+r.IntN(3)), "\n", " "), ulid(i), "Memory-Action", []string{"update", "log"}[r.IntN(2)], "Memory-Source", words[r.IntN(len(words))]), files: map[string]string{}}
		for range r.IntN(3) {
			c.files[fmt.Sprintf("memory/t%d.md", r.IntN(4))] = "- " + say(r.IntN(9)) + fmt.Sprint(i) + "\n"
		}
		commits = append(commits, c)
	}
	s.tell(tb, commits...)
	return s
}

// looked is what a search finds when it reads everything.
func looked(all []Change, f Filter) (found []string) {
	for _, c := range all {
		words := lacking(fold(c.Subject+"\n"+c.Source), foldAll(f.Words))
		var kept []File
		for _, file := range c.Files {
			if f.Path == "" || file.Path == f.Path {
				kept = append(kept, file)
			}
		}
		switch {
		case f.BeforePos > 0 && c.Pos >= f.BeforePos, f.Action != "" && c.Action != f.Action, f.Path != "" && len(kept) == 0:
			continue
		case len(words) > 0:
			if kept = slices.DeleteFunc(kept, func(file File) bool { return len(lacking(fold(touched(file.Diff)), words)) > 0 }); len(kept) == 0 {
				continue
			}
		}
		found = append(found, named(c, kept))
	}
	return found[:min(len(found), f.Limit)]
}

func named(c Change, files []File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d:", c.Pos)
	for _, f := range files {
		fmt.Fprintf(&b, " %s", f.Path)
	}
	return b.String()
}

// The signatures leave nothing out and let nothing in: the matches are those of reading
// every text, for any part of any word.
func TestSearchIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9)) //nolint:gosec // a story of its own each run would not be told again
	s := babble(t, r, 230)
	x := indexed(t, s)
	all, err := x.Newest(t.Context(), Filter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	part := func() string {
		c := all[r.IntN(len(all))]
		text := c.Subject
		if len(c.Files) > 0 && r.IntN(2) == 0 {
			text = c.Files[0].Diff
		}
		runes := []rune(strings.Join(strings.Fields(text), ""))
		if len(runes) == 0 {
			return "none"
		}
		at := r.IntN(len(runes))
		return string(runes[at:min(len(runes), at+1+r.IntN(6))])
	}
	hits := 0
	for range 600 {
		f := Filter{Limit: 1 + r.IntN(60), Words: []string{part()}}
		if r.IntN(2) == 0 {
			f.Words = append(f.Words, part())
		}
		if r.IntN(3) == 0 {
			f.BeforePos = int64(r.IntN(len(all)) + 1)
		}
		if r.IntN(4) == 0 {
			f.Path = fmt.Sprintf("memory/t%d.md", r.IntN(5))
		}
		if r.IntN(4) == 0 {
			f.Action = "log"
		}
		got, err := x.Newest(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range got {
			names = append(names, named(c, c.Files))
		}
		hits += len(names)
		if d := cmp.Diff(looked(all, f), names); d != "" {
			t.Fatalf("%+v (-want +got):\n%s", f, d)
		}
	}
	if hits < 1000 {
		t.Errorf("%d matches in all: the searches ask for what is not there", hits)
	}
}

// What a change said is not told by its signature, but the signature goes with it.
func TestSignaturesAreCut(t *testing.T) {
	s := babble(t, rand.New(rand.NewPCG(1, 2)), 40) //nolint:gosec // see above
	x := indexed(t, s)
	err := x.view(t.Context(), func(ctx context.Context, tables *tables) error {
		return tables.blocks(ctx, "", nil, func(number int64, bits []byte) {
			if slices.ContainsFunc(bits, func(b byte) bool { return b < 0x80 }) {
				t.Errorf("block %d may read as a word", number)
			}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{39, 29, 28, 27, 14, 7, 6, 1} {
		mustSync(t, x, s, s.hashes[n-1])
		y := open(t, t.TempDir())
		mustSync(t, y, s, s.hashes[n-1])
		if d := cmp.Diff(dump(t, y), dump(t, x)); d != "" {
			t.Errorf("cut to %d changes (-built +cut):\n%s", n, d)
		}
	}
}

// A signature that was altered would keep a change from being found: it is noticed, and
// the next sync makes the index again.
func TestDamagedSignature(t *testing.T) {
	s := babble(t, rand.New(rand.NewPCG(3, 4)), 20) //nolint:gosec // see above
	x := indexed(t, s)
	want := dump(t, x)
	spoil := func() {
		t.Helper()
		if _, err := x.tables.conn.ExecContext(t.Context(), "UPDATE gram SET bits = ? WHERE block = 1", bytes.Repeat([]byte{0}, blockSize*sigBytes)); err != nil {
			t.Fatal(err)
		}
	}
	spoil()
	if _, err := x.Newest(t.Context(), Filter{Words: []string{"tea"}}); !errors.Is(err, ErrBroken) {
		t.Errorf("search: %v, want ErrBroken", err)
	}
	mustSync(t, x, s, s.hashes[19])
	spoil()
	if err := x.Check(t.Context()); !errors.Is(err, ErrBroken) {
		t.Errorf("check: %v, want ErrBroken", err)
	}
	mustSync(t, x, s, s.hashes[19])
	if d := cmp.Diff(want, dump(t, x)); d != "" {
		t.Errorf("tables (-want +got):\n%s", d)
	}
}
