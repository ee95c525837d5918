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

func TestBots(t *testing.T) {
	b := signedIn(t)
	b.get("/").is(200).has("Bots", "scout", "(1 %)", "The memory begins")
	b.teach(policy.Update{Text: "likes tea"}, `chat "Plans"`)
	b.write(policy.MemoryFile, strings.Repeat("- a hand-written line\n", 230))
	must(t, b.store.SetBot("scout", map[string]any{"memoryUpkeep": false}))
	b.get("/").is(200).has("230 of 200 lines", "30 lines of MEMORY.md do not load.", "Upkeep is off.", "Last change:")
	must(t, b.store.PauseUpkeep(b.clock.now().Add(time.Hour)))
	b.get("/").is(200).has("Upkeep is paused until")
	must(t, b.store.SetBot("scout", map[string]any{"memoryEnabled": false}))
	b.get("/").is(200).has("Memory is off.")
}

func TestNoBot(t *testing.T) {
	b := signedIn(t)
	for _, id := range []string{"nobody", "@me", "..", "scout%2F..", "SCOUT", "%00", "a%20b", ".git"} {
		for _, page := range []string{"", "/journal", "/edit", "/forget", "/file?path=MEMORY.md", "/pictures", "/day/2026-11-30", "/at"} {
			if a := b.get("/bots/" + id + page); a.status != http.StatusNotFound && a.status != http.StatusTemporaryRedirect {
				t.Errorf("%s%s: %d", id, page, a.status)
			}
		}
	}
	_, err := b.store.Remove(t.Context(), "scout")
	must(t, err)
	b.get("/").is(200).has("There is no bot yet.")
}

func TestMemoryAsAPersonReadsIt(t *testing.T) {
	b := signedIn(t)
	b.write("memory/food.md", "---\ntitle: Food and drink\naliases: [tea, coffee]\n---\n- oat milk\n")
	b.write("memory/archive.md", "- 2020-01-01 · an old one\n")
	b.teach(policy.Update{Text: "The office is in Pune"}, `chat "Plans"`)
	b.teach(policy.Update{Action: policy.Supersede, OldText: "Pune", Text: "The office is in Mumbai"}, `chat "Move"`)
	b.teach(policy.Update{Text: "The launch is on Friday", Until: "2026-12-04"}, "")
	b.clock.on(10 * 24 * time.Hour)
	a := b.get("/bots/scout").is(200)
	a.has("What scout remembers", "Only the first 200 lines load each turn.", "from chat \"Plans\"", "no longer true, 2026-11-30", "expired 2026-12-04",
		"The office is in Mumbai", "Food and drink", "Archive", "Older notes")
	if !strings.Contains(a.body, "<s>The office is in Pune</s>") {
		t.Error("what was superseded is not struck through")
	}
	b.get("/bots/scout/file?path=memory/food.md").is(200).has("Food and drink", "oat milk", "coffee")
	b.get("/bots/scout/topics").is(200).has("Food and drink", "2 files")
	b.get("/bots/scout/file?path=MEMORY.md").is(http.StatusSeeOther)
}

func TestWhereTheLoadStops(t *testing.T) {
	b := signedIn(t)
	var text strings.Builder
	for i := range 230 {
		fmt.Fprintf(&text, "- line %d.\n", i+1)
	}
	b.write(policy.MemoryFile, text.String())
	a := b.get("/bots/scout").is(200).has("230 of 200 lines", "line 100.", "130 more notes").hasNot("line 101.", "Loading stops here")
	a = b.get("/bots/scout" + a.link("The next lines")).is(200).has("line 101.").hasNot("line 100.")
	a = b.get("/bots/scout" + a.link("The next lines")).is(200)
	_, after, found := strings.Cut(a.text(), "Loading stops here. The 30 lines below are not loaded.")
	if !found || !strings.HasPrefix(strings.TrimSpace(after), "line 201.") {
		t.Errorf("the line stands elsewhere:\n%s", a.text())
	}
}

func TestPathsThatAreNoNotes(t *testing.T) {
	b := signedIn(t)
	for _, path := range []string{
		"../../token", "/etc/passwd", "memory/../../token", "memory/.ledger.ndjson", ".git/config", "memory\\x.md", "memory/a/b.md", "ABOUT.md", "memory/con.md", "MEMORY.md\x00", "token",
	} {
		q := "?path=" + url.QueryEscape(path)
		for _, page := range []string{"file", "edit", "delete", "entry", "at", "restore"} {
			if a := b.get("/bots/scout/" + page + q); a.status != http.StatusNotFound {
				t.Errorf("%s of %q: %d", page, path, a.status)
			}
		}
		for _, to := range []string{"edit", "delete", "entry", "restore"} {
			if a := b.post("/bots/scout/"+to, url.Values{"path": {path}, "text": {"x"}, "do": {"edit"}}); a.status != http.StatusNotFound {
				t.Errorf("%s of %q: %d", to, path, a.status)
			}
		}
	}
}

