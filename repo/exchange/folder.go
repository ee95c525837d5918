package exchange

import (
	"path"
	"strings"

	"quipu/markdown"
)

// readVault reads a folder of notes: each comes in as it stands, its links and its
// header too.
func readVault(s Source, b *Batch) error {
	f, err := readFolder(s.Dir, isMarkdown, notMarkdown)
	if err != nil {
		return err
	}
	for _, file := range f.files {
		b.page(file.path, file.path, file.text)
	}
	b.Left = append(b.Left, f.left...)
	return nil
}

// readObsidian reads a vault; a daily note, named by its day, becomes a day log.
func readObsidian(s Source, b *Batch) error {
	if err := readVault(s, b); err != nil {
		return err
	}
	for i := range b.Notes {
		if day, slug, ok := dayName(b.Notes[i].Path); ok && slug == "" {
			b.Notes[i].Path = "memory/log/" + day + ".md"
		}
	}
	return nil
}

// dayName takes a file's name YYYY-MM-DD.md or YYYY-MM-DD-slug.md apart.
func dayName(p string) (day, slug string, ok bool) {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if len(stem) < 10 {
		return "", "", false
	}
	if _, ok = markdown.ParseDate(stem[:10]); !ok || len(stem) > 10 && stem[10] != '-' {
		return "", "", false
	}
	return stem[:10], strings.TrimPrefix(stem[10:], "-"), true
}
