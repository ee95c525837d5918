package panel

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"quipu/repo"
)

// The heat map is a column a week and a row a day, in pixels.
const (
	cellPitch = 16
	heatLeft  = 40 // for the names of the days
	heatTop   = 20 // for those of the months
	heatSteps = 5
)

// heatMap is a year of changes, a cell a day.
type heatMap struct {
	Summary         string
	Cells           []heatCell
	Months, Days    []heatLabel
	Steps           []heatStep
	Width, Height   int
	Rows            []monthRow
	Since           time.Time
	Changes, Active int
}

type heatCell struct {
	X, Y, Step int
	URL, Text  string // no URL: a day without changes
}

type heatLabel struct {
	X, Y int
	Text string
}

// heatStep is one shade of the legend, and what it stands for.
type heatStep struct {
	Step int
	Text string
}

// monthRow is one month in the table behind the map.
type monthRow struct {
	Name    string
	Changes int
	By      []kindCount
	URL     string // of its journal
}

// heatMap lays the year out. stats.Since is a Monday.
func (v *visit) heatMap(s *space, stats repo.Stats) heatMap {
	first, last := dayTime(stats.Since), dayTime(stats.Until)
	byDay, most := map[string]repo.DayStat{}, repo.DayStat{}
	for _, d := range stats.Days {
		byDay[d.Day] = d
		if d.Changes > most.Changes {
			most = d
		}
	}
	bounds := heatBounds(most.Changes)
	m := heatMap{Since: first, Changes: stats.Changes, Active: len(stats.Days), Height: heatTop + 7*cellPitch, Steps: v.heatLegend(bounds)}
	week, month := 0, time.Month(0)
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		row := (int(day.Weekday()) + 6) % 7
		x := heatLeft + week*cellPitch
		if row == 0 && day.Month() != month {
			if month != 0 || day.Day() <= 14 { // a month of which two weeks are left has no room for its name
				m.Months = append(m.Months, heatLabel{x, heatTop - 7, v.say(shortMonths[day.Month()-1])})
			}
			month = day.Month()
		}
		m.Cells = append(m.Cells, v.heatCell(s, day, byDay[day.Format(time.DateOnly)], bounds, x, heatTop+row*cellPitch))
		if row == 6 {
			week++
		}
	}
	m.Width = heatLeft + (week+1)*cellPitch
	for i, name := range []string{v.say("Mon"), v.say("Wed"), v.say("Fri")} {
		m.Days = append(m.Days, heatLabel{0, heatTop + 2*i*cellPitch + 11, name})
	}
	m.Rows = v.monthRows(s, stats)
	m.Summary = v.say("No change since %s.", v.day(first))
	if most.Changes > 0 {
		m.Summary = v.say("%[1]s on %[2]s since %[3]s. The most on one day: %[4]d, on %[5]s.", v.several(stats.Changes, "1 change", "%d changes"),
			v.several(len(stats.Days), "1 day", "%d days"), v.day(first), most.Changes, v.day(dayTime(most.Day)))
	}
	return m
}

func (v *visit) heatCell(s *space, day time.Time, d repo.DayStat, bounds []int, x, y int) heatCell {
	c := heatCell{X: x, Y: y}
	if d.Changes == 0 {
		c.Text = v.say("%s: no change", v.day(day))
		return c
	}
	for c.Step < len(bounds) && (c.Step == 0 || d.Changes > bounds[c.Step-1]) {
		c.Step++
	}
	c.URL = s.dayURL(d.Day)
	c.Text = v.say("%s: %s", v.day(day), v.several(d.Changes, "1 change", "%d changes"))
	return c
}

// heatBounds are the most changes of each step: each step holds about as many times more
// than the one before, and none is empty.
func heatBounds(most int) []int {
	var bounds []int
	for step := 1; step <= heatSteps && (step == 1 || bounds[step-2] < most); step++ {
		bounds = append(bounds, max(step, int(math.Ceil(math.Pow(float64(most), float64(step)/heatSteps)-1e-9))))
	}
	return bounds
}

func (v *visit) heatLegend(bounds []int) []heatStep {
	steps := []heatStep{{0, v.say("no change")}}
	from := 1
	for i, to := range bounds {
		text := v.say("%d to %d", from, to)
		if from == to {
			text = v.say("%d", to)
		}
		steps = append(steps, heatStep{i + 1, text})
		from = to + 1
	}
	return steps
}

// monthRows are the months with changes, the newest first.
func (v *visit) monthRows(s *space, stats repo.Stats) []monthRow {
	var rows []monthRow
	by := map[repo.AuthorKind]int{}
	for _, d := range slices.Backward(stats.Days) {
		begin := dayTime(d.Day).AddDate(0, 0, 1-dayTime(d.Day).Day())
		name := v.say("%[1]s %[2]s", v.say(months[begin.Month()-1]), begin.Format("2006"))
		if n := len(rows); n == 0 || rows[n-1].Name != name {
			clear(by)
			rows = append(rows, monthRow{Name: name, URL: fmt.Sprintf("%s/journal?since=%s&until=%s", s.Base, begin.Format(time.DateOnly), begin.AddDate(0, 1, -1).Format(time.DateOnly))})
		}
		row := &rows[len(rows)-1]
		row.Changes += d.Changes
		for k, n := range d.By {
			by[k] += n
		}
		row.By = v.byKind(by)
	}
	return rows
}

// steps is a line that stays where it is until it is moved, as SVG writes points.
type steps struct {
	b    strings.Builder
	last int
}

func (s *steps) to(x, y int) {
	if s.b.Len() > 0 {
		fmt.Fprintf(&s.b, " %d,%d", x, s.last)
	}
	fmt.Fprintf(&s.b, " %d,%d", x, y)
	s.last = y
}

func (s *steps) end() string {
	return strings.TrimSpace(fmt.Sprintf("%s %d,%d", s.b.String(), chartWidth, s.last))
}
