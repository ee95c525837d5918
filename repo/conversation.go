package repo

import (
	"context"
	"fmt"
	"slices"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/side"
	"quipu/repo/turns"
)

// DeleteConversation takes away all that was said in a conversation of a bot, the lines
// of its turns in the day logs with it, and gives the number of its turns; 0 when there
// is none such. The notes that came of it stay.
func (s *Store) DeleteConversation(ctx context.Context, bot ID, conversation string) (int, error) {
	return s.cutConversation(ctx, bot, conversation, func(ctx context.Context, said *turns.Store) (int, error) {
		return said.DeleteConversation(ctx, string(bot), conversation)
	})
}

// RewindConversation is DeleteConversation for what came after a turn, which stays.
// ErrNotFound when the conversation has no such turn.
func (s *Store) RewindConversation(ctx context.Context, bot ID, conversation, to string) (int, error) {
	return s.cutConversation(ctx, bot, conversation, func(ctx context.Context, said *turns.Store) (int, error) {
		return said.Rewind(ctx, string(bot), conversation, to)
	})
}

func (s *Store) cutConversation(ctx context.Context, bot ID, conversation string, cut func(context.Context, *turns.Store) (int, error)) (int, error) {
	said, err := s.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return 0, err
	}
	before, err := said.TurnsOf(ctx, string(bot), conversation)
	if err != nil {
		return 0, turnError(err)
	}
	n, err := cut(ctx, said)
	if err != nil || n == 0 {
		return n, turnError(err)
	}
	after, err := said.TurnsOf(ctx, string(bot), conversation)
	if err != nil {
		return n, turnError(err)
	}
	gone := slices.DeleteFunc(before, func(id string) bool { return slices.Contains(after, id) })
	ws, err := s.Open(ctx, bot)
	if err == nil {
		err = ws.dropLogLines(ctx, gone)
	}
	if err != nil {
		return n, fmt.Errorf("what was said is gone, its lines in the day logs are not: %w", err)
	}
	return n, nil
}

// dropLogLines takes the lines of turns out of the day logs, as one change.
func (w *Workspace) dropLogLines(ctx context.Context, turns []string) error {
	x, err := w.history(ctx)
	if err != nil {
		return err
	}
	changes, err := x.Logged(ctx, turns)
	if err != nil || len(changes) == 0 {
		return err
	}
	lines := map[string]map[string]int{} // path -> line -> how often
	for _, c := range changes {
		for _, f := range c.Files {
			if err := w.linesOf(f, lines); err != nil {
				return err
			}
		}
	}
	_, err = w.change(ctx, Meta{Author: w.person(), Action: ActLog, Via: ViaAPI}, func(v *view) (draft, error) {
		d := draft{subject: fmt.Sprintf("%d turns were deleted", len(changes))}
		for path, gone := range lines {
			text, ok, err := v.file(path)
			if err != nil || !ok {
				return d, err
			}
			if next := withoutLines(text, gone); len(next) < len(text) {
				d.files = append(d.files, fileText{path: path, text: next, del: len(next) == 0})
			}
		}
		return d, nil
	})
	return err
}

// linesOf counts the lines that a change added to a day log.
func (w *Workspace) linesOf(f side.File, lines map[string]map[string]int) error {
	if kind, err := policy.CheckPath(f.Path); err != nil || kind != policy.Log {
		return nil //nolint:nilerr // another file of the change
	}
	before, after, err := w.bothSides(f)
	if err != nil {
		return err
	}
	if lines[f.Path] == nil {
		lines[f.Path] = map[string]int{}
	}
	for _, p := range markdown.Pairs(before, after) {
		if p.Kind() == markdown.Added {
			lines[f.Path][string(p.After.Raw)]++
		}
	}
	return nil
}

// withoutLines takes units out of a text, each as often as it is named, the last first.
func withoutLines(text []byte, gone map[string]int) []byte {
	f := markdown.Parse("", text)
	for i := len(f.Units()) - 1; i >= 0; i-- {
		raw := string(f.Units()[i].Raw)
		if gone[raw] > 0 {
			gone[raw]--
			f = markdown.Parse("", f.RemoveUnit(i))
		}
	}
	return f.Bytes()
}
