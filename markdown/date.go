package markdown

import (
	"cmp"
	"time"
)

// Date is one day of the calendar, without a time zone. It is comparable with
// ==; the zero value means that there is none.
type Date struct {
	year       uint16
	month, day uint8
}

// ParseDate reads a day written strictly as YYYY-MM-DD. It is false for
// anything else, and for a day that no calendar has, such as 2026-02-30.
func ParseDate(s string) (Date, bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return Date{}, false
	}
	year, okYear := number(s[:4])
	month, okMonth := number(s[5:7])
	day, okDay := number(s[8:])
	if !okYear || !okMonth || !okDay || year == 0 || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) {
		return Date{}, false
	}
	return Date{year: uint16(year), month: uint8(month), day: uint8(day)}, true
}

// number reads ASCII digits only: strconv would take a sign.
func number(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

func monthDays(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	default:
		return 31
	}
}

// DateOf returns the day of t in t's own zone. A time outside the years 1 to
// 9999, which no entry can carry, has no Date.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	if year < 1 || year > 9999 {
		return Date{}
	}
	return Date{year: uint16(year), month: uint8(month), day: uint8(day)}
}

// String returns the day as YYYY-MM-DD, and "" for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	y, m, n := int(d.year), int(d.month), int(d.day)
	digits := [10]byte{
		byte('0' + y/1000), byte('0' + y/100%10), byte('0' + y/10%10), byte('0' + y%10), '-',
		byte('0' + m/10), byte('0' + m%10), '-', byte('0' + n/10), byte('0' + n%10),
	}
	return string(digits[:])
}

// IsZero reports whether there is no day.
func (d Date) IsZero() bool { return d == Date{} }

// Before reports whether d comes before other; the zero Date is before all.
func (d Date) Before(other Date) bool { return d.Compare(other) < 0 }

// Compare returns -1, 0 or 1 as d is before, equal to or after other.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.year, other.year), cmp.Compare(d.month, other.month), cmp.Compare(d.day, other.day))
}

// AddDays returns the day n days later, or earlier for a negative n; none outside the
// years that a Date has.
func (d Date) AddDays(n int) Date {
	if d.IsZero() {
		return d
	}
	return DateOf(time.Date(int(d.year), time.Month(d.month), int(d.day)+n, 12, 0, 0, 0, time.UTC))
}
