package panel_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

// say has a turn in the owner's own chat, "Plans".
func (b *browser) say(person, bot string) {
	b.t.Helper()
	turns := hooks.NewTurns(b.store, b.clock.now, nil)
	owner := repo.Speaker{By: repo.ByOwner}
	o, err := turns.Start(b.t.Context(), "scout", hooks.Opening{
		Conversation: repo.Conversation{ID: "c1", Kind: repo.DirectChat, Title: "Plans", StartedBy: "owner"}, Speaker: owner, Message: person,
	})
	must(b.t, err)
	_, err = turns.End(b.t.Context(), "scout", o.Turn, hooks.Closing{Messages: []repo.Message{
		{Speaker: owner, Text: person}, {Speaker: repo.Speaker{By: repo.BySelf}, Text: bot},
	}})
	must(b.t, err)
}

func TestSearch(t *testing.T) {
	b := signedIn(t)
	b.write("memory/airships.md", "# Airships\n\n"+strings.Repeat("- a line\n", 200)+"- 2026-11-29 · The zeppelin is called Gudrun\n")
	b.say("when does the zeppelin land?", "The zeppelin lands on Friday.")
	b.get("/bots/scout/search").is(200).has("Give words, a time, or both.").hasNot("Nothing found.")
	a := b.get("/bots/scout/search?q=zeppelin").is(200).has("The zeppelin is called Gudrun", "Note", "memory/airships.md", "line 203", "2026-11-29",
		"The zeppelin lands on Friday.", "Conversation", `chat "Plans"`, "Day log")
	to := a.link("memory/airships.md")
	if to != "/bots/scout/file?path=memory%2Fairships.md&from=183#L203" {
		t.Errorf("the note is at %q", to)
	}
	path, anchor, _ := strings.Cut(to, "#")
	page := b.get(path).is(200)
	if !strings.Contains(page.body, `id="`+anchor+`"`) {
		t.Error("the page that the hit leads to does not show its line")
	}
	if begin := b.get("/bots/scout/file" + page.link("From the beginning")).is(200); !strings.Contains(begin.body, `id="L3"`) {
		t.Error("from there nothing leads to the beginning of the file")
	}
	b.get("/bots/scout/search?q=zeppelin&scope=notes").is(200).has("Gudrun").hasNot("Conversation ·", `when does`)
	b.get("/bots/scout/search?q=zeppelin&scope=conversations").is(200).hasNot("Gudrun").has("lands on Friday")
	b.get("/bots/scout/search?until=2026-11-29").is(200).has("Gudrun").hasNot("lands on Friday")
	b.get("/bots/scout/search?q=submarine").is(200).has("Nothing found.")
	b.get("/bots/scout/search?q=zeppelin&since=someday").is(200).has("A time is a day like 2026-11-30").hasNot("Gudrun", "Nothing found.")
	b.get("/bots/scout/search?since=today&until=yesterday").is(200).has("The end of that time lies before its beginning.")
	must(t, b.store.SetBot("scout", map[string]any{"memoryEnabled": false}))
	b.get("/bots/scout/search?q=zeppelin").is(200).has("its notes are not searched", "lands on Friday").hasNot("Gudrun")
	b.get("/bots/nobody/search?q=x").is(http.StatusNotFound)
}

