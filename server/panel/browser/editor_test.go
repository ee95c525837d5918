package browser

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/chromedp/chromedp"

	"quipu/policy"
)

const memoryEditor = "/bots/scout/edit"

func TestSaveOverAnother(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t).meaning(http.StatusConflict)
	clash(w)
	w.visit(memoryEditor)
	w.hides("draft")
}

func TestDraftIsKept(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t)
	w.visit(memoryEditor)
	w.add("- typed for a while, é and 日本\n")
	typed := w.box(policy.MemoryFile)
	w.reload()
	w.shows("Your draft of", "is back. It is not saved.")
	if got := w.box(policy.MemoryFile); got != typed {
		t.Errorf("after a reload the box holds %q, want %q", got, typed)
	}
	// Going elsewhere, and a window that is closed, keep it as well.
	w.follow("link", "Journal")
	other := w.beside()
	w.end()
	other.visit(memoryEditor)
	other.shows("is back. It is not saved.")
	if got := other.box(policy.MemoryFile); got != typed {
		t.Errorf("after the window was closed the box holds %q, want %q", got, typed)
	}
	// In the house's other files it is not offered.
	other.visit("/bots/scout/edit?topic=Other")
	other.hides("draft")
	other.visit(memoryEditor)
	other.click("button", "Discard")
	if got := other.box(policy.MemoryFile); strings.Contains(got, "typed") {
		t.Errorf("after Discard the box holds %q", got)
	}
	other.reload()
	other.hides("draft")
	// One that is saved is no draft any more.
	other.add("- kept\n")
	other.follow("button", "Save")
	other.shows("Saved.")
	other.visit(memoryEditor)
	other.hides("draft")
	if got := other.read(policy.MemoryFile); !strings.Contains(got, "- kept\n") {
		t.Errorf("the file says %q", got)
	}
}

// TestDraftOfAnOlderText: what was begun on a text that is another by now is not put over it.
func TestDraftOfAnOlderText(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t)
	w.visit(memoryEditor)
	w.add("- mine\n")
	typed := w.box(policy.MemoryFile)
	w.visit("/")
	w.update(`{"action":"append","text":"the bot's own"}`)
	w.visit(memoryEditor)
	w.shows("was begun on an older version")
	if got := w.box(policy.MemoryFile); !strings.Contains(got, "the bot's own") || strings.Contains(got, "mine") {
		t.Errorf("the editor holds %q", got)
	}
	if got := w.box("Your draft"); got != typed {
		t.Errorf("the draft is %q, want %q", got, typed)
	}
	w.click("button", "Discard")
	w.reload()
	w.hides("draft")
}

func TestSessionEndsWhileTyping(t *testing.T) {
	ends := map[string]func(*house, *tab){
		"the token is rotated": func(h *house, w *tab) { _, err := h.store.RotateToken(); must(w.t, err) },
		"time":                 func(h *house, _ *tab) { h.clock.on(15 * 24 * time.Hour) },
		"signed out elsewhere": func(_ *house, w *tab) {
			other := w.beside().meaning(http.StatusUnauthorized)
			other.visit("/")
			other.follow("button", "Sign out")
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := taught(t)
			w := h.signedIn(t).meaning(http.StatusUnauthorized)
			w.visit(memoryEditor)
			w.add("- typed for an hour\n")
			end(h, w)
			w.shows("Your session ended. What you type is kept in this browser")
			w.add("- and a line after that\n")
			typed := w.box(policy.MemoryFile)
			if status := w.follow("button", "Save"); status != http.StatusUnauthorized {
				t.Errorf("saved with %d", status)
			}
			w.shows("Sign in", "What you typed", "It is not saved yet.")
			if got := w.box("Text"); got != typed {
				t.Errorf("given back: %q, want %q", got, typed)
			}
			if strings.Contains(h.read(policy.MemoryFile), "typed") {
				t.Error("it was saved without a session")
			}
			w.signIn()
			w.visit(memoryEditor)
			w.shows("is back. It is not saved.")
			if got := w.box(policy.MemoryFile); got != typed {
				t.Errorf("back: %q, want %q", got, typed)
			}
			w.follow("button", "Save")
			w.shows("Saved.", "typed for an hour", "and a line after that")
		})
	}
}

// TestSignedInAgainElsewhere: what was typed in a session that ended is saved by the next one,
// from the editor and from the page that asks to sign in.
func TestSignedInAgainElsewhere(t *testing.T) {
	t.Parallel()
	h := taught(t)
	w := h.signedIn(t).meaning(http.StatusUnauthorized, http.StatusForbidden)
	other := w.beside().meaning(http.StatusUnauthorized)
	w.visit(memoryEditor)
	w.add("- typed in the editor\n")
	_, err := h.store.RotateToken()
	must(t, err)
	w.shows("Your session ended.")
	other.signIn()
	w.shows("You are signed in again. Save works.")
	w.follow("button", "Save")
	w.shows("Saved.", "typed in the editor")

	w.visit(memoryEditor)
	w.add("- sent from the door\n")
	_, err = h.store.RotateToken()
	must(t, err)
	w.follow("button", "Save")
	w.shows("It is not saved yet.")
	other.signIn()
	w.follow("button", "Send it again")
	w.shows("Not done yet", "nothing is lost") // another session made that form: the person says so once more
	w.follow("button", "Send it again")
	w.shows("Saved.", "sent from the door")
}

