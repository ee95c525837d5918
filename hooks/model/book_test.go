package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

// priced is a server whose calls use 11 tokens in and 7 out, and a rig whose calls of
// it cost 0.49 each.
func priced(t *testing.T, usage repo.UsageConfig) (*rig, *server) {
	t.Helper()
	s := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, kinds[0].answer("fine")) })
	conf := oneModel(repo.ModelConfig{Kind: repo.KindOpenAI, BaseURL: s.URL, Model: "m", Price: &repo.PriceConfig{Out: 70_000}})
	conf.Usage = usage
	return newRig(t, conf), s
}

func ask(t *testing.T, r *rig) error {
	t.Helper()
	_, err := r.engine(t).Complete(t.Context(), "tidy", Prompt{Text: "secret question"})
	return err
}

func TestMonthlyLimit(t *testing.T) {
	tests := map[string]struct {
		usage repo.UsageConfig
		calls int // that pass
		want  string
	}{
		"cost":          {repo.UsageConfig{MonthlyCost: 0.98}, 2, "the monthly limit is reached: 0.98 of 0.98 is spent"},
		"cost between":  {repo.UsageConfig{MonthlyCost: 1.2}, 3, "the monthly limit is reached: 1.47 of 1.20 is spent"},
		"tokens":        {repo.UsageConfig{MonthlyTokens: 36}, 2, "the monthly limit is reached: 36 of 36 tokens are used"},
		"the lower one": {repo.UsageConfig{MonthlyCost: 100, MonthlyTokens: 1}, 1, "the monthly limit is reached: 18 of 1 tokens are used"},
		"none":          {repo.UsageConfig{}, 5, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r, s := priced(t, tt.usage)
			for i := range 5 {
				err := ask(t, r)
				if i < tt.calls && err != nil {
					t.Fatalf("call %d: %v", i+1, err)
				}
				if i >= tt.calls && (!errors.Is(err, ErrLimit) || err.Error() != tt.want) {
					t.Fatalf("call %d: got %v, want %s", i+1, err, tt.want)
				}
			}
			if len(s.seen()) != tt.calls {
				t.Errorf("%d calls went out, want %d", len(s.seen()), tt.calls)
			}
			if uses := r.uses(t); len(uses) != 5 || (tt.want != "" && (uses[4].Error != "limit" || uses[4].OK || uses[4].In != 0)) {
				t.Errorf("uses %+v", uses)
			}
		})
	}
}

// TestMonthBegins: a month is UTC's, and what an earlier one used does not count.
func TestMonthBegins(t *testing.T) {
	r, _ := priced(t, repo.UsageConfig{MonthlyTokens: 20})
	// 23:30 on the 31st in UTC is April in Tokyo already.
	r.now = time.Date(2026, 4, 1, 8, 30, 0, 0, time.FixedZone("Tokyo", 9*3600))
	steps := []struct {
		after time.Duration
		ok    bool
	}{{0, true}, {time.Minute, true}, {time.Minute, false}, {27 * time.Minute, false}, {2 * time.Minute, true}, {0, true}, {0, false}, {30 * 24 * time.Hour, true}, {-30 * 24 * time.Hour, false}}
	for i, s := range steps {
		r.now = r.now.Add(s.after)
		if err := ask(t, r); (err == nil) != s.ok {
			t.Errorf("step %d at %s: %v", i+1, r.now.UTC(), err)
		}
	}
}

// TestProcessesAddUp: what another process used counts, also while a line of its is
// half written and after the file was put aside.
func TestProcessesAddUp(t *testing.T) {
	a, _ := priced(t, repo.UsageConfig{MonthlyTokens: 50})
	b := newRig(t, a.conf)
	b.book.path, b.dir = a.book.path, a.dir
	for i, r := range []*rig{a, b, a} {
		if err := ask(t, r); err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
	}
	for _, r := range []*rig{a, b} {
		if err := ask(t, r); !errors.Is(err, ErrLimit) {
			t.Errorf("got %v, want ErrLimit", err)
		}
	}
	if err := os.Rename(a.book.path, a.book.path+".old"); err != nil {
		t.Fatal(err)
	}
	if err := ask(t, b); err != nil {
		t.Errorf("with a new book: %v", err)
	}
	half := `{"at":"2026-03-31T23:00:00Z","engine":"big","in":4`
	appendText(t, a.book.path, half)
	if got, err := a.book.spent(a.now); err != nil || got.tokens != 18 {
		t.Errorf("with half a line: %+v, %v", got, err)
	}
	appendText(t, a.book.path, "0}\n")
	if got, err := a.book.spent(a.now); err != nil || got.tokens != 58 {
		t.Errorf("with the other half: %+v, %v", got, err)
	}
}

