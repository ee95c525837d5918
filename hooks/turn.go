package hooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"quipu/hooks/model"
	"quipu/policy"
	"quipu/repo"
)

// Turns is the boundary of a turn: what a bot is given before it, and what is kept
// after it. A turn never fails because of memory: a fault is logged, and what it
// would have given is left out.
type Turns struct {
	store *repo.Store
	now   func() time.Time
	log   *slog.Logger

	models *model.Models // that review what is to be kept; nil is none
}

// NewTurns makes the boundary for a home.
func NewTurns(store *repo.Store, now func() time.Time, log *slog.Logger) *Turns {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Turns{store: store, now: now, log: log}
}

// Opening is what the harness says when a turn begins.
type Opening struct {
	Conversation repo.Conversation
	Speaker      repo.Speaker // who began it; By is owner, person, bot or empty
	Message      string
	At           time.Time // zero: now
}

// Opened is what the bot is given before a turn.
type Opened struct {
	Turn      string
	Load      policy.Loaded
	Brief     string
	Outside   []string // paths that were edited since the last turn
	Discloses []string // titles of private chats that the brief carries into a room for the first time
	Recall    Recalled // what the message recalls, to stand before it
	// Directives are those that the message itself set; Full is how many there was no room
	// for, of which the person has to be told.
	Directives []policy.Directive
	Full       int
	Guess      *Guess // a reflection to ask the person about, once; nil is none
}

// Start begins a turn: what was edited since the last one is taken in as the
// person's, the turn is put on disk, and the bot gets its memory and the brief of its
// other conversations. The workspace is made at a bot's first turn. ErrInvalid for an
// opening without a conversation; every other fault is logged.
func (t *Turns) Start(ctx context.Context, bot repo.ID, o Opening) (Opened, error) {
	if o.Conversation.ID == "" || !o.Conversation.Kind.Known() {
		return Opened{}, fmt.Errorf("a turn needs conversation.id and conversation.kind: %w", repo.ErrInvalid)
	}
	if o.At.IsZero() {
		o.At = t.now()
	}
	if _, _, err := t.store.Create(ctx, bot, ""); err != nil {
		return Opened{}, err
	}
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return Opened{}, err
	}
	t.told(bot, "what an earlier turn left behind is taken in as somebody else's", t.leftBehind(ctx, ws, o))
	var out Opened
	taken, err := ws.TakeIn(ctx, repo.Author{Kind: repo.Person, Name: t.store.Config().PersonName()})
	t.told(bot, "edits before the turn are taken in later", err)
	for _, r := range taken {
		for _, row := range r.Rows {
			out.Outside = append(out.Outside, row.Path)
		}
	}
	out.Turn, err = t.begin(ctx, bot, o)
	if errors.Is(err, repo.ErrInvalid) {
		return Opened{}, err
	}
	t.told(bot, "the turn is not kept", err)
	t.direct(ctx, ws, o, &out)
	out.Load, err = ws.LoadWith(ctx, t.layersOf(ctx, bot, o.Conversation, o.Speaker))
	if !errors.Is(err, repo.ErrOff) {
		t.told(bot, "memory is not loaded", err)
	}
	out.Brief, out.Discloses, err = t.Brief(ctx, bot, o.Conversation, o.Speaker)
	t.told(bot, "there is no brief", err)
	out.Recall, err = t.Recall(ctx, bot, o.Message, o.Conversation, o.Speaker)
	t.told(bot, "nothing is recalled", err)
	out.Guess, err = t.guess(ctx, ws, out.Turn, o)
	t.told(bot, "there is no reflection to ask about", err)
	return out, nil
}

// direct sets what the owner's message asks not to be told of, so that it stands in this
// turn's block.
func (t *Turns) direct(ctx context.Context, ws *repo.Workspace, o Opening, out *Opened) {
	if o.Speaker.By != repo.ByOwner {
		return
	}
	o.Message, _ = t.store.Redact(o.Message)
	wished, err := t.directed(ctx, ws, repo.Turn{ID: out.Turn, Conversation: o.Conversation}, o.Message)
	out.Directives, out.Full = wished.Set, wished.Full
	if errors.Is(err, repo.ErrRefused) { // none fits
		out.Full, err = len(wishes(o.Message)), nil
	}
	t.told(ws.ID(), "what is not to be mentioned is not kept", err)
}

// directLater sets what the owner asked for in the middle of a turn.
func (t *Turns) directLater(ctx context.Context, ws *repo.Workspace, open repo.Turn, said []repo.Message) {
	for _, m := range said {
		if m.By == repo.ByOwner && m.Text != open.Message {
			_, err := t.directed(ctx, ws, open, m.Text)
			t.told(ws.ID(), "what is not to be mentioned is not kept", err)
		}
	}
}

// told logs a fault that a turn goes on without.
func (t *Turns) told(bot repo.ID, what string, err error) {
	if err != nil {
		t.log.Warn(what, "bot", string(bot), "err", err)
	}
}

