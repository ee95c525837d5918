package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// room is one row of the house's table: a package of ours (with what lies under
// it, unless a longer path has a row of its own) and which rooms it may import.
type room struct {
	path string
	may  []string
}

// rooms lists the house from the ground up. A row names what it may import
// itself; it may always import what lies under it.
var rooms = []room{
	{"markdown", nil},
	{"policy", []string{"markdown"}},
	{"repo/internal/git", nil},
	{"repo/internal/side", []string{"repo/internal/git", "markdown"}},
	{"repo/internal", []string{"markdown"}},
	{"repo/index", []string{"markdown"}},
	{"repo/turns", nil},
	{"repo/exchange", []string{"policy", "markdown"}},
	{"repo", []string{"markdown", "policy", "repo"}},
	{"hooks/model", []string{"repo", "policy", "markdown"}},
	{"hooks", []string{"repo", "policy", "markdown", "hooks"}},
	{"server/panel", []string{"hooks", "repo", "policy", "markdown"}},
	{"server/mcp", []string{"hooks", "repo", "policy", "markdown"}},
	{"server", []string{"hooks", "repo", "policy", "markdown", "server"}},
	{"cmd/quipu", []string{"server", "hooks", "repo", "policy", "markdown", "cmd/quipu"}},
}

// outside names, for each library that shapes what stands on it, the rooms that
// may import it. A room that is not named reaches it only through those.
var outside = map[string][]string{
	"github.com/yuin/goldmark":            {"markdown"},
	"github.com/adrg/frontmatter":         {"markdown"},
	"github.com/zricethezav/gitleaks":     {"policy"},
	"github.com/blevesearch/snowballstem": {"policy", "repo/index"},
	"github.com/go-git":                   {"repo/internal/git"},
	"modernc.org/sqlite":                  {"repo/internal/side", "repo/turns"},
	"database/sql":                        {"repo/internal/side", "repo/turns"},
	"github.com/gofrs/flock":              {"repo"},
	"github.com/gorilla/mux":              {"server"},
	"github.com/getkin/kin-openapi":       {"server"},
	"github.com/urfave/cli":               {"cmd/quipu"},
	"github.com/openai":                   {"hooks/model"},
	"github.com/anthropics":               {"hooks/model"},
	"google.golang.org/genai":             {"hooks/model"},
	"github.com/modelcontextprotocol":     {"server/mcp"},
	"github.com/mark3labs/mcp-go":         {"server/mcp"},
	"github.com/chromedp":                 {"server/panel/browser"},
}

// impure lists what the two pure floors never import.
var impure = []string{"os", "net", "os/exec", "net/http", "io/ioutil", "syscall", "database/sql"}

func under(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// roomOf gives the row with the longest path that holds the package, nil for none.
func roomOf(pkg string) *room {
	var found *room
	for i, r := range rooms {
		if under(pkg, r.path) && (found == nil || len(r.path) > len(found.path)) {
			found = &rooms[i]
		}
	}
	return found
}

// faults gives one sentence for each import that the house forbids to the package.
func faults(pkg string, imports []string) []string {
	from := roomOf(pkg)
	if from == nil {
		return []string{pkg + " is in no room of the house"}
	}
	var out []string
	for _, imp := range imports {
		if ours, ok := strings.CutPrefix(imp, "quipu/"); ok {
			allowed := under(ours, from.path) || slices.ContainsFunc(from.may, func(m string) bool { return under(ours, m) })
			if !allowed {
				out = append(out, pkg+" imports "+ours+", which is not below it")
			}
			continue
		}
		for lib, holders := range outside {
			held := slices.ContainsFunc(holders, func(h string) bool { return under(pkg, h) })
			if under(imp, lib) && !held {
				out = append(out, pkg+" imports "+lib+", which belongs to "+strings.Join(holders, " and "))
			}
		}
		if pure := under(pkg, "markdown") || under(pkg, "policy") || under(pkg, "repo/exchange"); pure && slices.Contains(impure, imp) {
			out = append(out, pkg+" imports "+imp+", but it is pure")
		}
	}
	return out
}

func TestFloorsTable(t *testing.T) {
	tests := map[string]struct {
		pkg, imp string
		bad      bool
	}{
		"down is fine":                  {"policy", "quipu/markdown", false},
		"up is not":                     {"markdown", "quipu/policy", true},
		"vault reads its own rooms":     {"repo", "quipu/repo/internal/side", false},
		"index stands on paper only":    {"repo/index", "quipu/policy", true},
		"git room never sees the vault": {"repo/internal/git", "quipu/repo", true},
		"side reads git":                {"repo/internal/side", "quipu/repo/internal/git", false},
		"go-git has one home":           {"repo", "github.com/go-git/go-git/v5/plumbing", true},
		"and is at home there":          {"repo/internal/git", "github.com/go-git/go-git/v5/plumbing", false},
		"panel is below server":         {"server/panel", "quipu/server", true},
		"clock never serves":            {"hooks", "quipu/server/panel", true},
		"model kits stay in their room": {"hooks", "github.com/openai/openai-go", true},
		"pure means no files":           {"policy", "os", true},
		"a new folder needs a row":      {"internal/helpers", "fmt", true},
		"a name that only looks alike":  {"markdownish", "fmt", true},
		"only the door reads arguments": {"server", "github.com/urfave/cli/v2", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := len(faults(tt.pkg, []string{tt.imp})) > 0; got != tt.bad {
				t.Errorf("faults(%s, %s) found one: %v, want %v", tt.pkg, tt.imp, got, tt.bad)
			}
		})
	}
}

// TestFloors holds every package of the tree to the table, as each system builds it.
func TestFloors(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			list := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports", "quipu/...")
			list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
			list.Stderr = t.Output()
			out, err := list.Output()
			if err != nil {
				t.Fatal(err)
			}
			seen := 0
			for dec := json.NewDecoder(strings.NewReader(string(out))); ; seen++ {
				var p struct {
					ImportPath string
					Imports    []string
				}
				if err := dec.Decode(&p); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				for _, fault := range faults(strings.TrimPrefix(p.ImportPath, "quipu/"), p.Imports) {
					t.Error(fault)
				}
			}
			if seen < 5 {
				t.Errorf("go list named %d packages, want the whole house", seen)
			}
		})
	}
}
