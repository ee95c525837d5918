package side

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestUndoWalk writes a history as actions; "undo 2" reverses the change of that
// number in the list, counted from 0.
func TestUndoWalk(t *testing.T) {
	tests := []struct {
		name       string
		actions    []string
		undo, redo string // the subjects that come next; "" for none
		undone     map[string]string
	}{
		{"nothing", []string{"init"}, "0 init", "", nil},
		{"the newest", []string{"update", "update"}, "1 update", "", nil},
		{"passes over logs", []string{"update", "log", "signal"}, "0 update", "", nil},
		{"walks back", []string{"update", "update", "undo 1"}, "0 update", "2 undo 1", map[string]string{"1": "2"}},
		{"walks back to the end", []string{"update", "update", "undo 1", "undo 0"}, "", "3 undo 0", map[string]string{"1": "2", "0": "3"}},
		{"redo makes it stand again", []string{"update", "update", "undo 1", "redo 2"}, "1 update", "", map[string]string{"2": "3"}},
		{"redo of the second undo", []string{"update", "update", "undo 1", "undo 0", "redo 3"}, "0 update", "2 undo 1", map[string]string{"1": "2", "3": "4"}},
		{"undo of a redo", []string{"update", "undo 0", "redo 1", "undo 2"}, "", "3 undo 2", map[string]string{"0": "1", "2": "3"}},
		{"a change after an undo", []string{"update", "undo 0", "update"}, "2 update", "1 undo 0", map[string]string{"0": "1"}},
		{"undone twice", []string{"update", "undo 0", "undo 0"}, "", "2 undo 0", map[string]string{"0": "2"}},
		{"of what is not there", []string{"update", "undo 77"}, "0 update", "1 undo 77", nil},
		{"nothing is left of an undo", []string{"update", "update", "undo 1", "undo 0 empty"}, "", "2 undo 1", map[string]string{"1": "2", "0": "3"}},
		{"restore is an undo", []string{"update", "restore 0"}, "", "1 restore 0", map[string]string{"0": "1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStory(t)
			var commits []told
			for i, a := range tt.actions {
				var action string
				var target int
				n, _ := fmt.Sscanf(a, "%s %d", &action, &target)
				pairs := []string{"Memory-Action", action}
				if n == 2 {
					pairs = append(pairs, "Memory-Undoes", ulid(target))
				}
				one := told{message: ours(fmt.Sprintf("%d %s", i, a), ulid(i), pairs...), files: map[string]string{"MEMORY.md": fmt.Sprintln(i, a)}}
				if strings.HasSuffix(a, " empty") {
					one.files = nil
				}
				commits = append(commits, one)
			}
			s.tell(t, commits...)
			x := indexed(t, s)
			undo, err := x.Undoable(t.Context(), []string{"log", "signal", "sync", "erase"})
			if undo.Subject != tt.undo || (err != nil) != (tt.undo == "") || err != nil && !errors.Is(err, ErrNotFound) {
				t.Errorf("undo takes %q, %v; want %q", undo.Subject, err, tt.undo)
			}
			redo, err := x.Redoable(t.Context())
			if redo.Subject != tt.redo || (err != nil) != (tt.redo == "") || err != nil && !errors.Is(err, ErrNotFound) {
				t.Errorf("redo takes %q, %v; want %q", redo.Subject, err, tt.redo)
			}
			changes, err := x.Newest(t.Context(), Filter{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, c := range changes {
				if c.UndoneBy != "" {
					var by int
					if _, err := fmt.Sscanf(c.UndoneBy[18:], "%d", &by); err != nil {
						t.Fatal(err)
					}
					got[fmt.Sprint(c.Pos-1)] = fmt.Sprint(by)
				}
			}
			if d := cmp.Diff(tt.undone, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("undone (-want +got):\n%s", d)
			}
		})
	}
}

// A person's `git revert` reverses as an undo does.
func TestGitRevertUndoes(t *testing.T) {
	s := newStory(t)
	target := s.tell(t, told{message: ours("a", ulid(0))}, told{message: ours("b", ulid(1))})
	head := s.tell(t, told{message: fmt.Sprintf("Revert \"b\"\n\nThis reverts commit %s.\n", target)})
	x := indexed(t, s)
	by, err := x.UndoneBy(t.Context(), ulid(0), ulid(1))
	if d := cmp.Diff(map[string]string{ulid(1): head.String()}, by); d != "" || err != nil {
		t.Errorf("undone (-want +got):\n%s%v", d, err)
	}
	if c, err := x.Undoable(t.Context(), nil); c.Subject != "a" || err != nil {
		t.Errorf("undo takes %q, %v; want a", c.Subject, err)
	}
}

// The rows that each question reads give what a walk over everything gives.
func TestUndoneByEqualsTheWalk(t *testing.T) {
	s := newStory(t)
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(rt, "changes")
		undoes := make([]string, n)
		commits := []told{{message: ours("0", ulid(0)), root: true}}
		for i := 1; i < n; i++ {
			pairs := []string{"Memory-Action", "update"}
			if rapid.Bool().Draw(rt, "undoes") {
				undoes[i] = ulid(rapid.IntRange(0, i-1).Draw(rt, "target"))
				pairs = []string{"Memory-Action", "undo", "Memory-Undoes", undoes[i]}
			}
			commits = append(commits, told{message: ours(fmt.Sprint(i), ulid(i), pairs...)})
		}
		s.tell(t, commits...)
		x := indexed(t, s)
		want, next := map[string]string{}, ""
		for i := n - 1; i >= 0; i-- {
			switch by := want[ulid(i)]; {
			case by != "":
			case undoes[i] == "" && next == "":
				next = ulid(i)
			case undoes[i] != "" && want[undoes[i]] == "":
				want[undoes[i]] = ulid(i)
			}
		}
		var ids []string
		for i := range n {
			ids = append(ids, ulid(i))
		}
		got, err := x.UndoneBy(t.Context(), ids...)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			rt.Fatalf("undone (-walk +index):\n%s%v", d, err)
		}
		c, err := x.Undoable(t.Context(), nil)
		if err != nil && !errors.Is(err, ErrNotFound) || c.ID != next {
			rt.Fatalf("undo takes %q, %v; want %q", c.ID, err, next)
		}
	})
}
