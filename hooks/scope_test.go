package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/policy"
	"quipu/repo"
)

func person(id string) repo.Speaker {
	return repo.Speaker{By: repo.ByPerson, ID: id, Name: strings.ToUpper(id)}
}

func people(ids string) (list []repo.Speaker) {
	for id := range strings.FieldsSeq(ids) {
		list = append(list, person(id))
	}
	return list
}

func inRoom(id, members string) repo.Conversation {
	return repo.Conversation{ID: "r", Kind: repo.RoomChat, StartedBy: "owner", Room: &repo.Room{ID: id, Members: strings.Fields(members)}}
}

func directOf(by string) repo.Conversation {
	return repo.Conversation{ID: "d", Kind: repo.DirectChat, StartedBy: by}
}

// layersIn names the layers of a turn as "room ops, member ann".
func layersIn(c repo.Conversation, s repo.Speaker, recent []repo.Speaker, members bool) string {
	var names []string
	for _, l := range askerOf(c, s).layers(c, recent, members) {
		names = append(names, fmt.Sprint(l.of.Kind, " ", l.of.ID))
	}
	return strings.Join(names, ", ")
}

func TestLayersOfATurn(t *testing.T) {
	narrower := inRoom("ops", "ann bob")
	narrower.Room.Narrower = true
	inKind := func(kind repo.ConvKind, room *repo.Room) repo.Conversation {
		return repo.Conversation{ID: "c", Kind: kind, StartedBy: "person:ann", Room: room}
	}
	ops := &repo.Room{ID: "ops", Members: []string{"ann", "bob"}}
	recent := people("bob ann cy")
	tests := []struct {
		name   string
		c      repo.Conversation
		s      repo.Speaker
		recent []repo.Speaker
		off    bool // features.memberMemory
		want   string
	}{
		{"a room", inRoom("ops", "ann bob"), person("ann"), nil, false, "room ops, member ann"},
		{"and who spoke there", inRoom("ops", "ann bob"), person("ann"), recent, false, "room ops, member ann, member bob"},
		{"the owner's notes are the bot's", inRoom("ops", "ann bob"), owner, recent, false, "room ops, member bob, member ann"},
		{
			"eight subjects", inRoom("ops", "a b c d e f g h i"), person("a"), people("i h g f e d c b"), false,
			"room ops, member a, member i, member h, member g, member f, member e, member d",
		},
		{
			"who left lets nobody else in", inRoom("ops", "a b c d e f g h"), person("a"), people("i h g f e d c b"), false,
			"room ops, member a, member h, member g, member f, member e, member d",
		},
		{"each once", inRoom("ops", "ann bob"), person("ann"), people("bob bob ann"), false, "room ops, member ann, member bob"},
		{
			"no bot and no owner among them", inRoom("ops", "ann x y"), person("ann"),
			[]repo.Speaker{{By: repo.ByBot, ID: "x"}, {By: repo.ByOwner, ID: "y"}, {By: repo.ByPerson}},
			false, "room ops, member ann",
		},
		{"members switched off", inRoom("ops", "ann bob"), person("ann"), recent, true, "room ops"},
		{"a chat of one's own", directOf("person:ann"), person("ann"), recent, false, "member ann"},
		{"which never reads a room", directOf("person:ann"), person("ann"), nil, false, "member ann"},
		{"members switched off there", directOf("person:ann"), person("ann"), nil, true, ""},
		{"the owner's chat", directOf("owner"), owner, recent, false, ""},

		{"a room without id", inRoom("", "ann bob"), person("ann"), recent, false, ""},
		{"a blank id", inRoom(" ", "ann bob"), person("ann"), recent, false, ""},
		{"an id that is too long", inRoom(strings.Repeat("x", 65), "ann"), person("ann"), nil, false, ""},
		{"no room at all", inKind(repo.RoomChat, nil), person("ann"), recent, false, ""},
		{"a narrower room", narrower, person("ann"), recent, false, ""},
		{"nobody known speaks", inRoom("ops", "ann bob"), repo.Speaker{}, recent, false, "room ops"},
		{"somebody without id", inRoom("ops", "ann bob"), repo.Speaker{By: repo.ByPerson, Name: "Ann"}, recent, false, "room ops"},
		{"a bot speaks", inRoom("ops", "ann bob"), repo.Speaker{By: repo.ByBot, ID: "ann"}, recent, false, "room ops"},
		{"no members told", inRoom("ops", ""), person("ann"), recent, false, "room ops, member ann"},
		{"somebody else's chat", directOf("owner"), person("ann"), nil, false, ""},
		{"a chat that nobody began", directOf(""), person("ann"), nil, false, ""},
		{"a direct chat without speaker", directOf("person:ann"), repo.Speaker{}, nil, false, ""},
		{"a direct chat in a room", inKind(repo.DirectChat, ops), person("ann"), recent, false, ""},
		{"a routine", inKind("routine", nil), person("ann"), recent, false, ""},
		{"a routine in a room", inKind("routine", ops), person("ann"), recent, false, ""},
		{"a webhook", inKind("webhook", ops), person("ann"), recent, false, ""},
		{"another bot", inKind("bot", ops), person("ann"), recent, false, ""},
		{"a hand-off", inKind("handoff", ops), person("ann"), recent, false, ""},
		{"a goal", inKind("goal", ops), person("ann"), recent, false, ""},
		{"a channel", inKind("channel", ops), person("ann"), recent, false, ""},
		{"no facts", repo.Conversation{}, repo.Speaker{}, recent, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := layersIn(tt.c, tt.s, tt.recent, !tt.off); got != tt.want {
				t.Errorf("layers %q, want %q", got, tt.want)
			}
		})
	}
}

