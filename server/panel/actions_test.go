package panel_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo"
)

// newest is the newest row of the journal.
func (b *browser) newest() repo.Row {
	b.t.Helper()
	rows, err := b.scout.Journal(b.t.Context(), repo.Query{Limit: 1, All: true})
	must(b.t, err)
	return rows[0]
}

func TestSave(t *testing.T) {
	b := signedIn(t)
	page := b.get("/bots/scout/edit").is(200)
	sent := form(page, "path", "hash")
	sent.Set("text", "# Memory\r\n\r\n- mine\r\n") // as a browser sends it
	done := b.follow(b.post("/bots/scout/edit", sent)).is(200).has("Saved.", "mine")
	if got := b.read(policy.MemoryFile); got != "# Memory\n\n- mine\n" {
		t.Errorf("kept %q", got)
	}
	if row := b.newest(); row.Actor != "person" || row.Who != "Ada" || row.Via != "ui" {
		t.Errorf("signed %s %s via %s, want the person, in the panel", row.Actor, row.Who, row.Via)
	}
	undo := b.get(done.link("Undo")).is(200).has("Take this change back?", "mine")
	b.follow(b.post(done.link("Undo"), form(undo))).is(200).has("Taken back")
	if got := b.read(policy.MemoryFile); strings.Contains(got, "mine") {
		t.Errorf("after the undo: %q", got)
	}
	same := b.get("/bots/scout/edit").is(200)
	b.follow(b.post("/bots/scout/edit", form(same, "path", "hash", "text"))).is(200).has("Nothing to change")
}

func TestSaveAgainstAChangeMeanwhile(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, "- one\n")
	sent := form(b.get("/bots/scout/edit"), "path", "hash")
	sent.Set("text", "- mine\n")
	b.write(policy.MemoryFile, "- the bot's\n")
	a := b.post("/bots/scout/edit", sent).is(http.StatusConflict).has("scout changed this file while you were editing.", "Overwrite with mine", "Reload", "mine", "the bot's")
	if got := b.read(policy.MemoryFile); got != "- the bot's\n" {
		t.Errorf("the save was refused and yet kept: %q", got)
	}
	again := form(a, "path", "hash", "text")
	again.Set("do", "reload")
	r := b.post("/bots/scout/edit", again).is(200).has("Your draft", "mine")
	if got := r.field("text"); got != "- the bot's\n" {
		t.Errorf("Reload shows %q", got)
	}
	again.Del("do")
	b.follow(b.post("/bots/scout/edit", again)).is(200).has("Saved.")
	if got := b.read(policy.MemoryFile); got != "- mine\n" {
		t.Errorf("after Overwrite with mine: %q", got)
	}
	// A save without a hash overwrites nothing.
	b.post("/bots/scout/edit", url.Values{"text": {"x"}}).is(http.StatusConflict)
	// Who changed it is told as it is.
	sent = form(b.get("/bots/scout/edit"), "path", "hash")
	_, err := b.scout.Save(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaCLI}, policy.MemoryFile, "- hers\n", repo.Expect{Any: true})
	must(t, err)
	b.post("/bots/scout/edit", sent).is(http.StatusConflict).has("You, in another window or editor, changed this file while you were editing.")
}

