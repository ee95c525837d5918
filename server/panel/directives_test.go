package panel_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// hush sets one directive by the page's form.
func (b *browser) hush(term, kind, until string) answer {
	b.t.Helper()
	return b.post("/bots/scout/directives", url.Values{"do": {"add"}, "term": {term}, "kind": {kind}, "until": {until}})
}

func (b *browser) tries(draft string) answer {
	b.t.Helper()
	return b.post("/bots/scout/directives", url.Values{"do": {"try"}, "draft": {draft}}).is(200)
}

// set is what is set now, as the bot reads it.
func (b *browser) set() string {
	b.t.Helper()
	list, err := b.scout.Directives(b.t.Context())
	must(b.t, err)
	var terms []string
	for _, d := range list {
		terms = append(terms, d.Told())
	}
	return strings.Join(terms, "; ")
}

func TestDirectives(t *testing.T) {
	b := signedIn(t)
	b.get("/bots/scout/directives").is(200).has("Do not mention", "0 of 60 are set.", "Nothing is set", "Would this pass?")
	b.tries("How is your ex?").has("It would pass.", "How is your ex?", "Nothing of it is kept.")
	b.follow(b.hush("my ex", "topic", "")).is(200).has("Set. It is not brought up from now on.", "1 of 60 are set.", "my ex", "since 30 Nov 2026", "Ada", "until you lift it")
	b.tries("How is your ex?").has("It would be dropped.", "It brings up what is not to be mentioned: my ex")
	b.follow(b.hush("My Ex", "topic", "")).is(200).has("That is set already.", "1 of 60")
	b.follow(b.hush("Addie", "call", "3d")).is(200).has("a name that you are not called", "until 3 Dec 2026")
	b.tries("Good morning, Addie").has("It calls you what you are not called: Addie")
	b.follow(b.hush("this", "topic", "")).is(200).has("Set. It names nothing by itself", "names nothing by itself: it holds no draft back")
	b.tries("Have you seen this?").has("It would pass.")

	page := b.get("/bots/scout/directives").is(200)
	edit := b.get(strings.Split(page.link("Change"), "#")[0]).is(200)
	sent := url.Values{"do": {"edit"}, "id": {edit.field("id")}, "kind": {"topic"}, "until": {""}, "term": {edit.field("term")}}
	if sent.Get("term") != "my ex" {
		t.Fatalf("the form is of %q", sent.Get("term"))
	}
	b.follow(b.post("/bots/scout/directives", sent)).is(200).has("That is set already.")
	sent.Set("until", "2026-12-24")
	b.follow(b.post("/bots/scout/directives", sent)).is(200).has("Changed. It holds from now on as it stands here.", "until 24 Dec 2026")
	lost := b.post("/bots/scout/directives", sent).is(http.StatusConflict).has("This is not set any more.")
	if got := lost.field("until"); got != "2026-12-24" {
		t.Errorf("given back is %q", got)
	}
	again := b.get(strings.Split(b.get("/bots/scout/directives").link("Change"), "#")[0]).is(200)
	if got := b.set(); got != `calling them "Addie"; this; my ex` {
		t.Errorf("set are %s", got)
	}
	again = b.follow(b.post("/bots/scout/directives", url.Values{"do": {"lift"}, "id": {again.field("id")}})).is(200).has("Lifted. It may be brought up again.", "2 of 60").hasNot("Addie")
	b.tries("Good morning, Addie").has("It would pass.")
	undo := b.get(again.link("Undo")).is(200).has("It changes what may be brought up or learned, and no note.", "One subject may be mentioned again.")
	b.follow(b.post(again.link("Undo"), form(undo))).is(200).has("Taken back")
	if got := b.set(); got != `calling them "Addie"; this; my ex` {
		t.Errorf("after the undo set are %s", got)
	}
	b.clock.on(40 * 24 * time.Hour)
	b.signIn()
	b.get("/bots/scout/directives").is(200).has("1 of 60").hasNot("my ex", "Addie")
}

