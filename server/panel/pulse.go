package panel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"quipu/repo"
)

// mostNew is how many new changes are counted for a page that is open.
const mostNew = 100

// pulseNow is what an open page learns of what happened since it was made.
type pulseNow struct {
	Newest string `json:"newest"`
	Count  int    `json:"count"` // changes; 0: some
}

// pulse tells an open page how many changes came after the one that it knows as the
// newest, and nothing while that is what it was told last.
func (p *Panel) pulse(v *visit) error {
	s, err := p.space(v)
	if s.Me && errors.Is(err, repo.ErrNotFound) {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err != nil {
		return err
	}
	q := v.r.URL.Query()
	newest, err := newestOf(v, s.ws)
	if err != nil {
		return err
	}
	if newest == q.Get("since") || newest == q.Get("told") {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	rows, err := s.ws.Journal(v.r.Context(), repo.Query{Limit: mostNew})
	if err != nil {
		return err
	}
	now, last := pulseNow{Newest: newest}, ""
	for _, r := range rows {
		if string(r.Change) == q.Get("since") {
			break
		}
		if string(r.Change) != last {
			now.Count++
		}
		last = string(r.Change)
	}
	return v.json(now)
}

// pulseURL is where a page of a memory asks whether something happened since it was made.
func (p *Panel) pulseURL(v *visit, s space) (string, error) {
	newest, err := newestOf(v, s.ws)
	return s.Base + "/pulse?since=" + newest, err
}

// newestOf names the newest change of a memory, "" when there is none.
func newestOf(v *visit, ws *repo.Workspace) (string, error) {
	rows, err := ws.Journal(v.r.Context(), repo.Query{Limit: 1})
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return string(rows[0].Change), nil
}

// pulseOfAll tells the list of bots that something happened to one of them.
func (p *Panel) pulseOfAll(v *visit) error {
	stamp, err := p.stampOfAll(v)
	if err != nil {
		return err
	}
	if q := v.r.URL.Query(); stamp == q.Get("since") || stamp == q.Get("told") {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return v.json(pulseNow{Newest: stamp})
}

// stampOfAll changes with every change of a bot, and with the list of them.
func (p *Panel) stampOfAll(v *visit) (string, error) {
	list, err := p.store.Bots(v.r.Context())
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, b := range list {
		newest := ""
		if ws, err := p.store.Open(v.r.Context(), b.ID); err == nil { // one that cannot be opened has no news
			if newest, err = newestOf(v, ws); err != nil {
				return "", err
			}
		}
		fmt.Fprintln(sum, b.ID, newest)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

func (v *visit) json(body any) error {
	v.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	return json.NewEncoder(v.w).Encode(body)
}