func appendText(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestSpentReadsOnlyWhatIsNew: bytes that were read once are not read again, unless
// the file was written over.
func TestSpentReadsOnlyWhatIsNew(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	b := &book{path: filepath.Join(t.TempDir(), "usage.ndjson")}
	look := func(want int) {
		t.Helper()
		if got, err := b.spent(now); err != nil || got.tokens != want {
			t.Errorf("got %+v, %v, want %d tokens", got, err, want)
		}
	}
	add := func(n int) {
		t.Helper()
		if err := b.add(Use{At: now, Engine: "big", In: n}); err != nil {
			t.Fatal(err)
		}
	}
	look(0)
	add(1)
	add(2)
	look(3)
	// Spoil the first line in place: a second look at it would no longer find it.
	f, err := os.OpenFile(b.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("#"), 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	add(4)
	look(7)
	if err := os.Chtimes(b.path, time.Time{}, now); err != nil {
		t.Fatal(err)
	}
	look(6)
	if err := os.Truncate(b.path, 0); err != nil {
		t.Fatal(err)
	}
	add(5)
	look(5)
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	look(0)
}

func TestManyAtOnce(t *testing.T) {
	r, _ := priced(t, repo.UsageConfig{MonthlyTokens: 1_000_000})
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if err := ask(t, r); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got, err := r.book.spent(r.now); err != nil || got.tokens != 20*18 || len(r.uses(t)) != 20 {
		t.Errorf("got %+v, %v, %d uses", got, err, len(r.uses(t)))
	}
}

func TestBookOnDisk(t *testing.T) {
	r, _ := priced(t, repo.UsageConfig{})
	if err := ask(t, r); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{r.dir: os.ModeDir | 0o700, r.book.path: 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s is %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	text, err := os.ReadFile(r.book.path)
	if err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal(text, &line); err != nil {
		t.Fatal(err)
	}
	delete(line, "ms")
	want := map[string]any{
		"at": "2026-03-31T23:00:00Z", "bot": "scout", "job": "tidy", "engine": "big", "model": "m", "helper": false,
		"in": 11.0, "out": 7.0, "cost": 0.49, "ok": true,
	}
	if diff := cmp.Diff(want, line); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
	for _, secret := range []string{"secret", "fine"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the book has a text: %s", text)
		}
	}
}

func TestUsageLeavesOutWhatIsForeign(t *testing.T) {
	r, _ := priced(t, repo.UsageConfig{MonthlyTokens: 1000})
	if err := ask(t, r); err != nil {
		t.Fatal(err)
	}
	appendText(t, r.book.path, "hello\n\n[1]\n{\"in\":500}\n{\"at\":\"2026-03-31T23:00:00Z\",\"engine\":\"big\",\"in\":-500,\"cost\":-9}\n"+
		strings.Repeat("x", 3*maxLine)+"\n{\"at\":\"2026-0")
	if err := ask(t, r); err != nil {
		t.Fatal(err)
	}
	if uses := r.uses(t); len(uses) != 3 {
		t.Errorf("%d uses, want 3", len(uses))
	}
	if !strings.Contains(r.log.String(), "lines=5") {
		t.Errorf("the log has %s", r.log)
	}
	if got, err := r.book.spent(r.now); err != nil || got != (spent{cost: 0.98, tokens: 36}) {
		t.Errorf("spent %+v, %v", got, err)
	}
}

func TestUsageBetween(t *testing.T) {
	r, _ := priced(t, repo.UsageConfig{})
	start := r.now
	for range 4 {
		if err := ask(t, r); err != nil {
			t.Fatal(err)
		}
		r.now = r.now.Add(time.Hour)
	}
	for name, tt := range map[string]struct {
		since, until time.Time
		want         int
	}{
		"all":          {time.Time{}, time.Time{}, 4},
		"since is in":  {start.Add(time.Hour), time.Time{}, 3},
		"until is out": {start, start.Add(2 * time.Hour), 2},
		"none":         {start.Add(4 * time.Hour), time.Time{}, 0},
	} {
		got, err := r.Usage(tt.since, tt.until)
		if err != nil || len(got) != tt.want {
			t.Errorf("%s: %d uses, %v, want %d", name, len(got), err, tt.want)
		}
	}
	if got, err := newRig(t, repo.Config{}).Usage(time.Time{}, time.Time{}); err != nil || got != nil {
		t.Errorf("without a book: %v, %v", got, err)
	}
}

// TestBookThatCannotBeKept: an answer is not lost for it, but under a limit nothing
// is asked that would not count.
func TestBookThatCannotBeKept(t *testing.T) {
	for name, usage := range map[string]repo.UsageConfig{"no limit": {}, "limit": {MonthlyCost: 5}} {
		t.Run(name, func(t *testing.T) {
			r, s := priced(t, usage)
			if err := os.MkdirAll(r.book.path, 0o700); err != nil {
				t.Fatal(err)
			}
			err := ask(t, r)
			if limited := name == "limit"; errors.Is(err, ErrFailed) != limited || (len(s.seen()) == 0) != limited {
				t.Errorf("got %v after %d calls", err, len(s.seen()))
			}
			if !strings.Contains(r.log.String(), "is not counted") {
				t.Errorf("the log has %s", r.log)
			}
		})
	}
}

func TestWriteCSV(t *testing.T) {
	cost := 0.000021
	at := time.Date(2026, 4, 1, 1, 0, 0, 0, time.FixedZone("", 7200))
	var out bytes.Buffer
	err := WriteCSV(&out, []Use{
		{At: at, Bot: "scout", Job: "capture", Engine: "big", Model: `a "b", c`, In: 11, Out: 7, Ms: 1500, Cost: &cost, OK: true},
		{At: at, Bot: "zoe", Job: "tidy", Engine: "far", Model: "m", Helper: true, Error: "timeout"},
	})
	want := `at,bot,job,engine,model,triggered_by,in,out,ms,cost,ok
2026-03-31T23:00:00Z,scout,capture,big,"a ""b"", c",bot,11,7,1500,0.000021,true
2026-03-31T23:00:00Z,zoe,tidy,far,m,Helper model,0,0,0,,false
`
	if diff := cmp.Diff(want, out.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// FuzzBook: whatever the file holds, reading ends, tells of whole lines alone, and a
// use that is added is found again.
func FuzzBook(f *testing.F) {
	f.Add([]byte(`{"at":"2026-03-31T23:00:00Z","engine":"big","in":4}` + "\n"))
	f.Add([]byte("\n\n{\"at\":"))
	f.Add(bytes.Repeat([]byte("x"), 2*maxLine))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := &book{path: filepath.Join(t.TempDir(), "usage.ndjson")}
		if err := os.WriteFile(b.path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		to, _, err := b.each(0, func(Use) {})
		if want := int64(bytes.LastIndexByte(text, '\n') + 1); err != nil || to != want {
			t.Fatalf("read to %d, %v, want %d", to, err, want)
		}
		if err := b.add(Use{At: time.Unix(1, 0), Engine: "last"}); err != nil {
			t.Fatal(err)
		}
		var last Use
		if _, _, err := b.each(0, func(u Use) { last = u }); err != nil || last.Engine != "last" {
			t.Fatalf("the last use is %+v, %v", last, err)
		}
	})
}

func BenchmarkAdmit(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			now := time.Unix(1_700_000_000, 0)
			k := &book{path: filepath.Join(b.TempDir(), "usage.ndjson")}
			line, err := json.Marshal(Use{At: now, Bot: "scout", Job: "capture", Engine: "big", Model: "m", In: 1, Out: 1})
			if err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(k.path, bytes.Repeat(append(line, '\n'), n), 0o600); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := k.admit(repo.UsageConfig{MonthlyTokens: 1_000_000_000}, now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
