package model

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

const anthropicHome = "https://api.anthropic.com/"

// messages is a server that speaks Anthropic's messages.
type messages struct {
	base, model, key string
	transport        http.RoundTripper
}

func (m *messages) Complete(ctx context.Context, p Prompt) (Answer, error) {
	a, w, err := m.ask(ctx, p)
	if err != nil && p.Schema != nil && w.noSchema() {
		p.Schema = nil
		a, _, err = m.ask(ctx, p)
	}
	return a, err
}

func (m *messages) ask(ctx context.Context, p Prompt) (Answer, *wire, error) {
	w := &wire{next: m.transport, key: m.key}
	params, err := m.params(p)
	if err != nil {
		return Answer{}, w, err
	}
	// The service alone: a whole client would read keys, addresses and profiles from
	// the environment that nobody set for this server. Its own timeout is out of the
	// way, the context's holds.
	service := anthropic.NewMessageService(
		option.WithBaseURL(m.base), option.WithHTTPClient(w.client()), option.WithMaxRetries(retries),
		option.WithRequestTimeout(time.Hour), option.WithoutOpenTelemetry())
	got, err := service.New(ctx, params, m.credentials()...)
	if err = w.explain(ctx, err); err != nil {
		return Answer{}, w, err
	}
	if got == nil {
		return Answer{}, w, failed("the model answered nothing")
	}
	var text strings.Builder
	for _, block := range got.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	u := got.Usage
	a := Answer{
		Text: text.String(), Model: got.Model,
		In:  tokens(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens),
		Out: tokens(u.OutputTokens),
	}
	cut := got.StopReason == anthropic.StopReasonMaxTokens || got.StopReason == anthropic.StopReasonModelContextWindowExceeded
	a, err = p.whole(a, cut, got.StopReason == anthropic.StopReasonRefusal)
	return a, w, err
}

// credentials sends the key as the kit does, and in the older header too where the
// server is another's that speaks the same: many know that one alone.
func (m *messages) credentials() []option.RequestOption {
	switch {
	case m.key == "":
		return nil
	case m.base == anthropicHome:
		return []option.RequestOption{option.WithAPIKey(m.key)}
	default:
		return []option.RequestOption{option.WithAPIKey(m.key), option.WithHeader("X-Api-Key", m.key)}
	}
}

func (m *messages) params(p Prompt) (anthropic.MessageNewParams, error) {
	out := anthropic.MessageNewParams{
		Model: m.model, MaxTokens: p.tokens(),
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(p.Text))},
	}
	if p.System != "" {
		out.System = []anthropic.TextBlockParam{{Text: p.System}}
	}
	if p.Schema != nil {
		if err := json.Unmarshal(p.Schema, &out.OutputConfig.Format.Schema); err != nil {
			return out, failed("the schema of the answer is no JSON object")
		}
	}
	return out, nil
}
