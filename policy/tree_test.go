package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

var ottoDay, _ = markdown.ParseDate("2026-10-01")

// ottoSaid is an event of a fact that was said at a time.
func ottoSaid(id, fact string, o Origin, message string, at time.Time) Event {
	return Event{Kind: EventSaid, ID: id, At: at, By: "bot Otto", Fact: markdown.Identity(fact), Origin: o, Turn: message, Quote: fact}
}

// ottoLine is an entry as a file holds it.
func ottoLine(day, text string, noticed bool) string {
	mark := ""
	if noticed {
		mark = " (noticed)"
	}
	return "- " + day + " · from chat \"x\"" + mark + " · " + text + "\n"
}

// ottoTree reads areas and the events beside them.
func ottoTree(t interface{ Fatal(...any) }, files map[Area]string, events ...Event) Tree {
	l, problems := ParseLedger(Ledger{}.Append(events...))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	n := Notes{Files: map[string][]byte{}}
	for a, text := range files {
		n.Files[a.Path()] = []byte(text)
	}
	return TreeOf(TreeInput{Notes: n, Stands: l.Standings(time.Time{}), Today: ottoDay})
}

// TestStatus holds the cases o01 to o06.
func TestStatus(t *testing.T) {
	for name, c := range map[string]struct {
		origin   Origin
		messages int
		settled  bool
		want     Status
		label    string
		index    bool
	}{
		"one message":           {ByInferring, 1, false, StatusTentative, "Mentioned once", false},
		"two messages":          {ByInferring, 2, false, StatusObserved, "Learned", true},
		"nine messages":         {ByInferring, 9, false, StatusObserved, "Learned", true},
		"mail":                  {ByMail, 1, false, StatusObserved, "Learned", true},
		"stated":                {ByStating, 1, false, StatusStated, "Confirmed", true},
		"rewritten by a person": {ByInferring, 1, true, StatusStated, "Confirmed", true},
		"no origin, no message": {"", 0, false, StatusTentative, "Mentioned once", false},
	} {
		got := StatusOf(c.origin, c.messages, c.settled)
		if got != c.want || got.Label() != c.label || got.InIndex() != c.index {
			t.Errorf("%s: %s %q %v", name, got, got.Label(), got.InIndex())
		}
	}
	if StatusArchived.Label() != "Let go" || StatusArchived.InIndex() {
		t.Error("archived")
	}
}

