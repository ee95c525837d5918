package exchange

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"quipu/markdown"
)

// The format of the manifest in a zip of notes.
const (
	OutZipFormat  = "quipu-notes"
	OutZipVersion = 1
	OutManifest   = "manifest.json"
)

// OutListing is the manifest of a zip of notes.
type OutListing struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	Bot     string      `json:"bot"`
	Name    string      `json:"name,omitempty"`
	At      time.Time   `json:"at"` // of the newest change
	Files   []OutListed `json:"files"`
}

// OutListed is one file in a manifest.
type OutListed struct {
	Path    string    `json:"path"`
	SHA256  string    `json:"sha256"`
	Size    int       `json:"size"`    // bytes
	Entries int       `json:"entries"` // dated notes
	Changed time.Time `json:"changed"` // its newest change
}

// WriteZip gives the notes in one zip file. The same notes give the same bytes: names are
// in order and times are those of the changes.
func WriteZip(sp OutSpace, o OutOptions) (Out, error) {
	plain, err := WriteFolder(sp, o)
	if err != nil {
		return Out{}, err
	}
	list := OutListing{Format: OutZipFormat, Version: OutZipVersion, Bot: sp.Bot, Name: sp.Name, At: sp.At.UTC(), Files: []OutListed{}}
	changed := map[string]time.Time{}
	for _, n := range sp.Notes {
		changed[n.Path] = n.Changed.UTC()
	}
	for _, p := range sp.Pictures {
		changed[p.Path] = list.At
	}
	for _, f := range plain.Files {
		sum := sha256.Sum256(f.Text)
		list.Files = append(list.Files, OutListed{
			Path: f.Path, SHA256: hex.EncodeToString(sum[:]), Size: len(f.Text),
			Entries: len(markdown.Parse(f.Path, f.Text).Entries()), Changed: changed[f.Path],
		})
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return Out{}, err
	}
	changed[OutManifest] = list.At
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range sorted(append(plain.Files, OutFile{Path: OutManifest, Text: append(text, '\n')})) {
		h := &zip.FileHeader{Name: f.Path, Method: zip.Deflate, Modified: changed[f.Path]}
		h.SetMode(0o600)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(f.Text)
		}
		if err != nil {
			return Out{}, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	if err := z.Close(); err != nil {
		return Out{}, err
	}
	return Out{Files: []OutFile{{Path: sp.Bot + ".zip", Text: b.Bytes()}}, Left: plain.Left}, nil
}
