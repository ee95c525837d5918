package panel_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// says presses a button of a note's page: dispute or support.
func (b *browser) says(do, page string) answer {
	b.t.Helper()
	sent := form(b.get(page).is(200), "path", "line", "mark")
	sent.Set("do", do)
	return b.follow(b.post("/bots/scout/standing", sent)).is(200)
}

func (b *browser) loads() string {
	b.t.Helper()
	l, err := b.scout.Load(b.t.Context())
	must(b.t, err)
	return l.Block
}

func TestWhatIsNotSoLeavesEveryPrompt(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "Ada likes green tea"}, `chat "Plans"`)
	b.teach(policy.Update{Text: "The office is in Pune"}, "")
	tea := b.entryAt("green tea")
	b.get(tea).is(200).has("How it stands", "0.00 · waiting", "nothing yet", "This is so", "This is not so").hasNot("What moved it", "Disputed: it enters")

	out := b.says("dispute", tea).has("Kept: this is not so. It enters no prompt from now on", "Disputed: it enters no prompt.", "-0.99 · waiting", "0.99 last on 30 Nov 2026", "What moved it", "Ada", "Below zero", "on 1 day of 14")
	if strings.Contains(b.loads(), "green tea") {
		t.Error("it still loads")
	}
	a := b.get("/bots/scout").is(200).has("1 note is disputed and does not load.", "disputed, not loaded")
	if !strings.Contains(a.body, "<s>Ada likes green tea</s>") || strings.Contains(a.body, "<s>The office") {
		t.Error("what is out is not told from the rest")
	}
	if got := a.link("disputed, not loaded"); got != tea {
		t.Errorf("the mark leads to %s, want %s", got, tea)
	}
	b.get(a.link("1 note is disputed and does not load.")).is(200).has("1 fact, the lowest first", "Ada likes green tea", "against it 0.99")

	undo := b.get(out.link("Undo")).is(200).has("Take this change back?", "This is not so: Ada likes green tea", "It changes how facts stand, and no note.").hasNot("No line of it changes", "ndjson")
	b.follow(b.post(out.link("Undo"), form(undo))).is(200).has("Taken back")
	b.get(tea).is(200).has("0.00 · waiting").hasNot("it enters no prompt")
	if !strings.Contains(b.loads(), "green tea") {
		t.Error("the undo did not bring it back")
	}

	b.says("dispute", tea).has("Kept: this is not so. It enters no prompt")
	b.says("dispute", tea).has("Kept: this is not so. It enters no prompt", "-1.99 · waiting", "score -1.99, waiting")
	b.says("support", tea).has("Kept: this is so. More still speaks against it than for it", "Disputed: it enters no prompt.")
	b.clock.on(24 * time.Hour)
	b.says("support", tea).has("so it stays out of every prompt") // a day wore more off what speaks for it
	b.says("support", tea).has("Kept: this is so. It enters prompts again.").hasNot("Disputed: it")
	b.says("support", tea).has("Kept: this is so. It enters prompts.")
	b.says("support", tea)
	b.says("dispute", tea).has("More still speaks for it than against it, so it enters prompts as before.")
	if !strings.Contains(b.loads(), "green tea") {
		t.Error("what is confirmed more often does not load")
	}
}

func TestSaidAgainInOtherWords(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "The user likes green tea"}, "")
	b.says("dispute", b.entryAt("green tea"))
	b.teach(policy.Update{Text: "Likes green tea"}, "")
	again := b.entryAt("· Likes green tea")
	memory := b.get("/bots/scout").is(200).has("2 notes are disputed and do not load.")
	if n := strings.Count(memory.text(), "disputed, not loaded"); n != 2 || !strings.Contains(memory.body, "<s>Likes green tea</s>") {
		t.Errorf("%d notes are marked", n)
	}
	a := b.get(again).is(200).has("It says again what you disputed:", "The user likes green tea")
	if got := a.link("The user likes green tea"); got != b.entryAt("The user likes") {
		t.Errorf("it leads to %s", got)
	}
	b.says("support", again).has("Kept: this is so. It enters prompts again.").hasNot("It says again what you disputed")
	if got := b.loads(); !strings.Contains(got, "Likes green tea") || strings.Contains(got, "The user") {
		t.Errorf("it loads as\n%s", got)
	}
}

