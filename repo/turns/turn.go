package turns

import (
	"fmt"
	"slices"
	"time"
)

// Kind is how a conversation came about.
type Kind string

// The kinds of conversation.
const (
	Direct  Kind = "direct" // a chat of one person with the bot
	InRoom  Kind = "room"
	Routine Kind = "routine"
	Webhook Kind = "webhook"
	ByBot   Kind = "bot" // another bot began it
	Handoff Kind = "handoff"
	Goal    Kind = "goal"
	Channel Kind = "channel"
)

// Known reports whether the kind is one of those above.
func (k Kind) Known() bool {
	return slices.Contains([]Kind{Direct, InRoom, Routine, Webhook, ByBot, Handoff, Goal, Channel}, k)
}

// By is who said something, seen from the bot.
type By string

// Who may have said something. The empty By is nobody that is known: the prompt of
// a routine, a webhook's text.
const (
	Owner  By = "owner"
	Person By = "person"
	Self   By = "self"
	Bot    By = "bot" // another bot
)

func (b By) known() bool { return b == "" || slices.Contains([]By{Owner, Person, Self, Bot}, b) }

// Speaker is who said a message. All of it is the host's word, and all but By may be
// empty: nothing that was said in a message is in it.
type Speaker struct {
	By   By     `json:"by"`
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
	// Tier is how far the host trusts the account: admin, trusted, normal or none; "" for
	// an account that it says nothing of.
	Tier string `json:"tier,omitempty"`
	// Trust is the account's own word on that, 0 to 1; nil is none, which is not 0.
	Trust *float64 `json:"trust,omitempty"`
}

func (s Speaker) known() bool {
	return s.By.known() && slices.Contains([]string{"", "admin", "trusted", "normal", "none"}, s.Tier) && (s.Trust == nil || *s.Trust >= 0 && *s.Trust <= 1)
}

// Room is the room of a turn as the host described it when the turn began.
type Room struct {
	ID       string   `json:"id"`
	Name     string   `json:"name,omitempty"`
	Members  []string `json:"members,omitempty"`
	Narrower bool     `json:"narrower,omitempty"`
}

// IsNarrower says whether fewer people see the room than see the bot; so does one of
// which nothing is known.
func (r *Room) IsNarrower() bool { return r == nil || r.Narrower }

// Conversation is where a turn belongs. Kind, Room and StartedBy are the facts of
// that turn; Title is the newest that the conversation had.
type Conversation struct {
	ID        string `json:"id"`
	Kind      Kind   `json:"kind"`
	Title     string `json:"title,omitempty"`
	Room      *Room  `json:"room,omitempty"`
	StartedBy string `json:"startedBy,omitempty"` // owner, person:<id>, self, bot:<id>, ...
}

// Message is one thing that was said.
type Message struct {
	Speaker
	Text string `json:"text"`
}

// Turn is one turn of one bot. Times are UTC with milliseconds.
type Turn struct {
	ID           string       `json:"id"` // a ULID
	Bot          string       `json:"bot"`
	Conversation Conversation `json:"conversation"`
	Speaker      Speaker      `json:"speaker"` // who began it
	Message      string       `json:"message"` // in which words
	Started      time.Time    `json:"started"`
	Ended        time.Time    `json:"ended,omitzero"` // zero while it is open
	// Lapsed says that nobody ended the turn: the conversation's next turn did, or time.
	Lapsed   bool      `json:"lapsed,omitempty"`
	Tools    []string  `json:"tools,omitempty"` // in the order of their first use
	Failed   bool      `json:"failed,omitempty"`
	Messages []Message `json:"messages,omitempty"`
	Changes  []string  `json:"changes,omitempty"` // ids of the changes it made to notes
}

// Open reports whether the turn has not ended.
func (t Turn) Open() bool { return t.Ended.IsZero() }

// Ending is what is known when a turn ends.
type Ending struct {
	At       time.Time
	Messages []Message // in the order in which they were said; blank ones are left out
	Tools    []string
	Failed   bool
	Changes  []string
}

// lapseAfter is how long a turn stays open by itself.
const lapseAfter = 6 * time.Hour

// check refuses a turn whose place or time is not known: it could never be found,
// scoped or deleted.
func (t Turn) check() error {
	switch {
	case t.Bot == "" || t.ID == "" || t.Conversation.ID == "":
		return fmt.Errorf("%w: a turn needs an id, a bot and a conversation", ErrInvalid)
	case !t.Conversation.Kind.Known():
		return fmt.Errorf("%w: conversation kind %q", ErrInvalid, t.Conversation.Kind)
	case !t.Speaker.known():
		return fmt.Errorf("%w: speaker %q of tier %.20q", ErrInvalid, t.Speaker.By, t.Speaker.Tier)
	case !inTime(t.Started):
		return fmt.Errorf("%w: a turn needs the time when it started", ErrInvalid)
	}
	return nil
}

func (e Ending) check() error {
	if !inTime(e.At) {
		return fmt.Errorf("%w: an ending needs its time", ErrInvalid)
	}
	for _, m := range e.Messages {
		if !m.known() {
			return fmt.Errorf("%w: speaker %q of tier %.20q", ErrInvalid, m.By, m.Tier)
		}
	}
	return nil
}

// saysOpening reports whether the messages hold the words that began the turn: a
// message of the same speaker.
func saysOpening(messages []Message, by Speaker) bool {
	return slices.ContainsFunc(messages, func(m Message) bool {
		return m.By == by.By && (m.ID == by.ID || m.ID == "" || by.ID == "")
	})
}
