package repo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
	"quipu/repo/turns"
)

// Erasing says what is taken out of everything that was ever kept.
type Erasing struct {
	Words   []string // each one phrase of whole words; a note must mention all of them
	Entry   string   // or: one note of the files as they are, by PATH:LINE or unique text
	Fact    string   // of Entry, "" for any: what that note must state, else ErrConflict
	Change  string   // or: the entries that this change brought in, whatever became of them
	Confirm bool     // more than the guard allows, and words that carry no subject
	// Wait is how long the answer may wait for the history; what takes longer is
	// finished in the background, and the answer says so. 0 waits to the end.
	Wait time.Duration
	// Progress, which may be nil, is told how many commits are done.
	Progress func(done, total int)
}

// Erased says what an erasure did, and what it could not reach.
type Erased struct {
	Receipt
	Pending bool `json:"pending,omitempty"` // it is out of the files; history and what was said follow
	Listed  bool `json:"listed"`            // the words are on the list of what no bot learns again
	Notes   int  `json:"notes"`             // that were taken out of the files as they are
	Commits int  `json:"commits"`           // of the history that were looked at
	Changed int  `json:"changed"`           // that have another name now
	Copies  int  `json:"copies"`            // texts and messages that held it
	Objects int  `json:"objects"`           // of the history as it is now, each read back and scanned
	Said    int  `json:"said"`              // messages of conversations
	Epoch   int  `json:"epoch,omitempty"`   // of the history, when it was replaced
	// Unreached says where copies may still be, a sentence each.
	Unreached []string `json:"unreached"`
}

// A person's edit that comes in between is taken in, and the history is tried again.
const (
	eraseTries = 5
	eraseRetry = 200 * time.Millisecond
)

// unreached is what no program here can reach.
var unreached = []string{
	"other clones of this history, backups, and your editor's own trash",
	"what a model's provider was sent",
	"a credential that was in it must be changed all the same",
}

// unreached says where copies may still be.
func (w *Workspace) unreached() []string { return append(slices.Clone(unreached), w.atRemote()...) }

// atRemote names the remote while it does not have an erasure yet.
func (w *Workspace) atRemote() []string {
	r, ok, err := w.Remote()
	if err != nil || !ok || w.SyncState().Tried.IsZero() {
		return nil
	}
	return []string{"the remote " + r.URL + ", until the next `quipu sync`"}
}

// Erase takes a fact out of the notes, out of every commit of their history and out of
// what was said in the bot's conversations, and says what it verified. There is no
// undo; every other change keeps its id and can be undone. What was erased by its words
// is not learned again until the person asks for it. An erasure that is cut short is
// finished by the next write or start. ErrInvalid, ErrConflict, ErrRefused, ErrNotFound,
// ErrState, ErrBusy.
func (w *Workspace) Erase(ctx context.Context, m Meta, e Erasing) (Erased, error) {
	if !m.DryRun {
		w.finishFirst(ctx)
	}
	phrases, x, err := w.toErase(ctx, m, e)
	if err != nil {
		return Erased{}, err
	}
	if err := w.git.CanRewrite(); err != nil {
		return Erased{}, gitError(err)
	}
	m.Source, m.Quote = "", ""
	if m.DryRun {
		return w.wouldErase(ctx, m, x, phrases)
	}
	id, err := w.store.change(w.now())
	if err != nil {
		return Erased{}, err
	}
	if err := w.keepErasing(m, id, x); err != nil {
		return Erased{}, err
	}
	j := &erasure{w: w, m: m, id: id, x: x, phrases: phrases, progress: e.Progress}
	if err := j.here(ctx); err != nil { // nothing was written
		return j.out, errors.Join(err, w.dropErasing(id))
	}
	now := j.out
	done, err := w.store.background(ctx, e.Wait, func(ctx context.Context) error { return j.alone(ctx) })
	out := now
	if done {
		out = j.out // the background's no more
	} else {
		out.Pending, out.Unreached = true, w.unreached()
	}
	return out.beyond(w.store.elsewhere(ctx, m, phrases, w)), err
}

// erasure is one on its way through a workspace.
type erasure struct {
	w        *Workspace
	m        Meta
	id       ChangeID // names it: the change that takes it out of the files
	again    ChangeID // of what is left in the files; "" when nothing is
	x        *policy.Erasure
	phrases  []policy.Phrase // to be listed; nil when they are, or when it is not by words
	progress func(done, total int)
	retain   bool // it is no erasure, but old history that is let go
	out      Erased
	took     erasedFrom
}

