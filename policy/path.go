package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"quipu/markdown"
)

// The files of a workspace and the sizes that bound them.
const (
	MemoryFile    = "MEMORY.md"         // what is loaded every turn
	AboutFile     = "ABOUT.md"          // what is known about the person
	ArchiveFile   = "memory/archive.md" // notes that were moved out of MEMORY.md
	MaxFileBytes  = 256 << 10           // bytes of one memory file
	MaxEntryRunes = 1000                // characters of one entry, as given
	MaxEntryLines = 20                  // lines of one entry, as given
	MaxLines      = 200                 // lines of MEMORY.md that are loaded
	MaxBytes      = 24000               // bytes of MEMORY.md that are loaded
)

const (
	topicDir       = "memory/"
	logDir         = "memory/log/"
	maxStemRunes   = 200 // characters before .md
	maxNameBytes   = 255 // what common file systems take for one name
	maxTopicLetter = 40  // characters of a name made from free words
)

// PathKind says what a memory path is.
type PathKind uint8

// The kinds of path that CheckPath knows.
const (
	Memory  PathKind = iota // MEMORY.md
	About                   // ABOUT.md
	Topic                   // memory/<topic>.md
	Archive                 // memory/archive.md
	Log                     // memory/log/YYYY-MM-DD.md
)

// PathError says that a path or a name is refused, and by which rule. Path is
// what the caller gave, never a place on the server's disk.
type PathError struct{ Path, Rule string }

// Error names the rule alone: what was asked for may be hostile text.
func (e *PathError) Error() string { return "path refused: " + e.Rule }

func refusePath(path, rule string) error { return &PathError{Path: path, Rule: rule} }

// CheckPath returns the kind of a path inside a workspace, or a *PathError.
// Accepted are MEMORY.md, ABOUT.md, memory/<topic>.md, memory/archive.md and
// memory/log/YYYY-MM-DD.md, spelled exactly so; nothing is cleaned or decoded.
func CheckPath(path string) (PathKind, error) {
	switch path {
	case MemoryFile:
		return Memory, nil
	case AboutFile:
		return About, nil
	case ArchiveFile:
		return Archive, nil
	}
	if name, ok := strings.CutPrefix(path, logDir); ok {
		day, md := strings.CutSuffix(name, ".md")
		if _, real := markdown.ParseDate(day); md && real {
			return Log, nil
		}
		return 0, refusePath(path, "a day log is memory/log/YYYY-MM-DD.md")
	}
	name, ok := strings.CutPrefix(path, topicDir)
	if !ok {
		return 0, refusePath(path, "only MEMORY.md, ABOUT.md and files in memory/ are memory")
	}
	if rule := topicRule(name); rule != "" {
		return 0, refusePath(path, rule)
	}
	return Topic, nil
}

// CheckNote is CheckPath for the files of a bot alone: About me is none of them.
func CheckNote(path string) (PathKind, error) {
	kind, err := CheckPath(path)
	if err == nil && kind == About {
		err = refusePath(path, "only MEMORY.md and files in memory/ are a bot's memory")
	}
	return kind, err
}

// ValidTopic reports whether name may be a topic file inside memory/, such as
// "café.md". The archive is not a topic.
func ValidTopic(name string) bool { return topicRule(name) == "" }

// topicRule names the rule that a topic's file name breaks, "" when it breaks
// none. Emoji and a leading dash are allowed: people have such notes, and a
// path always starts with memory/, so a dash is never taken for a flag.
func topicRule(name string) string {
	if rule := charRule(name); rule != "" {
		return rule
	}
	stem, ok := strings.CutSuffix(name, ".md")
	switch {
	case !ok:
		return "a memory file ends in .md, in lower case"
	case stem == "":
		return "a topic needs a name before .md"
	case len(name) > maxNameBytes || utf8.RuneCountInString(stem) > maxStemRunes:
		return "a topic name has at most 200 characters and 255 bytes"
	case strings.HasPrefix(stem, ".") || strings.HasPrefix(stem, " "):
		return "a topic name starts with no dot or space"
	case strings.HasSuffix(stem, ".") || strings.HasSuffix(stem, " "):
		return "a topic name has no dot or space before .md"
	case strings.HasSuffix(strings.ToLower(stem), ".md"):
		return "a topic name has .md once"
	case deviceName(stem):
		return "a topic name is no device name"
	case SameName(name, "archive.md"):
		return "archive.md is the archive, not a topic"
	}
	return ""
}

