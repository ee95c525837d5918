package repo

import (
	"cmp"
	"slices"
	"strings"

	"quipu/repo/internal/side"
)

// Origin is where a note came from, as a person tells such things apart.
type Origin string

// The origins.
const (
	FromChat    Origin = "chat"    // the bot wrote it down in a chat
	FromRoom    Origin = "room"    // the bot wrote it down in a room
	FromCapture Origin = "capture" // upkeep noticed it after a chat
	FromPanel   Origin = "panel"
	FromCLI     Origin = "cli"
	FromAPI     Origin = "api"     // over HTTP or MCP, without a chat being named
	FromOutside Origin = "outside" // written into the files without quipu, taken in or not yet
	FromImport  Origin = "import"
	FromUpkeep  Origin = "upkeep"
	FromSync    Origin = "sync"
	FromBot     Origin = "bot" // the bot, with no place said
)

// originOf is the origin of what a change taught first.
func originOf(t side.Teacher) Origin {
	kind, via := AuthorKind(t.Kind), cmp.Or(Via(t.Via), ViaDisk)
	switch {
	case kind == Import:
		return FromImport
	case Action(t.Action) == ActCapture:
		return FromCapture
	case kind == Person && via == ViaDisk:
		return FromOutside
	}
	if from, ok := doorOrigin[via]; ok {
		return from
	}
	if from, ok := kindOrigin[kind]; ok {
		return from
	}
	switch place, _, _ := strings.Cut(t.Source, " "); place {
	case "room":
		return FromRoom
	case "chat", "thread":
		return FromChat
	}
	if via == ViaAPI || via == ViaMCP {
		return FromAPI
	}
	return FromBot
}

// Some doors, and some authors, say all about where a note came from.
var (
	doorOrigin = map[Via]Origin{
		ViaImport: FromImport, ViaCapture: FromCapture, ViaSync: FromSync, ViaUI: FromPanel, ViaCLI: FromCLI,
	}
	kindOrigin = map[AuthorKind]Origin{Upkeep: FromUpkeep, Sync: FromSync}
)

// ranked lists the origins that have notes, the most first.
func ranked(counts map[Origin]int) (list []FactStat, all int) {
	list = []FactStat{}
	for from, n := range counts {
		if n > 0 {
			list = append(list, FactStat{from, n})
			all += n
		}
	}
	slices.SortFunc(list, func(a, b FactStat) int {
		return cmp.Or(b.Entries-a.Entries, strings.Compare(string(a.From), string(b.From)))
	})
	return list, all
}
