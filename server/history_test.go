package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiffBlameAt(t *testing.T) {
	h := newHarness(t)
	first := h.update(map[string]any{"action": "append", "text": "Likes tea"}).expect(t, 200, "").str("change")
	second := h.update(map[string]any{"action": "replace", "oldText": "tea", "text": "green tea"}).expect(t, 200, "").str("change")
	h.put("memory/x.md", "- x\n", "").expect(t, 200, "")

	one := h.do(http.MethodGet, scout+"/memory/diff?change="+second, nil).expect(t, 200, "")
	if !strings.Contains(one.str("diff"), "+- 2026-11-30 · from api · Likes green tea · updated 2026-11-30") || len(one.list("entries")) != 1 || !strings.Contains(one.str("message"), "Memory-Change: "+second) {
		t.Errorf("diff of a change: %s", one.raw)
	}
	if none := h.do(http.MethodGet, scout+"/memory/diff?change="+second+"&path=memory/x.md", nil).expect(t, 200, ""); none.str("diff") != "" {
		t.Errorf("a change shows a file that it did not touch: %s", none.raw)
	}
	between := h.do(http.MethodGet, scout+"/memory/diff?from="+first+"&to="+second, nil).expect(t, 200, "")
	if !strings.Contains(between.str("diff"), "green") || strings.Contains(between.str("diff"), "memory/x.md") {
		t.Errorf("diff of two states: %s", between.raw)
	}
	if since := h.do(http.MethodGet, scout+"/memory/diff?at="+second, nil).expect(t, 200, ""); !strings.Contains(since.str("diff"), "+- x") {
		t.Errorf("diff since a change: %s", since.raw)
	}
	if now := h.do(http.MethodGet, scout+"/memory/diff", nil).expect(t, 200, ""); now.str("diff") != "" {
		t.Errorf("nothing was edited outside, but: %s", now.raw)
	}
	h.edit("memory/x.md", "- x\n- by hand\n")
	if now := h.do(http.MethodGet, scout+"/memory/diff?path=memory/x.md", nil).expect(t, 200, ""); !strings.Contains(now.str("diff"), "+- by hand") {
		t.Errorf("an edit outside is not shown: %s", now.raw)
	}

	then := h.do(http.MethodGet, scout+"/memory/at?change="+first, nil).expect(t, 200, "")
	if !strings.Contains(then.str("text"), "Likes tea\n") || then.str("hash") != hash(then.str("text")) || then.str("at") != first {
		t.Errorf("MEMORY.md after its first change: %s", then.raw)
	}
	if was := h.do(http.MethodGet, scout+"/memory/at?path=memory/x.md&change="+first, nil).expect(t, 200, ""); was.body["exists"] != false {
		t.Errorf("memory/x.md before it was: %s", was.raw)
	}
	h.do(http.MethodGet, scout+"/memory/at?at=2026-11-30", nil).expect(t, 200, "")

	lines := h.do(http.MethodGet, scout+"/memory/blame", nil).expect(t, 200, "").list("lines")
	last := lines[len(lines)-1]
	got := map[string]any{"actor": last["actor"], "who": last["who"], "change": last["change"], "first": last["first"]}
	if diff := cmp.Diff(map[string]any{"actor": "bot", "who": "scout", "change": second, "first": first}, got); diff != "" {
		t.Errorf("blame (-want +got):\n%s", diff)
	}
}

func TestStats(t *testing.T) {
	h := newHarness(t)
	h.update(map[string]any{"action": "append", "text": "Likes tea"}).expect(t, 200, "")
	h.put("memory/x.md", "- x\n- y\n", "").expect(t, 200, "")
	got := h.do(http.MethodGet, scout+"/memory/stats", nil, as(h.tokens["scout"])).expect(t, 200, "")
	days, sizes, facts := got.list("days"), got.list("sizes"), got.list("facts")
	if len(days) != 1 || days[0]["day"] != "2026-11-30" || days[0]["changes"] != got.body["changes"] || got.body["until"] != "2026-11-30" || got.body["since"] != "2025-12-01" {
		t.Errorf("days: %s", got.raw)
	}
	if len(sizes) != 1 || sizes[0]["lines"] == 0.0 || got.body["maxLines"] != 200.0 {
		t.Errorf("sizes: %s", got.raw)
	}
	want := []map[string]any{{"from": "panel", "entries": 2.0}, {"from": "api", "entries": 1.0}}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestHistoryRefuses(t *testing.T) {
	h := newHarness(t)
	for target, want := range map[string]struct {
		status int
		code   string
	}{
		"/diff?change=nope":          {404, "not_found"},
		"/diff?from=nope":            {404, "not_found"},
		"/diff?from=HEAD&to=nope":    {404, "not_found"},
		"/diff?change=x&from=y":      {400, "invalid"},
		"/at":                        {400, "invalid"},
		"/at?at=1h&change=x":         {400, "invalid"},
		"/at?at=soon":                {404, "not_found"},
		"/at?change=nope":            {404, "not_found"},
		"/at?at=2001-01-01":          {404, "not_found"},
		"/blame?path=memory/none.md": {404, "not_found"},
		"/diff?change=--upload-pack": {404, "not_found"},
		"/at?change=refs/heads/main": {404, "not_found"},
		"/at?change=HEAD~1":          {404, "not_found"},
		"/diff?from=" + "%ff":        {400, "invalid"},
	} {
		got := h.do(http.MethodGet, scout+"/memory"+target, nil)
		if got.status != want.status || got.code() != want.code {
			t.Errorf("%s: got %d %q, want %d %q\n%s", target, got.status, got.code(), want.status, want.code, got.raw)
		}
	}
}
