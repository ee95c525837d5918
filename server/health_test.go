package server

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHealth(t *testing.T) {
	h := newHarness(t)
	got := h.do(http.MethodGet, "/healthz", nil, as("")).expect(t, 200, "")
	if diff := cmp.Diff(map[string]any{"ok": true}, got.body); diff != "" {
		t.Errorf("/healthz (-want +got):\n%s", diff)
	}
	h.do(http.MethodGet, "/readyz", nil, as("")).expect(t, 401, "unauthorized")
	h.do(http.MethodGet, "/readyz", nil, as(h.tokens["other"])).expect(t, 200, "")

	folder := filepath.Join(h.store.Home(), "workspaces")
	must(t, os.Rename(folder, folder+"-away"))
	must(t, os.WriteFile(folder, nil, 0o600))
	bad := h.do(http.MethodGet, "/readyz", nil).expect(t, 503, "not_ready")
	if strings.Contains(bad.raw, h.store.Home()) {
		t.Errorf("the answer tells a path of the server: %s", bad.raw)
	}
	h.do(http.MethodGet, "/healthz", nil).expect(t, 200, "")
}
