package policy

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestRanks reads rows as they are published: one that does not decode is malformed
// and skipped by who reads it.
func TestRanks(t *testing.T) {
	tests := []struct {
		name, row string
		want      bool
	}{
		{"hf01 negative score", `{"text":"a","score":-0.1}`, false},
		{"hf02", `{"text":"a","score":0}`, true},
		{"hf03 no score", `{"text":"a"}`, true},
		{"hf04", `{"text":"a","suppress":true}`, false},
		{"hf06 blank", `{"text":"  "}`, false},
		{"hf07 malformed", `{"text":["x"]}`, false},
		{"hf08 negative by silence alone", `{"text":"a","target_type":"reflection","reinforcement":-0.4,"disputation":0}`, true},
		{"disputed", `{"text":"a","reinforcement":0,"disputation":1}`, false},
		{"disputed and borne out", `{"text":"a","reinforcement":2,"disputation":1}`, true},
		{"disputed as much as borne out", `{"text":"a","reinforcement":1,"disputation":1}`, true},
		{"protected", `{"text":"a","protected":true}`, false},
		{"ended", `{"text":"a","ended":true}`, false},
		{"blank of another script", `{"text":"\u3000\u00a0"}`, false},
		{"a malformed score", `{"text":"a","score":"-1"}`, false},
		{"a score below zero is not raised", `{"text":"a","score":-3,"reinforcement":9,"disputation":1}`, false},
	}
	for _, tc := range tests {
		var row struct {
			Text                       string
			Score                      *float64
			Reinforcement, Disputation float64
			Suppress, Protected, Ended bool
		}
		got := false
		if json.Unmarshal([]byte(tc.row), &row) == nil {
			r := Recallable{Text: row.Text, Score: row.Score, Disputation: row.Disputation, Suppressed: row.Suppress, Protected: row.Protected, Ended: row.Ended}
			got = r.Judged(row.Reinforcement - row.Disputation).Ranks()
		}
		if got != tc.want {
			t.Errorf("%s: ranks %t, want %t", tc.name, got, tc.want)
		}
	}
	for _, r := range []Recallable{{Text: "a", Score: new(math.NaN())}, {Text: "a", Score: new(math.Inf(-1))}, {Text: "a", Disputation: math.NaN()}, Recallable{Text: "a", Disputation: 1}.Judged(math.NaN())} {
		if r.Ranks() {
			t.Errorf("%+v ranks", r)
		}
	}
}

// TestJudgedOnlyDrops: a standing, whatever it is, brings no row back, and does nothing
// to a row that nobody disputed.
func TestJudgedOnlyDrops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Recallable{
			Text: rapid.SampledFrom([]string{"a", " "}).Draw(t, "text"), Disputation: float64(rapid.IntRange(0, 2).Draw(t, "disputation")),
			Suppressed: rapid.Bool().Draw(t, "suppressed"), Protected: rapid.Bool().Draw(t, "protected"), Ended: rapid.Bool().Draw(t, "ended"),
		}
		if rapid.Bool().Draw(t, "scored") {
			r.Score = new(rapid.Float64Range(-2, 2).Draw(t, "score"))
		}
		live := rapid.Float64Range(-3, 3).Draw(t, "live")
		judged := r.Judged(live)
		if judged.Ranks() && !r.Ranks() {
			t.Fatal("it came back")
		}
		if r.Disputation == 0 && judged != r {
			t.Fatalf("silence was counted: %+v", judged)
		}
		if r.Disputation > 0 && live < 0 && judged.Ranks() {
			t.Fatal("a disputed row ranks")
		}
	})
}
