package hooks

import (
	"context"
	"errors"

	"quipu/repo"
)

// Retain lets history go that is older than the retention window, where one is set and
// where it is due: a bot's, and that of About me.
func (u *Upkeep) Retain(ctx context.Context, bot repo.ID) error {
	days := u.store.Config().Memory.HistoryDays
	if days == 0 {
		return nil
	}
	ws, err := u.store.Open(ctx, bot)
	if err != nil {
		return err
	}
	me, err := u.store.Me(ctx, "")
	if err != nil && !errors.Is(err, repo.ErrNotFound) {
		return err
	}
	for _, w := range []*repo.Workspace{ws, me} {
		if w == nil {
			continue
		}
		due, err := w.RetainDue(ctx, days)
		if err != nil {
			return err
		}
		if !due {
			continue
		}
		if _, err := w.Retain(ctx, repo.Meta{Author: repo.Author{Kind: repo.Upkeep}, Via: repo.ViaTidy}, days, nil); err != nil {
			return err
		}
	}
	return nil
}
