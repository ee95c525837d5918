package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// quick sends one request from any goroutine and gives the status.
func (h *harness) quick(method, target, body string) int {
	r := httptest.NewRequestWithContext(h.t.Context(), method, target, strings.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	as(h.tokens["owner"])(r)
	w := httptest.NewRecorder()
	h.server.Handler().ServeHTTP(w, r)
	return w.Code
}

// TestManyClients: what was answered 200 is in the file and in the journal.
func TestManyClients(t *testing.T) {
	h := newHarness(t)
	const clients, each = 6, 4
	var mu sync.Mutex
	var said []string
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for n := range each {
				fact := fmt.Sprintf("fact %d of client %d", n, c)
				switch status := h.quick(http.MethodPost, scout+"/memory/update", `{"action":"append","text":"`+fact+`"}`); status {
				case http.StatusOK:
					mu.Lock()
					said = append(said, fact)
					mu.Unlock()
				case http.StatusLocked:
				default:
					t.Errorf("update: got %d", status)
				}
				h.quick(http.MethodGet, scout+"/memory/journal", "")
			}
		})
	}
	wg.Wait()
	text := h.onDisk("MEMORY.md")
	for _, fact := range said {
		if !strings.Contains(text, fact+"\n") {
			t.Errorf("%q was answered 200, but is not in MEMORY.md", fact)
		}
	}
	if rows := h.rows("?author=bot&limit=200"); len(rows) != len(said) || len(said) == 0 {
		t.Errorf("%d rows for %d changes", len(rows), len(said))
	}
}

// TestOneOfTwoSaversWins: both based their text on the same one.
func TestOneOfTwoSaversWins(t *testing.T) {
	h := newHarness(t)
	h.put("memory/x.md", "start\n", "").expect(t, 200, "")
	statuses := make([]int, 8)
	var wg sync.WaitGroup
	for i := range statuses {
		wg.Go(func() {
			statuses[i] = h.quick(http.MethodPut, scout+"/memory/file", fmt.Sprintf(`{"path":"memory/x.md","text":"saver %d\n","expectedHash":%q}`, i, hash("start\n")))
		})
	}
	wg.Wait()
	won := 0
	for i, status := range statuses {
		switch {
		case status == http.StatusOK:
			won++
			if text := h.onDisk("memory/x.md"); text != fmt.Sprintf("saver %d\n", i) {
				t.Errorf("saver %d was told 200, but the file says %q", i, text)
			}
		case status != http.StatusConflict && status != http.StatusLocked:
			t.Errorf("saver %d got %d", i, status)
		}
	}
	if won != 1 {
		t.Errorf("%d savers won: %v", won, statuses)
	}
}

func BenchmarkRequest(b *testing.B) {
	for _, topics := range []int{10, 100} {
		h := newHarness(b)
		for i := range topics {
			if got := h.quick(http.MethodPut, scout+"/memory/file", fmt.Sprintf(`{"path":"memory/topic%d.md","text":"- fact\n"}`, i)); got != 200 {
				b.Fatalf("topic %d: %d", i, got)
			}
		}
		for _, target := range []string{"/memory", "/memory/file", "/memory/journal"} {
			b.Run(fmt.Sprintf("%d-topics GET %s", topics, target), func(b *testing.B) {
				for b.Loop() {
					h.quick(http.MethodGet, scout+target, "")
				}
			})
		}
		b.Run(fmt.Sprintf("%d-topics POST /memory/update", topics), func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				h.quick(http.MethodPost, scout+"/memory/update", fmt.Sprintf(`{"action":"append","text":"fact %d","topic":"topic0"}`, n))
			}
		})
	}
}
