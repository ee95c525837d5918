package model

import (
	"context"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

const openAIHome = "https://api.openai.com/v1/"

// chat is a server that speaks OpenAI's chat completions: OpenAI itself, Ollama,
// llama.cpp, vLLM, OpenRouter, Mistral.
type chat struct {
	base, model, key string
	transport        http.RoundTripper
}

// dialect is what the servers differ in.
type dialect struct {
	schema bool // response_format holds the answer to the schema
	newer  bool // the limit is max_completion_tokens; max_tokens is what it was before
}

func (c *chat) Complete(ctx context.Context, p Prompt) (Answer, error) {
	d := dialect{schema: p.Schema != nil, newer: c.base == openAIHome}
	swapped := false
	for {
		a, w, err := c.ask(ctx, p, d)
		switch {
		case err == nil:
			return a, nil
		case d.schema && w.noSchema():
			d.schema = false
		case !swapped && w.objects("max_tokens", "max_completion_tokens"):
			d.newer, swapped = !d.newer, true
		default:
			return a, err
		}
	}
}

func (c *chat) ask(ctx context.Context, p Prompt, d dialect) (Answer, *wire, error) {
	w := &wire{next: c.transport, key: c.key}
	// The service alone: a whole client would read keys and addresses from the
	// environment that nobody set for this server.
	service := openai.NewChatCompletionService(
		option.WithBaseURL(c.base), option.WithHTTPClient(w.client()), option.WithMaxRetries(retries))
	var opts []option.RequestOption
	if c.key != "" {
		opts = append(opts, option.WithAPIKey(c.key))
	}
	got, err := service.New(ctx, c.params(p, d), opts...)
	if err = w.explain(ctx, err); err != nil {
		return Answer{}, w, err
	}
	if got == nil || len(got.Choices) == 0 {
		return Answer{}, w, failed("the model answered nothing")
	}
	first := got.Choices[0]
	a := Answer{
		Text: thought(first.Message.Content), Model: got.Model,
		In: tokens(got.Usage.PromptTokens), Out: tokens(got.Usage.CompletionTokens),
	}
	a, err = p.whole(a, first.FinishReason == "length", first.Message.Refusal != "" || first.FinishReason == "content_filter")
	return a, w, err
}

func (c *chat) params(p Prompt, d dialect) openai.ChatCompletionNewParams {
	out := openai.ChatCompletionNewParams{Model: c.model}
	if p.System != "" {
		out.Messages = append(out.Messages, openai.SystemMessage(p.System))
	}
	out.Messages = append(out.Messages, openai.UserMessage(p.Text))
	if d.newer {
		out.MaxCompletionTokens = param.NewOpt(p.tokens())
	} else {
		out.MaxTokens = param.NewOpt(p.tokens())
	}
	if d.schema {
		out.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
				Name: p.name(), Strict: param.NewOpt(true), Schema: p.Schema,
			},
		}
	}
	return out
}

// thought is an answer without the thinking that local models write before it.
func thought(text string) string {
	if thinking, rest, ok := strings.Cut(text, "</think>"); ok && strings.HasPrefix(strings.TrimSpace(thinking), "<think>") {
		return rest
	}
	return text
}
