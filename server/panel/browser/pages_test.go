package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo"
	"quipu/server/panel"
)

// view is one page that is walked: the route that it is of, and where it is. CHANGE stands
// for the id of a change, OLD for one that cannot be undone, LINE for the line of an entry.
type view struct{ name, route, at string }

// views are the pages that a signed-in person may ask for, each route at least once. A page
// more is a line more; what furnish has not got yet goes there.
var views = []view{
	{"bots", "/{$}", "/"},
	{"about", "/about", "/about"},
	{"about-journal", "/about/journal", "/about/journal"},
	{"about-change", "/about/change/{row}", "/about/change/MINE"},
	{"about-undo", "/about/undo/{row}", "/about/undo/MINE"},
	{"memory", "/bots/{id}", "/bots/scout"},
	{"memory-next", "/bots/{id}", "/bots/full?from=150"},
	{"memory-empty", "/bots/{id}", "/bots/empty"},
	{"topics", "/bots/{id}/topics", "/bots/scout/topics"},
	{"logs", "/bots/{id}/topics", "/bots/scout/topics?kind=logs"},
	{"topic", "/bots/{id}/file", "/bots/scout/file?path=memory/food.md"},
	{"archive", "/bots/{id}/file", "/bots/scout/file?path=memory/archive.md"},
	{"log", "/bots/{id}/file", "/bots/scout/file?path=memory/log/TODAY.md"},
	{"edit", "/bots/{id}/edit", "/bots/scout/edit"},
	{"edit-new", "/bots/{id}/edit", "/bots/scout/edit?topic=Travel"},
	{"edit-unfit", "/bots/{id}/edit", "/bots/scout/edit?path=memory/odd.md"},
	{"delete", "/bots/{id}/delete", "/bots/scout/delete?path=memory/food.md"},
	{"entry", "/bots/{id}/entry", "/bots/scout/entry?path=MEMORY.md&line=LINE"},
	{"entry-log", "/bots/{id}/entry", "/bots/scout/entry?path=memory/log/TODAY.md&line=1"},
	{"entry-out", "/bots/{id}/entry", "/bots/scout/entry?path=MEMORY.md&line=OUT"},
	{"entry-again", "/bots/{id}/entry", "/bots/scout/entry?path=MEMORY.md&line=AGAIN&did=out&change=CHANGE"},
	{"entry-by-hand", "/bots/{id}/entry", "/bots/scout/entry?path=MEMORY.md&line=5"},
	{"standing", "/bots/{id}/standing", "/bots/scout/standing"},
	{"standing-log", "/bots/{id}/standing", "/bots/scout/standing?show=log"},
	{"standing-none", "/bots/{id}/standing", "/bots/empty/standing?show=confirmed"},
	{"directives", "/bots/{id}/directives", "/bots/scout/directives"},
	{"directives-edit", "/bots/{id}/directives", "/bots/scout/directives?edit=SET"},
	{"directives-none", "/bots/{id}/directives", "/bots/empty/directives?did=lifted&change=CHANGE"},
	{"journal-signals", "/bots/{id}/journal", "/bots/scout/journal?action=signal"},
	{"forget", "/bots/{id}/forget", "/bots/scout/forget"},
	{"forget-entry", "/bots/{id}/forget", "/bots/scout/forget?path=MEMORY.md&line=LINE"},
	{"journal", "/bots/{id}/journal", "/bots/scout/journal"},
	{"journal-none", "/bots/{id}/journal", "/bots/scout/journal?q=nowhere&since=soon"},
	{"change", "/bots/{id}/change/{row}", "/bots/scout/change/CHANGE"},
	{"undo", "/bots/{id}/undo/{row}", "/bots/scout/undo/CHANGE"},
	{"undo-not", "/bots/{id}/undo/{row}", "/bots/scout/undo/OLD"},
	{"done", "/bots/{id}", "/bots/scout?did=edited&change=CHANGE"},
	{"title", "/bots/{id}/title", "/bots/scout/title?path=memory/food.md"},
	{"remote", "/bots/{id}/remote", "/bots/scout/remote"},
	{"about-remote", "/about/remote", "/about/remote"},
	{"conflicts", "/bots/{id}/conflicts", "/bots/scout/conflicts"},
	{"about-conflicts", "/about/conflicts", "/about/conflicts"},
	{"upkeep", "/bots/{id}/upkeep", "/bots/scout/upkeep"},
	{"search", "/bots/{id}/search", "/bots/scout/search?q=office"},
	{"search-all", "/search", "/search?q=office"},
	{"recall", "/bots/{id}/recall", "/bots/scout/recall"},
	{"bot-settings", "/bots/{id}/settings", "/bots/scout/settings"},
	{"settings", "/settings", "/settings"},
	{"access", "/access", "/access"},
	{"pictures", "/bots/{id}/pictures", "/bots/scout/pictures"},
	{"day", "/bots/{id}/day/{date}", "/bots/scout/day/TODAY"},
	{"about-day", "/about/day/{date}", "/about/day/TODAY"},
	{"at", "/bots/{id}/at", "/bots/scout/at?path=MEMORY.md"},
	{"about-at", "/about/at", "/about/at"},
	{"restore", "/bots/{id}/restore", "/bots/scout/restore?path=MEMORY.md&change=OLD"},
	{"about-restore", "/about/restore", "/about/restore?change=MINE"},
	{"no-page", "", "/bots/scout/nowhere"},
	{"used-link", "/sign-in", "/sign-in?code=used"},
}

