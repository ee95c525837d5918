package repo

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/policy"
)

func TestLayerNames(t *testing.T) {
	tests := map[string]struct {
		bot  ID
		of   policy.Subject
		want ID // "" is refused
	}{
		"a room":          {"scout", policy.Subject{Kind: policy.GroupChat, ID: "qq:7"}, "scout--room-qq_3a7"},
		"a person":        {"scout", policy.Subject{Kind: policy.Participant, ID: "Ada"}, "scout--member-_41da"},
		"no kind":         {"scout", policy.Subject{ID: "x"}, ""},
		"no id":           {"scout", policy.Subject{Kind: policy.GroupChat}, ""},
		"a blank id":      {"scout", policy.Subject{Kind: policy.GroupChat, ID: " "}, ""},
		"a long id":       {"scout", policy.Subject{Kind: policy.GroupChat, ID: strings.Repeat("x", 65)}, ""},
		"of a layer":      {"scout--room-x", policy.Subject{Kind: policy.GroupChat, ID: "x"}, ""},
		"of About me":     {"@me", policy.Subject{Kind: policy.GroupChat, ID: "x"}, ""},
		"a way out of it": {"../scout", policy.Subject{Kind: policy.GroupChat, ID: "x"}, ""},
	}
	for name, tt := range tests {
		got, err := LayerID(tt.bot, tt.of)
		if got != tt.want || (tt.want == "") != errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
	for _, id := range []ID{"scout", "@me", "scout--", "scout--room", "scout--room-", "scout--weird-a", "scout--room-A", "scout--room-_4g", "scout--room-_61", "--room-a", "a--room-b--room-c", "scout--room-_41DA"} {
		if bot, of, ok := id.Layer(); ok {
			t.Errorf("%s is the layer %+v of %s", id, of, bot)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		of := policy.Subject{Kind: rapid.SampledFrom([]policy.SubjectKind{policy.GroupChat, policy.Participant}).Draw(t, "kind"), ID: rapid.String().Draw(t, "id")}
		id, err := LayerID("scout", of)
		if err != nil {
			return
		}
		bot, back, ok := id.Layer()
		if bot != "scout" || back != of || !ok || policy.CheckID(string(id)) == nil || id.bot() != "scout" {
			t.Fatalf("%q of %+v reads as %q %+v %t", id, of, bot, back, ok)
		}
	})
}

// TestLayersOfABot: a layer is no bot, has its bot's settings, is out with what its bot
// disputes and must not learn, and goes with it.
func TestLayersOfABot(t *testing.T) {
	l := newLab(t)
	if _, err := l.store.Room(l.ctx(), "scout", "ops"); !errors.Is(err, ErrNotFound) {
		t.Errorf("reading makes a layer: %v", err)
	}
	room, err := l.store.MakeRoom(l.ctx(), "scout", "ops")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.store.MakeMember(l.ctx(), "scout", "ann"); err != nil {
		t.Fatal(err)
	}
	list, err := l.store.Layers("scout")
	var ids []string
	for _, one := range list {
		ids = append(ids, string(one.Kind)+" "+one.Of+" "+string(one.ID))
	}
	if diff := cmp.Diff([]string{"room ops scout--room-ops", "member ann scout--member-ann"}, ids); diff != "" || err != nil {
		t.Errorf("layers %v (-want +got):\n%s", err, diff)
	}
	if bots, err := l.store.Bots(l.ctx()); err != nil || len(bots) != 1 {
		t.Errorf("bots %+v, %v", bots, err)
	}

	who := Meta{Author: Author{Kind: Person, Name: "Ada"}, Via: ViaCLI}
	bot := Meta{Author: Author{Kind: Bot, Name: "scout"}, Via: ViaTurn}
	add := func(w *Workspace, m Meta, text string) error {
		_, err := w.Update(l.ctx(), m, policy.Update{Action: policy.Append, Text: text, TextSet: true})
		return err
	}
	for _, text := range []string{"The kettle leaks badly", "The zeppelin lands at noon"} {
		for _, w := range []*Workspace{l.w, room} {
			if err := add(w, bot, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	loads := func() string {
		got, err := l.w.LoadWith(l.ctx(), []TurnLayer{{Of: policy.Subject{Kind: policy.GroupChat, ID: "ops"}, Notes: room}})
		if err != nil {
			t.Fatal(err)
		}
		return got.Block
	}
	if got := loads(); strings.Count(got, "kettle") != 2 || strings.Count(got, "zeppelin") != 2 {
		t.Errorf("loads\n%s", got)
	}
	l.disputes(room, "The zeppelin lands at noon")
	got := loads()
	if own, rooms, ok := strings.Cut(got, "Notes of this room"); !ok || !strings.Contains(own, "zeppelin") || strings.Contains(rooms, "zeppelin") {
		t.Errorf("disputed in the layer:\n%s", got)
	}
	l.disputes(l.w, "The kettle leaks badly")
	if got := loads(); strings.Contains(got, "kettle") {
		t.Errorf("disputed in the bot's notes:\n%s", got)
	}
	if _, err := l.w.Forget(l.ctx(), who, Forgetting{Words: []string{"wombat"}}); err != nil {
		t.Fatal(err)
	}
	if err := add(room, bot, "Ann keeps a wombat"); !errors.Is(err, ErrRefused) {
		t.Errorf("the bot forgot it, its layer learns it: %v", err)
	}
	if err := l.store.SetBot("scout", map[string]any{"memoryEnabled": false}); err != nil {
		t.Fatal(err)
	}
	if err := add(room, bot, "Boats are fast"); !errors.Is(err, ErrOff) {
		t.Errorf("memory is off, the layer is written: %v", err)
	}
	gone, err := l.store.Remove(l.ctx(), "scout")
	if err != nil || len(gone.Workspaces) != 3 {
		t.Errorf("removed %+v, %v", gone, err)
	}
	if _, err := l.store.Room(l.ctx(), "scout", "ops"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the layer outlives its bot: %v", err)
	}
}

func (l *lab) disputes(w *Workspace, fact string) {
	l.t.Helper()
	if _, err := w.Signal(l.ctx(), ada, []Signalled{{Fact: fact, Why: policy.Rebut}}); err != nil {
		l.t.Fatal(err)
	}
}
