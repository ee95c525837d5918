package index

import "testing"

func TestNear(t *testing.T) {
	tests := []struct {
		question, day string
		want          float32
	}{
		{"what happened on 10 September 2026", "2026-09-10", 1},
		{"what happened on 10 September 2026", "2026-09-11", 1},
		{"what happened on 10 September 2026", "2026-09-15", .6},
		{"what happened on 10 September 2026", "2026-10-01", .25},
		{"what happened on 10 September 2026", "2026-09-07", .3},
		{"what happened on 10 September 2026", "2026-11-30", 0},
		{"what happened on September 10th", "2025-09-10", 1},
		{"what happened on 2026-09-10?", "2026-09-10", 1},
		{"the trip in May 2026", "2026-05-31", 1},
		{"the trip in May 2026", "2026-06-01", .4},
		{"the trip in May 2026", "2025-05-10", 0},
		{"may we talk of the trip", "2026-05-10", 0},
		{"Jan called", "2026-01-10", 0},
		{"all of 2025", "2025-07-07", .3},
		{"what did we say yesterday", "2026-09-09", 1},
		{"what did we say last week", "2026-09-02", 1},
		{"what did we say last week", "2026-08-20", 0},
		{"what did we say last month", "2026-08-20", 1},
		{"what did we say last year", "2025-03-03", 1},
		{"el 3 de octubre", "2025-10-03", 1},
		{"im März", "2026-03-20", 1},
		{"в мае", "2026-05-20", 1},
		{"9月12日に何をした", "2026-09-12", 1},
		{"nothing dated", "2026-09-10", 0},
	}
	for _, tt := range tests {
		t.Run(tt.question+" "+tt.day, func(t *testing.T) {
			s := (&Index{}).borrow(&Query{})
			q := s.read(tt.question, dayOf(testDay)).when
			got := float32(0)
			if q.known {
				got = q.near(dayOf(day0(tt.day)).civil(), false)
			}
			if got != tt.want {
				t.Errorf("near %v, want %v (%+v)", got, tt.want, q)
			}
		})
	}
}

// TestTold reads the days that a text names from its own, a Thursday.
func TestTold(t *testing.T) {
	tests := map[string]string{
		"We went yesterday": "2026-09-09", "last night was fine": "2026-09-09", "see you tomorrow": "2026-09-11",
		"it was last week": "2026-09-03", "two weeks ago": "2026-08-27", "a couple of weeks ago": "2026-08-27", "3 days ago": "2026-09-07",
		"last month": "2026-08-10", "a year ago": "2025-09-10", "last Friday": "2026-09-04", "last Thursday": "2026-09-03", "last Wednesday": "2026-09-09",
		"due 2027-03-31": "2027-03-31", "nothing": "",
	}
	for text, want := range tests {
		var out reading
		newAnalyser().read(text, inEnglish, dayOf(testDay), &out)
		got := ""
		if len(out.days) > 0 {
			got = out.days[0].time().Format("2006-01-02")
		}
		if got != want || len(out.days) > 1 {
			t.Errorf("%q tells of %q (%d days), want %q", text, got, len(out.days), want)
		}
	}
}

func TestReadingSigns(t *testing.T) {
	tests := []struct {
		text string
		want signs
	}{
		{"I flew to Lisbon last summer.", signs{time: true, place: true, self: true, capitals: 1}},
		{"Our boats? We sold them.", signs{self: true, asked: .5}},
		{"three apples in the Alps", signs{number: true, place: true, capitals: 1}},
		{"It was 2019", signs{number: true, time: true}},
		{"何時ですか？", signs{asked: 1}},
	}
	for _, tt := range tests {
		var out reading
		newAnalyser().read(tt.text, inEnglish, noDay, &out)
		if out.signs != tt.want {
			t.Errorf("%q: signs %+v, want %+v", tt.text, out.signs, tt.want)
		}
	}
}