// asides are routes that answer a page or its script, not a person.
var asides = []string{"/about/text", "/bots/{id}/text", "/pulse", "/about/pulse", "/bots/{id}/pulse", "/bots/{id}/upkeep/state", "/bots/{id}/image/{name}"}

// states are pages that only a form leads to.
var states = []struct {
	name string
	lead func(*tab)
}{
	{"stale", func(w *tab) {
		w.visit("/bots/scout/edit?path=memory/food.md")
		w.fill("memory/food.md", "# Food\n- oat milk, always\n")
		w.write("memory/food.md", w.read("memory/food.md")+"- the bot's own line\n")
		w.follow("button", "Save")
	}},
	{"reload", func(w *tab) {
		w.visit("/bots/scout/edit?path=memory/food.md")
		w.fill("memory/food.md", "# Food\n- oat milk, always\n")
		w.write("memory/food.md", w.read("memory/food.md")+"- and one more\n")
		w.follow("button", "Save")
		w.follow("button", "Reload")
	}},
	{"too-large", func(w *tab) {
		w.visit("/bots/scout/edit?path=memory/people.md")
		w.of(w.one("textbox", "memory/people.md"), "this.value = 'x'.repeat(300 * 1024)", nil)
		w.follow("button", "Save")
	}},
	{"would-forget", func(w *tab) {
		w.visit("/bots/scout/forget")
		w.fill("Words", "Meera")
		w.follow("button", "Show what would go")
	}},
	{"dropped", func(w *tab) {
		w.visit("/bots/scout/directives")
		w.fill("What the bot would say unasked", "Your ex called. The user takes coffee black.")
		w.follow("button", "Try it")
		w.shows("It would be dropped.", "my ex", "It says what you disputed.")
	}},
	{"forgotten", func(w *tab) {
		w.visit("/bots/empty/forget")
		w.fill("Words", "a rumour")
		w.follow("button", "Show what would go")
		w.follow("button", "Forget it for good")
	}},
	{"session-over", func(w *tab) {
		w.visit("/bots/scout/edit?path=memory/people.md")
		w.fill("memory/people.md", "typed for an hour\n")
		_, err := w.store.RotateToken()
		must(w.t, err)
		w.follow("button", "Save")
		w.shows("What you typed")
		w.signIn()
	}},
}

// furnish fills a house with one of everything that a page shows, and gives what the
// addresses of views stand for.
func furnish(h *house) *strings.Replacer {
	h.t.Helper()
	ctx := h.t.Context()
	for _, id := range []repo.ID{"empty", "full"} {
		_, _, err := h.store.Create(ctx, id, "")
		must(h.t, err)
	}
	must(h.t, h.store.SetBot("empty", map[string]any{"name": "ذاكرة", "memoryUpkeep": false}))
	full, err := h.store.Open(ctx, "full")
	must(h.t, err)
	var long strings.Builder
	for i := range 230 {
		fmt.Fprintf(&long, "- 2026-02-03 · from chat \"Plans\" · the fact number %d, as long as a fact is as a rule\n", i)
	}
	_, err = full.Save(ctx, byBot(""), policy.MemoryFile, long.String(), repo.Expect{Any: true})
	must(h.t, err)

	h.write(policy.MemoryFile, "# Memory\n\nWhat to know before anything else.\n\n- a line by hand\n- עברית בלבד, בלי מילה אחרת\n\n```\nsome code, and "+strings.Repeat("long", 40)+"\n```\n")
	h.teach(policy.Update{Text: "The office is in Pune"}, `chat "Plans"`)
	old := h.teach(policy.Update{Action: policy.Replace, OldText: "Pune", Text: "Mumbai"}, `chat "Move"`)
	h.teach(policy.Update{Action: policy.Supersede, OldText: "Mumbai", Text: "The office is in 東京都千代田区"}, `chat "الخطط"`)
	h.teach(policy.Update{Text: "The launch is soon", Until: h.today()}, "")
	h.teach(policy.Update{Text: "Meera likes " + strings.Repeat("unbroken", 20)}, "")
	h.write("memory/food.md", "---\ntitle: الطعام والشراب\ndescription: What is eaten here\naliases: [tea, קפה]\n---\n# Food\n- oat milk\n- حليب الشوفان في الصباح\n")
	h.write("memory/people.md", "- Meera is in Pune\n")
	h.write("memory/archive.md", "- 2020-01-01 · an old one · moved 2021-01-01\n")
	_, err = h.scout.LogLine(ctx, byBot(""), "sent the invoices")
	must(h.t, err)
	h.outside("memory/odd.md", "one\r\ntwo\nthree\n")
	set := judgeAll(h)
	last := h.teach(policy.Update{Text: "The newest of all"}, `chat "Now"`)

	me, err := h.store.MakeMe(ctx, "")
	must(h.t, err)
	_, _, err = me.Learn(ctx, byBot(""), "scout", []string{"Is vegetarian", "أعيش في القاهرة"})
	must(h.t, err)
	mine, err := me.Journal(ctx, repo.Query{Limit: 1})
	must(h.t, err)
	return strings.NewReplacer("CHANGE", string(last.Change), "OLD", string(old.Change), "MINE", mine[0].ID, "SET", set,
		"OUT", fmt.Sprint(h.line("The user takes coffee")), "AGAIN", fmt.Sprint(h.line("· Takes coffee")),
		"LINE", fmt.Sprint(h.line("The newest of all")), "TODAY", h.today())
}