// A search over the home groups by bot; one that fails is named and the others still show.
func TestSearchEverywhere(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "The zeppelin is called Gudrun"}, "")
	other, _, err := b.store.Create(t.Context(), "ada", "Ada's helper")
	must(t, err)
	_, _, err = b.store.Create(t.Context(), "broken", "")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(other.Path, "MEMORY.md"), []byte("- the other zeppelin\n"), 0o600))
	ws, err := b.store.Open(t.Context(), "ada")
	must(t, err)
	_, err = ws.TakeIn(t.Context(), repo.Author{Kind: repo.Person, Name: "Ada"})
	must(t, err)
	me, err := b.store.MakeMe(t.Context(), "")
	must(t, err)
	_, err = me.Save(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}, policy.AboutFile, "I fly a zeppelin\n\nand a kite\n", repo.Expect{Any: true})
	must(t, err)
	must(t, b.store.Close()) // as a server that begins anew finds it
	b.reopen()
	must(t, os.WriteFile(filepath.Join(b.store.Home(), "history", "broken.git", "refs", "heads", "main"), []byte(strings.Repeat("0123", 10)+"\n"), 0o600))
	a := b.get("/search?q=zeppelin").is(200).has("About me", "I fly a zeppelin", "scout", "The zeppelin is called Gudrun", "Ada's helper", "the other zeppelin", "broken", "This bot cannot be searched.").hasNot("kite")
	if to := a.link("Search here alone"); !strings.HasPrefix(to, "/bots/ada/search?") {
		t.Errorf("more is at %q", to)
	}
	b.get("/search?q=zeppelin&scope=conversations").is(200).hasNot("I fly", "Gudrun")
	b.get("/search?q=submarine").is(200).has("This bot cannot be searched.").hasNot("Gudrun")
	b.get("/search").is(200).has("Give words, a time, or both.")
	b.get("/search?since=never").is(200).has("A time is a day like 2026-11-30")
}

// What is recalled is shown with the words that brought it up, and else why there is nothing.
func TestRecallPage(t *testing.T) {
	b := signedIn(t)
	b.write("memory/airships.md", "# Airships\n\n- 2026-11-29 · The zeppelin is called Gudrun\n")
	b.say("when does the zeppelin land?", "The zeppelin lands on Friday.")
	ask := func(message, more string) answer {
		return b.get("/bots/scout/recall?message=" + url.QueryEscape(message) + more).is(200)
	}
	b.get("/bots/scout/recall").is(200).has("Try a message").hasNot("Looked for", "recalls nothing")
	a := ask("tell me of the zeppelin", "").has("The zeppelin is called Gudrun", "memory/airships.md", "by the words: zeppelin", "score ", "the change that wrote it",
		"lands on Friday", `chat "Plans"`, "As it stands before the message", "<recall>", "</recall>", "Looked for:")
	if to := a.link("memory/airships.md"); to != "/bots/scout/file?path=memory%2Fairships.md#L3" {
		t.Errorf("the note is at %q", to)
	}
	b.get(a.link("the change that wrote it")).is(200).has("Gudrun")
	ask("tell me of the zeppelin", "&where=room").has("Gudrun", "A group chat recalls notes alone").hasNot("lands on Friday")
	ask("zeppeli", "").has("A message of fewer than eight characters recalls nothing.")
	ask("and the of it is", "").has("Nothing in this message says what to look for")
	ask("tell me of submarines", "").has("Nothing is recalled", "submarines")
	must(t, b.store.SetConfig("features.autoRecall", false))
	ask("tell me of the zeppelin", "").has("Automatic recall is switched off").hasNot("Gudrun")
	b.get("/bots/scout/recall").is(200).has("Automatic recall is switched off")
	must(t, b.store.SetConfig("features.autoRecall", nil))
	must(t, b.store.SetBot("scout", map[string]any{"memoryEnabled": false}))
	ask("tell me of the zeppelin", "").has("Memory is switched off for this bot").hasNot("Gudrun")
}

// A note that would act as markup stays text in what is found and recalled.
func TestFoundTextStaysText(t *testing.T) {
	b := signedIn(t)
	for _, bad := range hostile {
		b.write("memory/traps.md", "- zeppelin "+bad+"\n")
		for _, page := range []string{"/bots/scout/search?q=zeppelin", "/search?q=zeppelin", "/bots/scout/recall?message=what+is+the+zeppelin", "/bots/scout/search?q=" + url.QueryEscape(bad), "/bots/scout/recall?message=" + url.QueryEscape(bad)} {
			a := b.get(page).is(200) // well formed, and with nothing that acts
			if strings.Contains(a.body, "<img") || strings.ContainsAny(a.text(), "\u202e\u2067") {
				t.Errorf("%s: %q acts", page, bad)
			}
		}
	}
}
