package model

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestQuote(t *testing.T) {
	tests := map[string]struct{ text, key, want string }{
		"plain":             {"no such model", testKey, "no such model"},
		"no key":            {"no such model", "", "no such model"},
		"whole":             {"key " + testKey + " is bad", testKey, "key [key] is bad"},
		"its beginning":     {"key " + testKey[:10] + "*** is bad", testKey, "key [key]*** is bad"},
		"its end":           {"..." + testKey[15:], testKey, "...[key]"},
		"twice":             {testKey + testKey, testKey, "[key][key]"},
		"too little of it":  {"sk-test", testKey, "sk-test"},
		"short key":         {"the key is abc.", "abc", "the key is [key]."},
		"lines":             {"a\r\n\tb\x1b[31m\u200b c", "", "a b [31m c"},
		"not UTF-8":         {"a\xffb", "", "ab"},
		"long":              {strings.Repeat("ä", 300), "", strings.Repeat("ä", maxQuote) + "…"},
		"key at the border": {strings.Repeat("a", maxQuote-3) + testKey, testKey, strings.Repeat("a", maxQuote-3) + "[ke…"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := quote(tt.text, tt.key); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzQuote: a quote is short, valid, one line, and never shows a part of the key.
func FuzzQuote(f *testing.F) {
	f.Add("bad "+testKey, testKey)
	f.Add("aaaaaaaaaaaaaaaa", "aaaaaaaa")
	f.Add("\xff\n", "\xff")
	f.Fuzz(func(t *testing.T, text, key string) {
		got := quote(text, key)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r") || utf8.RuneCountInString(got) > maxQuote+1 {
			t.Errorf("quote(%q, %q) = %q", text, key, got)
		}
		if strings.Contains(key, "[") || strings.Contains(key, "]") || len(key) < keyPart {
			return // the mark itself may look like it
		}
		for i := range len(key) - keyPart + 1 {
			if strings.Contains(got, key[i:i+keyPart]) {
				t.Errorf("quote(%q, %q) = %q shows the key", text, key, got)
			}
		}
	})
}
