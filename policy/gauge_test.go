package policy

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func lines(n int) string {
	return strings.TrimSuffix(strings.Repeat("- fact\n", n), "\n")
}

func TestMeasure(t *testing.T) {
	tests := []struct {
		name string
		text string
		want Gauge
	}{
		{"nothing", "", Gauge{}},
		{"a newline", "\n", Gauge{Lines: 1, Bytes: 1, LoadedLines: 1, LoadedBytes: 1}},
		{"no final newline", "a\nb", Gauge{Lines: 2, Bytes: 3, LoadedLines: 2, LoadedBytes: 3, Percent: 1}},
		{"final newline", "a\nb\n", Gauge{Lines: 2, Bytes: 4, LoadedLines: 2, LoadedBytes: 4, Percent: 1}},
		{"200 lines", lines(200) + "\n", Gauge{Lines: 200, Bytes: 1400, LoadedLines: 200, LoadedBytes: 1400, Percent: 100}},
		{"250 lines", lines(250), Gauge{Lines: 250, Bytes: 1749, LoadedLines: 200, LoadedBytes: 1399, Truncated: true, Percent: 125}},
		{"24,000 bytes", strings.Repeat("x", 24000), Gauge{Lines: 1, Bytes: 24000, LoadedLines: 1, LoadedBytes: 24000, Percent: 100}},
		{"24,001 bytes", strings.Repeat("x", 24001), Gauge{Lines: 1, Bytes: 24001, LoadedLines: 1, LoadedBytes: 24000, Truncated: true, Percent: 100}},
		{"a character on the edge", "# Memory\n" + strings.Repeat("é", 24000), Gauge{Lines: 2, Bytes: 48009, LoadedLines: 2, LoadedBytes: 23999, Truncated: true, Percent: 200}},
		{"no characters at all", strings.Repeat("\xff", 24002), Gauge{Lines: 1, Bytes: 24002, LoadedLines: 1, LoadedBytes: 24000, Truncated: true, Percent: 100}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			tc.want.MaxLines, tc.want.MaxBytes = MaxLines, MaxBytes
			tc.want.Colour = map[bool]string{true: ColourRed, false: ColourOK}[tc.want.Truncated]
			if !tc.want.Truncated && tc.want.Percent >= 80 {
				tc.want.Colour = ColourAmber
			}
			got := Measure([]byte(tc.text))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if utf8.ValidString(tc.text) && !utf8.ValidString(tc.text[:got.LoadedBytes]) {
				t.Error("the cut splits a character")
			}
		})
	}
}

func TestLimitsMeasure(t *testing.T) {
	l := Limits{Lines: 5, Bytes: 100}
	tests := []struct {
		name, text, colour, sentence, loaded string
	}{
		{"3 of 5", "a\nb\nc\n", ColourOK, "only the first 5 lines load each turn", "a\nb\nc\n"},
		{"4 of 5", "a\nb\nc\nd", ColourAmber, "only the first 5 lines load each turn", "a\nb\nc\nd"},
		{"7 lines", "1\n2\n3\n4\n5\n6\n7", ColourRed, "only the first 5 lines load each turn; 2 lines do not", "1\n2\n3\n4\n5"},
		{"long line", strings.Repeat("x", 101), ColourRed, "only the first 5 lines load each turn, and at most 100 bytes", strings.Repeat("x", 100)},
		{"an entry is left out whole", "a\nb\nc\nd\n- 2026-09-10 · x\n  y\n", ColourRed, "only the first 5 lines load each turn; 2 lines do not", "a\nb\nc\nd"},
		{"unless nothing else would load", "# M\n- 2026-09-10 · x\n  1\n  2\n  3\n  4\n", ColourRed, "only the first 5 lines load each turn; 1 line does not", "# M\n- 2026-09-10 · x\n  1\n  2\n  3"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			g := l.Measure([]byte(tc.text))
			got := []string{g.Colour, g.Sentence(), tc.text[:g.LoadedBytes]}
			if diff := cmp.Diff([]string{tc.colour, tc.sentence, tc.loaded}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestGaugeNames(t *testing.T) {
	raw, err := json.Marshal(Measure([]byte("a")))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"lines":1,"bytes":1,"maxLines":200,"maxBytes":24000,"loadedLines":1,"loadedBytes":1,"truncated":false,"percent":0,"colour":"ok"}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Error(diff)
	}
}
