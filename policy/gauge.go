package policy

import (
	"bytes"
	"unicode/utf8"
)

// Gauge says how full MEMORY.md is and how much of it a turn gets to see.
// Lines and Bytes measure the whole file; one final newline is not a line.
type Gauge struct {
	Lines       int  `json:"lines"`
	Bytes       int  `json:"bytes"`
	MaxLines    int  `json:"maxLines"`
	MaxBytes    int  `json:"maxBytes"`
	LoadedLines int  `json:"loadedLines"`
	LoadedBytes int  `json:"loadedBytes"`
	Truncated   bool `json:"truncated"`
	Percent     int  `json:"percent"` // of the limit that is nearer, rounded down; over 100 when over

	// Colour is ok, amber from 80 percent on, or red when part no longer loads.
	Colour string `json:"colour"`
}

// Measure returns the gauge of a text under the usual limits: the loaded part is
// its first 200 lines, of these at most 24,000 bytes. See Limits.Measure.
func Measure(text []byte) Gauge { return Limits{}.Measure(text) }

// countLines counts lines the way a person does: an empty text has none and a
// final newline starts no further one.
func countLines(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	n := bytes.Count(text, []byte("\n"))
	if text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// cutLines returns the first limit lines, without the newline after the last
// when something was cut.
func cutLines(text []byte, limit int) []byte {
	if countLines(text) <= limit {
		return text
	}
	end := 0
	for range limit {
		end += bytes.IndexByte(text[end:], '\n') + 1
	}
	return text[:end-1]
}

// cutBytes returns at most limit bytes and takes the cut back to the start of a
// character. Bytes that are no UTF-8 are cut where they stand.
func cutBytes(text []byte, limit int) []byte {
	if len(text) <= limit {
		return text
	}
	for back := range utf8.UTFMax {
		at := limit - back
		if at < 0 || !utf8.RuneStart(text[at]) {
			continue
		}
		if back == 0 || utf8.FullRune(text[at:limit]) {
			return text[:limit]
		}
		return text[:at]
	}
	return text[:limit]
}