// TestTreeStatus: the status follows from the file and the ledger.
func TestTreeStatus(t *testing.T) {
	fact := "Lives in Lyon"
	noticed := map[Area]string{AreaAbout: ottoLine("2026-09-01", fact, true)}
	for name, c := range map[string]struct {
		files  map[Area]string
		events []Event
		want   Status
		label  string
	}{
		"noticed, no ledger": {noticed, nil, StatusTentative, "Mentioned once"},
		"told, no ledger":    {map[Area]string{AreaAbout: ottoLine("2026-09-01", fact, false)}, nil, StatusStated, "Confirmed"},
		"by hand":            {map[Area]string{AreaAbout: "- " + fact + "\n"}, nil, StatusStated, "Confirmed"},
		"one message twice":  {noticed, []Event{ottoSaid("1", fact, ByInferring, "m1", atNoon), ottoSaid("2", fact, ByInferring, "m1", atNoon)}, StatusTentative, "Mentioned once"},
		"two messages":       {noticed, []Event{ottoSaid("1", fact, ByInferring, "m1", atNoon), ottoSaid("2", fact, ByInferring, "m2", atNoon)}, StatusObserved, "Learned"},
		"undone":             {noticed, []Event{ottoSaid("1", fact, ByInferring, "m1", atNoon), ottoSaid("2", fact, ByInferring, "m2", atNoon), {Kind: EventVoid, ID: "3", At: atNoon, Of: "2"}}, StatusTentative, "Mentioned once"},
		"saved":              {noticed, []Event{ottoSaid("1", fact, ByStating, "m1", atNoon)}, StatusStated, "Confirmed"},
		"mail":               {noticed, []Event{ottoSaid("1", fact, ByMail, "m1", atNoon)}, StatusObserved, "Learned from your sent email"},
		"confirmed":          {noticed, []Event{signal("1", Confirm, fact, atNoon)}, StatusStated, "Confirmed"},
		"confirmed by a bot": {noticed, []Event{{Kind: EventSupport, ID: "1", At: atNoon, By: "bot Otto", Fact: fact, Why: Confirm}}, StatusTentative, "Mentioned once"},
		"rewritten":          {noticed, []Event{{Kind: EventRename, ID: "1", At: atNoon, By: "person", Fact: "Lives in Lion", To: fact}}, StatusStated, "Confirmed"},
		"rewritten by upkeep": {noticed, []Event{
			{Kind: EventRename, ID: "1", At: atNoon, By: "upkeep", Fact: "Lives in Lion", To: fact},
		}, StatusTentative, "Mentioned once"},
	} {
		got := ottoTree(t, c.files, c.events...).Entries
		if len(got) != 1 || got[0].Status != c.want || got[0].Label() != c.label {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestSlugOf(t *testing.T) {
	for text, want := range map[string]string{
		"Lives in Lyon": "lives-in-lyon", "The user lives in Lyon.": "lives-in-lyon", "Café owner": "café-owner", "C++ & .NET": "c-net", "": "note", "!!!": "note",
		"Moved on 2026-10-05": "moved-on-2026-10-05", "One two three four five six seven": "one-two-three-four-five-six", "用户喜欢绿茶": "用户喜欢绿茶", "Живёт в Москве": "живёт-в-москве",
		strings.Repeat("x", 90): strings.Repeat("x", 48), "the a an": "the-a-an", "../../etc/passwd": "etc-passwd", "city": "city", "writing-style": "writing-style",
	} {
		if got := SlugOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzSlugOf(f *testing.F) {
	f.Add("The user lives in Lyon")
	f.Add("ǅ−10 İstanbul 用 abc ﬁ")
	f.Fuzz(func(t *testing.T, text string) {
		slug := SlugOf(text)
		if !ValidSlug(slug) {
			t.Fatalf("%q gives %q", text, slug)
		}
		if _, got, ok := SplitAddress("about/" + slug); !ok || got != slug {
			t.Fatalf("%q", slug)
		}
	})
}

// TestSlugsStay: a slug is unique in its area, and stays when others come and go, when the
// text is put in other words, and when two clones gave the same one.
func TestSlugsStay(t *testing.T) {
	two := ottoLine("2026-09-01", "Anna is a nurse", true) + ottoLine("2026-09-02", "Anna is a nurse!", true)
	tree := ottoTree(t, map[Area]string{AreaPeople: two})
	if a, b := tree.Entries[0].Slug, tree.Entries[1].Slug; a != "anna-is-a-nurse" || b != "anna-is-a-nurse-2" {
		t.Fatalf("%s %s", a, b)
	}
	events := tree.Unnamed()
	for i := range events {
		events[i].ID, events[i].At = fmt.Sprint(i), atNoon
	}
	if later := ottoTree(t, map[Area]string{AreaPeople: ottoLine("2026-09-02", "Anna is a nurse!", true)}, events...); later.Entries[0].Slug != "anna-is-a-nurse-2" || len(later.Unnamed()) != 0 {
		t.Errorf("alone: %+v", later.Entries[0])
	}
	events = append(events, Event{Kind: EventRename, ID: "r", At: atNoon, By: "person", Fact: "Anna is a nurse!", To: "Anna is a doctor"})
	if renamed := ottoTree(t, map[Area]string{AreaPeople: ottoLine("2026-09-02", "Anna is a doctor", true)}, events...); renamed.Entries[0].Slug != "anna-is-a-nurse-2" {
		t.Errorf("renamed: %+v", renamed.Entries[0])
	}
	clones := []Event{
		{Kind: EventName, ID: "b", At: atNoon.Add(time.Hour), Fact: "Anna is a nurse", Slug: "anna"},
		{Kind: EventName, ID: "a", At: atNoon, Fact: "Anna is a nurse!", Slug: "anna"},
	}
	if both := ottoTree(t, map[Area]string{AreaPeople: two}, clones...); both.Entries[0].Slug != "anna-2" || both.Entries[1].Slug != "anna" {
		t.Errorf("clones: %s %s", both.Entries[0].Slug, both.Entries[1].Slug)
	}
}

// TestIndex holds the case o50, and what the budget leaves out.
func TestIndex(t *testing.T) {
	day := func(n int) string { return fmt.Sprintf("2026-09-%02d", n) }
	files := map[Area]string{AreaAbout: ottoLine(day(1), "s", false) + ottoLine(day(9), "o", true) + ottoLine(day(10), "t", true) + ottoLine(day(5), "s2", false)}
	at := time.Date(2026, 9, 9, 12, 0, 0, 0, time.UTC)
	events := []Event{ottoSaid("1", "o", ByInferring, "m1", at), ottoSaid("2", "o", ByInferring, "m2", at)}
	index := ottoTree(t, files, events...).Index(0)
	if diff := cmp.Diff([]string{"about/s2", "about/s", "about/o"}, index.Shown); diff != "" || index.Left != 0 {
		t.Error(diff, index.Left)
	}
	if want := `{"about/s2":"s2","about/s":"s","about/o":"o"}`; index.JSON != want {
		t.Errorf("%s", index.JSON)
	}
	if cut := ottoTree(t, files, events...).Index(30); cut.JSON != `{"about/s2":"s2","about/s":"s"}`[:len(`{"about/s2":"s2"`)]+"}" || cut.Left != 2 {
		t.Errorf("cut: %+v", cut)
	}
}

// TestIndexLaw: the index is within its budget and a JSON object, no tentative entry is in
// it, and what is shown and what is left come to all others.
func TestIndexLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for i := range rapid.IntRange(0, 12).Draw(t, "n") {
			text += ottoLine("2026-09-01", fmt.Sprintf("%d %s", i, rapid.StringN(0, 40, -1).Draw(t, "text")), rapid.Bool().Draw(t, "noticed"))
		}
		tree := ottoTree(t, map[Area]string{AreaLessons: text})
		budget := rapid.IntRange(2, 400).Draw(t, "budget")
		index := tree.Index(budget)
		want := 0
		for _, e := range tree.Entries {
			if e.Status.InIndex() {
				want++
			}
		}
		if n := utf8.RuneCountInString(index.JSON); n > budget || len(index.Shown)+index.Left != want || !isObject([]byte(index.JSON)) {
			t.Fatalf("%d of %d: %d+%d of %d: %s", n, budget, len(index.Shown), index.Left, want, index.JSON)
		}
	})
}

func TestAbstracted(t *testing.T) {
	long := strings.Repeat("word ", 60)
	if got := (AreaEntry{Text: long}).Abstracted(); !strings.HasSuffix(got, "word…") || utf8.RuneCountInString(got) > MaxAbstractRunes {
		t.Errorf("%q", got)
	}
	if got := (AreaEntry{Text: strings.Repeat("茶", 300)}).Abstracted(); utf8.RuneCountInString(got) != MaxAbstractRunes {
		t.Errorf("%d", utf8.RuneCountInString(got))
	}
	if got := (AreaEntry{Text: long, Abstract: "short"}).Abstracted(); got != "short" {
		t.Errorf("%q", got)
	}
}

// TestOverview: any later change to the area drops its overview.
func TestOverview(t *testing.T) {
	a, b := "Lives in Lyon", "Works at night"
	files := map[Area]string{AreaAbout: ottoLine("2026-09-01", a, true) + ottoLine("2026-09-01", b, true)}
	over := Event{Kind: EventOverview, ID: "o", At: atNoon, Area: AreaAbout, Text: "A night worker.", From: []string{a, b}}
	after := atNoon.Add(time.Minute)
	for name, c := range map[string]struct {
		files  map[Area]string
		events []Event
		want   string
	}{
		"nothing changed":  {files, []Event{ottoSaid("1", a, ByInferring, "m", atNoon)}, "A night worker."},
		"an entry went":    {map[Area]string{AreaAbout: ottoLine("2026-09-01", a, true)}, nil, ""},
		"one came":         {map[Area]string{AreaAbout: files[AreaAbout] + ottoLine("2026-09-01", "Has a dog", true)}, nil, ""},
		"one was edited":   {map[Area]string{AreaAbout: ottoLine("2026-09-01", a, true) + ottoLine("2026-09-01", "Works by day", true)}, nil, ""},
		"one was said":     {files, []Event{ottoSaid("1", a, ByInferring, "m", after)}, ""},
		"one was renamed":  {files, []Event{{Kind: EventName, ID: "1", At: after, Fact: a, Abstract: "Lyon"}}, ""},
		"one was denied":   {files, []Event{signal("1", Rebut, a, after)}, ""},
		"it was undone":    {files, []Event{{Kind: EventVoid, ID: "1", At: after, Of: "o"}}, ""},
		"a newer one":      {files, []Event{{Kind: EventOverview, ID: "2", At: after, Area: AreaAbout, Text: "New.", From: []string{b, a}}}, "New."},
		"of another area":  {files, []Event{ottoSaid("1", "Anna", ByInferring, "m", after)}, "A night worker."},
		"one was ignored":  {files, []Event{{Kind: EventIgnore, ID: "1", At: after, Fact: a}}, "A night worker."},
		"one was let out ": {map[Area]string{}, nil, ""},
	} {
		tree := ottoTree(t, c.files, append(c.events, over)...)
		if got := tree.Overviews[AreaAbout]; got != c.want || tree.View(AreaAbout).Overview != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestForgetTree: a forget leaves no word of a slug, an abstract or an overview, whichever
// fact they stand at.
func TestForgetTree(t *testing.T) {
	events := []Event{
		{Kind: EventName, ID: "1", At: atNoon, Fact: "Has a cat called Miso", Slug: "miso-the-cat", Abstract: "Miso, a cat"},
		{Kind: EventName, ID: "2", At: atNoon, Fact: "Buys fish on Fridays", Slug: "fish-for-miso"},
		{Kind: EventName, ID: "3", At: atNoon, Fact: "Has a vet", Abstract: "Vet of Miso"},
		{Kind: EventOverview, ID: "4", At: atNoon, Area: AreaAbout, Text: "Lives with Miso.", From: []string{"Has a vet"}},
		{Kind: EventOverview, ID: "5", At: atNoon, Area: AreaPeople, Text: "A pet owner.", From: []string{"Has a cat called Miso"}},
		{Kind: EventLeft, ID: "6", At: atNoon, Fact: "Has a kitten", Area: AreaAbout, Slug: "miso", What: string(LeftReplaced)},
		{Kind: EventName, ID: "7", At: atNoon, Fact: "Likes tea", Slug: "likes-tea", Abstract: "Tea"},
		{Kind: EventProgress, ID: "8", At: atNoon, What: PassReflect, Mark: &Progress{}},
	}
	text := Ledger{}.Append(events...)
	phrases, err := ParsePhrases([]string{"miso"})
	if err != nil {
		t.Fatal(err)
	}
	left, n := EraseWords(phrases, func(string) bool { return false }).Ledger(text)
	if n != 6 || strings.Contains(strings.ToLower(string(left)), "miso") || !strings.Contains(string(left), "likes-tea") || !strings.Contains(string(left), PassReflect) {
		t.Errorf("%d:\n%s", n, left)
	}
	left = ledgerWithout(text, func(s string) bool { return strings.Contains(strings.ToLower(s), "miso") })
	if strings.Contains(strings.ToLower(string(left)), "miso") {
		t.Errorf("merged:\n%s", left)
	}
	left, n = EraseFacts([]string{"Has a cat called Miso"}).Ledger(text)
	if n != 2 || strings.Contains(string(left), "called") || strings.Contains(string(left), "pet owner") {
		t.Errorf("by fact: %d:\n%s", n, left)
	}
}

// TestVersions holds the case o15: what was archived at an address goes with it.
func TestVersions(t *testing.T) {
	n := Notes{Files: map[string][]byte{
		AreaPeople.Path(): []byte(ottoLine("2026-09-03", "Anna is a doctor", false) + ottoLine("2026-09-03", "Bob is a cook", false)),
		ArchiveFile:       []byte(ottoLine("2026-09-01", "Anna is a nurse", false) + ottoLine("2026-09-02", "Anna is a midwife", false) + ottoLine("2026-09-02", "Bob is a waiter", false)),
	}}
	l, _ := ParseLedger(Ledger{}.Append(
		Event{Kind: EventName, ID: "1", At: atNoon, Fact: "Anna is a doctor", Slug: "anna"},
		Event{Kind: EventName, ID: "2", At: atNoon, Fact: "Bob is a cook", Slug: "bob"},
		Event{Kind: EventLeft, ID: "3", At: atNoon, Fact: "Anna is a nurse", Area: AreaPeople, Slug: "anna", What: string(LeftReplaced)},
		Event{Kind: EventLeft, ID: "4", At: atNoon.Add(time.Hour), Fact: "Anna is a midwife", Area: AreaPeople, Slug: "anna", What: string(LeftReplaced)},
		Event{Kind: EventLeft, ID: "5", At: atNoon, Fact: "Bob is a waiter", Area: AreaPeople, Slug: "bob", What: string(LeftReplaced)},
	))
	tree := TreeOf(TreeInput{Notes: n, Stands: l.Standings(time.Time{}), Today: ottoDay})
	if diff := cmp.Diff([]string{"Anna is a doctor", "Anna is a midwife", "Anna is a nurse"}, tree.Versions("people/anna")); diff != "" {
		t.Error(diff)
	}
	if len(tree.Versions("people/nobody")) != 0 {
		t.Error("nobody")
	}
}

// TestAreaLimits holds the cases o28 to o30.
func TestAreaLimits(t *testing.T) {
	for name, c := range map[string]struct {
		entries, bytes, runes int
		ok                    bool
	}{
		"all full": {300, 256 << 10, 600, true}, "an entry more": {301, 0, 0, false}, "a character more": {1, 0, 601, false}, "a byte more": {1, 262145, 0, false},
	} {
		if err := CheckAreaLimits(c.entries, c.bytes, strings.Repeat("é", c.runes)); (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "the rule of the areas") {
			t.Errorf("%s: %v", name, err)
		}
	}
	tree := ottoTree(t, map[Area]string{AreaAbout: ottoLine("2026-09-01", strings.Repeat("word ", 150), false)})
	if got := tree.Breaches(); len(got) != 1 || !strings.HasPrefix(got[0], "memory/about.md:1: ") {
		t.Errorf("%q", got)
	}
}

// TestProgressLaw: a batch that fails is tried three times in all; progress never goes back.
func TestProgressLaw(t *testing.T) {
	one := ReadMark{At: atNoon, ID: "m1"}
	p, skipped := Progress{}.Failed(one)
	if skipped || p.Through != one || p.Failures != 1 {
		t.Fatalf("first: %+v", p)
	}
	if p, skipped = p.Failed(one); skipped || p.Failures != 2 {
		t.Fatalf("second: %+v", p)
	}
	if p, skipped = p.Failed(one); !skipped || p != (Progress{After: one}) {
		t.Fatalf("third: %+v", p)
	}
	rapid.Check(t, func(t *rapid.T) {
		var p Progress
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			to := ReadMark{At: atNoon.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "at")) * time.Minute), ID: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id")}
			next := p.Done(to)
			if rapid.Bool().Draw(t, "fails") {
				next, _ = p.Failed(to)
			}
			if next.After.Compare(p.After) < 0 || next.Failures >= maxFailures {
				t.Fatalf("%+v after %+v", next, p)
			}
			p = next
		}
		e := p.Event(PassReflect)
		e.ID, e.At = "p", atNoon
		l, problems := ParseLedger(Ledger{}.Append(e))
		if len(problems) > 0 || !l.Standings(time.Time{}).Progress(PassReflect).After.At.Equal(p.After.At) {
			t.Fatal(problems)
		}
	})
}

// TestUndoKeepsProgress: undoing what a pass did does not make it read the messages again.
func TestUndoKeepsProgress(t *testing.T) {
	p := Progress{After: ReadMark{At: atNoon, ID: "m1"}}.Event(PassReflect)
	p.ID, p.At = "p", atNoon
	before := Ledger{}.Append()
	after := Ledger{}.Append(p, ottoSaid("1", "Likes tea", ByInferring, "m1", atNoon), Event{Kind: EventName, ID: "2", At: atNoon, Fact: "Likes tea", Slug: "tea"})
	n := 0
	undone, err := UndoLedger(before, after, after, atNoon, "person", func() (string, error) { n++; return fmt.Sprint("v", n), nil })
	if err != nil {
		t.Fatal(err)
	}
	l, _ := ParseLedger(undone)
	s := l.Standings(time.Time{})
	if n != 2 || s.Progress(PassReflect).After.ID != "m1" || len(s.Said("Likes tea")) != 0 {
		t.Errorf("%d voids:\n%s", n, undone)
	}
	if slug, _ := s.byFact["Likes tea"].slug(); slug != "" {
		t.Errorf("slug %s", slug)
	}
}

func TestMasked(t *testing.T) {
	mask := func(s string) string { return strings.ReplaceAll(s, "hunter", "«redacted 6 chars»") }
	if e, ok := (Event{Kind: EventName, ID: "1", Fact: "f", Slug: "pw-hunter", Abstract: "hunter is it"}).Masked(mask); !ok || e.Slug != "" || strings.Contains(e.Abstract, "hunter") {
		t.Errorf("%+v %v", e, ok)
	}
	if _, ok := (Event{Kind: EventName, ID: "1", Fact: "f", Slug: "hunter"}).Masked(mask); ok {
		t.Error("nothing is left of it")
	}
}