// here takes it out of the files as they are.
func (j *erasure) here(ctx context.Context) error {
	n, listed, err := j.w.eraseHere(ctx, j.m, j.id, j.x, j.phrases)
	j.out.Notes += n
	if err != nil {
		return err
	}
	j.out.Listed = j.out.Listed || listed
	j.phrases = nil
	return nil
}

// alone waits for its turn, and takes it out of all else. Where a forget went before,
// what that leaves in the files - headings, day logs - goes by a change of its own.
func (j *erasure) alone(ctx context.Context) error {
	turn := j.w.eraseTurn()
	if _, err := turn.TryLockContext(ctx, eraseRetry); err != nil {
		return fmt.Errorf("it is out of the notes, but not yet out of their history: %w", err)
	}
	defer turn.Unlock() //nolint:errcheck // closing it lets go, too
	if j.again != "" {
		var err error
		if j.out.Notes, _, err = j.w.eraseHere(ctx, j.m, j.again, j.x, nil); err != nil {
			return err
		}
	}
	return j.everywhere(ctx)
}

// everywhere takes it out of what was said and out of the history, in this order: what
// the history holds is what a crash leaves to go on with.
func (j *erasure) everywhere(ctx context.Context) error {
	n, err := j.w.eraseSaid(ctx, j.x)
	if j.out.Said += n; err != nil {
		return fmt.Errorf("it is out of the notes, but not out of what was said and out of the history: %w", err)
	}
	did, err := j.history(ctx)
	j.out.Commits, j.out.Changed, j.out.Copies, j.out.Objects = did.Commits, did.Changed, did.Copies, did.Objects
	if err != nil {
		return err
	}
	err = j.settle(ctx, did.New)
	j.out.Receipt.Notes = append(j.out.Receipt.Notes, did.Notes...)
	j.out.Unreached = j.w.unreached()
	return err
}

// history takes it out of the history. An edit that comes in between is taken in, and
// it is tried again.
func (j *erasure) history(ctx context.Context) (git.Rewritten, error) {
	for try := 1; ; try++ {
		did, err := j.rewrite(ctx)
		if err == nil {
			return did, nil
		}
		if !errors.Is(gitError(err), ErrBusy) || try == eraseTries || ctx.Err() != nil {
			return did, fmt.Errorf("it is out of the notes, but not yet out of their history, which the next write tries again: %w", gitError(err))
		}
		time.Sleep(eraseRetry)
		id, err := j.w.store.change(j.w.now())
		if err != nil {
			return did, err
		}
		n, _, err := j.w.eraseHere(ctx, j.m, id, j.x, nil)
		if j.out.Notes += n; err != nil {
			return did, err
		}
	}
}

// settle says in the history that it was replaced, and ends the erasure.
func (j *erasure) settle(ctx context.Context, change map[git.Hash]git.Hash) error {
	if err := j.w.keepErased(ctx, j.id, change); err != nil {
		return err
	}
	if j.out.Notes+j.out.Copies+j.out.Said+len(change) > 0 {
		if err := j.tombstone(ctx, len(change) > 0); err != nil {
			return err
		}
	}
	return j.w.dropErasing(j.id)
}

// eraseHere takes it out of the files as they are, as one change, and lists the words.
func (w *Workspace) eraseHere(ctx context.Context, m Meta, id ChangeID, x *policy.Erasure, phrases []policy.Phrase) (notes int, listed bool, err error) {
	m.Action = ActForget
	gone, err := w.picturesGone(ctx, x)
	if err != nil {
		return 0, false, err
	}
	_, err = w.change(ctx, m, func(v *view) (draft, error) {
		notes = 0 // it may be asked again
		if err := v.takeIn(); err != nil {
			return draft{}, err
		}
		for path, why := range v.refused {
			return draft{}, wrapf(ErrState, "%s: %s", path, why)
		}
		d := draft{id: id}
		files, err := v.tx.Files()
		if err != nil {
			return d, err
		}
		for _, f := range files {
			if gone.paths[f.Path] {
				d.files = append(d.files, fileText{path: f.Path, del: true})
			}
			if policy.OpaqueFile(f.Path) || !tracked(f.Path) {
				continue
			}
			text, _, err := v.tx.File(f.Path)
			if err != nil {
				return d, err
			}
			after, copies := x.File(f.Path, text)
			notes += copies
			to := x.Path(f.Path)
			if to != f.Path {
				d.files = append(d.files, fileText{path: f.Path, del: true}, fileText{path: to, text: after})
			} else if copies > 0 {
				d.files = append(d.files, fileText{path: f.Path, text: after})
			}
		}
		d.subject = countOf(notes, "note")
		listed, err = v.eraseLedger(&d, m, x, phrases)
		return d, err
	})
	return notes, listed, err
}

