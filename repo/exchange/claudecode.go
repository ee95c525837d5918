package exchange

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"

	"quipu/markdown"
)

// readClaudeCode reads the memory folder of a project: one note a file, and MEMORY.md,
// which lists them. Lines of the list go, as quipu lists topics itself; its other lines
// are kept.
func readClaudeCode(s Source, b *Batch) error {
	dir, err := within(s.Dir, "MEMORY.md", "memory")
	if err != nil {
		return err
	}
	f, err := readFolder(dir, isMarkdown, notMarkdown)
	if err != nil {
		return err
	}
	b.Left = append(b.Left, f.left...)
	there := map[string]bool{}
	for _, file := range f.files {
		there[file.path] = true
	}
	for _, file := range f.files {
		if file.path != "MEMORY.md" {
			b.page(file.path, file.path, titled(file.text))
			continue
		}
		text, listed := withoutList(file.text, there)
		if listed > 0 {
			b.leave("MEMORY.md", fmt.Sprintf("%d lines that list the notes: quipu lists topics itself", listed))
		}
		if saysMore(text) {
			b.page("MEMORY.md", "MEMORY.md", text)
		}
	}
	return nil
}

// saysMore says whether what is left of an index is more than its headings.
func saysMore(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}

var linkTo = regexp.MustCompile(`\[\[([^\]|#]+)[^\]]*\]\]|\]\(([^)#\s]+)[^)]*\)`)

// withoutList takes the lines out that link to a note that comes in.
func withoutList(text string, there map[string]bool) (string, int) {
	var kept strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if bullet := strings.TrimLeft(line, " \t"); strings.HasPrefix(bullet, "- ") || strings.HasPrefix(bullet, "* ") {
			if m := linkTo.FindStringSubmatch(line); m != nil {
				to := path.Clean(m[1] + m[2])
				if plain, err := url.PathUnescape(to); err == nil {
					to = plain
				}
				if there[to] || there[to+".md"] {
					n++
					continue
				}
			}
		}
		kept.WriteString(line)
	}
	return kept.String(), n
}

var (
	nameLine  = regexp.MustCompile(`(?m)^name:[ \t]*([^\s|>&*!].*?)[ \t]*\r?$`)
	titleLine = regexp.MustCompile(`(?m)^title:`)
)

// titled gives a header that has a name but no title one: the topic index shows titles.
func titled(text string) string {
	h := markdown.Parse("", []byte(text)).Header()
	if !h.Present {
		return text
	}
	head := text[h.Start:h.End]
	m := nameLine.FindStringSubmatchIndex(head)
	if m == nil || titleLine.MatchString(head) {
		return text
	}
	at := h.Start + m[0]
	return text[:at] + "title: " + head[m[2]:m[3]] + "\n" + text[at:]
}
