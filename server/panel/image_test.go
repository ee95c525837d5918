package panel_test

import (
	"bytes"
	"html"
	"image"
	"image/png"
	"net/http"
	"path"
	"strings"
	"testing"

	"quipu/policy"
	"quipu/repo"
)

// A picture stands below the entry that keeps it, and is sent as a picture and nothing else.
func TestAnEntryShowsItsPicture(t *testing.T) {
	b := signedIn(t)
	var drawn bytes.Buffer
	must(t, png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 5, 4))))
	me := repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaCLI}
	got, err := b.scout.RememberPicture(t.Context(), me, drawn.Bytes(), policy.Caption{About: `Ana "&'`, Kind: "person"}, "")
	must(t, err)
	src := "/bots/scout/image/" + path.Base(got.Path)
	a := b.get("/bots/scout").is(http.StatusOK)
	if !strings.Contains(a.body, `<img class="kept" src="`+src+`" alt="`+html.EscapeString(`Ana "&'`)+`"`) {
		t.Errorf("no picture of %s in %s", src, a.body)
	}
	if sent := b.get(src).is(http.StatusOK); sent.body != drawn.String() {
		t.Error("the picture is another")
	}
	for _, bad := range []string{"x.png", "..%2f..%2fMEMORY.md", "a.svg"} {
		b.get("/bots/scout/image/" + bad).is(http.StatusNotFound)
	}
}
