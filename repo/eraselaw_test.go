package repo

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo/turns"
)

// erasedWorkspaces is how many random workspaces are erased from: QUIPU_WORKSPACES more.
func erasedWorkspaces() int {
	if n, err := strconv.Atoi(os.Getenv("QUIPU_WORKSPACES")); err == nil {
		return n
	}
	return 8
}

// The word stands anywhere it can: after an erasure it stands nowhere, every other line
// is byte for byte what it was, every change has its id, and the rest can be undone.
func TestEraseLaw(t *testing.T) {
	for seed := range erasedWorkspaces() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			g := grower{lab: l, rnd: rand.New(rand.NewPCG(uint64(seed), 7))}
			plain := l.append("A walk by the river")
			for range 14 {
				g.grow()
			}
			before, ids := g.files(), g.ids()
			if _, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}, Confirm: true}); err != nil {
				t.Fatalf("%v after %v", err, g.did)
			}
			if hits := stillIn(t, l); len(hits) > 0 {
				t.Errorf("it is still in %v after %v", hits, g.did)
			}
			l.sound()
			after := g.files()
			for path, text := range before {
				if strings.Contains(strings.ToLower(path), strings.ToLower(lover)) {
					continue // it has another name now
				}
				if got, want := spared(after[path]), spared(text); !slices.Equal(got, want) {
					t.Errorf("%s: %q, want %q, after %v", path, got, want, g.did)
				}
			}
			left := g.ids()
			for id := range ids {
				if !left[id] {
					t.Errorf("change %s is gone after %v", id, g.did)
				}
			}
			if strings.Contains(l.text("MEMORY.md"), "by the river") { // not undone on the way
				l.undo(string(plain.Change))
			}
			if strings.Contains(l.text("MEMORY.md"), "by the river") {
				t.Errorf("an older change was not undone after %v", g.did)
			}
			if found, err := l.w.Gone(l.ctx(), []string{lover}, nil); err != nil || len(found) > 0 {
				t.Errorf("gone: %v, %v", found, err)
			}
			l.sound()
		})
	}
}

// spared are the lines of a file that stay as they are.
func spared(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if !strings.Contains(strings.ToLower(line), strings.ToLower(lover)) && !strings.Contains(line, "«erased»") && strings.TrimSpace(line) != "" {
			list = append(list, line)
		}
	}
	return list
}

// grower makes a workspace grow at random.
type grower struct {
	*lab
	rnd *rand.Rand
	n   int
	did []string
}

func (g *grower) files() map[string]string {
	out := map[string]string{}
	files, _, err := g.w.git.ListWork()
	if err != nil {
		g.t.Fatal(err)
	}
	for _, f := range files {
		if f.Path != policy.LedgerFile {
			out[f.Path] = g.text(f.Path)
		}
	}
	return out
}

func (g *grower) ids() map[ChangeID]bool {
	out := map[ChangeID]bool{}
	for _, r := range g.rows(Query{All: true, Limit: 10_000}) {
		if len(r.Change) == 26 {
			out[r.Change] = true
		}
	}
	return out
}

// word is the word as it may be written, or another.
func (g *grower) word() string {
	return []string{lover, strings.ToLower(lover), strings.ToUpper(lover), "Kim", "\"" + lover + "\"", lover + "'s dog"}[g.rnd.IntN(6)]
}

