package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

const (
	// maxAnswer is how many bytes an answer may have, as it comes over the wire. What
	// upkeep asks for has a few thousand.
	maxAnswer = 1 << 20
	// defaultTokens is how long an answer may be when the prompt does not say.
	defaultTokens = 2000
	// maxTokens is what one call can plausibly use. A server that says more is not
	// believed, so that a month's sum stays a number.
	maxTokens = 1_000_000_000
)

// Prompt is one question to a model: text in, text out, no tools.
type Prompt struct {
	System, Text string
	// Schema is the JSON schema of the answer, nil for free text. A server that can
	// holds the model to it (OpenAI's strict mode: every property required, none
	// besides); one that cannot, and a program, never sees it, so the text has to
	// say the shape too.
	Schema    json.RawMessage
	Name      string // of the schema: a to z and _; "" is answer
	MaxTokens int    // of the answer; 0 is 2,000
}

func (p Prompt) tokens() int64 {
	if p.MaxTokens <= 0 {
		return defaultTokens
	}
	return int64(p.MaxTokens)
}

func (p Prompt) name() string {
	if p.Name == "" {
		return "answer"
	}
	return p.Name
}

// Answer is what a model said, and the tokens that it took: 0 when the server does
// not say. Model is the server's name for itself. An error may come with the tokens
// of an answer that was no use.
type Answer struct {
	Text, Model string
	In, Out     int
}

// Model answers prompts. The error says what went wrong without the key and without
// the prompt. It ends when the context does.
type Model interface {
	Complete(ctx context.Context, p Prompt) (Answer, error)
}

// whole is an answer, or the reason that it is none: an answer that was cut short
// would be read as one that says less.
func (p Prompt) whole(a Answer, cut, refused bool) (Answer, error) {
	a.Text = strings.TrimSpace(strings.ToValidUTF8(a.Text, "\uFFFD"))
	bare := Answer{Model: a.Model, In: a.In, Out: a.Out}
	switch {
	case refused:
		return bare, failed("the model refused to answer")
	case cut:
		return bare, failed(fmt.Sprintf("the answer was cut off at %d tokens", p.tokens()))
	case a.Text == "":
		return bare, failed("the model answered nothing")
	}
	return a, nil
}

// tokens is a count that a server gave, as far as it can be believed.
func tokens(counts ...int64) int {
	var sum int64
	for _, n := range counts {
		sum += min(max(n, 0), maxTokens)
	}
	return int(min(sum, maxTokens))
}
