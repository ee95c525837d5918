package index

import (
	"math"
	"strconv"
	"strings"
	"time"

	"quipu/markdown"
)

// day is a day as a number, counted from 1 January 1970.
type day int32

// noDay stands for a note or a question without a date.
const noDay day = math.MinInt32

const daySeconds = 24 * 60 * 60

func dayOf(d markdown.Date) day {
	text := d.String()
	if text == "" {
		return noDay
	}
	year, _ := strconv.Atoi(text[:4])
	month, _ := strconv.Atoi(text[5:7])
	return dayFrom(year, month, int(text[8]-'0')*10+int(text[9]-'0'))
}

func dayFrom(year, month, dayOfMonth int) day {
	return day(time.Date(year, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC).Unix() / daySeconds)
}

func (d day) time() time.Time { return time.Unix(int64(d)*daySeconds, 0).UTC() }

// civil is a day of the calendar, taken apart.
type civil struct {
	day   day
	year  int16
	month int8
}

func (d day) civil() civil {
	if d == noDay {
		return civil{day: noDay}
	}
	t := d.time()
	return civil{d, int16(t.Year()), int8(t.Month())}
}

// plus returns the day so many years, months and days later.
func (d day) plus(years, months, days int) day {
	return day(d.time().AddDate(years, months, days).Unix() / daySeconds)
}

// dated is the time that a question asks about: a stretch of days, or a part of
// a date whose rest is open.
type dated struct {
	year, month, day int
	// from and to bound a stretch that was told from today: yesterday, last week.
	from, to day
	known    bool
}

// near returns how well a day answers the question's time, 0 to 1: 1 on the day,
// less some days after it, since people write things down later. strict is for a
// day that the text itself names.
func (q *dated) near(d civil, strict bool) float32 {
	if d.day == noDay {
		return 0
	}
	if q.from != noDay {
		return distance(d.day, q.from, q.to, strict)
	}
	if q.month == 0 {
		if int(d.year) == q.year {
			return .3
		}
		return 0
	}
	year := q.year
	if year == 0 {
		year = int(d.year)
	}
	if q.day == 0 {
		switch months := (int(d.year)-year)*12 + int(d.month) - q.month; {
		case months == 0:
			return 1
		case months == 1 && !strict:
			return .4
		}
		return 0
	}
	asked := dayFrom(year, q.month, q.day)
	return distance(d.day, asked, asked, strict)
}

// distance returns how near a day is to a stretch of days.
func distance(d, from, to day, strict bool) float32 {
	after := int(d - to)
	if d < from {
		after = int(d - from)
	}
	switch far := max(after, -after); {
	case d >= from && d <= to || far <= 1:
		return 1
	case strict && far < 4:
		return .5
	case strict:
		return 0
	case after > 0 && after <= 8:
		return .6
	case after > 0 && after <= 31:
		return .25
	case after < 0 && far <= 4:
		return .3
	}
	return 0
}

// months leads from a folded name to its number. The names are English, Spanish,
// German, French, Portuguese, Italian, Dutch and Russian.
//
//nolint:misspell // the words are of eight languages
func months() map[string]int {
	names := [12]string{
		"january jan enero januar jaenner janvier janeiro gennaio januari январь января январе",
		"february feb febrero februar fevrier fevereiro febbraio februari февраль февраля феврале",
		"march mar marzo marz maerz mars marco maart март марта марте",
		"april apr abril avril aprile апрель апреля апреле",
		"may mayo mai maio maggio mei май мая мае",
		"june jun junio juni juin junho giugno июнь июня июне",
		"july jul julio juli juillet julho luglio июль июля июле",
		"august aug agosto aout augustus август августа августе",
		"september sep sept septiembre septembre setembro settembre сентябрь сентября сентябре",
		"october oct octubre oktober octobre outubro ottobre октябрь октября октябре",
		"november nov noviembre novembre novembro ноябрь ноября ноябре",
		"december dec diciembre dezember decembre dezembro dicembre декабрь декабря декабре",
	}
	table := map[string]int{}
	for i, list := range names {
		for name := range strings.FieldsSeq(list) {
			table[fold(name)] = i + 1
		}
	}
	return table
}

