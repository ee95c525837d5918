package server

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// A monitor reads how the workspaces stand to their remotes, without a name or a text.
func TestMetrics(t *testing.T) {
	apart(t)
	h := newHarness(t)
	read := func() string { return h.do(http.MethodGet, "/metrics", nil).expect(t, 200, "").raw }
	if got := read(); !strings.Contains(got, "\nquipu_sync_workspaces 0\n") || strings.Contains(got, "quipu_sync_oldest") {
		t.Errorf("without a remote: %s", got)
	}
	bare := bareRemote(t)
	h.setRemote(scout, bare)
	h.sync(scout, nil)
	h.note("Likes tea")
	if got := read(); !strings.Contains(got, "\nquipu_sync_workspaces 1\n") || !strings.Contains(got, "\nquipu_sync_failing 0\n") || !strings.Contains(got, "\nquipu_sync_oldest_success_seconds ") {
		t.Errorf("after a sync: %s", got)
	}
	if err := os.RemoveAll(bare); err != nil {
		t.Fatal(err)
	}
	h.do(http.MethodPost, scout+"/sync", nil).expect(t, 502, "remote")
	got := read()
	if !strings.Contains(got, "\nquipu_sync_failing 1\n") || !strings.Contains(got, "\nquipu_sync_ahead 1\n") {
		t.Errorf("after a fault: %s", got)
	}
	if strings.Contains(got, "scout") || strings.Contains(got, bare) {
		t.Errorf("it names something: %s", got)
	}
	h.do(http.MethodGet, "/metrics", nil, as(h.tokens["other"])).expect(t, 403, "forbidden")
	h.do(http.MethodGet, "/metrics", nil, as("")).expect(t, 401, "unauthorized")
}
