package repo

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
)

// limits are the two limits of MEMORY.md for every bot of this home.
func (w *Workspace) limits() policy.Limits {
	return w.store.Config().Limits()
}

// Load gives exactly the block that enters a prompt, and what did not load. It reads
// the work files, credentials masked, and writes nothing. ErrOff when memory is
// switched off for this bot.
func (w *Workspace) Load(ctx context.Context) (policy.Loaded, error) { return w.LoadWith(ctx, nil) }

// LoadWith is Load for a turn that reads layers beside the bot's own notes, in this order.
// A layer that cannot be read is left out, and logged: the bot's own notes load all the same.
func (w *Workspace) LoadWith(ctx context.Context, layers []TurnLayer) (policy.Loaded, error) {
	if !w.store.Config().MemoryOn(w.id) {
		return policy.Loaded{}, wrapf(ErrOff, "memory is switched off for this bot")
	}
	in := policy.LoadInput{Today: markdown.DateOf(w.now()), Limits: w.limits()}
	disputes, _, err := w.out()
	if err != nil {
		return policy.Loaded{}, err
	}
	in.Out = disputes.Out
	hushed, err := w.Directives(ctx)
	if err != nil {
		return policy.Loaded{}, err
	}
	for _, d := range hushed {
		in.Directives = append(in.Directives, d.Told())
	}
	in.Rules = w.Rules().Told()
	in.Memory, err = w.readWork(policy.MemoryFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return policy.Loaded{}, gitError(err)
	}
	files, _, err := w.git.ListWork()
	if err != nil {
		return policy.Loaded{}, gitError(err)
	}
	if in.Newest = w.Rules().Newest(); in.Newest > 0 {
		in.Recent = policy.RecentNotes(w.shownOf(files, live), in.Out, in.Today)
	}
	for _, f := range files {
		kind, err := policy.CheckPath(f.Path)
		if err != nil || kind != policy.Topic && kind != policy.Archive {
			continue
		}
		if h, ok := w.header(f.Path); ok {
			in.Topics = append(in.Topics, policy.TopicHead{Name: path.Base(f.Path), Header: h})
		}
	}
	slices.SortFunc(in.Topics, func(a, b policy.TopicHead) int { return strings.Compare(a.Name, b.Name) })
	in.Layers, in.Bot = w.layerNotes(layers), w.store.Config().Called(w.id)
	return policy.Load(in), nil
}
