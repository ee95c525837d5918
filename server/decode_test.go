package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestDecode(t *testing.T) {
	const typed = "application/json"
	tests := []struct {
		name, kind, body, want string
	}{
		{"right", typed, `{"text":"a","flag":true}`, ""},
		{"charset", "application/json; charset=UTF-8", `{"text":"a"}`, ""},
		{"null is left out", typed, `{"text":"a","flag":null}`, ""},
		{"whole character by two escapes", typed, `{"text":"\ud83d\ude00"}`, ""},
		{"backslash before u", typed, `{"text":"\\ud83d"}`, ""},
		{"no type", "", `{"text":"a"}`, "send JSON with Content-Type: application/json, in UTF-8 and not compressed"},
		{"plain text", "text/plain", `{"text":"a"}`, "send JSON with Content-Type: application/json, in UTF-8 and not compressed"},
		{"form", "application/x-www-form-urlencoded", `text=a`, "send JSON with Content-Type: application/json, in UTF-8 and not compressed"},
		{"JSON by another name", "application/jsonp", `{"text":"a"}`, "send JSON with Content-Type: application/json, in UTF-8 and not compressed"},
		{"Latin charset", "application/json; charset=latin1", `{"text":"a"}`, "send JSON with Content-Type: application/json, in UTF-8 and not compressed"},
		{"empty", typed, ``, "the body is not valid JSON"},
		{"cut short", typed, `{"text":"a"`, "the body is not valid JSON"},
		{"two values", typed, `{"text":"a"}{"text":"b"}`, "the body is not valid JSON"},
		{"list", typed, `["a"]`, "the body must be a JSON object"},
		{"null", typed, `null`, "the body must be a JSON object"},
		{"number for text", typed, `{"text":42}`, "text must be a string"},
		{"null for text", typed, `{"text":null}`, "text must be a string"},
		{"no text", typed, `{}`, "text must be a string"},
		{"text for flag", typed, `{"text":"a","flag":"yes"}`, "flag must be true or false"},
		{"unknown", typed, `{"text":"a","txet":"b"}`, `unknown field "txet"; the fields are text, flag`},
		{"other case", typed, `{"Text":"a"}`, `unknown field "Text"; the fields are text, flag`},
		{"twice", typed, `{"text":"a","text":"b"}`, `field "text" stands twice`},
		{"not UTF-8", typed, "{\"text\":\"\xff\"}", "the text is not valid UTF-8"},
		{"half a character", typed, `{"text":"\ud83d"}`, "the text is not valid UTF-8"},
		{"halves in the wrong order", typed, `{"text":"\ude00\ud83d"}`, "the text is not valid UTF-8"},
		{"half, then another escape", typed, `{"text":"\ud83d\u0041"}`, "the text is not valid UTF-8"},
		{"half, then its other half too late", typed, `{"text":"\ud83dx\ude00"}`, "the text is not valid UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(tt.body))
			if tt.kind != "" {
				r.Header.Set("Content-Type", tt.kind)
			}
			var s string
			var f *bool
			err := decode(httptest.NewRecorder(), r, mustText("text", &s), flag("flag", &f))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeRefusesCompressed(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(`{}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Content-Encoding", "gzip")
	p, ok := decode(httptest.NewRecorder(), r).(*problem) //nolint:errorlint // decode gives it unwrapped
	if !ok || p.status != http.StatusUnsupportedMediaType {
		t.Errorf("got %v, want 415", p)
	}
}

func TestDecodeStopsAtOneMebibyte(t *testing.T) {
	for size, want := range map[int]int{maxBody: 0, maxBody + 1: http.StatusRequestEntityTooLarge} {
		text := `{"text":"` + strings.Repeat("x", size-len(`{"text":""}`)) + `"}`
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(text))
		r.Header.Set("Content-Type", "application/json")
		var s string
		got := 0
		if p, ok := decode(httptest.NewRecorder(), r, mustText("text", &s)).(*problem); ok { //nolint:errorlint // decode gives it unwrapped
			got = p.status
		}
		if got != want {
			t.Errorf("%d bytes: got %d, want %d", size, got, want)
		}
	}
}

func FuzzLoneSurrogate(f *testing.F) {
	f.Add(`"\ud83d\ude00"`)
	f.Add(`"\\ud83d"`)
	f.Add(`"\ud83d\ud83d\ude00"`)
	f.Add(`"\u0041\\\udc00"`)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Contains(text, "\ufffd") || strings.Contains(strings.ToLower(text), `\ufffd`) {
			t.Skip() // the sign by which the standard library marks a half is there already
		}
		var s string
		if json.Unmarshal([]byte(text), &s) != nil {
			t.Skip()
		}
		if got, want := loneSurrogate([]byte(text)), strings.Contains(s, "\ufffd"); got != want {
			t.Errorf("loneSurrogate(%s) = %v, want %v", text, got, want)
		}
	})
}

func FuzzObject(f *testing.F) {
	f.Add([]byte(`{"a":1,"b":[{}]}`))
	f.Add([]byte(`{"a":1,"a":2}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		given, err := object(data)
		if err != nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatalf("%q was taken, but is no object: %v", data, err)
		}
		if len(given) != len(want) {
			t.Errorf("%q: got %d fields, want %d", data, len(given), len(want))
		}
	})
}
