package policy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
)

// Settle keeps MEMORY.md within the limits after an update: it is the step that
// follows every managed write. n holds the notes as they were before o, with the
// archive if there is one. When entries must move, o comes back with the edit of
// the archive before all others, and with Moved. When nothing may move, or the
// archive has no room for what would, the update stays as it is, Truncated says
// that part of the file will not load, and ArchiveFull says why. The error is a
// *Refusal, and only when MEMORY.md itself would be larger than MaxFileBytes.
func Settle(o Outcome, n Notes, l Limits, today markdown.Date) (Outcome, error) {
	at := slices.IndexFunc(o.Edits, func(e Edit) bool { return e.Path == MemoryFile })
	if at < 0 {
		return o, nil
	}
	f := markdown.Parse(MemoryFile, o.Edits[at].Text)
	fitted := l.Fit(f, o.Line, today)
	o.Truncated = fitted.Truncated
	if len(fitted.Moved) == 0 {
		return o, tooLarge(o.Edits[at])
	}
	archive, ok := grown(n.Files[ArchiveFile], fitted.Archive)
	if !ok {
		o.Truncated, o.ArchiveFull = true, len(archive) > MaxFileBytes
		return o, tooLarge(o.Edits[at])
	}
	edits := slices.Clone(o.Edits)
	edits[at].Text = fitted.Memory
	o.Moved = fitted.Moved
	o.Edits = append([]Edit{{Path: ArchiveFile, Text: archive}}, edits...)
	o.Line = fitted.Line
	return o, tooLarge(edits[at])
}

// tooLarge returns a *Refusal when a file would pass MaxFileBytes.
func tooLarge(e Edit) error {
	if len(e.Text) <= MaxFileBytes {
		return nil
	}
	return refuse(Refused, "%s would have %d bytes, %d is the limit", e.Path, len(e.Text), MaxFileBytes)
}

// grown returns the archive with entries at its end. It is false when that is
// too large, or when an open fence in the archive would swallow one of them.
func grown(archive []byte, entries []string) ([]byte, bool) {
	if !fenced(archive) {
		return grownPlain(archive, entries)
	}
	f := markdown.Parse(ArchiveFile, archive)
	text := f.Append(strings.Join(entries, "\n"))
	if len(text) > MaxFileBytes {
		return text, false
	}
	after := markdown.Parse(ArchiveFile, text).Units()
	if len(after) != len(f.Units())+len(entries) || !sameUnits(f.Units(), after[:len(f.Units())]) {
		return text, false
	}
	for _, u := range after[len(f.Units()):] {
		if u.Entry == nil {
			return text, false
		}
	}
	return text, true
}

func fenced(text []byte) bool {
	return bytes.Contains(text, []byte("```")) || bytes.Contains(text, []byte("~~~"))
}

// grownPlain is grown for an archive without a fence: nothing in it reaches into what
// follows, so only the entries are read, however long the archive is.
func grownPlain(archive []byte, entries []string) ([]byte, bool) {
	eol := "\n"
	if crlf := bytes.Count(archive, []byte("\r\n")); 2*crlf > bytes.Count(archive, []byte("\n")) {
		eol = "\r\n"
	}
	added := strings.Join(entries, "\n") + "\n"
	if units := markdown.Parse(ArchiveFile, []byte(added)).Units(); len(units) != len(entries) ||
		slices.ContainsFunc(units, func(u markdown.Unit) bool { return u.Entry == nil }) {
		return archive, false
	}
	text := slices.Clip(archive)
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text = append(text, eol...)
	}
	text = append(text, strings.ReplaceAll(added, "\n", eol)...)
	return text, len(text) <= MaxFileBytes
}

const (
	namedMoves = 3  // moved entries that a message quotes
	quoteRunes = 80 // characters of each
)

// Message returns one plain line for the bot: what made room, that it can be
// added back, whether the file must be trimmed, and what was masked. It is ""
// when there is nothing to tell.
func (o Outcome) Message(l Limits) string {
	l = l.set()
	var parts []string
	if len(o.Moved) > 0 {
		parts = append(parts, movedMessage(o.Moved))
	}
	switch {
	case o.ArchiveFull:
		parts = append(parts, fmt.Sprintf("Saved, but MEMORY.md is past its %d lines or %d bytes and memory/archive.md is full: the end of MEMORY.md does not load. "+
			"Please trim MEMORY.md, and shorten the archive.", l.Lines, l.Bytes))
	case o.Truncated:
		parts = append(parts, fmt.Sprintf("Saved, but MEMORY.md is past its %d lines or %d bytes and only lines that never move are left: its end does not load. "+
			"Please trim MEMORY.md.", l.Lines, l.Bytes))
	}
	if o.Kept != "" {
		parts = append(parts, fmt.Sprintf("Kept as its own entry, as still true: %q.", shortened(factOf(o.Kept))))
	}
	if o.Redacted > 0 {
		parts = append(parts, counted(o.Redacted, "place that looked like a credential was", "places that looked like credentials were")+" masked before saving.")
	}
	return strings.Join(parts, " ")
}

func movedMessage(entries []string) string {
	var quoted []string
	for _, raw := range entries[:min(len(entries), namedMoves)] {
		quoted = append(quoted, fmt.Sprintf("%q", shortened(factOf(raw))))
	}
	list := strings.Join(quoted, ", ")
	if more := len(entries) - len(quoted); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("To make room, %s moved to memory/archive.md: %s. Add back what should stay loaded.", counted(len(entries), "entry", "entries"), list)
}

// factOf returns the fact that a unit's raw text states, on one line.
func factOf(raw string) string {
	text := raw
	if units := markdown.Parse("", []byte(raw)).Units(); len(units) > 0 && units[0].Entry != nil {
		text = units[0].Entry.Text
	}
	return strings.Join(strings.Fields(handBullet.ReplaceAllString(text, "")), " ")
}

// shortened cuts a text at quoteRunes characters.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= quoteRunes {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:quoteRunes-1]), " ") + "…"
}
