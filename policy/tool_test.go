package policy

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func toolNotes() map[string][]byte {
	return map[string][]byte{
		MemoryFile:                 []byte("# Memory\n\n- one\n- two\n"),
		"memory/food.md":           []byte("soup\nbread\nsoup again\n"),
		"memory/projects--acme.md": []byte("acme\n"),
		"memory/progress.txt.md":   []byte("step 1\n"),
		"memory/log/2026-11-30.md": []byte("- 09:00 did it\n"),
		"memory/archive.md":        []byte("- old\n"),
		"memory/a--deep--er--x.md": []byte("x\n"),
		"memory/--odd.md":          []byte("odd\n"),
	}
}

// ran is what a command came to: its answer or error, and what it writes.
func ran(t *testing.T, notes map[string][]byte, command string) (string, map[string]string) {
	t.Helper()
	c, err := ParseTool([]byte(command))
	answer := ""
	var out []Rewrite
	if err == nil {
		before := maps.Clone(notes)
		answer, out, err = c.Run(notes)
		if diff := cmp.Diff(before, notes); diff != "" {
			t.Errorf("the notes were changed\n%s", diff)
		}
	}
	if err != nil {
		var told *ToolError
		if !errors.As(err, &told) || out != nil {
			t.Errorf("%s: %v with %v", command, err, out)
		}
		return "! " + err.Error(), nil
	}
	wrote := map[string]string{}
	for _, r := range out {
		if wrote[r.Path] = string(r.Text); r.Gone {
			wrote[r.Path] = "gone"
		}
	}
	return answer, wrote
}

