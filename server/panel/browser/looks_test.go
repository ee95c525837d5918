package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// moving names what would move, or change by and by, on the page.
const moving = `[...document.querySelectorAll("*")].filter((e) => {
	const s = getComputedStyle(e);
	return s.animationName !== "none" || s.transitionDuration.split(", ").some((d) => d !== "0s") || s.scrollBehavior === "smooth";
}).map((e) => e.outerHTML.slice(0, 120))`

// moves is what moves on the page for a person who prefers that nothing does.
func (w *tab) moves() (found []string) {
	w.t.Helper()
	w.prefer("reduced-motion", "reduce")
	w.eval(moving, &found)
	return found
}

// TestTextFromRightToLeft: what is written from the right begins at the right of its own box,
// and what stands beside it stays where it is.
func TestTextFromRightToLeft(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	names := furnish(h)
	w := h.signedIn(t)
	for _, tt := range []struct{ at, text, selector string }{
		{"/bots/scout", "עברית בלבד", ".said"},
		{"/bots/scout", "الطعام", ".files a"},
		{"/bots/scout/file?path=memory/food.md", "الطعام", "h1"},
		{"/bots/scout/file?path=memory/food.md", "حليب", ".said"},
		{"/bots/scout/topics", "الطعام", ".files a"},
		{"/", "ذاكرة", "h2"},
		{"/bots/empty", "ذاكرة", ".sub .name"},
		{"/about", "أعيش", ".said"},
		{"/bots/scout/journal?path=memory/food.md", "حليب", ".diff p"},
		{"/bots/scout/edit?path=memory/food.md", "", ""},
	} {
		for _, width := range []int64{1200, 320} {
			w.size(width)
			w.visit(names.Replace(tt.at))
			if tt.selector == "" { // a box turns by what is typed in it
				w.fill("memory/food.md", "حليب الشوفان")
				var turned string
				w.of(w.one("textbox", "memory/food.md"), "getComputedStyle(this).direction", &turned)
				if turned != "rtl" {
					t.Errorf("a box with Arabic is written %s", turned)
				}
				continue
			}
			var got string
			w.eval(fmt.Sprintf(`(() => {
				const e = [...document.querySelectorAll(%q)].find((e) => e.textContent.includes(%q));
				if (!e) return "not there";
				if (getComputedStyle(e).direction !== "rtl") return "written " + getComputedStyle(e).direction;
				const range = document.createRange();
				range.selectNodeContents(e);
				const box = e.getBoundingClientRect(), rects = [...range.getClientRects()];
				if (getComputedStyle(e).display !== "inline" && Math.max(...rects.map((r) => r.right)) < box.right - parseFloat(getComputedStyle(e).paddingRight) - 40) return "it does not begin at the right";
				if (box.left < 0 || box.right > innerWidth) return "out of the window";
				return getComputedStyle(document.body).direction === "ltr" ? "" : "it turned the page";
			})()`, tt.selector, tt.text), &got)
			if got != "" {
				t.Errorf("%s, %d px: %q in %s: %s", tt.at, width, tt.text, tt.selector, got)
			}
		}
	}
}

// TestDotsBetween: what stands in a row keeps its dots, whichever way a part of it is written.
func TestDotsBetween(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	furnish(h)
	w := h.signedIn(t)
	w.visit("/bots/scout/file?path=memory/food.md")
	var gaps []float64
	w.eval(`[...document.querySelector(".meta").children].slice(1).map((e) => {
		const text = (n) => { const r = document.createRange(); r.selectNodeContents(n); return r.getBoundingClientRect(); };
		return text(e).left - text(e.previousElementSibling).right;
	})`, &gaps)
	if len(gaps) < 4 {
		t.Fatalf("the row has %d parts", len(gaps)+1)
	}
	for i, gap := range gaps {
		if gap < 6 {
			t.Errorf("parts %d and %d of the row are %.1f px apart, with no dot between", i+1, i+2, gap)
		}
	}
}

// TestShots writes a picture of every page into the folder that QUIPU_SHOTS names, to look at.
func TestShots(t *testing.T) {
	dir := os.Getenv(shotsIn)
	if dir == "" {
		t.Skip(shotsIn + " names no folder for pictures")
	}
	must(t, os.MkdirAll(dir, 0o755))
	walk(t, func(w *tab, name string) {
		if name == "too-large" { // a picture of so long a word takes minutes
			return
		}
		for _, s := range schemes {
			w.in(s)
			var png []byte
			w.run(chromedp.FullScreenshot(&png, 100))
			must(w.t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, s.width, s.colours)), png, 0o644))
		}
		w.in(schemes[0])
	})
}
