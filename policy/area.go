package policy

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Area is one of the five parts of a memory that is kept by Otto's rules ("How memory
// works"). Each is a topic of its name.
type Area string

// The areas, in their order.
const (
	AreaAbout       Area = "about"       // who the owner is
	AreaPreferences Area = "preferences" // how they want things done
	AreaPeople      Area = "people"      // who they deal with
	AreaRoutines    Area = "routines"    // procedures that come again, as they told them
	AreaLessons     Area = "lessons"     // corrections, and what to avoid
)

// Areas lists the areas in their order.
func Areas() []Area {
	return []Area{AreaAbout, AreaPreferences, AreaPeople, AreaRoutines, AreaLessons}
}

// Valid reports whether there is such an area.
func (a Area) Valid() bool { return slices.Contains(Areas(), a) }

// Path is the topic's file of an area.
func (a Area) Path() string { return topicDir + string(a) + ".md" }

// AreaOf is the area that a file holds.
func AreaOf(path string) (Area, bool) {
	a := Area(strings.TrimSuffix(strings.TrimPrefix(path, topicDir), ".md"))
	return a, a.Valid() && a.Path() == path
}

// SplitAddress takes area/slug apart. ok is false for what is no address.
func SplitAddress(address string) (a Area, slug string, ok bool) {
	area, slug, found := strings.Cut(address, "/")
	return Area(area), slug, found && Area(area).Valid() && ValidSlug(slug)
}

// The limits of the five areas together, by Otto's rules.
const (
	MaxAreaEntries   = 300
	MaxAreaTextRunes = 600       // characters of one entry's text
	MaxAreaBytes     = 256 << 10 // bytes of the five files
)

// CheckAreaLimits returns a *Refusal with Refused that names the limit which is passed:
// the number of entries of all areas, the bytes of their files, or the characters of one
// of the texts.
func CheckAreaLimits(entries, bytes int, texts ...string) error {
	for _, text := range texts {
		if n := utf8.RuneCountInString(text); n > MaxAreaTextRunes {
			return refuse(Refused, "the text has %d characters, and the rule of the areas allows %d: keep one fact, or split it", n, MaxAreaTextRunes)
		}
	}
	switch {
	case entries > MaxAreaEntries:
		return refuse(Refused, "%d entries, and the rule of the areas allows %d over all five: forget some first", entries, MaxAreaEntries)
	case bytes > MaxAreaBytes:
		return refuse(Refused, "%d bytes, and the rule of the areas allows %d over all five: forget some first", bytes, MaxAreaBytes)
	}
	return nil
}
