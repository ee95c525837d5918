package exchange

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/markdown"
	"quipu/policy"
)

var update = flag.Bool("update", false, "write the golden files anew")

var noon = time.Date(2026, 9, 12, 12, 0, 0, 0, time.UTC)

// sample is a workspace with a bit of everything.
func sample() OutSpace {
	note := func(path string, kind policy.PathKind, lines ...string) OutNote {
		return OutNote{Path: path, Kind: kind, Text: []byte(strings.Join(lines, "\n") + "\n"), Changed: noon.Add(-time.Hour)}
	}
	sp := OutSpace{
		Bot: "scout", Name: "Scout", Person: "Ada", Today: markdown.DateOf(noon), At: noon,
		Own: []string{"memory/.ledger.ndjson"},
		Notes: []OutNote{
			note("MEMORY.md", policy.Memory, "# Memory", "", "One fact a line: what is worth knowing in every conversation.", "",
				`- 2026-09-01 · from chat "Plans" · Ada likes <tea> & cake`,
				"- 2026-09-02 · always answer in English",
				"- 2026-09-03 · in Leeds until the fair · until 2026-09-10",
				"- 2026-09-04 · in York · until 2026-12-31",
				"- 2026-08-01 · ~~works at Acme~~ · superseded 2026-09-01",
				"- ~~an old hand line~~",
				"- a hand line",
				"", "```", "code", "```"),
			note("memory/café pets.md", policy.Topic, "---", "title: 'Pets: all'", "description: who lives here", "aliases: [animals]", "---", "", "# Pets", "",
				"- 2026-09-05 · from chat \"Vet\" (noticed) · a dog named Luna", "  who is nine", "- 2026-09-06 · a cat named Luna"),
			note("memory/people.md", policy.Topic, "- 2026-09-07 · Bo is Ada's brother"),
			note("memory/archive.md", policy.Archive, "- 2026-01-01 · liked coffee"),
			note("memory/log/2026-09-12.md", policy.Log, "- 12:00 · talked of the fair"),
		},
	}
	sp.Notes[0].Taught = map[int]OutOrigin{5: {
		Change: "01JB", Action: "update", First: "01JA", At: noon, FirstAt: noon.Add(-time.Hour), Actor: "bot", Who: "scout", Source: `chat "Plans"`, Words: "- 2026-09-01 · Ada likes tea",
	}}
	return sp
}

// laid is an export as one text.
func laid(out Out) string {
	var b strings.Builder
	for _, f := range out.Files {
		fmt.Fprintf(&b, "=== %s\n%s", f.Path, f.Text)
	}
	for _, left := range out.Left {
		b.WriteString("not in it: " + left + "\n")
	}
	return b.String()
}

func TestFormats(t *testing.T) {
	for _, f := range OutFormats() {
		if f.Name == "zip" {
			continue // its bytes are in TestZip
		}
		t.Run(f.Name, func(t *testing.T) {
			for _, all := range []bool{false, true} {
				name := f.Name
				if all {
					if !f.Other {
						continue
					}
					name += "-all"
				}
				out, err := f.Write(sample(), OutOptions{All: all})
				if err != nil {
					t.Fatal(err)
				}
				golden := filepath.Join("testdata", "out", name+".golden")
				if *update {
					if err := os.MkdirAll(filepath.Dir(golden), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(golden, []byte(laid(out)), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), laid(out)); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestZip(t *testing.T) {
	once, err := WriteZip(sample(), OutOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := WriteZip(sample(), OutOptions{})
	if err != nil || !bytes.Equal(once.Files[0].Text, again.Files[0].Text) {
		t.Errorf("the same notes give other bytes (%v)", err)
	}
	z, err := zip.NewReader(bytes.NewReader(once.Files[0].Text), int64(len(once.Files[0].Text)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	texts := map[string][]byte{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if texts[f.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
		names = append(names, f.Name)
	}
	want := []string{"MEMORY.md", "manifest.json", "memory/archive.md", "memory/café pets.md", "memory/log/2026-09-12.md", "memory/people.md"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	var m OutListing
	if err := json.Unmarshal(texts["manifest.json"], &m); err != nil {
		t.Fatal(err)
	}
	last := m.Files[len(m.Files)-1]
	// The hash is what `sha256sum` gives for the line of people.md.
	if diff := cmp.Diff(OutListed{
		Path: "memory/people.md", SHA256: "cd41bf7adbc591e64ed30a1fd6675977aeccaf1b927e8e09d7fd249a438f0509",
		Size: 36, Entries: 1, Changed: noon.Add(-time.Hour),
	}, last); diff != "" {
		t.Error(diff)
	}
}

// Whatever stands in a workspace, every form can be written, and JSON stays JSON.
func FuzzFormats(f *testing.F) {
	f.Add("title: x", "- 2026-09-01 · a fact\r\n\xff")
	f.Add("---\n", "```\nopen")
	f.Fuzz(func(t *testing.T, head, text string) {
		sp := sample()
		sp.Notes[0].Text, sp.Notes[1].Text = []byte(text), []byte("---\n"+head+"\n---\n"+text)
		for _, form := range OutFormats() {
			out, err := form.Write(sp, OutOptions{All: true})
			if err != nil {
				t.Fatalf("%s: %v", form.Name, err)
			}
			if form.Name != "jsonl" && form.Name != "mcp-memory" {
				continue
			}
			for line := range strings.Lines(string(out.Files[0].Text)) {
				if !json.Valid([]byte(line)) {
					t.Errorf("%s: no JSON: %q", form.Name, line)
				}
			}
		}
	})
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"Café au lait": "cafe-au-lait", "--a__b--": "a-b", "日本": "", "Ada's cat": "adas-cat", "../x": "x"} {
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"plain words": "plain words", "a: b": `"a: b"`, "yes": `"yes"`, "": `""`, "- x": `"- x"`, "a #b": `"a #b"`, "quote \"q\"": `"quote \"q\""`} {
		if got := scalar(in); got != want {
			t.Errorf("scalar(%q) = %s, want %s", in, got, want)
		}
	}
}

// Long notes are cut for Otto and Kotoba and said to be.
func TestCut(t *testing.T) {
	sp := OutSpace{Bot: "scout", Notes: []OutNote{{Path: "memory/long.md", Kind: policy.Topic, Text: []byte("- 2026-09-01 · " + strings.Repeat("é ", 400) + "\n")}}}
	for _, f := range []func(OutSpace, OutOptions) (Out, error){WriteOtto, WriteKotoba} {
		out, err := f(sp, OutOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(laid(out), "1 end of a note that is too long there") {
			t.Errorf("it is not said:\n%s", laid(out))
		}
	}
}
