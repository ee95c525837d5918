package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

// kinds are the kinds of conversation, as they are named to a caller.
const kinds = "direct, room, routine, webhook, bot, handoff, goal or channel"

// byBot is another bot that speaks.
const byBot = "bot"

// speaker is who speaks, as a body has it: what the host knows of them.
type speaker struct {
	ID    string   `json:"id"`
	Name  string   `json:"name"`
	Owner bool     `json:"owner"`
	Tier  string   `json:"tier"`
	Trust *float64 `json:"trust"`
}

// check says what of a speaker is no trust.
func (s speaker) check() error {
	if !policy.TrustTier(s.Tier).Known() {
		return invalid("speaker.tier must be admin, trusted, normal or none")
	}
	if s.Trust != nil && (*s.Trust < 0 || *s.Trust > 1) {
		return invalid("speaker.trust must be a number from 0 to 1")
	}
	return nil
}

// in says who that is in a conversation. Somebody of whom nothing is told is nobody.
func (s speaker) in(c repo.Conversation) repo.Speaker {
	out := repo.Speaker{ID: s.ID, Name: s.Name, Tier: s.Tier, Trust: s.Trust}
	switch {
	case s.Owner:
		out.By = repo.ByOwner
	case s.ID == "" && s.Name == "":
	case c.Kind == "bot" || c.Kind == "handoff":
		out.By = byBot
	default:
		out.By = repo.ByPerson
	}
	return out
}

// saying is one thing that was said, as a body has it.
type saying struct {
	By      string          `json:"by"`
	Speaker json.RawMessage `json:"speaker"` // an object as of a turn, or a name
	Text    string          `json:"text"`
}

// ParseOpening reads what a harness says when a turn begins, the body of POST turns.
// The error is one sentence for the caller.
func ParseOpening(data []byte) (hooks.Opening, error) {
	var o hooks.Opening
	var who speaker
	var at *string
	err := parse(data, conversationField(&o.Conversation).needed(), speakerField(&who), mustText("message", &o.Message), text("at", &at))
	if err != nil {
		return o, err
	}
	o.Speaker = who.in(o.Conversation)
	o.At, err = moment(at)
	return o, err
}

// ParseClosing reads what a harness says when a turn ends, the body of POST end.
// The error is one sentence for the caller.
func ParseClosing(data []byte) (hooks.Closing, error) {
	var c hooks.Closing
	var said []saying
	var failed *bool
	var at *string
	err := parse(data, strict("messages", "a list of messages, each with by and text", &said), texts("tools", &c.Tools), flag("failed", &failed), text("at", &at))
	if err != nil {
		return c, err
	}
	for i, m := range said {
		one, err := m.read()
		if err != nil {
			return c, invalid(fmt.Sprintf("messages[%d]: %v", i, err))
		}
		c.Messages = append(c.Messages, one)
	}
	c.Failed = failed != nil && *failed
	c.At, err = moment(at)
	return c, err
}

// ParseSaying reads one thing that was said: {by, speaker?, text}. The error is one
// sentence for the caller.
func ParseSaying(data []byte) (repo.Message, error) {
	var m *saying
	if err := strict("", "an object with by and text", &m).into(data); err != nil || m == nil {
		return repo.Message{}, invalid("it must be an object with by and text")
	}
	return m.read()
}

func (m saying) read() (repo.Message, error) {
	out := repo.Message{Text: m.Text}
	switch m.By {
	case "owner":
		out.By = repo.ByOwner
	case "person":
		out.By = repo.ByPerson
	case "self":
		out.By = repo.BySelf
	case "bot":
		out.By = byBot
	default:
		return out, errors.New("by must be owner, person, self or bot")
	}
	if len(m.Speaker) == 0 || string(m.Speaker) == "null" || json.Unmarshal(m.Speaker, &out.Name) == nil {
		return out, nil
	}
	var who speaker
	if err := strict("", "", &who).into(m.Speaker); err != nil {
		return out, errors.New("speaker must be a name, or an object with id, name, tier and trust")
	}
	out.ID, out.Name, out.Tier, out.Trust = who.ID, who.Name, who.Tier, who.Trust
	return out, who.check()
}

// conversationField takes a conversation with the host's facts about it.
func conversationField(into *repo.Conversation) field {
	f := strict("conversation", "an object with id and kind", into)
	read := f.into
	f.into = func(v json.RawMessage) error {
		if err := read(v); err != nil || string(v) == "null" {
			return err
		}
		return checkConversation(*into)
	}
	return f
}

func checkConversation(c repo.Conversation) error {
	if strings.TrimSpace(c.ID) == "" {
		return invalid("conversation.id must be a string that is not blank")
	}
	if !c.Kind.Known() {
		return invalid("conversation.kind must be " + kinds)
	}
	return nil
}

func speakerField(into *speaker) field {
	f := strict("speaker", "an object with id, name, owner, tier and trust", into)
	read := f.into
	f.into = func(v json.RawMessage) error {
		if err := read(v); err != nil {
			return err
		}
		return into.check()
	}
	return f
}

// moment reads a time that may be left out.
func moment(text *string) (time.Time, error) {
	if text == nil {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, *text)
	if err != nil {
		return t, invalid("at must be an RFC 3339 time")
	}
	return t, nil
}
