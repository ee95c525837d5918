package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// read0 is read for a file that need not be there.
func (h *home) read0(name string) string {
	b, err := os.ReadFile(h.path(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		h.t.Fatal(err)
	}
	return string(b)
}

// incompressible gives n characters that deflate cannot make much of.
func incompressible(n int) string {
	var b strings.Builder
	seed := uint64(n) + 1
	for b.Len() < n {
		seed = seed*6364136223846793005 + 1442695040888963407
		fmt.Fprintf(&b, "%016x", seed)
	}
	return b.String()[:n]
}

// playFiller adds ever longer lines until one is refused, and prints the answered.
func playFiller() error {
	h, _ := playedHome()
	r, err := Open(context.Background(), h.options())
	if err != nil {
		return err
	}
	for i := range 200 {
		line := "- " + incompressible(50*i)
		if err := add(r, "MEMORY.md", line); err != nil {
			fmt.Println("refused:", err)
			return r.Close()
		}
		fmt.Println(line)
	}
	return r.Close()
}

// TestFileSizeLimit lets the system refuse writes beyond a size, which needs no
// rights: `ulimit -f`, in blocks of 512 bytes.
func TestFileSizeLimit(t *testing.T) {
	for _, blocks := range []int{8, 16, 33, 64, 101} {
		t.Run(fmt.Sprint(blocks), func(t *testing.T) {
			h := newHome(t)
			r := h.open()
			if err := add(r, "MEMORY.md", "- first"); err != nil {
				t.Fatal(err)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			player := h.player("filler")
			cmd := exec.CommandContext(context.Background(), "sh", "-c", fmt.Sprintf("ulimit -f %d && exec %s", blocks, os.Args[0]))
			cmd.Env = player.Env
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			answered, refused, found := strings.Cut(string(out), "refused: ")
			if !found || !strings.Contains(refused, "too large") {
				t.Errorf("no refusal: %q", refused)
			}
			r = h.open()
			defer func() { _ = r.Close() }()
			if got, want := h.read("MEMORY.md"), "- first\n"+answered; got != want {
				t.Errorf("the file holds %d bytes, %d were answered", len(got), len(want))
			}
			if err := add(r, "MEMORY.md", "- next"); err != nil {
				t.Error(err)
			}
			h.sound()
		})
	}
}
