package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// field is one key that a request's body may have: name, what its value must be
// in words, and where the value goes. null is as good as leaving it out, but for
// a field that must be there.
type field struct {
	name, want string
	into       func(json.RawMessage) error
	must       bool
}

func text(name string, into **string) field { return field{name, "a string", setter(into), false} }

func flag(name string, into **bool) field { return field{name, "true or false", setter(into), false} }

func number(name string, into **int) field { return field{name, "a whole number", setter(into), false} }

func mustText(name string, into *string) field { return field{name, "a string", setter(into), true} }

// raw takes any value as it was written: what it must be is checked further down.
func raw(name string, into map[string]any) field {
	return field{name, "a value", func(v json.RawMessage) error {
		into[name] = any(v)
		if string(v) == "null" {
			into[name] = nil
		}
		return nil
	}, false}
}

// texts takes a list of strings.
func texts(name string, into *[]string) field {
	return field{name, "a list of strings", setter(into), false}
}

// strict takes an object, or a list of them, with the keys that T has and no others.
func strict[T any](name, want string, into *T) field {
	return field{name, want, func(v json.RawMessage) error {
		dec := json.NewDecoder(bytes.NewReader(v))
		dec.DisallowUnknownFields()
		err := dec.Decode(into)
		if err != nil && name != "" {
			if _, key, found := strings.Cut(err.Error(), "unknown field "); found {
				return invalid(name + " must be " + want + ", and has an unknown field " + cut(key))
			}
		}
		return err
	}, false}
}

func (f field) needed() field {
	f.must = true
	return f
}

func setter[T any](into *T) func(json.RawMessage) error {
	return func(v json.RawMessage) error { return json.Unmarshal(v, into) }
}

// decode reads a JSON object with these fields and no others. What a person or a
// model mistyped is refused, not dropped: a misspelt expectedHash must not
// overwrite a file.
func decode(w http.ResponseWriter, r *http.Request, fields ...field) error {
	data, err := body(w, r)
	if err != nil {
		return err
	}
	return parse(data, fields...)
}

// parse is decode for a text that was read already.
func parse(data []byte, fields ...field) error {
	given, err := object(data)
	if err != nil {
		return err
	}
	for name := range given {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			return invalid(fmt.Sprintf("unknown field %q; the fields are %s", cut(name), names(fields)))
		}
	}
	for _, f := range fields {
		v, ok := given[f.name]
		if f.must && (!ok || string(v) == "null") {
			return invalid(f.name + " must be " + f.want)
		}
		if ok {
			err := f.into(v)
			if p, own := errors.AsType[*problem](err); own {
				return p
			}
			if err != nil {
				return invalid(f.name + " must be " + f.want)
			}
		}
	}
	return nil
}

// noBody refuses what a route without a body was sent, but for an empty object,
// which some clients always send.
func noBody(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength == 0 {
		return nil
	}
	return decode(w, r)
}

// body reads a JSON text of at most 1 MiB.
func body(w http.ResponseWriter, r *http.Request) ([]byte, error) { return bodyUpTo(w, r, maxBody) }

// bodyUpTo is body with another limit, in bytes.
func bodyUpTo(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := strings.ToLower(params["charset"])
	if err != nil || kind != "application/json" || (charset != "" && charset != "utf-8") || r.Header.Get("Content-Encoding") != "" {
		return nil, &problem{status: http.StatusUnsupportedMediaType, code: "type", sentence: "send JSON with Content-Type: application/json, in UTF-8 and not compressed"}
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, &problem{status: http.StatusRequestEntityTooLarge, code: "too-large", sentence: fmt.Sprintf("a request holds at most %d MiB", most>>20)}
	}
	if err != nil {
		return nil, invalid("the request ended before its body did")
	}
	if !utf8.Valid(data) || loneSurrogate(data) {
		return nil, invalid("the text is not valid UTF-8")
	}
	return data, nil
}

// object gives an object's values by their keys, spelled exactly so.
func object(data []byte) (map[string]json.RawMessage, error) {
	if !json.Valid(data) {
		return nil, invalid("the body is not valid JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, invalid("the body must be a JSON object")
	}
	given := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, invalid("the body is not valid JSON")
		}
		name := fmt.Sprint(key)
		if _, twice := given[name]; twice {
			return nil, invalid(fmt.Sprintf("field %q stands twice", cut(name)))
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, invalid("the body is not valid JSON")
		}
		given[name] = v
	}
	return given, nil
}

var escape = regexp.MustCompile(`\\(?:u([0-9a-fA-F]{4})|.)`)

// loneSurrogate finds half a character, written as an escape. encoding/json would
// quietly put a replacement character in its place.
func loneSurrogate(data []byte) bool {
	high := -1 // where a high half ended, and its low half must begin
	for _, m := range escape.FindAllSubmatchIndex(data, -1) {
		code := uint64(0)
		if m[2] >= 0 {
			code, _ = strconv.ParseUint(string(data[m[2]:m[3]]), 16, 16) // four hex digits
		}
		low := code >= 0xDC00 && code <= 0xDFFF
		if low != (high >= 0 && high == m[0]) {
			return true
		}
		if high >= 0 && high != m[0] {
			return true
		}
		high = -1
		if code >= 0xD800 && code <= 0xDBFF {
			high = m[1]
		}
	}
	return high >= 0
}

func names(fields []field) string {
	if len(fields) == 0 {
		return "none"
	}
	list := make([]string, 0, len(fields))
	for _, f := range fields {
		list = append(list, f.name)
	}
	return strings.Join(list, ", ")
}

// cut keeps a made-up name from filling the answer.
func cut(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// query is the part of an address behind the question mark.
type query struct{ url.Values }

// queryOf reads it strictly: what is encoded wrongly or stands twice is refused,
// not guessed.
func queryOf(r *http.Request) (query, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return query{}, invalid("the query is not encoded as it must be")
	}
	for name, list := range values {
		if len(list) > 1 {
			return query{}, invalid(fmt.Sprintf("%q stands twice in the query", cut(name)))
		}
		if !utf8.ValidString(list[0]) {
			return query{}, invalid("the query is not valid UTF-8")
		}
	}
	return query{values}, nil
}

// only refuses what a route that acts does not know: a misspelt dryRun must not run.
func (q query) only(names ...string) error {
	for name := range q.Values {
		if !slices.Contains(names, name) {
			return invalid(fmt.Sprintf("the query has no %q here", cut(name)))
		}
	}
	return nil
}

// number is a whole number of at least low, taken down to high; other when it is not
// given.
func (q query) number(name string, other, low, high int) (int, error) {
	if !q.Has(name) {
		return other, nil
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil {
		return 0, invalid(name + " must be a whole number")
	}
	if n < low {
		return 0, invalid(fmt.Sprintf("%s must be at least %d", name, low))
	}
	return min(n, high), nil
}

// flag is true or false, false when it is not given.
func (q query) flag(name string) (bool, error) {
	switch q.Get(name) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, invalid(name + " must be true or false")
}
