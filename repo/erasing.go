package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// erasingFile stands in the history's own folder while an erasure is under way: when it
// began, and no word of what.
const erasingFile = "erasing"

func (w *Workspace) markErasing(on bool) error {
	var err error
	if on {
		err = w.writeOwn(erasingFile, []byte(w.now().UTC().Format(time.RFC3339)))
	} else if err = os.Remove(filepath.Join(w.git.Own(), erasingFile)); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("mark the erasure: %w", err)
	}
	return nil
}

// brokenOff tells of an erasure that did not come to its end: the words are gone from
// the notes, and may stand in the history or in what was said.
func (w *Workspace) brokenOff() []Finding {
	began, err := readSmall(filepath.Join(w.git.Own(), erasingFile))
	if err != nil || len(began) == 0 {
		return nil
	}
	return []Finding{{
		Level: "error", Where: "history", What: fmt.Sprintf("an erasure that began at %s has not come to its end: what it takes out may still be there", began),
		Fix: "erase the same words again",
	}}
}
