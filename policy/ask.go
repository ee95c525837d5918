package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Ask is a question to a model: the instructions, what they are about as JSON, and the form
// of the answer.
type Ask struct {
	System, Text string
	Schema       json.RawMessage
}

// jsonOf is a value as JSON; < and > are written so that it closes no frame.
func jsonOf(v any) string {
	raw, err := json.Marshal(v)
	if err != nil { // only what is made here is given, and that has a JSON
		return "null"
	}
	return string(raw)
}

// strictly reads an answer into a struct: one JSON object, bare or in one fence, with no
// field that the struct does not have and nothing behind it.
func strictly(answer string, into any) error {
	if len(answer) > maxAnswer {
		return errAnswer
	}
	text := unfenced(answer)
	if !strings.HasPrefix(text, "{") {
		return errAnswer
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if d.Decode(into) != nil {
		return errAnswer
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errAnswer
	}
	return nil
}
