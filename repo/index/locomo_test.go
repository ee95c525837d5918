package index

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sample is one conversation in LoCoMo's form, made up for this test.
const sample = `[{"qa":[
 {"question":"Where did Ana buy the kettle?","evidence":["D1:3"],"category":4},
 {"question":"What does Ben repair?","evidence":["D2:01; D2:2"],"category":1},
 {"question":"Who is lost?","evidence":["D9:9"],"category":4},
 {"question":"Not counted","evidence":["D1:1"],"category":5}],
 "conversation":{"speaker_a":"Ana","session_1_date_time":"1:56 pm on 8 May, 2026","session_1":[
  {"speaker":"Ana","dia_id":"D1:1","text":"Hello Ben"},{"speaker":"Ben","dia_id":"D1:2","text":"Hello. New kettle?"},
  {"speaker":"Ana","dia_id":"D1:3","text":"Yes, from the market in Porto","blip_caption":"a copper kettle"}],
 "session_2_date_time":"9 am on 9 May, 2026","session_2":[
  {"speaker":"Ben","dia_id":"D2:1","text":"I repair clocks"},{"speaker":"Ben","dia_id":"D2:2","text":"And radios that people bring me to repair"}]}}]`

func TestBench(t *testing.T) {
	at := time.Unix(0, 0)
	clock := func() time.Time {
		at = at.Add(time.Millisecond)
		return at
	}
	got, err := Bench(strings.NewReader(sample), clock)
	if err != nil {
		t.Fatal(err)
	}
	want := Figures{N: 2, Recall4: 1, Recall8: 1, Recall10: 1, Recall20: 1, MRR: 1, NDCG10: 1, P50MS: 1, P99MS: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	keys := `{"n":2,"recall@4":1,"recall@8":1,"recall@10":1,"recall@20":1,"mrr":1,"ndcg@10":1,"p50_ms":1,"p99_ms":1}`
	if string(text) != keys {
		t.Errorf("JSON %s, want %s", text, keys)
	}
}

func TestBenchRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": "x", "another form": `{"a":1}`, "no questions": "[]", "broken session": `[{"conversation":{"session_1":3}}]`,
		"broken date": `[{"conversation":{"session_1":[],"session_1_date_time":3}}]`, "broken turn": `[{"conversation":{"session_1":[{"text":3}]}}]`,
	} {
		if f, err := Bench(strings.NewReader(text), time.Now); err == nil {
			t.Errorf("%s: figures %+v, want an error", name, f)
		}
	}
}

func TestTally(t *testing.T) {
	var sum tally
	sum.add([]int{2, 9}, 3)
	sum.add(nil, 1)
	sum.times = []time.Duration{time.Millisecond}
	want := Figures{N: 2, Recall4: .1667, Recall8: .1667, Recall10: .3333, Recall20: .3333, MRR: .25, NDCG10: .2187, P50MS: 1, P99MS: 1}
	if diff := cmp.Diff(want, sum.figures()); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

// TestLocomo checks the figures that doc.go tells, on the conversations that the
// weights were fitted on. They are not a part of this tree.
func TestLocomo(t *testing.T) {
	path := os.Getenv("QUIPU_LOCOMO")
	if path == "" {
		t.Skip("QUIPU_LOCOMO names no file in LoCoMo's form: its licence keeps it out of this tree")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Bench(bytes.NewReader(text), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", got)
	if got.Recall8 < .80 || got.Recall10 < .82 || got.MRR < .66 {
		t.Errorf("recall@8 %.4f, recall@10 %.4f, MRR %.4f: less than .80, .82, .66", got.Recall8, got.Recall10, got.MRR)
	}
}
