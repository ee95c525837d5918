package panel_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quipu/policy"
)

// What was typed in a page of a session that ended is saved with one press once there is
// a session again.
func TestAFormOfAnEndedSession(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, "- one\n")
	page := form(b.get("/bots/scout/edit").is(200), "csrf", "path", "hash")
	page.Set("text", "- one\r\n- typed for an hour\r\n")
	b.post("/sign-out", nil)

	out := b.post("/bots/scout/edit", page).is(http.StatusUnauthorized).has("Sign in", "typed for an hour", "It is not saved yet. Sign in in another tab", "It saves MEMORY.md of scout.")
	b.signIn()
	for i, sent := range []url.Values{page, form(out, "csrf", "path", "hash", "text")} { // the form itself, and what the page gave back
		a := b.post("/bots/scout/edit", sent).is(http.StatusForbidden).has("made by a session that has ended", "It is not saved yet, and nothing is lost.", "It saves MEMORY.md of scout.", "Send it again")
		if got := b.read(policy.MemoryFile); got != "- one\n" {
			t.Fatalf("%d: a form of another session saved %q", i, got)
		}
		if i == 0 {
			continue
		}
		again := form(a, "csrf", "path", "hash", "text")
		if again.Get("csrf") != b.csrf || again.Get("hash") != page.Get("hash") {
			t.Errorf("given back %v", again)
		}
		b.follow(b.post("/bots/scout/edit", again)).is(200).has("Saved.")
	}
	if got := b.read(policy.MemoryFile); got != "- one\n- typed for an hour\n" {
		t.Errorf("kept %q", got)
	}
}

// A form that the browser does not say to be ours is never given back with our token.
func TestAFormOfAnotherPageIsNotGivenBack(t *testing.T) {
	b := signedIn(t)
	for name, from := range map[string]change{
		"nothing said": func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Del("Origin") },
		"typed in":     with("Sec-Fetch-Site", "none"),
		"another port": func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "http://127.0.0.1:1") },
	} {
		a := b.post("/bots/scout/forget", url.Values{"csrf": {"x"}, "words": {"everything"}, "do": {"forget"}}, from)
		if a.status != http.StatusForbidden || strings.Contains(a.body, `value="forget"`) {
			t.Errorf("%s: %d\n%s", name, a.status, a.body)
		}
	}
	// Where it is given back, it says what it does, and goes to the very same place.
	a := b.post("/bots/scout/forget", url.Values{"csrf": {"x"}, "words": {"</textarea><script>x"}, "do": {"forget"}}).is(http.StatusForbidden).has("It forgets this for good")
	if !strings.Contains(a.body, `action="/bots/scout/forget"`) || strings.Contains(a.body, "<script>x") {
		t.Errorf("given back as\n%s", a.body)
	}
	many := url.Values{"csrf": {"x"}}
	for i := range 100 {
		many.Add("field", strings.Repeat("x", i))
	}
	b.post("/bots/scout/edit", many).is(http.StatusForbidden).hasNot("Send it again")
}