// TestDroppingAFactNeverWidens: of a turn of whatever facts, the same turn with one of them
// missing reads nothing that it did not read before, and never more than eight subjects.
// That a room is narrower is no such fact: it narrows by being told.
func TestDroppingAFactNeverWidens(t *testing.T) {
	id := rapid.SampledFrom([]string{"", " ", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})
	ids := rapid.SliceOfN(id, 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		c := repo.Conversation{
			ID: "c", Kind: rapid.SampledFrom([]repo.ConvKind{repo.DirectChat, repo.RoomChat, repo.RoomChat, "routine", "channel", ""}).Draw(t, "kind"),
			StartedBy: rapid.SampledFrom([]string{"", "owner", "person:a", "person:b", "self"}).Draw(t, "began"),
		}
		if c.Kind != repo.DirectChat && rapid.IntRange(0, 4).Draw(t, "roomless") > 0 {
			c.Room = &repo.Room{ID: id.Draw(t, "room"), Members: ids.Draw(t, "members"), Narrower: rapid.IntRange(0, 4).Draw(t, "narrower") == 0}
		}
		s := repo.Speaker{By: rapid.SampledFrom([]repo.By{"", repo.ByOwner, repo.ByPerson, repo.ByBot, repo.BySelf}).Draw(t, "by"), ID: id.Draw(t, "speaker")}
		recent := people(strings.Join(ids.Draw(t, "recent"), " "))
		all := askerOf(c, s).layers(c, recent, true)
		if len(all) > policy.MaxSubjects {
			t.Fatalf("%d subjects", len(all))
		}
		within := func(what string, c repo.Conversation, s repo.Speaker, recent []repo.Speaker, members bool) {
			last := -1
			for _, l := range askerOf(c, s).layers(c, recent, members) {
				at := slices.IndexFunc(all, func(o layer) bool { return o.of == l.of })
				if at <= last {
					t.Fatalf("without %s it reads %+v, place %d after %d of %+v", what, l.of, at, last, all)
				}
				last = at
			}
		}
		within("the switch", c, s, recent, false)
		within("those who spoke", c, s, nil, true)
		within("the speaker", c, repo.Speaker{}, recent, true)
		within("the speaker's id", c, repo.Speaker{By: s.By}, recent, true)
		within("who the speaker is", c, repo.Speaker{ID: s.ID}, recent, true)
		less := c
		less.StartedBy = ""
		within("who began it", less, s, recent, true)
		less = c
		less.Kind = ""
		within("the kind", less, s, recent, true)
		if c.Room == nil {
			return
		}
		less = c
		less.Room = nil
		within("the room", less, s, recent, true)
		room := *c.Room
		room.ID = ""
		less.Room = &room
		within("the room's id", less, s, recent, true)
		for i := range c.Room.Members {
			room = *c.Room
			room.Members = slices.Delete(slices.Clone(c.Room.Members), i, i+1)
			within("a member", less, s, recent, true)
		}
	})
}