func TestSaveKeepsEveryByte(t *testing.T) {
	tests := map[string]struct {
		file, typed, want string
		unfit             bool
	}{
		"LF":              {"a\nb\n", "a\r\nc\r\n", "a\nc\n", false},
		"CRLF":            {"a\r\nb\r\n", "a\r\nc\r\n", "a\r\nc\r\n", false},
		"no end":          {"a", "a\r\nb", "a\nb", false},
		"begins blank":    {"\n\na\n", "", "", false},
		"mixed line ends": {"a\r\nb\nc\nd\n", "", "", true},
		"a bare CR":       {"a\rb\n", "", "", true},
		"NUL":             {"a\x00b\n", "", "", true},
		"not UTF-8":       {"a\xffb\n", "", "", true},
		"an end tag":      {"</textarea>\n", "", "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := signedIn(t)
			must(t, os.MkdirAll(filepath.Join(b.scout.Dir(), "memory"), 0o700)) // as an editor outside does it
			must(t, os.WriteFile(filepath.Join(b.scout.Dir(), "memory/food.md"), []byte(tt.file), 0o600))
			a := b.get("/bots/scout/edit?path=memory/food.md").is(200)
			if tt.unfit {
				if strings.Contains(a.body, "<textarea") {
					t.Error("it is offered to edit")
				}
				return
			}
			sent := form(a, "path", "hash", "text")
			if tt.typed == "" {
				sent.Set("text", strings.ReplaceAll(sent.Get("text"), "\n", "\r\n"))
				b.follow(b.post("/bots/scout/edit", sent)).is(200).has("Nothing to change")
				return
			}
			sent.Set("text", tt.typed)
			b.follow(b.post("/bots/scout/edit", sent)).is(200)
			if got := b.read("memory/food.md"); got != tt.want {
				t.Errorf("kept %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSaveRefusals(t *testing.T) {
	b := signedIn(t)
	page := form(b.get("/bots/scout/edit"), "path", "hash")
	page.Set("text", strings.Repeat("x", 300<<10))
	b.post("/bots/scout/edit", page).is(http.StatusRequestEntityTooLarge)
	page.Set("text", strings.Repeat("x", 2<<20))
	b.post("/bots/scout/edit", page).is(http.StatusRequestEntityTooLarge)
	page.Set("text", "- the key is ghp_"+strings.Repeat("a1B2", 9)+"\n")
	b.follow(b.post("/bots/scout/edit", page)).is(200).has("«redacted")
	if strings.Contains(b.log.String(), "a1B2a1B2") {
		t.Error("the log holds a credential")
	}
	b.get("/bots/scout/edit?topic=New+things").is(200).has("A new file", "memory/new-things.md")
	b.get("/bots/scout/edit?topic=archive").is(http.StatusBadRequest)
	topic := form(b.get("/bots/scout/edit?topic=New+things"), "path", "hash")
	topic.Set("text", "- a note\n")
	b.follow(b.post("/bots/scout/edit", topic)).is(200).has("a note")
	b.post("/bots/scout/edit", topic).is(http.StatusConflict) // it is there by now
}

func TestDelete(t *testing.T) {
	b := signedIn(t)
	b.write("memory/food.md", "- tea\n")
	ask := form(b.get("/bots/scout/delete?path=memory/food.md").is(200).has("can be undone"), "path", "hash")
	b.write("memory/food.md", "- coffee\n")
	b.post("/bots/scout/delete", ask).is(http.StatusConflict).has("nothing was deleted", "scout changed this file")
	ask = form(b.get("/bots/scout/delete?path=memory/food.md"), "path", "hash")
	done := b.follow(b.post("/bots/scout/delete", ask)).is(200).has("The file is deleted.")
	b.follow(b.post(done.link("Undo"), nil)).is(200)
	if got := b.read("memory/food.md"); got != "- coffee\n" {
		t.Errorf("after the undo: %q", got)
	}
	b.get("/bots/scout/delete?path=MEMORY.md").is(http.StatusNotFound)
	b.post("/bots/scout/delete", url.Values{"path": {"MEMORY.md"}, "hash": {"x"}}).is(http.StatusForbidden)
}

func TestChangeOfAnEntry(t *testing.T) {
	tests := map[string]struct {
		do, text string
		status   int
		want     string
	}{
		"edit":               {"edit", "The office is in Delhi", 303, "- 2026-11-30 · from chat \"Plans\" · The office is in Delhi · updated 2026-11-30\n"},
		"edit to nothing":    {"edit", "  ", 400, ""},
		"edit to the same":   {"edit", "The office is in Pune", 303, "- 2026-11-30 · from chat \"Plans\" · The office is in Pune\n"},
		"strike":             {"strike", "", 303, "- 2026-11-30 · from chat \"Plans\" · ~~The office is in Pune~~ · superseded 2026-11-30\n"},
		"strike for another": {"strike", "It is in Mumbai", 303, "~~The office is in Pune~~ · superseded 2026-11-30\n- 2026-11-30 · from panel · It is in Mumbai\n"},
		"take out":           {"remove", "", 303, "- a later one\n"},
		"nothing that is":    {"sell", "", 400, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := signedIn(t)
			b.teach(policy.Update{Text: "The office is in Pune"}, `chat "Plans"`)
			page := b.get(b.entryAt("Pune")).is(200).has("Written by", `chat "Plans"`, "History")
			sent := form(page, "path", "line", "mark")
			sent.Set("do", tt.do)
			sent.Set("text", tt.text)
			// What stands elsewhere may change meanwhile, and the entry be on another line.
			b.write(policy.MemoryFile, "- above\n"+b.read(policy.MemoryFile)+"- a later one\n")
			a := b.post("/bots/scout/entry", sent).is(tt.status)
			got := b.read(policy.MemoryFile)
			if !strings.Contains(got, tt.want) || !strings.HasPrefix(got, "- above\n") || !strings.HasSuffix(got, "- a later one\n") {
				t.Errorf("got\n%s", got)
			}
			if tt.status == 303 {
				b.follow(a).is(200)
			}
			if tt.do == "remove" && strings.Contains(got, "Pune") {
				t.Error("it is still there")
			}
		})
	}
}

func TestAnEntryThatChangedIsLeftAlone(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, "- one\n- two\n")
	address := b.entryAt("one")
	sent := form(b.get(address).is(200), "path", "line", "mark")
	ask := form(b.get(strings.Replace(address, "/entry", "/forget", 1)).is(200).has("This entry goes"), "path", "line", "mark")
	b.write(policy.MemoryFile, "- another\n- two\n")
	for _, do := range []string{"edit", "strike", "remove"} {
		sent.Set("do", do)
		sent.Set("text", "x")
		b.post("/bots/scout/entry", sent).is(http.StatusConflict).has("Nothing was done")
	}
	b.post("/bots/scout/forget", ask).is(http.StatusConflict)
	ask.Del("mark")
	b.post("/bots/scout/forget", ask).is(http.StatusConflict)
	if got := b.read(policy.MemoryFile); got != "- another\n- two\n" {
		t.Errorf("got %q", got)
	}
}

func TestForgetAnEntry(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, "- keep this\n")
	b.teach(policy.Update{Text: "has an ulcer"}, `chat "Private"`)
	ask := b.get(strings.Replace(b.entryAt("ulcer"), "/entry", "/forget", 1)).is(200).has("has an ulcer", "cannot be undone")
	b.post("/bots/scout/forget", form(ask, "path", "line", "mark")).is(200).has("Forgotten", "went from the files")
	if got := b.read(policy.MemoryFile); got != "- keep this\n" {
		t.Errorf("left %q", got)
	}
	must(t, b.scout.FinishErasures(t.Context(), nil))
	found, err := b.scout.Gone(t.Context(), []string{"ulcer"}, nil)
	must(t, err)
	if len(found) > 0 {
		t.Errorf("it is still in the history: %+v", found)
	}
	b.get("/bots/scout/journal").is(200).hasNot("ulcer")
}

func TestForgetWords(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, "- keep this\n- Meera likes tea\n")
	b.write("memory/people.md", "- Meera is in Pune\n")
	look := b.post("/bots/scout/forget", url.Values{"words": {"Meera"}, "do": {"look"}}).is(200).has("2 notes would go", "likes tea", "is in Pune")
	if got := b.read("memory/people.md"); got != "- Meera is in Pune\n" {
		t.Errorf("a look took something out: %q", got)
	}
	b.post("/bots/scout/forget", url.Values{"words": {look.field("words")}, "do": {"forget"}}).is(200).has("2 notes went", "No bot learns it again")
	if got := b.read(policy.MemoryFile) + b.read("memory/people.md"); got != "- keep this\n" {
		t.Errorf("left %q", got)
	}
	b.get("/bots/scout/forget").is(200)
	b.post("/bots/scout/forget", url.Values{"words": {" \r\n "}, "do": {"look"}}).is(http.StatusBadRequest)
	b.post("/bots/scout/forget", url.Values{"words": {"nowhere"}, "do": {"look"}}).is(200).has("No note mentions it")
}