func TestTwoWindowsEditOneFile(t *testing.T) {
	t.Parallel()
	a := taught(t).signedIn(t).meaning(http.StatusConflict)
	b := a.beside().meaning(http.StatusConflict)
	a.visit(memoryEditor)
	b.visit(memoryEditor)
	a.add("- from the one\n")
	b.fill(policy.MemoryFile, "- from the other\n")
	a.follow("button", "Save")
	a.shows("Saved.")
	b.shows("You, in another window or editor, changed this file while you were editing.")
	if got := b.box(policy.MemoryFile); got != "- from the other\n" {
		t.Errorf("what was typed became %q", got)
	}
	if status := b.follow("button", "Save"); status != http.StatusConflict {
		t.Errorf("the second save: %d", status)
	}
	b.shows("You, in another window or editor, changed this file while you were editing.")
	if mine, theirs := b.box("Yours"), b.box("As it is now"); mine != "- from the other\n" || !strings.Contains(theirs, "from the one") {
		t.Errorf("the sides are %q and %q", mine, theirs)
	}
	if got := a.read(policy.MemoryFile); !strings.Contains(got, "from the one") || strings.Contains(got, "from the other") {
		t.Errorf("the file says %q", got)
	}
}

func TestAnOpenEditorFollows(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t).meaning(http.StatusConflict)
	w.visit(memoryEditor)
	w.update(`{"action":"append","text":"the bot's first"}`)
	w.shows("scout changed this file. You see the new text.")
	if got := w.box(policy.MemoryFile); got != w.read(policy.MemoryFile) {
		t.Errorf("the box holds %q, the file says %q", got, w.read(policy.MemoryFile))
	}
	// It is saved over what it shows now, with no conflict.
	w.add("- mine\n")
	w.follow("button", "Save")
	w.shows("Saved.", "the bot's first", "mine")
	// One in which something was typed stays as it is, and the person is told.
	w.visit(memoryEditor)
	w.add("- half a sen")
	typed := w.box(policy.MemoryFile)
	w.update(`{"action":"append","text":"the bot's second"}`)
	w.shows("scout changed this file while you were editing. Save shows both versions; nothing is lost.")
	if got := w.box(policy.MemoryFile); got != typed {
		t.Errorf("what was typed became %q", got)
	}
	w.follow("button", "Save")
	w.shows("Changed meanwhile", "the bot's second")
}

// paste puts a text of any length into the editor and saves it, by script: what a person's
// browser does in an instant takes the driver minutes, key by key.
func (w *tab) paste(text string) int {
	w.t.Helper()
	quoted, err := json.Marshal(text)
	must(w.t, err)
	return w.lead(chromedp.Evaluate(`(() => {
		const box = document.getElementById("text");
		box.value = `+string(quoted)+`;
		box.dispatchEvent(new Event("input", { bubbles: true }));
		box.form.querySelector("button.main").click();
	})()`, nil))
}

// TestOddPastes: what a person pastes is in the file byte for byte, or nothing is.
func TestOddPastes(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t).meaning(http.StatusRequestEntityTooLarge)
	pastes := map[string]string{
		"scripts":        "- é é 日本語 한국어 ไทย العربية עברית\n",
		"joined":         "- 👩‍👩‍👧‍👦 🏳️‍🌈 \ufeff\u200b\u00ad\n",
		"turned":         "- evil\u202egnp.exe and \u2067back\u2069\n",
		"white space":    "-\tone\u00a0two\u2003three   \n\n\n- four\t\n",
		"markup":         "- </textarea><script>alert(1)</script> &amp; &lt; {{.}} ${x}\n",
		"no end of line": "- one",
		"begins empty":   "\n\n- one\n",
		"one long line":  "- " + strings.Repeat("word ", 20_000) + "\n",
		"many lines":     strings.Repeat("- a line\n", 5_000),
	}
	for name, text := range pastes {
		w.visit(memoryEditor)
		w.paste(text)
		w.shows("Saved.")
		if got := w.read(policy.MemoryFile); got != text {
			t.Errorf("%s: the file says %.80q, want %.80q", name, got, text)
		}
	}
	before, size := w.read(policy.MemoryFile), 300<<10
	w.visit(memoryEditor)
	if status := w.paste(strings.Repeat("x", size)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d bytes: %d", size, status)
	}
	w.shows("at most")
	if got := w.read(policy.MemoryFile); got != before {
		t.Error("a text that was refused changed the file")
	}
	// It is not lost: the box has it again, until it is discarded.
	w.visit(memoryEditor)
	w.shows("is back. It is not saved.")
	var held, left int
	w.eval(`document.getElementById("text").value.length`, &held)
	w.eval(`document.querySelector(".notice button").click()`, nil)
	w.eval(`document.getElementById("text").value.length`, &left)
	if want := len(utf16.Encode([]rune(before))); held != size || left != want { // as the browser counts
		t.Errorf("the box held %d letters, and after Discard %d; want %d and %d", held, left, size, want)
	}
}
