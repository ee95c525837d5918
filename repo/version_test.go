package repo

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each change of a file gives it as it was, found by its number or by a change.
func TestVersions(t *testing.T) {
	l := newLab(t)
	l.save("memory/food.md", "- soup\n")
	between := l.append("elsewhere")
	l.save("memory/food.md", "- soup\n- bread\n")
	if _, err := l.w.Delete(t.Context(), ada, "memory/food.md", Expect{}); err != nil {
		t.Fatal(err)
	}
	last := l.save("memory/food.md", "- tea\n")
	var got []string
	for n := range 6 {
		v, err := l.w.Version(t.Context(), "memory/food.md", n)
		if n == 5 {
			l.refuses(err, ErrNotFound)
			continue
		}
		if err != nil || v.Of != 4 || v.Row.Path != "memory/food.md" || v.Text.Hash != hashText([]byte(v.Text.Text)) {
			t.Errorf("version %d: %+v, %v", n, v, err)
		}
		got = append(got, v.Text.Text)
		if n == 0 && v.Row.Change != last.Change {
			t.Errorf("the newest is of %s, want %s", v.Row.Change, last.Change)
		}
		if v.Text.Exists != (n != 3) {
			t.Errorf("version %d exists: %v", n, v.Text.Exists)
		}
	}
	if diff := cmp.Diff([]string{"- tea\n", "- soup\n", "- soup\n- bread\n", "", "- tea\n"}, got); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	for change, want := range map[ChangeID]int{between.Change: 1, last.Change: 4} {
		if n, err := l.w.VersionOf(t.Context(), "memory/food.md", string(change)); err != nil || n != want {
			t.Errorf("of %s: version %d, %v; want %d", change, n, err, want)
		}
	}
	_, err := l.w.Version(t.Context(), "memory/none.md", 0)
	l.refuses(err, ErrNotFound)
	_, err = l.w.Version(t.Context(), "../x.md", 1)
	l.refuses(err, ErrInvalid)
	_, err = l.w.VersionOf(t.Context(), "memory/food.md", "nonesuch")
	l.refuses(err, ErrNotFound)
}

// What is put back goes over the text that was shown, or over none.
func TestRestoreOverWhatWasShown(t *testing.T) {
	l := newLab(t)
	first := l.save("memory/food.md", "- soup\n")
	l.save("memory/food.md", "- bread\n")
	shown := hashText([]byte("- bread\n"))
	l.save("memory/food.md", "- bread\n- by the bot meanwhile\n")
	_, err := l.w.RestoreOver(t.Context(), ada, "memory/food.md", string(first.Change), Expect{Hash: shown})
	l.refuses(err, ErrStale)
	_, err = l.w.RestoreOver(t.Context(), ada, "memory/food.md", string(first.Change), Expect{})
	l.refuses(err, ErrNeedHash)
	if got := l.text("memory/food.md"); got != "- bread\n- by the bot meanwhile\n" {
		t.Errorf("a refused restore wrote %q", got)
	}
	l.must(l.w.RestoreOver(t.Context(), ada, "memory/food.md", string(first.Change), Expect{Hash: hashText([]byte("- bread\n- by the bot meanwhile\n"))}))
	if got := l.text("memory/food.md"); got != "- soup\n" {
		t.Errorf("put back: %q", got)
	}
}