// judgeAll has the person say what is so and what is not, and what is not to be mentioned; it
// gives one of the directives.
func judgeAll(h *house) string {
	h.t.Helper()
	ctx := h.t.Context()
	person := repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaUI}
	h.teach(policy.Update{Text: "The user takes coffee black"}, `chat "الخطط"`)
	far := 0.9
	_, err := h.scout.Notice(ctx, byBot(""), func() (repo.Noticing, error) {
		return repo.Noticing{Facts: []policy.Fact{
			{Text: "Ada's sister lives in Kyoto", Quote: "My sister moved to Kyoto " + strings.Repeat("far", 30), Speaker: "qq:" + strings.Repeat("1001", 20), Trust: &far},
			{Text: "أخي يعيش في القاهرة", Quote: "أخي في القاهرة", Speaker: "qq:1002"},
		}}, nil
	})
	must(h.t, err)
	for fact, why := range map[string]policy.Signal{"The user takes coffee black": policy.Rebut, "Ada's sister lives in Kyoto": policy.Confirm, "أخي يعيش في القاهرة": policy.Negate} {
		_, err := h.scout.Signal(ctx, person, []repo.Signalled{{Fact: fact, Why: why, Quote: "no, " + strings.Repeat("long", 40)}, {Fact: fact, Why: why, Quote: "לא"}})
		must(h.t, err)
	}
	h.teach(policy.Update{Text: "Takes coffee black"}, "")
	got, err := h.scout.SetDirectives(ctx, person, "", repo.Wish{Term: "my ex"}, repo.Wish{Term: "this"}, repo.Wish{Term: "العمل"},
		repo.Wish{Kind: policy.DirectiveCall, Term: strings.Repeat("Addie", 8), Until: h.clock.now().AddDate(0, 1, 0)})
	must(h.t, err)
	return got.Set[3].ID
}

func TestEveryPageIsWalked(t *testing.T) {
	walked := asides
	for _, v := range views {
		walked = append(walked, v.route)
	}
	for _, pattern := range panel.Pages() {
		if _, route, _ := strings.Cut(pattern, " "); !slices.Contains(walked, route) {
			t.Errorf("no test walks %s: give it a line in views", route)
		}
	}
	for _, v := range views {
		if v.route != "" && !slices.Contains(panel.Pages(), "GET "+v.route) {
			t.Errorf("%s is of no route of the panel", v.name)
		}
	}
}

// walk shows a test every page in turn, in the window of a person who is signed in.
func walk(t *testing.T, look func(w *tab, name string)) {
	h := newHouse(t)
	names := furnish(h)
	w := h.signedIn(t).meaning(http.StatusUnauthorized, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge)
	for _, v := range views {
		if status := w.visit(names.Replace(v.at)); v.route != "" && v.route != "/sign-in" && status != http.StatusOK {
			t.Fatalf("%s: %d\n%s", v.name, status, w.where())
		}
		look(w, v.name)
	}
	for _, s := range states {
		s.lead(w)
		look(w, s.name)
	}
	w.visit("/")
	w.follow("button", "Sign out")
	look(w, "signed-out")
}

