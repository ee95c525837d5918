package policy

import (
	"encoding/json"
	"strings"

	"quipu/markdown"
)

// MaxOperations is how many operations one reflection may propose.
const MaxOperations = 6

// The rules of operations beside those of capture and reflection.
const (
	RuleFlag      Rule = "flag"      // an addition does not say whether it is sensitive
	RuleHeld      Rule = "held"      // it reads as sensitive and is said not to be: the person decides
	RuleStated    Rule = "stated"    // a confirmed entry is not changed by reflection
	RuleProtected Rule = "protected" // health, safety and rules of the person do not leave
	RuleNoEntry   Rule = "noentry"   // there is no such entry
	RuleFull      Rule = "full"      // the areas have no room
	RuleForgotten Rule = "forgotten" // it is on the never-learn list
)

// OperationKind is what an operation does.
type OperationKind string

// The kinds of operation.
const (
	OperationAdd     OperationKind = "add"
	OperationArchive OperationKind = "archive"
)

// Operation is one change that a model proposes after reading a batch.
type Operation struct {
	Kind      OperationKind
	Area      Area          // add
	Text      string        // add
	Until     markdown.Date // add: the last day on which it holds
	Sensitive *bool         // add: nil is not said
	Path      string        // archive
	Messages  []string      // as the request calls them
	Quote     string
}

// ParseOperations reads {"operations":[…]} as the request asks for it. One malformed operation
// voids the answer: a field that is missing, of another type or not known. Only whether an
// addition is sensitive may be missing: it is dropped for that alone. Of more than six the
// first six count. The error says that the answer is of another form.
func ParseOperations(answer string) (list []Operation, dropped []Dropped, err error) {
	var a struct {
		Operations *[]json.RawMessage `json:"operations"`
	}
	if err := strictly(answer, &a); err != nil {
		return nil, nil, err
	}
	if a.Operations == nil {
		return nil, nil, errAnswer
	}
	var out tally
	for i, raw := range *a.Operations {
		op, ok := readOperation(raw)
		switch {
		case !ok:
			return nil, nil, errAnswer
		case i >= MaxOperations:
			out.add(RuleMany)
		case op.Kind == OperationAdd && op.Sensitive == nil:
			out.add(RuleFlag)
		default:
			list = append(list, op)
		}
	}
	return list, out.list, nil
}

func readOperation(raw json.RawMessage) (Operation, bool) {
	var p struct {
		Op        string          `json:"op"`
		Area      *string         `json:"area"`
		Text      *string         `json:"text"`
		Until     json.RawMessage `json:"until"`
		Sensitive *bool           `json:"sensitive"`
		Path      *string         `json:"path"`
		Messages  []string        `json:"messages"`
		Quote     string          `json:"quote"`
	}
	if strictly(string(raw), &p) != nil || len(p.Messages) == 0 || strings.TrimSpace(p.Quote) == "" {
		return Operation{}, false
	}
	op := Operation{Kind: OperationKind(p.Op), Messages: p.Messages, Quote: p.Quote, Sensitive: p.Sensitive}
	switch op.Kind {
	case OperationAdd:
		if p.Area == nil || p.Text == nil || p.Path != nil || !Area(*p.Area).Valid() {
			return Operation{}, false
		}
		op.Area, op.Text = Area(*p.Area), *p.Text
		return op, readUntil(p.Until, &op.Until)
	case OperationArchive:
		if p.Path == nil || p.Area != nil || p.Text != nil || p.Sensitive != nil || p.Until != nil {
			return Operation{}, false
		}
		op.Path = *p.Path
		return op, true
	}
	return Operation{}, false
}

// readUntil reads a last day, null or none.
func readUntil(raw json.RawMessage, day *markdown.Date) bool {
	if len(raw) == 0 || string(raw) == "null" {
		return true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return false
	}
	d, ok := markdown.ParseDate(text)
	*day = d
	return ok
}
