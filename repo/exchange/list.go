package exchange

import (
	"fmt"
	"regexp"
	"strings"

	"quipu/markdown"
)

// readList reads the memories that ChatGPT prints when it is asked for them: lines
// `[date saved] - memory`, in a code block or not. A bullet, a number or no mark at all
// will do; an indented line goes on with the one above it.
func readList(s Source, b *Batch) error {
	lines := strings.Split(strings.ReplaceAll(string(s.Text), "\r\n", "\n"), "\n")
	from, to := fenced(lines)
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		switch {
		case bare == "" || strings.HasPrefix(bare, "```"):
		case i < from || i >= to:
			b.leave(place(s.Name, i+1), "outside of the block that holds the list")
		case strings.HasPrefix(bare, "#"):
			b.leave(place(s.Name, i+1), "a heading")
		case line[0] == ' ' && len(b.Notes) > 0 && !listMark.MatchString(bare), line[0] == '\t' && len(b.Notes) > 0 && !listMark.MatchString(bare):
			b.Notes[len(b.Notes)-1].Text += " " + bare
		default:
			day, text := dateOff(listMark.ReplaceAllString(bare, ""))
			b.fact(Note{Text: text, Date: day, From: s.Name})
		}
	}
	if len(b.Notes) == 0 {
		return faulty("%s holds no list of memories", s.Name)
	}
	return nil
}

func place(name string, line int) string { return fmt.Sprintf("%s:%d", name, line) }

// fenced gives the lines of the one code block of a text, or all of them.
func fenced(lines []string) (from, to int) {
	from = -1
	for i, line := range lines {
		if !strings.HasPrefix(strings.TrimSpace(line), "```") {
			continue
		}
		if from >= 0 {
			return from, i
		}
		from = i + 1
	}
	return max(from, 0), len(lines)
}

var (
	listMark = regexp.MustCompile(`^(?:[-*•+]|\d{1,4}[.)])[ \t]+`)
	bareDate = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})[ \t]*[-–—:·][ \t]*(\S.*)$`)
	dateHead = regexp.MustCompile(`^\[([^\]]{0,40})\][ \t]*(?:[-–—:][ \t]*)?`)
	noDate   = regexp.MustCompile(`(?i)^(|-|n/?a|none|undated|unknown|date|(no|unknown) date( saved)?( available)?|date (unknown|unavailable|not available)|not available|unavailable)$`)
)

// dateOff takes `[date] - ` off the front of a text, or a day without brackets. Brackets
// that hold no date are text.
func dateOff(text string) (markdown.Date, string) {
	if m := bareDate.FindStringSubmatch(text); m != nil {
		if day, ok := markdown.ParseDate(m[1]); ok {
			return day, m[2]
		}
	}
	m := dateHead.FindStringSubmatch(text)
	if m == nil {
		return markdown.Date{}, text
	}
	inner := strings.TrimSpace(m[1])
	at := readTime(inner)
	for _, form := range []string{"2006/01/02", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006"} {
		if at.IsZero() {
			at = parseTime(form, inner)
		}
	}
	switch {
	case !at.IsZero():
		return markdown.DateOf(at), text[len(m[0]):]
	case noDate.MatchString(inner):
		return markdown.Date{}, text[len(m[0]):]
	}
	return markdown.Date{}, text
}

// readRetention reads bullets `- Fact [YYYY-MM-DD]`, which are entries here, too: they
// come in as they stand.
func readRetention(s Source, b *Batch) error {
	if s.Dir == nil {
		b.page("MEMORY.md", s.Name, string(s.Text))
		return nil
	}
	f, err := readFolder(s.Dir, isMarkdown, notMarkdown)
	if err != nil {
		return err
	}
	b.Left = append(b.Left, f.left...)
	for _, file := range f.files {
		if strings.EqualFold(file.path, "memory.md") {
			b.page("MEMORY.md", file.path, file.text)
			continue
		}
		b.leave(file.path, "not memory.md")
	}
	if len(b.Notes) == 0 {
		return faulty("%s has no memory.md", s.Name)
	}
	return nil
}
