package repo

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// Stand is a fact that has evidence, in a list. JSON.
type Stand struct {
	policy.Standing
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"`
}

// listing is how all facts stood when that was asked last.
type listing struct {
	blob  git.Hash // of the ledger
	files []git.WorkFile
	at    time.Time
	list  []Stand
}

// Standings lists every fact of which the ledger tells, and every note that says again what
// is disputed, the lowest first, at a time; zero is now, or up to a minute ago.
func (w *Workspace) Standings(_ context.Context, at time.Time) ([]Stand, error) {
	if !at.IsZero() {
		s, err := w.standingsAt(at)
		if err != nil {
			return nil, err
		}
		return w.listed(s, cmpTime(at, w.now()))
	}
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	now, v := w.now(), &w.verdicts
	v.mu.Lock()
	err = w.newest()
	s, blob, had := v.stands, v.blob, v.listed
	v.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if age := now.Sub(had.at); had.list != nil && had.blob == blob && age >= 0 && age <= disputeAge && slices.Equal(had.files, files) {
		return slices.Clone(had.list), nil
	}
	list, err := w.listed(s, now)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	v.listed = listing{blob, files, now, slices.Clone(list)}
	v.mu.Unlock()
	return list, nil
}

func (w *Workspace) listed(s *policy.Standings, now time.Time) ([]Stand, error) {
	n, err := w.workNotes("")
	if err != nil {
		return nil, err
	}
	d, err := w.disputesAt(s, now)
	if err != nil {
		return nil, err
	}
	out := []Stand{}
	seen := map[string]bool{}
	for _, p := range policy.Stated(n) {
		if !seen[p.Fact] && (s.Knows(p.Fact) || d.Out(p.Fact, p.Falls)) {
			seen[p.Fact] = true
			out = append(out, Stand{Standing: d.Of(p.Fact, p.Falls, now.Location()), Path: p.Path, Line: p.Line})
		}
	}
	for _, f := range s.Facts() {
		if !seen[f] {
			out = append(out, Stand{Standing: d.Of(f, true, now.Location())})
		}
	}
	worth := func(x Stand) float64 {
		if x.Score == nil {
			return 1e9
		}
		return *x.Score
	}
	slices.SortStableFunc(out, func(a, b Stand) int {
		return cmp.Or(cmp.Compare(worth(a), worth(b)), strings.Compare(a.Fact, b.Fact))
	})
	return out, nil
}

// OutOfPrompts counts the notes that enter no prompt because they are disputed, wherever
// they stand.
func (w *Workspace) OutOfPrompts(_ context.Context) (int, error) {
	d, mark, err := w.out()
	if err != nil || mark == "" {
		return 0, err
	}
	notes, err := w.workNotes("")
	if err != nil {
		return 0, err
	}
	n := 0
	for _, p := range policy.Stated(notes) {
		if d.Out(p.Fact, p.Falls) {
			n++
		}
	}
	return n, nil
}
