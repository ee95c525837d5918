package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
)

func TestGaugeLines(t *testing.T) {
	bar := func(full int, end string) string {
		return "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + end
	}
	tests := map[string]struct {
		l    policy.Loaded
		want string
	}{
		"empty": {
			policy.Loaded{Gauge: policy.Measure(nil)},
			"gauge      lines " + bar(0, "]") + " 0 of 200 (0%)\n" +
				"           bytes " + bar(0, "]") + " 0 of 24000 (0%)\n" +
				"           ok: only the first 200 lines load each turn\n",
		},
		"a little is seen": {
			policy.Loaded{Gauge: policy.Measure([]byte("- a\n")), Expired: 1},
			"gauge      lines " + bar(1, "]") + " 1 of 200 (0%)\n" +
				"           bytes " + bar(1, "]") + " 4 of 24000 (0%)\n" +
				"           ok: only the first 200 lines load each turn\n" +
				"           1 note is past its last day and does not load\n",
		},
		"amber": {
			policy.Loaded{Gauge: policy.Measure([]byte(strings.Repeat("- a\n", 160))), Expired: 2},
			"gauge      lines " + bar(32, "]") + " 160 of 200 (80%)\n" +
				"           bytes " + bar(1, "]") + " 640 of 24000 (2%)\n" +
				"           amber: only the first 200 lines load each turn\n" +
				"           2 notes are past their last day and do not load\n",
		},
		"full is not over": {
			policy.Loaded{Gauge: policy.Measure([]byte(strings.Repeat("- a\n", 200)))},
			"gauge      lines " + bar(40, "]") + " 200 of 200 (100%)\n" +
				"           bytes " + bar(1, "]") + " 800 of 24000 (3%)\n" +
				"           amber: only the first 200 lines load each turn\n",
		},
		"over, and what falls off": {
			policy.Loaded{Gauge: policy.Measure([]byte(strings.Repeat("- a\n", 203))), Unloaded: []string{"a\x1b[2J", "b"}},
			"gauge      lines " + bar(40, ">") + " 203 of 200 (101%)\n" +
				"           bytes " + bar(1, "]") + " 812 of 24000 (3%)\n" +
				"           red: only the first 200 lines load each turn; 3 lines do not\n" +
				"           not loaded: \"a\\x1b[2J\", \"b\", and what follows\n",
		},
		"over by bytes": {
			policy.Loaded{Gauge: policy.Measure([]byte("- " + strings.Repeat("é", 12000) + "\n"))},
			"gauge      lines " + bar(1, "]") + " 1 of 200 (0%)\n" +
				"           bytes " + bar(40, ">") + " 24003 of 24000 (100%)\n" +
				"           red: only the first 200 lines load each turn, and at most 24000 bytes\n",
		},
		"conflict markers": {
			policy.Loaded{Gauge: policy.Measure([]byte("- a\n")), Conflicted: 3},
			"gauge      lines " + bar(1, "]") + " 1 of 200 (0%)\n" +
				"           bytes " + bar(1, "]") + " 4 of 24000 (0%)\n" +
				"           ok: only the first 200 lines load each turn\n" +
				"           nothing loads: MEMORY.md has conflict markers from line 3 on\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, (&env{}).gaugeLines(tt.l)); diff != "" {
				t.Errorf("gauge (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGaugeColours(t *testing.T) {
	e := &env{color: true}
	tests := map[string]struct {
		lines int
		want  string
	}{
		"ok":    {100, green},
		"amber": {170, yellow},
		"red":   {201, red},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := e.gaugeLines(policy.Loaded{Gauge: policy.Measure([]byte(strings.Repeat("- a\n", tt.lines)))})
			for _, want := range []string{"lines [\x1b[" + tt.want + "m#", "\x1b[" + tt.want + "m" + name + ": "} {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in %q", want, got)
				}
			}
		})
	}
}

func TestFew(t *testing.T) {
	tests := map[string]struct {
		list []string
		want string
	}{
		"none":  {nil, ""},
		"three": {[]string{"a", "b", "c"}, "a, b, c"},
		"four":  {[]string{"a", "b", "c", "d"}, "a, b, c and 1 more"},
		"many":  {strings.Split(strings.Repeat("x", 44), ""), "x, x, x and 41 more"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := few(tt.list); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
