package repo

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"quipu/policy"
)

// layerMark stands between a bot and the rest of the name of one of its layers.
const layerMark = "--"

// LayerID names the workspace of a layer: `<bot>--room-<room>`, `<bot>--member-<person>`,
// with the id encoded. ErrInvalid.
func LayerID(bot ID, of policy.Subject) (ID, error) {
	if err := policy.CheckID(string(bot)); err != nil {
		return "", wrapf(ErrInvalid, "bot id: %v", err)
	}
	if !of.Valid() {
		whose := "person"
		if of.Kind == policy.GroupChat {
			whose = "room"
		}
		return "", wrapf(ErrInvalid, "a %s's id is plain text of 1 to %d bytes", whose, policy.MaxSubjectID)
	}
	return bot + layerMark + ID(of.Kind) + "-" + ID(encoded(of.ID)), nil
}

// Layer reads the name of a layer's workspace; ok is false for a workspace of another kind,
// and for a name that LayerID does not give.
func (id ID) Layer() (bot ID, of policy.Subject, ok bool) {
	name, rest, _ := strings.Cut(string(id), layerMark)
	kind, spelled, _ := strings.Cut(rest, "-")
	of = policy.Subject{Kind: policy.SubjectKind(kind)}
	of.ID, ok = Decoded(spelled)
	back, err := LayerID(ID(name), of)
	return ID(name), of, ok && err == nil && back == id
}

// bot is the bot that a layer is of; any other workspace is its own. A bot's settings are
// those of its layers.
func (id ID) bot() ID {
	name, _, _ := strings.Cut(string(id), layerMark)
	return ID(name)
}

// encoded makes a name that stands for a person or a room in workspace names: lower-case
// letters and digits as they are, every other byte as "_" and two hex digits, so that no
// two share one, on no system.
func encoded(id string) string {
	var b strings.Builder
	for _, c := range []byte(id) {
		if plainByte(c) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "_%02x", c)
	}
	return b.String()
}

func plainByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// Decoded reads a name of a person or a room as workspaces spell it, `_41da` for Ada; false
// when it is not spelled so.
func Decoded(spelled string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(spelled); i++ {
		switch c := spelled[i]; {
		case plainByte(c):
			b.WriteByte(c)
		case c == '_' && i+2 < len(spelled):
			raw, err := hex.DecodeString(spelled[i+1 : i+3])
			if err != nil {
				return "", false
			}
			b.Write(raw)
			i += 2
		default:
			return "", false
		}
	}
	return b.String(), true
}

// Layer gives a layer of a bot's memory: what it keeps of one room or one person, read
// beside its own notes where that room or person is. ErrNotFound when nothing was ever
// written to it, or there is no such bot.
func (s *Store) Layer(ctx context.Context, bot ID, of policy.Subject) (*Workspace, error) {
	id, err := s.layerOf(ctx, bot, of)
	if err != nil {
		return nil, err
	}
	return s.openAny(ctx, id)
}

// MakeLayer is Layer for a write.
func (s *Store) MakeLayer(ctx context.Context, bot ID, of policy.Subject) (*Workspace, error) {
	id, err := s.layerOf(ctx, bot, of)
	if err != nil {
		return nil, err
	}
	return s.makeAny(ctx, id, fileText{path: policy.MemoryFile, text: []byte(policy.Seed)})
}

// layerOf names a layer of a bot that is there. The bot is opened first: its disputes hold
// in its layers, and of two locks its own comes first.
func (s *Store) layerOf(ctx context.Context, bot ID, of policy.Subject) (ID, error) {
	id, err := LayerID(bot, of)
	if err != nil {
		return "", err
	}
	_, err = s.openAny(ctx, bot)
	return id, err
}

// Member is Layer for a person.
func (s *Store) Member(ctx context.Context, bot ID, person string) (*Workspace, error) {
	return s.Layer(ctx, bot, policy.Subject{Kind: policy.Participant, ID: person})
}

