package panel_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

func TestPictures(t *testing.T) {
	b := signedIn(t)
	b.get("/bots/scout/pictures").is(200).has("1 change on 1 day since 1 Dec 2025", "No note stands yet.")
	b.clock.on(24 * time.Hour)
	b.teach(policy.Update{Text: "Likes tea"}, `chat "Plans"`)
	b.teach(policy.Update{Text: "Likes cake"}, `room "Kitchen"`)
	b.write("memory/food.md", strings.Repeat("- soup\n", 12))
	a := b.get("/bots/scout/pictures").is(200)
	a.has("1 Dec 2026: 3 changes", "30 Nov 2026: 1 change", "29 Nov 2026: no change", "December 2026", "3 by the bot",
		"It was fullest on 1 Dec 2026", "Budget: 200 lines, 24.0 KB", "written down in a chat", "written down in a room", "14 notes stand.")
	if n := strings.Count(a.body, "<rect class=\"h"); n != 366+4 { // a year from a Monday to today, a Tuesday, and the legend
		t.Errorf("%d cells and shades", n)
	}
	if !strings.Contains(a.body, `<a href="/bots/scout/day/2026-12-01" tabindex="-1"`) {
		t.Error("the day leads nowhere")
	}
	b.get(a.link("December 2026")).is(200).has("Likes tea").hasNot("The memory begins")
}

func TestDayPage(t *testing.T) {
	b := signedIn(t)
	b.clock.on(48 * time.Hour)
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn}
	_, err := b.scout.LogLine(t.Context(), m, "sent the invoices")
	must(t, err)
	for i := range 30 {
		b.teach(policy.Update{Text: fmt.Sprintf("fact %d.", i)}, "")
	}
	_, err = b.scout.Save(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaUI}, "memory/food.md", "- soup\n", repo.Expect{})
	must(t, err)
	b.clock.on(72 * time.Hour)
	b.teach(policy.Update{Text: "later"}, "")
	first := b.get("/bots/scout/journal").is(200)
	page := b.get(first.link("Saturday, 5 December 2026")).is(200).has("1 change:", "1 by the bot", "later", "Before: 2 Dec 2026").hasNot("fact 3.", "After:")
	page = b.get(page.link("Before: 2 Dec 2026")).is(200)
	page.has("Wednesday, 2 December 2026", "31 changes:", "30 by the bot", "1 by you", "sent the invoices", "fact 29.", "After: 5 Dec 2026", "Before: 30 Nov 2026").hasNot("fact 1.", "later")
	b.get(page.link("Older changes")).is(200).has("fact 1.").hasNot("fact 29.", "sent the invoices")
	b.get("/bots/scout/day/2026-12-01").is(200).has("No change on this day.", "Before: 30 Nov 2026", "After: 2 Dec 2026")
	for _, day := range []string{"2026-02-30", "yesterday", "2026-1-1", "x", "2026-12-01'", "-"} {
		b.get("/bots/scout/day/" + day).is(http.StatusNotFound)
	}
	b.get("/bots/scout/day/2026-12-02?before=x").is(http.StatusNotFound)
	b.get("/about/day/2026-12-02").is(http.StatusSeeOther)
	must(t, func() error { _, err := b.store.MakeMe(t.Context(), ""); return err }())
	b.get("/about/day/2026-12-05").is(200).has("1 change:")
}

