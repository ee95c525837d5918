package panel

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write words/messages.json anew")

// messages collects every sentence of the panel: its English, or the forms of a number.
type messages map[string]any

func (m messages) text(s string) { m[s] = s }

func (m messages) number(one, other string) { m[other] = map[string]string{"one": one, "other": other} }

// called takes the sentences of one call of say, several, told or msg.
func (m messages) called(name string, literals []string) {
	switch {
	case (name == "say" || name == "told" || name == "msg") && len(literals) > 0 && literals[0] != "":
		m.text(literals[0])
	case name == "msgs" && len(literals) == 2:
		m.number(literals[0], literals[1])
	case name == "several" && len(literals) > 2 && literals[2] != "":
		m.number(literals[1], literals[2])
	}
}

func collected(t *testing.T) messages {
	t.Helper()
	m := messages{}
	for _, page := range newSpeech(embeddedLanguages(t).spoken[0].tag, nil).pages() {
		for _, part := range page.Templates() {
			if part.Tree != nil {
				m.template(part.Tree.Root)
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, m.code)
	}
	return m
}

func embeddedLanguages(t *testing.T) *languages {
	t.Helper()
	all, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (m messages) code(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		m.called(name, literalsOf(n.Args))
	case *ast.CompositeLit:
		if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "faulty" && len(n.Elts) == 2 {
			m.called("msg", literalsOf(n.Elts[1:]))
		}
	}
	return true
}

func literalsOf(args []ast.Expr) []string {
	list := make([]string, 0, len(args))
	for _, a := range args {
		text := ""
		if lit, ok := a.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ = strconv.Unquote(lit.Value)
		}
		list = append(list, text)
	}
	return list
}

// template walks a template for its sentences.
func (m messages) template(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, one := range n.Nodes {
				m.template(one)
			}
		}
	case *parse.ActionNode:
		m.template(n.Pipe)
	case *parse.IfNode:
		m.branch(n.BranchNode)
	case *parse.RangeNode:
		m.branch(n.BranchNode)
	case *parse.WithNode:
		m.branch(n.BranchNode)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			m.template(n.Pipe)
		}
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			m.command(c)
		}
	}
}

func (m messages) branch(n parse.BranchNode) {
	m.template(n.Pipe)
	m.template(n.List)
	m.template(n.ElseList)
}

func (m messages) command(c *parse.CommandNode) {
	var literals []string
	for _, a := range c.Args[1:] {
		text := ""
		if s, ok := a.(*parse.StringNode); ok {
			text = s.Text
		}
		literals = append(literals, text)
	}
	if name, ok := c.Args[0].(*parse.IdentifierNode); ok {
		m.called(name.Ident, literals)
	}
	for _, a := range c.Args {
		m.template(a)
	}
}

// TestMessages holds words/messages.json to what the panel says.
func TestMessages(t *testing.T) {
	m := collected(t)
	file := filepath.Join("words", messagesFile)
	want, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(want)) + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := os.ReadFile(file)
	if diff := cmp.Diff(strings.Split(text, "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("run go test ./server/panel -run TestMessages -update (-said +listed)\n%s", diff)
	}
}

// TestScriptSentences holds the modules' sentences to those that the page brings them.
func TestScriptSentences(t *testing.T) {
	literal := `"((?:[^"\\]|\\.)*)"`
	one := regexp.MustCompile(`\bsay\(\s*` + literal)
	number := regexp.MustCompile(`\bseveral\([^"]*,\s*` + literal + `,\s*` + literal)
	used := map[string]bool{}
	for name, f := range readStatic() {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		for _, found := range one.FindAllStringSubmatch(string(f.data), -1) {
			used[found[1]] = true
		}
		for _, found := range number.FindAllStringSubmatch(string(f.data), -1) {
			used[found[2]] = true
		}
	}
	listed := map[string]bool{}
	for _, text := range scriptTexts {
		listed[text] = true
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(listed))); diff != "" {
		t.Errorf("(-in the modules +in scriptTexts)\n%s", diff)
	}
}