func TestPreview(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, "- one\n")
	sent := form(b.get("/bots/scout/edit").is(200), "path", "hash")
	key := "ghp_" + strings.Repeat("a1B2", 9)
	sent.Set("text", strings.Repeat("- a line\r\n", 250)+"- the key is "+key+"\r\n")
	sent.Set("do", "preview")
	sent.Set("draft", "an older draft")
	before := b.newest().ID
	a := b.post("/bots/scout/edit", sent).is(200).has("Preview", "1 place looks like a credential.", "251 of 200 lines", "Only the first 200 lines load each turn; 51 lines do not.", "Loading stops here. The 51 lines below are not loaded.")
	if got := a.field("text"); got != strings.ReplaceAll(sent.Get("text"), "\r\n", "\n") {
		t.Errorf("the text became %q", got)
	}
	if a.field("hash") != sent.Get("hash") || a.field("draft") != "an older draft" {
		t.Error("the hash or the draft became another")
	}
	if strings.Count(a.body, key) != 1 { // in the box alone
		t.Error("the preview shows the credential")
	}
	if !strings.Contains(a.body, "data-typed") { // else a script takes it for the file's text
		t.Error("the box is not said to hold what was typed")
	}
	if b.read(policy.MemoryFile) != "- one\n" || b.newest().ID != before {
		t.Error("the preview saved something")
	}
	if strings.Contains(a.body, "/entry?") {
		t.Error("the preview leads to notes that are not there")
	}
	sent.Set("text", strings.Repeat("- a line\n", 500))
	b.post("/bots/scout/edit", sent).is(200).has("100 more notes")
	sent.Del("do")
	sent.Set("text", "- two\n")
	b.follow(b.post("/bots/scout/edit", sent)).is(200).has("Saved.")

	topic := url.Values{"path": {"memory/food.md"}, "hash": {""}, "do": {"preview"}, "text": {"---\ntitle: Food and drink\naliases: [tea]\n---\n- oat milk\n"}}
	b.post("/bots/scout/edit", topic).is(200).has("Food and drink", "tea", "oat milk").hasNot("lines,")
	about := url.Values{"do": {"preview"}, "text": {"I live in Pune."}}
	b.post("/about", about).is(200).has("I live in Pune.")
	if _, err := b.store.Me(t.Context(), ""); err == nil {
		t.Error("a preview made About me")
	}
	b.post("/bots/scout/edit", url.Values{"path": {"memory/log/2026-11-30.md"}, "do": {"preview"}}).is(http.StatusForbidden)
}

func TestAnOpenEditorLearnsItsForm(t *testing.T) {
	b := signedIn(t)
	hash := b.get("/bots/scout/edit").field("hash")
	address := "/bots/scout/text?path=MEMORY.md&hash=" + hash
	b.get(address, with("X-Quipu-Form", b.csrf)).is(http.StatusNoContent)
	var now struct{ Hash, Form string }
	a := b.get(address, with("X-Quipu-Form", "of another session")).is(200)
	must(t, json.Unmarshal([]byte(a.body), &now))
	if now.Form != b.csrf || now.Hash != hash {
		t.Errorf("got %+v", now)
	}
	b.write(policy.MemoryFile, "- changed\n")
	a = b.get(address, with("X-Quipu-Form", b.csrf)).is(200)
	must(t, json.Unmarshal([]byte(a.body), &now))
	b.get(address+"&told="+now.Hash, with("X-Quipu-Form", b.csrf)).is(http.StatusNoContent) // it is told once
}

func TestPulse(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "likes tea"}, "")
	since := func(page string) string {
		_, rest, found := strings.Cut(b.get(page).is(200).body, `data-pulse="`)
		if !found {
			t.Fatalf("%s asks for no news", page)
		}
		address, _, _ := strings.Cut(rest, `"`)
		return strings.ReplaceAll(address, "&amp;", "&")
	}
	addresses := []string{since("/"), since("/bots/scout"), since("/bots/scout/journal"), since("/bots/scout/journal?author=person")}
	for _, a := range addresses {
		b.get(a).is(http.StatusNoContent)
	}
	b.teach(policy.Update{Text: "likes coffee"}, "")
	b.teach(policy.Update{Text: "likes cocoa"}, "")
	for i, a := range addresses {
		var now struct {
			Newest string
			Count  int
		}
		got := b.get(a).is(200)
		must(t, json.Unmarshal([]byte(got.body), &now))
		if want := []int{0, 2, 2, 2}[i]; now.Count != want || now.Newest == "" {
			t.Errorf("%s: %+v, want %d", a, now, want)
		}
		b.get(a + "&told=" + now.Newest).is(http.StatusNoContent)
	}
	b.get("/about/pulse?since=x").is(http.StatusNoContent) // it is not there
	if rest := b.get("/bots/scout/journal?before=" + b.newest().ID).is(200).body; strings.Contains(rest, "data-pulse") {
		t.Error("a page of older changes asks for news")
	}
	b.cookie = nil
	b.get(addresses[1]).is(http.StatusUnauthorized)
}

