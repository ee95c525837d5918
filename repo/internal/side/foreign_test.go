package side

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/repo/internal/git"
)

// The texts that a change replaced are foreign when a person's own commit brought
// them, or when the index cannot tell who did.
func TestForeignBefore(t *testing.T) {
	ours := func(id string) string { return "update: x\n\nMemory-Action: update\nMemory-Change: " + id + "\n" }
	s := newStory(t)
	s.tell(t,
		told{message: ours("01ARZ3NDEKTSV4RRFFQ69G5FA1"), files: map[string]string{"MEMORY.md": "- a\n", "memory/t.md": "- t\n"}},
		told{message: ours("01ARZ3NDEKTSV4RRFFQ69G5FA2"), files: map[string]string{"MEMORY.md": "- a\n- b\n"}},
		told{message: "mine\n", files: map[string]string{"MEMORY.md": "- a\n- b\n- mine\n"}},
		told{message: ours("01ARZ3NDEKTSV4RRFFQ69G5FA3"), files: map[string]string{"MEMORY.md": "- a\n- mine\n", "memory/t.md": "- t\n- u\n"}},
		told{message: ours("01ARZ3NDEKTSV4RRFFQ69G5FA4"), files: map[string]string{"MEMORY.md": "- mine\n"}},
	)
	x, err := Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close() //nolint:errcheck // the test ends
	_, head, err := s.repo.Head()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Sync(t.Context(), s.repo, head); err != nil {
		t.Fatal(err)
	}
	changes, err := x.Newest(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.ForeignBefore(t.Context(), changes...)
	if err != nil {
		t.Fatal(err)
	}
	want := map[git.Hash]bool{git.HashBlob([]byte("- a\n- b\n- mine\n")): true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("foreign texts (-want +got):\n%s", diff)
	}
}
