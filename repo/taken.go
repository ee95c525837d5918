package repo

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// lettingFile says, in the history's own folder, that a history was replaced by one from
// which something was erased elsewhere, and that the old one is still here: as keyed
// hashes, what is to go from whatever else holds it.
const lettingFile = "letting-go"

// sideOf is the commits that one side alone has.
type sideOf struct {
	list   []git.Hash // children before parents
	commit map[git.Hash]*git.Commit
	byID   map[string]git.Hash
	erased []string // ids of the changes by which erasures say that they were made
}

func (l *landing) side(list []git.Hash) (sideOf, error) {
	s := sideOf{list: list, commit: map[git.Hash]*git.Commit{}, byID: map[string]git.Hash{}}
	for _, h := range list {
		c, err := l.v.w.git.Commit(h)
		if err != nil {
			return s, gitError(err)
		}
		s.commit[h], s.byID[idOf(c.Message, h)] = c, h
		if trailerOf(c.Message, keyAction) == string(ActErase) {
			s.erased = append(s.erased, idOf(c.Message, h))
		}
	}
	return s, nil
}

// erasedBeside says whether an erasure was made on a side that the other knows nothing of.
func (s sideOf) erasedBeside(other sideOf) bool {
	return slices.ContainsFunc(s.erased, func(id string) bool { _, known := other.byID[id]; return !known })
}

// covers are the ids of the changes that a side has: its own, and those that lie before
// what it begins with, where older history was let go.
func (s sideOf) covers(other sideOf) map[string]bool {
	known := map[string]bool{}
	for id, h := range s.byID {
		known[id] = true
		if !strings.HasPrefix(s.commit[h].Message, fmt.Sprintf("%s: %s\n", ActInit, baseSubject)) {
			continue
		}
		queue := []git.Hash{other.byID[id]}
		for seen := map[git.Hash]bool{}; len(queue) > 0; queue = queue[1:] {
			if c := other.commit[queue[0]]; c != nil && !seen[queue[0]] {
				seen[queue[0]] = true
				known[idOf(c.Message, queue[0])] = true
				queue = append(queue, c.Parents...)
			}
		}
	}
	return known
}

// brought is what a commit put into the notes, line by line, and what its message says.
func (l *landing) brought(s sideOf, h git.Hash) (text, message string, err error) {
	c := s.commit[h]
	before := git.Hash{}
	if len(c.Parents) > 0 {
		p, err := l.v.w.git.Commit(c.Parents[0])
		if err != nil {
			return "", "", gitError(err)
		}
		before = p.Tree
	}
	deltas, err := l.v.w.git.Changes(before, c.Tree)
	if err != nil {
		return "", "", gitError(err)
	}
	var b strings.Builder
	names := []string{c.Message}
	for _, d := range deltas {
		if d.After.IsZero() || policy.OwnFile(d.Path) {
			continue
		}
		names = append(names, d.Path)
		if policy.OpaqueFile(d.Path) {
			continue
		}
		was, err := l.v.w.git.Blob(d.Before)
		if err != nil {
			return "", "", gitError(err)
		}
		now, err := l.v.w.git.Blob(d.After)
		if err != nil {
			return "", "", gitError(err)
		}
		b.WriteString(linesOnly(string(now), string(was)))
	}
	return b.String(), strings.Join(names, "\n"), nil
}

