package browser

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quipu/policy"
)

// focused is the element that the keys act on.
func (w *tab) focused() (f found) {
	w.t.Helper()
	w.run(chromedp.ActionFunc(func(ctx context.Context) error {
		object, _, err := runtime.Evaluate("document.activeElement").Do(ctx)
		if err != nil {
			return err
		}
		nodes, err := accessibility.GetPartialAXTree().WithObjectID(object.ObjectID).WithFetchRelatives(false).Do(ctx)
		if err == nil && len(nodes) > 0 {
			f = read(nodes[0])
		}
		return err
	}))
	return f
}

// ringed says whether a person sees where the focus is, once what moves there has come.
func (w *tab) ringed() bool {
	w.t.Helper()
	for range 10 {
		if w.ringedNow() {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

func (w *tab) ringedNow() (yes bool) {
	w.t.Helper()
	w.eval(`(() => {
		const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
		return e.matches(":focus-visible") && s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1 && r.width > 0 && r.bottom > 0 && r.top < innerHeight;
	})()`, &yes)
	return yes
}

// reach goes from element to element with the Tab key until it is at one.
func (w *tab) reach(role, name string) {
	w.t.Helper()
	for range 100 {
		w.run(chromedp.KeyEvent(kb.Tab))
		at := w.focused()
		if !w.ringed() {
			w.t.Errorf("nobody sees that the focus is on the %s %q", at.role, at.name)
		}
		if at.role == role && named(name, at.name) {
			return
		}
	}
	w.t.Fatalf("the Tab key never comes to the %s %q\n%s", role, name, w.where())
}

// press reaches what leads to another page and presses a key on it.
func (w *tab) press(key, role, name string) {
	w.t.Helper()
	w.reach(role, name)
	w.lead(chromedp.KeyEvent(key))
}

func TestJourneyByKeyboard(t *testing.T) {
	t.Parallel()
	w := taught(t).signedIn(t).meaning(http.StatusUnauthorized)
	w.run(chromedp.KeyEvent(kb.Tab))
	if first := w.focused(); first.name != "Skip to the page" || !w.ringed() {
		t.Errorf("the first stop is the %s %q, want the link over what repeats", first.role, first.name)
	}
	w.run(chromedp.KeyEvent(kb.Enter))
	w.run(chromedp.KeyEvent(kb.Tab))
	if next := w.focused(); next.name != "scout" {
		t.Errorf("after it comes the %s %q, want what the page is about", next.role, next.name)
	}
	w.lead(chromedp.KeyEvent(kb.Enter))
	w.press(kb.Enter, "link", "Change line *")
	w.reach("textbox", "Text")
	w.run(clear(), chromedp.KeyEvent("The office is in Mumbai"))
	w.press(" ", "button", "Save")
	w.shows("The entry is changed.", "Mumbai")
	w.press(kb.Enter, "link", "Journal")
	w.press(kb.Enter, "link", "Undo: *")
	w.press(kb.Enter, "button", "Take it back")
	w.shows("Taken back")
	if got := w.read(policy.MemoryFile); strings.Contains(got, "Mumbai") || !strings.Contains(got, "Pune") {
		t.Errorf("the file says %q", got)
	}
	w.press(kb.Enter, "link", "Memory")
	w.press(kb.Enter, "link", "Edit the file")
	w.reach("textbox", policy.MemoryFile)
	w.run(clear(), chromedp.KeyEvent("- by keys"))
	w.press(" ", "button", "Save")
	w.shows("Saved.", "by keys")
	w.press(kb.Enter, "link", "Undo")
	w.press(" ", "button", "Take it back")
	w.press(kb.Enter, "link", "Memory")
	w.press(kb.Enter, "link", "Forget")
	w.reach("textbox", "Words")
	w.run(chromedp.KeyEvent("Pune"))
	w.press(" ", "button", "Show what would go")
	w.press(" ", "button", "Forget it for good")
	w.shows("Forgotten")
	w.press(" ", "button", "Sign out")
	w.shows("Sign in")
}

// TestEveryControlIsReached: the Tab key comes to everything that can be pressed or filled in,
// and it is seen where it is. What a page takes out of that order, as the squares of a year, it has in a table beside it.
func TestEveryControlIsReached(t *testing.T) {
	t.Parallel()
	walk(t, func(w *tab, name string) {
		var controls int
		w.eval(`(() => {
			window.left = new Set([...document.querySelectorAll("a[href]:not([tabindex='-1']), button, input, select, textarea, summary, [tabindex='0']")].filter((e) => e.checkVisibility() && e.type !== "hidden"));
			window.unseen = [];
			document.addEventListener("focusin", ({ target: e }) => {
				const s = getComputedStyle(e);
				if (!e.matches(":focus-visible") || s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 1) unseen.push(e.outerHTML);
				left.delete(e);
			});
			document.activeElement.blur();
			return left.size;
		})()`, &controls)
		for range controls + 2 {
			w.run(chromedp.KeyEvent(kb.Tab))
		}
		var missed, unseen []string
		w.eval(`[...left].filter((e) => e.isConnected).map((e) => e.outerHTML)`, &missed)
		w.eval(`unseen`, &unseen)
		for _, e := range missed {
			w.t.Errorf("%s: the Tab key does not come to %s", name, e)
		}
		for _, e := range unseen {
			w.t.Errorf("%s: nobody sees that the focus is on %s", name, e)
		}
	})
}
