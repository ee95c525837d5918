package server

import (
	"math"
	"mime"
	"net/http"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// loadAnswer is what enters a prompt, and what did not.
type loadAnswer struct {
	Block      string      `json:"block"` // "" when there is nothing to say
	Gauge      gaugeAnswer `json:"gauge"`
	Topics     []string    `json:"topics"`
	TopicsMore int         `json:"topicsMore"` // topics that the index has no room for
	Expired    int         `json:"expired"`
	Disputed   int         `json:"disputed"` // notes of MEMORY.md that are out because somebody disputed them
	Truncated  bool        `json:"truncated"`
	Unloaded   []string    `json:"unloaded"` // the first facts that did not load, shortened
	Directives []string    `json:"directives"`
	Heavy      *bool       `json:"heavy,omitempty"` // only where the sizes of the other texts were told
	// Layers are those whose notes are in the block, in their order; none outside a turn.
	Layers []policy.LoadedLayer `json:"layers,omitempty"`
}

// load answers with exactly the block that enters the bot's prompt: in a turn with the
// layers that it reads, by the facts that the host told of it and by nothing that this
// request says. A program that
// accepts plain text gets the block alone.
func (s *Server) load(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	others, err := q.number("otherBytes", 0, 0, math.MaxInt32)
	if err != nil {
		return err
	}
	c, who, err := s.asker(r, ws.ID(), q)
	if err != nil {
		return err
	}
	if c == nil { // the owner, outside any conversation
		c = &repo.Conversation{}
	}
	l, err := s.turns.Load(r.Context(), ws.ID(), *c, who)
	if err != nil {
		return err
	}
	if wantsText(r) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(l.Block)) // the client has gone: there is no one left to tell
		return nil
	}
	a := loadAnswer{
		Block: l.Block, Gauge: gaugeAnswer{l.Gauge, l.Gauge.Sentence()}, Topics: append([]string{}, l.Topics...), TopicsMore: l.TopicsMore,
		Expired: l.Expired, Disputed: l.Disputed, Truncated: l.Truncated, Unloaded: append([]string{}, l.Unloaded...),
		Directives: append([]string{}, l.Directives...), Layers: l.Layers,
	}
	if q.Has("otherBytes") {
		a.Heavy = new(policy.Heavy(l.Gauge.LoadedBytes, others))
	}
	send(w, http.StatusOK, a)
	return nil
}

// wantsText reports whether a request asks for plain text, and for it before JSON.
func wantsText(r *http.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		switch kind, _, _ := mime.ParseMediaType(part); kind {
		case "text/plain":
			return true
		case "application/json":
			return false
		}
	}
	return false
}
