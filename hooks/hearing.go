package hooks

import (
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// hearing is a stretch of one conversation that capture may read.
type hearing struct {
	batch  repo.SaidBatch
	turns  []repo.Turn // those of the batch that may be read
	room   bool
	guests bool // somebody else than the owner speaks in it
	owners bool // every word of a person in it is the owner's
}

// hear says what of a batch may be read, by the host's facts alone: chats that a
// person began with the bot and, with the switch, rooms that everybody sees who sees
// the bot. Turns that failed or that nobody ended, routines, webhooks, hand-offs, goals,
// channels and what another bot or the harness began are never read.
func hear(b repo.SaidBatch, roomsToo bool) hearing {
	h := hearing{batch: b, owners: true}
	roomsToo = roomsToo && !b.Conversation.Room.IsNarrower()
	for _, t := range b.Turns {
		c := t.Conversation
		h.room = c.Kind == repo.RoomChat
		mayRead := isChat(c) || roomsToo && isRoom(c)
		if t.Failed || t.Lapsed || !fromPerson(t) || !mayRead {
			continue
		}
		h.turns = append(h.turns, t)
		h.owners = h.owners && t.Speaker.By == repo.ByOwner
		h.guests = h.guests || h.room || t.Speaker.By == repo.ByPerson || slices.ContainsFunc(t.Messages, func(m repo.Message) bool { return m.By == repo.ByPerson })
	}
	return h
}

// isChat says whether it is a chat with the bot that a person began.
func isChat(c repo.Conversation) bool {
	return c.Kind == repo.DirectChat && c.Room == nil && (c.StartedBy == string(repo.ByOwner) || strings.HasPrefix(c.StartedBy, "person:"))
}

// isRoom says whether it is a room that is known by its id.
func isRoom(c repo.Conversation) bool {
	return c.Kind == repo.RoomChat && c.Room != nil && c.Room.ID != ""
}

// fromPerson says whether a person's words began the turn.
func fromPerson(t repo.Turn) bool {
	return (t.Speaker.By == repo.ByOwner || t.Speaker.By == repo.ByPerson) && strings.TrimSpace(t.Message) != ""
}

// heard is what was said in it, line by line.
func (h hearing) heard() []policy.Heard {
	var out []policy.Heard
	for _, t := range h.turns {
		for _, m := range t.Messages {
			out = append(out, heardOf(t.SpeakerOf(m), m.Text, t.ID))
		}
	}
	return out
}

// heardOf is one thing that was said, with the host's word on who said it. The owner is
// trusted as an admin is, by whichever account the host names them.
func heardOf(s repo.Speaker, text, turn string) policy.Heard {
	h := policy.Heard{Voice: voiceOf(s.By), Name: s.Name, Text: text, Account: s.ID, Tier: policy.TrustTier(s.Tier), Reported: s.Trust, Turn: turn}
	if s.By == repo.ByOwner {
		h.Tier = policy.TierAdmin
	}
	return h
}

// voiceOf is whose words a message is: the owner is the person, anybody else another.
func voiceOf(by repo.By) policy.Voice {
	switch by {
	case repo.ByOwner:
		return policy.VoicePerson
	case repo.ByPerson:
		return policy.VoiceOther
	case repo.BySelf:
		return policy.VoiceBot
	case repo.ByBot:
		return policy.VoiceOtherBot
	}
	return policy.VoiceNobody
}

// left is the hearing without the turns that are gone since.
func (h hearing) left(ids []string) hearing {
	h.turns = slices.DeleteFunc(slices.Clone(h.turns), func(t repo.Turn) bool { return !slices.Contains(ids, t.ID) })
	return h
}

func (h hearing) ids() []string {
	out := make([]string, len(h.turns))
	for i, t := range h.turns {
		out[i] = t.ID
	}
	return out
}

const lineRunes = 1500 // characters of one line of a conversation in a prompt

// lines are what was said as a model reads it: who, and what, on one line.
func lines(heard []policy.Heard, bot string) []string {
	var out []string
	for _, l := range heard {
		if line := policy.SpokenLine(speaks(l, bot), l.Text, lineRunes); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// ownerLabel is how a prompt calls the owner: no label of anybody else reads so.
const ownerLabel = "Person"

// speaks is how a prompt calls a speaker. Nothing that a speaker chose for themselves can
// stand for another one: everybody but the owner and the bot is called by what the host
// knows them by as well, and as what they are.
func speaks(l policy.Heard, bot string) string {
	switch l.Voice {
	case policy.VoicePerson:
		return ownerLabel
	case policy.VoiceBot:
		return policy.BotLabel(bot, ownerLabel)
	case policy.VoiceOther:
		return policy.SpeakerLabel(l.Name, l.Account, bot) + ", another person"
	case policy.VoiceOtherBot:
		return policy.SpeakerLabel(l.Name, l.Account, bot) + ", another assistant"
	case policy.VoiceNobody:
	}
	return "(not a person)"
}

// explicit are the notes that a person plainly asked for, which need no model but pass
// the same rules. What the notes say already in much the same words, as when the bot
// wrote it down, is left out.
func (c *capture) explicit(s stretch, n policy.Notes) func([]policy.Heard, bool) []policy.Candidate {
	stated := map[string]bool{} // looked up before the vault is locked
	return func(heard []policy.Heard, count bool) []policy.Candidate {
		var asked []policy.Candidate
		for _, l := range heard {
			if l.Voice != policy.VoicePerson && (l.Voice != policy.VoiceOther || l.Name == "") {
				continue
			}
			for _, text := range policy.ExplicitNotes(l.Text) {
				quote := text
				if l.Voice == policy.VoiceOther { // "I" is not the owner
					text = l.Name + ": " + text
				}
				if count {
					stated[text] = policy.StatedAlready(n, text, markdown.DateOf(c.ws.Now()))
				}
				if stated[text] {
					if count {
						c.out.Known++
					}
					continue
				}
				asked = append(asked, policy.Candidate{Text: text, Kind: policy.KindFact, Quotes: []string{quote}, Confidence: 1})
			}
		}
		return c.admitted(asked, heard, s, count)
	}
}
