package repo

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/side"
)

// Stats is a memory over time: what a picture of it is drawn from. Days are local ones of
// the workspace's time zone, written YYYY-MM-DD.
type Stats struct {
	BotID    ID     `json:"botId"`
	TimeZone string `json:"timezone"`
	// Since and Until bound Days: a year to today, beginning with a Monday.
	Since string `json:"since"`
	Until string `json:"until"`
	// Days are the days with changes, oldest first; a change counts once, whatever number of
	// files it touched, and only if the journal lists it unasked.
	Days    []DayStat `json:"days"`
	Changes int       `json:"changes"` // of all Days
	// MaxLines and MaxBytes are the budget of MEMORY.md as it is now.
	MaxLines int `json:"maxLines"`
	MaxBytes int `json:"maxBytes"`
	// Sizes are how large MEMORY.md was at the end of a day, oldest first, at most 200: days
	// on which it was as large as on the one before are left out.
	Sizes []SizeStat `json:"sizes"`
	// Facts are the notes that stand now in MEMORY.md and the topics and are not struck
	// through, by where they came from, the most first.
	Facts   []FactStat `json:"facts"`
	Entries int        `json:"entries"` // of all Facts
}

// DayStat is one day's changes, of all and by kind of author.
type DayStat struct {
	Day     string             `json:"day"`
	Changes int                `json:"changes"`
	By      map[AuthorKind]int `json:"by"`
}

// SizeStat is the size of MEMORY.md at the end of a day.
type SizeStat struct {
	Day   string `json:"day"`
	Lines int    `json:"lines"`
	Bytes int    `json:"bytes"`
}

// FactStat is how many notes came from one origin.
type FactStat struct {
	From    Origin `json:"from"`
	Entries int    `json:"entries"`
}

// statWeeks is how many whole weeks Days go back before the present one, and statSizes how
// many points of time Sizes has at most.
const (
	statWeeks = 52
	statSizes = 200
)

// Stats reads what the pictures of a memory need. It takes nothing in and writes nothing.
func (w *Workspace) Stats(ctx context.Context) (Stats, error) {
	x, err := w.history(ctx)
	if err != nil {
		return Stats{}, err
	}
	now, limits := w.now(), w.limits()
	s := Stats{
		BotID: w.id, TimeZone: now.Location().String(), Days: []DayStat{}, Sizes: []SizeStat{}, Facts: []FactStat{},
		MaxLines: limits.Lines, MaxBytes: limits.Bytes,
	}
	monday := statDay(now, -7*statWeeks-(int(now.Weekday())+6)%7)
	s.Since, s.Until = dayOf(monday), dayOf(now)
	if err := w.statDays(ctx, x, &s, monday, now); err != nil {
		return Stats{}, err
	}
	if err := w.statSizes(ctx, x, &s, now); err != nil {
		return Stats{}, err
	}
	return s, w.statFacts(ctx, x, &s)
}

// statDay is the beginning of the day so many days from one.
func statDay(t time.Time, days int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, t.Location())
}

func dayOf(t time.Time) string { return t.Format(time.DateOnly) }

// statDays counts the changes of the days from one to another.
func (w *Workspace) statDays(ctx context.Context, x *side.Index, s *Stats, from, to time.Time) error {
	bounds := []time.Time{}
	for day, end := from, statDay(to, 1); ; day = statDay(day, 1) {
		bounds = append(bounds, day)
		if !day.Before(end) {
			break
		}
	}
	days, err := w.tallied(ctx, x, bounds)
	for _, d := range days {
		s.Changes += d.Changes
	}
	s.Days = append(s.Days, days...)
	return err
}

// tallied counts the changes of each span that has any, named by the day that it begins on.
func (w *Workspace) tallied(ctx context.Context, x *side.Index, bounds []time.Time) (days []DayStat, err error) {
	tallies, err := x.Tallies(ctx, bounds, kindWords())
	for _, t := range tallies {
		day := dayOf(bounds[t.Span])
		if n := len(days); n == 0 || days[n-1].Day != day {
			days = append(days, DayStat{Day: day, By: map[AuthorKind]int{}})
		}
		d := &days[len(days)-1]
		d.By[AuthorKind(t.Kind)] = t.Changes
		d.Changes += t.Changes
	}
	return days, err
}

func kindWords() []string {
	var words []string
	for _, k := range AuthorKinds() {
		words = append(words, string(k))
	}
	return words
}

// statSizes measures MEMORY.md at the ends of days from its first change on.
func (w *Workspace) statSizes(ctx context.Context, x *side.Index, s *Stats, now time.Time) error {
	first, err := x.First(ctx)
	if err != nil || first.IsZero() {
		return err
	}
	const hoursADay = 24
	first = first.In(now.Location())
	step := int(now.Sub(first).Hours()/hoursADay)/(statSizes-2) + 1
	var days, ends []time.Time
	for day := statDay(now, 0); len(days) < statSizes; day = statDay(day, -step) {
		days = append(days, day)
		ends = append(ends, statDay(day, 1))
		if day.Before(first) {
			break
		}
	}
	sizes, err := x.Sizes(ctx, policy.MemoryFile, ends)
	for i := len(days) - 1; i >= 0 && err == nil; i-- {
		if sizes[i] == nil {
			continue
		}
		one := SizeStat{Day: dayOf(days[i]), Lines: sizes[i].Lines, Bytes: sizes[i].Bytes}
		if n := len(s.Sizes); n > 0 && i > 0 && s.Sizes[n-1].Lines == one.Lines && s.Sizes[n-1].Bytes == one.Bytes {
			continue
		}
		s.Sizes = append(s.Sizes, one)
	}
	return err
}

// statFacts finds out where the notes of MEMORY.md and the topics came from.
func (w *Workspace) statFacts(ctx context.Context, x *side.Index, s *Stats) error {
	files, _, err := w.git.ListWork()
	if err != nil {
		return gitError(err)
	}
	units := map[string][]markdown.Unit{}
	for _, f := range files {
		kind, err := policy.CheckPath(f.Path)
		if err != nil || kind != policy.Memory && kind != policy.Topic && kind != policy.About {
			continue
		}
		text, _, err := w.git.ReadWork(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it went meanwhile
		}
		if err != nil {
			return gitError(err)
		}
		for _, u := range markdown.Parse(f.Path, text).Units() {
			if isFact(u) {
				units[f.Path] = append(units[f.Path], u)
			}
		}
	}
	teachers, unknown, err := x.Teachers(ctx, units)
	if err != nil {
		return err
	}
	counts := map[Origin]int{FromOutside: unknown} // what is not taken in yet was edited outside
	for _, t := range teachers {
		counts[originOf(t)] += t.Units
	}
	s.Facts, s.Entries = ranked(counts)
	return nil
}

// isFact says whether a unit is a note that stands: an entry, or a bullet written by hand,
// that is not struck through.
func isFact(u markdown.Unit) bool {
	if u.Entry != nil {
		return !u.Entry.Struck
	}
	if u.Kind != markdown.KindLine {
		return false
	}
	said := strings.TrimSpace(string(u.Raw))
	return len(said) > 2 && strings.ContainsRune("-*+", rune(said[0])) && said[1] == ' ' && said[2] != '~'
}
