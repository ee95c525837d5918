package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quipu/markdown"
	"quipu/policy"
)

// full is MEMORY.md with n dated entries.
func full(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- 2026-09-01 · old %d\n", i)
	}
	return b.String()
}

func TestBudgetHolds(t *testing.T) {
	l := newLab(t)
	l.save("MEMORY.md", "# Memory\n- 2026-08-01 · The staging host is kestrel\n"+full(198))
	r := l.append("one fact too many")
	if len(r.Moved) != 1 || r.Truncated || !strings.Contains(r.Message, "kestrel") {
		t.Errorf("moved %q, truncated %v, message %q", r.Moved, r.Truncated, r.Message)
	}
	if got, want := l.text("memory/archive.md"), "- 2026-08-01 · The staging host is kestrel · moved 2026-09-12\n"; got != want {
		t.Errorf("archive: got %q, want %q", got, want)
	}
	if len(r.Rows) != 2 || r.Rows[0].Path != "memory/archive.md" {
		t.Errorf("rows %+v, want the archive first", r.Rows)
	}
	if g := policy.Measure([]byte(l.text("MEMORY.md"))); g.Lines != 200 || g.Truncated {
		t.Errorf("gauge %+v", g)
	}
	l.undo(string(r.Change))
	if l.text("memory/archive.md") != "" || !strings.Contains(l.text("MEMORY.md"), "kestrel") {
		t.Errorf("undo left %q in the archive", l.text("memory/archive.md"))
	}
	l.sound()
}

func TestHandWrittenLinesFillTheBudget(t *testing.T) {
	l := newLab(t)
	l.save("MEMORY.md", strings.Repeat("- note\n", 205))
	r := l.append("still saved")
	if !r.Truncated || len(r.Moved) != 0 || !strings.HasSuffix(l.text("MEMORY.md"), "- 2026-09-12 · still saved\n") || r.Message == "" {
		t.Errorf("receipt %+v", r)
	}
	if l.text("memory/archive.md") != "" {
		t.Error("something was archived")
	}
}

// budget-09: appends at once lose and double nothing.
func TestBudgetUnderConcurrency(t *testing.T) {
	l := newLab(t)
	l.save("MEMORY.md", full(200))
	var wg sync.WaitGroup
	for g := range 2 {
		wg.Go(func() {
			for i := range 20 {
				r, err := l.w.Update(l.ctx(), scout, policy.Update{Action: policy.Append, Text: fmt.Sprintf("new %d of %d", i, g)})
				if err != nil || len(r.Moved) != 1 {
					t.Errorf("moved %d, %v", len(r.Moved), err)
				}
			}
		})
	}
	wg.Wait()
	seen := map[string]int{}
	for _, p := range []string{"MEMORY.md", "memory/archive.md"} {
		for _, e := range markdown.Parse(p, []byte(l.text(p))).Entries() {
			seen[e.Text]++
		}
	}
	if len(seen) != 240 {
		t.Errorf("%d facts, want 240", len(seen))
	}
	for text, n := range seen {
		if n != 1 {
			t.Errorf("%q stands %d times", text, n)
		}
	}
	l.sound()
}

func TestLoad(t *testing.T) {
	l := newLab(t)
	loaded, err := l.w.Load(l.ctx())
	if err != nil || loaded.Block != "" {
		t.Errorf("a new workspace loads %q, %v", loaded.Block, err)
	}
	l.append("The user prefers short replies")
	l.update(policy.Update{Action: policy.Append, Text: "Loves pasta", Topic: "food"})
	l.put("MEMORY.md", l.text("MEMORY.md")+"- token "+secret+"\n")
	loaded, err = l.w.Load(l.ctx())
	if err != nil {
		t.Fatal(err)
	}
	l.contains(loaded.Block, "The user prefers short replies", "- memory/food.md — food", "«redacted 40 chars»")
	if strings.Contains(loaded.Block, secret) || strings.Contains(loaded.Block, "pasta") {
		t.Errorf("block:\n%s", loaded.Block)
	}
	if err := l.store.SetBot("scout", map[string]any{"memoryEnabled": false}); err != nil {
		t.Fatal(err)
	}
	_, err = l.w.Load(l.ctx())
	l.refuses(err, ErrOff)
}