// isName reports a month that is as often a word or a person's name, so that it
// counts as a month only beside a number or a preposition.
func isName(word string) bool {
	switch word {
	case "may", "march", "mar", "marco", "mars", "mai", "jun", "jan", "sep", "dec", "august":
		return true
	}
	return false
}

// askedTime reads the time that the folded words of a question name.
func askedTime(folded []string, today day) dated {
	q := dated{from: noDay}
	table := words().months
	for i, word := range folded {
		if month, ok := table[word]; ok && (!isName(word) || besideNumber(folded, i)) {
			q.month, q.known = month, true
			q.takeDay(folded, i-1)
			q.takeDay(folded, i+1)
			continue
		}
		if n, err := strconv.Atoi(word); err == nil {
			q.takeNumber(n, folded, i)
			continue
		}
		if d, ok := isoDay(word); ok {
			q.from, q.to, q.known = d, d, true
			continue
		}
		if from, to, ok := relative(folded, i, today); ok {
			q.from, q.to, q.known = from, to, true
		}
	}
	return q
}

// takeDay takes word i as the day of the month if it is one: 7, 7th.
func (q *dated) takeDay(folded []string, i int) {
	if i < 0 || i >= len(folded) {
		return
	}
	if n, err := strconv.Atoi(strings.TrimRight(folded[i], "stndrh.")); err == nil && n >= 1 && n <= 31 {
		q.day = n
	}
}

// takeNumber takes a year, and the month or the day before 月 and 日.
func (q *dated) takeNumber(n int, folded []string, i int) {
	if n > 1990 && n < 2100 {
		q.year, q.known = n, true
		return
	}
	if i+1 >= len(folded) || n < 1 {
		return
	}
	switch unit := folded[i+1]; {
	case n <= 12 && strings.HasPrefix(unit, "月"):
		q.month, q.known = n, true
	case n <= 31 && q.month > 0 && strings.HasPrefix(unit, "日"):
		q.day = n
	}
}

func besideNumber(folded []string, i int) bool {
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(folded) {
			continue
		}
		switch folded[j] {
		case "in", "of", "during", "since", "until", "by", "en", "em", "im", "le", "de", "di", "il":
			return true
		}
		if c := folded[j][0]; isDigit(c) {
			return true
		}
	}
	return false
}

// isoDay reads YYYY-MM-DD.
func isoDay(word string) (day, bool) {
	if len(word) != len("2026-09-10") || !isDigit(word[0]) {
		return noDay, false
	}
	d, ok := markdown.ParseDate(word)
	return dayOf(d), ok
}

// relative reads a time that is told from today: yesterday, last week.
func relative(folded []string, i int, today day) (from, to day, ok bool) {
	if today == noDay {
		return noDay, noDay, false
	}
	switch folded[i] {
	case "today", "tonight", "hoy", "heute", "aujourd", "hoje", "oggi", "vandaag", "сегодня":
		return today, today, true
	case "yesterday", "ayer", "gestern", "hier", "ontem", "ieri", "gisteren", "вчера":
		return today - 1, today - 1, true
	}
	if i == 0 || folded[i-1] != "last" && folded[i-1] != "this" {
		return noDay, noDay, false
	}
	back := 0
	if folded[i-1] == "last" {
		back = 1
	}
	start := today.time()
	switch folded[i] {
	case "week":
		monday := today - day((int(start.Weekday())+6)%7) - day(7*back)
		return monday, monday + 6, true
	case "month":
		first := dayFrom(start.Year(), int(start.Month())-back, 1)
		return first, first.plus(0, 1, -1), true
	case "year":
		first := dayFrom(start.Year()-back, 1, 1)
		return first, first.plus(1, 0, -1), true
	}
	return noDay, noDay, false
}
