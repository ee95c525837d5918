package server

import "quipu/policy"

// gaugeAnswer is how full MEMORY.md is, with the plain sentence that stands beside
// the picture.
type gaugeAnswer struct {
	policy.Gauge
	Sentence string `json:"sentence"`
}

// limits are the two limits of MEMORY.md in this home.
func (s *Server) limits() policy.Limits {
	return s.store.Config().Limits()
}
