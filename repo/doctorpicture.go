package repo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quipu/policy"
)

// picture looks at one picture.
func (d *doctor) picture(p string) {
	b, _, err := d.w.git.ReadWork(p)
	if err != nil {
		return
	}
	pic, err := policy.ReadPicture(b)
	switch {
	case err != nil:
		d.add("warning", p, "it is kept, but never shown: "+err.Error(), "")
	case !bytes.Equal(pic.Bytes, b) && len(pic.Dropped) > 0:
		d.add("note", p, "it was put there by hand and still holds "+strings.Join(pic.Dropped, ", "), "`quipu image remember` keeps one without it; then delete this file")
	}
}

// pictures tells of pictures that no note links, and of links that lead to none.
func (d *doctor) pictures() {
	loose, err := d.w.LoosePictures()
	if err != nil {
		return
	}
	if n := len(loose); n > 0 {
		d.add("note", "memory/images", fmt.Sprintf("no note links %s: %s", countOf(n, "picture"), strings.Join(loose[:min(3, n)], ", ")), "")
	}
	files, _, err := d.w.git.ListWork()
	if err != nil {
		return
	}
	for _, f := range files {
		if _, err := policy.CheckPath(f.Path); err != nil {
			continue
		}
		text, err := d.w.readWork(f.Path)
		if err != nil {
			continue
		}
		for _, s := range policy.ShownIn(f.Path, text) {
			if _, err := os.Lstat(filepath.Join(d.w.dir, filepath.FromSlash(s.Picture))); os.IsNotExist(err) {
				d.add("warning", fmt.Sprintf("%s:%d", s.Path, s.Line), "the picture that it links is gone: "+s.Picture, "quipu drop "+shellQuote(fmt.Sprintf("%s:%d", s.Path, s.Line)))
			}
		}
	}
}
