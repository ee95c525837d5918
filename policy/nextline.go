package policy

import "strings"

// nextLineValue reads a password that stands alone in the line under its label,
// which ends at i: as the next item of a list, or as a paragraph. It must be one
// word that no prose has.
func nextLineValue(text string, i int) []span {
	window := text[i:min(len(text), i+lineWindow)]
	label, rest, ok := strings.Cut(window, "\n")
	if !ok || strings.Trim(label, "*_`\"':= \t\r") != "" {
		return nil
	}
	line, _, whole := strings.Cut(rest, "\n")
	if !whole && len(window) == lineWindow {
		return nil
	}
	lead := len(line) - len(strings.TrimLeft(line, "->*+` \t"))
	word := strings.TrimRight(line[lead:], "`* \t\r")
	switch {
	case len(word) < minRemnant || strings.ContainsAny(word, " \t|<>«»") || strings.Contains(word, "://"):
		return nil
	case !looksPassword(word) || placeholder(word) || dateRE.MatchString(word) || isCode(word):
		return nil
	}
	start := i + len(label) + 1 + lead
	return []span{{start: start, end: start + len(word)}}
}
