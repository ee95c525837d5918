package policy

import (
	"slices"

	"quipu/markdown"
)

// taught is who said a fact and how far they were trusted then: of several the one who was
// trusted most, and of these the last. Who repeats a fact makes it no less sure.
func (r *record) taught() (speaker string, trust *float64) {
	for _, e := range r.said {
		switch {
		case finite(e.Trust) && (trust == nil || *e.Trust >= *trust):
			speaker, trust = e.Speaker, e.Trust
		case trust == nil:
			speaker = e.Speaker
		}
	}
	return speaker, trust
}

// TrustIn is how far who said a fact was trusted, nil when that is not known.
func (s *Standings) TrustIn(fact string) *float64 {
	r := s.byFact[markdown.Identity(fact)]
	if r == nil {
		return nil
	}
	_, trust := r.taught()
	return trust
}

// Teachers are the accounts that said a fact, each once, as the host gave them.
func (s *Standings) Teachers(fact string) []Account {
	var list []Account
	if r := s.byFact[markdown.Identity(fact)]; r != nil {
		for _, e := range r.said {
			if a, ok := ParseAccount(e.Speaker); ok && !slices.Contains(list, a) {
				list = append(list, a)
			}
		}
	}
	return list
}

// TrustEvents are the events that the ledger tells of the accounts of one person.
func (s *Standings) TrustEvents(person ...Account) []TrustEvent {
	var list []TrustEvent
	for _, a := range person {
		for _, e := range s.trust[string(a)] {
			list = append(list, TrustEvent{Account: a, Kind: Related(e.What), ID: e.ID})
		}
	}
	return list
}