// leftBehind takes in what was edited during a turn of the same conversation that
// nobody ended as that turn's work: it ends with this one, so before all others that
// are open.
func (t *Turns) leftBehind(ctx context.Context, ws *repo.Workspace, o Opening) error {
	said, err := t.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return err
	}
	open, err := said.OpenTurns(ctx, string(ws.ID()), o.At)
	if err != nil {
		return err
	}
	for _, turn := range open {
		if turn.Conversation.ID == o.Conversation.ID {
			_, err = ws.TakeInAs(ctx, repo.MetaOf(ws.ID(), turn))
		}
	}
	return err
}

// begin puts the turn on disk; one of the same conversation that nobody ended is over.
func (t *Turns) begin(ctx context.Context, bot repo.ID, o Opening) (string, error) {
	said, err := t.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return "", err
	}
	id, err := t.store.NewID()
	if err != nil {
		return "", err
	}
	o.Message, _ = t.store.Redact(o.Message)
	o.Conversation.Title, _ = t.store.Redact(o.Conversation.Title)
	o.Speaker.Name, _ = t.store.Redact(o.Speaker.Name)
	_, err = said.Begin(ctx, repo.Turn{
		ID: id, Bot: string(bot), Conversation: o.Conversation, Speaker: o.Speaker, Message: o.Message, Started: o.At,
	})
	return id, repo.TurnError(err)
}

// Closing is what the harness says when a turn ends.
type Closing struct {
	Messages []repo.Message
	Tools    []string
	Failed   bool
	At       time.Time // zero: now
}

// Closed is what was kept after a turn.
type Closed struct {
	Changes []string // ids of the changes of notes, the day log's not among them
	Log     string   // the line of the day log, "" for none
}

// End ends a turn: what differs in the notes is committed as the bot's work for that
// conversation, a line goes to the day log, and what was said is kept. ErrNotFound
// for a turn that this bot does not have; ErrConflict for one that was ended.
func (t *Turns) End(ctx context.Context, bot repo.ID, turn string, c Closing) (Closed, error) {
	said, err := t.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return Closed{}, err
	}
	open, err := said.Get(ctx, string(bot), turn)
	if err != nil {
		return Closed{}, repo.TurnError(err)
	}
	if c.At.IsZero() {
		c.At = t.now()
	}
	if !open.Open() && !open.Lapsed {
		return Closed{}, fmt.Errorf("the turn was ended already: %w", repo.ErrConflict)
	}
	for i := range c.Messages {
		c.Messages[i].Text, _ = t.store.Redact(c.Messages[i].Text)
		c.Messages[i].Name, _ = t.store.Redact(c.Messages[i].Name)
	}
	c.Tools = slices.Clone(c.Tools)
	for i := range c.Tools {
		c.Tools[i], _ = t.store.Redact(c.Tools[i])
	}
	ws, err := t.store.Open(ctx, bot)
	t.told(bot, "the turn's work is not kept", err)
	var out Closed
	if err == nil {
		r, err := ws.TakeInAs(ctx, repo.MetaOf(bot, open))
		t.told(bot, "the turn's work is taken in later", err)
		if r.Change != "" {
			out.Changes = append(out.Changes, string(r.Change))
		}
		t.leaveForgotten(ws, open, &c)
		t.directLater(ctx, ws, open, c.Messages)
	}
	// The line of the day log comes last: an ending that is tried again adds no second one.
	err = said.End(ctx, string(bot), turn, repo.Ending{At: c.At, Messages: c.Messages, Tools: c.Tools, Failed: c.Failed, Changes: out.Changes})
	if err != nil || ws == nil {
		return out, repo.TurnError(err)
	}
	line, err := ws.LogLine(ctx, repo.MetaOf(bot, open), deed(c))
	if !errors.Is(err, repo.ErrOff) && !errors.Is(err, repo.ErrInvalid) {
		t.told(bot, "the day log has no line of the turn", err)
	}
	out.Log = line.Entry
	return out, nil
}

// leaveForgotten leaves out what tells of something that was forgotten in this very turn:
// the request to forget it, and the answer that repeats it.
func (t *Turns) leaveForgotten(ws *repo.Workspace, open repo.Turn, c *Closing) {
	forgotten, err := ws.Forgotten(open.Started)
	if err != nil {
		t.told(ws.ID(), "what was forgotten in the turn is not looked for in what was said", err)
		return
	}
	c.Messages = slices.DeleteFunc(slices.Clone(c.Messages), func(m repo.Message) bool { return forgotten(m.Text) })
	c.Tools = slices.DeleteFunc(slices.Clone(c.Tools), forgotten)
}

// deed is what the day log says of a turn: the last thing the bot said, the tools it
// used, and whether it failed.
func deed(c Closing) string {
	text := ""
	for _, m := range c.Messages {
		if m.By == repo.BySelf && strings.TrimSpace(m.Text) != "" {
			text = m.Text
		}
	}
	if len(c.Tools) > 0 {
		text += " · used " + strings.Join(c.Tools, ", ")
	}
	if c.Failed {
		text += " · failed"
	}
	return strings.TrimPrefix(text, " · ")
}
