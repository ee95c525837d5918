package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// bench is a home with a clock that a test moves.
type bench struct {
	t     *testing.T
	store *repo.Store
	turns *Turns
	mu    sync.Mutex
	at    time.Time
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = b.at.Add(time.Second)
	return b.at
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, at: time.Date(2026, 9, 10, 14, 3, 0, 0, time.UTC)}
	home := filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"timezone":"UTC","person":{"name":"Ada"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := repo.OpenHome(home, repo.Options{Now: b.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	b.store, b.turns = store, NewTurns(store, b.now, nil)
	return b
}

func (b *bench) ws() *repo.Workspace {
	b.t.Helper()
	ws, err := b.store.Open(b.t.Context(), "scout")
	if err != nil {
		b.t.Fatal(err)
	}
	return ws
}

var (
	owner = repo.Speaker{By: repo.ByOwner, Name: "Ada"}
	plans = repo.Conversation{ID: "c1", Kind: repo.DirectChat, Title: "Plans", StartedBy: "owner"}
)

func (b *bench) start(c repo.Conversation, s repo.Speaker) Opened {
	b.t.Helper()
	o, err := b.turns.Start(b.t.Context(), "scout", Opening{Conversation: c, Speaker: s, Message: "hello"})
	if err != nil {
		b.t.Fatal(err)
	}
	return o
}

func (b *bench) end(turn, said string) Closed {
	b.t.Helper()
	c, err := b.turns.End(b.t.Context(), "scout", turn, Closing{Messages: []repo.Message{{Speaker: repo.Speaker{By: repo.BySelf}, Text: said}}})
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

func (b *bench) rows() []string {
	b.t.Helper()
	rows, err := b.ws().Journal(b.t.Context(), repo.Query{All: true})
	if err != nil {
		b.t.Fatal(err)
	}
	var out []string
	for _, r := range rows {
		if r.Action != "init" && r.Action != "log" {
			out = append(out, fmt.Sprint(r.Path, " ", r.Kind, " ", r.Actor, " ", r.Via, " ", r.Source))
		}
	}
	return out
}

// turn-01, turn-02, turn-05: the bot's own edits are its work for that chat.
func TestTurnsWorkIsTheBots(t *testing.T) {
	b := newBench(t)
	first := b.start(plans, owner)
	if got := b.rows(); len(got) != 0 {
		t.Errorf("the first turn has rows: %q", got)
	}
	b.end(first.Turn, "hi")
	ws := b.ws()
	write(t, ws, "memory/doomed.md", "x\n")
	write(t, ws, "memory/existing.md", "- one\n")
	second := b.start(plans, owner)
	if fmt.Sprint(second.Outside) != "[memory/doomed.md memory/existing.md]" {
		t.Errorf("outside: %v", second.Outside)
	}
	write(t, ws, "memory/existing.md", "- one\n- two\n")
	if err := os.Remove(filepath.Join(ws.Dir(), "memory", "doomed.md")); err != nil {
		t.Fatal(err)
	}
	closed := b.end(second.Turn, "Sent the three flagged invoices\nand more")
	want := []string{
		`memory/doomed.md deleted bot turn chat "Plans"`, `memory/existing.md edited bot turn chat "Plans"`,
		`memory/doomed.md created person disk `, `memory/existing.md created person disk `,
	}
	if got := b.rows(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(closed.Changes) != 1 || !strings.HasSuffix(closed.Log, `· from chat "Plans" · Sent the three flagged invoices and more`) {
		t.Errorf("closed %+v", closed)
	}
	text, err := os.ReadFile(filepath.Join(ws.Dir(), "memory", "log", "2026-09-10.md"))
	if err != nil || strings.Count(string(text), "\n") != 2 {
		t.Errorf("day log: %q, %v", text, err)
	}
	_, err = b.turns.End(t.Context(), "scout", second.Turn, Closing{})
	if !errors.Is(err, repo.ErrConflict) {
		t.Errorf("a second end: %v", err)
	}
}

// What a turn that nobody ended left behind is its work, not that of another chat's
// turn that is open as well: it ends when its own chat goes on.
func TestTurnThatNobodyEnded(t *testing.T) {
	b := newBench(t)
	lost := b.start(plans, owner)
	b.start(repo.Conversation{ID: "c2", Kind: repo.DirectChat, Title: "Travel", StartedBy: "owner"}, owner)
	write(t, b.ws(), "memory/left.md", "- mine\n")
	if next := b.start(plans, owner); len(next.Outside) != 0 || next.Turn == lost.Turn {
		t.Errorf("the next turn: %+v", next)
	}
	want := `[memory/left.md created bot turn chat "Plans"]`
	if got := fmt.Sprint(b.rows()); got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	rows, err := b.ws().Journal(t.Context(), repo.Query{Limit: 1})
	if err != nil || len(rows) == 0 || rows[0].Turn != lost.Turn {
		t.Errorf("the row is of turn %+v, want %s (%v)", rows, lost.Turn, err)
	}
}

// turn-04: what the person saves through the API during a turn is not the bot's; an
// edit of the file in a turn is, whoever asks for the journal meanwhile.
func TestSavesDuringATurn(t *testing.T) {
	b := newBench(t)
	o := b.start(plans, owner)
	ws := b.ws()
	who := repo.Author{Kind: repo.Person, Name: "Ada"}
	if _, err := ws.Save(t.Context(), repo.Meta{Author: who, Via: repo.ViaUI}, "memory/mine.md", "- mine\n", repo.Expect{}); err != nil {
		t.Fatal(err)
	}
	write(t, ws, "memory/its.md", "- its\n")
	if _, err := ws.TakeIn(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	b.end(o.Turn, "done")
	want := []string{`memory/its.md created bot turn chat "Plans"`, "memory/mine.md created person ui "}
	if got := b.rows(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// turn-07: a turn never fails because of memory.
func TestTurnGoesOnWithoutMemory(t *testing.T) {
	b := newBench(t)
	o := b.start(plans, owner)
	if err := os.RemoveAll(b.ws().Dir()); err != nil {
		t.Fatal(err)
	}
	b.end(o.Turn, "done")
	if err := b.store.SetBot("scout", map[string]any{"memoryEnabled": false}); err != nil {
		t.Fatal(err)
	}
	off := b.start(plans, owner)
	if off.Turn == "" || off.Load.Block != "" || off.Brief != "" {
		t.Errorf("with memory off: %+v", off)
	}
	if c := b.end(off.Turn, "done"); c.Log != "" {
		t.Errorf("with memory off the day log got %q", c.Log)
	}
	_, err := b.turns.Start(t.Context(), "scout", Opening{Conversation: repo.Conversation{ID: "x", Kind: "party"}})
	if !errors.Is(err, repo.ErrInvalid) {
		t.Errorf("an unknown kind: %v", err)
	}
}

// The same sentence in a chat of the owner's, in one of another person's and in a
// room: each turn's brief has what that turn may read, and a missing fact gives less.
func TestBriefKeepsToItsScope(t *testing.T) {
	b := newBench(t)
	room := func(id string, narrower bool) repo.Conversation {
		return repo.Conversation{ID: "r-" + id, Kind: repo.RoomChat, Room: &repo.Room{ID: id, Name: "Room " + id, Members: []string{"ann"}, Narrower: narrower}}
	}
	ann := repo.Speaker{By: repo.ByPerson, ID: "ann", Name: "Ann"}
	bob := repo.Speaker{By: repo.ByPerson, ID: "bob", Name: "Bob"}
	annChat := repo.Conversation{ID: "c2", Kind: repo.DirectChat, Title: "With Ann", StartedBy: "person:ann"}
	for _, x := range []struct {
		c repo.Conversation
		s repo.Speaker
	}{{plans, owner}, {annChat, ann}, {room("one", false), owner}, {room("two", true), owner}} {
		b.end(b.start(x.c, x.s).Turn, "The launch is on Friday")
	}
	brief := func(c repo.Conversation, s repo.Speaker) (string, []string) {
		c.ID = "asking"
		text, discloses, err := b.turns.Brief(t.Context(), "scout", c, s)
		if err != nil {
			t.Fatal(err)
		}
		return text, discloses
	}
	tests := []struct {
		name      string
		c         repo.Conversation
		s         repo.Speaker
		has, not  []string
		discloses int
	}{
		{"the owner's chat", plans, owner, []string{`chat "Plans"`, "Room one", "Room two"}, []string{"With Ann"}, 0},
		{"another person's chat", annChat, ann, []string{"With Ann", "Room one"}, []string{"Plans"}, 0},
		{"a person who was nowhere", repo.Conversation{Kind: repo.DirectChat, StartedBy: "person:bob"}, bob, nil, []string{"-"}, 0},
		{"a chat that somebody else began", plans, ann, nil, []string{"-"}, 0},
		{"a room", room("three", false), owner, []string{"Plans", "Room one"}, []string{"With Ann", "Room two"}, 1},
		{"the room again", room("three", false), owner, []string{"Plans"}, nil, 0},
		{"a room without an id", repo.Conversation{Kind: repo.RoomChat}, owner, nil, []string{"-"}, 0},
		{"a routine", repo.Conversation{Kind: "routine"}, owner, nil, []string{"-"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, discloses := brief(tt.c, tt.s)
			for _, s := range tt.has {
				if !strings.Contains(text, s) {
					t.Errorf("%q is not in:\n%s", s, text)
				}
			}
			for _, s := range tt.not {
				if strings.Contains(text, s) {
					t.Errorf("%q is in:\n%s", s, text)
				}
			}
			if len(discloses) != tt.discloses {
				t.Errorf("discloses %q, want %d", discloses, tt.discloses)
			}
		})
	}
}

// Two turns of one bot at once are both right, and a credential in what was said
// never reaches the disk.
func TestTurnsAtOnce(t *testing.T) {
	b := newBench(t)
	secret := "ghp_" + "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2"
	other := repo.Conversation{ID: "c9", Kind: repo.DirectChat, Title: "Other " + secret, StartedBy: "owner"}
	first, second := b.start(plans, owner), b.start(other, owner)
	ws := b.ws()
	if _, err := ws.Update(t.Context(), repo.MetaOf("scout", repo.Turn{ID: first.Turn, Conversation: plans}), policy.Update{Action: policy.Append, Text: "likes tea"}); err != nil {
		t.Fatal(err)
	}
	write(t, ws, "memory/note.md", "- token "+secret+"\n")
	b.end(second.Turn, "the token is "+secret)
	b.end(first.Turn, "bye")
	if got := b.rows(); len(got) != 2 || !strings.Contains(got[0], "memory/note.md created bot turn") {
		t.Errorf("rows %q", got)
	}
	time.Sleep(300 * time.Millisecond) // a replaced file keeps a second name until nobody can write to it
	if err := ws.Idle(t.Context(), repo.Author{Kind: repo.Person, Name: "Ada"}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(b.store.Home(), func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		if strings.Contains(string(text), secret) {
			t.Errorf("the credential is in %s", p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
