package panel

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"quipu/repo"
)

// picturesPage is a memory over time, as three pictures with the tables behind them.
type picturesPage struct {
	Heat  heatMap
	Size  sizeChart
	Facts factBars
}

// pictures draws a year of changes, the size against the budget, and where facts came from.
func (p *Panel) pictures(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	p.takeIn(v, s)
	stats, err := s.ws.Stats(v.r.Context())
	if err != nil {
		return err
	}
	page := picturesPage{Heat: v.heatMap(&s, stats), Size: v.sizeChart(stats), Facts: v.factBars(stats)}
	p.show(v, http.StatusOK, "pictures", v.say("Pictures"), &s, page)
	return nil
}

// kindCount is how many changes one kind of author made, said whole.
type kindCount struct{ Kind, Text string }

// byKind says who made so many changes, in the order in which kinds are listed.
func (v *visit) byKind(by map[repo.AuthorKind]int) []kindCount {
	var out []kindCount
	for _, k := range repo.AuthorKinds() {
		n := by[k]
		if n == 0 {
			continue
		}
		text := map[repo.AuthorKind]string{
			repo.Bot: v.say("%d by the bot", n), repo.Person: v.say("%d by you", n), repo.Upkeep: v.say("%d by memory upkeep", n),
			repo.Import: v.say("%d by an import", n), repo.Sync: v.say("%d by a sync", n),
		}[k]
		out = append(out, kindCount{string(k), text})
	}
	return out
}

// dayTime is a day that a workspace wrote, to be said.
func dayTime(day string) time.Time {
	t, _ := time.Parse(time.DateOnly, day) // as repo wrote it
	return t
}

// bar is one origin of facts.
type bar struct {
	Label   string
	Entries int
	Percent int
	Y       int // where its label stands, and
	BarY    int // the bar under it
}

type factBars struct {
	Summary string
	Bars    []bar
	Height  int
}

const barHeight = 36

// factBars draws where the notes that stand now came from.
func (v *visit) factBars(s repo.Stats) factBars {
	out := factBars{Summary: v.say("No note stands yet.")}
	for i, f := range s.Facts {
		out.Bars = append(out.Bars, bar{
			Label: v.told(originWords(f.From)), Entries: f.Entries, Percent: max(f.Entries*100/s.Facts[0].Entries, 1),
			Y: i*barHeight + 14, BarY: i*barHeight + 20,
		})
	}
	if len(out.Bars) > 0 {
		out.Summary = v.several(s.Entries, "One note stands.", "%d notes stand.")
		if len(out.Bars) > 1 {
			out.Summary = v.say("%d notes stand. The largest part: %s, %d.", s.Entries, out.Bars[0].Label, out.Bars[0].Entries)
		}
	}
	out.Height = len(out.Bars) * barHeight
	return out
}

func originWords(from repo.Origin) string {
	words := map[repo.Origin]string{
		repo.FromChat: msg("written down in a chat"), repo.FromRoom: msg("written down in a room"), repo.FromCapture: msg("noticed after a chat"),
		repo.FromPanel: msg("in the panel"), repo.FromCLI: msg("on the command line"), repo.FromAPI: msg("over the API"),
		repo.FromOutside: msg("changed outside quipu"), repo.FromImport: msg("by an import"), repo.FromUpkeep: msg("by memory upkeep"),
		repo.FromSync: msg("by a sync"), repo.FromBot: msg("by the bot, no place said"),
	}
	return cmp.Or(words[from], string(from))
}

// The size chart is drawn on a plane so wide and high; the browser stretches it.
const (
	chartWidth  = 1000
	chartHeight = 180
)

type sizeChart struct {
	Summary            string
	Lines, Bytes       string // the points of the two lines
	Budget, Amber      int    // how high the two limits stand
	BudgetAt, AmberAt  int    // and their words
	First, Last        string
	MaxLines, MaxBytes int
	Rows               []sizeRow
}

type sizeRow struct {
	Day          time.Time
	Lines, Bytes int
	Percent      int
}

// sizeChart draws how full MEMORY.md was, in percent of the nearer limit.
func (v *visit) sizeChart(s repo.Stats) sizeChart {
	c := sizeChart{MaxLines: s.MaxLines, MaxBytes: s.MaxBytes, Summary: v.say("MEMORY.md has not been written yet.")}
	if len(s.Sizes) == 0 {
		return c
	}
	top := 110
	for _, one := range s.Sizes {
		row := sizeRow{dayTime(one.Day), one.Lines, one.Bytes, percentOf(s, one)}
		c.Rows = append(c.Rows, row)
		top = max(top, row.Percent*105/100)
	}
	y := func(part, whole int) int { return chartHeight - part*100*chartHeight/(max(whole, 1)*top) }
	first, last := c.Rows[0].Day, dayTime(s.Until)
	x := func(day time.Time) int {
		return int(chartWidth * day.Sub(first).Hours() / max(last.Sub(first).Hours(), 1))
	}
	var lines, bytes steps
	for _, r := range c.Rows {
		lines.to(x(r.Day), y(r.Lines, s.MaxLines))
		bytes.to(x(r.Day), y(r.Bytes, s.MaxBytes))
	}
	c.Lines, c.Bytes = lines.end(), bytes.end()
	c.Budget, c.Amber = y(100, 100), y(80, 100)
	c.BudgetAt, c.AmberAt = c.Budget+chartTop-4, c.Amber+chartTop+14
	c.First, c.Last = v.day(first), v.day(last)
	now := c.Rows[len(c.Rows)-1]
	most := slices.MaxFunc(c.Rows, func(a, b sizeRow) int { return cmp.Or(a.Percent-b.Percent, b.Day.Compare(a.Day)) })
	c.Summary = v.say("MEMORY.md holds %d of %d lines and %s of %s. It was fullest on %s, at %d %%.",
		now.Lines, s.MaxLines, v.size(now.Bytes), v.size(s.MaxBytes), v.day(most.Day), most.Percent)
	slices.Reverse(c.Rows) // in a table the newest is looked for
	return c
}

// chartTop is how much room is above the plane of the chart, for the words of its highest line.
const chartTop = 20

func percentOf(s repo.Stats, one repo.SizeStat) int {
	return max(one.Lines*100/max(s.MaxLines, 1), one.Bytes*100/max(s.MaxBytes, 1))
}