func TestJournal(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "The office is in Pune"}, `chat "Plans"`)
	b.teach(policy.Update{Action: policy.Replace, OldText: "Pune", Text: "Mumbai"}, `chat "Move"`)
	b.write("memory/food.md", "- tea\n")
	a := b.get("/bots/scout/journal").is(200).has("Monday, 30 November 2026", "during a task, chat \"Move\"", "memory/food.md", "Undo")
	if !strings.Contains(a.body, "<del>Pune</del>") || !strings.Contains(a.body, "<ins>Mumbai") {
		t.Errorf("the words that changed are not marked:\n%s", a.body)
	}
	for query, want := range map[string][2]string{
		"author=person": {"The memory begins", "Mumbai"}, "author=bot": {"Mumbai", "The memory begins"}, "path=memory/food.md": {"tea", "Mumbai"},
		"q=mumbai": {"Mumbai", "tea"}, "action=edit": {"tea", "Mumbai"}, "since=2026-12-01": {"No change like that.", "tea"},
		"until=2026-11-30": {"tea", "No change"}, "since=soon": {"A time is a day", "No change"}, "path=secret": {"no file of that name", "No change"},
	} {
		b.get("/bots/scout/journal?" + query).is(200).has(want[0]).hasNot(want[1])
	}
	b.get("/bots/scout/journal?before=01ARZ3NDEKTSV4RRFFQ69G5FAV").is(http.StatusNotFound)
}

