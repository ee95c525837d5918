package side

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/repo/internal/git"
)

func TestDiffSaysWhyThereIsNone(t *testing.T) {
	huge := strings.Repeat("x\n", maxPlain/2+1)
	tests := []struct{ name, path, before, after, want string }{
		{"picture", "memory/images/a.png", "", "\x89PNG\x00\xff", "(no diff: binary, 0 bytes before, 6 after)"},
		{"grown huge", "memory/big.md", "x\n", huge, "(no diff: too large, 2 bytes before, 1048578 after)"},
		{"shrunk", "memory/big.md", huge, "x\n", "(no diff: too large, 1048578 bytes before, 2 after)"},
		{"a NUL in a note", "memory/a.md", "a\n", "a\x00b\n", "--- a/memory/a.md\n+++ b/memory/a.md\n@@ -1,1 +1,1 @@\n-a\n+a\x00b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStory(t)
			one := told{message: "one", files: map[string]string{tt.path: tt.before}}
			if tt.before == "" {
				one.files = nil
			}
			s.tell(t, one, told{message: "two", files: map[string]string{tt.path: tt.after}})
			changes, err := indexed(t, s).Newest(t.Context(), Filter{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			f := changes[0].Files[0]
			if f.Diff != tt.want || f.AfterSum != sumHex(tt.after) || f.BeforeSize != int64(len(tt.before)) {
				t.Errorf("diff %q, sum %s, size %d; want %q, %s, %d", f.Diff, f.AfterSum, f.BeforeSize, tt.want, sumHex(tt.after), len(tt.before))
			}
		})
	}
}

// A gitlink's commit and a lost blob are not in the repository.
func TestSyncWithLostObjects(t *testing.T) {
	s := newStory(t)
	head := s.tell(t, told{message: "one", files: map[string]string{"MEMORY.md": "a\n"}}, told{message: "two", files: map[string]string{"MEMORY.md": "lost\n"}})
	blob := git.HashBlob([]byte("lost\n")).String()
	if err := os.Remove(filepath.Join(s.dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	x := open(t, t.TempDir())
	mustSync(t, x, s, head)
	got, err := x.Newest(t.Context(), Filter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	f := got[0].Files[0]
	if f.Diff != "(no diff: the text is not in this repository)" || f.AfterSum != "" || f.Kind != "edited" {
		t.Errorf("got %+v", f)
	}
}
