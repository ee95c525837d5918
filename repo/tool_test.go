package repo

import (
	"fmt"
	"strings"
	"testing"

	"quipu/policy"
)

// tool runs one command of the memory tool for the bot.
func (l *lab) tool(command string) (string, Receipt, error) {
	l.t.Helper()
	c, err := policy.ParseTool([]byte(command))
	if err != nil {
		l.t.Fatal(err)
	}
	return l.w.Tool(l.ctx(), Meta{Author: Author{Kind: Bot, Name: "scout"}, Via: ViaAPI, Source: "api"}, c)
}

func (l *lab) tooled(command, want string) Receipt {
	l.t.Helper()
	got, r, err := l.tool(command)
	if err != nil || got != want {
		l.t.Fatalf("%s: got %q, %v, want %q", command, got, err, want)
	}
	return r
}

func TestToolIsOneCommitACommand(t *testing.T) {
	l := newLab(t)
	before := l.count()
	l.tooled(`{"command":"create","path":"/memories/projects/acme.md","file_text":"- billing\n- launch\n"}`, "File created successfully at: /memories/projects/acme.md")
	l.tooled(`{"command":"insert","path":"/memories/projects/acme.md","insert_line":1,"insert_text":"- hiring"}`, "The file /memories/projects/acme.md has been edited.")
	l.tooled(`{"command":"create","path":"/memories/plan.txt","file_text":"x\n"}`, "File created successfully at: /memories/plan.txt")
	l.tooled(`{"command":"rename","old_path":"/memories/projects","new_path":"/memories/clients"}`, "Successfully renamed /memories/projects to /memories/clients")
	l.tooled(`{"command":"view","path":"/memories/clients/acme.md"}`, "Here's the content of /memories/clients/acme.md with line numbers:\n     1\t- billing\n     2\t- hiring\n     3\t- launch")
	gone := l.tooled(`{"command":"delete","path":"/memories/clients"}`, "Successfully deleted /memories/clients")
	if n := l.count() - before; n != 5 {
		t.Errorf("%d commits of 5 commands that write", n)
	}
	l.undo(string(gone.Change))
	if got := l.text("memory/clients--acme.md"); got != "- billing\n- hiring\n- launch\n" {
		t.Errorf("undo brought back %q", got)
	}
	if who := l.log("%an")[1]; who != "scout" {
		t.Errorf("a command is by %s", who)
	}
	l.sound()
}

func TestToolKeepsTheRules(t *testing.T) {
	l := newLab(t)
	l.append("Sara has a dog")
	f := l.forget(Forgetting{Words: []string{"dog"}})
	if f.Notes != 1 {
		t.Fatalf("forgot %d", f.Notes)
	}
	tests := []struct {
		name, command string
		kind          error
	}{
		{"what was forgotten", `{"command":"create","path":"/memories/pets.md","file_text":"- She has a dog\n"}`, ErrRefused},
		{"a name that differs only in case", `{"command":"create","path":"/memories/Food.md","file_text":""}`, ErrConflict},
		{"a name that is a credential", `{"command":"create","path":"/memories/ghp_1234567890abcdefghijklmnopqrstuvwxyz.md","file_text":""}`, ErrRefused},
		{"conflict markers", `{"command":"create","path":"/memories/x.md","file_text":"<<<<<<< a\n=======\n>>>>>>> b\n"}`, ErrInvalid},
		{"too much", fmt.Sprintf(`{"command":"create","path":"/memories/x.md","file_text":%q}`, strings.Repeat("word ", 60_000)), ErrTooLarge},
		{"an answer that is an error", `{"command":"delete","path":"/memories/none.md"}`, ErrInvalid},
	}
	l.save("memory/food.md", "- soup\n")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := l.count()
			_, _, err := l.tool(tt.command)
			l.refuses(err, tt.kind)
			if l.count() != before {
				t.Error("it made a commit")
			}
		})
	}
	r := l.tooled(`{"command":"create","path":"/memories/keys.md","file_text":"password: hunter2hunter2\n"}`, "File created successfully at: /memories/keys.md")
	if r.Redacted == 0 || strings.Contains(l.objects(), "hunter2hunter2") {
		t.Errorf("a credential was kept: %d masked", r.Redacted)
	}
	must := l.store.SetBot("scout", map[string]any{"memoryEnabled": false})
	if must != nil {
		t.Fatal(must)
	}
	_, _, err := l.tool(`{"command":"view","path":"/memories"}`)
	l.refuses(err, ErrOff)
}

func TestToolKeepsTheBudget(t *testing.T) {
	l := newLab(t)
	var text strings.Builder
	for i := range 230 {
		fmt.Fprintf(&text, "- 2026-09-%02d · fact %d\\n", 1+i%9, i)
	}
	r := l.tooled(`{"command":"create","path":"/memories/MEMORY.md","file_text":"`+text.String()+`"}`, "File created successfully at: /memories/MEMORY.md")
	if len(r.Moved) != 30 || r.Truncated || strings.Count(l.text(policy.MemoryFile), "\n") > 200 {
		t.Errorf("%d moved, truncated %v", len(r.Moved), r.Truncated)
	}
	l.contains(l.text(policy.ArchiveFile), "moved 2026-09-12")
	l.sound()
}

func TestToolReadsWhatIsMasked(t *testing.T) {
	l := newLab(t)
	l.put("memory/keys.md", "password: hunter2hunter2\n")
	got, _, err := l.tool(`{"command":"view","path":"/memories/keys.md"}`)
	if err != nil || strings.Contains(got, "hunter2") || !strings.Contains(got, "«redacted") {
		t.Errorf("%q, %v", got, err)
	}
}
