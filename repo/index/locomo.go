package index

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/markdown"
)

// Figures are what a measurement of recall gives, averaged over n questions.
type Figures struct {
	N        int     `json:"n"`
	Recall4  float64 `json:"recall@4"`
	Recall8  float64 `json:"recall@8"`
	Recall10 float64 `json:"recall@10"`
	Recall20 float64 `json:"recall@20"`
	MRR      float64 `json:"mrr"`
	NDCG10   float64 `json:"ndcg@10"`
	// P50MS and P99MS are the times of one search, in milliseconds.
	P50MS float64 `json:"p50_ms"`
	P99MS float64 `json:"p99_ms"`
}

// talk is one conversation of a file in LoCoMo's form, with its questions.
type talk struct {
	files     []File
	questions []question
	turns     map[string]place // by the id of the data
}

// place is where a turn stands.
type place struct {
	path string
	line int
}

type question struct {
	Text     any      `json:"question"`
	Evidence []string `json:"evidence"`
	Category int      `json:"category"`
}

// turn is one thing said, as LoCoMo has it.
type turn struct {
	Speaker string `json:"speaker"`
	ID      string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

// Bench measures search on conversations in LoCoMo's form, read from r: each is
// an index of its own, each session a file, each turn a note by its speaker, with
// the caption of an image behind the text. The questions of categories 1 to 4
// count whose evidence is there; recall@k is the share of a question's evidence
// among the first k hits. now is the clock that searches are timed with. It fails
// on what is not in that form, and on a file without a question.
func Bench(r io.Reader, now func() time.Time) (Figures, error) {
	var raw []struct {
		Questions    []question                 `json:"qa"`
		Conversation map[string]json.RawMessage `json:"conversation"`
	}
	if err := json.NewDecoder(r).Decode(&raw); err != nil {
		return Figures{}, fmt.Errorf("read conversations: %w", err)
	}
	var sum tally
	for i := range raw {
		t := talk{questions: raw[i].Questions, turns: map[string]place{}}
		if err := t.read(raw[i].Conversation); err != nil {
			return Figures{}, fmt.Errorf("conversation %d: %w", i+1, err)
		}
		sum.talk(&t, now)
	}
	if sum.f.N == 0 {
		return Figures{}, fmt.Errorf("no question of categories 1 to 4 with evidence in %d conversations", len(raw))
	}
	return sum.figures(), nil
}

// read takes in the sessions, in their order.
func (t *talk) read(conversation map[string]json.RawMessage) error {
	for n := 1; ; n++ {
		key := "session_" + strconv.Itoa(n)
		raw, ok := conversation[key]
		if !ok {
			if n > len(conversation) {
				return nil
			}
			continue // a session may be missing between others
		}
		var turns []turn
		if err := json.Unmarshal(raw, &turns); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		var when string
		if stamp, ok := conversation[key+"_date_time"]; ok {
			if err := json.Unmarshal(stamp, &when); err != nil {
				return fmt.Errorf("%s_date_time: %w", key, err)
			}
		}
		t.session(key, sessionDate(when), turns)
	}
}

func (t *talk) session(key string, date markdown.Date, turns []turn) {
	f := File{Path: key}
	for i, said := range turns {
		text := said.Text
		if said.Caption != "" {
			text += "\n" + said.Caption
		}
		f.Notes = append(f.Notes, Note{Line: i + 1, Text: text, Date: date, Author: said.Speaker})
		t.turns[said.ID] = place{key, i + 1}
	}
	t.files = append(t.files, f)
}

// sessionDate reads "1:56 pm on 8 May, 2023"; the zero Date for another form.
func sessionDate(when string) markdown.Date {
	_, date, _ := strings.Cut(when, " on ")
	at, err := time.Parse("2 January 2006", strings.TrimSpace(strings.ReplaceAll(date, ",", "")))
	if err != nil {
		return markdown.Date{}
	}
	return markdown.DateOf(at)
}

// relevant returns where a question's evidence stands. Evidence is written with
// some variety: "D1:3", "D1:03", "D1:3; D2:4".
func (t *talk) relevant(q *question) map[place]bool {
	found := map[place]bool{}
	for _, text := range q.Evidence {
		for _, id := range strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("D:0123456789", r) }) {
			session, line, ok := strings.Cut(strings.TrimPrefix(id, "D"), ":")
			s, errS := strconv.Atoi(session)
			l, errL := strconv.Atoi(line)
			if !ok || errS != nil || errL != nil {
				continue
			}
			if p, ok := t.turns[fmt.Sprintf("D%d:%d", s, l)]; ok {
				found[p] = true
			}
		}
	}
	return found
}

// tally sums figures up.
type tally struct {
	f     Figures
	times []time.Duration
}

const benchDepth = 20

func (sum *tally) talk(t *talk, now func() time.Time) {
	x := New()
	for _, f := range t.files {
		x.Replace(f)
	}
	for i := range t.questions {
		q := &t.questions[i]
		wanted := t.relevant(q)
		if q.Category < 1 || q.Category > 4 || len(wanted) == 0 {
			continue
		}
		start := now()
		hits := x.Search(Query{Text: fmt.Sprint(q.Text), Limit: benchDepth})
		sum.times = append(sum.times, now().Sub(start))
		ranks := []int{}
		for rank, h := range hits {
			if wanted[place{h.Path, h.Line}] {
				ranks = append(ranks, rank+1)
			}
		}
		sum.add(ranks, len(wanted))
	}
}

// add counts a question of which the evidence was found at these ranks.
func (sum *tally) add(ranks []int, wanted int) {
	f := &sum.f
	f.N++
	for _, cut := range []struct {
		at  int
		sum *float64
	}{{4, &f.Recall4}, {8, &f.Recall8}, {10, &f.Recall10}, {20, &f.Recall20}} {
		found := 0
		for _, rank := range ranks {
			if rank <= cut.at {
				found++
			}
		}
		*cut.sum += float64(found) / float64(wanted)
	}
	if len(ranks) > 0 {
		f.MRR += 1 / float64(ranks[0])
	}
	gain, most := 0.0, 0.0
	for i := range min(wanted, 10) {
		most += 1 / math.Log2(float64(i+2))
	}
	for _, rank := range ranks {
		if rank <= 10 {
			gain += 1 / math.Log2(float64(rank+1))
		}
	}
	f.NDCG10 += gain / most
}

// figures returns the averages.
func (sum *tally) figures() Figures {
	f := sum.f
	for _, value := range []*float64{&f.Recall4, &f.Recall8, &f.Recall10, &f.Recall20, &f.MRR, &f.NDCG10} {
		*value = math.Round(*value/float64(f.N)*1e4) / 1e4
	}
	slices.Sort(sum.times)
	f.P50MS, f.P99MS = quantile(sum.times, .5), quantile(sum.times, .99)
	return f
}

// quantile returns the value below which the share of sorted times lies, in ms.
func quantile(sorted []time.Duration, share float64) float64 {
	at := min(len(sorted)-1, int(share*float64(len(sorted))))
	return math.Round(sorted[at].Seconds()*1e6) / 1e3
}