func (g *grower) grow() {
	g.n++
	kinds := []struct {
		name string
		do   func()
	}{
		{"append", func() { g.append(fmt.Sprintf("Note %d of %s", g.n, g.word())) }},
		{"topic", func() {
			g.update(policy.Update{Action: policy.Append, Text: fmt.Sprintf("Detail %d on %s", g.n, g.word()), TextSet: true, Topic: []string{"persimmon", "walks", "persimmon-and-kim"}[g.rnd.IntN(3)]})
		}},
		{"source", func() {
			m := ada
			m.Source, m.Quote = "chat \""+g.word()+"\"", "so said "+g.word()
			g.must(g.w.Update(g.ctx(), m, policy.Update{Action: policy.Append, Text: fmt.Sprintf("Heard %d", g.n), TextSet: true}))
		}},
		{"supersede", func() { g.ofAnEntry(policy.Supersede) }},
		{"remove", func() { g.ofAnEntry(policy.Remove) }},
		{"undo", func() {
			rows := g.rows(Query{Limit: 20})
			_, _ = g.w.Undo(g.ctx(), ada, string(rows[g.rnd.IntN(len(rows))].Change), Revert) // some cannot be
		}},
		{"hand", func() {
			g.put("memory/hand.md", fmt.Sprintf("---\ntitle: %s\naliases: [%s, tea]\n---\n# Of %s\n\n- by hand %d %s\n\n| a | b |\n|---|---|\n| %s | row %d |\n| tea | row |\n", g.word(), lover, g.word(), g.n, g.word(), g.word(), g.n))
			g.takesIn()
		}},
		{"log", func() {
			g.put(fmt.Sprintf("memory/log/2026-09-%02d.md", g.n), "- 14:03 · "+g.word()+"\n- 14:05 · made tea\n")
			g.takesIn()
		}},
		{"archive", func() {
			g.put("memory/archive.md", g.textOr("memory/archive.md")+fmt.Sprintf("- 2026-01-01 · Old %d of %s · moved 2026-02-01\n", g.n, g.word()))
			g.takesIn()
		}},
		{"commit", func() { g.git("commit", "--allow-empty", "-qm", "by hand: "+g.word()) }},
		{"tag", func() { g.git("tag", "-am", "of "+g.word(), fmt.Sprintf("v%d", g.n)) }},
		{"branch", func() { g.git("branch", fmt.Sprintf("other%d", g.n)) }},
		{"note", func() { g.git("notes", "add", "-fm", "a note on "+g.word()) }},
		{"stash", func() {
			g.put("MEMORY.md", g.text("MEMORY.md")+"- 2026-09-05 · stashed "+g.word()+"\n")
			g.git("stash", "-q")
		}},
		{"gc", func() { g.git("gc", "-q") }},
		{"turn", g.turn},
	}
	k := kinds[g.rnd.IntN(len(kinds))]
	g.did = append(g.did, k.name)
	k.do()
}

func (g *grower) textOr(name string) string {
	text, err := os.ReadFile(filepath.Join(g.dir, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(text)
}

func (g *grower) takesIn() {
	if _, err := g.w.TakeIn(g.ctx(), ada.Author); err != nil {
		g.t.Fatal(err)
	}
}

func (g *grower) ofAnEntry(action policy.Action) {
	lines := slices.DeleteFunc(strings.Split(g.text("MEMORY.md"), "\n"), func(line string) bool {
		return !strings.HasPrefix(line, "- 20") || strings.Contains(line, "~~") || strings.Contains(line, "river")
	})
	if len(lines) == 0 {
		return
	}
	u := policy.Update{Action: action, OldText: lines[g.rnd.IntN(len(lines))], OldTextSet: true}
	if action == policy.Supersede {
		u.Text, u.TextSet = fmt.Sprintf("Instead %d of %s", g.n, g.word()), true
	}
	_, _ = g.w.Update(g.ctx(), ada, u) // what stands twice is refused
}

func (g *grower) turn() {
	said, err := g.store.Conversations()
	if err != nil {
		g.t.Fatal(err)
	}
	id := fmt.Sprintf("t%d", g.n)
	turn := Turn{ID: id, Bot: "scout", Conversation: Conversation{ID: "c", Kind: DirectChat, Title: "On " + g.word(), StartedBy: "owner"}, Message: "what of " + g.word(), Speaker: Speaker{By: ByOwner, Name: g.word()}, Started: noon}
	if _, err := said.Begin(g.ctx(), turn); err != nil {
		g.t.Fatal(err)
	}
	if g.rnd.IntN(3) == 0 {
		return // it is open
	}
	if err := said.End(g.ctx(), "scout", id, Ending{At: noon, Messages: []Message{{Speaker: Speaker{By: turns.Self}, Text: g.word() + " is well"}, {Speaker: Speaker{By: turns.Self}, Text: "tea?"}}}); err != nil {
		g.t.Fatal(err)
	}
}
