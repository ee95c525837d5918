package panel_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo"
)

func TestAddANote(t *testing.T) {
	b := signedIn(t)
	add := func(path, note string) answer {
		return b.post("/bots/scout/note", url.Values{"path": {path}, "note": {note}})
	}
	add("MEMORY.md", "Ada drinks tea").is(http.StatusSeeOther)
	if got := b.read(policy.MemoryFile); !strings.Contains(got, "Ada drinks tea") {
		t.Errorf("MEMORY.md says\n%s", got)
	}
	if to := add("MEMORY.md", "Ada drinks tea").is(http.StatusSeeOther).header.Get("Location"); !strings.Contains(to, "did=known") {
		t.Errorf("the same once more leads to %s", to)
	}
	b.write("memory/food.md", "- bread\n")
	add("memory/food.md", "oat milk").is(http.StatusSeeOther)
	if got := b.read("memory/food.md"); !strings.Contains(got, "oat milk") || !strings.Contains(got, "- bread") {
		t.Errorf("food.md says\n%s", got)
	}
	add("MEMORY.md", " ").is(http.StatusBadRequest)
	add("memory/log/2026-11-30.md", "x").is(http.StatusNotFound)
	add("../x", "x").is(http.StatusNotFound)
	rows, err := b.scout.Journal(t.Context(), repo.Query{Path: policy.MemoryFile, Limit: 1})
	must(t, err)
	if rows[0].Actor != "person" || rows[0].Via != "ui" {
		t.Errorf("it is signed %s by %s", rows[0].Actor, rows[0].Via)
	}
}

func TestMakeABot(t *testing.T) {
	b := signedIn(t)
	b.get("/").is(http.StatusOK).has("A new bot")
	made := b.post("/bots", url.Values{"bot": {"nova"}, "name": {"Nova"}}).is(http.StatusSeeOther)
	if to := made.header.Get("Location"); !strings.HasPrefix(to, "/bots/nova?did=begun") {
		t.Errorf("it leads to %s", to)
	}
	b.get("/bots/nova").is(http.StatusOK).has("What Nova remembers")
	b.post("/bots", url.Values{"bot": {"nova"}}).is(http.StatusSeeOther)
	for _, bad := range []string{"", "../x", "a b", "@me", "a--b"} {
		b.post("/bots", url.Values{"bot": {bad}}).is(http.StatusBadRequest)
	}
}

// TestAFaultLeadsBack: a page that says no leads to the bot that it is about.
func TestAFaultLeadsBack(t *testing.T) {
	b := signedIn(t)
	if back := b.get("/bots/scout/entry?path=MEMORY.md&line=99").is(http.StatusNotFound).link("Back to the memory"); back != "/bots/scout" {
		t.Errorf("it leads to %q", back)
	}
	if back := b.get("/bots/nobody").is(http.StatusNotFound).link("All bots"); back != "/" {
		t.Errorf("it leads to %q", back)
	}
}

func TestStruckIsToldInTheJournal(t *testing.T) {
	b := signedIn(t)
	b.write("MEMORY.md", "- 2026-11-30 · Ada drinks tea\n")
	page := b.get("/bots/scout/entry?path=MEMORY.md&line=1").is(http.StatusOK)
	b.post("/bots/scout/entry", url.Values{"path": {"MEMORY.md"}, "line": {"1"}, "mark": {page.field("mark")}, "do": {"strike"}, "text": {""}}).is(http.StatusSeeOther)
	b.get("/bots/scout/journal").is(http.StatusOK).has("Struck through: Ada drinks tea")
}
