package hooks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// Search is what a bot, or the person, looks for: by words, by time, or both.
type Search struct {
	Words        string
	Since, Until time.Time          // both ends count; zero is any
	Scope        string             // all, notes, conversations; "" is all
	Limit        int                // of each kind; 0 is 12, at most 100
	Conversation *repo.Conversation // where it is asked; nil: by the owner, outside any
	Speaker      repo.Speaker
}

// Found is one hit.
type Found struct {
	Kind    string `json:"kind"` // note, log, conversation
	Label   string `json:"label"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Layer   string `json:"layer,omitempty"` // "room" or "member NAME"; "" for the bot's own notes
	Date    string `json:"date"`            // YYYY-MM-DD, "" when it is not known
	Snippet string `json:"snippet"`
	Private bool   `json:"private"` // from a private chat, shown in a room
}

// Results are hits, notes first, and the private chats that they carry into a room.
type Results struct {
	Hits      []Found
	Discloses []string
}

const (
	searchHits   = 12
	searchMost   = 100
	snippetRunes = 240
)

// Search looks through the notes, the day logs and what was said. Which conversations
// it may read is decided from the host's facts before anything is ranked. ErrInvalid
// for a search without words and without a time.
func (t *Turns) Search(ctx context.Context, bot repo.ID, q Search) (Results, error) {
	q.Words = strings.TrimSpace(q.Words)
	if q.Words == "" && q.Since.IsZero() && q.Until.IsZero() {
		return Results{}, fmt.Errorf("a search needs words, or since or until: %w", repo.ErrInvalid)
	}
	if !q.Until.IsZero() && q.Until.Before(q.Since) {
		return Results{}, fmt.Errorf("until is before since: %w", repo.ErrInvalid)
	}
	if q.Limit <= 0 {
		q.Limit = searchHits
	}
	q.Limit = min(q.Limit, searchMost)
	out := Results{Hits: []Found{}}
	if q.Scope != "conversations" {
		notes, err := t.searchNotes(ctx, bot, q)
		if err != nil && !errors.Is(err, repo.ErrOff) { // switched off, notes are hidden and chats are not
			return Results{}, err
		}
		out.Hits = append(out.Hits, notes...)
	}
	if q.Scope != "notes" {
		if err := t.searchSaid(ctx, bot, q, &out); err != nil {
			return Results{}, err
		}
	}
	return out, nil
}

func (t *Turns) searchNotes(ctx context.Context, bot repo.ID, q Search) ([]Found, error) {
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return nil, err
	}
	nq := repo.NoteQuery{Text: q.Words, Limit: q.Limit, Since: q.Since, Until: q.Until}
	if c := q.Conversation; c != nil && !askerOf(*c, q.Speaker).logs(*c) {
		nq.Kinds = notLogs
	}
	notes, err := notesOf(ctx, ws, nq)
	if err != nil || q.Conversation == nil {
		return foundOf(notes), err
	}
	own := len(notes)
	// Only what the turn may read is opened: nothing else could be ranked.
	for _, l := range t.layersOf(ctx, bot, *q.Conversation, q.Speaker) {
		nq.Kinds = notLogs
		more, err := notesOf(ctx, l.Notes, nq)
		t.told(bot, "a layer is not searched", err)
		for i := range more {
			more[i].Layer = t.label(bot, l)
			more[i].Label = more[i].Layer + " · " + more[i].Label
		}
		notes = append(notes, more...)
	}
	if len(notes) > own {
		notes = best(notes, q.Words != "")
	}
	return foundOf(notes[:min(q.Limit, len(notes))]), nil
}

func foundOf(list []found) []Found {
	out := make([]Found, len(list))
	for i, f := range list {
		out[i] = f.Found
	}
	return out
}

// notesOf looks through the notes of one workspace.
func notesOf(ctx context.Context, ws *repo.Workspace, q repo.NoteQuery) ([]found, error) {
	look := ws.Notes
	if q.Text == "" {
		look = ws.Dated
	}
	notes, err := look(ctx, q)
	list := make([]found, 0, len(notes))
	for _, n := range notes {
		f := Found{Kind: "note", Label: n.Label, Path: n.Path, Line: n.Line, Date: n.Date.String(), Snippet: policy.Quoted(n.Text, snippetRunes)}
		if kind, err := policy.CheckPath(n.Path); err == nil && kind == policy.Log {
			f.Kind = "log"
		}
		list = append(list, found{f, n.Score})
	}
	return list, err
}

func notLogs(path string) bool {
	kind, err := policy.CheckPath(path)
	return err == nil && kind != policy.Log
}

// undisputed gives what tells whether a line of a conversation may enter a prompt: none
// does that says again what is disputed.
func (t *Turns) undisputed(ctx context.Context, bot repo.ID) (func(text string) bool, error) {
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return nil, err
	}
	disputed, err := ws.Disputed()
	if err != nil {
		return nil, err
	}
	return func(text string) bool { return !disputed(text) }, nil
}

func (t *Turns) searchSaid(ctx context.Context, bot repo.ID, q Search, out *Results) error {
	said, err := t.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return err
	}
	scope, a := repo.SaidScope{Everything: true}, asker{}
	if q.Conversation != nil {
		a = askerOf(*q.Conversation, q.Speaker)
		scope = a.asked(*q.Conversation)
	}
	var keep func(string) bool // the owner, outside any chat, finds all that was said
	if q.Conversation != nil {
		if keep, err = t.undisputed(ctx, bot); err != nil {
			return err
		}
	}
	hits, err := said.Search(ctx, repo.SaidQuery{
		Bot: string(bot), Words: q.Words, Since: q.Since, Until: q.Until, Scope: scope, Limit: q.Limit, Stop: policy.StopWord, Keep: keep,
	})
	if err != nil {
		return repo.TurnError(err)
	}
	zone := t.store.Config().LocationOf(bot)
	told := map[string]bool{}
	for _, h := range hits {
		f := Found{Kind: "conversation", Label: repo.SourceOf(h.Conversation), Date: h.At.In(zone).Format(time.DateOnly), Snippet: h.Snippet}
		if h.Deed {
			f.Snippet = "[what you did] " + f.Snippet
		}
		if f.Private = a.inRoom && h.Conversation.Kind == repo.DirectChat && h.Conversation.Room == nil; f.Private && !told[h.Conversation.ID] {
			told[h.Conversation.ID] = true
			out.Discloses = append(out.Discloses, h.Conversation.Title)
		}
		out.Hits = append(out.Hits, f)
	}
	return nil
}
