package mcp

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestPictureTools(t *testing.T) {
	d := newDesk(t)
	var b bytes.Buffer
	must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 5, 4))))
	data := base64.StdEncoding.EncodeToString(b.Bytes())
	d.says("memory_image_remember", map[string]any{"data": data, "about": "Ana", "note": "at the harbour", "kind": "person"}, "kept a picture of Ana")
	d.says("memory_image_remember", map[string]any{"source": "data:;base64," + data, "about": "Bo"}, "kept already", "Ana: at the harbour")
	d.refuses("memory_image_remember", map[string]any{"source": "photo.png", "about": "Ana"}, "a file name means nothing here")
	d.refuses("memory_image_remember", map[string]any{"source": "http://127.0.0.1/", "about": "Ana"}, "public web")
	d.refuses("memory_image_remember", map[string]any{"data": data, "about": "Ana", "layer": "room"}, "send turn")
	d.refuses("memory_image_recall", map[string]any{"query": " "}, "say whose picture")
	look := func() (string, int) {
		r, err := d.client.CallTool(t.Context(), &mcp.CallToolParams{Name: "memory_image_recall", Arguments: map[string]any{"query": "ana"}})
		must(t, err)
		text, pictures := "", 0
		for _, c := range r.Content {
			switch c := c.(type) {
			case *mcp.TextContent:
				text += c.Text
			case *mcp.ImageContent:
				if pictures++; !bytes.Equal(c.Data, b.Bytes()) || c.MIMEType != "image/png" {
					t.Error("the picture is another")
				}
			}
		}
		return text, pictures
	}
	if text, n := look(); n != 1 || !strings.Contains(text, "1 picture is attached") || !strings.HasPrefix(text, frame) {
		t.Errorf("%d pictures, %q", n, text)
	}
	files, err := filepath.Glob(filepath.Join(d.scout.Dir(), "memory", "images", "*"))
	must(t, err)
	for _, f := range files {
		must(t, os.Remove(f))
	}
	if text, n := look(); n != 0 || !strings.Contains(text, "No picture is attached") || !strings.Contains(text, "its file is gone") {
		t.Errorf("%d pictures, %q", n, text)
	}
}