func TestJournalPages(t *testing.T) {
	b := signedIn(t)
	for i := range 60 {
		b.write("memory/food.md", fmt.Sprintf("- version %d of it.\n", i))
	}
	seen, next := map[string]int{}, "/bots/scout/journal?path=memory/food.md"
	for pages := 0; next != ""; pages++ {
		a := b.get(next).is(200)
		for i := range 60 {
			if strings.Contains(a.body, fmt.Sprintf("<ins>%d</ins>", i)) {
				seen[fmt.Sprint(i)]++
			}
		}
		if next = a.link("Older changes"); pages > 3 {
			t.Fatal("the pages go on")
		}
	}
	for i := 1; i < 60; i++ { // the first has nothing to differ from
		if seen[fmt.Sprint(i)] != 1 {
			t.Errorf("version %d stands on %d pages", i, seen[fmt.Sprint(i)])
		}
	}
}

func TestUndo(t *testing.T) {
	b := signedIn(t)
	r := b.teach(policy.Update{Text: "The office is in Pune"}, "")
	b.teach(policy.Update{Text: "Another"}, "")
	id := string(r.Change)
	b.get("/bots/scout/change/"+id).is(200).has("The office is in Pune", "As the commit says it")
	b.get("/bots/scout/undo/"+id).is(200).has("What that does", "The office is in Pune")
	if !strings.Contains(b.read(policy.MemoryFile), "Pune") {
		t.Error("asking took it back")
	}
	b.follow(b.post("/bots/scout/undo/"+id, nil)).is(200).has("Taken back, as a change of its own.", "by a later change")
	if got := b.read(policy.MemoryFile); strings.Contains(got, "Pune") || !strings.Contains(got, "Another") {
		t.Errorf("got %q", got)
	}
	if row := b.newest(); row.Actor != "person" || row.Via != "revert" {
		t.Errorf("signed %s via %s", row.Actor, row.Via)
	}
	// What cannot be undone says why, before and instead.
	r = b.teach(policy.Update{Text: "Reworded later"}, "")
	b.teach(policy.Update{Action: policy.Replace, OldText: "Reworded later", Text: "Reworded by now"}, "")
	b.get("/bots/scout/undo/" + string(r.Change)).is(200).has("It cannot be undone.")
	b.post("/bots/scout/undo/"+string(r.Change), nil).is(http.StatusConflict)
	for _, id := range []string{"HEAD", "HEAD~1", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "x", strings.Repeat("0", 40)} {
		b.get("/bots/scout/undo/" + id).is(http.StatusNotFound)
		b.get("/bots/scout/change/" + id).is(http.StatusNotFound)
		b.post("/bots/scout/undo/"+id, nil).is(http.StatusNotFound)
	}
	_, _, err := b.store.Create(t.Context(), "other", "")
	must(t, err)
	b.get("/bots/other/change/" + string(r.Change)).is(http.StatusNotFound) // another bot's
}

func TestAboutMe(t *testing.T) {
	b := signedIn(t)
	page := b.get("/about").is(200).has("About me", "Nothing yet.")
	sent := form(page, "path", "hash")
	sent.Set("text", "I live in Pune.\n")
	b.follow(b.post("/about", sent)).is(200).has("Saved.", "I live in Pune.")
	b.post("/about", sent).is(http.StatusConflict).has("while you were editing")
	me, err := b.store.Me(t.Context(), "")
	must(t, err)
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaCapture}
	_, _, err = me.Learn(t.Context(), m, "Scout", []string{"Is vegetarian"})
	must(t, err)
	page = b.get("/about").is(200).has("Is vegetarian", "Scout")
	b.follow(b.post("/about/remove", form(page, "id"))).is(200).has("Taken out.", "Nothing yet.")
	b.post("/about/remove", url.Values{"id": {"none"}}).is(http.StatusConflict)
	text, err := me.Read(t.Context(), policy.AboutFile)
	must(t, err)
	if strings.Contains(text.Text, "vegetarian") || !strings.Contains(text.Text, "Pune") {
		t.Errorf("got %q", text.Text)
	}
	journal := b.get("/about/journal").is(200).has("Is vegetarian", "Undo")
	b.get(journal.link("Undo")).is(200)
}

func TestAnOpenEditorFollowsItsFile(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, "- one\r\n- two\r\n")
	var now struct {
		Hash, Text, Who string
		Fit             bool
	}
	a := b.get("/bots/scout/text?path=MEMORY.md").is(200)
	must(t, json.Unmarshal([]byte(a.body), &now))
	if now.Text != "- one\n- two\n" || now.Who != "scout" || !now.Fit || now.Hash != b.get("/bots/scout/edit").field("hash") {
		t.Errorf("got %+v", now)
	}
	b.get("/bots/scout/text?path=MEMORY.md&hash=" + now.Hash).is(http.StatusNoContent)
	b.get("/bots/scout/text?path=../token").is(http.StatusNotFound)
	b.get("/bots/nobody/text?path=MEMORY.md").is(http.StatusNotFound)
	b.cookie = nil
	b.get("/bots/scout/text?path=MEMORY.md").is(http.StatusUnauthorized).hasNot("one")
}