// MakeMember is Member for a write.
func (s *Store) MakeMember(ctx context.Context, bot ID, person string) (*Workspace, error) {
	return s.MakeLayer(ctx, bot, policy.Subject{Kind: policy.Participant, ID: person})
}

// Room is Layer for a room.
func (s *Store) Room(ctx context.Context, bot ID, room string) (*Workspace, error) {
	return s.Layer(ctx, bot, policy.Subject{Kind: policy.GroupChat, ID: room})
}

// MakeRoom is Room for a write.
func (s *Store) MakeRoom(ctx context.Context, bot ID, room string) (*Workspace, error) {
	return s.MakeLayer(ctx, bot, policy.Subject{Kind: policy.GroupChat, ID: room})
}

// LayerListing is one layer in a list of them.
type LayerListing struct {
	Bot  ID                 `json:"bot"`
	Kind policy.SubjectKind `json:"kind"`
	Of   string             `json:"of"` // the id of the room or person
	ID   ID                 `json:"id"` // of its workspace
	Path string             `json:"path"`
}

// Layers lists the layers of a bot, rooms first, then by id. They are no bots, and Bots
// lists none of them.
func (s *Store) Layers(bot ID) ([]LayerListing, error) {
	ids, err := s.foldersOf(bot)
	if err != nil {
		return nil, fmt.Errorf("list layers: %w", err)
	}
	var list []LayerListing
	for _, id := range ids {
		if _, of, ok := id.Layer(); ok && s.exists(id) {
			list = append(list, LayerListing{Bot: bot, Kind: of.Kind, Of: of.ID, ID: id, Path: s.workDir(id)})
		}
	}
	slices.SortFunc(list, func(a, b LayerListing) int {
		return cmp.Or(strings.Compare(string(b.Kind), string(a.Kind)), strings.Compare(a.Of, b.Of))
	})
	return list, nil
}

// botOf gives what finds the bot that a layer is of: nil for what is no layer, and where
// that bot is gone. It is open already, see layerOf, and may have been opened anew since.
func (s *Store) botOf(id ID) func() (*Workspace, error) {
	return func() (*Workspace, error) {
		if id.bot() == id {
			return nil, nil
		}
		ws, err := s.openAny(context.Background(), id.bot())
		if errors.Is(err, ErrNotFound) {
			return nil, nil
		}
		return ws, err
	}
}

// hushedAbove lists what the bot of a layer must not bring up, which is kept out of the
// layer, too; none for what is no layer.
func (w *Workspace) hushedAbove(ctx context.Context) ([]policy.Directive, error) {
	bot, err := w.bot()
	if err != nil || bot == nil {
		return nil, err
	}
	return bot.Directives(ctx)
}

// TurnLayer is a layer that a turn reads, opened.
type TurnLayer struct {
	Of    policy.Subject
	Name  string // of a member, as the host tells it
	Notes *Workspace
}

// Label names the layer on one line; see policy.LayerLabel.
func (l TurnLayer) Label(bot string) string { return policy.LayerLabel(l.Of, l.Name, bot) }

// Called is what a bot is called.
func (c Config) Called(id ID) string { return cmp.Or(c.of(id).Name, string(id.bot())) }

// layerNotes reads the notes of layers for a prompt.
func (w *Workspace) layerNotes(layers []TurnLayer) []policy.LayerNotes {
	var list []policy.LayerNotes
	for _, l := range layers {
		disputes, _, err := l.Notes.out()
		text, rerr := l.Notes.readWork(policy.MemoryFile)
		if errors.Is(rerr, fs.ErrNotExist) {
			rerr = nil
		}
		if err = errors.Join(err, rerr); err != nil {
			w.log.Warn("a layer is not loaded", "layer", string(l.Notes.id), "err", err)
			continue
		}
		list = append(list, policy.LayerNotes{Of: l.Of, Name: l.Name, Memory: text, Out: disputes.Out})
	}
	return list
}