func TestTimeTravel(t *testing.T) {
	b := signedIn(t)
	at := func(n int) string { return fmt.Sprintf("/bots/scout/at?path=memory/food.md&n=%d", n) }
	b.get(at(1)).is(http.StatusNotFound)
	b.write("memory/food.md", "- soup\n- bread\n")
	b.teach(policy.Update{Text: "elsewhere"}, "")
	second := b.write("memory/food.md", "- soup\n- rolls\n")
	b.write("memory/food.md", "- tea\n")
	b.get("/bots/scout/file?path=memory/food.md").is(200)
	b.get(at(1)).is(200).has("Change 1 of 3", "bread", "30 Nov 2026", "scout", "Put this back…", "Later").hasNot("Earlier", "It says the same now.")
	b.get(at(3)).is(200).has("Change 3 of 3", "tea", "It says the same now.", "Earlier").hasNot("Put this back", "Later")
	for _, n := range []int{0, -4, 99} {
		b.get(at(n)).is(200).has("Change 3 of 3")
	}
	// A change leads to the file after it, to read and not to act on.
	change := b.get("/bots/scout/change/" + string(second.Change)).is(200)
	past := b.get(change.link("The file after this change")).is(200).has("Change 2 of 3", "rolls")
	if strings.Contains(past.body, "/entry?") {
		t.Error("what is past can be acted on")
	}
	b.get("/bots/scout/at?path=memory/food.md&change=HEAD").is(http.StatusNotFound)
	b.get("/bots/scout/at?path=memory/food.md&change=01ARZ3NDEKTSV4RRFFQ69G5FAV").is(http.StatusNotFound)

	// Put back: asked first, over the text that was shown, and as a change of its own.
	ask := b.get(past.link("Put this back…")).is(200).has("Put this file back?", "rolls", "tea")
	if got := b.read("memory/food.md"); got != "- tea\n" {
		t.Errorf("asking wrote %q", got)
	}
	sent := form(ask, "path", "hash", "change")
	b.write("memory/food.md", "- tea\n- by the bot meanwhile\n")
	b.post("/bots/scout/restore", sent).is(http.StatusConflict).has("Nothing was done")
	if got := b.read("memory/food.md"); got != "- tea\n- by the bot meanwhile\n" {
		t.Errorf("a stale form wrote %q", got)
	}
	unsigned := form(ask, "path", "change", "hash")
	unsigned.Set("csrf", "x")
	b.post("/bots/scout/restore", unsigned).is(http.StatusForbidden)
	again := b.get(past.link("Put this back…")).is(200)
	b.follow(b.post("/bots/scout/restore", form(again, "path", "hash", "change"))).is(200).has("Put back, as a change of its own.", "rolls")
	if got := b.read("memory/food.md"); got != "- soup\n- rolls\n" {
		t.Errorf("put back %q", got)
	}
	if row := b.newest(); row.Actor != "person" || row.Via != "ui" || row.Action != string(repo.ActRestore) {
		t.Errorf("signed %s via %s as %s", row.Actor, row.Via, row.Action)
	}
	for _, bad := range []url.Values{{"path": {"../x"}}, {"path": {"memory/food.md"}, "change": {"HEAD"}, "hash": {"x"}}} {
		b.post("/bots/scout/restore", bad).is(http.StatusNotFound)
	}
}

// A file that was deleted can be looked at as it was, and put back.
func TestTimeTravelToAFileThatIsGone(t *testing.T) {
	b := signedIn(t)
	b.write("memory/food.md", "- soup\n")
	_, err := b.scout.Delete(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaUI}, "memory/food.md", repo.Expect{})
	must(t, err)
	b.get("/bots/scout/at?path=memory/food.md").is(200).has("Change 2 of 2", "this change deleted it").hasNot("Put this back", "As it is now")
	past := b.get("/bots/scout/at?path=memory/food.md&n=1").is(200).has("soup", "not there any more")
	ask := b.get(past.link("Put this back…")).is(200).has("soup")
	b.follow(b.post("/bots/scout/restore", form(ask, "path", "hash", "change"))).is(200).has("soup")
}

func TestTimeTravelOfAboutMe(t *testing.T) {
	b := signedIn(t)
	b.get("/about/at").is(http.StatusSeeOther)
	me, err := b.store.MakeMe(t.Context(), "")
	must(t, err)
	_, err = me.Save(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaUI}, policy.AboutFile, "I live in Pune.\n", repo.Expect{Any: true})
	must(t, err)
	page := b.get(b.get("/about").is(200).link("As it was")).is(200).has("Change 2 of 2", "I live in Pune.")
	ask := b.get(b.get(page.link("Earlier")).is(200).has("Change 1 of 2").link("Put this back…")).is(200)
	b.follow(b.post("/about/restore", form(ask, "path", "hash", "change"))).is(200).has("Put back")
}

// A commit that a person made with git is a change like any other.
func TestChangeMadeWithGit(t *testing.T) {
	b := signedIn(t)
	b.write("memory/food.md", "- soup\n") // the folder is there
	must(t, os.WriteFile(filepath.Join(b.scout.Dir(), "memory", "mine.md"), []byte("- mine\n"), 0o600))
	for _, args := range [][]string{{"add", "memory/mine.md"}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "my own words"}} {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", b.scout.Dir()}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	rows, err := b.scout.Journal(t.Context(), repo.Query{Path: "memory/mine.md"})
	must(t, err)
	if len(rows) != 1 || len(rows[0].ID) != 40 {
		t.Fatalf("rows %+v", rows)
	}
	b.get("/bots/scout/change/"+rows[0].ID).is(200).has("my own words", "The file after this change")
	b.get("/bots/scout/at?path=memory/mine.md&change=" + rows[0].ID).is(200).has("mine")
}