func TestDirectivesThatAreRefused(t *testing.T) {
	b := signedIn(t)
	for name, tt := range map[string]struct {
		term, kind, until, want string
		status                  int
	}{
		"nothing":         {"", "topic", "", "", http.StatusBadRequest},
		"too short":       {"x", "topic", "", "", http.StatusBadRequest},
		"too long":        {strings.Repeat("long ", 20), "topic", "", "", http.StatusBadRequest},
		"another kind":    {"my ex", "person", "", "", http.StatusBadRequest},
		"no time":         {"my ex", "topic", "soon", "This is no time to come", http.StatusBadRequest},
		"a time past":     {"my ex", "topic", "2020-01-01", "This is no time to come", http.StatusBadRequest},
		"<b>hostile</b>x": {strings.Repeat("<b>hostile", 9), "topic", "", "", http.StatusBadRequest},
	} {
		a := b.hush(tt.term, tt.kind, tt.until).is(tt.status).has(tt.want, "0 of 60 are set.")
		if got := a.field("term"); got != tt.term {
			t.Errorf("%s: given back is %q", name, got)
		}
	}
	b.post("/bots/scout/directives", url.Values{"do": {"try"}, "draft": {" "}}).is(http.StatusBadRequest).has("Write what the bot would say.")
	b.post("/bots/scout/directives", url.Values{"do": {"burn"}}).is(http.StatusForbidden)
	b.post("/bots/scout/directives", url.Values{"do": {"lift"}, "id": {"nothing"}}).is(http.StatusConflict).has("This is not set any more.")
	b.post("/bots/scout/directives", url.Values{"do": {"add"}, "term": {"my ex"}, "csrf": {"x"}}).is(http.StatusForbidden).has("It changes what scout does not bring up.")
	if got := b.set(); got != "" {
		t.Errorf("set are %s", got)
	}
	var wishes []repo.Wish
	for i := range policy.MaxDirectives {
		wishes = append(wishes, repo.Wish{Term: fmt.Sprintf("subject %d", i)})
	}
	_, err := b.scout.SetDirectives(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person}, Via: repo.ViaCLI}, "", wishes...)
	must(t, err)
	a := b.get("/bots/scout/directives").is(200).has("60 of 60 are set.", "No more fit: lift one first.").hasNot("Do not mention it")
	if len(a.body) > 100_000 {
		t.Errorf("the page is %d bytes", len(a.body))
	}
	b.hush("my ex", "topic", "").is(http.StatusUnprocessableEntity).has("No more fit")
}

// A draft meets what is disputed, what was raised too often, and the bot's own last words.
func TestWhatADraftMeets(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "The user likes green tea"}, "")
	b.says("dispute", b.entryAt("green tea"))
	b.tries("You like green tea.").has("It would be dropped.", "It says what you disputed.")
	b.say("Good morning", "The invoices of Acme are still open, shall I write to them about the invoices?")
	b.tries("The invoices of Acme are still open, shall I write to them about the invoices?").has("It would pass.", "It raises again what was said", "invoices", "That alone drops nothing.")
}

func TestHostileDirectivesStayText(t *testing.T) {
	for i, bad := range append(hostile, strings.Repeat("👩‍👩‍👧", 2), strings.Repeat("🐙", 40), "שלום עולם", "\u202eevil") {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			b := signedIn(t)
			a := b.hush(bad, "topic", "") // some are refused: the page gives them back
			if a.status == http.StatusSeeOther {
				a = b.follow(a)
			}
			list, err := b.scout.Directives(t.Context())
			must(t, err)
			b.teach(policy.Update{Text: "note " + bad}, "")
			b.says("dispute", b.entryAt("note"))
			pages := []string{"/bots/scout", "/bots/scout/directives", "/bots/scout/directives?edit=" + url.QueryEscape(bad), "/bots/scout/standing", "/bots/scout/standing?show=log", "/bots/scout/standing?show=" + url.QueryEscape(bad), "/bots/scout/standing?skip=" + url.QueryEscape(bad), "/bots/scout/journal?action=signal", "/bots/scout/journal?action=directive", b.entryAt("note")}
			for _, d := range list {
				pages = append(pages, "/bots/scout/directives?edit="+d.ID)
			}
			answers := []answer{a, b.tries(bad + " and " + bad)}
			for _, p := range pages {
				answers = append(answers, b.get(p))
			}
			for _, a := range answers {
				if a.status >= 500 {
					t.Errorf("%s: %d", a.asked, a.status)
				}
				if shown := withoutBoxes(a.body); strings.ContainsAny(shown, "\u202e\u2066\u2067") {
					t.Errorf("%s hands on a control that turns the text around it", a.asked)
				}
			}
			for _, d := range list {
				b.follow(b.post("/bots/scout/directives", url.Values{"do": {"lift"}, "id": {d.ID}})).is(200)
			}
			if got := b.set(); got != "" {
				t.Errorf("left is %q", got)
			}
		})
	}
}
