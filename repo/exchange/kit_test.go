package exchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func dirOf(files map[string]string) fs.FS {
	out := fstest.MapFS{}
	for p, text := range files {
		out[p] = &fstest.MapFile{Data: []byte(text), Mode: 0o600}
	}
	return out
}

func zipOf(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for p, text := range files {
		w, err := z.Create(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shown writes a batch as a person checks it: `topic | day | fact` for each fact, `path =
// text` for each page, `- from: why` for what is left out.
func shown(b Batch) string {
	var out strings.Builder
	for _, n := range b.Notes {
		if n.Page {
			fmt.Fprintf(&out, "%s = %q\n", n.Path, n.Text)
			continue
		}
		topic := n.Topic
		if topic == Unfiled {
			topic = "?"
		}
		fmt.Fprintf(&out, "%s | %s | %s", topic, n.Date, n.Text)
		if n.Noticed {
			out.WriteString(" | noticed")
		}
		for mark, day := range map[string]string{"updated": n.Updated.String(), "until": n.Until.String()} {
			if day != "" {
				fmt.Fprintf(&out, " | %s %s", mark, day)
			}
		}
		out.WriteString("\n")
	}
	for _, l := range b.Left {
		fmt.Fprintf(&out, "- %s: %s\n", l.From, l.Why)
	}
	return out.String()
}

// fuzzFile holds of any bytes that reading them ends, with notes that say something or
// with an error of ours.
func fuzzFile(f *testing.F, format string, seeds ...string) {
	f.Helper()
	for _, s := range append(seeds, "", "\xff\xfe-\x00 \x00a\x00", "\xff", "{", "[]", "null", "PK\x03\x04") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := Read(format, Source{Name: "x", Text: text})
		checked(t, b, err)
		_ = Detect(Source{Name: "x", Text: text})
	})
}

// fuzzFolder is fuzzFile for a folder that has the text under each of the names.
func fuzzFolder(f *testing.F, format string, names []string, seeds ...string) {
	f.Helper()
	for _, s := range append(seeds, "", "\xff\x00", "---\n", "- [[") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		files := map[string]string{}
		for _, n := range names {
			files[n] = string(text)
		}
		b, err := Read(format, Source{Name: "x", Dir: dirOf(files), Journal: text})
		checked(t, b, err)
	})
}

func checked(t *testing.T, b Batch, err error) {
	t.Helper()
	if err != nil && !errors.Is(err, ErrInput) && !errors.Is(err, ErrTooLarge) {
		t.Errorf("an error of another kind: %v", err)
	}
	for _, n := range b.Notes {
		if !n.Page && strings.TrimSpace(n.Text) == "" {
			t.Errorf("a fact says nothing: %+v", n)
		}
		if n.From == "" || n.Page && n.Path == "" {
			t.Errorf("a note is from nowhere: %+v", n)
		}
	}
	for _, l := range b.Left {
		if l.From == "" || l.Why == "" {
			t.Errorf("left out without a reason: %+v", l)
		}
	}
}
