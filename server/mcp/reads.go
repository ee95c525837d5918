package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

func rawSchema(text string) json.RawMessage { return json.RawMessage(text) }

type readIn struct {
	Path string `json:"path,omitempty" jsonschema:"the note, as memory/food.md; MEMORY.md when it is left out"`
}

type readOut struct {
	Frame  string `json:"frame"`
	Path   string `json:"path"`
	Text   string `json:"text"`
	Exists bool   `json:"exists"`
}

// notePath is a note of the bot's, by the path that a model gives.
func notePath(path string) (string, error) {
	if path == "" {
		path = policy.MemoryFile
	}
	_, err := policy.CheckNote(path)
	return path, err
}

func (m *Memory) read(ctx context.Context, in readIn) (string, readOut, error) {
	path, err := notePath(in.Path)
	if err != nil {
		return "", readOut{}, err
	}
	ws, err := m.store.Open(ctx, m.bot)
	if err != nil {
		return "", readOut{}, err
	}
	t, err := ws.Read(ctx, path)
	if err != nil {
		return "", readOut{}, err
	}
	if !t.Exists {
		return "", readOut{}, repo.Meaning(repo.ErrNotFound, "there is no note "+path+": memory_list says which there are")
	}
	return framed(path+":", "", t.Text), readOut{frame, path, t.Text, true}, nil
}

type fileOut struct {
	Path    string   `json:"path"`
	Title   string   `json:"title,omitempty"`
	About   string   `json:"about,omitempty"`
	Aliases []string `json:"aliases,omitempty"`
	Bytes   int      `json:"bytes"`
}

type listOut struct {
	Gauge  policy.Gauge `json:"gauge"`
	Topics []fileOut    `json:"topics"`
	Logs   []fileOut    `json:"logs"`
}

type noIn struct{}

func (m *Memory) list(ctx context.Context, _ noIn) (string, listOut, error) {
	ws, err := m.store.Open(ctx, m.bot)
	if err != nil {
		return "", listOut{}, err
	}
	t, err := ws.Read(ctx, policy.MemoryFile)
	if err != nil {
		return "", listOut{}, err
	}
	topics, logs, err := ws.List(ctx)
	if err != nil {
		return "", listOut{}, err
	}
	out := listOut{Gauge: m.gauge(t), Topics: filesOf(topics), Logs: filesOf(logs)}
	var text strings.Builder
	fmt.Fprintf(&text, "MEMORY.md: %d of %d lines, %d of %d bytes\n", out.Gauge.Lines, out.Gauge.MaxLines, out.Gauge.Bytes, out.Gauge.MaxBytes)
	for _, f := range append(append([]fileOut{}, out.Topics...), out.Logs...) {
		fmt.Fprintf(&text, "%s (%d bytes)", f.Path, f.Bytes)
		for _, more := range append([]string{f.Title, f.About}, f.Aliases...) {
			if more != "" {
				fmt.Fprintf(&text, " · %s", more)
			}
		}
		text.WriteByte('\n')
	}
	return framed(text.String()), out, nil
}

func filesOf(files []repo.FileInfo) []fileOut {
	list := make([]fileOut, 0, len(files))
	for _, f := range files {
		list = append(list, fileOut{f.Path, f.Title, f.Description, f.Aliases, f.Bytes})
	}
	return list
}

func (m *Memory) gauge(t repo.Text) policy.Gauge {
	return m.store.Config().Limits().Measure([]byte(t.Text))
}

type searchIn struct {
	Query string `json:"query,omitempty" jsonschema:"the words to look for"`
	Since string `json:"since,omitempty" jsonschema:"from when: 2026-11-30, 3d, yesterday"`
	Until string `json:"until,omitempty" jsonschema:"to when, that day too"`
	Scope string `json:"scope,omitempty" jsonschema:"all, notes or conversations"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many of each kind, 1 to 100"`
	Turn  string `json:"turn,omitempty" jsonschema:"the turn in which you ask, where there is one: it says which conversations you may read"`
}

type searchOut struct {
	Frame     string        `json:"frame"`
	Hits      []hooks.Found `json:"hits"`
	Discloses []string      `json:"discloses"`
}

func (m *Memory) search(ctx context.Context, in searchIn) (string, searchOut, error) {
	q := hooks.Search{Words: in.Query, Scope: in.Scope, Limit: in.Limit, Conversation: &repo.Conversation{}}
	if in.Scope != "" && in.Scope != "all" && in.Scope != "notes" && in.Scope != "conversations" {
		return "", searchOut{}, repo.Meaning(repo.ErrInvalid, "scope must be all, notes or conversations")
	}
	if in.Turn != "" {
		turn, err := m.turns.Of(ctx, m.bot, in.Turn)
		if err == nil && !turn.Open() {
			err = repo.Meaning(repo.ErrConflict, "this turn has ended")
		}
		if err != nil {
			return "", searchOut{}, err
		}
		q.Conversation, q.Speaker = &turn.Conversation, turn.Speaker
	}
	var err error
	if q.Since, q.Until, err = m.span(in.Since, in.Until); err != nil {
		return "", searchOut{}, err
	}
	found, err := m.turns.Search(ctx, m.bot, q)
	if err != nil {
		return "", searchOut{}, err
	}
	var text strings.Builder
	for _, h := range found.Hits {
		fmt.Fprintf(&text, "- %s · %s", h.Label, h.Snippet)
		if h.Date != "" {
			fmt.Fprintf(&text, " (%s)", h.Date)
		}
		if h.Path != "" {
			fmt.Fprintf(&text, " [%s:%d]", h.Path, h.Line)
		}
		text.WriteByte('\n')
	}
	if text.Len() == 0 {
		text.WriteString("Nothing is found.")
	}
	return framed(text.String()), searchOut{frame, found.Hits, append([]string{}, found.Discloses...)}, nil
}

// span reads two times that may be left out.
func (m *Memory) span(since, until string) (from, to time.Time, err error) {
	now := m.Now().In(m.store.Config().LocationOf(m.bot))
	for _, end := range []struct {
		name, text string
		into       *time.Time
		last       bool
	}{{"since", since, &from, false}, {"until", until, &to, true}} {
		if end.text == "" {
			continue
		}
		t, ok := policy.Moment(end.text, now, end.last)
		if !ok {
			return from, to, repo.Meaning(repo.ErrInvalid, end.name+" must be a day like 2026-11-30, or 24h, 3d, today, yesterday")
		}
		*end.into = t
	}
	return from, to, nil
}

type recallIn struct {
	Message string `json:"message" jsonschema:"what the person wrote"`
	Turn    string `json:"turn,omitempty" jsonschema:"the turn in which you ask, where there is one"`
}

type recallOut struct {
	Frame    string               `json:"frame"`
	Notes    []hooks.Recollection `json:"notes"`
	Passages []hooks.Recollection `json:"passages"`
}

func (m *Memory) recall(ctx context.Context, in recallIn) (string, recallOut, error) {
	var c repo.Conversation
	var who repo.Speaker
	if in.Turn != "" {
		turn, err := m.turns.Of(ctx, m.bot, in.Turn)
		if err != nil {
			return "", recallOut{}, err
		}
		if turn.Open() {
			c, who = turn.Conversation, turn.Speaker
		}
	}
	found, err := m.turns.Recall(ctx, m.bot, in.Message, c, who)
	if err != nil {
		return "", recallOut{}, err
	}
	out := recallOut{frame, append([]hooks.Recollection{}, found.Notes...), append([]hooks.Recollection{}, found.Passages...)}
	if found.Block == "" {
		return "Nothing is recalled.", out, nil
	}
	return framed(found.Block), out, nil
}
