package repo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quipu/markdown"
	"quipu/policy"
)

// Forgetting says what is to be forgotten.
type Forgetting struct {
	Words   []string // each one phrase of whole words; a note must mention all of them
	Confirm bool     // take out more than the guard allows, and words that carry no subject
	About   bool     // About me, too: the person asked, in their own chat
	Person  string   // whose About me; "" is the owner's
	// Erase takes it out of the history, too, and out of what was said: no undo then.
	// Wait and Progress are those of Erasing.
	Erase    bool
	Wait     time.Duration
	Progress func(done, total int)
}

// Forgotten is what a forget took out.
type Forgotten struct {
	Receipt
	Notes  int              `json:"removed"` // in this workspace
	About  int              `json:"about"`   // in About me
	Taken  []policy.Removal `json:"-"`
	Left   []string         `json:"-"` // PATH:LINE of headings and headers where the words stay
	Listed bool             `json:"listed"`
	Erased *Erased          `json:"erased,omitempty"` // nil when the history is as it was
}

// Forget takes every note that mentions the words out of MEMORY.md, the topics and
// the archive and, where asked, out of About me, and keeps the words, as keyed
// hashes, so that no bot learns them again. Commit messages say how many notes went
// and never which. The history still holds them, and undo brings them back, unless
// it is erased as well. ErrRefused when the guard wants a confirmation, or the words
// carry no subject.
func (w *Workspace) Forget(ctx context.Context, m Meta, f Forgetting) (Forgotten, error) {
	phrases, err := policy.ParsePhrases(f.Words)
	if err != nil && (!f.Confirm || len(phrases) == 0) {
		return Forgotten{}, refused(err)
	}
	m.Action, m.Source, m.Quote = ActForget, "", ""
	me, err := w.alsoIn(ctx, m, f, phrases)
	if err != nil {
		return Forgotten{}, err
	}
	id, err := w.store.change(w.now())
	if err != nil {
		return Forgotten{}, err
	}
	if !f.Erase || m.DryRun {
		return w.forgetIn(ctx, m, id, phrases, me)
	}
	jobs, err := erasuresOf(m, id, phrases, f.Progress, w, me)
	if err != nil {
		return Forgotten{}, err
	}
	out, err := w.forgetIn(ctx, m, id, phrases, me)
	if err != nil && out.Change == "" { // nothing was written
		return out, errors.Join(err, dropErasures(jobs))
	}
	if err != nil {
		return out, err
	}
	out.Left = nil // headings, too
	erased, err := w.store.eraseAll(ctx, f.Wait, jobs)
	erased = erased.beyond(w.store.elsewhere(ctx, m, phrases, w, me))
	out.Erased = &erased
	return out, err
}

