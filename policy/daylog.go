package policy

import (
	"strings"
	"time"
	"unicode/utf8"
)

// LogDir is where the day logs lie.
const LogDir = "memory/log/"

const maxLogRunes = 600 // characters of one line's text

// LogPath returns the day log of a moment, by the day of its own zone.
func LogPath(at time.Time) string { return LogDir + at.Format(time.DateOnly) + ".md" }

// LogLine returns one line of a day log: `- 14:03 · from chat "Deploy" · shipped`.
// The text is folded to one line and cut at 600 characters; it is "" when the text
// is blank.
func LogLine(at time.Time, source, text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if text == "" {
		return ""
	}
	if utf8.RuneCountInString(text) > maxLogRunes {
		text = string([]rune(text)[:maxLogRunes-1]) + "…"
	}
	source = strings.Join(strings.Fields(strings.ReplaceAll(source, "·", "-")), " ")
	if source != "" {
		source = "from " + source + " · "
	}
	return "- " + at.Format("15:04") + " · " + source + text
}

// Quoted is a text as it may stand on one line of a prompt: folded, cut at so many
// characters, and without back-ticks that could open a block.
func Quoted(text string, runes int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	text = strings.ReplaceAll(text, "```", "'''")
	if utf8.RuneCountInString(text) > runes {
		text = string([]rune(text)[:runes-1]) + "…"
	}
	return text
}
