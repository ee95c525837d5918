package repo

import (
	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// knownBlobs is how many texts a workspace remembers to be free of credentials.
const knownBlobs = 4096

// isClean says whether a text is known to hold no credential: quipu wrote it here, or
// it was looked through before. A blob's name is its content, so this never grows old.
func (w *Workspace) isClean(blob git.Hash) bool {
	w.knownMu.Lock()
	defer w.knownMu.Unlock()
	return blob.IsZero() || w.known[blob]
}

func (w *Workspace) noteClean(blob git.Hash) {
	w.knownMu.Lock()
	defer w.knownMu.Unlock()
	if w.known == nil || len(w.known) >= knownBlobs {
		w.known = map[git.Hash]bool{}
	}
	w.known[blob] = true
}

// masked gives a text without credentials and how many places were masked. A text
// that was found clean is not looked through again.
func (w *Workspace) masked(text []byte) ([]byte, int) {
	if policy.IsPicture(text) {
		return text, 0 // it is never changed
	}
	blob := git.HashBlob(text)
	if w.isClean(blob) {
		return text, 0
	}
	out, n := w.store.redactBytes(text)
	if n == 0 {
		w.noteClean(blob)
	}
	return out, n
}

// cleanBlob says whether a text of the history holds no credential.
func (w *Workspace) cleanBlob(blob git.Hash) (bool, error) {
	if w.isClean(blob) {
		return true, nil
	}
	text, err := w.git.Blob(blob)
	if err != nil {
		return false, gitError(err)
	}
	_, n := w.masked(text)
	return n == 0, nil
}

// maskHeader masks the fields of a header: for a listing, the rest need not be
// looked through.
func (w *Workspace) maskHeader(h markdown.Header) markdown.Header {
	h.Title, _ = w.store.redact.Redact(h.Title)
	h.Description, _ = w.store.redact.Redact(h.Description)
	for i, a := range h.Aliases {
		h.Aliases[i], _ = w.store.redact.Redact(a)
	}
	return h
}
