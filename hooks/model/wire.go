package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// retries is how often a call is tried again, by the kit's own backoff: after 429,
// a fault of the server's or a broken connection.
const retries = 2

// wire carries the requests of one call and holds the server to its limits, whichever
// kit sits on top: an answer is read up to maxAnswer, a redirect is not followed since
// it would carry the key and the prompt elsewhere, and only what may pass by itself is
// tried again. It belongs to one goroutine.
type wire struct {
	next http.RoundTripper
	key  string // to be kept out of errors; "" for none

	status int    // of the last answer; 0 before one came
	body   []byte // of the last answer
	fault  string // what makes the last answer no use, whatever the kit makes of it
}

// client is an http.Client that goes over the wire.
func (w *wire) client() *http.Client {
	return &http.Client{Transport: w, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// RoundTrip sends one request and reads its answer whole.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	w.status, w.body, w.fault = 0, nil, ""
	resp, err := w.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if e := resp.Body.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if len(body) > maxAnswer {
		body, w.fault = nil, "the answer is over 1 MiB"
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		w.fault = "the server sends the call elsewhere: set baseURL to where it is"
	}
	w.status, w.body = resp.StatusCode, body
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Del("Content-Length")
	// Both kits obey this header before they look at the status.
	resp.Header.Set("X-Should-Retry", strconv.FormatBool(w.fault == "" && passing(req.Context(), resp)))
	return resp, nil
}

// passing says whether a fault may be gone before the call has to end.
func passing(ctx context.Context, resp *http.Response) bool {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500 {
		return false
	}
	end, ok := ctx.Deadline()
	wait, err := strconv.ParseFloat(resp.Header.Get("Retry-After"), 64)
	return !ok || err != nil || wait < time.Until(end).Seconds()
}

// explain is the error of a call in words of ours: nothing that a kit says of a
// request stands in it, since a kit may show the whole of it.
func (w *wire) explain(ctx context.Context, err error) error {
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case w.fault != "":
		return failed(w.fault)
	case w.status == 0 && err != nil:
		return quoted("the connection to the server failed", w.quote(inner(err).Error()))
	case w.status == http.StatusUnauthorized, w.status == http.StatusForbidden:
		if w.key == "" {
			return failed(fmt.Sprintf("the server wants a key (%d)", w.status))
		}
		return failed(fmt.Sprintf("the server refuses the key (%d)", w.status))
	case w.status >= 400:
		return quoted(fmt.Sprintf("the server answers %d", w.status), w.quote(w.said()))
	case err != nil:
		return failed("the server's answer cannot be read")
	}
	return nil
}

func (w *wire) quote(text string) string { return quote(text, w.key) }

// inner is an error without the address that net/http puts before it.
func inner(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// said is the sentence in the last answer's body, as the servers there are put it:
// {"error":{"message":""}}, {"error":""}, {"message":""}, {"detail":[]}, bare text.
func (w *wire) said() string {
	var body struct{ Error, Message, Detail json.RawMessage }
	if err := json.Unmarshal(w.body, &body); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(w.body), []byte("<")) {
			return "" // a page for a browser
		}
		return string(w.body)
	}
	return cmp.Or(sentence(body.Error), sentence(body.Message), sentence(body.Detail))
}

func sentence(raw json.RawMessage) string {
	var nested struct{ Message string }
	var plain string
	switch {
	case json.Unmarshal(raw, &plain) == nil:
		return plain
	case json.Unmarshal(raw, &nested) == nil && nested.Message != "":
		return nested.Message
	}
	return string(raw)
}

// objects says whether the server refused the request itself, with 400 or with 422 as
// some servers do, and for one of the words. One that does not say why counts: asking
// again in another way costs no tokens.
func (w *wire) objects(words ...string) bool {
	if w.status != http.StatusBadRequest && w.status != http.StatusUnprocessableEntity {
		return false
	}
	said := strings.ToLower(w.said())
	return strings.TrimSpace(said) == "" || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(said, word) })
}

// noSchema says whether the server refused the request for its schema.
func (w *wire) noSchema() bool {
	return w.objects("schema", "response_format", "output_config", "output_format", "json_object", "structured", "grammar")
}