func TestDayLogsAreReadAndDeleted(t *testing.T) {
	b := signedIn(t)
	_, err := b.scout.LogLine(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn}, "sent the invoices")
	must(t, err)
	path := "memory/log/2026-11-30.md"
	b.get("/bots/scout").is(200).has("2026-11-30")
	b.get("/bots/scout/topics?kind=logs").is(200).has("2026-11-30")
	b.get("/bots/scout/file?path="+path).is(200).has("sent the invoices", "the bot's own record")
	b.get("/bots/scout/edit?path=" + path).is(http.StatusForbidden)
	b.post("/bots/scout/edit", url.Values{"path": {path}, "text": {"mine"}}).is(http.StatusForbidden)
	b.get("/bots/scout/at?path=" + path).is(200).has("sent the invoices").hasNot("Put this back")
	b.get("/bots/scout/restore?path=" + path + "&change=" + string(b.newest().Change)).is(http.StatusForbidden)
	b.post("/bots/scout/restore", url.Values{"path": {path}, "change": {string(b.newest().Change)}, "hash": {"x"}}).is(http.StatusForbidden)
	ask := b.get("/bots/scout/delete?path=" + path).is(200)
	b.follow(b.post("/bots/scout/delete", form(ask, "path", "hash"))).is(200).has("The file is deleted.")
	if b.read(path) != "" {
		t.Error("the log is still there")
	}
}

// hostile is text that would act if it were taken for markup, or turn what stands around it.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</textarea><svg onload=alert(1)>`, `javascript:alert(1)`, `{{.CSRF}}`,
	"evil\u202egnp.exe", "iso\u2067late\u2066d", `<!--`, `' onmouseover='x`, `</title><base href=//evil.example>`,
}

func TestHostileTextStaysText(t *testing.T) {
	for i, bad := range hostile {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			b := signedIn(t)
			if !strings.ContainsAny(bad, "<>") { // such a name is refused
				must(t, b.store.SetBot("scout", map[string]any{"name": bad}))
			}
			m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: bad}, Via: repo.ViaTurn, Source: fmt.Sprintf("chat %q", bad), Quote: bad}
			r, err := b.scout.Update(t.Context(), m, policy.Update{Action: policy.Append, Text: "note " + bad, TextSet: true, Source: fmt.Sprintf("chat %q", bad)})
			must(t, err)
			b.write("memory/food.md", fmt.Sprintf("---\ntitle: %q\ndescription: %q\naliases: [%q]\n---\n# %s\n\n%s\n\n- %s\n- 2026-11-30 · from chat \"%s\" · %s\n\n```\n%s\n```\n", bad, bad, bad, bad, bad, bad, bad, bad, bad))
			me, err := b.store.MakeMe(t.Context(), "")
			must(t, err)
			_, _, err = me.Learn(t.Context(), m, bad, []string{"likes " + bad})
			must(t, err)
			food := "?path=memory/food.md"
			for _, p := range []string{
				"/", "/bots/scout", "/bots/scout/topics", "/bots/scout/file" + food, "/bots/scout/edit" + food, "/bots/scout/edit", "/bots/scout/journal", "/about", "/about/journal",
				"/bots/scout/pictures", "/bots/scout/day/2026-11-30", "/about/day/2026-11-30", "/bots/scout/at" + food, "/bots/scout/at", "/about/at", "/bots/scout/restore?change=" + string(r.Change),
				"/bots/scout/day/" + url.PathEscape(bad), "/bots/scout/at?change=" + url.QueryEscape(bad), "/bots/scout/at?path=" + url.QueryEscape(bad),
				"/bots/scout/delete" + food, b.entryAt("note"), strings.Replace(b.entryAt("note"), "/entry", "/forget", 1),
				"/bots/scout/change/" + string(r.Change), "/bots/scout/undo/" + string(r.Change),
				"/bots/scout/journal?q=" + url.QueryEscape(bad) + "&path=" + url.QueryEscape(bad) + "&since=" + url.QueryEscape(bad) + "&author=" + url.QueryEscape(bad),
				"/bots/scout?did=" + url.QueryEscape(bad) + "&change=" + url.QueryEscape(bad), "/bots/scout/file?path=" + url.QueryEscape(bad), "/bots/" + url.PathEscape(bad),
			} {
				// Every page is held to well-formed markup of ours alone: see wellFormed.
				if a := b.get(p); a.status >= 500 {
					t.Errorf("%s: %d", p, a.status)
				} else if shown := withoutBoxes(a.body); strings.ContainsAny(shown, "\u202e\u2066\u2067") {
					t.Errorf("%s hands on a control that turns the text around it", p)
				}
			}
			b.post("/bots/scout/forget", url.Values{"words": {bad + " note"}, "do": {"look"}})
			b.post("/bots/scout/edit", url.Values{"path": {"memory/food.md"}, "hash": {"old"}, "text": {bad}}).is(http.StatusConflict)
			b.post("/bots/scout/edit", url.Values{"path": {bad}, "text": {bad}})
		})
	}
}

// withoutBoxes takes out the boxes and fields, where text is as it is.
func withoutBoxes(body string) string {
	for _, end := range [][2]string{{"<textarea", "</textarea>"}, {"<input", ">"}} {
		for {
			before, rest, found := strings.Cut(body, end[0])
			if !found {
				break
			}
			_, after, _ := strings.Cut(rest, end[1])
			body = before + after
		}
	}
	return body
}
