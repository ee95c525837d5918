package server

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func paintedPNG(t *testing.T, shade uint8) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 5, 4))
	m.SetGray(1, 1, color.Gray{Y: shade})
	var b bytes.Buffer
	must(t, png.Encode(&b, m))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

const imagesRoute = "/api/bots/scout/memory/images"

func TestPicturesOverHTTP(t *testing.T) {
	h := newHarness(t)
	asBot := as(h.tokens["scout"])
	data := paintedPNG(t, 9)
	got := h.do("POST", imagesRoute, map[string]any{"data": data, "about": "Ana", "note": "at the harbour", "kind": "person", "topic": "people"}, asBot)
	if got.status != http.StatusOK || got.body["change"] == nil || got.body["known"] != nil || !strings.HasPrefix(got.str("picture"), "memory/images/ana-") {
		t.Fatalf("%d %s", got.status, got.raw)
	}
	name := filepath.Base(got.str("picture"))
	again := h.do("POST", imagesRoute, map[string]any{"source": "data:image/svg+xml;base64," + data, "about": "Bo"}, asBot)
	if again.status != http.StatusOK || again.body["known"] != true || again.body["change"] != nil || !strings.Contains(again.str("entry"), "Ana: at the harbour") {
		t.Errorf("the same again: %d %s", again.status, again.raw)
	}
	bytes := h.do("GET", imagesRoute+"/"+name, nil, asBot)
	want, _ := base64.StdEncoding.DecodeString(data)
	if bytes.status != http.StatusOK || bytes.raw != string(want) {
		t.Errorf("%d, %d bytes", bytes.status, len(bytes.raw))
	}
	for header, want := range map[string]string{
		"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox", "Content-Disposition": "inline; filename=" + name, "Cache-Control": "no-store",
	} {
		if !strings.Contains(bytes.header.Get(header), want) {
			t.Errorf("%s: %q", header, bytes.header.Get(header))
		}
	}
	found := h.do("GET", imagesRoute+"?q=Ana", nil, asBot)
	if list := found.list("pictures"); len(list) != 1 || list[0]["there"] != true || !strings.Contains(found.str("instruction"), "1 picture is attached") {
		t.Errorf("%s", found.raw)
	}
	if all := h.do("GET", imagesRoute, nil, asBot); len(all.list("pictures")) != 1 {
		t.Errorf("%s", all.raw)
	}
	ws, err := h.store.Open(t.Context(), "scout")
	must(t, err)
	must(t, os.Remove(filepath.Join(ws.Dir(), "memory", "images", name)))
	found = h.do("GET", imagesRoute+"?q=Ana", nil, asBot)
	if list := found.list("pictures"); len(list) != 1 || list[0]["there"] != false || !strings.Contains(found.str("instruction"), "No picture is attached") {
		t.Errorf("%s", found.raw)
	}
	if gone := h.do("GET", imagesRoute+"/"+name, nil, asBot); gone.status != http.StatusNotFound {
		t.Errorf("%d %s", gone.status, gone.raw)
	}
}

func TestPicturesThatAreRefusedOverHTTP(t *testing.T) {
	h := newHarness(t)
	asBot := as(h.tokens["scout"])
	svg := base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>`))
	for name, c := range map[string]struct {
		body   map[string]any
		status int
		fault  string
	}{
		"a file name":      {map[string]any{"source": "photo.png", "about": "Ana"}, 400, "unreadable"},
		"a path":           {map[string]any{"source": "/etc/passwd", "about": "Ana"}, 400, "unreadable"},
		"a file URL":       {map[string]any{"source": "file:///etc/passwd", "about": "Ana"}, 400, "unreadable"},
		"metadata":         {map[string]any{"source": "http://169.254.169.254/latest/", "about": "Ana"}, 400, "unreadable"},
		"this machine":     {map[string]any{"source": "http://localhost/a.png", "about": "Ana"}, 400, "unreadable"},
		"SVG":              {map[string]any{"data": svg, "about": "Ana"}, 400, "wrong_type"},
		"no base64":        {map[string]any{"data": "!", "about": "Ana"}, 400, "unreadable"},
		"a broken picture": {map[string]any{"data": paintedPNG(t, 1)[:80], "about": "Ana"}, 400, "broken"},
		"too large":        {map[string]any{"data": strings.Repeat("A", 7<<20+1<<19), "about": "Ana"}, 422, "too_large"},
		"both":             {map[string]any{"data": svg, "source": "data:,a", "about": "Ana"}, 400, ""},
		"none":             {map[string]any{"about": "Ana"}, 400, ""},
		"no name":          {map[string]any{"data": paintedPNG(t, 1), "about": " \n"}, 400, ""},
		"a kind":           {map[string]any{"data": paintedPNG(t, 1), "about": "Ana", "kind": "cat"}, 400, ""},
		"no such turn":     {map[string]any{"data": paintedPNG(t, 1), "about": "Ana", "turn": "x"}, 404, ""},
		"a layer alone":    {map[string]any{"data": paintedPNG(t, 1), "about": "Ana", "layer": "room"}, 422, ""},
	} {
		got := h.do("POST", imagesRoute, c.body, asBot)
		if got.status != c.status || got.str("fault") != c.fault {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
	}
	if got := h.do("POST", imagesRoute, map[string]any{"data": strings.Repeat("A", 9<<20), "about": "Ana"}, asBot); got.status != http.StatusRequestEntityTooLarge {
		t.Errorf("nine megabytes: %d", got.status)
	}
	for _, name := range []string{"..%2f..%2fMEMORY.md", "a.svg", ".a.png", "a%00.png", "%2e%2e%2fa.png", "a.png.md"} {
		if got := h.do("GET", imagesRoute+"/"+name, nil, asBot); got.status != http.StatusBadRequest && got.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
	}
	if got := h.do("GET", imagesRoute+"?q=Ana", nil, as(h.tokens["other"])); got.status == http.StatusOK {
		t.Error("another bot looks at its pictures")
	}
	if text := h.do("GET", "/api/bots/scout/memory", nil).str("text"); strings.Contains(text, "Ana") {
		t.Errorf("something was kept: %q", text)
	}
}