// layered is a bot that keeps one sentence in its own notes, in two rooms and of two
// persons, in a topic of the same name each.
func layered(t *testing.T) *bench {
	b := newBench(t)
	b.end(b.start(plans, owner).Turn, "hi")
	b.keep(b.ws(), "bot")
	for _, of := range []policy.Subject{{Kind: policy.GroupChat, ID: "A"}, {Kind: policy.GroupChat, ID: "B"}, {Kind: policy.Participant, ID: "ann"}, {Kind: policy.Participant, ID: "bob"}} {
		ws, err := b.store.MakeLayer(t.Context(), "scout", of)
		if err != nil {
			t.Fatal(err)
		}
		b.keep(ws, of.ID)
	}
	return b
}

func (b *bench) keep(ws *repo.Workspace, whose string) {
	b.t.Helper()
	for _, u := range []policy.Update{
		{Action: policy.Append, Text: "The zeppelin hangar belongs to " + whose, Topic: "airships"},
		{Action: policy.Append, Text: "Core note of " + whose},
	} {
		if _, err := ws.Update(b.t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn}, u); err != nil {
			b.t.Fatal(err)
		}
	}
}

// The same sentence in every layer: load, recall and search of a turn give that of the
// layers that it reads, and no other, since they ask in one place.
func TestTurnReadsItsLayers(t *testing.T) {
	b := layered(t)
	ann, bob := person("ann"), person("bob")
	b.end(b.start(inRoom("A", "ann bob"), bob).Turn, "hello Bob") // so that Bob spoke there
	b.end(b.start(inRoom("B", "ann bob cy"), person("cy")).Turn, "hello Cy")
	tests := []struct {
		name string
		c    repo.Conversation
		s    repo.Speaker
		want string
	}{
		{"the owner's chat", plans, owner, "bot"},
		{"room A of the owner alone", inRoom("A", ""), owner, "bot A"},
		{"room A", inRoom("A", "ann bob"), ann, "bot A ann bob"},
		{"room A when Bob has left", inRoom("A", "ann"), ann, "bot A ann"},
		{"room B, where Bob never spoke", inRoom("B", "ann bob"), ann, "bot B ann"},
		{"a room that keeps nothing", inRoom("C", "ann"), owner, "bot"},
		{"a room without id", inRoom("", "ann"), ann, "bot"},
		{"Ann's own chat reads no room", directOf("person:ann"), ann, "bot ann"},
		{"Ann in the owner's chat", plans, ann, "bot"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b.t = t
			got := map[string]string{}
			tt.c.ID = "asking"
			if block := b.start(tt.c, tt.s).Load.Block; true {
				got["load"] = whose(block, "Core note of ")
			}
			loaded, err := b.turns.Load(t.Context(), "scout", tt.c, tt.s)
			if err != nil {
				t.Fatal(err)
			}
			got["load again"] = whose(loaded.Block, "Core note of ")
			r := b.recall("who owns the zeppelin hangar", tt.c, tt.s)
			got["recall"] = whose(r.Block, "belongs to ")
			for _, n := range r.Notes {
				if n.Change == "" || n.Path != "memory/airships.md" || (n.Layer == "") != strings.HasSuffix(n.Text, "bot") || !strings.HasPrefix(n.Label, n.Layer) {
					t.Errorf("recalled %+v", n)
				}
			}
			for _, words := range []string{"zeppelin hangar", ""} {
				found, err := b.turns.Search(t.Context(), "scout", Search{Words: words, Since: b.at.AddDate(0, 0, -1), Scope: "notes", Conversation: &tt.c, Speaker: tt.s})
				if err != nil {
					t.Fatal(err)
				}
				var text strings.Builder
				for _, h := range found.Hits {
					fmt.Fprintln(&text, h.Snippet)
					if strings.HasSuffix(h.Snippet, " A") && h.Layer != "room" || strings.HasSuffix(h.Snippet, " ann") && h.Layer != "member ANN (ann)" {
						t.Errorf("found %+v", h)
					}
				}
				got["search "+words] = whose(text.String(), "belongs to ")
			}
			want := map[string]string{}
			for what := range got {
				want[what] = sorted(tt.want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// whose lists whom the lines with a phrase are about.
func whose(text, phrase string) string {
	var found []string
	for line := range strings.Lines(text) {
		if _, who, ok := strings.Cut(line, phrase); ok {
			found = append(found, strings.Fields(who)[0])
		}
	}
	return sorted(strings.Join(found, " "))
}

func sorted(words string) string {
	list := strings.Fields(words)
	slices.Sort(list)
	return strings.Join(list, " ")
}

// The switch is looked at at each read; what is disputed in the bot's notes is out of its
// layers, and what is in a layer is out there alone.
func TestLayersFollowSwitchAndDispute(t *testing.T) {
	b := layered(t)
	c := inRoom("A", "ann")
	load := func() string {
		l, err := b.turns.Load(t.Context(), "scout", c, person("ann"))
		if err != nil {
			t.Fatal(err)
		}
		return whose(l.Block, "Core note of ")
	}
	if got := load(); got != "A ann bot" {
		t.Errorf("loads %q", got)
	}
	if err := b.store.SetConfig("features.memberMemory", false); err != nil {
		t.Fatal(err)
	}
	if got := load(); got != "A bot" {
		t.Errorf("switched off, loads %q", got)
	}
	if err := b.store.SetBot("scout", map[string]any{"memoryEnabled": false}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.turns.Load(t.Context(), "scout", c, person("ann")); err == nil {
		t.Error("memory is off, and it loads")
	}
	ws, err := b.store.Room(t.Context(), "scout", "A")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ws.Load(t.Context()); err == nil {
		t.Error("memory of the bot is off, and its layer loads")
	}
}

// neko.json, sc03 to sc10: a stored row is the notes of a layer, and its subject their
// folder; the subjects of a request are what the facts of a turn say.
func TestScopeVisible(t *testing.T) {
	b := layered(t)
	qq := inRoom("qq:7", "")
	nobody := inRoom("", "")
	for _, id := range []string{"qq:7", "qq:8"} {
		ws, err := b.store.MakeRoom(t.Context(), "scout", id)
		if err != nil {
			t.Fatal(err)
		}
		b.keep(ws, strings.ReplaceAll(id, ":", ""))
	}
	// Folders of no subject that there is: nobody reads them.
	for folder, whose := range map[string]string{"scout--room-": "scopeless", "scout--room": "bare", "scout--custom-qq_3a7": "custom", "scout--weird-a": "weird"} {
		ws, err := b.store.MakeRoom(t.Context(), "scout", whose)
		if err != nil {
			t.Fatal(err)
		}
		b.keep(ws, whose)
		b.rename(repo.ID("scout--room-"+whose), repo.ID(folder))
	}
	tests := []struct {
		id, entry string
		turn      repo.Conversation
		want      bool
	}{
		{"sc03", "qq7", qq, true},
		{"sc04", "qq7", nobody, false},
		{"sc05", "scopeless", nobody, false},
		{"sc06", "scopeless", qq, false},
		{"sc06 without a kind's dash", "bare", qq, false},
		{"sc07", "custom", qq, false},
		{"sc08", "weird", nobody, false},
		{"sc09", "qq8", qq, false},
		{"sc10", "bot", qq, true}, // the bot's own notes, which a turn reads beside its layers
	}
	for _, tt := range tests {
		r := b.recall("who owns the zeppelin hangar", tt.turn, owner)
		if got := slices.Contains(strings.Fields(whose(r.Block, "belongs to ")), tt.entry); got != tt.want {
			t.Errorf("%s: visible %t, want %t:\n%s", tt.id, got, tt.want, r.Block)
		}
	}
}

// rename gives the folders of a workspace another name.
func (b *bench) rename(from, to repo.ID) {
	b.t.Helper()
	for _, dir := range []string{"workspaces/%s", "history/%s.git"} {
		if err := os.Rename(filepath.Join(b.store.Home(), fmt.Sprintf(dir, from)), filepath.Join(b.store.Home(), fmt.Sprintf(dir, to))); err != nil {
			b.t.Fatal(err)
		}
	}
}

// An update may name a layer by its place in the turn, which the host told; where the turn
// has none, or there is no turn, it is refused, and nothing is written.
func TestUpdateOfALayer(t *testing.T) {
	b := newBench(t)
	narrower := inRoom("A", "ann")
	narrower.ID, narrower.Room.Narrower = "n", true
	ended := b.start(inRoom("A", "ann"), person("ann")).Turn
	b.end(ended, "bye")
	tests := []struct {
		name  string
		c     repo.Conversation
		s     repo.Speaker
		layer string
		turn  string // other than the one that begins
		off   bool
		where string // "" is refused
		err   error
	}{
		{"the bot's own", inRoom("A", "ann"), person("ann"), "", "", false, "scout", nil},
		{"the room's", inRoom("A", "ann"), person("ann"), LayerRoom, "", false, "scout--room-_41", nil},
		{"the speaker's", inRoom("A", "ann"), person("ann"), LayerSpeaker, "", false, "scout--member-ann", nil},
		{"in a chat", directOf("person:ann"), person("ann"), LayerSpeaker, "", false, "scout--member-ann", nil},
		{"members switched off", inRoom("A", "ann"), person("ann"), LayerSpeaker, "", true, "", repo.ErrRefused},
		{"the room in a chat", directOf("person:ann"), person("ann"), LayerRoom, "", false, "", repo.ErrRefused},
		{"the owner's", plans, owner, LayerSpeaker, "", false, "", repo.ErrRefused},
		{"a room without id", inRoom("", "ann"), person("ann"), LayerRoom, "", false, "", repo.ErrRefused},
		{"a narrower room", narrower, person("ann"), LayerRoom, "", false, "", repo.ErrRefused},
		{"an id", inRoom("A", "ann"), person("ann"), "room:B", "", false, "", repo.ErrInvalid},
		{"without a turn", inRoom("A", "ann"), person("ann"), LayerRoom, "none", false, "", repo.ErrRefused},
		{"a turn that has ended", inRoom("A", "ann"), person("ann"), LayerRoom, ended, false, "", repo.ErrConflict},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b.t = t
			if err := b.store.SetConfig("features.memberMemory", !tt.off); err != nil {
				t.Fatal(err)
			}
			turn := b.start(tt.c, tt.s).Turn
			if tt.turn != "" {
				turn = strings.TrimPrefix(tt.turn, "none")
			}
			fact := fmt.Sprint("The kettle number is ", 100+i)
			u, err := b.turns.Update(t.Context(), "scout", Asked{Turn: turn, Layer: tt.layer, Via: repo.ViaAPI, Update: policy.Update{Action: policy.Append, Text: fact, TextSet: true}})
			if !errors.Is(err, tt.err) || (err == nil) != u.OK {
				t.Fatalf("%+v, %v; want %v", u, err, tt.err)
			}
			layers, err := b.store.Layers("scout")
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range append([]repo.ID{"scout"}, ids(layers)...) {
				ws, err := b.store.OpenAny(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				text, err := ws.Read(t.Context(), "MEMORY.md")
				if err != nil || strings.Contains(text.Text, fact) != (string(id) == tt.where) {
					t.Errorf("%s: %q, %v", id, text.Text, err)
				}
			}
		})
	}
	if _, err := b.turns.Update(t.Context(), "scout", Asked{Layer: LayerRoom, Update: policy.Update{Action: Prefer, Text: "short answers"}}); !errors.Is(err, repo.ErrInvalid) {
		t.Errorf("a preference in a layer: %v", err)
	}
}

func ids(list []repo.LayerListing) (out []repo.ID) {
	for _, l := range list {
		out = append(out, l.ID)
	}
	return out
}

// What is captured in a room is the bot's, and with the switch that room's alone.
func TestCaptureIntoTheRoomsLayer(t *testing.T) {
	launch := func(id string) repo.Conversation {
		return repo.Conversation{ID: "c9", Kind: repo.RoomChat, Title: "Launch", Room: &repo.Room{ID: id, Name: "Launch"}}
	}
	for name, tt := range map[string]struct {
		layers bool
		before repo.Conversation // in which something was said first
		where  string            // the workspace that the fact is filed in
		heard  int               // turns
	}{
		"the bot's notes":             {false, launch("r1"), "scout", 2},
		"the room's layer":            {true, launch("r1"), "scout--room-r1", 2},
		"one conversation, two rooms": {true, launch("r2"), "scout--room-r1", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t)
			d := newTended(t, s)
			d.set("features.roomMemoryCapture", true)
			d.set("features.roomLayers", tt.layers)
			d.said(tt.before, "Ducks are sold in the other room here", "ok")
			d.said(launch("r1"), "We agreed that the launch moved to Friday.", "ok")
			s.on("capture", facts(map[string]any{"text": "The launch moved to Friday", "kind": "decision", "quote": "the launch moved to Friday"}))
			if r := d.capture(); r.Added != 1 || r.Turns != tt.heard || strings.Contains(s.last("capture"), "Ducks") != (tt.heard == 2) {
				t.Errorf("report %+v\n%s", r, s.last("capture"))
			}
			layers, err := d.store.Layers("scout")
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range append([]repo.ID{"scout"}, ids(layers)...) {
				ws, err := d.store.OpenAny(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				text, err := ws.Read(t.Context(), "MEMORY.md")
				if err != nil || strings.Contains(text.Text, "The launch moved") != (string(id) == tt.where) {
					t.Errorf("%s: %q, %v", id, text.Text, err)
				}
			}
			if (len(layers) > 0) != tt.layers {
				t.Errorf("layers %+v", layers)
			}
		})
	}
}
