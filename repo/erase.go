package repo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
	"quipu/repo/turns"
)

// Erasing says what is taken out of everything that was ever kept.
type Erasing struct {
	Words   []string // each one phrase of whole words; a note must mention all of them
	Change  string   // or: the entries that this change brought in, whatever became of them
	Confirm bool     // more than the guard allows, and words that carry no subject
	// Progress, which may be nil, is told how many commits are done.
	Progress func(done, total int)
}

// Erased says what an erasure did, and what it could not reach.
type Erased struct {
	Receipt
	Notes   int `json:"notes"`   // that were taken out of the files as they are
	Commits int `json:"commits"` // of the history that were looked at
	Changed int `json:"changed"` // that have another name now
	Copies  int `json:"copies"`  // texts and messages that held it
	Objects int `json:"objects"` // of the history as it is now, each read back and scanned
	Said    int `json:"said"`    // messages of conversations
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

// Erase takes a fact out of the notes, out of every commit of their history and out of
// what was said in the bot's conversations, and says what it verified. There is no
// undo; every other change keeps its id and can be undone. What was erased by its words
// is not learned again until the person asks for it. An erasure that is cut short when
// the new history stands is finished by the next write or start; before that the old
// one stays, and it is to be asked for again. ErrRefused, ErrNotFound, ErrState, ErrBusy.
func (w *Workspace) Erase(ctx context.Context, m Meta, e Erasing) (Erased, error) {
	phrases, x, err := w.erasure(ctx, m, e)
	if err != nil {
		return Erased{}, err
	}
	return w.erase(ctx, m, x, phrases, e.Progress)
}

// erase takes it out of the files, the history and what was said; phrases, when there
// are any, go on the list of what no bot learns again.
func (w *Workspace) erase(ctx context.Context, m Meta, x *policy.Erasure, phrases []policy.Phrase, progress func(done, total int)) (Erased, error) {
	var out Erased
	if err := w.git.CanRewrite(); err != nil {
		return out, gitError(err)
	}
	m.Source, m.Quote = "", ""
	if m.DryRun {
		return w.wouldErase(ctx, m, x, phrases)
	}
	if err := w.markErasing(true); err != nil {
		return out, err
	}
	did, notes, err := w.takeOut(ctx, m, x, phrases, progress)
	if out.Notes = notes; err != nil {
		return out, err
	}
	out.Commits, out.Changed, out.Copies, out.Objects = did.Commits, did.Changed, did.Copies, did.Objects
	if out.Said, err = w.eraseSaid(ctx, x); err != nil {
		return out, fmt.Errorf("it is out of the notes and their history, but not out of what was said: %w", err)
	}
	if err := w.markErasing(false); err != nil {
		return out, err
	}
	if out.Notes+out.Copies+out.Said > 0 {
		out.Receipt, err = w.tombstone(ctx, m, out)
	}
	out.Receipt.Notes = append(out.Receipt.Notes, did.Notes...)
	out.Unreached = unreached
	return out, err
}

// takeOut takes it out of the files and then out of the history.
func (w *Workspace) takeOut(ctx context.Context, m Meta, x *policy.Erasure, phrases []policy.Phrase, progress func(done, total int)) (did git.Rewritten, notes int, err error) {
	for try := 1; ; try++ {
		id, err := w.store.change(w.now())
		if err != nil {
			return did, notes, err
		}
		n, err := w.eraseHere(ctx, m, id, x, phrases)
		if notes += n; err != nil {
			if try == 1 { // nothing was written
				err = errors.Join(err, w.markErasing(false))
			}
			return did, notes, err
		}
		if did, err = w.rewrite(ctx, x, id, progress); err == nil {
			return did, notes, nil
		}
		if !errors.Is(gitError(err), ErrBusy) || try == eraseTries || ctx.Err() != nil {
			return did, notes, fmt.Errorf("it is out of the notes, but not yet out of their history; erase it again: %w", gitError(err))
		}
		time.Sleep(eraseRetry)
		phrases = nil // they are on the list
	}
}

// add counts what was erased elsewhere by the same wish.
func (e *Erased) add(also Erased) {
	notes := append(e.Receipt.Notes, also.Receipt.Notes...) //nolint:gocritic // one list of both
	if e.Change == "" {
		e.Receipt = also.Receipt
	}
	e.Receipt.Notes = notes
	e.Notes += also.Notes
	e.Commits += also.Commits
	e.Changed += also.Changed
	e.Copies += also.Copies
	e.Objects += also.Objects
	e.Said += also.Said
	e.Unreached = also.Unreached
}

// erasure is what is to be erased. What the guard refuses is refused here.
func (w *Workspace) erasure(ctx context.Context, m Meta, e Erasing) ([]policy.Phrase, *policy.Erasure, error) {
	switch {
	case len(e.Words) > 0 && e.Change != "", len(e.Words) == 0 && e.Change == "":
		return nil, nil, wrapf(ErrInvalid, "say what to erase: words, or a change")
	case e.Change != "":
		facts, err := w.broughtIn(ctx, e.Change)
		return nil, policy.EraseFacts(facts), err
	}
	phrases, err := policy.ParsePhrases(e.Words)
	if err != nil && (!e.Confirm || len(phrases) == 0) {
		return nil, nil, refused(err)
	}
	if !e.Confirm && !m.DryRun {
		if err := guard(ctx, m, phrases, w); err != nil {
			return nil, nil, err
		}
	}
	x, err := w.erasureOf(phrases)
	return phrases, x, err
}

// erasureOf is what phrases erase here.
func (w *Workspace) erasureOf(phrases []policy.Phrase) (*policy.Erasure, error) {
	head, err := w.git.Position()
	if err != nil {
		return nil, gitError(err)
	}
	files, err := w.git.BlobsAt(head)
	if err != nil {
		return nil, gitError(err)
	}
	return policy.EraseWords(phrases, func(path string) bool { _, is := files[path]; return is }), nil
}

// broughtIn are the facts of the entries that a change added or reworded.
func (w *Workspace) broughtIn(ctx context.Context, id string) ([]string, error) {
	x, err := w.history(ctx)
	if err != nil {
		return nil, err
	}
	c, _, err := w.find(ctx, x, id)
	if err != nil {
		return nil, err
	}
	var facts []string
	for _, f := range c.Files {
		before, after, err := w.bothSides(f)
		if err != nil {
			return nil, err
		}
		for _, p := range markdown.Pairs(before, after) {
			if p.After != nil && p.After.Entry != nil {
				facts = append(facts, p.After.Entry.Text)
			}
		}
	}
	if len(facts) == 0 {
		return nil, wrapf(ErrRefused, "that change brought in no entry; erase by words instead")
	}
	return facts, nil
}

// eraseHere takes it out of the files as they are, as one change, and lists the words.
func (w *Workspace) eraseHere(ctx context.Context, m Meta, id ChangeID, x *policy.Erasure, phrases []policy.Phrase) (int, error) {
	notes := 0
	m.Action = ActForget
	_, err := w.change(ctx, m, func(v *view) (draft, error) {
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
			if f.Path == policy.LedgerFile || !tracked(f.Path) {
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
		d.subject = countedNotes(notes)
		if len(phrases) > 0 {
			_, ledger, err := v.listNever(phrases, id, m.Author)
			if err != nil {
				return d, err
			}
			if ledger != nil {
				d.files = append(d.files, fileText{path: policy.LedgerFile, text: ledger})
			}
		}
		return d, nil
	})
	return notes, err
}

// rewrite takes it out of the history, and lets go of all that was derived from it.
func (w *Workspace) rewrite(ctx context.Context, x *policy.Erasure, id ChangeID, progress func(done, total int)) (git.Rewritten, error) {
	did, err := w.git.Rewrite(ctx, git.Rewriting{
		ID: string(id),
		Text: func(path string, text []byte) ([]byte, bool) {
			if path == policy.LedgerFile {
				return text, false
			}
			after, copies := x.File(path, text)
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
		Found:    x.Found,
		Progress: progress,
	})
	if err != nil {
		return did, err
	}
	return did, errors.Join(w.letDerivedGo(), w.forgetJudged()) //nolint:contextcheck // it goes, whether or not the caller still waits
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

// tombstone says in the history that something was erased, in counts.
func (w *Workspace) tombstone(ctx context.Context, m Meta, did Erased) (Receipt, error) {
	m.Action = ActErase
	return w.change(ctx, m, func(*view) (draft, error) {
		return draft{subject: fmt.Sprintf("%d copies in %d commits", did.Copies+did.Notes, did.Changed), always: true}, nil
	})
}
