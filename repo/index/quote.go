package index

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fence and its stand-in: a code block that opens in a passage would swallow the
// rest of the block.
const fence, fenceShown = "```", "'''"

// oneLine returns a text as it stands in the block: on one line, without the marks
// of the block's frame, its other frame-like tags made harmless.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	var kept []string
	for line := range strings.FieldsFuncSeq(text, isBreak) {
		if line = strings.TrimSpace(strings.Map(visible, line)); line != "" {
			kept = append(kept, line)
		}
	}
	// Fences last: a mark that is taken out may have stood between back-ticks.
	return strings.TrimSpace(strings.ReplaceAll(untagged(strings.Join(kept, " … ")), fence, fenceShown))
}

// isBreak reports a character at which some reader begins a new line.
func isBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}

// visible drops the characters that are not seen but can hide a tag, and turns
// tabs into blanks.
func visible(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c':
		return -1
	}
	return r
}

// frameTags are what the tags begin with by which a prompt is framed.
var frameTags = []string{
	"memory", "note", "topic", "directive", "brief", "system", "assistant", "user", "human", "developer", "instruction", "tool", "function",
	"context", "prompt", "im_", "inst", "s>", "bos", "eos", "endof", "start", "end_", "turn", "message", "admin", "think", "|",
}

// chatMarks are what stands behind the bracket of [INST] and its like.
var chatMarks = []string{"inst]", "system]"}

// ownTag is what the marks of the block's own frame begin with.
const ownTag = "recall"

// untagged returns text in which nothing reads as a tag of a frame. The marks of
// the block are taken out, as often as taking one out makes another; the < of
// other tags is written &lt;.
func untagged(text string) string {
	if !strings.ContainsAny(text, "<＜﹤‹[") {
		return text
	}
	for {
		next := cutOwn(text)
		if next == text {
			break
		}
		text = next
	}
	var b strings.Builder
	for i, r := range text {
		after := text[i+utf8.RuneLen(r):]
		switch {
		case isAngle(r) && hasAnyPrefix(tagName(after), frameTags):
			b.WriteString("&lt;")
		case r == '[' && hasAnyPrefix(tagName(after), chatMarks):
			b.WriteString("&#91;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isAngle(r rune) bool { return r == '<' || r == '＜' || r == '﹤' || r == '‹' }

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// cutOwn takes out the first mark of the block's own frame, up to its > or, when
// it has none, its name alone.
func cutOwn(text string) string {
	for i, r := range text {
		after := i + utf8.RuneLen(r)
		if !isAngle(r) || !strings.HasPrefix(tagName(text[after:]), ownTag) {
			continue
		}
		end := strings.IndexFunc(text[after:], func(r rune) bool { return r == '>' || r == '＞' || r == '﹥' || r == '›' })
		if end < 0 {
			return text[:i] + text[after:]
		}
		_, size := utf8.DecodeRuneInString(text[after+end:])
		return text[:i] + text[after+end+size:]
	}
	return text
}

// tagName returns the first letters behind a < as they read: folded, without
// blanks and slashes.
func tagName(after string) string {
	const window = 48
	name := fold(cut(after, window))
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '/' || r == '\\' || r == '⁄' || r == '∕' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
}