// scheme is how a page is looked at.
type scheme struct {
	colours string
	width   int64
}

var schemes = []scheme{{"light", 1200}, {"dark", 1200}, {"dark", 320}, {"light", 320}}

func (w *tab) in(s scheme) {
	w.t.Helper()
	w.prefer("color-scheme", s.colours)
	w.size(s.width)
}

// violation is what axe-core finds.
type violation struct {
	ID, Help string
	Nodes    []struct {
		HTML           string
		FailureSummary string
	}
}

// violations gives what is wrong for every rule, or for those of what is seen alone.
func (w *tab) violations(seen bool) (found []violation) {
	w.t.Helper()
	var there bool
	if w.eval("typeof axe === 'object'", &there); !there {
		w.eval(chromium.axe+"; true", &there)
	}
	rules := "{}"
	if seen {
		rules = `{ runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block", "scrollable-region-focusable"] } }`
	}
	w.eval(`axe.run(document, Object.assign({ resultTypes: ["violations"], selectors: false, preload: false }, `+rules+`)).then((r) => r.violations.map(({ id, help, nodes }) =>
		({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`, &found)
	return found
}

// overflow names what reaches out of the window to the side; "" is nothing.
func (w *tab) overflow() (out string) {
	w.t.Helper()
	w.eval(`(() => {
		const root = document.scrollingElement;
		if (root.scrollWidth <= innerWidth) return "";
		const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1);
		return root.scrollWidth + " px: " + wide.slice(-3).map((e) => e.outerHTML.slice(0, 120)).join(" | ");
	})()`, &out)
	return out
}

// shifts is how much of the page moved about after it was first seen, as the browser counts it.
func (w *tab) shifts() (sum float64) {
	w.t.Helper()
	w.eval(`new Promise((done) => {
		let sum = 0;
		new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) sum += e.value; }).observe({ type: "layout-shift", buffered: true });
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum), 50)));
	})`, &sum)
	return sum
}

func TestEveryPageCanBeReadByEverybody(t *testing.T) {
	t.Parallel()
	walk(t, func(w *tab, name string) {
		if moved := w.shifts(); moved >= 0.01 {
			w.t.Errorf("%s moves about by %.3f after it is shown", name, moved)
		}
		for _, e := range w.moves() {
			w.t.Errorf("%s moves for who prefers that nothing does: %s", name, e)
		}
		for i, s := range schemes {
			w.in(s)
			// Both colours and both widths have every rule; the other pairs what depends on them.
			for _, v := range w.violations(i%2 == 1) {
				for _, n := range v.Nodes {
					w.t.Errorf("%s, %s, %d px: %s: %s\n%s\n%s", name, s.colours, s.width, v.ID, v.Help, n.HTML, n.FailureSummary)
				}
			}
			if out := w.overflow(); out != "" {
				w.t.Errorf("%s, %d px, is wider than its window: %s", name, s.width, out)
			}
		}
		w.in(schemes[0])
	})
}

// TestTheLooksFindWhatIsWrong: what finds nothing on a page of ours finds it on a bad one.
func TestTheLooksFindWhatIsWrong(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	w := h.signedIn(t)
	w.in(scheme{"light", 320})
	w.eval(`(() => {
		const e = document.createElement("button");
		e.className = "bad";
		document.querySelector("main").prepend(e);
		const pre = document.createElement("p");
		pre.textContent = "x".repeat(400);
		pre.style.overflowWrap = "normal";
		document.querySelector("main").append(pre);
	})()`, nil)
	if found := w.violations(false); len(found) != 1 || found[0].ID != "button-name" {
		t.Errorf("axe-core found %+v in a page with a button of no name", found)
	}
	if w.overflow() == "" {
		t.Error("a word of 400 letters fits in 320 px")
	}
	var found []string
	w.prefer("reduced-motion", "no-preference")
	if w.eval(moving, &found); len(found) == 0 {
		t.Error("nothing moves for anybody, so what looks for it finds nothing")
	}
	w.visit("/")
	w.eval(`(() => {
		const e = document.createElement("div");
		e.style.blockSize = "300px";
		requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector("main").prepend(e)));
	})()`, nil)
	w.until("a shift is seen", func() bool { return w.shifts() > 0.01 })
	w.eval(`console.log("a word")`, nil)
	w.eval(`(() => { try { document.createElement("script").textContent = "1"; } catch { /* told all the same */ } })()`, nil)
	w.until("the browser complains", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.faults) >= 2
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if all := strings.Join(w.faults, "\n"); !strings.Contains(all, "a word") || !strings.Contains(all, "TrustedScript") {
		t.Errorf("heard of neither the console nor the policy:\n%s", all)
	}
	w.faults = nil
}