// erasuresOf notes, before anything is written, that phrases are to be erased in some
// workspaces, of which any may be nil.
func erasuresOf(m Meta, id ChangeID, phrases []policy.Phrase, progress func(done, total int), spaces ...*Workspace) ([]*erasure, error) {
	var jobs []*erasure
	for _, w := range spaces {
		if w == nil {
			continue
		}
		j := &erasure{w: w, m: m, id: id, x: policy.EraseWords(phrases, w.taken()), progress: progress}
		if err := w.keepErasing(m, id, j.x); err != nil {
			return nil, errors.Join(err, dropErasures(jobs))
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

func dropErasures(jobs []*erasure) error {
	var errs []error
	for _, j := range jobs {
		errs = append(errs, j.w.dropErasing(j.id))
	}
	return errors.Join(errs...)
}

// eraseAll takes what the notes no longer have out of all else; what takes longer than
// wait goes on in the background, and the answer is nothing but that.
func (s *Store) eraseAll(ctx context.Context, wait time.Duration, jobs []*erasure) (Erased, error) {
	var out Erased
	done, err := s.background(ctx, wait, func(ctx context.Context) error {
		for _, j := range jobs {
			var err error
			if j.again, err = s.change(j.w.now()); err != nil {
				return err
			}
			if err := j.alone(ctx); err != nil {
				return err
			}
			out.add(j.out)
		}
		return nil
	})
	if !done {
		out := Erased{Pending: true} // the other one may still be written to
		for _, j := range jobs {
			out.tell(j.w.unreached())
		}
		return out, nil
	}
	return out, err
}

// alsoIn gives the About me that a forget covers, nil for none. What the guard refuses,
// and what would stop an erasure, is refused here, before either is touched.
func (w *Workspace) alsoIn(ctx context.Context, m Meta, f Forgetting, phrases []policy.Phrase) (*Workspace, error) {
	me, err := w.store.aboutFor(ctx, f, false)
	if err != nil {
		return nil, err
	}
	if !f.Confirm && !m.DryRun {
		if err := guard(ctx, m, phrases, w, me); err != nil {
			return nil, err
		}
	}
	if f.Erase {
		if err := canErase(w, me); err != nil {
			return nil, err
		}
	}
	if m.DryRun {
		return me, nil
	}
	return w.store.aboutFor(ctx, f, true)
}

// canErase says, before anything is forgotten, whether the histories can be rewritten.
func canErase(spaces ...*Workspace) error {
	for _, w := range spaces {
		if w == nil {
			continue
		}
		if err := w.git.CanRewrite(); err != nil {
			return gitError(err)
		}
	}
	return nil
}

// forgetIn takes it out of the notes of w and of About me, which may be nil.
func (w *Workspace) forgetIn(ctx context.Context, m Meta, id ChangeID, phrases []policy.Phrase, me *Workspace) (Forgotten, error) {
	out, events, err := w.forgetHere(ctx, m, id, phrases, nil)
	if err != nil || me == nil {
		return out, err
	}
	about, _, err := me.forgetHere(ctx, m, id, phrases, events)
	if err != nil {
		return out, fmt.Errorf("forgotten here, but not yet in About me: %w", err)
	}
	out.About = about.Notes
	out.Taken = append(out.Taken, about.Taken...)
	out.Left = append(out.Left, about.Left...)
	return out, nil
}

// aboutFor gives the About me that a forget covers, nil for none; made says that it
// is to be written, and so made when it is not there.
func (s *Store) aboutFor(ctx context.Context, f Forgetting, made bool) (*Workspace, error) {
	if !f.About {
		return nil, nil
	}
	if made {
		return s.MakeMe(ctx, f.Person)
	}
	me, err := s.Me(ctx, f.Person)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return me, err
}

// guard refuses a forget that would take out more, of all workspaces together, than
// a person may mean without being asked.
func guard(ctx context.Context, m Meta, phrases []policy.Phrase, spaces ...*Workspace) error {
	m.DryRun = true
	all := policy.ForgetPlan{}
	for _, w := range spaces {
		if w == nil {
			continue
		}
		plan, err := w.planForget(ctx, m, phrases)
		if err != nil {
			return err
		}
		all.Removed = append(all.Removed, plan.Removed...)
		all.Live += plan.Live
	}
	return refused(all.Guard())
}

func (w *Workspace) planForget(ctx context.Context, m Meta, phrases []policy.Phrase) (policy.ForgetPlan, error) {
	var plan policy.ForgetPlan
	_, err := w.change(ctx, m, func(v *view) (draft, error) {
		files, err := v.living()
		if err == nil {
			plan = policy.Forget(files, phrases, markdown.DateOf(v.at))
		}
		return draft{}, err
	})
	return plan, err
}

// forgetHere forgets in one workspace. listed are the ledger events of the first
// workspace of a forget, which the second takes over.
func (w *Workspace) forgetHere(ctx context.Context, m Meta, id ChangeID, phrases []policy.Phrase, listed []policy.Event) (Forgotten, []policy.Event, error) {
	var out Forgotten
	events := listed
	r, err := w.change(ctx, m, func(v *view) (draft, error) {
		files, err := v.living()
		if err != nil {
			return draft{}, err
		}
		plan := policy.Forget(files, phrases, markdown.DateOf(v.at))
		out.Taken, out.Left, out.Notes = plan.Removed, plan.Left, len(plan.Removed)
		d := draft{id: id, subject: countOf(out.Notes, "note")}
		for _, e := range plan.Edits {
			d.files = append(d.files, fileText{path: e.Path, text: e.Text})
		}
		if events == nil {
			events, err = v.listNever(phrases, id, m.Author)
		}
		if err != nil {
			return d, err
		}
		l, err := v.ledger()
		if text, changed := l.Without(policy.EraseWords(phrases, nil), events...); err == nil && changed {
			out.Listed = len(events) > 0
			d.files = append(d.files, fileText{path: policy.LedgerFile, text: text})
		}
		return d, err
	})
	out.Receipt = r
	return out, events, err
}

// living are the texts that a forget looks through: all but the day logs.
func (v *view) living() (map[string][]byte, error) {
	if err := v.takeIn(); err != nil {
		return nil, err
	}
	files, err := v.tx.Files()
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, f := range files {
		kind, err := policy.CheckPath(f.Path)
		if err != nil || kind == policy.Log {
			continue
		}
		text, ok, err := v.file(f.Path)
		if err != nil {
			return nil, err
		}
		if ok {
			out[f.Path] = text
		}
	}
	return out, nil
}

// FinishForgets takes over into About me what a forget that was cut short between
// the two workspaces left undone there. It can be called at any time.
func (w *Workspace) FinishForgets(ctx context.Context) error {
	mine, err := w.ledgerNow()
	if err != nil || mine.Never().Len() == 0 {
		return err
	}
	me, err := w.store.Me(ctx, "")
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return me.takeOverNever(ctx, mine)
}