// eraseLedger takes what tells it out of the ledger, and lists the phrases.
func (v *view) eraseLedger(d *draft, m Meta, x *policy.Erasure, phrases []policy.Phrase) (listed bool, err error) {
	l, err := v.ledger()
	if err != nil {
		return false, err
	}
	var events []policy.Event
	if len(phrases) > 0 {
		if events, err = v.listNever(phrases, d.id, m.Author); err != nil {
			return false, err
		}
	}
	if text, changed := l.Without(x, events...); changed {
		d.files = append(d.files, fileText{path: policy.LedgerFile, text: text})
	}
	return len(events) > 0, nil
}

// rewrite takes it out of the history, and lets go of all that was derived from it.
func (j *erasure) rewrite(ctx context.Context) (git.Rewritten, error) {
	w, x := j.w, j.x
	gone, err := w.picturesGone(ctx, x)
	if err != nil {
		return git.Rewritten{}, err
	}
	what := gone.without(x)
	what.ID, what.Progress = string(j.id), j.progress
	text := what.Text
	what.Text = func(path string, raw []byte) ([]byte, bool) {
		after, changed := text(path, raw)
		if changed {
			if to := what.Path(path); to != "" { // the name of a picture tells who it shows
				j.took.note(to)
			}
		}
		return after, changed
	}
	did, err := w.git.Rewrite(ctx, what)
	if err != nil {
		return did, err
	}
	return did, errors.Join(w.letDerivedGo(), w.forgetJudged()) //nolint:contextcheck // it goes, whether or not the caller still waits
}

// without is the rewriting that takes something out of a history.
func without(x *policy.Erasure) git.Rewriting {
	return git.Rewriting{
		Text: func(path string, text []byte) ([]byte, bool) {
			if policy.OwnFile(path) && path != policy.LedgerFile {
				return text, false
			}
			erase := x.File
			if path == policy.LedgerFile {
				erase = func(_ string, text []byte) ([]byte, int) { return x.Ledger(text) }
			}
			after, copies := erase(path, text)
			return after, copies > 0
		},
		Path: x.Path,
		Message: func(m git.Message) string {
			c := policy.CommitText{Text: m.Text, Emptied: m.Emptied, Tag: m.Tag}
			if m.Moved {
				c.Old = m.Commit.String()
			}
			return x.Message(c)
		},
		Found: x.Found,
	}
}

// letDerivedGo takes away what was made from the history: it is made again at the next
// question.
func (w *Workspace) letDerivedGo() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	if w.index != nil {
		errs = append(errs, w.index.Close())
		w.index = nil
	}
	w.behind = 0
	errs = append(errs, side.Remove(w.git.Own()))
	w.finder.mu.Lock()
	w.finder.x, w.finder.blobs = nil, nil
	w.finder.mu.Unlock()
	w.knownMu.Lock()
	w.known = nil
	w.knownMu.Unlock()
	return errors.Join(errs...)
}

// forgetJudged lets upkeep forget what it judged: it names notes by their hashes.
func (w *Workspace) forgetJudged() error {
	if end, err := w.Pass(); err == nil {
		defer end()
	}
	state := w.Upkeep()
	state.Judged, state.Checked = nil, nil
	return w.KeepUpkeep(state)
}

// eraseSaid takes it out of what was said in the bot's conversations.
func (w *Workspace) eraseSaid(ctx context.Context, x *policy.Erasure) (int, error) {
	said, err := w.store.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said == nil {
		return 0, err
	}
	n, err := said.Erase(ctx, string(w.id), unsaying(x))
	return n, turnError(err)
}

func unsaying(x *policy.Erasure) turns.Erasing {
	return turns.Erasing{
		Tells: func(text string) bool { _, copies := x.File("", []byte(text)); return copies > 0 },
		Mask:  x.Mask,
	}
}
