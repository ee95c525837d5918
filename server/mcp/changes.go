package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

type updateIn struct {
	Action string `json:"action,omitempty" jsonschema:"append, which it is when left out, or prefer"`
	Text   string `json:"text" jsonschema:"one fact, in one sentence"`
	Until  string `json:"until,omitempty" jsonschema:"the last day on which it is true, YYYY-MM-DD"`
	Topic  string `json:"topic,omitempty" jsonschema:"the topic it belongs to; MEMORY.md when left out"`
	Quote  string `json:"quote,omitempty" jsonschema:"the person's words on which it rests, copied exactly"`
	Turn   string `json:"turn,omitempty" jsonschema:"the turn in which you act, where there is one"`
	Layer  string `json:"layer,omitempty" jsonschema:"room or speaker: keep it only for the room, or the person, of this turn"`
}

func (m *Memory) update(ctx context.Context, in updateIn) (string, hooks.Updated, error) {
	a := hooks.Asked{Turn: in.Turn, Layer: in.Layer, Update: policy.Update{Action: policy.Append, Text: in.Text, TextSet: true, Until: in.Until, Topic: in.Topic, Quote: in.Quote}}
	switch in.Action {
	case "", string(policy.Append):
	case string(hooks.Prefer):
		if in.Until != "" || in.Topic != "" {
			return "", hooks.Updated{}, repo.Meaning(repo.ErrInvalid, "prefer takes text alone")
		}
		a.Action = hooks.Prefer
	default:
		return "", hooks.Updated{}, repo.Meaning(repo.ErrInvalid, "action must be append or prefer; memory_correct and memory_forget do the rest")
	}
	return m.change(ctx, a)
}

type correctIn struct {
	Action  string `json:"action" jsonschema:"replace, supersede or remove"`
	OldText string `json:"old_text" jsonschema:"words that stand in exactly one note, or PATH:LINE"`
	Text    string `json:"text,omitempty" jsonschema:"what is true now; not with remove"`
	Until   string `json:"until,omitempty" jsonschema:"the last day on which it is true, YYYY-MM-DD"`
	Quote   string `json:"quote,omitempty" jsonschema:"the person's words on which it rests, copied exactly"`
	Turn    string `json:"turn,omitempty" jsonschema:"the turn in which you act, where there is one"`
}

func (m *Memory) correct(ctx context.Context, in correctIn) (string, hooks.Updated, error) {
	action := policy.Action(in.Action)
	if action != policy.Replace && action != policy.Supersede && action != policy.Remove {
		return "", hooks.Updated{}, repo.Meaning(repo.ErrInvalid, "action must be replace, supersede or remove")
	}
	return m.change(ctx, hooks.Asked{Turn: in.Turn, Update: policy.Update{
		Action: action, Text: in.Text, TextSet: in.Text != "", OldText: in.OldText, OldTextSet: true, Until: in.Until, Quote: in.Quote,
	}})
}

type forgetIn struct {
	Words   []string `json:"words" jsonschema:"phrases of whole words; a note must mention all of them"`
	Confirm bool     `json:"confirm,omitempty" jsonschema:"true after the person was asked, where many notes would go"`
	Turn    string   `json:"turn,omitempty" jsonschema:"the turn in which the person asked for it"`
}

func (m *Memory) forget(ctx context.Context, in forgetIn) (string, hooks.Updated, error) {
	return m.change(ctx, hooks.Asked{Turn: in.Turn, Words: in.Words, Confirm: in.Confirm, Wait: m.Wait, Update: policy.Update{Action: hooks.Forget}})
}

func (m *Memory) change(ctx context.Context, a hooks.Asked) (string, hooks.Updated, error) {
	a.Via = repo.ViaMCP
	out, err := m.turns.Update(ctx, m.bot, a)
	if err != nil {
		return "", out, err
	}
	text := out.Message
	if out.Entry != "" {
		text += "\n" + out.Entry
	}
	return text, out, nil
}

type historyIn struct {
	Path  string `json:"path,omitempty" jsonschema:"of one note alone"`
	Query string `json:"query,omitempty" jsonschema:"words that a change mentions"`
	Since string `json:"since,omitempty" jsonschema:"from when: 2026-11-30, 3d, yesterday"`
	Until string `json:"until,omitempty" jsonschema:"to when, that day too"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many, 20 when left out, at most 200"`
}

type rowOut struct {
	ID      string `json:"id"`
	At      string `json:"at"`
	Path    string `json:"path"`
	By      string `json:"by"`
	Source  string `json:"source,omitempty"`
	Subject string `json:"subject"`
	Diff    string `json:"diff"`
	Mine    bool   `json:"mine"` // memory_undo takes it back
}

type historyOut struct {
	Frame   string   `json:"frame"`
	Changes []rowOut `json:"changes"`
}

const (
	usualRows = 20
	mostRows  = 200
)