// charRule names the rule that a character of name breaks.
func charRule(name string) string {
	if !utf8.ValidString(name) {
		return "a name is valid UTF-8"
	}
	for i, r := range name {
		switch {
		case r == '/' || r == '\\':
			return "a topic lies directly in memory/, with no folder in its name"
		case i == 0 && unicode.IsMark(r):
			return "a topic name starts with a letter, digit, dash, underscore or symbol"
		case !nameRune(r):
			return "a name has letters, digits, spaces, dots, dashes and underscores only"
		}
	}
	return ""
}

// nameRune reports whether r may stand in a topic name. Controls, bidirectional
// marks, line separators and what Windows forbids are all outside the list.
func nameRune(r rune) bool {
	switch {
	case r == '_' || r == ' ' || r == '.' || r == '-':
		return true
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.Is(unicode.No, r) || unicode.Is(unicode.Nl, r):
		return r != 0x3164 && r != 0xFFA0 && r != 0x115F && r != 0x1160 // letters that show nothing
	}
	return r > unicode.MaxASCII && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r))
}

// deviceName reports whether Windows would open a device for a file so named:
// what counts is the part before the first dot, in any case.
func deviceName(stem string) bool {
	base, _, _ := strings.Cut(stem, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, ok := strings.CutPrefix(base, "COM")
	if !ok {
		port, ok = strings.CutPrefix(base, "LPT")
	}
	return ok && utf8.RuneCountInString(port) == 1 && strings.ContainsAny(port, "0123456789¹²³")
}

// TopicFile returns the path of the topic that name means: "Food & Drink" is
// memory/food-drink.md. A topic path, or a file name that ends in .md and is
// valid, is kept as it is. It returns a *PathError for a name with no letter or
// digit and for the names archive, memory and log, which mean other things.
func TopicFile(name string) (string, error) {
	file := strings.TrimPrefix(name, topicDir)
	if !strings.HasSuffix(file, ".md") || !ValidTopic(file) && !SameName(file, "archive.md") {
		slug := topicSlug(name)
		if slug == "" {
			return "", refusePath(name, "a topic name needs a letter or digit")
		}
		file = slug + ".md"
	}
	for _, taken := range []string{"archive.md", "memory.md", "log.md"} {
		if SameName(file, taken) {
			return "", refusePath(name, "archive, memory and log are no topic names")
		}
	}
	if rule := topicRule(file); rule != "" {
		return "", refusePath(name, rule)
	}
	return topicDir + file, nil
}

// topicSlug folds free words to lower-case letters and digits joined by dashes.
func topicSlug(name string) string {
	lower := strings.TrimSuffix(strings.ToLower(norm.NFC.String(strings.ToValidUTF8(name, " "))), ".md")
	words := strings.FieldsFunc(lower, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) || !nameRune(r)
	})
	slug := []rune(strings.Join(words, "-"))
	if len(slug) > maxTopicLetter {
		slug = slug[:maxTopicLetter]
	}
	return strings.Trim(string(slug), "-")
}

const maxIDBytes = 64

// CheckID returns a *PathError unless id can name a bot: 1 to 64 ASCII letters,
// digits, underscores and dashes, not starting with a dash. Two dashes in a row
// are reserved for the layers of members and rooms, and device names are taken.
func CheckID(id string) error {
	switch {
	case id == "" || len(id) > maxIDBytes:
		return refusePath(id, "a bot id has 1 to 64 characters")
	case id[0] == '-':
		return refusePath(id, "a bot id starts with a letter, digit or underscore")
	case strings.Contains(id, "--"):
		return refusePath(id, "two dashes in a row are reserved")
	case deviceName(id):
		return refusePath(id, "a bot id is no device name")
	}
	for i := range len(id) {
		if c := id[i]; !alnum(c) && c != '_' && c != '-' {
			return refusePath(id, "a bot id has letters, digits, underscores and dashes only")
		}
	}
	return nil
}

// SameName reports whether a file system that ignores case and the form of
// accents, as a Mac's does, would take a and b for one name.
func SameName(a, b string) bool {
	return a == b || foldName(a) == foldName(b)
}

func foldName(s string) string { return norm.NFC.String(cases.Fold().String(norm.NFC.String(s))) }

func alnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// TopicOf is the topic whose file a path names, "" for MEMORY.md and every other file.
func TopicOf(path string) string {
	if kind, err := CheckPath(path); err != nil || kind != Topic {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(path, topicDir), ".md")
}
