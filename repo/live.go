package repo

import (
	"quipu/policy"
	"quipu/repo/internal/git"
)

// liveFacts are the facts that the notes of a commit state, each file read once for each
// text of it. They are looked up only where something was drawn from facts.
type liveFacts struct {
	fell  git.Hash              // the commit for which it was found out last what fell; zero where nothing can
	files map[git.Hash][]string // by blob
}

// old reports whether what fell was found out for another commit than the newest.
func (l *liveFacts) old(head git.Hash) bool { return !l.fell.IsZero() && l.fell != head }

// told keeps for which commit what fell was found out.
func (l *liveFacts) told(head git.Hash) {
	if l.fell = head; l.files == nil {
		l.fell = git.Hash{}
	}
}

// dropFallen takes the reflections out whose facts do not stand any more; w.verdicts.mu is
// held.
func (w *Workspace) dropFallen(s *policy.Standings, d *policy.Disputes) error {
	if len(s.Reflections()) == 0 {
		w.verdicts.live.files = nil
		return nil
	}
	live, err := w.liveAt(w.verdicts.head)
	if err == nil {
		d.DropFallen(live)
	}
	return err
}

// liveAt are the identities of all facts that the notes of a commit state, the archive's,
// too, but for struck ones.
func (w *Workspace) liveAt(head git.Hash) (map[string]bool, error) {
	blobs, err := w.git.BlobsAt(head)
	if err != nil {
		return nil, gitError(err)
	}
	l := &w.verdicts.live
	files, live := map[git.Hash][]string{}, map[string]bool{}
	for path, blob := range blobs {
		if kind, err := policy.CheckPath(path); err != nil || kind == policy.Log {
			continue
		}
		facts, known := l.files[blob]
		if !known {
			text, err := w.git.Blob(blob)
			if err != nil {
				return nil, gitError(err)
			}
			facts = stated(policy.Notes{Files: map[string][]byte{path: text}})
		}
		files[blob] = facts
		for _, f := range facts {
			live[f] = true
		}
	}
	l.files = files
	return live, nil
}

// stated are the identities of the facts that notes state.
func stated(n policy.Notes) []string {
	list := policy.Stated(n)
	facts := make([]string, len(list))
	for i, s := range list {
		facts[i] = s.Fact
	}
	return facts
}