func TestToolCommands(t *testing.T) {
	tests := []struct {
		name, command, want string
		wrote               map[string]string
	}{
		{
			"view of all", `{"command":"view","path":"/memories"}`,
			"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n" +
				"83B\t/memories\n4B\t/memories/--odd.md\n22B\t/memories/MEMORY.md\n2B\t/memories/a\n2B\t/memories/a/deep\n6B\t/memories/archive.md\n" +
				"22B\t/memories/food.md\n15B\t/memories/log\n15B\t/memories/log/2026-11-30.md\n7B\t/memories/progress.txt\n5B\t/memories/projects\n5B\t/memories/projects/acme.md", nil,
		},
		{
			"view of all, the SDK's way", `{"command":"view","path":"/memories/","style":"sdk"}`,
			"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n" +
				"83B\t/memories\n4B\t/memories/--odd.md\n22B\t/memories/MEMORY.md\n2B\t/memories/a/\n2B\t/memories/a/deep/\n6B\t/memories/archive.md\n" +
				"22B\t/memories/food.md\n15B\t/memories/log/\n15B\t/memories/log/2026-11-30.md\n7B\t/memories/progress.txt\n5B\t/memories/projects/\n5B\t/memories/projects/acme.md", nil,
		},
		{
			"view of a folder", `{"command":"view","path":"/memories/projects"}`,
			"Here're the files and directories up to 2 levels deep in /memories/projects, excluding hidden items and node_modules:\n5B\t/memories/projects\n5B\t/memories/projects/acme.md", nil,
		},
		{"view", `{"command":"view","path":"/memories/food.md"}`, "Here's the content of /memories/food.md with line numbers:\n     1\tsoup\n     2\tbread\n     3\tsoup again", nil},
		{"view of some lines", `{"command":"view","path":"/memories/food.md","view_range":[2,-1]}`, "Here's the content of /memories/food.md with line numbers:\n     2\tbread\n     3\tsoup again", nil},
		{"view of lines that are not there", `{"command":"view","path":"/memories/food.md","view_range":[2,9]}`, "! Invalid `view_range` parameter: [2, 9]. It should be within the range of lines of the file: [1, 3]", nil},
		{"view of nothing", `{"command":"view","path":"/memories/none.md"}`, "! The path /memories/none.md does not exist. Please provide a valid path.", nil},
		{"a topic under both its names", `{"command":"view","path":"/memories/progress.txt.md"}`, "Here's the content of /memories/progress.txt.md with line numbers:\n     1\tstep 1", nil},

		{"create", `{"command":"create","path":"/memories/travel.md","file_text":"Pune\n"}`, "File created successfully at: /memories/travel.md", map[string]string{"memory/travel.md": "Pune\n"}},
		{"create of another kind", `{"command":"create","path":"/memories/todo.xml","file_text":""}`, "File created successfully at: /memories/todo.xml", map[string]string{"memory/todo.xml.md": ""}},
		{"create in a folder", `{"command":"create","path":"/memories/projects/beta.md","content":"b"}`, "File created successfully at: /memories/projects/beta.md", map[string]string{"memory/projects--beta.md": "b"}},
		{"create over a file", `{"command":"create","path":"/memories/food.md","file_text":""}`, "! Error: File /memories/food.md already exists", nil},
		{"create over a file, the SDK's way", `{"command":"create","path":"/memories/food.md","file_text":"","style":"sdk"}`, "! File /memories/food.md already exists", nil},
		{"create over a folder", `{"command":"create","path":"/memories/projects","file_text":""}`, "! Error: File /memories/projects already exists", nil},
		{"create of a log", `{"command":"create","path":"/memories/log/2026-12-01.md","file_text":""}`, "! The path /memories/log/2026-12-01.md is in the folder of the day logs, which the bot's turns write", nil},
		{"create with a mark", `{"command":"create","path":"/memories/a--b.md","file_text":""}`, "File created successfully at: /memories/a--b.md", map[string]string{"memory/a--b.md": ""}},
		{"create with a mark in a folder", `{"command":"create","path":"/memories/x/a--b.md","file_text":""}`, "! The path /memories/x/a--b.md cannot be a memory file: \"--\" in a name stands for a folder", nil},
		{"create without text", `{"command":"create","path":"/memories/x.md"}`, "! The command create needs file_text", nil},

		{
			"str_replace", `{"command":"str_replace","path":"/memories/food.md","old_str":"bread","new_str":"rice\nand beans"}`,
			"The memory file has been edited.\n     1\tsoup\n     2\trice\n     3\tand beans\n     4\tsoup again",
			map[string]string{"memory/food.md": "soup\nrice\nand beans\nsoup again\n"},
		},
		{
			"str_replace, the SDK's way", `{"command":"str_replace","path":"/memories/food.md","old_string":"bread","new_string":"","style":"sdk","reason":"gone"}`,
			"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tsoup\n     2\t\n     3\tsoup again",
			map[string]string{"memory/food.md": "soup\n\nsoup again\n"},
		},
		{"str_replace of nothing", `{"command":"str_replace","path":"/memories/food.md","old_str":"cake","new_str":""}`, "! No replacement was performed, old_str `cake` did not appear verbatim in /memories/food.md.", nil},
		{"str_replace of an empty text", `{"command":"str_replace","path":"/memories/food.md","old_str":"","new_str":"x"}`, "! No replacement was performed, old_str `` did not appear verbatim in /memories/food.md.", nil},
		{"str_replace of two", `{"command":"str_replace","path":"/memories/food.md","old_str":"soup","new_str":""}`, "! No replacement was performed. Multiple occurrences of old_str `soup` in lines: 1, 3. Please ensure it is unique", nil},
		{"str_replace nowhere", `{"command":"str_replace","path":"/memories/none.md","old_str":"a","new_str":"b"}`, "! Error: The path /memories/none.md does not exist. Please provide a valid path.", nil},
		{"str_replace in a folder", `{"command":"str_replace","path":"/memories/projects","old_str":"a","new_str":"b","style":"sdk"}`, "! The path /memories/projects is not a file.", nil},
		{
			"str_replace in a log", `{"command":"str_replace","path":"/memories/log/2026-11-30.md","old_str":"did","new_str":"b"}`,
			"! Error: The path /memories/log/2026-11-30.md is a day log, the bot's own record of a day: it can be read and deleted, not edited", nil,
		},

		{"insert on top", `{"command":"insert","path":"/memories/food.md","insert_line":0,"insert_text":"list\n\n"}`, "The file /memories/food.md has been edited.", map[string]string{"memory/food.md": "list\nsoup\nbread\nsoup again\n"}},
		{"insert at the end", `{"command":"insert","path":"/memories/food.md","insert_line":3,"new_str":"tea"}`, "The file /memories/food.md has been edited.", map[string]string{"memory/food.md": "soup\nbread\nsoup again\ntea\n"}},
		{"insert too far", `{"command":"insert","path":"/memories/food.md","insert_line":4,"insert_text":"x"}`, "! Error: Invalid `insert_line` parameter: 4. It should be within the range of lines of the file: [0, 3]", nil},
		{"insert too far, the SDK's way", `{"command":"insert","path":"/memories/food.md","insert_line":-1,"insert_text":"x","style":"sdk"}`, "! Invalid `insert_line` parameter: -1. It should be within the range [0, 3].", nil},
		{"insert nowhere", `{"command":"insert","path":"/memories/none.md","insert_line":0,"insert_text":"x"}`, "! Error: The path /memories/none.md does not exist", nil},
		{"insert at a word", `{"command":"insert","path":"/memories/food.md","insert_line":"top","insert_text":"x"}`, "! Invalid `insert_line` parameter: it must be a whole number", nil},

		{"delete", `{"command":"delete","path":"/memories/food.md"}`, "Successfully deleted /memories/food.md", map[string]string{"memory/food.md": "gone"}},
		{"delete of a folder", `{"command":"delete","path":"/memories/a/deep"}`, "Successfully deleted /memories/a/deep", map[string]string{"memory/a--deep--er--x.md": "gone"}},
		{"delete of MEMORY.md", `{"command":"delete","path":"/memories/MEMORY.md"}`, "Successfully deleted /memories/MEMORY.md", map[string]string{MemoryFile: Seed}},
		{"delete of nothing", `{"command":"delete","path":"/memories/none"}`, "! Error: The path /memories/none does not exist", nil},
		{"delete of all", `{"command":"delete","path":"/memories"}`, "! Cannot delete the /memories directory itself", nil},

		{
			"rename", `{"command":"rename","old_path":"/memories/food.md","new_path":"/memories/meals.md"}`, "Successfully renamed /memories/food.md to /memories/meals.md",
			map[string]string{"memory/food.md": "gone", "memory/meals.md": "soup\nbread\nsoup again\n"},
		},
		{
			"rename of a folder", `{"command":"rename","path":"/memories/projects","new_path":"/memories/old/work"}`, "Successfully renamed /memories/projects to /memories/old/work",
			map[string]string{"memory/projects--acme.md": "gone", "memory/old--work--acme.md": "acme\n"},
		},
		{"rename to what is there", `{"command":"rename","old_path":"/memories/food.md","new_path":"/memories/projects"}`, "! Error: The destination /memories/projects already exists", nil},
		{"rename of nothing", `{"command":"rename","old_path":"/memories/none.md","new_path":"/memories/x.md"}`, "! Error: The path /memories/none.md does not exist", nil},
		{
			"rename of a log", `{"command":"rename","old_path":"/memories/log/2026-11-30.md","new_path":"/memories/x.md"}`,
			"! Error: The path log/2026-11-30.md is a day log, the bot's own record of a day: it can be read and deleted, not renamed", nil,
		},

		{"another place", `{"command":"view","path":"/memoriesX"}`, "! Path must start with /memories, got: /memoriesX", nil},
		{"another root", `{"command":"view","path":"/etc/passwd"}`, "! Path must start with /memories, got: /etc/passwd", nil},
		{"no root", `{"command":"view","path":"memories"}`, "! Path must start with /memories, got: memories", nil},
		{"out of it", `{"command":"view","path":"/memories/../secret"}`, "! Path /memories/../secret would escape /memories directory", nil},
		{"out of it with a backslash", `{"command":"view","path":"/memories/..\\secret"}`, `! Path /memories/..\secret would escape /memories directory`, nil},
		{"hidden", `{"command":"create","path":"/memories/.git/config","file_text":""}`, "! Path /memories/.git/config has a part that begins with a dot, which is hidden", nil},
		{"a control character", `{"command":"create","path":"/memories/a\u0000b","file_text":""}`, "! Path /memories/a\x00b holds a control character", nil},
		{"a device", `{"command":"create","path":"/memories/con.md","file_text":""}`, "! The path /memories/con.md cannot be a memory file: a topic name is no device name", nil},

		{"no command", `{}`, "! The command is missing: view, create, str_replace, insert, delete or rename", nil},
		{"another command", `{"command":"undo_edit","path":"/memories"}`, "! There is no command \"undo_edit\": the commands are view, create, str_replace, insert, delete and rename", nil},
		{"no object", `[]`, "! The command must be one JSON object", nil},
		{"two objects", `{"command":"view"} {}`, "! The command must be one JSON object", nil},
		{"another's parameter", `{"command":"view","path":"/memories","file_text":"x"}`, "! file_text does not go with view, which takes path, view_range", nil},
		{"another style", `{"command":"view","path":"/memories","style":"x"}`, "! style must be docs or sdk", nil},
		{"a path that is a number", `{"command":"view","path":1}`, "! path must be a string", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, wrote := ran(t, toolNotes(), tt.command)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer (-want +got)\n%s", diff)
			}
			if len(wrote) == 0 {
				wrote = nil
			}
			if diff := cmp.Diff(tt.wrote, wrote); diff != "" {
				t.Errorf("written (-want +got)\n%s", diff)
			}
		})
	}
}

