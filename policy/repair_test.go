package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quipu/markdown"
)

// leftBy lists what repair lets go of, as "text: reason".
func leftBy(tree Tree) string {
	var list []string
	for _, s := range tree.Repair().Steps {
		list = append(list, markdown.Parse("", []byte(s.Raw)).Entries()[0].Text+": "+string(s.Why))
	}
	return strings.Join(list, "; ")
}

// TestRepair holds the cases o22 to o26. Today is 2026-10-01.
func TestRepair(t *testing.T) {
	day := func(ago int) string { return ottoDay.AddDays(-ago).String() }
	at := func(ago int) time.Time { return midday(ottoDay.AddDays(-ago), time.UTC) }
	for name, c := range map[string]struct {
		about  string
		events []Event
		want   string
	}{
		"sixty days":             {ottoLine(day(60), "Likes tea", true), nil, "Likes tea: stale"},
		"fifty-nine":             {ottoLine(day(59), "Likes tea", true), nil, ""},
		"said again":             {ottoLine(day(90), "Likes tea", true), []Event{ottoSaid("1", "Likes tea", ByInferring, "m1", at(90)), ottoSaid("2", "Likes tea", ByInferring, "m1", at(59))}, ""},
		"two messages":           {ottoLine(day(400), "Likes tea", true), []Event{ottoSaid("1", "Likes tea", ByInferring, "m1", at(400)), ottoSaid("2", "Likes tea", ByInferring, "m2", at(399))}, ""},
		"stated":                 {ottoLine(day(400), "Likes tea", false), nil, ""},
		"confirmed":              {ottoLine(day(400), "Likes tea", true), []Event{signal("1", Confirm, "Likes tea", at(399))}, ""},
		"by mail":                {ottoLine(day(400), "Writes shortly", true), []Event{ottoSaid("1", "Writes shortly", ByMail, "m1", at(400))}, ""},
		"health":                 {ottoLine(day(400), "Is allergic to nuts", true), nil, ""},
		"by hand":                {"- Likes tea\n", nil, ""},
		"past its day":           {"- 2026-09-01 · from chat \"x\" · Is in Rome · until 2026-09-30\n", nil, "Is in Rome: expired"},
		"on its day":             {"- 2026-09-01 · from chat \"x\" · Is in Rome · until 2026-10-01\n", nil, ""},
		"stated beside observed": {ottoLine(day(9), "cafe owner", true) + ottoLine(day(3), "Café owner.", false), nil, "cafe owner: merged"},
		"observed beside tentative": {ottoLine(day(9), "cafe owner", true) + ottoLine(day(3), "Café owner", true), []Event{
			ottoSaid("1", "Café owner", ByInferring, "m1", at(3)), ottoSaid("2", "Café owner", ByInferring, "m2", at(3)),
		}, "cafe owner: merged"},
		"more messages": {ottoLine(day(9), "cafe owner", false) + ottoLine(day(3), "Café owner", false), []Event{
			ottoSaid("1", "Café owner", ByStating, "m1", at(3)), ottoSaid("2", "Café owner", ByStating, "m2", at(3)),
		}, "cafe owner: merged"},
		"the older":              {ottoLine(day(3), "cafe owner", false) + ottoLine(day(9), "Café owner", false), nil, "cafe owner: merged"},
		"of one day the first":   {ottoLine(day(3), "cafe owner", false) + ottoLine(day(3), "Café owner!", false), nil, "Café owner!: merged"},
		"three":                  {ottoLine(day(3), "cafe owner", true) + ottoLine(day(9), "Café owner", false) + ottoLine(day(2), "CAFÉ, owner", true), nil, "cafe owner: merged; CAFÉ, owner: merged"},
		"by hand, beside":        {ottoLine(day(3), "cafe owner", false) + "- Café owner\n", nil, "cafe owner: merged"},
		"both by hand":           {"- cafe owner\n- Café owner\n", nil, ""},
		"a sign that counts":     {ottoLine(day(3), "Writes C++", false) + ottoLine(day(3), "Writes C", false) + ottoLine(day(3), "Writes C#", false), nil, ""},
		"a number":               {ottoLine(day(3), "It was -10 degrees", false) + ottoLine(day(3), "It was 10 degrees", false), nil, ""},
		"a not":                  {ottoLine(day(3), "Is a cafe owner", false) + ottoLine(day(3), "Is not a cafe owner", false), nil, ""},
		"another last day":       {ottoLine(day(3), "Is in Rome · until 2026-10-09", false) + ottoLine(day(3), "is in rome", false), nil, ""},
		"the stronger is over":   {"- 2026-09-01 · from chat \"x\" · Is in Rome · until 2026-09-30\n" + ottoLine(day(3), "is in rome", true), nil, "Is in Rome: expired"},
		"the twin of a stale is": {ottoLine(day(70), "cafe owner", true) + ottoLine(day(3), "Café owner", true), nil, "cafe owner: stale"},
		"Cyrillic":               {ottoLine(day(3), "Любит чай!", false) + ottoLine(day(2), "любит чай", true), nil, "любит чай: merged"},
	} {
		if got := leftBy(ottoTree(t, map[Area]string{AreaAbout: c.about}, c.events...)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	across := ottoTree(t, map[Area]string{AreaAbout: ottoLine(day(3), "Café owner", true), AreaPeople: ottoLine(day(3), "cafe owner", false)})
	if got := leftBy(across); got != "Café owner: merged" {
		t.Errorf("over two areas: %q", got)
	}
}

// TestRepairCarried: what repair plans is carried out, entry by entry, and checked again.
func TestRepairCarried(t *testing.T) {
	about := "- Wrote this\n" + ottoLine("2026-07-01", "Likes tea", true) + ottoLine("2026-09-30", "Has a dog", true)
	n := Notes{Files: map[string][]byte{AreaAbout.Path(): []byte(about)}}
	tree := TreeOf(TreeInput{Notes: n, Today: ottoDay})
	plan := Plan{Steps: tree.Repair().Steps, Areas: &tree}
	c := plan.Carry(n, Limits{}, ottoDay)
	if len(c.Done) != 1 || len(c.Edits) != 2 || string(c.Edits[0].Text) != "- Wrote this\n"+ottoLine("2026-09-30", "Has a dog", true) && string(c.Edits[1].Text) != "- Wrote this\n"+ottoLine("2026-09-30", "Has a dog", true) {
		t.Fatalf("%+v", c)
	}
	events := tree.LeftEvents(c.Done)
	if len(events) != 1 || events[0].Slug != "likes-tea" || events[0].What != "stale" {
		t.Errorf("%+v", events)
	}
	if c = (Plan{Steps: plan.Steps}).Carry(n, Limits{}, ottoDay); len(c.Done) != 0 || len(c.Edits) != 0 {
		t.Error("without the areas nothing is let go")
	}
	// o54: what was planned on an older version is refused.
	l, _ := ParseLedger(Ledger{}.Append(ottoSaid("1", "Likes tea", ByInferring, "m", midday(ottoDay, time.UTC))))
	again := TreeOf(TreeInput{Notes: n, Stands: l.Standings(time.Time{}), Today: ottoDay})
	if c = (Plan{Steps: plan.Steps, Areas: &again}).Carry(n, Limits{}, ottoDay); len(c.Done) != 0 || len(c.Passed) != 1 {
		t.Errorf("said again since: %+v", c)
	}
	edited := Notes{Files: map[string][]byte{AreaAbout.Path(): []byte(strings.Replace(about, "tea", "coffee", 1))}}
	if c = plan.Carry(edited, Limits{}, ottoDay); len(c.Done) != 0 || len(c.Passed) != 1 {
		t.Errorf("edited since: %+v", c)
	}
}

// TestTrim: the archive keeps the last forty that were let go, and everything else.
func TestTrim(t *testing.T) {
	archive := "# Archive\n\n- by hand\n" + ottoLine("2026-01-01", "Of MEMORY.md", false)
	var events []Event
	for i := range 45 {
		text := fmt.Sprintf("Fact number %d", i)
		archive += ottoLine("2026-01-01", text, false)
		events = append(events, Event{Kind: EventLeft, ID: fmt.Sprint(i), At: atNoon.Add(time.Duration((i*7)%45) * time.Hour), Fact: text, Area: AreaAbout, Slug: "s", What: "stale"})
	}
	l, _ := ParseLedger(Ledger{}.Append(events...))
	n := Notes{Files: map[string][]byte{ArchiveFile: []byte(archive), AreaAbout.Path(): []byte(ottoLine("2026-01-01", "Likes tea", true))}}
	tree := TreeOf(TreeInput{Notes: n, Stands: l.Standings(time.Time{}), Today: ottoDay})
	r := tree.Repair()
	if len(tree.LetGo) != 45 || len(r.Steps) != 1 || len(r.Trim) != 6 {
		t.Fatalf("%d, %d, %d", len(tree.LetGo), len(r.Steps), len(r.Trim))
	}
	text := string(TrimArchive([]byte(archive), r.Trim))
	if strings.Count(text, "\n") != strings.Count(archive, "\n")-6 || !strings.HasPrefix(text, "# Archive\n\n- by hand\n") || !strings.Contains(text, "Of MEMORY.md") || strings.Contains(text, "Fact number 0\n") {
		t.Errorf("%s", text)
	}
}

// TestRepairLaw: whatever stands there, what repair leaves wants no more repair, and of each
// that was let go as a duplicate one of the same words stays that is as strong.
func TestRepairLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := []string{"Café owner", "cafe owner", "Likes tea", "likes tea!", "Is allergic to nuts", "Has a dog"}
		files := map[Area]string{}
		var events []Event
		for i := range rapid.IntRange(0, 12).Draw(t, "n") {
			a, text := rapid.SampledFrom(Areas()).Draw(t, "area"), rapid.SampledFrom(texts).Draw(t, "text")
			line := ottoLine(ottoDay.AddDays(-rapid.IntRange(0, 90).Draw(t, "ago")).String(), text, rapid.Bool().Draw(t, "noticed"))
			if rapid.IntRange(0, 4).Draw(t, "hand") == 0 {
				line = "- " + text + "\n"
			}
			files[a] += line
			events = append(events, ottoSaid(fmt.Sprint(i), text, rapid.SampledFrom([]Origin{ByInferring, ByStating, ByMail}).Draw(t, "origin"), fmt.Sprint(i%3), atNoon.AddDate(0, 0, -rapid.IntRange(0, 90).Draw(t, "said"))))
		}
		tree := ottoTree(t, files, events...)
		n := Notes{Files: map[string][]byte{}}
		for a, text := range files {
			n.Files[a.Path()] = []byte(text)
		}
		c := Plan{Steps: tree.Repair().Steps, Areas: &tree}.Carry(n, Limits{}, ottoDay)
		if len(c.Passed) > 0 {
			t.Fatalf("passed over: %+v", c.Passed)
		}
		for _, e := range c.Edits {
			n.Files[e.Path] = e.Text
		}
		l, _ := ParseLedger(Ledger{}.Append(events...))
		after := TreeOf(TreeInput{Notes: n, Stands: l.Standings(time.Time{}), Today: ottoDay})
		if left := after.Repair().Steps; len(left) > 0 {
			t.Fatalf("repair of repair: %+v", left)
		}
		hands := 0
		for _, e := range tree.Entries {
			if e.Hand {
				hands++
			}
			if !slices.ContainsFunc(after.Entries, func(x AreaEntry) bool {
				return x.sameKey() == e.sameKey() && x.Status.rank() >= e.Status.rank()
			}) && !tree.lapsed(e) {
				t.Fatalf("nothing as strong says %q", e.Text)
			}
		}
		for _, e := range after.Entries {
			if e.Hand {
				hands--
			}
		}
		if hands != 0 {
			t.Fatal("a line that was written by hand went")
		}
	})
}