func TestWhatNeverFalls(t *testing.T) {
	b := signedIn(t)
	b.write(policy.MemoryFile, "# Memory\n\n- by hand\n- 2026-11-30 · Ada is allergic to peanuts\n- 2026-11-30 · Always reply in English\n- 2026-11-28 · ~~Ada likes tea~~ · superseded 2026-11-29\n\nA line of its own\n")
	for text, why := range map[string]string{
		"by hand": "It never falls: it is a plain line, not a dated entry.", "peanuts": "It never falls: it is about health or safety.",
		"Always": "It never falls: it is a rule of yours.", "of its own": "It never falls: it is a plain line, not a dated entry.",
	} {
		b.get(b.entryAt(text)).is(200).has(why).hasNot("Score")
	}
	b.says("dispute", b.entryAt("peanuts")).has("It enters no prompt from now on", "-0.99 · waiting").hasNot("It never falls")
	if strings.Contains(b.loads(), "peanuts") {
		t.Error("the person's own word does not count")
	}
	struck := b.entryAt("~~Ada")
	a := b.get(struck).is(200).hasNot("This is not so")
	sent := form(a, "path", "line", "mark")
	sent.Set("do", "dispute")
	b.post("/bots/scout/standing", sent).is(http.StatusConflict).has("This is struck through")
}

// Where a note is from is told with how far its speaker is trusted.
func TestWhereAFactIsFrom(t *testing.T) {
	b := signedIn(t)
	high, low := 0.9, 0.2
	_, err := b.scout.Notice(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Upkeep}, Via: repo.ViaCapture}, func() (repo.Noticing, error) {
		return repo.Noticing{Facts: []policy.Fact{
			{Text: "Ada lives in Pune", Quote: "I live in Pune", Speaker: "qq:1001", Trust: &high},
			{Text: "Bob lives in Delhi", Quote: "Bob is from Delhi", Speaker: "qq:1002", Trust: &low, Origin: policy.ByStating},
			{Text: "Cy lives in Goa", Quote: "Cy is from Goa", Speaker: "qq:1003", Origin: policy.ByMail},
		}}, nil
	})
	must(t, err)
	for text, want := range map[string][]string{
		"Pune":  {"It was noticed in what was said.", "qq:1001", "trust: high", "I live in Pune"},
		"Delhi": {"A person stated it.", "qq:1002", "trust: low", "Bob is from Delhi"},
		"Goa":   {"It was found in mail.", "qq:1003", "trust: unknown"},
	} {
		a := b.get(b.entryAt(text)).is(200).has(want...)
		if n := strings.Count(a.text(), "Rests on"); n != 1 {
			t.Errorf("%s: what it rests on is told %d times", text, n)
		}
	}
	b.get("/bots/scout/standing").is(200).has("3 facts, the lowest first", "Ada lives in Pune", "score 0.00")
}

func TestAJudgementOfNoNote(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "Ada likes tea"}, "")
	tea := form(b.get(b.entryAt("tea")), "path", "line", "mark")
	_, err := b.scout.LogLine(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn}, "sent it")
	must(t, err)
	for name, tt := range map[string]struct {
		sent   url.Values
		status int
	}{
		"nothing to do":  {url.Values{}, http.StatusForbidden},
		"no mark":        {url.Values{"do": {"dispute"}, "mark": {""}}, http.StatusForbidden},
		"another text":   {url.Values{"do": {"dispute"}, "mark": {"abc"}}, http.StatusConflict},
		"a day log":      {url.Values{"do": {"dispute"}, "path": {"memory/log/2026-11-30.md"}}, http.StatusForbidden},
		"the ledger":     {url.Values{"do": {"dispute"}, "path": {policy.LedgerFile}}, http.StatusNotFound},
		"another's form": {url.Values{"do": {"dispute"}, "csrf": {"x"}}, http.StatusForbidden},
		"a word of old":  {url.Values{"do": {"rebut"}}, http.StatusForbidden},
	} {
		sent := url.Values{"path": tea["path"], "line": tea["line"], "mark": tea["mark"]}
		maps.Copy(sent, tt.sent)
		if a := b.post("/bots/scout/standing", sent); a.status != tt.status {
			t.Errorf("%s: %d, want %d\n%s", name, a.status, tt.status, a.text())
		}
	}
	if list, err := b.scout.EvidenceLog(t.Context(), "", 0); err != nil || len(list) > 0 {
		t.Errorf("it was kept: %v, %v", list, err)
	}
	// A note that moved is found by its text.
	b.write(policy.MemoryFile, "# Memory\n\n- one more\n"+b.read(policy.MemoryFile))
	tea.Set("do", "dispute")
	b.follow(b.post("/bots/scout/standing", tea)).is(200).has("Kept: this is not so.", "Ada likes tea")
}

