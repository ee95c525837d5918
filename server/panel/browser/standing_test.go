package browser

import (
	"slices"
	"strings"
	"testing"

	"quipu/policy"
)

// judging is the journey of a fact: disputed, out of every prompt, supported, in again.
func judging(w *tab) {
	w.t.Helper()
	loads := func() bool {
		w.t.Helper()
		l, err := w.scout.Load(w.t.Context())
		must(w.t, err)
		return strings.Contains(l.Block, "Pune")
	}
	w.signIn()
	w.visit("/bots/scout")
	w.follow("link", "Change line *")
	w.shows("How it stands", "0.00 · waiting", "nothing yet")
	w.follow("button", "This is not so")
	w.shows("Kept: this is not so. It enters no prompt from now on", "Disputed: it enters no prompt.", "What moved it")
	if loads() {
		w.t.Error("what is disputed loads")
	}
	w.follow("link", "Memory")
	w.shows("1 note is disputed and does not load.", "disputed, not loaded", "The office is in Pune")
	w.follow("link", "1 note is disputed and does not load.")
	w.shows("Standing", "The office is in Pune", "disputed, not loaded")
	w.follow("link", "What moved them")
	w.shows("1 signal, the newest first", "This is not so")
	w.follow("link", "The office is in Pune")
	w.follow("button", "This is so")
	w.shows("Kept: this is so. It enters prompts again.")
	w.hides("Disputed: it enters no prompt.")
	if !loads() {
		w.t.Error("what is supported again does not load")
	}
	w.follow("link", "Undo")
	w.shows("This is so: The office is in Pune", "It changes how facts stand, and no note.")
	w.follow("button", "Take it back")
	w.shows("Taken back")
	if loads() {
		w.t.Error("the undo left it in")
	}
	w.visit("/bots/scout/journal?action=signal")
	w.shows("This is not so: The office is in Pune", "It changes how facts stand, and no note.")
	w.hides("ndjson")
}

func TestJudging(t *testing.T) {
	t.Parallel()
	judging(taught(t).newTab(t))
}

func TestJudgingWithoutScript(t *testing.T) {
	t.Parallel()
	w := taught(t).newTab(t)
	w.scriptless()
	judging(w)
}

// hushing is the journey of a directive: set, met by a draft, changed, lifted, set again by undo.
func hushing(w *tab) {
	w.t.Helper()
	try := func(want string) {
		w.t.Helper()
		w.fill("What the bot would say unasked", "How is your ex these days?")
		w.follow("button", "Try it")
		w.shows(want)
	}
	w.signIn()
	w.visit("/bots/scout")
	w.follow("link", "Do not mention")
	w.shows("0 of 60 are set.", "Nothing is set")
	try("It would pass.")
	w.fill("Subject, or name", "my ex")
	w.follow("button", "Do not mention it")
	w.shows("Set. It is not brought up from now on.", "1 of 60 are set.", "until you lift it")
	try("It brings up what is not to be mentioned: my ex")
	w.follow("link", "Change: my ex")
	w.fill("Until, if it ends", "3d")
	w.follow("button", "Save")
	w.shows("Changed. It holds from now on as it stands here.")
	w.hides("until you lift it")
	w.follow("button", "Lift: my ex")
	w.shows("Lifted. It may be brought up again.", "0 of 60 are set.")
	try("It would pass.")
	w.visit("/bots/scout/journal?action=directive")
	w.shows("Do not mention: my ex", "One subject may be mentioned again.")
	w.visit("/bots/scout/directives")
	w.fill("Subject, or name", hostile[0])
	w.follow("button", "Do not mention it")
	w.shows("Set.", "window.acted")
	var found []string
	if w.eval(strangers, &found); len(found) > 0 {
		w.t.Errorf("it acts: %v", found)
	}
}

func TestHushing(t *testing.T) {
	t.Parallel()
	hushing(taught(t).newTab(t))
}

func TestHushingWithoutScript(t *testing.T) {
	t.Parallel()
	w := taught(t).newTab(t)
	w.scriptless()
	hushing(w)
}

// TestHostileStanding: what is written by others stays text on the pages that judge it.
func TestHostileStanding(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	besiege(h)
	w := h.signedIn(t)
	for _, bad := range append(slices.Clip(hostile), strings.Repeat("🐙", 40), "שלום") {
		h.teach(policy.Update{Text: "judged: " + bad}, "")
		w.visit(h.entry("judged: " + bad[:4]))
		w.follow("button", "This is not so")
		for _, at := range []string{"", "/standing", "/standing?show=log", "/directives", "/journal?action=signal"} {
			w.visit("/bots/scout" + at)
			var found []string
			if w.eval(strangers, &found); len(found) > 0 {
				t.Errorf("%q on %s: %s", bad, at, strings.Join(found, "\n"))
			}
			if out := w.overflow(); out != "" {
				t.Errorf("%q makes %s wider than its window: %s", bad, at, out)
			}
		}
	}
}
