package repo

import (
	"cmp"
	"slices"

	"quipu/repo/index"
)

// trustedFirst puts of what has one score the one first whose speaker is trusted more. It
// comes after everything that leaves anything out: nothing is added, nothing goes, and
// what is not equal keeps its order. Of whom it is not known how far to trust them keeps
// their place.
func trustedFirst[T any](list []T, score func(*T) float64, trust func(*T) *float64) {
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && score(&list[to]) == score(&list[from]) {
			to++
		}
		var places []int
		for i := from; i < to; i++ {
			if trust(&list[i]) != nil {
				places = append(places, i)
			}
		}
		known := make([]T, len(places))
		for i, at := range places {
			known[i] = list[at]
		}
		slices.SortStableFunc(known, func(a, b T) int { return cmp.Compare(*trust(&b), *trust(&a)) })
		for i, at := range places {
			list[at] = known[i]
		}
		from = to
	}
}

// trustedHits is trustedFirst for what a search found.
func (w *Workspace) trustedHits(list []index.Hit) ([]index.Hit, error) {
	if !w.store.Config().TrustTieBreak() || len(list) < 2 {
		return list, nil
	}
	trust, err := w.TrustOf()
	if err != nil {
		return nil, err
	}
	trustedFirst(list, func(h *index.Hit) float64 { return h.Score }, func(h *index.Hit) *float64 { return trust(h.Text) })
	return list, nil
}

// trustedPassages is trustedFirst for the notes of a block: each is judged by its best.
func (w *Workspace) trustedPassages(r Recalled) (Recalled, error) {
	if !w.store.Config().TrustTieBreak() || len(r.Notes) < 2 {
		return r, nil
	}
	trust, err := w.TrustOf()
	if err != nil {
		return Recalled{}, err
	}
	return r.Arranged(func(notes []index.Passage) {
		trustedFirst(notes, func(p *index.Passage) float64 { return p.Hits[0].Score }, func(p *index.Passage) *float64 { return trust(p.Hits[0].Text) })
	}), nil
}