func TestAboutMe(t *testing.T) {
	l := newLab(t)
	if _, err := l.store.Me(l.ctx(), ""); err == nil {
		t.Error("reading made About me")
	}
	me := l.me()
	if _, err := me.Prefer(l.ctx(), ada, "Scout", "Reminders go to my task app"); err != nil {
		t.Fatal(err)
	}
	_, err := me.Prefer(l.ctx(), ada, "Scout", strings.Repeat("x", 301))
	l.refuses(err, ErrInvalid)
	learned, err := me.Learned(l.ctx())
	if err != nil || len(learned) != 1 || learned[0].BotName != "Scout" {
		t.Fatalf("learned %+v, %v", learned, err)
	}
	if _, err := me.RemoveLearned(l.ctx(), ada, learned[0].ID); err != nil {
		t.Fatal(err)
	}
	_, err = me.RemoveLearned(l.ctx(), ada, learned[0].ID)
	l.refuses(err, ErrNotFound)
	if lines, _, err := me.Learn(l.ctx(), scout, "Scout", []string{"Reminders go to my task app"}); err != nil || len(lines) != 0 {
		t.Errorf("a removed fact was learned again: %q, %v", lines, err)
	}
	if bots, err := l.store.Bots(l.ctx()); err != nil || len(bots) != 1 {
		t.Errorf("bots %+v, %v: About me is none", bots, err)
	}
}

func TestLayersAreApart(t *testing.T) {
	l := newLab(t)
	a, err := l.store.MakeMember(l.ctx(), "scout", "ann")
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.store.MakeMember(l.ctx(), "scout", "Ann")
	if err != nil {
		t.Fatal(err)
	}
	if a.ID() == b.ID() || strings.EqualFold(string(a.ID()), string(b.ID())) {
		t.Errorf("two persons share %s and %s", a.ID(), b.ID())
	}
	if _, err := l.store.Member(l.ctx(), "scout", "bob"); err == nil {
		t.Error("reading made a layer")
	}
	if _, err := l.store.MakeMember(l.ctx(), "nobody", "ann"); err == nil {
		t.Error("a layer of a bot that is not there")
	}
	if _, err := l.store.Open(l.ctx(), a.ID()); err == nil {
		t.Error("a layer opens as a bot")
	}
}

// TestHooks: a person's own commit is checked and signed, and goes on without quipu.
func TestHooks(t *testing.T) {
	l := bareLab(t, filepath.Join(t.TempDir(), "home"), `{"timezone":"UTC","person":{"name":"Ada","email":"ada@example.org"}}`)
	l.store.program = filepath.Join(t.TempDir(), "quipu")
	l.create("scout")
	l.put("MEMORY.md", "# Memory\n- by hand\n")
	l.git("commit", "-qam", "without quipu") // the program is gone: the hooks say nothing
	calls := filepath.Join(t.TempDir(), "calls")
	script := "#!/bin/sh\necho \"$@\" >> " + shellQuote(calls) + "\n[ \"$2\" != pre-commit ] || [ -z \"$REFUSE\" ]\n"
	if err := os.WriteFile(l.store.program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	l.put("MEMORY.md", "# Memory\n- by hand\n- more\n")
	l.git("commit", "-qam", "with quipu")
	b, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	l.contains(string(b), "hook pre-commit", "hook prepare-commit-msg")
	l.env = append(l.env, "REFUSE=1")
	l.put("MEMORY.md", "# Memory\n- by hand\n- third\n")
	if _, err := l.gitTry("commit", "-qam", "refused"); err == nil {
		t.Error("the hook's refusal did not stop the commit")
	}
}

func TestStagedCredentialIsFound(t *testing.T) {
	l := newLab(t)
	l.put("MEMORY.md", "# Memory\n- fine\n- token "+secret+"\n")
	l.git("add", "MEMORY.md")
	leaks, err := l.w.CheckStaged(l.ctx(), "")
	if err != nil || len(leaks) != 1 || leaks[0].Path != "MEMORY.md" || leaks[0].Line != 3 {
		t.Errorf("leaks %+v, %v", leaks, err)
	}
	l.git("commit", "-qm", "person's own")
	leaks, err = l.w.ScanSecrets(l.ctx(), nil)
	if err != nil || len(leaks) != 2 || leaks[1].Where != "history" || leaks[1].Commit == "" {
		t.Errorf("leaks %+v, %v", leaks, err)
	}
	if l.w.Unguarded() == "" {
		t.Error("no hook is installed, and nobody says so")
	}
}

func TestMessagesAreSigned(t *testing.T) {
	l := newLab(t)
	tests := []struct{ name, text, want string }{
		{"a subject", "by hand\n", "by hand\n\nMemory-Author: person Ada\n"},
		{"an editor's template", "\n# Please enter\n#\tmodified: x\n", "\n\nMemory-Author: person Ada\n"},
		{"its own trailers", "s\n\nSigned-off-by: A <a@b>\n", "s\n\nSigned-off-by: A <a@b>\nMemory-Author: person Ada\n"},
		{"a body", "s\n\nbody: of two\nlines\n\n# c\n", "s\n\nbody: of two\nlines\n\nMemory-Author: person Ada\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "MSG")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // a second run changes nothing
				if err := l.w.SignMessage(l.ctx(), file); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(file)
			if err != nil || !strings.HasPrefix(string(got), tt.want) || strings.Count(string(got), "Memory-Change: ") != 1 {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
