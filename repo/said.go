package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quipu/markdown"
	"quipu/repo/turns"
)

// What was said in conversations, as package turns has it: whoever stands above this
// floor needs no other name for it.
type (
	// Turn is one turn of one bot.
	Turn = turns.Turn
	// Conversation is where a turn belongs.
	Conversation = turns.Conversation
	// Room is the room of a turn.
	Room = turns.Room
	// Speaker is who said a message.
	Speaker = turns.Speaker
	// Spoke is what an account said to a bot.
	Spoke = turns.Spoke
	// Message is one thing that was said.
	Message = turns.Message
	// Ending is what is known when a turn ends.
	Ending = turns.Ending
	// Said is the newest that a bot said in a conversation.
	Said = turns.Said
	// OwnMessage is one message of the bot itself.
	OwnMessage = turns.Own
	// SaidQuery is a search of what was said.
	SaidQuery = turns.Query
	// SaidHit is one message that was found.
	SaidHit = turns.Hit
	// SaidScope says which turns a search may read.
	SaidScope = turns.Scope
	// SaidBatch is the turns of one conversation that capture has not read.
	SaidBatch = turns.Batch
	// SaidQueued is a conversation whose turns capture has not read.
	SaidQueued = turns.Queued
	// By is who said something, seen from the bot.
	By = turns.By
	// SaidOrigin names turns outside rooms by who may read them.
	SaidOrigin = turns.Origin
	// ConvKind is how a conversation came about.
	ConvKind = turns.Kind
)

// The kinds of conversation that rules name.
const (
	DirectChat = turns.Direct
	RoomChat   = turns.InRoom
)

// Who said something, seen from the bot.
const (
	ByOwner  = turns.Owner
	ByPerson = turns.Person
	BySelf   = turns.Self
	ByBot    = turns.Bot
)

const turnsFile = "turns.db"

// Conversations gives the store of what was said, opened, and made, at the first need.
func (s *Store) Conversations() (*turns.Store, error) {
	s.saidMu.Lock()
	defer s.saidMu.Unlock()
	if s.said != nil {
		return s.said, nil
	}
	if err := s.makeHome(); err != nil {
		return nil, err
	}
	x, err := turns.Open(filepath.Join(s.home, turnsFile), s.log)
	if err != nil {
		return nil, fmt.Errorf("open conversations: %w", turnError(err))
	}
	s.said = x
	return x, nil
}

// OwnWords gives a bot's own newest messages, newest first; none when nothing was ever said.
func (s *Store) OwnWords(ctx context.Context, bot ID, limit int) ([]OwnMessage, error) {
	said, err := s.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said == nil {
		return nil, err
	}
	list, err := said.Own(ctx, string(bot), limit)
	return list, turnError(err)
}

func (s *Store) closeSaid() error {
	s.saidMu.Lock()
	defer s.saidMu.Unlock()
	if s.said == nil {
		return nil
	}
	x := s.said
	s.said = nil
	return x.Close()
}

// ScrubConversations takes the bytes of what was deleted out of the file of
// conversations, where another reader held that up when it was deleted.
func (s *Store) ScrubConversations(ctx context.Context) error {
	said, err := s.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said == nil {
		return err
	}
	return turnError(said.Scrub(ctx))
}

// saidIfAny gives what was said, nil when nothing ever was: looking makes no file.
func (s *Store) saidIfAny() (*turns.Store, error) {
	if !s.hasConversations() {
		return nil, nil //nolint:nilnil // nothing to look into is no fault
	}
	return s.Conversations()
}

// hasConversations says whether anything was ever said: looking makes no file.
func (s *Store) hasConversations() bool {
	_, err := os.Stat(filepath.Join(s.home, turnsFile))
	return !errors.Is(err, fs.ErrNotExist)
}

// turnError gives an error of the conversations the meaning it has here.
func turnError(err error) error {
	for _, m := range [...]struct{ from, to error }{
		{turns.ErrNotFound, ErrNotFound},
		{turns.ErrInvalid, ErrInvalid},
		{turns.ErrBusy, ErrBusy},
		{turns.ErrDamaged, ErrDamaged},
		{turns.ErrExists, ErrConflict},
		{turns.ErrEnded, ErrConflict},
	} {
		if errors.Is(err, m.from) {
			return fmt.Errorf("%w%w", err, silent{m.to})
		}
	}
	return err
}

// TurnError is turnError for callers above that use the store of conversations.
func TurnError(err error) error { return turnError(err) }

// SourceOf names a conversation as the source of what was learned in it.
func SourceOf(c Conversation) string {
	if c.Room != nil {
		return markdown.SourceLabel(c.Room.Name, c.Title, c.ID)
	}
	return markdown.SourceLabel("", c.Title, c.ID)
}

// MetaOf signs a change that a bot makes inside a turn.
func MetaOf(bot ID, t Turn) Meta {
	return Meta{Author: Author{Kind: Bot, Name: string(bot)}, Source: SourceOf(t.Conversation), Via: ViaTurn, Turn: t.ID}
}

// editor is who edits the files of this workspace from outside: the bot while a turn
// of it is open, else the person. Of several open turns it is the one begun last.
func (w *Workspace) editor(ctx context.Context) Meta {
	person := Meta{Author: w.person(), Action: ActOutside, Via: ViaDisk}
	said, err := w.store.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		w.log.Warn("open turns are not known; edits count as the person's", "err", err)
	}
	if said == nil {
		return person
	}
	open, err := said.OpenTurns(ctx, string(w.id), w.store.now())
	if err != nil || len(open) == 0 {
		return person
	}
	m := MetaOf(w.id, open[len(open)-1])
	m.Action = ActOutside
	return m
}

// Redact masks credentials in a text that is to be kept.
func (s *Store) Redact(text string) (string, int) { return s.redact.Redact(text) }

// NewID makes a new id, of the form that changes have.
func (s *Store) NewID() (string, error) {
	id, err := s.change(s.now())
	return string(id), err
}
