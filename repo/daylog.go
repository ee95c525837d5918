package repo

import (
	"context"

	"quipu/markdown"
	"quipu/policy"
)

// LogLine adds one line to the day log of now: what a bot did, in its own words.
// m.Source says where. ErrInvalid for a blank text, ErrOff when memory is switched
// off for this bot.
func (w *Workspace) LogLine(ctx context.Context, m Meta, text string) (Receipt, error) {
	if !w.store.Config().MemoryOn(w.id) {
		return Receipt{}, wrapf(ErrOff, "memory is switched off for this bot")
	}
	m.Action = ActLog
	clean, n := w.store.redact.Redact(text)
	return w.change(ctx, m, func(v *view) (draft, error) {
		path := policy.LogPath(v.at)
		line := policy.LogLine(v.at, v.w.clean(m.Source), clean)
		if line == "" {
			return draft{}, wrapf(ErrInvalid, "a line of the day log needs a text")
		}
		old, _, err := v.file(path)
		if err != nil {
			return draft{}, err
		}
		next := markdown.Parse(path, old).Append(line)
		d := draft{receipt: Receipt{Entry: line, Redacted: n}, subject: path, files: []fileText{{path: path, text: next}}}
		return d, checkSize(path, len(next))
	})
}

// TakeInAs commits what was edited outside since the last change as what m says: the
// bot's work at the end of a turn. The receipt is empty when there is nothing.
func (w *Workspace) TakeInAs(ctx context.Context, m Meta) (Receipt, error) {
	m.Action = ActOutside
	var rows []Row
	r, err := w.change(ctx, m, func(v *view) (draft, error) {
		err := v.takeInAs(&m)
		rows = v.rows
		return draft{}, err
	})
	if err != nil || len(r.Outside) == 0 {
		return Receipt{}, err
	}
	r.Change, r.Rows = r.Outside[0], rows
	r.Commit, r.Outside = rows[0].Commit, nil
	return r, nil
}