func TestToolTakesAnEmptyMemoryForNone(t *testing.T) {
	notes := map[string][]byte{MemoryFile: []byte(Seed)}
	if got, wrote := ran(t, notes, `{"command":"create","path":"/memories/MEMORY.md","file_text":"- tea\n"}`); wrote[MemoryFile] != "- tea\n" {
		t.Errorf("%s", got)
	}
	if got, _ := ran(t, notes, `{"command":"view","path":"/memories"}`); !strings.HasSuffix(got, "\n0B\t/memories") {
		t.Errorf("%s", got)
	}
}

func TestToolSizes(t *testing.T) {
	for n, want := range map[int][2]string{0: {"0B", "0B"}, 512: {"512B", "512B"}, 1536: {"1.5K", "1.5K"}, 2048: {"2.0K", "2K"}, 3 << 20: {"3.0M", "3M"}} {
		if got := [2]string{tree{docs: true}.sizeText(n), tree{}.sizeText(n)}; got != want {
			t.Errorf("%d: got %v, want %v", n, got, want)
		}
	}
}

// FuzzTool holds every command to its promises: no path leads out of the memory, each
// file that is written is one of a workspace, and an error writes nothing.
func FuzzTool(f *testing.F) {
	for _, s := range []string{
		`{"command":"view","path":"/memories"}`, `{"command":"create","path":"/memories/a/b.txt","file_text":"x"}`,
		`{"command":"rename","old_path":"/memories/a","new_path":"/memories/food.md/x"}`, `{"command":"delete","path":"/memories/./a"}`,
		`{"command":"insert","path":"/memories/food.md","insert_line":1,"insert_text":"\n"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseTool(data)
		if err != nil {
			return
		}
		notes := toolNotes()
		_, out, err := c.Run(notes)
		if err != nil && out != nil {
			t.Fatalf("an error writes %v", out)
		}
		for _, r := range out {
			if _, bad := CheckPath(r.Path); bad != nil {
				t.Fatalf("%s writes %q: %v", data, r.Path, bad)
			}
			if shown := shownAs(r.Path); !r.Gone && c.Command == "create" {
				notes[r.Path] = r.Text
				again, _ := locate(*c.Path)
				if (tree{notes: notes}).fileAt(again) != r.Path && r.Path != MemoryFile {
					t.Fatalf("what was made at %q is not found there, but at %v", *c.Path, shown)
				}
			}
		}
	})
}

func TestEveryFileIsShownOnce(t *testing.T) {
	tr := tree{notes: toolNotes()}
	for file := range tr.notes {
		if got := tr.fileAt(shownAs(file)); got != file {
			t.Errorf("%s is shown as %v, which is %q", file, shownAs(file), got)
		}
	}
	if n := len(tr.under(nil)); n != len(tr.notes) {
		t.Errorf("%d of %d files are listed: %v", n, len(tr.notes), slices.Sorted(maps.Keys(tr.notes)))
	}
}
