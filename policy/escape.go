package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// frameWords are what the tags of a prompt begin with: the block's own, and the
// ones with which models are told who speaks.
var frameWords = []string{
	"memory", "notes", "note", "topics", "directives", "recall", "brief", "system", "assistant", "user", "human", "developer", "instruction",
	"tool", "function", "context", "prompt", "im_", "inst", "s>", "bos", "eos", "endof", "startof", "start_", "end_", "turn", "message", "admin", "think",
}

// escaped returns text in which no tag of a prompt's frame stands as such: the
// < of it is written &lt;, whatever its case, invisible characters, blanks or
// full-width letters inside. Other angle brackets, as in code, stay.
func escaped(text string) string {
	if !strings.ContainsAny(text, "<＜﹤[‹") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		after := text[i+size:]
		switch {
		case (r == '<' || r == '＜' || r == '﹤') && framed(after):
			b.WriteString("&lt;")
		case r == '[' && instMark(after):
			b.WriteString("&#91;")
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// framed reports whether what follows a < makes it a tag of a frame.
func framed(after string) bool {
	start := strings.TrimLeft(after, " \t\r\n/\\")
	if start == "" || start[0] < utf8.RuneSelf && start[0] != '|' && !alnum(start[0]) {
		return false
	}
	name := tagName(after)
	if strings.HasPrefix(name, "|") {
		return true // <|im_start|> and its like
	}
	for _, word := range frameWords {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// instMark reports whether what follows a [ makes it [INST] or [/INST].
func instMark(after string) bool {
	name := tagName(after)
	return strings.HasPrefix(name, "inst]") || strings.HasPrefix(name, "system]")
}

// tagName returns the first letters of a tag as they read: folded, without
// invisible characters, blanks and slashes.
func tagName(after string) string {
	const window = 64
	if len(after) > window {
		after = after[:window]
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '/' || r == '\\' || r == '⁄' || r == '∕' || r == '／' || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, fold(after).text)
	return name
}
