package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWhoMay asks for every route with every kind of token, for the bot of the token
// and for another: a new route is in it by itself.
func TestWhoMay(t *testing.T) {
	h := newHarness(t)
	const refused, unknown = http.StatusForbidden, http.StatusUnauthorized
	want := map[who]map[string]int{ // 0: let in
		owner:  {"owner": 0, "scout": refused, "other": refused, "member": refused, "none": unknown, "wrong": unknown},
		bot:    {"owner": 0, "scout": 0, "other": refused, "member": refused, "none": unknown, "wrong": unknown},
		client: {"owner": 0, "scout": 0, "other": 0, "member": refused, "none": unknown, "wrong": unknown},
		member: {"owner": 0, "scout": 0, "other": 0, "member": 0, "none": unknown, "wrong": unknown},
		self:   {"owner": refused, "scout": refused, "other": refused, "member": 0, "none": unknown, "wrong": unknown},
		anyone: {"owner": 0, "scout": 0, "other": 0, "member": 0, "none": 0, "wrong": 0},
	}
	for _, rt := range routes() {
		path := strings.NewReplacer("{id}", "scout", "{entryId}", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "{learnedId}", "0123456789ab", "{turn}", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "{conversation}", "c1").Replace(rt.path)
		got := map[string]int{}
		var body any
		if rt.method == http.MethodDelete && rt.path == oneBot {
			body = map[string]any{"made": "up"} // who may is let in and told so: the bot is needed for the others
		}
		for caller := range want[rt.who] {
			token := map[string]string{"none": "", "wrong": "0123456789012345678901234567890123456789012"}[caller]
			if own, ok := h.tokens[caller]; ok {
				token = own
			}
			if status := h.do(rt.method, path, body, as(token)).status; status == refused || status == unknown {
				got[caller] = status
			} else {
				got[caller] = 0
			}
		}
		if diff := cmp.Diff(want[rt.who], got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", rt.method, rt.path, diff)
		}
	}
}

// TestBotsLearnNothingOfOthers: the answer does not tell whether the other one exists.
func TestBotsLearnNothingOfOthers(t *testing.T) {
	h := newHarness(t)
	change := h.do(http.MethodPost, scout+"/memory/update", map[string]any{"action": "append", "text": "scout's own"}).expect(t, 200, "").str("change")
	there := h.do(http.MethodGet, scout+"/memory", nil, as(h.tokens["other"])).expect(t, http.StatusForbidden, "forbidden")
	gone := h.do(http.MethodGet, "/api/bots/nobody/memory", nil, as(h.tokens["other"])).expect(t, http.StatusForbidden, "forbidden")
	if diff := cmp.Diff(there.raw, gone.raw); diff != "" {
		t.Errorf("a bot that is there and one that is not differ:\n%s", diff)
	}
	// An id of scout's opens nothing by another bot's routes, not even for the owner.
	for _, target := range []string{"/journal/" + change + "/revert"} {
		h.do(http.MethodPost, "/api/bots/other/memory"+target, nil).expect(t, http.StatusNotFound, "not_found")
	}
	for _, target := range []string{"/diff?change=" + change, "/at?change=" + change, "/journal?before=" + change} {
		h.do(http.MethodGet, "/api/bots/other/memory"+target, nil).expect(t, http.StatusNotFound, "not_found")
	}
	rows := h.do(http.MethodGet, "/api/bots/other/memory/journal?all=true", nil, as(h.tokens["other"])).expect(t, 200, "")
	if strings.Contains(rows.raw, "scout") {
		t.Errorf("the journal of other tells of scout:\n%s", rows.raw)
	}
}

func TestTokenIsReadFromOneHeaderOnly(t *testing.T) {
	h := newHarness(t)
	token := h.tokens["owner"]
	tests := map[string]struct {
		change change
		want   int
	}{
		"lower case scheme": {with("Authorization", "bearer "+token), 200},
		"basic":             {with("Authorization", "Basic "+token), 401},
		"bare":              {with("Authorization", token), 401},
		"empty":             {with("Authorization", "Bearer "), 401},
		"twice":             {func(r *http.Request) { r.Header["Authorization"] = []string{"Bearer " + token, "Bearer " + token} }, 401},
		"in the address":    {func(r *http.Request) { as("")(r); r.URL.RawQuery = "token=" + token }, 401},
		"in a cookie":       {func(r *http.Request) { as("")(r); r.Header.Set("Cookie", "token="+token) }, 401},
		"cut":               {with("Authorization", "Bearer "+token[:42]), 401},
		"longer":            {with("Authorization", "Bearer "+token+"A"), 401},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := h.do(http.MethodGet, scout+"/memory", nil, tt.change).expect(t, tt.want, "")
			if tt.want == 401 && got.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("401 without WWW-Authenticate: %v", got.header)
			}
		})
	}
}

func TestRotatedAndRevokedTokensEnd(t *testing.T) {
	h := newHarness(t)
	list, err := h.store.ListTokens()
	must(t, err)
	for _, tok := range list {
		must(t, h.store.RevokeToken(tok.ID))
	}
	h.do(http.MethodGet, scout+"/memory", nil, as(h.tokens["scout"])).expect(t, http.StatusUnauthorized, "unauthorized")
	fresh, err := h.store.RotateToken()
	must(t, err)
	h.do(http.MethodGet, scout+"/memory", nil).expect(t, http.StatusUnauthorized, "unauthorized")
	h.do(http.MethodGet, scout+"/memory", nil, as(fresh)).expect(t, http.StatusOK, "")
}

func TestGuessingIsSlowedDown(t *testing.T) {
	var l limiter
	now := testTime
	free := func(from string) bool { _, ok := l.take(from, now); return ok }
	for i := range burst {
		if !free("a") {
			t.Fatalf("guess %d was held up", i)
		}
	}
	if wait, ok := l.take("a", now); ok || wait != time.Second {
		t.Errorf("guess %d: free %v, wait %v; want a second's wait", burst, ok, wait)
	}
	if !free("b") {
		t.Error("one address holds up another")
	}
	now = now.Add(time.Second)
	if !free("a") || free("a") {
		t.Error("a second gives exactly one guess")
	}
	now = now.Add(-time.Hour)
	if free("a") {
		t.Error("a clock that goes back gives guesses")
	}
	for i := range 3 * maxGuesses {
		free(fmt.Sprint("many", i))
	}
	if len(l.seen) > maxGuesses {
		t.Errorf("%d addresses are remembered", len(l.seen))
	}
}

func TestRightTokenNeverWaits(t *testing.T) {
	h := newHarness(t)
	h.server.now = func() time.Time { return testTime }
	status := 0
	for range burst + 1 {
		got := h.do(http.MethodGet, scout+"/memory", nil, as("wrong"))
		if status = got.status; status == http.StatusTooManyRequests && got.header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After is %q, want 1", got.header.Get("Retry-After"))
		}
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("guess %d: got %d, want 429", burst+1, status)
	}
	h.do(http.MethodGet, scout+"/memory", nil).expect(t, http.StatusOK, "")
	h.do(http.MethodGet, scout+"/memory", nil, as("")).expect(t, http.StatusUnauthorized, "")
}
