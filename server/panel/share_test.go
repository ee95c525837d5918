package panel_test

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo"
)

const keyForHost = "abc-DEF-ghi-JKL-012"

// bare is an empty git repository, as a host gives one.
func bare(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shared.git")
	out, err := exec.CommandContext(t.Context(), "git", "init", "-q", "--bare", "-b", "main", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

func (b *browser) ask(do string, more ...string) answer {
	b.t.Helper()
	form := url.Values{"do": {do}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return b.post("/bots/scout/remote", form)
}

func TestRemote(t *testing.T) {
	b, at := signedIn(t), bare(t)
	b.get("/bots/scout/remote").is(200).has("Set a remote", "Never with a password").hasNot("Sync now")
	b.ask("sync").is(http.StatusConflict).has("No remote is set any more.")
	for name, bad := range map[string]string{"a program": "ext::sh -c id", "a password": "https://u:" + keyForHost + "@example.org/x", "a relative folder": "shared.git", "nothing": " "} {
		if a := b.ask("set", "url", bad, "branch", "side", "token", keyForHost); a.status != http.StatusBadRequest || a.field("branch") != "side" || a.field("token") != "" {
			t.Errorf("%s: %d\n%s", name, a.status, a.body)
		}
	}
	if _, set, err := b.scout.Remote(); set || err != nil {
		t.Fatalf("a refused address is set: %v", err)
	}
	b.follow(b.ask("set", "url", at)).is(200).has("The remote is set.", "Never synced yet.", at, "Sync now")
	b.ask("test").is(200).has("It answers, and is empty.")
	b.teach(policy.Update{Text: "likes tea"}, "")
	b.ask("preview").is(200).has("Nothing would come.", "changes would go.", "Nothing was changed.")
	b.ask("test").is(200).has("It answers, and is empty.") // a look pushed nothing
	b.ask("sync").is(200).has("In sync with the branch main.", "In sync.", "Last synced 30 Nov 2026")
	b.ask("test").is(200).has("It answers: it has 1 branch, and opens with main.").hasNot("empty")
	b.teach(policy.Update{Text: "likes coffee"}, "")
	b.get("/bots/scout/remote").is(200).has("1 change here is not at the remote yet.").hasNot("In sync.")
	b.ask("buy").is(http.StatusBadRequest)

	must(t, os.Rename(at, at+".away"))
	b.ask("sync").is(http.StatusBadGateway).has("there is no such folder")
	b.get("/").is(200).has("Sync:")
	must(t, os.Rename(at+".away", at))
	b.ask("sync").is(200).has("In sync.").hasNot("no such folder")

	b.get("/bots/scout/remote?remove").is(200).has("Take the remote away?")
	if _, set, _ := b.scout.Remote(); !set {
		t.Error("asking took it away")
	}
	b.follow(b.ask("remove")).is(200).has("The remote is forgotten here.", "Set a remote")
}

func TestRemoteTokenIsNeverShown(t *testing.T) {
	b := signedIn(t)
	set := func(more ...string) answer {
		return b.follow(b.ask("set", append([]string{"url", "https://example.org/you/x.git"}, more...)...)).is(200)
	}
	kept := func() bool {
		got, err := b.scout.Shared(t.Context())
		must(t, err)
		return got.Token
	}
	a := set("token", keyForHost).has("one is kept; it is never shown")
	if strings.Contains(a.body, keyForHost) || !kept() {
		t.Error("the token is shown, or not kept")
	}
	set("branch", "side")
	if !kept() {
		t.Error("a form without a token forgot it")
	}
	set("forget", "yes")
	if kept() {
		t.Error("it is not forgotten")
	}
	// A form of a session that ended gives everything back but the token.
	again := b.post("/bots/scout/remote", url.Values{"csrf": {"old"}, "do": {"set"}, "url": {"https://example.org/x"}, "token": {keyForHost}}).is(http.StatusForbidden)
	if strings.Contains(again.body, keyForHost) || again.field("url") != "https://example.org/x" {
		t.Errorf("given back:\n%s", again.body)
	}
	if strings.Contains(b.log.String(), keyForHost) {
		t.Error("the log holds the token")
	}
}

func TestRemoteOfAboutMe(t *testing.T) {
	b, at := signedIn(t), bare(t)
	b.get("/about/remote").is(200).has("Set a remote")
	if _, err := b.store.Me(t.Context(), ""); err == nil {
		t.Error("looking made About me")
	}
	b.get("/about/conflicts").is(200).has("No note stands in two wordings.")
	b.follow(b.post("/about/remote", url.Values{"do": {"set"}, "url": {at}})).is(200).has("The remote is set.")
	b.post("/about/remote", url.Values{"do": {"sync"}}).is(200).has("In sync.")
}

// other is another machine's memory that has the remote.
func other(t *testing.T, at string) *browser {
	t.Helper()
	c := signedIn(t)
	c.follow(c.ask("set", "url", at)).is(200)
	return c
}

func TestAnotherHistory(t *testing.T) {
	at := bare(t)
	b := other(t, at)
	b.teach(policy.Update{Text: "likes tea"}, "")
	b.ask("sync").is(200).hasNot("Join both")
	for do, want := range map[string]bool{"join": true, "adopt": false} {
		c := other(t, at)
		c.teach(policy.Update{Text: "likes to " + do}, "")
		before := c.read(policy.MemoryFile)
		c.ask("sync").is(http.StatusConflict).has("The remote holds another history", "Join both", "Take the remote's")
		if got := c.read(policy.MemoryFile); got != before {
			t.Errorf("the refusal changed the notes: %q", got)
		}
		c.ask(do).is(200).has("In sync.")
		if got := c.read(policy.MemoryFile); strings.Contains(got, "to "+do) != want || !strings.Contains(got, "tea") {
			t.Errorf("%s: %q", do, got)
		}
	}
}

func TestARemoteThatHoldsWhatWasErased(t *testing.T) {
	at := bare(t)
	b := other(t, at)
	b.teach(policy.Update{Text: "has an ulcer"}, "")
	b.ask("sync").is(200)
	out, err := exec.CommandContext(t.Context(), "git", "-C", at, "config", "receive.denyNonFastForwards", "true").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b.post("/bots/scout/forget", url.Values{"words": {"ulcer"}, "do": {"forget"}}).is(200)
	must(t, b.scout.FinishErasures(t.Context(), nil))
	b.ask("sync").is(http.StatusBadGateway).has("The remote still holds what was erased here", "Allow forced pushes to this branch")
	b.get("/bots/scout/remote").is(200).has("The remote still holds what was erased here").hasNot("In sync.")
	b.get("/").is(200).has("Sync:")
	out, err = exec.CommandContext(t.Context(), "git", "-C", at, "config", "receive.denyNonFastForwards", "false").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b.ask("sync").is(200).has("In sync.").hasNot("still holds")
}

func TestConflictsOfAboutMe(t *testing.T) {
	at := bare(t)
	machines := []*browser{signedIn(t), signedIn(t)}
	for i, m := range machines {
		m.follow(m.post("/about/remote", url.Values{"do": {"set"}, "url": {at}})).is(200)
		if i == 0 {
			page := form(m.get("/about").is(200), "path", "hash")
			page.Set("text", "- The bakery opens at six\n")
			m.follow(m.post("/about", page)).is(200)
			m.post("/about/remote", url.Values{"do": {"sync"}}).is(200)
			continue
		}
		m.post("/about/remote", url.Values{"do": {"adopt"}}).is(200)
	}
	for i, m := range machines {
		page := form(m.get("/about").is(200), "path", "hash")
		page.Set("text", "- The bakery opens at "+[]string{"seven", "eight"}[i]+"\n")
		m.follow(m.post("/about", page)).is(200)
		m.post("/about/remote", url.Values{"do": {"sync"}}).is(200)
	}
	m := machines[1]
	page := m.get(m.get("/about").is(200).link("1 note stands in two wordings.")).is(200).has("seven", "eight")
	sent := form(page, "path", "line", "mark")
	sent.Set("keep", "second")
	m.follow(m.post("/about/conflicts", sent)).is(200).has("Your choice is kept.")
}

// inConflict is a memory with one note in two wordings.
func inConflict(t *testing.T) *browser {
	t.Helper()
	at := bare(t)
	b, c := other(t, at), other(t, at)
	b.teach(policy.Update{Text: "The bakery opens at six"}, `chat "Town"`)
	b.ask("sync").is(200)
	c.ask("adopt").is(200)
	for _, m := range []struct {
		b    *browser
		hour string
	}{{b, "seven"}, {c, "eight"}} {
		m.b.teach(policy.Update{Action: policy.Replace, OldText: "opens at six", OldTextSet: true, Text: "opens at " + m.hour}, "")
	}
	b.ask("sync").is(200)
	c.ask("sync").is(200).has("1 note was changed on both sides: both wordings stand.", "1 note stands in two wordings.")
	return c
}

func TestConflicts(t *testing.T) {
	for keep, want := range map[string][2]bool{"first": {true, false}, "second": {false, true}, "both": {true, true}} {
		t.Run(keep, func(t *testing.T) {
			b := inConflict(t)
			if to := b.get("/").is(200).link("1 note stands in two wordings."); to != "/bots/scout/conflicts" {
				t.Errorf("the list of bots leads to %q", to)
			}
			if to := b.get("/bots/scout").is(200).link("two wordings since 2026-11-30"); to != "/bots/scout/conflicts" {
				t.Errorf("the note leads to %q", to)
			}
			page := b.get("/bots/scout/conflicts").is(200).has("First", "Second", "since 2026-11-30", "scout", `from chat "Town"`)
			open, err := b.scout.Conflicts()
			must(t, err)
			for _, word := range []string{"seven", "eight"} {
				if !strings.Contains(page.body, "<b>"+word+"</b>") {
					t.Errorf("%s is not marked as what differs:\n%s", word, page.body)
				}
			}
			firstSays := "seven"
			if strings.Contains(open[0].Kept, "eight") {
				firstSays = "eight"
			}
			secondSays := map[string]string{"seven": "eight", "eight": "seven"}[firstSays]
			sent := form(page, "path", "line", "mark")
			sent.Set("keep", keep)
			done := b.follow(b.post("/bots/scout/conflicts", sent)).is(200).has("Your choice is kept.", "No note stands in two wordings.")
			got := b.read(policy.MemoryFile)
			if strings.Contains(got, firstSays) != want[0] || strings.Contains(got, secondSays) != want[1] || strings.Contains(got, "conflict") {
				t.Errorf("left %q", got)
			}
			b.post("/bots/scout/conflicts", sent).is(http.StatusConflict).has("Nothing was done") // pressed twice
			b.follow(b.post(done.link("Undo"), nil)).is(200)
			if open, err := b.scout.Conflicts(); err != nil || len(open) != 1 {
				t.Errorf("after the undo: %+v, %v", open, err)
			}
		})
	}
}

func TestAConflictThatMovedIsLeftAlone(t *testing.T) {
	b := inConflict(t)
	page := b.get("/bots/scout/conflicts").is(200)
	sent := form(page, "path", "line", "mark")
	sent.Set("keep", "first")
	b.write(policy.MemoryFile, "- above\n"+b.read(policy.MemoryFile))
	before := b.read(policy.MemoryFile)
	b.post("/bots/scout/conflicts", sent).is(http.StatusConflict).has("Nothing was done")
	sent.Set("mark", "x")
	b.post("/bots/scout/conflicts", sent).is(http.StatusConflict)
	sent = form(b.get("/bots/scout/conflicts"), "path", "line", "mark")
	sent.Set("keep", "neither")
	b.post("/bots/scout/conflicts", sent).is(http.StatusBadRequest)
	if got := b.read(policy.MemoryFile); got != before {
		t.Errorf("got %q", got)
	}
	open, err := b.scout.Conflicts()
	must(t, err)
	seen := open[0]
	seen.Other += " more"
	if _, err := b.scout.ResolveSeen(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaUI}, seen, repo.KeepBoth); err == nil {
		t.Error("another wording than was seen is taken for it")
	}
}
