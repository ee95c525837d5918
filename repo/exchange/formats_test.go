package exchange

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// What each file format becomes.
func TestReadFile(t *testing.T) {
	tests := map[string]struct{ format, text, want string }{
		"chatgpt: a block with dates": {
			"chatgpt", "Here is what I know:\n```\n[2025-03-01] - Ada likes tea\n[unknown] - Ada has a dog\n  named Luna\n[draft] plans stay\n```\nThat is all.\n",
			" | 2025-03-01 | Ada likes tea\n |  | Ada has a dog named Luna\n |  | [draft] plans stay\n- x:1: outside of the block that holds the list\n- x:8: outside of the block that holds the list\n",
		},
		"chatgpt: a pasted list": {
			"chatgpt", "# Memories\r\n1. Likes tea\r\n2) [March 2, 2024] - Has a dog\r\n\r\n• Lives in Pune\r\n",
			" |  | Likes tea\n | 2024-03-02 | Has a dog\n |  | Lives in Pune\n- x:1: a heading\n",
		},
		"chatgpt: days without brackets": {"chatgpt", "- 2025-04-01 - Works as a nurse\n2025-13-01 - no day\n2025-04-02: Has a dog\n", " | 2025-04-01 | Works as a nurse\n |  | 2025-13-01 - no day\n | 2025-04-02 | Has a dog\n"},
		"chatgpt: UTF-16":                {"chatgpt", "\xff\xfe-\x00 \x00T\x00e\x00a\x00", " |  | Tea\n"},
		"retention":                      {"retention", "- Lives in Pune [2025-03-25]\n- Cook [2025-03-25T14:30:00]\n", "MEMORY.md = \"- Lives in Pune [2025-03-25]\\n- Cook [2025-03-25T14:30:00]\\n\"\n"},
		"mcp-memory": {"mcp-memory", `{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"," "]}
{"type":"entity","name":"Acme","entityType":"","observations":["makes bolts"]}

{"type":"entity","name":"Bo","entityType":"person","observations":[]}
{"type":"relation","from":"Ada","to":"Acme","relationType":"works_at"}
{"type":"relation","from":"Zoe","to":"Ada","relationType":"knows"}
{"type":"else"}
`, "person |  | Ada: likes tea\n? |  | Acme: makes bolts\nperson |  | Bo: person\nperson |  | Ada works_at Acme\n? |  | Zoe knows Ada\n" +
			"- x:1: an observation without words\n- x:7: neither an entity nor a relation\n"},
		"mem0": {
			"mem0", `{"count":3,"results":[{"id":"1","memory":"Likes tea","categories":["food","x"],"metadata":{"a":1},"created_at":"2024-01-02T03:04:05.123-07:00","updated_at":"2024-02-03T00:00:00Z"},
{"id":"2","memory":"Has a dog","created_at":1700000000,"metadata":null},{"id":"3"}]}`,
			"food | 2024-01-02 | Likes tea | updated 2024-02-03\n? | 2023-11-14 | Has a dog\n- x#3: no text under \"memory\"\n- x: the metadata of 1 memories: notes have none\n",
		},
		"mem0: a list": {"mem0", `[{"memory":"Likes tea"}]`, "? |  | Likes tea\n"},
		"letta": {
			"letta", `{"agents":[{"name":"a","system":"be kind","messages":[{},{}]}],"blocks":[{"label":"human","value":"Name: Ada\nLikes tea","description":"who: they are"},{"label":"empty","value":" "}],"files":[],"tools":[{}]}`,
			"human.md = \"---\\ntitle: human\\ndescription: \\\"who: they are\\\"\\n---\\n\\nName: Ada\\nLikes tea\\n\"\n- x#empty: an empty block\n- x: 2 messages: what was said, not memory\n- x: 1 system prompts: instructions, not memory\n- x: 1 tools\n",
		},
		"otto": {
			"otto", "# What Otto remembers\n\n## preferences\n\n- Likes tea (stated) · 2026-05-01\n- Writes short\n  mails\n\n### writing-style\n\nShort and warm.\nUpdated: 2026-04-01\n\n## People\n- **bo**: a brother\n",
			"preferences | 2026-05-01 | Likes tea (stated)\npreferences |  | Writes short mails\npreferences | 2026-04-01 | writing-style: Short and warm.\nPeople |  | **bo**: a brother\n",
		},
		"otto: addresses": {
			"otto", "# Memory\n\n## About\n\n- **about/has-a-dog** (stated): Has a dog [2026-05-01]\n  named Luna\n- **about/code** (stated): ```\n  x\n  ```\n- **lessons/ask-first** (observed): Ask first\n  before a deploy\n- **people/bo** (tentative): Bo is a brother\n",
			" | 2026-05-01 | Has a dog named Luna\n |  | ```\nx\n```\nlessons |  | Ask first before a deploy | noticed\npeople |  | Bo is a brother (tentative)\n",
		},
		"mcp-memory: topics": {"mcp-memory", `{"type":"entity","name":"Trains","entityType":"topic","observations":["the night train is late (until 2027-01-01) [2026-05-01]"]}
{"type":"entity","name":"scout","entityType":"memory","observations":["likes tea [2026-05-01]"]}
`, "Trains | 2026-05-01 | the night train is late | until 2027-01-01\n | 2026-05-01 | likes tea\n"},
		"memory-store": {
			"memory-store", `{"data":[{"path":"/notes/","type":"memory_prefix"},{"path":"/notes/food.md","content":"- tea\n","content_sha256":"` + sum("- tea\n") + `"},{"path":"/todo","content":"x"},{"path":"/bad","content":"x","content_sha256":"00"},{"path":"/a/../../b","content":"x"}]}`,
			"notes/food.md = \"- tea\\n\"\ntodo.md = \"x\"\n- /bad: its content is not what its content_sha256 says\n- /a/../../b: no path that a note can have\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := Read(tt.format, Source{Name: "x", Text: []byte(tt.text)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, shown(b)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What each folder format becomes.
func TestReadFolder(t *testing.T) {
	tests := map[string]struct {
		format string
		files  map[string]string
		want   string
	}{
		"folder": {
			"folder",
			map[string]string{"a.md": "A", "b/c.markdown": "C", "p.png": "", ".git/x.md": "x", "node_modules/y.md": "y"},
			"a.md = \"A\"\nb/c.markdown = \"C\"\n- .git/: a folder of tools, not of notes\n- node_modules/: a folder of tools, not of notes\n- p.png: not markdown\n",
		},
		"obsidian": {
			"obsidian",
			map[string]string{"Daily/2026-05-01.md": "day", "2026-05-02 trip.md": "trip", ".obsidian/app.json": "{}"},
			"2026-05-02 trip.md = \"trip\"\nmemory/log/2026-05-01.md = \"day\"\n- .obsidian/: a folder of tools, not of notes\n",
		},
		"basic-memory": {
			"basic-memory",
			map[string]string{"notes/tea.md": "---\ntitle: Tea\ntags: [drink]\n---\n- [habit] likes tea #drink\n- relates_to [[Bees]]\n"},
			"notes/tea.md = \"---\\ntitle: Tea\\ntags: [drink]\\n---\\n- [habit] likes tea #drink\\n- relates_to [[Bees]]\\n\"\n",
		},
		"openclaw": {
			"openclaw",
			map[string]string{"MEMORY.md": "m", "USER.md": "u", "AGENTS.md": "a", "memory/2026-05-01.md": "day", "memory/2026-05-01-trip.md": "trip", "memory/pets.md": "p", "work/report.md": "r"},
			"MEMORY.md = \"m\"\nUSER.md = \"u\"\nmemory/log/2026-05-01.md = \"trip\"\nmemory/log/2026-05-01.md = \"day\"\nmemory/pets.md = \"p\"\n" +
				"- AGENTS.md: instructions for the agent, not memory\n- work/report.md: not in the memory folder: the agent's work\n",
		},
		"claude-code: an index alone": {
			"claude-code",
			map[string]string{"MEMORY.md": "# Memory index\n\n- [Build](build.md)\n", "build.md": "Run make.\n"},
			"build.md = \"Run make.\\n\"\n- MEMORY.md: 1 lines that list the notes: quipu lists topics itself\n",
		},
		"claude-code": {
			"claude-code",
			map[string]string{"memory/MEMORY.md": "# Memory\n- [Build](build.md) — how\n- use make\n- [[gone]]\n", "memory/build.md": "---\nname: build\ndescription: how to build\nmetadata:\n  type: project\n---\nRun make.\n"},
			"MEMORY.md = \"# Memory\\n- use make\\n- [[gone]]\\n\"\nbuild.md = \"---\\ntitle: build\\nname: build\\ndescription: how to build\\nmetadata:\\n  type: project\\n---\\nRun make.\\n\"\n" +
				"- MEMORY.md: 1 lines that list the notes: quipu lists topics itself\n",
		},
		"kotoba": {
			"kotoba",
			map[string]string{"USER.md": "# USER\nYou can edit any of these.\n\n## Recent\n- Has a dog [pets]\n- Likes tea [food]\n\n## Topics\n- pets (1)\n", "topics/pets.md": "# pets\n- Has a dog\n- Had a cat (2025-01-02)\n"},
			"pets |  | Has a dog\npets | 2025-01-02 | Had a cat\nfood |  | Likes tea\n- USER.md:2: the file's own words\n- USER.md: its list of topics: quipu lists topics itself\n",
		},
		"letta memory files": {
			"letta",
			map[string]string{"system/human.md": "---\ndescription: d\n---\nAda\n", "notes/x.md": "x"},
			"notes/x.md = \"x\"\nhuman.md = \"---\\ndescription: d\\n---\\nAda\\n\"\n",
		},
		"retention": {"retention", map[string]string{"memory.md": "- a [2025-01-01]\n", "SKILL.md": "policy"}, "MEMORY.md = \"- a [2025-01-01]\\n\"\n- SKILL.md: not memory.md\n"},
		"openmausbot, no journal": {
			"openmausbot",
			map[string]string{"MEMORY.md": "m", "memory/log/2026-05-01.md": "l", "report.md": "r"},
			"MEMORY.md = \"m\"\nmemory/log/2026-05-01.md = \"l\"\n- report.md: not memory: the bot's work\n- journal: no journal lies beside the workspace: its history is not taken in\n",
		},
		"OpenMemory": {
			"mem0",
			map[string]string{"memories.jsonl.gz": "x", "memories.json": `{"categories":[{"id":"c","name":"food"}],"memories":[{"id":"1","content":"Likes tea","state":"active","category_ids":["c"],"created_at":"2024-01-02T00:00:00+00:00"},{"id":"2","content":"gone","state":"deleted"},{"id":"3","content":"Bakes","state":"active"}],"memory_categories":[{"memory_id":"3","category_id":"c"}]}`},
			"food | 2024-01-02 | Likes tea\nfood |  | Bakes\n- memories.jsonl.gz: not memories.json, which holds the same memories\n- memories.json#2: deleted there\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for kind, s := range map[string]Source{"folder": {Name: "x", Dir: dirOf(tt.files)}, "zip": {Name: "x", Text: zipOf(t, tt.files)}} {
				b, err := Read(tt.format, s)
				if err != nil {
					t.Fatal(kind, err)
				}
				if diff := cmp.Diff(tt.want, shown(b)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", kind, diff)
				}
			}
		})
	}
}

// Bad input is refused with a sentence that says where.
func TestReadRefused(t *testing.T) {
	tests := map[string]struct {
		format string
		source Source
		kind   error
		says   string
	}{
		"broken JSON":             {"mem0", Source{Name: "m.json", Text: []byte("{\n\"results\": [\n{]}")}, ErrInput, "m.json: line 3"},
		"another shape":           {"mem0", Source{Name: "m.json", Text: []byte("{\n\"results\": 5}")}, ErrInput, "line 2"},
		"nothing of it":           {"mem0", Source{Name: "m.json", Text: []byte("{}")}, ErrInput, "results"},
		"empty":                   {"letta", Source{Name: "a.af"}, ErrInput, "empty"},
		"no agent file":           {"letta", Source{Name: "a.af", Text: []byte("{}")}, ErrInput, "agent"},
		"a broken line":           {"mcp-memory", Source{Name: "g", Text: []byte("{\"name\":\"a\"}\n{\"na")}, ErrInput, "g: line 2"},
		"wrong encoding":          {"chatgpt", Source{Name: "l", Text: []byte("- a\n- caf\xe9\n")}, ErrInput, "line 2"},
		"half of UTF-16":          {"chatgpt", Source{Name: "l", Text: []byte("\xff\xfe")}, ErrInput, "no list"},
		"no list":                 {"chatgpt", Source{Name: "l", Text: []byte("\n\n")}, ErrInput, "no list"},
		"listing without text":    {"memory-store", Source{Name: "l", Text: []byte(`{"data":[{"path":"/a"}]}`)}, ErrInput, "view=full"},
		"a folder for a file":     {"chatgpt", Source{Name: "d", Dir: dirOf(nil)}, ErrInput, "is a folder"},
		"a file for a folder":     {"obsidian", Source{Name: "f", Text: []byte("x")}, ErrInput, "is not a folder"},
		"no such format":          {"other", Source{}, ErrInput, "other"},
		"a zip that leads out":    {"folder", Source{Name: "z", Text: zipOf(t, map[string]string{"../x.md": "x"})}, ErrInput, "leads out"},
		"a zip of Windows paths":  {"folder", Source{Name: "z", Text: zipOf(t, map[string]string{`a\..\x.md`: "x"})}, ErrInput, "leads out"},
		"a torn zip":              {"folder", Source{Name: "z", Text: []byte("PK\x03\x04nothing")}, ErrInput, "no zip"},
		"a zip with a name twice": {"folder", Source{Name: "z", Text: bytes.ReplaceAll(zipOf(t, map[string]string{"a.md": "x", "b.md": "y"}), []byte("b.md"), []byte("a.md"))}, ErrInput, "cannot be unpacked"},
		"a zip that was changed":  {"folder", Source{Name: "z", Text: flipped(zipOf(t, map[string]string{"a.md": "hello there"}), 36)}, ErrInput, "cannot be unpacked"},
		"a huge page":             {"folder", Source{Name: "d", Dir: dirOf(map[string]string{"a.md": strings.Repeat("x", maxPage+1)})}, ErrTooLarge, "a.md"},
		"a zip that swells":       {"folder", Source{Name: "z", Text: zipOf(t, map[string]string{"a.md": strings.Repeat("x", maxPage+1)})}, ErrTooLarge, "a.md"},
		"a broken row":            {"openmausbot", Source{Name: "w", Dir: dirOf(nil), Journal: []byte("{}\nnope\n{}\n")}, ErrInput, "journal: line 2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := Read(tt.format, tt.source)
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %q (%d notes)", err, tt.says, len(b.Notes))
			}
		})
	}
	if _, err := ReadAll("stdin", endless{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("an endless input: %v", err)
	}
}

