package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// stored is one memory of a memory store's listing.
type stored struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
	Sum     string  `json:"content_sha256"`
	Type    string  `json:"type"`
}

// readListing reads the listing of a memory store: paths with their content. Each
// becomes the note that its path names.
func readListing(s Source, b *Batch) error {
	var answer struct {
		Data     []stored `json:"data"`
		Memories []stored `json:"memories"`
	}
	if bytes.HasPrefix(bytes.TrimSpace(s.Text), []byte("[")) {
		if err := decode(s.Name, s.Text, &answer.Data); err != nil {
			return err
		}
	} else if err := decode(s.Name, s.Text, &answer); err != nil {
		return err
	}
	all := slices.Concat(answer.Data, answer.Memories)
	if answer.Data == nil && answer.Memories == nil {
		return faulty("%s holds no \"data\": it is no listing", s.Name)
	}
	for i, m := range all {
		from := fmt.Sprintf("%s#%d", s.Name, i+1)
		p := strings.TrimPrefix(m.Path, "/")
		if p != "" {
			from = m.Path
		}
		switch {
		case m.Content == nil && strings.HasSuffix(m.Path, "/"), m.Type == "memory_prefix":
			continue // a folder: what lies in it is listed by itself
		case m.Content == nil:
			return faulty("%s: %s has no content: ask for the listing with view=full", s.Name, from)
		case p == "" || strings.Contains("/"+p+"/", "/../"):
			b.leave(from, "no path that a note can have")
			continue
		case m.Sum != "" && m.Sum != sum(*m.Content):
			b.leave(from, "its content is not what its content_sha256 says")
			continue
		}
		b.page(notePath(p), from, *m.Content)
	}
	return nil
}

// notePath gives a path an ending that a note has.
func notePath(p string) string {
	p = strings.TrimPrefix(p, "memories/")
	if isMarkdown(p) {
		return p
	}
	return p + ".md"
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}