func TestHistoryOfAnEntry(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "The office is in Pune"}, `chat "Plans"`)
	b.teach(policy.Update{Text: "Another"}, "")
	b.teach(policy.Update{Action: policy.Replace, OldText: "Pune", OldTextSet: true, Text: "Mumbai"}, `chat "Move"`)
	gone := b.write(policy.MemoryFile, strings.SplitAfter(b.read(policy.MemoryFile), "\n\n")[0]+"- 2026-11-30 · Another\n")
	b.follow(b.post("/bots/scout/undo/"+string(gone.Change), nil)).is(200)
	a := b.get(b.entryAt("Mumbai")).is(200).has("Written for the first time", "Reworded", "Taken out", "Put back", `chat "Plans"`, `chat "Move"`).hasNot("Another")
	text := a.text()
	at := 0
	for _, step := range []string{"Written for the first time", "Reworded", "Taken out", "Put back"} {
		i := strings.Index(text[at:], step)
		if i < 0 {
			t.Fatalf("%s does not stand in its order:\n%s", step, text)
		}
		at += i
	}
	if !strings.Contains(a.body, "<del>Pune</del>") || !strings.Contains(a.body, "<ins>Mumbai") {
		t.Errorf("the words that changed are not marked:\n%s", a.body)
	}
}

func TestTitleOfATopic(t *testing.T) {
	b := signedIn(t)
	text := "---\ntitle: Food\nown: {x: 1} # mine\naliases: [tea]\n---\n\n- oat milk\n"
	b.write("memory/food.md", text)
	file := b.get("/bots/scout/file?path=memory/food.md").is(200)
	page := b.get(file.link("Title and other words")).is(200)
	sent := form(page, "path", "was", "title", "description", "aliases")
	if sent.Get("title") != "Food" || sent.Get("aliases") != "tea" {
		t.Errorf("the form has %v", sent)
	}
	b.follow(b.post("/bots/scout/title", sent)).is(200).has("Nothing to change")
	sent.Set("title", "Food and drink")
	sent.Set("description", "What Ada likes: and not")
	sent.Set("aliases", "tea, coffee,, tea")
	b.write("memory/food.md", text+"- a note meanwhile\n") // no conflict with its title
	b.follow(b.post("/bots/scout/title", sent)).is(200).has("Saved.", "Food and drink", "coffee", "a note meanwhile")
	want := "---\ntitle: Food and drink\ndescription: \"What Ada likes: and not\"\nown: {x: 1} # mine\naliases: [tea, coffee]\n---\n\n- oat milk\n- a note meanwhile\n"
	if got := b.read("memory/food.md"); got != want {
		t.Errorf("kept\n%s\nwant\n%s", got, want)
	}
	a := b.post("/bots/scout/title", sent).is(http.StatusConflict).has("changed since the page was shown")
	again := form(a, "path", "was", "title", "description", "aliases")
	if again.Get("description") != "What Ada likes: and not" {
		t.Errorf("typed in vain: %v", again)
	}
	b.follow(b.post("/bots/scout/title", again)).is(200).has("Nothing to change")

	b.write("memory/odd.md", "---\ntitle: >\n  folded\n---\n")
	odd := form(b.get("/bots/scout/title?path=memory/odd.md").is(200), "path", "was")
	odd.Set("title", "x")
	b.post("/bots/scout/title", odd).is(http.StatusConflict).has("Edit the file itself")
	b.write("memory/tags.md", "---\ntags: [a, b]\n---\n")
	tags := form(b.get("/bots/scout/title?path=memory/tags.md").is(200), "path", "was")
	tags.Set("aliases", "a")
	b.post("/bots/scout/title", tags).is(http.StatusConflict).has("tags of the header")
	if got := b.read("memory/tags.md"); got != "---\ntags: [a, b]\n---\n" {
		t.Errorf("changed to %q", got)
	}
	b.write("memory/plain.md", "# A heading\n- x\n")
	if got := b.get("/bots/scout/title?path=memory/plain.md").is(200).field("title"); got != "" {
		t.Errorf("a heading is taken for the title: %q", got)
	}
	for _, path := range []string{"MEMORY.md", "memory/archive.md", "memory/none.md", "../x", ""} {
		b.get("/bots/scout/title?path=" + path).is(http.StatusNotFound)
		b.post("/bots/scout/title", url.Values{"path": {path}, "title": {"x"}}).is(http.StatusNotFound)
	}
}
