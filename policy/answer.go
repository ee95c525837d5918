package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// maxAnswer is what is read of a model's answer, in bytes. No plan is so long.
const maxAnswer = 256 << 10

// errAnswer says that an answer is not of the asked-for form. The answer itself is
// not quoted: it is whatever a model wrote.
var errAnswer = errors.New("the model's answer is not of the form that was asked for")

// answered finds the list in a model's answer: a JSON list, or an object that holds it
// under key, bare or in one fence. Each element is still to be read.
func answered(answer, key string) ([]json.RawMessage, error) {
	if len(answer) > maxAnswer {
		return nil, errAnswer
	}
	text := []byte(unfenced(answer))
	var list []json.RawMessage
	if bytes.HasPrefix(text, []byte("{")) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(text, &object); err != nil || object[key] == nil {
			return nil, errAnswer
		}
		text = object[key]
	}
	if err := json.Unmarshal(text, &list); err != nil || list == nil {
		return nil, errAnswer
	}
	return list, nil
}

// unfenced returns what stands in the first fence of a text, else all of it.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	_, rest, ok := strings.Cut(text, "```")
	if !ok || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return text
	}
	_, rest, _ = strings.Cut(rest, "\n") // the language's name
	inner, _, _ := strings.Cut(rest, "```")
	return strings.TrimSpace(inner)
}

// placeOf is a place in a list that a model was shown: a whole number, as JSON has it.
func placeOf(raw json.RawMessage, count int) (int, bool) {
	var i int
	if len(raw) == 0 || raw[0] == 'n' || json.Unmarshal(raw, &i) != nil {
		return 0, false
	}
	return i, i >= 0 && i < count
}
