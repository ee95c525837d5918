package repo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// noTime is before everything.
var noTime time.Time

// adopt takes over a history from which an erasure elsewhere took something that ours
// still has, and makes the changes that it lacks again on it.
func (l *landing) adopt(ctx context.Context) error {
	v, j := l.v, l.j
	own := slices.DeleteFunc(slices.Clone(l.rel.Ours), func(h git.Hash) bool { return l.dropped[h] })
	if j.o.PushOnly {
		return wrapf(ErrConflict, "something was erased at the remote that is still here; `quipu sync` takes its history over first")
	}
	j.out.Pulled += len(l.rel.Theirs)
	l.note("something was erased elsewhere: the remote's history took the place of this one")
	if _, err := v.tx.Land(git.Landing{With: j.theirs, Message: "sync: a history without what was erased"}); err != nil {
		return gitError(err)
	}
	known, err := l.idsOf(l.rel.Theirs)
	if err != nil {
		return err
	}
	return l.replay(ctx, own, known)
}

// replay makes changes again, each with its own author, time and id, on top of Head:
// those that neither an erasure dropped nor Head has. commits has children before parents.
func (l *landing) replay(ctx context.Context, commits []git.Hash, known map[string]bool) error {
	for _, h := range slices.Backward(commits) {
		if l.dropped[h] {
			continue
		}
		c, err := l.v.w.git.Commit(h)
		if err != nil {
			return gitError(err)
		}
		if len(c.Parents) != 1 || known[idOf(c.Message, h)] {
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
	ours, _, result, err := l.joined(ctx, c.Parents[:1], v.tx.Head(), h)
	if err != nil {
		return err
	}
	differ := map[string]bool{}
	for path := range ours.tracked {
		differ[path] = true
	}
	theirs, err := l.tree(h)
	if err != nil {
		return err
	}
	base, err := l.tree(c.Parents[0])
	if err != nil {
		return err
	}
	touched := differing(ours, theirs, base)
	for path := range differ {
		if !touched[path] {
			delete(differ, path)
		}
	}
	for path := range result.Files {
		differ[path] = true
	}
	delete(differ, policy.EpochFile)
	files := l.files(ours, result, differ)
	if len(files) == 0 {
		return nil
	}
	l.j.out.Replayed++
	_, err = v.tx.Commit(git.NewCommit{Author: c.Author, Files: files, Message: l.messageOf(ctx, c.Message, h)})
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

// idsOf are the ids of the changes of commits.
func (l *landing) idsOf(commits []git.Hash) (map[string]bool, error) {
	out := map[string]bool{}
	for _, h := range commits {
		c, err := l.v.w.git.Commit(h)
		if err != nil {
			return nil, gitError(err)
		}
		out[idOf(c.Message, h)] = true
	}
	return out, nil
}

// idOf is the id of a change: its trailer, or the commit's name.
func idOf(text string, h git.Hash) string {
	if _, rest, ok := strings.Cut("\n"+text, "\n"+keyChange+": "); ok {
		id, _, _ := strings.Cut(rest, "\n")
		return strings.TrimSpace(id)
	}
	return h.String()
}

// letOldGo takes out of this clone what an erasure elsewhere dropped: the objects, and
// all that was made of them.
func (w *Workspace) letOldGo(ctx context.Context) error {
	x := policy.EraseFacts(nil)
	_, err := w.git.Rewrite(ctx, git.Rewriting{
		ID:      "sync",
		Text:    func(_ string, text []byte) ([]byte, bool) { return text, false },
		Path:    func(path string) string { return path },
		Message: func(m git.Message) string { return x.Message(policy.CommitText{Text: m.Text, Tag: true}) },
		Found:   func([]byte) bool { return false },
		Anyway:  true,
	})
	if err != nil {
		return fmt.Errorf("the history is taken over, but the old one still lies here; sync again: %w", gitError(err))
	}
	return w.letDerivedGo() //nolint:contextcheck // it goes, whether or not the caller still waits
}
