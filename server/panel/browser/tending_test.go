package browser

import (
	"fmt"
	"strings"
	"testing"

	"quipu/policy"
)

// tend is the journey of upkeep: the plan first, then the run, the report, and an undo.
func tend(w *tab) {
	w.t.Helper()
	w.write(policy.MemoryFile, "# Memory\n\n- 2026-01-01 · The offer stands · until 2026-01-02\n- 2026-01-03 · Ada drinks tea\n- 2026-01-04 · Ada drinks tea\n")
	w.signIn()
	w.visit("/bots/scout/upkeep")
	w.shows("Upkeep is on", "No model is set", "None yet.")
	w.follow("button", "Tidy up now")
	w.shows("What a tidy-up would do", "The offer stands", "Ada drinks tea", "Each change can be undone.")
	if got := w.read(policy.MemoryFile); !strings.Contains(got, "The offer stands") {
		w.t.Fatal("a look at the plan tidied")
	}
	w.follow("button", "Tidy up")
	w.shows("Last tidy-up", "1 expired")
	if got := w.read(policy.MemoryFile); strings.Contains(got, "offer") || strings.Count(got, "tea") != 1 {
		w.t.Errorf("after tidying:\n%s", got)
	}
	if got := w.read(policy.ArchiveFile); !strings.Contains(got, "The offer stands") {
		w.t.Errorf("the archive says\n%s", got)
	}
	w.follow("link", "Undo: *")
	w.follow("button", "Take it back")
	w.shows("Taken back")
}

func TestUpkeep(t *testing.T) {
	t.Parallel()
	tend(newHouse(t).newTab(t))
}

func TestUpkeepWithoutScript(t *testing.T) {
	t.Parallel()
	w := newHouse(t).newTab(t)
	w.scriptless()
	tend(w)
}

// TestFinding goes from a search and from a message that recalls to the note.
func TestFinding(t *testing.T) {
	t.Parallel()
	h := taught(t)
	h.write("memory/acme.md", "---\ntitle: Acme\n---\n- 2026-01-01 · Acme pays its invoices late\n")
	w := h.signedIn(t)
	w.visit("/bots/scout/search")
	w.fill("Words", "invoices")
	w.follow("button", "Search")
	w.shows("Acme pays its invoices late")
	w.visit("/search?q=invoices")
	w.shows("scout", "Acme pays its invoices late")
	w.visit("/bots/scout/recall")
	w.fill("Message", "why are the invoices of acme late")
	w.follow("button", "Try it")
	w.shows("Acme pays its invoices late", "by the words:", "As it stands before the message")
	w.fill("Message", "hi")
	w.follow("button", "Try it")
	w.hides("As it stands before the message")
}

// TestSettings keeps one setting, and names what is wrong with another beside it.
func TestSettings(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t).meaning(400)
	w.visit("/settings")
	w.fill("Lines", "many")
	w.follow("button", "Save the settings")
	if got := w.store.Config().MaxLines(); got != 200 {
		t.Errorf("a wrong number is kept: %d", got)
	}
	w.fill("Lines", "150")
	w.follow("button", "Save the settings")
	w.shows("The settings are saved.")
	if got := w.store.Config().MaxLines(); got != 150 {
		t.Errorf("%d lines are kept, not 150", got)
	}
	w.visit("/bots/scout")
	w.shows("of 150 lines")
}

// TestTwoWordings settles a note that two machines changed differently.
func TestTwoWordings(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write(policy.MemoryFile, "# Memory\n\n- 2026-01-01 · The office is in Pune\n- 2026-01-01 · The office is in Delhi · conflict 2026-01-05\n")
	w := h.signedIn(t)
	w.visit("/bots/scout")
	w.follow("link", "1 note stands in two wordings.")
	w.shows("Two wordings", "The office is in Pune", "The office is in Delhi")
	w.follow("button", "Keep this one: the second wording")
	if got := h.read(policy.MemoryFile); strings.Contains(got, "Pune") || !strings.Contains(got, "Delhi") || strings.Contains(got, "conflict") {
		t.Errorf("the file says\n%s", got)
	}
}

