package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"quipu/markdown"
)

// decode reads one JSON value; what is wrong is named with its line.
func decode(name string, text []byte, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return faulty("%s is empty", name)
	}
	err := json.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return faulty("%s: line %d: no JSON: %v", name, lineAt(text, syntax.Offset), err)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return faulty("%s: line %d: %s is a %s, which is not what this format has there", name, lineAt(text, kind.Offset), orValue(kind.Field), kind.Value)
	}
	return faulty("%s: %v", name, err)
}

func orValue(field string) string {
	if field == "" {
		return "the value"
	}
	return field
}

func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(int(offset)-1, 0), len(text))], []byte("\n"))
}

// decodeLines reads one JSON value a line and hands each to take with its line's number.
func decodeLines[T any](name string, text []byte, take func(line int, v T) error) error {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return faulty("%s: line %d: the line ends in the middle", name, n)
			}
			return faulty("%s: line %d: no JSON of this format: %v", name, n, err)
		}
		if err := take(n, v); err != nil {
			return err
		}
	}
	return nil
}

// stamp is a time as systems write it: text of several forms, or a number of seconds
// or milliseconds. What cannot be read is no time.
type stamp struct{ at time.Time }

func (m *stamp) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		m.at = readTime(text)
		return nil
	}
	var n float64
	if json.Unmarshal(raw, &n) == nil && n > 0 && n < 1e14 {
		if n > 1e11 {
			n /= 1000
		}
		m.at = time.Unix(int64(n), 0).UTC()
	}
	return nil
}

func (m stamp) day() markdown.Date {
	if m.at.IsZero() {
		return markdown.Date{}
	}
	return markdown.DateOf(m.at)
}

func parseTime(form, text string) time.Time {
	at, err := time.Parse(form, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

func readTime(text string) time.Time {
	text = strings.TrimSpace(text)
	for _, form := range []string{
		time.RFC3339, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999-07:00",
		"2006-01-02 15:04:05", "2006-01-02T15:04", time.DateOnly,
	} {
		if at := parseTime(form, text); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}
