package repo

import (
	"slices"
)

// add counts what was erased elsewhere by the same wish.
func (e *Erased) add(also Erased) {
	notes := append(e.Receipt.Notes, also.Receipt.Notes...) //nolint:gocritic // one list of both
	if e.Change == "" {
		e.Receipt = also.Receipt
	}
	e.Receipt.Notes = notes
	e.Epoch = max(e.Epoch, also.Epoch)
	e.Listed = e.Listed || also.Listed
	e.Notes += also.Notes
	e.Commits += also.Commits
	e.Changed += also.Changed
	e.Copies += also.Copies
	e.Objects += also.Objects
	e.Said += also.Said
	e.tell(also.Unreached)
}

// tell adds places that are not named yet.
func (e *Erased) tell(places []string) {
	for _, p := range places {
		if !slices.Contains(e.Unreached, p) {
			e.Unreached = append(e.Unreached, p)
		}
	}
}
