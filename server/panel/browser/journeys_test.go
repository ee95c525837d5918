package browser

import (
	"net/http"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo"
)

// taught is a house in which the bot knows one thing.
func taught(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	h.teach(policy.Update{Text: "The office is in Pune"}, `chat "Plans"`)
	return h
}

// journey is what the panel is for: from the link to an entry, its edit, the journal, the undo.
func journey(w *tab) {
	w.t.Helper()
	w.signIn()
	w.shows("Bots", "scout", "(1 %)")
	w.follow("link", "scout")
	w.shows("What scout remembers", "The office is in Pune", `from chat "Plans"`)
	w.follow("link", "Change line *")
	w.shows("Written by", "scout", "History")
	w.fill("Text", "The office is in Mumbai")
	w.follow("button", "Save")
	w.shows("The entry is changed.", "The office is in Mumbai")
	w.follow("link", "Journal")
	w.shows("Ada", "in the panel", "Pune", "Mumbai")
	w.follow("link", "Undo: *")
	w.shows("Take this change back?", "What that does", "Mumbai")
	if text := w.read(policy.MemoryFile); !strings.Contains(text, "Mumbai") {
		w.t.Errorf("asking took it back:\n%s", text)
	}
	w.follow("button", "Take it back")
	w.shows("Taken back, as a change of its own.", "by a later change")
	w.follow("link", "Memory")
	w.shows("The office is in Pune")
	w.hides("Mumbai")
	if text := w.read(policy.MemoryFile); !strings.Contains(text, "The office is in Pune\n") || strings.Contains(text, "Mumbai") {
		w.t.Errorf("the file says\n%s", text)
	}
}

func TestJourney(t *testing.T) {
	t.Parallel()
	journey(taught(t).newTab(t))
}

func TestJourneyWithoutScript(t *testing.T) {
	t.Parallel()
	w := taught(t).newTab(t)
	w.scriptless()
	journey(w)
}

// others are the journeys beside that one: a file made, an entry struck, forgetting.
func others(w *tab) {
	w.t.Helper()
	w.signIn()
	w.visit("/bots/scout/edit?topic=Travel")
	w.fill("memory/travel.md", "# Travel\n\n- Ada flies on Friday\n")
	w.follow("button", "Save")
	w.shows("Saved.", "Ada flies on Friday")
	w.follow("link", "Delete")
	w.shows("can be undone")
	w.follow("button", "Delete it")
	w.shows("The file is deleted.")
	w.follow("link", "Undo")
	w.follow("button", "Take it back")
	if got := w.read("memory/travel.md"); got != "# Travel\n\n- Ada flies on Friday\n" {
		w.t.Errorf("the file came back as %q", got)
	}

	w.visit(w.entry("Pune"))
	w.fill("What is true instead, if anything", "The office is in Delhi")
	w.follow("button", "Strike it through")
	w.shows("Struck through.", "no longer true", "The office is in Delhi")

	w.visit(w.entry("Delhi"))
	w.follow("link", "Forget…")
	w.shows("The office is in Delhi", "It cannot be undone.", "This entry goes")
	w.follow("button", "Forget this entry")
	w.shows("Forgotten", "1 note went from the files")

	w.visit("/bots/scout/forget")
	w.fill("Words", "Friday")
	w.follow("button", "Show what would go")
	w.shows("1 note would go", "Ada flies on Friday")
	if got := w.read("memory/travel.md"); !strings.Contains(got, "Friday") {
		w.t.Error("a look took it out")
	}
	w.follow("button", "Forget it for good")
	w.shows("1 note went from the files", "No bot learns it again")
	if got := w.read("memory/travel.md") + w.read(policy.MemoryFile); strings.Contains(got, "Friday") || strings.Contains(got, "Delhi") {
		w.t.Errorf("left:\n%s", got)
	}

	w.visit("/about")
	w.fill("ABOUT.md", "I live in Pune.\n")
	w.follow("button", "Save")
	w.shows("Saved.", "What changed in it")
	w.follow("button", "Sign out")
	if status := w.meaning(http.StatusUnauthorized).visit("/bots/scout"); status != http.StatusUnauthorized {
		w.t.Errorf("after signing out: %d", status)
	}
}

func TestOtherJourneys(t *testing.T) {
	t.Parallel()
	others(taught(t).newTab(t).meaning(http.StatusUnauthorized))
}

func TestOtherJourneysWithoutScript(t *testing.T) {
	t.Parallel()
	w := taught(t).newTab(t).meaning(http.StatusUnauthorized)
	w.scriptless()
	others(w)
}

// TestSaveOverAnotherWithoutScript: what the page itself says of a conflict, with no script to help.
func TestSaveOverAnotherWithoutScript(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t).meaning(http.StatusConflict)
	w.scriptless()
	clash(w)
}

// clash has the bot write over the API while a person types, and the person choose.
func clash(w *tab) {
	w.t.Helper()
	w.visit("/bots/scout/edit")
	w.fill(policy.MemoryFile, "- mine\n")
	w.update(`{"action":"append","text":"the bot's own"}`)
	if status := w.follow("button", "Save"); status != http.StatusConflict {
		w.t.Fatalf("the save was answered with %d", status)
	}
	w.shows("scout changed this file while you were editing.", "Nothing is saved yet.", "From what it says now to yours")
	if mine, theirs := w.box("Yours"), w.box("As it is now"); mine != "- mine\n" || !strings.Contains(theirs, "the bot's own") {
		w.t.Errorf("the sides are %q and %q", mine, theirs)
	}
	if got := w.read(policy.MemoryFile); strings.Contains(got, "mine") || !strings.Contains(got, "the bot's own") {
		w.t.Errorf("the file was written over:\n%s", got)
	}
	w.follow("button", "Reload")
	if now, draft := w.box(policy.MemoryFile), w.box("Your draft"); !strings.Contains(now, "the bot's own") || draft != "- mine\n" {
		w.t.Errorf("Reload shows %q and the draft %q", now, draft)
	}
	w.fill(policy.MemoryFile, "- mine again\n")
	w.update(`{"action":"append","text":"one more"}`)
	w.follow("button", "Save")
	w.follow("button", "Overwrite with mine")
	w.shows("Saved.", "mine again")
	if got := w.read(policy.MemoryFile); got != "- mine again\n" {
		w.t.Errorf("after Overwrite with mine:\n%s", got)
	}
	rows, err := w.scout.Journal(w.t.Context(), repo.Query{Limit: 2})
	must(w.t, err)
	if rows[0].Actor != "person" || rows[1].Actor != "bot" || !rows[0].CanRevert {
		w.t.Errorf("what was overwritten cannot be had back: %+v", rows)
	}
}
