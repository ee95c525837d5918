package repo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
)

// Retained says what became of the history that was older than a number of days.
type Retained struct {
	Receipt
	Before    time.Time `json:"before"`  // what is older went
	Dropped   int       `json:"dropped"` // commits; with DryRun those of the main line that would go
	Changed   int       `json:"changed"` // that have another name now
	Epoch     int       `json:"epoch,omitempty"`
	Unreached []string  `json:"unreached"`
}

// retainSlack is how much older than its window history may grow before the nightly
// upkeep cuts it again: each cut gives every commit a new name.
const retainSlack = 7

// Retain makes the history that is older than a number of days one commit with the
// notes as they were then: what was changed before it, by whom and when is gone for
// good, and so are older versions of the notes. Every later change keeps its id and can
// be undone. It counts as an erasure and raises the epoch. ErrInvalid, ErrState, ErrBusy.
func (w *Workspace) Retain(ctx context.Context, m Meta, days int, progress func(done, total int)) (Retained, error) {
	if days < 1 {
		return Retained{}, wrapf(ErrInvalid, "history is kept for a number of days, 1 at least")
	}
	if !m.DryRun {
		w.finishFirst(ctx)
	}
	out := Retained{Before: w.now().AddDate(0, 0, -days).Truncate(time.Second), Unreached: []string{}}
	older, err := w.git.CommitsBefore(ctx, out.Before, math.MaxInt)
	if err = gitError(err); err != nil || m.DryRun || older == 0 {
		out.DryRun, out.Dropped = m.DryRun, older
		return out, err
	}
	if err := w.git.CanRewrite(); err != nil {
		return out, gitError(err)
	}
	turn := w.eraseTurn()
	if _, err := turn.TryLockContext(ctx, eraseRetry); err != nil {
		return out, err
	}
	defer turn.Unlock() //nolint:errcheck // closing it lets go, too
	id, err := w.store.change(w.now())
	if err != nil {
		return out, err
	}
	j := &erasure{w: w, m: m, id: id, x: policy.EraseFacts(nil), progress: progress, retain: true}
	if err := w.noteErasing(erasing{ID: id, By: m.Author.String(), Via: m.Via, Retain: true}); err != nil {
		return out, err
	}
	did, err := w.git.Rewrite(ctx, j.cut(out.Before))
	if err != nil {
		return out, errors.Join(gitError(err), w.dropErasing(id))
	}
	out.Dropped, out.Changed, out.Unreached = did.Dropped, did.Changed, slices.Concat(unreached[:1], w.atRemote())
	err = errors.Join(w.letDerivedGo(), w.forgetJudged(), j.settle(ctx, did.New)) //nolint:contextcheck // it goes, whether or not the caller still waits
	out.Receipt, out.Epoch = j.out.Receipt, j.out.Epoch
	out.Notes = append(out.Notes, did.Notes...)
	return out, err
}

// RetainDue says whether history is so much older than a window that it is to be cut.
func (w *Workspace) RetainDue(ctx context.Context, days int) (bool, error) {
	if days < 1 {
		return false, nil
	}
	n, err := w.git.CommitsBefore(ctx, w.now().AddDate(0, 0, -days-retainSlack), 1)
	return n > 0, gitError(err)
}

// cut is the rewriting that cuts off what was committed before a time.
func (j *erasure) cut(before time.Time) git.Rewriting {
	return git.Rewriting{
		ID:   string(j.id),
		Text: func(_ string, text []byte) ([]byte, bool) { return text, false },
		Path: func(path string) string { return path },
		Message: func(m git.Message) string {
			c := policy.CommitText{Text: m.Text, Tag: m.Tag}
			if m.Moved {
				c.Old = m.Commit.String()
			}
			if text := j.x.Message(c); !m.Base || m.Tag {
				return text
			}
			return baseMessage(m)
		},
		Found:    func([]byte) bool { return false },
		Old:      func(at time.Time) bool { return at.Before(before) },
		Progress: j.progress,
	}
}

// retainedSubject is what the change is about that says so.
const retainedSubject = "history older than the retention window"

// baseSubject is what the commit is about with which a history begins that was cut off.
const baseSubject = "what was known when older history was let go"

// baseMessage is that of such a commit: always the same, so that a base stays what it is.
func baseMessage(m git.Message) string {
	id := m.Commit.String()
	if _, rest, ok := strings.Cut("\n"+m.Text, "\n"+keyChange+": "); ok {
		id, _, _ = strings.Cut(rest, "\n")
	}
	return message(ActInit, baseSubject, []trailer{{keyAuthor, string(Upkeep)}, {keyAction, string(ActInit)}, {keyVia, string(ViaTidy)}, {keyChange, id}})
}

// isBase says whether a change is the beginning of a history that was cut off.
func isBase(c side.Change) bool {
	return c.Action == string(ActInit) && c.Subject == fitColumns(fmt.Sprintf("%s: %s", ActInit, baseSubject), subjectColumns)
}
