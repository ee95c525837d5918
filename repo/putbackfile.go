package repo

import (
	"context"

	"quipu/policy"
)

// Restore puts a file back as it was at a state, as one new change. ErrNotFound for
// an unknown state, and for a file that was not there then; ErrNoUndo.
func (w *Workspace) Restore(ctx context.Context, m Meta, path, state string) (Receipt, error) {
	return w.RestoreOver(ctx, m, path, state, Expect{Any: true})
}

// RestoreOver is Restore over the text that the caller was shown. ErrStale when it is
// another by now.
func (w *Workspace) RestoreOver(ctx context.Context, m Meta, path, state string, e Expect) (Receipt, error) {
	if _, err := checkPath(path); err != nil && policy.PictureName(path) == "" {
		return Receipt{}, err
	}
	w.finishFirst(ctx)
	h, err := w.state(ctx, state)
	if err != nil {
		return Receipt{}, err
	}
	blob, err := w.git.FileAt(h, path)
	if err != nil {
		return Receipt{}, gitError(err)
	}
	if blob.IsZero() {
		return Receipt{}, wrapf(ErrNotFound, "%s was not there at %s", path, oneLine(state))
	}
	before, err := w.git.Blob(blob)
	if err != nil {
		return Receipt{}, gitError(err)
	}
	m.Action = ActRestore
	return w.change(ctx, m, func(v *view) (draft, error) {
		cur, has, err := v.expected(path, e)
		if err != nil {
			return draft{}, err
		}
		r := reversal{v: v}
		if err := r.restore(path, before, true, cur, has); err != nil {
			return draft{}, err
		}
		d := draft{subject: path + " as of " + oneLine(state), files: r.files}
		return d, v.leaveForgotten(ctx, &d)
	})
}
