package server

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOpen(t *testing.T) {
	h := newHarness(t)
	from := func(addr string) change { return func(r *http.Request) { r.RemoteAddr = addr } }
	tests := []struct {
		name    string
		body    any
		changes []change
		status  int
	}{
		{"folder", map[string]any{"target": "folder"}, nil, 200},
		{"obsidian", map[string]any{"target": "obsidian"}, nil, 200},
		{"IPv6", map[string]any{"target": "folder"}, []change{from("[::1]:4000")}, 200},
		{"mapped IPv4", map[string]any{"target": "folder"}, []change{from("[::ffff:127.0.0.1]:4000")}, 200},
		{"another machine", map[string]any{"target": "folder"}, []change{from("192.168.1.9:4000")}, 403},
		{"no address", map[string]any{"target": "folder"}, []change{from("@")}, 403},
		{"forwarded", map[string]any{"target": "folder"}, []change{with("X-Forwarded-For", "127.0.0.1")}, 403},
		{"forwarded, newer header", map[string]any{"target": "folder"}, []change{with("Forwarded", "for=127.0.0.1")}, 403},
		{"forwarded host", map[string]any{"target": "folder"}, []change{with("X-Forwarded-Host", "localhost")}, 403},
		{"forwarded port alone", map[string]any{"target": "folder"}, []change{with("X-Forwarded-Port", "443")}, 403},
		{"through a proxy", map[string]any{"target": "folder"}, []change{with("Via", "1.1 proxy")}, 403},
		{"for somebody else", map[string]any{"target": "folder"}, []change{with("X-Real-IP", "192.168.1.9")}, 403},
		{"terminal", map[string]any{"target": "terminal"}, nil, 400},
		{"a path", map[string]any{"target": "folder", "path": "/etc"}, nil, 400},
		{"nothing", map[string]any{}, nil, 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h.opened = nil
			got := h.do(http.MethodPost, scout+"/memory/open", tt.body, tt.changes...).expect(t, tt.status, "")
			if opened := len(h.opened) > 0; opened != (tt.status == 200) {
				t.Errorf("opened %v", h.opened)
			}
			if where := got.body["workspacePath"]; tt.status != 400 && where != h.file("") {
				t.Errorf("workspacePath is %v, want %s", where, h.file(""))
			}
		})
	}
	h.server.open = func(ctx context.Context, _, _ string) error {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("the desktop may take for ever")
		}
		return errors.New("exec: xdg-open: not found in /secret/path")
	}
	got := h.do(http.MethodPost, scout+"/memory/open", map[string]any{"target": "folder"}).expect(t, 500, "open")
	want := map[string]any{"error": "the desktop did not open the folder", "code": "open", "workspacePath": h.file("")}
	if diff := cmp.Diff(want, got.body); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}
