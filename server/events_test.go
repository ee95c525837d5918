package server

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

// event is one server-sent event.
type event struct{ name, id, data string }

// listen opens a stream of scout's and gives what comes in; the channel is closed at
// its end.
func (h *harness) listen(addr, last string) <-chan event {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, "http://"+addr+scout+"/events", nil)
	must(h.t, err)
	as(h.tokens["scout"])(r)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(r) //nolint:bodyclose // the reader below closes it
	must(h.t, err)
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		h.t.Fatalf("stream: %s %s", resp.Status, resp.Header.Get("Content-Type"))
	}
	events := make(chan event, 64)
	go func() {
		defer close(events)
		defer func() { _ = resp.Body.Close() }()
		var e event
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				e.data = value
				events <- e
				e = event{}
			}
		}
	}()
	return events
}

func next(t *testing.T, events <-chan event) (e event, open bool) {
	t.Helper()
	select {
	case e, open = <-events:
		return e, open
	case <-time.After(10 * time.Second):
		t.Fatal("nothing came within ten seconds")
		return e, false
	}
}

func TestEvents(t *testing.T) {
	h := newHarness(t)
	before := h.update(map[string]any{"action": "append", "text": "before"}).expect(t, 200, "").str("change")
	addr, stop := h.serving()
	events := h.listen(addr, "")
	h.update(map[string]any{"action": "append", "text": "first"}).expect(t, 200, "")
	h.update(map[string]any{"action": "append", "text": "second", "topic": "tea"}).expect(t, 200, "")
	rows := h.do(http.MethodGet, scout+"/memory/journal", nil).list("entries")
	for _, want := range []map[string]any{rows[1], rows[0]} {
		e, _ := next(t, events)
		var got map[string]any
		must(t, json.Unmarshal([]byte(e.data), &got))
		if e.name != "change" || e.id != want["id"] {
			t.Errorf("event %q with id %q, want change %v", e.name, e.id, want["id"])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("row (-journal +event):\n%s", diff)
		}
	}
	missed := h.listen(addr, before)
	if e, _ := next(t, missed); e.id != rows[1]["id"] {
		t.Errorf("after %s came %q, want %v", before, e.id, rows[1]["id"])
	}
	started := time.Now()
	must(t, stop())
	if took := time.Since(started); took > stopTimeout/2 {
		t.Errorf("the streams held the end up for %v", took)
	}
	if _, open := next(t, events); open {
		t.Error("the stream goes on after the end")
	}
}

// TestEventsOutliveTheLimitsOfARequest keeps a stream open longer than a request may
// take to be read.
func TestEventsOutliveTheLimitsOfARequest(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.server.beat = readTimeout/3 + time.Second
	addr, _ := h.serving()
	events := h.listen(addr, "")
	for beats := range 3 {
		if e, open := next(t, events); !open || e.name != "heartbeat" || e.data != "{}" {
			t.Fatalf("beat %d: got %+v, open %v", beats, e, open)
		}
	}
}

func TestEventsEndWithTheToken(t *testing.T) {
	h := newHarness(t)
	h.server.beat = 20 * time.Millisecond
	addr, _ := h.serving()
	events := h.listen(addr, "")
	if e, _ := next(t, events); e.name != "heartbeat" {
		t.Errorf("got %+v, want a heartbeat", e)
	}
	list, err := h.store.ListTokens()
	must(t, err)
	for _, tok := range list {
		must(t, h.store.RevokeToken(tok.ID))
	}
	for open := true; open; {
		_, open = next(t, events)
	}
}

// The rows of one change stay in their order, the oldest change comes first, and
// where the last change that was told is gone only the newest comes.
// What happens after a token was taken away is not told to who held it.
func TestEventsTellNothingAfterTheToken(t *testing.T) {
	h := newHarness(t)
	addr, _ := h.serving()
	events := h.listen(addr, "")
	list, err := h.store.ListTokens()
	must(t, err)
	for _, tok := range list {
		must(t, h.store.RevokeToken(tok.ID))
	}
	h.update(map[string]any{"action": "append", "text": "said after the revocation"}, as(h.tokens["owner"])).expect(t, 200, "")
	for {
		e, open := next(t, events)
		if !open {
			return
		}
		if strings.Contains(e.data, "revocation") {
			t.Fatal("it is told")
		}
	}
}

func TestFreshRows(t *testing.T) {
	h := newHarness(t)
	ws, err := h.store.Open(t.Context(), "scout")
	must(t, err)
	for _, text := range []string{"one", "two", "three"} {
		h.update(map[string]any{"action": "append", "text": text}).expect(t, 200, "")
	}
	rows, err := ws.Journal(t.Context(), repo.Query{})
	must(t, err)
	for name, tt := range map[string]struct {
		last repo.ChangeID
		want []string
	}{
		"nothing new":   {rows[0].Change, nil},
		"two":           {rows[2].Change, []string{"update: two", "update: three"}},
		"a lost change": {"01ARZ3NDEKTSV4RRFFQ69G5FAV", []string{"update: three"}},
	} {
		t.Run(name, func(t *testing.T) {
			fresh, err := (&stream{ws: ws, last: tt.last}).fresh(t.Context())
			must(t, err)
			var got []string
			for _, r := range fresh {
				got = append(got, r.Subject)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("subjects (-want +got):\n%s", diff)
			}
		})
	}
	order := oldestFirst([]repo.Row{{ID: "C"}, {ID: "B.1", Change: "B"}, {ID: "B.2", Change: "B"}, {ID: "A", Change: "A"}})
	var ids []string
	for _, r := range order {
		ids = append(ids, r.ID)
	}
	if diff := cmp.Diff([]string{"A", "B.1", "B.2", "C"}, ids); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
