package repo

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"quipu/markdown"
	"quipu/repo/index"
	"quipu/repo/turns"
)

// Recalled is what is put before a turn.
type Recalled = index.Recalled

// talk is the in-memory index of what was said to a bot: a day of a conversation is
// one file of it.
type talk struct {
	mu    sync.Mutex
	x     *index.Index
	mark  turns.Mark
	known map[string]Conversation // by the index's path
	notes map[string][]index.Note
}

// Recall makes the block that a message recalls: notes of topics and, of the
// conversations that mayRead names, passages; nil names none. What may not be read is
// left out before anything is ranked: only the layers that are handed in are searched
// beside the bot's own notes, and Passage.Pool counts them from 1. Nothing is recalled by a
// short message, by one without a content word, and when memory is off.
func (w *Workspace) Recall(ctx context.Context, message string, mayRead func(Conversation) bool, layers ...TurnLayer) (Recalled, error) {
	m, ok := index.ReadMessage(message)
	if !ok || !w.store.Config().MemoryOn(w.id) {
		return Recalled{}, nil
	}
	own, err := w.pool(m)
	if err != nil {
		return Recalled{}, err
	}
	pools := []index.Pool{own}
	for _, l := range layers {
		pool, err := l.pool(m, w.store.Config().Called(w.id))
		if err != nil { // the bot's own notes are recalled all the same
			w.log.Warn("a layer is not searched", "layer", string(l.Notes.id), "err", err)
		}
		pools = append(pools, pool)
	}
	var passages []index.Hit
	if mayRead != nil && w.store.hasConversations() {
		if passages, err = w.passages(ctx, m, mayRead); err != nil {
			return Recalled{}, err
		}
	}
	return w.trustedPassages(index.RecallFrom(m, pools, passages))
}

// pool is what of the notes a message brings up.
func (w *Workspace) pool(m index.Message) (index.Pool, error) {
	if err := w.refreshNotes(); err != nil {
		return index.Pool{}, err
	}
	q := index.Query{Text: m.Text, Today: markdown.DateOf(w.now()), Limit: index.RecallDepth, Only: index.Recallable}
	p := index.Pool{Notes: w.finder.x.Search(q)}
	q.Limit = 0
	p.Named = w.finder.x.Called(m, q)
	return p, nil
}

// pool is the same of a layer, whose name every hit bears.
func (l TurnLayer) pool(m index.Message, bot string) (index.Pool, error) {
	p, err := l.Notes.pool(m)
	for _, list := range [][]index.Hit{p.Notes, p.Named} {
		for i := range list {
			list[i].Label = l.Label(bot) + " · " + list[i].Label
		}
	}
	return p, err
}

// RecallWords are the words by which a message recalls, as recall folds them. short is a
// message that says too little to recall anything.
func RecallWords(message string) (words []string, short bool) {
	m, ok := index.ReadMessage(message)
	return m.Terms, !ok && m.Text == ""
}

func (w *Workspace) passages(ctx context.Context, m index.Message, mayRead func(Conversation) bool) ([]index.Hit, error) {
	t := &w.talk
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := w.follow(ctx); err != nil {
		return nil, err
	}
	disputes, _, err := w.out()
	if err != nil {
		return nil, err
	}
	q := index.Query{
		Text: m.Text, Today: markdown.DateOf(w.now()), Limit: index.RecallDepth,
		Only: func(path string) bool { return mayRead(t.known[path]) },
	}
	if disputes.Len() > 0 {
		q.Keep = func(_ string, n index.Note) bool { return !disputes.Tells(n.Text) }
	}
	return t.x.Search(q), nil
}

// follow adds what was said since the last look; w.talk.mu is held.
func (w *Workspace) follow(ctx context.Context) error {
	said, err := w.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return err
	}
	t := &w.talk
	changed := map[string]bool{}
	for {
		page, err := said.Follow(ctx, string(w.id), t.mark)
		if err != nil {
			return turnError(err)
		}
		if page.Reset || t.x == nil {
			t.x, t.known, t.notes = index.New(), map[string]Conversation{}, map[string][]index.Note{}
			clear(changed)
		}
		for i := range page.Turns {
			changed[w.hear(&page.Turns[i])] = true
		}
		if t.mark = page.Next; len(page.Turns) == 0 && !page.Reset {
			break
		}
	}
	for path := range changed {
		t.x.Replace(index.File{Path: path, Label: SourceOf(t.known[path]), Title: t.known[path].Title, Notes: t.notes[path]})
	}
	return nil
}

// hear adds one turn to what was said that day in its conversation.
func (w *Workspace) hear(turn *Turn) (path string) {
	day := markdown.DateOf(turn.Ended.In(w.now().Location()))
	path = talkPath(turn.Conversation, day)
	t := &w.talk
	t.known[path] = turn.Conversation
	add := func(author, text string) {
		t.notes[path] = append(t.notes[path], index.Note{Text: text, Author: author, Date: day})
	}
	for _, m := range turn.Messages {
		add(speakerName(m.Speaker), m.Text)
	}
	if len(turn.Tools) > 0 {
		deed := "[what you did] used " + strings.Join(turn.Tools, ", ")
		if turn.Failed {
			deed += ", and it failed"
		}
		add("", deed)
	}
	return path
}

// talkPath names a day of a conversation by the facts that decide who may read it: one
// id that a host used for two chats is two of them.
func talkPath(c Conversation, day markdown.Date) string {
	room := ""
	if c.Room != nil {
		room = c.Room.ID
	}
	return fmt.Sprintf("%q %q %q %v %q/%s", c.ID, c.Kind, c.StartedBy, c.Room != nil, room, day)
}

func speakerName(s Speaker) string {
	switch {
	case s.Name != "":
		return s.Name
	case s.By == turns.Self:
		return "You"
	case s.By == turns.Owner:
		return "Owner"
	}
	return "Person"
}
