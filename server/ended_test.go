package server

import (
	"context"
	"net/http"
	"testing"
)

// A request that its client gave up is no fault of the server's.
func TestEndedRequestIsNoFault(t *testing.T) {
	h := newHarness(t)
	ctx, end := context.WithCancel(t.Context())
	end()
	got := h.do(http.MethodGet, scout+"/memory/journal", nil, func(req *http.Request) { *req = *req.WithContext(ctx) })
	if got.status >= http.StatusInternalServerError {
		t.Errorf("status %d: %s", got.status, got.raw)
	}
}
