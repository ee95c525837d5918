package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"quipu/markdown"
)

// Source is a message on which an entry rests.
type Source struct {
	Message string    `json:"message"` // the host's id of the message or the turn
	Quote   string    `json:"quote,omitempty"`
	At      time.Time `json:"at,omitzero"`
}

// AreaEntry is an entry of an area with what the ledger knows of it.
type AreaEntry struct {
	Area     Area
	Slug     string // unique in its area
	Text     string
	Fact     string // its identity
	Abstract string // as it was kept for this text, "" for none
	Origin   Origin
	Status   Status
	Sources  []Source      // the messages that it rests on, the oldest first
	Said     time.Time     // when it was said last, else the day that it carries
	Until    markdown.Date // the last day on which it holds
	Hand     bool          // a line that was written by hand: nothing here moves it
	Falls    bool          // it may lapse with its evidence: no health, safety or rule of the person

	File string // its file, as long as it lives
	Line int    // from 1
	Raw  string // byte for byte, line ends as LF

	changed, born time.Time
	said          markdown.Date // the day of Said
}

// Address is area/slug.
func (e AreaEntry) Address() string { return string(e.Area) + "/" + e.Slug }

// Evidence counts the messages that an entry rests on: at least the one that it is from.
func (e AreaEntry) Evidence() int { return max(1, len(e.Sources)) }

// Label is what the person reads beside an entry.
func (e AreaEntry) Label() string {
	if e.Origin == ByMail && e.Status == StatusObserved {
		return "Learned from your sent email"
	}
	return e.Status.Label()
}

// Abstracted is what the index says of an entry: its abstract, or its own text cut at a word.
func (e AreaEntry) Abstracted() string {
	return cmp.Or(e.Abstract, cutAtWord(oneLine(e.Text), MaxAbstractRunes))
}

// LetGoEntry is an entry of the archive that was in an area.
type LetGoEntry struct {
	Area Area
	Slug string
	Text string
	Fact string
	Why  LeaveReason
	At   time.Time // when it left
	Raw  string
	Line int
}

// Tree are the five areas of a memory as they stand, with what was let go.
type Tree struct {
	Entries   []AreaEntry     // by area, then as they stand in its file
	LetGo     []LetGoEntry    // the latest first
	Overviews map[Area]string // those that are current
	Bytes     int             // of the five files

	named map[string]bool // addresses that the ledger holds
	ran   map[Area]time.Time
	today markdown.Date
}

// TreeInput is what a Tree is made from.
type TreeInput struct {
	Notes  Notes
	Stands *Standings
	Today  markdown.Date
	Zone   *time.Location // by which days are counted; UTC when nil
	// Out says which facts enter no prompt; these are no entries here. nil is none.
	Out Outside
}

// TreeOf reads the areas of a memory. What is struck is past and no entry; what has expired
// is one until repair lets it go.
func TreeOf(in TreeInput) Tree {
	if in.Zone == nil {
		in.Zone = time.UTC
	}
	if in.Stands == nil {
		in.Stands = Ledger{}.Standings(time.Time{})
	}
	t := Tree{Overviews: map[Area]string{}, named: map[string]bool{}, ran: map[Area]time.Time{}, today: in.Today}
	for _, a := range Areas() {
		text := in.Notes.Files[a.Path()]
		t.Bytes += len(text)
		list := in.entries(a, text)
		t.name(list, in.Stands)
		t.Entries = append(t.Entries, list...)
		t.overview(a, list, in.Stands)
		for _, e := range in.Stands.progress[consolidating(a)] {
			t.ran[a] = later(t.ran[a], e.At)
		}
	}
	t.LetGo = in.letGo()
	return t
}

// entries are the notes of one area. A note under a note goes with the one above it.
func (in TreeInput) entries(a Area, text []byte) []AreaEntry {
	f := markdown.Parse(a.Path(), text)
	var list []AreaEntry
	at := 0
	for _, n := range noteSpans(f) {
		if n.from < at || n.kept {
			continue
		}
		at = n.to
		fact := n.factID(f)
		if fact == "" || !n.live(f, markdown.Date{}) || in.Out != nil && in.Out(fact, falls(f, n, fact)) {
			continue
		}
		list = append(list, in.entry(a, f, n, fact))
	}
	return list
}

func (in TreeInput) entry(a Area, f *markdown.File, n noteSpan, fact string) AreaEntry {
	u := f.Units()[n.from]
	starts := unitStarts(f)
	e := AreaEntry{
		Area: a, Fact: fact, Text: strings.TrimSpace(n.states(f)), Hand: u.Entry == nil, Falls: falls(f, n, fact),
		File: a.Path(), Line: u.Line, Raw: n.raw(f.Bytes()[starts[n.from]:starts[n.to]]),
	}
	r := in.Stands.byFact[fact]
	told := e.Hand
	if u.Entry != nil {
		told = !u.Entry.Noticed
		e.Until, e.Raw = u.Entry.Until, plainRaw(u)
		e.Said = midday(u.Entry.Date, in.Zone)
	} else {
		e.Text = strings.TrimSpace(handBullet.ReplaceAllString(e.Text, ""))
	}
	if e.Origin = r.origin(); e.Origin == "" {
		e.Origin = ByInferring
	}
	if told || r.settled() {
		e.Origin = ByStating
	}
	e.Sources = r.sourceList()
	e.Status = StatusOf(e.Origin, e.Evidence(), r.settled())
	e.born = e.Said
	if len(e.Sources) > 0 && (e.born.IsZero() || e.Sources[0].At.Before(e.born)) {
		e.born = e.Sources[0].At
	}
	e.Said, e.changed = later(e.Said, r.lastSaid()), r.changed()
	e.said = markdown.DateOf(e.Said.In(in.Zone))
	e.Abstract = r.abstract(fact)
	return e
}

