package main

import "testing"

func TestScored(t *testing.T) {
	for score, want := range map[float64]string{
		0: "0.0", 1: "1.0", -1: "-1.0", -0.99999: "-1.0", 0.99999: "0.99", 1.9999: "1.99", 2: "2.0", -1.99999: "-1.99", -2: "-2.0",
		-0.0001: "just below 0", 0.0001: "0.0", 2.97: "3.0", 0.5: "0.5",
	} {
		if got := scored(score); got != want {
			t.Errorf("scored(%v) = %q, want %q", score, got, want)
		}
	}
}