// linesOnly are the lines of a text that another has not.
func linesOnly(text, other string) string {
	has := map[string]bool{}
	for line := range strings.Lines(other) {
		has[strings.TrimRight(line, "\r\n")] = true
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); !has[line] {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// took finds what erasures took out of one side that the other still has. What both
// have under one id tells it: an erasure leaves each change its id. Words that are on the
// never-learn list are found by it, and everything else by the notes that are gone.
func (l *landing) took(ctx context.Context, from, out sideOf) ([]*policy.Erasure, error) {
	var gone, facts strings.Builder
	stays := map[string]bool{}
	for id, h := range out.byID {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		now, said, err := l.brought(out, h)
		if err != nil {
			return nil, err
		}
		for _, f := range policy.FactsIn([]byte(now)) {
			stays[f] = true
		}
		old, both := from.byID[id]
		if !both {
			continue
		}
		was, spoke, err := l.brought(from, old)
		if err != nil {
			return nil, err
		}
		facts.WriteString(linesOnly(was, now))
		gone.WriteString(linesOnly(was, now) + linesOnly(spoke, said))
	}
	list, err := l.byWords(gone.String())
	if err != nil {
		return nil, err
	}
	left := []byte(facts.String())
	for _, x := range list {
		left, _ = x.File("", left)
	}
	rest := slices.DeleteFunc(policy.FactsIn(left), func(f string) bool { return stays[f] || strings.Contains(f, "«") })
	if len(rest) > 0 {
		list = append(list, policy.EraseFacts(rest))
	}
	return list, nil
}

// byWords finds the words of erasures again in what they took out.
func (l *landing) byWords(gone string) ([]*policy.Erasure, error) {
	w := l.v.w
	files, err := w.git.Aside(erasedRef)
	if err != nil || gone == "" {
		return nil, gitError(err)
	}
	list, err := l.bothNever()
	if err != nil {
		return nil, err
	}
	var out []*policy.Erasure
	for _, id := range slices.Sorted(maps.Keys(files)) {
		k, ok := list.Keyed(id)
		if !ok {
			continue
		}
		s, ok := k.Seek()
		if !ok {
			continue
		}
		s.Look(gone)
		if x := s.Found(w.taken()); x != nil {
			out = append(out, x)
		}
	}
	return out, nil
}

// bothNever is the never-learn list of both sides' newest commits.
func (l *landing) bothNever() (policy.Never, error) {
	ours, _, err := l.v.tx.File(policy.LedgerFile)
	if err != nil {
		return policy.Never{}, err
	}
	blob, err := l.v.w.git.FileAt(l.j.theirs, policy.LedgerFile)
	if err != nil {
		return policy.Never{}, gitError(err)
	}
	theirs, err := l.v.w.git.Blob(blob)
	if err != nil {
		return policy.Never{}, gitError(err)
	}
	both, _ := policy.ParseLedger(slices.Concat(ours, []byte("\n"), theirs))
	return both.Never(), nil
}

// unsaid leaves out the erasures of what a side says again: it was asked for since.
func (l *landing) unsaid(list []*policy.Erasure, s sideOf) ([]*policy.Erasure, error) {
	for _, h := range s.list {
		if len(list) == 0 {
			break
		}
		text, message, err := l.brought(s, h)
		if err != nil {
			return nil, err
		}
		n := len(list)
		list = slices.DeleteFunc(list, func(x *policy.Erasure) bool {
			_, copies := x.File("", []byte(text))
			return copies > 0 || x.TellsMessage(message)
		})
		if len(list) < n {
			l.note("what was erased elsewhere is told again in the new history; branches and stashes of yours may still hold the old")
		}
	}
	return list, nil
}

// noteLetting notes, before it happens, that the old history is to go.
func (w *Workspace) noteLetting(list []*policy.Erasure) error {
	keyed := []policy.Keyed{}
	for _, x := range list {
		salt, err := policy.NewSalt(rand.Reader)
		if err != nil {
			return err
		}
		keyed = append(keyed, x.Keyed(salt))
	}
	b, err := json.Marshal(keyed)
	if err != nil {
		return err
	}
	return w.writeOwn(lettingFile, b)
}

// finishLetting lets an old history go that an earlier sync could not.
func (w *Workspace) finishLetting(ctx context.Context) error {
	b, err := readSmall(filepath.Join(w.git.Own(), lettingFile))
	if err != nil || len(b) == 0 {
		return err
	}
	var keyed []policy.Keyed
	if err := json.Unmarshal(b, &keyed); err != nil {
		w.log.Warn("what is to go with an old history is noted unreadably", "err", err)
	}
	var list []*policy.Erasure
	for _, k := range keyed {
		x, err := w.seek(ctx, k)
		if err != nil {
			return err
		}
		if x != nil {
			list = append(list, x)
		}
	}
	return w.letOldGo(ctx, list)
}

// letOldGo takes out of this clone what an erasure elsewhere dropped: the objects, all
// that was made of them, and what branches, stashes and conversations have of it.
func (w *Workspace) letOldGo(ctx context.Context, list []*policy.Erasure) error {
	if len(list) == 0 {
		list = []*policy.Erasure{policy.EraseFacts(nil)}
	}
	for _, x := range list {
		gone, err := w.picturesGone(ctx, x)
		if err != nil {
			return err
		}
		what := gone.without(x)
		what.ID, what.Anyway = "sync", true
		_, err = w.git.Rewrite(ctx, what)
		if err == nil {
			_, err = w.eraseSaid(ctx, x)
		}
		if err != nil {
			return fmt.Errorf("the history is taken over, but the old one still lies here; the next sync tries again: %w", gitError(err))
		}
	}
	if err := w.letDerivedGo(); err != nil { //nolint:contextcheck // it goes, whether or not the caller still waits
		return err
	}
	return w.removeOwn(lettingFile)
}