func (m *Memory) history(ctx context.Context, in historyIn) (string, historyOut, error) {
	q := repo.Query{Words: in.Query, Limit: in.Limit}
	if q.Limit <= 0 {
		q.Limit = usualRows
	}
	q.Limit = min(q.Limit, mostRows)
	var err error
	if in.Path != "" {
		if q.Path, err = notePath(in.Path); err != nil {
			return "", historyOut{}, err
		}
	}
	if q.Since, q.Until, err = m.span(in.Since, in.Until); err != nil {
		return "", historyOut{}, err
	}
	ws, err := m.store.Open(ctx, m.bot)
	if err != nil {
		return "", historyOut{}, err
	}
	rows, err := ws.Journal(ctx, q)
	if err != nil {
		return "", historyOut{}, err
	}
	out := historyOut{Frame: frame, Changes: []rowOut{}}
	var text strings.Builder
	for _, r := range rows {
		row := m.rowOf(r)
		out.Changes = append(out.Changes, row)
		fmt.Fprintf(&text, "%s · %s · %s · %s · %s\n%s\n", row.ID, row.At, row.By, row.Path, row.Subject, row.Diff)
	}
	if text.Len() == 0 {
		text.WriteString("No change.")
	}
	return framed(text.String()), out, nil
}

func (m *Memory) rowOf(r repo.Row) rowOut {
	by := r.Actor
	if r.Who != "" {
		by += " " + r.Who
	}
	return rowOut{
		ID: r.ID, At: time.UnixMilli(r.At).In(m.store.Config().LocationOf(m.bot)).Format(time.RFC3339), Path: r.Path, By: by,
		Source: r.Source, Subject: r.Subject, Diff: r.Diff, Mine: m.own(r),
	}
}

// own says whether a change is the bot's, which it may take back.
func (m *Memory) own(r repo.Row) bool {
	return repo.AuthorKind(r.Actor) == repo.Bot && r.CanRevert
}

type undoIn struct {
	Change string `json:"change" jsonschema:"the id of a change, from memory_history"`
}

type undoOut struct {
	Change string   `json:"change"` // that took it back; empty when there was nothing to do
	Paths  []string `json:"paths"`
}

func (m *Memory) undo(ctx context.Context, in undoIn) (string, undoOut, error) {
	ws, err := m.store.Open(ctx, m.bot)
	if err != nil {
		return "", undoOut{}, err
	}
	if in.Change == "" || strings.HasPrefix(in.Change, "HEAD") { // what it names moves
		return "", undoOut{}, repo.Meaning(repo.ErrInvalid, "change must be the id of a change, from memory_history")
	}
	d, err := ws.Show(ctx, in.Change)
	if err != nil {
		return "", undoOut{}, err
	}
	if repo.AuthorKind(d.Row.Actor) != repo.Bot {
		return "", undoOut{}, repo.Meaning(repo.ErrForbidden, "this change is not yours: only the person takes it back")
	}
	by := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: string(m.bot)}, Via: repo.ViaRevert}
	receipt, err := ws.Undo(ctx, by, in.Change, repo.Revert)
	if err != nil {
		return "", undoOut{}, err
	}
	out := undoOut{Change: string(receipt.Change), Paths: []string{}}
	for _, r := range receipt.Rows {
		out.Paths = append(out.Paths, r.Path)
	}
	if out.Change == "" {
		return "There was nothing to take back.", out, nil
	}
	return "Taken back: " + strings.Join(out.Paths, ", "), out, nil
}

type statusOut struct {
	Bot      string       `json:"bot"`
	MemoryOn bool         `json:"memoryOn"`
	Gauge    policy.Gauge `json:"gauge"`
	Ready    bool         `json:"ready"`
	Reason   string       `json:"reason,omitempty"` // why no change would be taken now
	Changes  int          `json:"changes"`
	Topics   int          `json:"topics"`
}

func (m *Memory) status(ctx context.Context, _ noIn) (string, statusOut, error) {
	ws, err := m.store.Open(ctx, m.bot)
	if err != nil {
		return "", statusOut{}, err
	}
	st, err := ws.Status(ctx)
	if err != nil {
		return "", statusOut{}, err
	}
	t, err := ws.Read(ctx, policy.MemoryFile)
	if err != nil {
		return "", statusOut{}, err
	}
	out := statusOut{string(m.bot), true, m.gauge(t), st.Ready, st.Reason, st.Changes, st.Topics}
	text := fmt.Sprintf("The memory of %s is on: MEMORY.md has %d of %d lines, %d topics, %d changes so far; %s.",
		m.bot, out.Gauge.Lines, out.Gauge.MaxLines, out.Topics, out.Changes, out.Gauge.Sentence())
	if !out.Ready {
		text += " No change is taken now: " + out.Reason
	}
	return text, out, nil
}