func TestStanding(t *testing.T) {
	b := signedIn(t)
	b.get("/bots/scout/standing").is(200).has("There is no such fact.", "All facts", "What moved them")
	b.get("/bots/scout/standing?show=log").is(200).has("Nobody confirmed or disputed anything yet.")
	b.get("/bots/scout/standing?show=nothing").is(http.StatusNotFound)
	for _, text := range []string{"Ada likes tea", "The office is in Pune", "The dog is called Rex"} {
		b.teach(policy.Update{Text: text}, "")
	}
	b.says("support", b.entryAt("Pune"))
	b.says("dispute", b.entryAt("tea"))
	for range 3 {
		b.says("support", b.entryAt("Rex"))
		b.says("support", b.entryAt("Pune"))
	}
	all := b.get("/bots/scout/standing").is(200).has("3 facts, the lowest first", "disputed, not loaded", "score -0.99", "score 2.99", "score 3.99", "well confirmed", "MEMORY.md")
	if text := all.text(); strings.Index(text, "Ada likes tea") > strings.Index(text, "Rex") || strings.Index(text, "Rex") > strings.Index(text, "The office") {
		t.Errorf("the order is\n%s", text)
	}
	if got := all.link("The office is in Pune"); got != b.entryAt("Pune") {
		t.Errorf("it leads to %s", got)
	}
	b.get("/bots/scout/standing?show=disputed").is(200).has("1 fact", "Ada likes tea").hasNot("Rex")
	b.get("/bots/scout/standing?show=confirmed").is(200).has("2 facts", "Rex", "Pune").hasNot("tea")
	log := b.get("/bots/scout/standing?show=log").is(200).has("8 signals, the newest first", "This is so", "This is not so", "score 2.99, well confirmed")
	if text := log.text(); strings.Index(text, "Rex") > strings.Index(text, "Ada likes tea") {
		t.Errorf("the newest is not first:\n%s", text)
	}
	if got := log.link("Ada likes tea"); got != b.entryAt("tea") {
		t.Errorf("it leads to %s", got)
	}
	// A fact that no note states any more is told, and leads nowhere.
	b.write(policy.MemoryFile, "# Memory\n")
	gone := b.get("/bots/scout/standing").is(200).has("3 facts", "in no note any more")
	if strings.Contains(gone.body, "/entry?") {
		t.Error("it leads to a note that is not there")
	}
}

func TestStandingReadsOn(t *testing.T) {
	b := signedIn(t)
	var text strings.Builder
	var list []repo.Signalled
	for i := range 230 {
		fmt.Fprintf(&text, "- 2026-11-30 · the fact number %d.\n", i)
		list = append(list, repo.Signalled{Fact: fmt.Sprintf("%s:%d", policy.MemoryFile, i+1), Why: policy.Confirm})
		list = append(list, list[len(list)-1])
	}
	b.write(policy.MemoryFile, text.String())
	_, err := b.scout.Signal(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaUI}, list)
	must(t, err)
	for show, each := range map[string]int{"confirmed": 100, "log": 50} { // each fact was confirmed twice
		seen := map[string]bool{}
		at := "/bots/scout/standing?show=" + show
		for page := 0; len(seen) < 230; page++ {
			a := b.get(at).is(200)
			for i := range 230 {
				if fact := fmt.Sprintf("the fact number %d", i); strings.Contains(a.body, ">"+fact+"<") {
					seen[fact] = true
				}
			}
			if want := min(230, each*(page+1)); len(seen) != want {
				t.Fatalf("%s: %d facts after page %d, want %d", show, len(seen), page+1, want)
			}
			if len(seen) < 230 {
				at = a.link("The next ones")
			} else {
				a.hasNot("The next ones")
			}
		}
	}
}

func TestTheJournalTellsOfSignals(t *testing.T) {
	b := signedIn(t)
	b.teach(policy.Update{Text: "Ada likes tea"}, "")
	b.says("dispute", b.entryAt("tea"))
	b.says("support", b.entryAt("tea"))
	b.follow(b.post("/bots/scout/directives", url.Values{"do": {"add"}, "term": {"my ex"}, "kind": {"topic"}})).is(200)
	b.get("/bots/scout/journal?action=signal").is(200).has("a fact judged", "This is not so: Ada likes tea", "This is so: Ada likes tea", "It changes how facts stand, and no note.", "in the panel").hasNot("ndjson")
	j := b.get("/bots/scout/journal?action=directive").is(200).has("what not to mention", "Do not mention: my ex", "It changes what may be brought up or learned, and no note.").hasNot("ndjson", "tea")
	b.get(j.link("Do not mention: my ex")).is(200).has("It changes what may be brought up or learned, and no note.").hasNot("It touched no file")
}
