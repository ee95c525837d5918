package model

import (
	"strings"
	"unicode"
)

const (
	// maxQuote is how many characters of what another side said stand in an error.
	maxQuote = 200
	// keyPart is how many characters of a key in a row are taken for the key: servers
	// like to repeat the half of it.
	keyPart = 8
)

// quote is a text of the other side as it may stand in an error: one line, short, and
// without the key or a part of it.
func quote(text, key string) string {
	text = strings.ToValidUTF8(text[:min(len(text), 20*maxQuote)], "")
	text = strings.Join(strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) }), " ")
	short := []rune(hush(text, key))
	if len(short) > maxQuote {
		return strings.TrimSpace(string(short[:maxQuote])) + "…"
	}
	return string(short)
}

// hush puts [key] in place of each stretch of the text that the key has too.
func hush(text, key string) string {
	if key == "" {
		return text
	}
	part := min(keyPart, len(key))
	var out strings.Builder
	for i := 0; i < len(text); {
		n := 0
		for i+n+part <= len(text) && strings.Contains(key, text[i+n:i+n+part]) {
			n++
		}
		if n > 0 {
			out.WriteString("[key]")
			i += n + part - 1
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}
