package repo

import (
	"bytes"
	"slices"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// putBack takes out of what came what somebody changed by hand in a file that only
// transactions write: it has then what quipu's own commits gave it.
func (l *landing) putBack(ours tree, theirs *tree) error {
	if len(l.rel.Bases) == 0 { // a history that is new here is as it is
		return nil
	}
	for _, path := range []string{policy.LedgerFile, policy.EpochFile} {
		if theirs.tracked[path] == ours.tracked[path] {
			continue
		}
		text, hand, err := l.given(path)
		if err != nil {
			return err
		}
		if !hand {
			continue
		}
		l.note("%s was changed outside at the remote and has been put back", path)
		if theirs.own == nil {
			theirs.own = map[string][]byte{}
		}
		if theirs.own[path] = text; len(text) == 0 {
			delete(theirs.tracked, path)
			theirs.odd = append(theirs.odd, path)
		}
	}
	return nil
}

// given is what quipu's own commits of the remote made of such a file; hand says whether
// another commit changed it, too.
func (l *landing) given(path string) (text []byte, hand bool, err error) {
	g := l.v.w.git
	at := func(h git.Hash) []byte {
		if err != nil {
			return nil
		}
		var blob git.Hash
		if blob, err = g.FileAt(h, path); err != nil || blob.IsZero() {
			return nil
		}
		var b []byte
		b, err = g.Blob(blob)
		return b
	}
	text = at(l.rel.Bases[0])
	for _, h := range slices.Backward(l.rel.Theirs) {
		c, cerr := g.Commit(h)
		if cerr != nil {
			return nil, false, gitError(cerr)
		}
		if len(c.Parents) > 1 {
			continue
		}
		var was []byte
		if len(c.Parents) == 1 {
			was = at(c.Parents[0])
		}
		switch now := at(h); {
		case bytes.Equal(was, now):
		case byHand(c.Message):
			hand = true
		case path == policy.EpochFile:
			text = now
		default:
			text = append(withLineEnd(text), linesOnly(string(now), string(was))...)
		}
	}
	return text, hand, gitError(err)
}

// byHand says whether a commit is a person's own, with or without what a hook of ours
// put into its message.
func byHand(text string) bool {
	return trailerOf(text, keyChange) == "" || trailerOf(text, keyVia) == string(ViaDisk) && trailerOf(text, keyAction) == string(ActEdit)
}

func withLineEnd(text []byte) []byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return append(text, '\n')
	}
	return text
}

// tellsForgotten says whether texts that came tell something that is forgotten.
func tellsForgotten(files map[string][]byte, gone func(text string) bool) bool {
	for path, text := range files {
		if gone != nil && path == policy.LedgerFile && policy.LedgerTells(text, gone) {
			return true
		}
		if gone == nil || policy.OpaqueFile(path) {
			continue
		}
		for _, u := range markdown.Parse(path, text).Units() {
			said := string(u.Raw)
			if u.Entry != nil {
				said = u.Entry.Text
			}
			if gone(said) {
				return true
			}
		}
	}
	return false
}
