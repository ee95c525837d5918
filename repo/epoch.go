package repo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// erasedRef keeps the ids of the commits that erasures dropped, a file for each: history
// that still has one of them is history that holds what was erased.
const erasedRef = "refs/quipu/erased"

// keepErased adds to them what one erasure dropped.
func (w *Workspace) keepErased(ctx context.Context, id ChangeID, change map[git.Hash]git.Hash) error {
	if len(change) == 0 {
		return nil
	}
	ids := make([]string, 0, len(change))
	for old := range change {
		ids = append(ids, old.String())
	}
	slices.Sort(ids)
	files := map[string][]byte{string(id): []byte(strings.Join(ids, "\n") + "\n")}
	if err := w.git.KeepAside(ctx, erasedRef, files, string(id)+"\n"); err != nil {
		return fmt.Errorf("keep the ids of the commits that were dropped: %w", gitError(err))
	}
	return nil
}

// Epoch counts how often history was taken back here, by an erasure or by the retention
// window; 0 in a workspace where that never happened.
func (w *Workspace) Epoch() (int, error) {
	head, err := w.git.Position()
	if err != nil {
		return 0, gitError(err)
	}
	blob, err := w.git.FileAt(head, policy.EpochFile)
	if err != nil {
		return 0, gitError(err)
	}
	text, err := w.git.Blob(blob)
	return policy.Epoch(text), gitError(err)
}

// mostFiles is how many files a tombstone names.
const mostFiles = 20

// erasedFrom collects in which files something was, by the names they have now.
type erasedFrom struct {
	mu    sync.Mutex
	files map[string]bool
}

func (f *erasedFrom) note(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.files == nil {
		f.files = map[string]bool{}
	}
	f.files[path] = true
}

// String names the files, in order, the first of them when there are many.
func (f *erasedFrom) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := slices.Sorted(maps.Keys(f.files))
	if more := len(names) - mostFiles; more > 0 {
		names = append(names[:mostFiles], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// tombstone says in the history that something was erased, in counts and files; where
// the history was replaced, it raises the epoch.
func (j *erasure) tombstone(ctx context.Context, replaced bool) error {
	m := j.m
	m.Action = ActErase
	var err error
	j.out.Receipt, err = j.w.change(ctx, m, func(v *view) (draft, error) {
		d := draft{subject: fmt.Sprintf("%d copies in %d commits", j.out.Copies+j.out.Notes, j.out.Changed), erased: j.took.String(), always: true}
		if j.retain {
			d.subject = retainedSubject
		}
		if !replaced {
			return d, nil
		}
		text, _, err := v.tx.File(policy.EpochFile)
		if err != nil {
			return d, err
		}
		j.out.Epoch = policy.Epoch(text) + 1
		d.files = []fileText{{path: policy.EpochFile, text: policy.EpochText(j.out.Epoch)}}
		return d, nil
	})
	return err
}
