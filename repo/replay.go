package repo

import (
	"context"
	"slices"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// noTime is before everything.
var noTime time.Time

// adopt takes over a history from which an erasure elsewhere took something that ours
// still has, and makes the changes that it lacks again on it. Where ours had an erasure of
// its own, what that took out is erased in the new history, too.
func (l *landing) adopt(ctx context.Context, ours, theirs sideOf, both bool) error {
	v, j := l.v, l.j
	if j.o.PushOnly {
		return wrapf(ErrConflict, "something was erased at the remote that is still here; `quipu sync` takes its history over first")
	}
	list, err := l.took(ctx, ours, theirs)
	if err == nil {
		list, err = l.unsaid(list, theirs)
	}
	if err != nil {
		return err
	}
	if both {
		again, err := l.took(ctx, theirs, ours)
		if err == nil {
			err = l.noteAgain(again)
		}
		if err != nil {
			return err
		}
	}
	j.old, j.gone = true, list
	if err := v.w.noteLetting(list); err != nil {
		return err
	}
	j.out.Pulled += len(l.rel.Theirs)
	l.note("something was erased elsewhere: the remote's history took the place of this one")
	if _, err := v.tx.Land(git.Landing{With: j.theirs, Message: "sync: a history without what was erased"}); err != nil {
		return gitError(err)
	}
	return l.replay(ctx, ours, theirs.covers(ours))
}

// noteAgain notes, before it happens, what is to be erased in a history that is taken
// over: an erasure that is finished whatever happens.
func (l *landing) noteAgain(list []*policy.Erasure) error {
	j := l.j
	for _, x := range list {
		id, err := l.v.w.store.change(l.v.at)
		if err != nil {
			return err
		}
		m := j.m
		m.Author = Author{Kind: Sync}
		if err := l.v.w.keepErasing(m, id, x); err != nil {
			return err
		}
		j.erasures = append(j.erasures, &erasure{w: l.v.w, m: m, id: id, x: x})
	}
	return nil
}

// replay makes changes of a side again, each with its own author, time and id, on top of
// Head: those that neither an erasure dropped nor Head has.
func (l *landing) replay(ctx context.Context, s sideOf, known map[string]bool) error {
	for _, h := range slices.Backward(s.list) {
		c := s.commit[h]
		if l.j.dropped[h] || len(c.Parents) != 1 || known[idOf(c.Message, h)] {
			continue // what a merge joined is replayed change by change
		}
		if err := l.replayOne(ctx, h, c); err != nil {
			return err
		}
	}
	var err error
	l.j.out.Conflicts, err = l.v.conflicts()
	return err
}

func (l *landing) replayOne(ctx context.Context, h git.Hash, c *git.Commit) error {
	v := l.v
	m, err := l.joined(ctx, c.Parents[:1], v.tx.Head(), h)
	if err != nil {
		return err
	}
	delete(m.differ, policy.EpochFile)
	files := l.files(m.ours, m.merged, m.differ)
	beside := l.changedBeside(m.bases, m.ours, m.theirs)
	if len(files)+len(beside) == 0 {
		return nil
	}
	l.j.out.Replayed++
	_, err = v.tx.Commit(git.NewCommit{Author: c.Author, Files: files, Other: beside, Message: l.messageOf(ctx, c.Message, h)})
	return gitError(err)
}

// messageOf is a message without what was forgotten; a commit that had no id is given
// its old name as one.
func (l *landing) messageOf(ctx context.Context, text string, h git.Hash) string {
	if gone, err := l.gone(ctx); err == nil && gone != nil && gone(text) {
		subject, rest, _ := strings.Cut(text, "\n")
		action, _, _ := strings.Cut(subject, ": ")
		var kept []string
		for line := range strings.SplitSeq(rest, "\n") {
			if !gone(line) {
				kept = append(kept, line)
			}
		}
		text = action + ": " + policy.ErasedSubject + "\n" + strings.Join(kept, "\n")
	}
	return policy.EraseFacts(nil).Message(policy.CommitText{Text: text, Old: h.String()})
}

// idOf is the id of a change: its trailer, or the commit's name.
func idOf(text string, h git.Hash) string {
	if id := trailerOf(text, keyChange); id != "" {
		return id
	}
	return h.String()
}

// trailerOf is the value of the first trailer of a key; "" when there is none.
func trailerOf(text, key string) string {
	_, rest, ok := strings.Cut("\n"+text, "\n"+key+": ")
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(value)
}