// TestTimeTravel moves the slider to an earlier change and puts that back.
func TestTimeTravel(t *testing.T) {
	t.Parallel()
	h := taught(t)
	h.teach(policy.Update{Action: policy.Replace, OldText: "Pune", OldTextSet: true, Text: "The office is in Mumbai"}, "")
	w := h.signedIn(t)
	w.visit("/bots/scout")
	w.follow("link", "As it was")
	slider := w.one("slider", "*")
	w.of(slider, "(this.value = this.max - 1, this.dispatchEvent(new Event('input', {bubbles: true})), 0)", nil)
	w.shows("The office is in Pune")
	w.follow("link", "Put this back…")
	w.shows("Put this file back?", "Mumbai", "Pune")
	if !strings.Contains(h.read(policy.MemoryFile), "Mumbai") {
		t.Error("asking put it back")
	}
	w.follow("button", "Put it back")
	if got := h.read(policy.MemoryFile); !strings.Contains(got, "Pune") || strings.Contains(got, "Mumbai") {
		t.Errorf("the file says\n%s", got)
	}
}

// TestReadingOn: what is further down comes when the person comes to it.
func TestReadingOn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i := range 60 {
		h.teach(policy.Update{Text: fmt.Sprintf("fact number %d", i)}, "")
	}
	w := h.signedIn(t)
	w.visit("/bots/scout/journal")
	w.shows("fact number 59")
	w.hides("fact number 3 ")
	w.until("all changes are shown", func() bool {
		w.eval("window.scrollTo(0, document.body.scrollHeight)", nil)
		return strings.Contains(w.text(), "The memory begins")
	})
	var at string
	w.eval("location.pathname + location.search", &at)
	if at != "/bots/scout/journal" {
		t.Errorf("it led to %s", at)
	}
}

// TestPreview shows what a save would keep, and saves nothing.
func TestPreview(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t)
	w.visit("/bots/scout/edit")
	w.fill(policy.MemoryFile, "# Memory\n\n- Ada drinks tea\n- password: hunter2hunter2\n")
	w.click("button", "Preview")
	w.shows("«redacted")
	w.add("- and coffee\n")
	w.shows("and coffee") // the box's own text is none of the page's
	if got := w.read(policy.MemoryFile); strings.Contains(got, "tea") {
		t.Errorf("a preview saved:\n%s", got)
	}
	w.follow("button", "Save")
	w.shows("Saved.", "Ada drinks tea")
	if got := w.read(policy.MemoryFile); strings.Contains(got, "hunter2") {
		t.Error("a credential is kept")
	}
}

// TestForgottenDrafts: what was typed and not saved goes with what is forgotten.
func TestForgottenDrafts(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t)
	w.visit("/bots/scout/edit")
	w.fill(policy.MemoryFile, "- Luna is a cat\n")
	w.shows("Kept in this browser.")
	w.visit("/bots/scout/edit?topic=Travel")
	w.fill("memory/travel.md", "- a ticket\n")
	w.shows("Kept in this browser.")
	w.visit("/bots/scout/forget")
	w.fill("Words", "luna")
	w.follow("button", "Show what would go")
	w.follow("button", "Forget it for good")
	w.shows("Forgotten")
	kept := ""
	w.until("the draft goes", func() bool {
		w.eval("JSON.stringify({...localStorage})", &kept)
		return !strings.Contains(kept, "Luna")
	})
	if !strings.Contains(kept, "a ticket") {
		t.Errorf("another draft went with it: %s", kept)
	}
}

// TestFirstSteps makes a bot and notes something, with nothing but the pages.
func TestFirstSteps(t *testing.T) {
	t.Parallel()
	w := newHouse(t).signedIn(t)
	w.fill("Id", "nova")
	w.follow("button", "Make it")
	w.shows("What nova remembers")
	w.fill("A new note", "Nova drinks tea")
	w.follow("button", "Note it")
	w.shows("Noted.", "Nova drinks tea")
	w.follow("link", "Undo")
	w.follow("button", "Take it back")
	w.shows("Taken back")
}
