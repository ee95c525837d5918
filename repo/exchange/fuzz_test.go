package exchange

import "testing"

func FuzzList(f *testing.F) {
	fuzzFile(f, "chatgpt", "[2025-01-01] - a\n", "```\n1. a\n  b\n```\n", "\t\n\t[x]\n")
}
func FuzzRetention(f *testing.F) { fuzzFile(f, "retention", "- a [2025-01-01]\n") }
func FuzzGraph(f *testing.F) {
	fuzzFile(f, "mcp-memory", `{"type":"entity","name":"A","entityType":"t","observations":["x"]}`, `{"from":"a","to":"b","relationType":"c"}`)
}

func FuzzMem0(f *testing.F) {
	fuzzFile(f, "mem0", `{"results":[{"memory":"a","created_at":"2025-01-01","categories":["c"]}]}`, `[{"memory":"a","created_at":1e300}]`)
}

func FuzzLetta(f *testing.F) {
	fuzzFile(f, "letta", `{"agents":[],"blocks":[{"label":"a/b","value":"x","description":"d: e"}]}`)
}

func FuzzListing(f *testing.F) {
	fuzzFile(f, "memory-store", `{"data":[{"path":"/a","content":"x"}]}`, `[{"path":"..","content":""}]`)
}

func FuzzOtto(f *testing.F) {
	fuzzFile(f, "otto", "## a\n- b · 2025-01-01\n### c\nd\nUpdated: 2025-01-01\n", "2025-01-01", "###### \n- \n")
}

func FuzzOpenMemory(f *testing.F) {
	fuzzFolder(f, "mem0", []string{"memories.json"}, `{"memories":[{"id":"1","content":"x","category_ids":["c"]}],"categories":[{"id":"c"}]}`)
}

func FuzzKotoba(f *testing.F) {
	fuzzFolder(f, "kotoba", []string{"USER.md", "topics/a.md", "b.md"}, "## Recent\n- a [b]\n## Topics\n- b (1)\n", "- a (2025-01-01)\n")
}

func FuzzClaudeCode(f *testing.F) {
	fuzzFolder(f, "claude-code", []string{"MEMORY.md", "a.md"}, "- [A](a.md)\n- [[a]]\n", "---\nname: a\n---\n", "\ufeff---\r\nname: a\r\n---\r\n")
}

func FuzzFolders(f *testing.F) {
	for _, format := range []string{"folder", "obsidian", "basic-memory", "openclaw"} {
		if _, ok := Named(format); !ok {
			f.Fatal(format)
		}
	}
	fuzzFolder(f, "openclaw", []string{"MEMORY.md", "memory/2025-01-01-a.md"}, "- a\n")
}

func FuzzJournal(f *testing.F) {
	fuzzFolder(f, "openmausbot", []string{"MEMORY.md"}, `{"at":1,"path":"MEMORY.md","kind":"edited","beforeHash":"a","afterHash":"b","before":"x"}`+"\n"+
		`{"at":2,"path":"MEMORY.md","kind":"deleted","before":null}`, `{"at":-9e18,"path":"memory/a.md"}`)
}
