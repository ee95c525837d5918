package exchange

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"quipu/markdown"
)

// The format of notes as JSON lines.
const (
	OutLinesFormat  = "quipu-entries"
	OutLinesVersion = 1
)

// outHead is the first line.
type outHead struct {
	Type    string    `json:"type"` // header
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Bot     string    `json:"bot"`
	Name    string    `json:"name,omitempty"`
	At      time.Time `json:"at"`
	Notes   int       `json:"notes"` // lines that follow for notes
}

// outFileLine tells of a file, before its notes.
type outFileLine struct {
	Type        string   `json:"type"` // file
	Path        string   `json:"path"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Aliases     []string `json:"aliases,omitempty"`
	Header      string   `json:"header,omitempty"` // as it is written
}

// outNoteLine is one note. Type is entry for a dated one, else line or block.
type outNoteLine struct {
	Type       string     `json:"type"`
	Text       string     `json:"text"`
	Path       string     `json:"path"`
	Line       int        `json:"line"`
	Date       string     `json:"date,omitempty"`
	Clock      string     `json:"clock,omitempty"`
	Source     string     `json:"source,omitempty"`
	Noticed    bool       `json:"noticed,omitempty"`
	Until      string     `json:"until,omitempty"`
	Struck     bool       `json:"struck,omitempty"`
	Superseded string     `json:"superseded,omitempty"`
	Updated    string     `json:"updated,omitempty"`
	Moved      string     `json:"moved,omitempty"`
	Expired    string     `json:"expired,omitempty"`
	Confirmed  string     `json:"confirmed,omitempty"`
	Conflict   string     `json:"conflict,omitempty"`
	Change     string     `json:"change,omitempty"`
	At         *time.Time `json:"at,omitempty"`
	By         string     `json:"by,omitempty"`
	Action     string     `json:"action,omitempty"`
	Taught     string     `json:"taughtFrom,omitempty"` // the source that the change names
	Quote      string     `json:"quote,omitempty"`
	First      string     `json:"first,omitempty"`
	FirstAt    *time.Time `json:"firstAt,omitempty"`
	Words      string     `json:"words,omitempty"`
}

// WriteJSONL gives every note as one line of JSON, with where it comes from.
func WriteJSONL(sp OutSpace, _ OutOptions) (Out, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	total := 0
	for _, n := range sp.Notes {
		f := markdown.Parse(n.Path, n.Text)
		h := f.Header()
		if err := enc.Encode(outFileLine{"file", n.Path, plain(h.Title), plain(h.Description), h.Aliases, plain(string(n.Text[h.Start:h.End]))}); err != nil {
			return Out{}, err
		}
		for _, u := range f.Units() {
			line, ok := noteLine(n, u)
			if !ok {
				continue
			}
			total++
			if err := enc.Encode(line); err != nil {
				return Out{}, err
			}
		}
	}
	var all bytes.Buffer
	head := json.NewEncoder(&all)
	head.SetEscapeHTML(false)
	if err := head.Encode(outHead{"header", OutLinesFormat, OutLinesVersion, sp.Bot, sp.Name, sp.At.UTC(), total}); err != nil {
		return Out{}, err
	}
	all.Write(body.Bytes())
	left := shorn{own: sp.Own}
	return Out{Files: []OutFile{{Path: sp.Bot + ".jsonl", Text: all.Bytes()}}, Left: left.sentences()}, nil
}

// noteLine is a unit of a file as a line; ok is false for blank lines and the header.
func noteLine(n OutNote, u markdown.Unit) (line outNoteLine, ok bool) {
	line = outNoteLine{Path: n.Path, Line: u.Line, Text: plain(string(u.Raw))}
	switch {
	case u.Entry != nil:
		e := u.Entry
		line.Type, line.Text = "entry", plain(e.Text)
		line.Date, line.Clock, line.Source, line.Noticed = e.Date.String(), e.Clock, plain(e.Source), e.Noticed
		line.Until, line.Struck, line.Superseded, line.Updated = e.Until.String(), e.Struck, e.Superseded.String(), e.Updated.String()
		line.Moved, line.Expired, line.Confirmed, line.Conflict = e.Moved.String(), e.Expired.String(), e.Confirmed.String(), e.Conflict.String()
	case u.Kind == markdown.KindLine:
		line.Type = "line"
	case u.Kind == markdown.KindFence:
		line.Type = "block"
	default:
		return line, false
	}
	if o, known := n.Taught[u.Line]; known {
		line.Change, line.At, line.Action = o.Change, moment(o.At), o.Action
		line.By, line.Taught, line.Quote = strings.TrimSpace(o.Actor+" "+o.Who), plain(o.Source), plain(o.Quote)
		line.First, line.FirstAt, line.Words = o.First, moment(o.FirstAt), plain(factOf(o.Words))
	}
	return line, true
}

// factOf is the fact of a note as it was written; a hand-written line is itself.
func factOf(raw string) string {
	if e := markdown.Parse("", []byte(raw)).Entries(); len(e) == 1 {
		return e[0].Text
	}
	return raw
}

// moment is a time in UTC, nil for none.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