// flipped is text with one byte of it changed.
func flipped(text []byte, at int) []byte {
	text[at] ^= 0x55
	return text
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// A link in a folder, or in a zip, is not followed.
func TestReadLinks(t *testing.T) {
	dir := fstest.MapFS{"MEMORY.md": {Mode: fs.ModeSymlink, Data: []byte("/etc/passwd")}, "a.md": {Data: []byte("a"), Mode: 0o600}}
	for _, format := range []string{"folder", "openclaw", "claude-code", "obsidian", "openmausbot", "kotoba", "letta"} {
		b, err := Read(format, Source{Name: "d", Dir: dir})
		if err != nil || !strings.Contains(shown(b), "- MEMORY.md: not a plain file\n") || strings.Contains(shown(b), "MEMORY.md =") {
			t.Errorf("%s: %v\n%s", format, err, shown(b))
		}
	}
}

// A hundred thousand lines are read, and all of them.
func TestReadLong(t *testing.T) {
	const n = 100_000
	for format, line := range map[string]string{
		"chatgpt": "[2025-01-01] - A fact about tea and dogs\n", "mcp-memory": `{"type":"entity","name":"A","entityType":"t","observations":["x"]}` + "\n",
	} {
		b, err := Read(format, Source{Name: "x", Text: []byte(strings.Repeat(line, n))})
		if err != nil || len(b.Notes) != n {
			t.Errorf("%s: %d notes, %v", format, len(b.Notes), err)
		}
	}
}

func TestDetect(t *testing.T) {
	tests := map[string]struct {
		source Source
		want   string
	}{
		"a folder":     {Source{Dir: dirOf(map[string]string{"a.md": ""})}, "folder"},
		"obsidian":     {Source{Dir: dirOf(map[string]string{".obsidian/app.json": ""})}, "obsidian"},
		"kotoba":       {Source{Dir: dirOf(map[string]string{"USER.md": "", "topics/a.md": ""})}, "kotoba"},
		"openclaw":     {Source{Dir: dirOf(map[string]string{"MEMORY.md": "", "AGENTS.md": ""})}, "openclaw"},
		"with journal": {Source{Dir: dirOf(nil), Journal: []byte("")}, "openmausbot"},
		"a zip":        {Source{Text: zipOf(t, map[string]string{"memories.json": ""})}, "mem0"},
		"agent file":   {Source{Name: "a.af", Text: []byte("{}")}, "letta"},
		"graph":        {Source{Text: []byte(`{"type":"entity","name":"A","entityType":"t"}` + "\n")}, "mcp-memory"},
		"get_all":      {Source{Text: []byte(`{"results":[{"memory":"x"}]}`)}, "mem0"},
		"listing":      {Source{Text: []byte(`{"data":[{"content_sha256":"x"}]}`)}, "memory-store"},
		"any text":     {Source{Text: []byte("- a\n")}, ""},
		"a torn zip":   {Source{Text: []byte("PK\x03\x04")}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Detect(tt.source); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
