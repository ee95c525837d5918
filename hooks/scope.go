package hooks

import (
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// asker is who a turn answers to, and where: from the host's facts alone. Nothing
// that a model sends is in it.
type asker struct {
	kind   repo.ConvKind
	room   string // its id; "" for a turn that names none
	inRoom bool
	viewer string // "owner", "person:<id>", or "" when it is not known
	name   string // of who speaks, as the host tells it
	conv   string
}

func askerOf(c repo.Conversation, s repo.Speaker) asker {
	a := asker{kind: c.Kind, conv: c.ID, name: s.Name, inRoom: c.Kind == repo.RoomChat || c.Room != nil}
	if c.Room != nil {
		a.room = c.Room.ID
	}
	switch {
	case s.By == repo.ByOwner:
		a.viewer = "owner"
	case s.By == repo.ByPerson && s.ID != "":
		a.viewer = "person:" + s.ID
	}
	return a
}

// private says whether this is a chat of one person with the bot which that person
// began: only such a turn reads conversations by itself.
func (a asker) private(c repo.Conversation) bool {
	return a.kind == repo.DirectChat && !a.inRoom && a.viewer != "" && c.StartedBy == a.viewer
}

// asked is what a search that was asked for in a turn may read. A missing fact gives
// the narrowest: a room turn without the room's id reads no conversation. In the owner's
// own chat that is all but what other persons said to the bot in theirs.
func (a asker) asked(c repo.Conversation) repo.SaidScope {
	switch {
	case a.private(c) && a.viewer == "owner":
		return repo.SaidScope{Everything: true, NotOthers: true}
	case a.private(c):
		return repo.SaidScope{From: []repo.SaidOrigin{{Kind: repo.DirectChat, StartedBy: a.viewer}}}
	case a.inRoom && a.room != "" && a.viewer == "owner":
		return repo.SaidScope{
			From:  []repo.SaidOrigin{{Kind: repo.DirectChat, StartedBy: "owner"}},
			Rooms: []string{a.room},
		}
	case a.inRoom && a.room != "":
		return repo.SaidScope{Rooms: []string{a.room}}
	}
	return repo.SaidScope{}
}

// logs says whether a search may read the day logs: they quote what the bot said in
// every conversation, so only where every conversation of the owner's may be read.
func (a asker) logs(c repo.Conversation) bool { return a.private(c) && a.viewer == "owner" }

// briefs says whether the newest of another conversation may stand in this turn's
// brief, and whether that carries a private chat into a room: the owner's, where the
// owner speaks.
func (a asker) briefs(c, other repo.Conversation) (yes, discloses bool) {
	chat := other.Kind == repo.DirectChat && other.Room == nil
	switch {
	case a.private(c):
		if chat {
			return other.StartedBy == a.viewer, false
		}
		return other.Kind == repo.RoomChat && other.Room != nil && a.sees(other.Room), false
	case !a.inRoom || a.room == "":
		return false, false
	case chat:
		return other.StartedBy == "owner" && a.viewer == "owner", true
	}
	return other.Room != nil && other.Room.ID != "" && !other.Room.Narrower, false
}

// sees says whether a person reads what was said in a room: the owner all of it,
// another person what they are a member of.
func (a asker) sees(r *repo.Room) bool {
	return a.viewer == "owner" || len(a.viewer) > len("person:") && slices.Contains(r.Members, a.viewer[len("person:"):])
}

// layer is a layer of a bot's memory that a turn may read, and its name when it is a
// person's.
type layer struct {
	of   policy.Subject
	name string
}

// maxOthers is how many recent speakers of a room are read: with the room and who speaks
// now they are the most subjects of a turn.
const maxOthers = policy.MaxSubjects - 2

// layers decides which layers a turn reads beside the bot's own notes: load, recall, search
// and updates all ask here, so that what a turn may read never depends on which of them ran.
// Their order is their priority in the budget of a prompt: the room's, that of who speaks,
// then those of recent other speakers, the newest first, who are members of the room by the
// turn's own word. In a direct chat it is that of who speaks alone; the owner's own is the
// bot's. members is the switch. A missing fact gives the narrowest list: a room without id
// and a narrower one read no layer, somebody unknown reads nobody's, and nothing but a chat
// that its speaker began or a room reads any.
//
// There is no slot for another room's memory: a turn knows one room, and what is
// remembered of another is not for its members to read, whoever asks. Whether the bot may
// say in one room what it said in another is the brief's to decide, from what was said.
func (a asker) layers(c repo.Conversation, recent []repo.Speaker, members bool) []layer {
	var list []layer
	add := func(kind policy.SubjectKind, id, name string) {
		of := policy.Subject{Kind: kind, ID: id}
		if of.Valid() && !slices.ContainsFunc(list, func(o layer) bool { return o.of == of }) {
			list = append(list, layer{of, name})
		}
	}
	if !a.private(c) {
		if a.kind != repo.RoomChat || c.Room.IsNarrower() {
			return nil
		}
		if add(policy.GroupChat, a.room, ""); len(list) == 0 {
			return nil
		}
	}
	if !members || a.viewer == "" {
		return list
	}
	speaker, person := strings.CutPrefix(a.viewer, "person:")
	if person {
		add(policy.Participant, speaker, a.name)
	}
	if !a.inRoom {
		return list
	}
	for _, s := range others(recent, speaker) {
		if slices.Contains(c.Room.Members, s.ID) {
			add(policy.Participant, s.ID, s.Name)
		}
	}
	return list
}

// others are the newest of those who spoke beside who speaks. They are taken before it is
// asked who is a member: who leaves lets nobody else in.
func others(recent []repo.Speaker, speaker string) []repo.Speaker {
	recent = slices.DeleteFunc(slices.Clone(recent), func(s repo.Speaker) bool {
		return s.By != repo.ByPerson || s.ID == "" || s.ID == speaker
	})
	return recent[:min(maxOthers, len(recent))]
}