// midday is the middle of a day, zero for none.
func midday(d markdown.Date, zone *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, d.String(), zone)
	if err != nil {
		return time.Time{}
	}
	return t.Add(oneDay / 2)
}

// sourceList are the messages that a fact rests on, each once, the oldest first.
func (r *record) sourceList() []Source {
	if r == nil {
		return nil
	}
	var list []Source
	seen := map[string]bool{}
	for _, e := range r.said {
		if id := cmp.Or(e.Turn, e.ID); !seen[id] {
			seen[id] = true
			list = append(list, Source{Message: id, Quote: e.Quote, At: e.At})
		}
	}
	return list
}

// name gives each entry of an area its slug: the one that the ledger holds, of two alike to
// the older one, then one from its words.
func (t *Tree) name(list []AreaEntry, s *Standings) {
	type claimed struct {
		i    int
		slug string
		by   Event
	}
	var claims []claimed
	for i, e := range list {
		if slug, by := s.byFact[e.Fact].slug(); slug != "" {
			claims = append(claims, claimed{i, slug, by})
		}
	}
	slices.SortStableFunc(claims, func(a, b claimed) int { return cmp.Or(a.by.At.Compare(b.by.At), strings.Compare(a.by.ID, b.by.ID)) })
	taken := map[string]bool{}
	for _, c := range claims {
		list[c.i].Slug = freeSlug(c.slug, taken)
		t.named[list[c.i].Address()] = list[c.i].Slug == c.slug
	}
	for i := range list {
		if list[i].Slug == "" {
			list[i].Slug = freeSlug(SlugOf(list[i].Text), taken)
		}
	}
}

// overview keeps the overview of an area while nothing in the area changed since.
func (t *Tree) overview(a Area, list []AreaEntry, s *Standings) {
	e, ok := s.overviews[a]
	if !ok {
		return
	}
	was, is := map[string]bool{}, map[string]bool{}
	for _, fact := range e.From {
		was[fact] = true
	}
	for _, x := range list {
		is[x.Fact] = true
		if x.changed.After(e.At) {
			return
		}
	}
	if maps.Equal(was, is) {
		t.Overviews[a] = e.Text
	}
}

// letGo are the entries of the archive that were in an area, the latest first.
func (in TreeInput) letGo() []LetGoEntry {
	var list []LetGoEntry
	for _, u := range markdown.Parse(ArchiveFile, in.Notes.Files[ArchiveFile]).Units() {
		if u.Entry == nil {
			continue
		}
		fact := markdown.Identity(u.Entry.Text)
		e, ok := in.Stands.left[fact]
		if !ok {
			continue
		}
		list = append(list, LetGoEntry{Area: e.Area, Slug: e.Slug, Text: u.Entry.Text, Fact: fact, Why: LeaveReason(e.What), At: e.At, Raw: plainRaw(u), Line: u.Line})
	}
	slices.SortStableFunc(list, func(a, b LetGoEntry) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Line, a.Line)) })
	return list
}

// Unnamed are the events that give every entry the slug that it has now, so that it keeps
// it: one for each that the ledger does not name so yet. They have no id and no time.
func (t Tree) Unnamed() []Event {
	var list []Event
	for _, e := range t.Entries {
		if !t.named[e.Address()] {
			list = append(list, Event{Kind: EventName, Fact: e.Fact, Slug: e.Slug})
		}
	}
	return list
}

// At is the entry of an address.
func (t Tree) At(address string) (AreaEntry, bool) {
	i := slices.IndexFunc(t.Entries, func(e AreaEntry) bool { return e.Address() == address })
	if i < 0 {
		return AreaEntry{}, false
	}
	return t.Entries[i], true
}

// In are the entries of one area.
func (t Tree) In(a Area) []AreaEntry {
	return slices.DeleteFunc(slices.Clone(t.Entries), func(e AreaEntry) bool { return e.Area != a })
}

// Versions are the facts that stood at an address: the one that lives, and those of the
// archive. A forget takes them all.
func (t Tree) Versions(address string) []string {
	var facts []string
	if e, ok := t.At(address); ok {
		facts = append(facts, e.Fact)
	}
	for _, e := range t.LetGo {
		if string(e.Area)+"/"+e.Slug == address && !slices.Contains(facts, e.Fact) {
			facts = append(facts, e.Fact)
		}
	}
	return facts
}

// CheckRoom returns a *Refusal with Refused when an entry of a text may not be added.
func (t Tree) CheckRoom(text string) error {
	return CheckAreaLimits(len(t.Entries)+1, t.Bytes+len(text), text)
}

// Breaches says of what stands there already which limits it passes: a sentence each.
// Nothing is taken out for it.
func (t Tree) Breaches() []string {
	var list []string
	if err := CheckAreaLimits(len(t.Entries), t.Bytes); err != nil {
		list = append(list, err.Error())
	}
	for _, e := range t.Entries {
		if err := CheckAreaLimits(0, 0, e.Text); err != nil {
			list = append(list, placeName(e.File, e.Line)+": "+err.Error())
		}
	}
	return list
}
