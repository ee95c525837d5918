package model

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"time"

	"quipu/repo"
)

// Use is what one call used. No text of the prompt or the answer is part of it.
type Use struct {
	At     time.Time `json:"at"` // when it began, in UTC, to the second
	Bot    repo.ID   `json:"bot"`
	Job    string    `json:"job"`    // capture, organize, tidy
	Engine string    `json:"engine"` // a name in the configuration's models
	Model  string    `json:"model"`  // as configured
	Helper bool      `json:"helper"`
	In     int       `json:"in"`  // tokens; 0 when the server does not say
	Out    int       `json:"out"` // tokens; 0 when the server does not say
	Ms     int64     `json:"ms"`
	Cost   *float64  `json:"cost,omitempty"` // nil when the model has no price
	OK     bool      `json:"ok"`
	Error  string    `json:"error,omitempty"` // timeout, failed, limit, canceled
}

// Usage lists what was used from since on and before until, in the order in which
// calls ended. A zero until is no end. Lines that are torn or none of ours are left
// out, and counted in the log.
func (m *Models) Usage(since, until time.Time) ([]Use, error) {
	var uses []Use
	_, foreign, err := m.book.each(0, func(u Use) {
		if !u.At.Before(since) && (until.IsZero() || u.At.Before(until)) {
			uses = append(uses, u)
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the use of models: %w", err)
	}
	if foreign > 0 {
		m.o.Log.Warn("usage.ndjson has lines that are left out", "lines", foreign)
	}
	return uses, nil
}

// WriteCSV writes uses as a table with a line of headings. What the helper wrote is
// triggered by "Helper model", the rest by "bot". An empty cost is one that nobody
// knows.
func WriteCSV(w io.Writer, uses []Use) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"at", "bot", "job", "engine", "model", "triggered_by", "in", "out", "ms", "cost", "ok"}}
	for _, u := range uses {
		by, cost := "bot", ""
		if u.Helper {
			by = "Helper model"
		}
		if u.Cost != nil {
			cost = strconv.FormatFloat(*u.Cost, 'f', -1, 64)
		}
		rows = append(rows, []string{
			u.At.UTC().Format(time.RFC3339), string(u.Bot), u.Job, u.Engine, u.Model, by,
			strconv.Itoa(u.In), strconv.Itoa(u.Out), strconv.FormatInt(u.Ms, 10), cost, strconv.FormatBool(u.OK),
		})
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write the use of models: %w", err)
	}
	return nil
}
