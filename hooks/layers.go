package hooks

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"quipu/policy"
	"quipu/repo"
)

// Load gives what enters the prompt of a turn: the bot's own notes, then those of the
// layers that the turn reads. ErrOff when memory is switched off for this bot.
func (t *Turns) Load(ctx context.Context, bot repo.ID, c repo.Conversation, s repo.Speaker) (policy.Loaded, error) {
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return policy.Loaded{}, err
	}
	return ws.LoadWith(ctx, t.layersOf(ctx, bot, c, s))
}

// layersOf opens the layers that a turn reads and that anything was ever written to, and
// no others. The switch is looked at each time. A fault leaves layers out.
func (t *Turns) layersOf(ctx context.Context, bot repo.ID, c repo.Conversation, s repo.Speaker) []repo.TurnLayer {
	conf := t.store.Config()
	if !conf.MemoryOn(bot) {
		return nil
	}
	a := askerOf(c, s)
	var recent []repo.Speaker
	if conf.MemberMemory() && a.kind == repo.RoomChat && a.room != "" && len(c.Room.Members) > 0 {
		said, err := t.store.Conversations() //nolint:contextcheck // the handle outlives the call
		if err == nil {
			recent, err = said.Speakers(ctx, string(bot), a.room)
		}
		t.told(bot, "who else spoke in the room is not known", err)
	}
	var open []repo.TurnLayer
	for _, l := range a.layers(c, recent, conf.MemberMemory()) {
		ws, err := t.store.Layer(ctx, bot, l.of)
		if errors.Is(err, repo.ErrNotFound) {
			continue
		}
		if t.told(bot, "a layer is not read", err); err == nil {
			open = append(open, repo.TurnLayer{Of: l.of, Name: l.name, Notes: ws})
		}
	}
	return open
}

// The layers that an update may name. What they are is said by its turn: an id is never
// taken.
const (
	LayerRoom    = "room"
	LayerSpeaker = "speaker"
)

// layerFor makes the layer that an update is narrowed to, of those that its turn reads.
// ErrRefused where there is no such, ErrConflict for a turn that has ended.
func (t *Turns) layerFor(ctx context.Context, bot repo.ID, a Asked) (*repo.Workspace, error) {
	kind, known := map[string]policy.SubjectKind{LayerRoom: policy.GroupChat, LayerSpeaker: policy.Participant}[a.Layer]
	switch {
	case !known:
		return nil, repo.Meaning(repo.ErrInvalid, "layer must be room or speaker: leave it out for the bot's own notes")
	case a.Action == Prefer:
		return nil, repo.Meaning(repo.ErrInvalid, "layer does not go with prefer, which is about the owner")
	case a.Turn == "":
		return nil, repo.Meaning(repo.ErrRefused, "a layer is that of a turn's room or speaker: send turn")
	}
	turn, err := t.Of(ctx, bot, a.Turn)
	if err != nil {
		return nil, err
	}
	if !turn.Open() {
		return nil, repo.Meaning(repo.ErrConflict, "this turn has ended")
	}
	list := askerOf(turn.Conversation, turn.Speaker).layers(turn.Conversation, nil, t.store.Config().MemberMemory())
	i := slices.IndexFunc(list, func(l layer) bool { return l.of.Kind == kind })
	if i < 0 {
		return nil, repo.Meaning(repo.ErrRefused, "this turn has no layer of its "+a.Layer)
	}
	return t.store.MakeLayer(ctx, bot, list[i].of)
}

// label names a layer in what is found.
func (t *Turns) label(bot repo.ID, l repo.TurnLayer) string {
	return l.Label(t.store.Config().Called(bot))
}

// found is a note with how well it answers.
type found struct {
	Found
	score float64
}

// best puts what was found in several layers in one order, the best first and of the same
// worth that of the earlier layer; without words the newest first.
func best(list []found, words bool) []found {
	slices.SortStableFunc(list, func(a, b found) int {
		if words {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Compare(b.Date, a.Date)
	})
	return list
}

// ofOnePlace leaves out the turns of another room, or none, than the newest one's: a host
// may use one conversation for two, and what was said in one is not kept for the other.
func (h hearing) ofOnePlace() hearing {
	if len(h.turns) == 0 {
		return h
	}
	newest := h.turns[len(h.turns)-1].Conversation
	h.turns = slices.DeleteFunc(slices.Clone(h.turns), func(t repo.Turn) bool {
		a, b := t.Conversation.Room, newest.Room
		return t.Conversation.Kind != newest.Kind || (a == nil) != (b == nil) || a != nil && a.ID != b.ID
	})
	return h
}

// readInto is read for what is filed in the room's own layer, with the switch; else in the
// bot's notes. A dry run makes no layer, and compares with the bot's notes where there is none.
func (c *capture) readInto(ctx context.Context, h hearing, layers bool, s stretch) error {
	if !h.room || !layers || !policy.Readable(s.heard, s.guests) {
		return c.read(ctx, s)
	}
	open := c.u.store.MakeRoom
	if c.dry {
		open = c.u.store.Room
	}
	ws, err := open(ctx, c.bot, h.turns[0].Conversation.Room.ID)
	switch {
	case c.dry && errors.Is(err, repo.ErrNotFound):
		return c.read(ctx, s)
	case errors.Is(err, repo.ErrInvalid): // an id that names no layer: it is kept nowhere
		return nil
	case err != nil:
		return err
	}
	own := c.ws
	c.ws = ws
	defer func() { c.ws = own }()
	return c.read(ctx, s)
}
