package policy

import (
	"fmt"
	"slices"
	"strings"
)

// The limits of a view, as the contract has them.
const (
	mostToolLines = 999_999
	toolDepth     = 2 // folders that a listing goes into
)

// around is how many lines a snippet shows before and after what changed.
const around = 2

func (t tree) view(c ToolCommand) (string, error) {
	path, err := given(c.Command, "path", c.Path)
	if err != nil {
		return "", err
	}
	at, err := locate(path)
	if err != nil {
		return "", err
	}
	if file := t.fileAt(at); file != "" {
		return t.viewFile(path, string(t.notes[file]), c.ViewRange)
	}
	if !t.isDir(at) {
		return "", toolError("The path %s does not exist. Please provide a valid path.", path)
	}
	return t.viewDir(strings.TrimRight(path, "/"), at), nil
}

func (t tree) viewFile(path, text string, span []int) (string, error) {
	lines := splitLines(text)
	if len(lines) > mostToolLines {
		return "", toolError("File %s exceeds maximum line limit of 999,999 lines.", path)
	}
	first, last := 1, len(lines)
	if span != nil {
		if len(span) != 2 {
			return "", toolError("Invalid `view_range` parameter: it should be two line numbers, [start, end]")
		}
		first, last = span[0], span[1]
		if last == -1 {
			last = len(lines)
		}
		if first < 1 || first > max(1, len(lines)) || last < first && last != 0 || last > len(lines) {
			return "", toolError("Invalid `view_range` parameter: [%d, %d]. It should be within the range of lines of the file: [1, %d]", span[0], span[1], len(lines))
		}
	}
	return fmt.Sprintf("Here's the content of %s with line numbers:\n%s", path, withNumbers(lines, first, last)), nil
}

// splitLines are the lines of a text; the end of the last one begins no further line.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func withNumbers(lines []string, first, last int) string {
	var out strings.Builder
	for i := first; i <= min(last, len(lines)); i++ {
		if i > first {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "%6d\t%s", i, lines[i-1])
	}
	return out.String()
}

// snippet shows the lines first to last of a text with those around them.
func snippet(text string, first, last int) string {
	return withNumbers(splitLines(text), max(1, first-around), last+around)
}

func (t tree) viewDir(path string, at place) string {
	skipped := "hidden items and node_modules:"
	if !t.docs {
		skipped = "hidden items:"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Here're the files and directories up to 2 levels deep in %s, excluding %s\n%s\t%s", path, skipped, t.sizeText(t.sizeUnder(at)), path)
	var told []string
	for _, file := range t.under(at) {
		rest := shownAs(file)[len(at):]
		for depth := 1; depth <= min(len(rest), toolDepth); depth++ {
			name := path + "/" + strings.Join(rest[:depth], "/")
			size := len(t.notes[file])
			if depth < len(rest) {
				size = t.sizeUnder(append(slices.Clone(at), rest[:depth]...))
				if !t.docs {
					name += "/"
				}
			}
			if !slices.Contains(told, name) {
				told = append(told, name)
				fmt.Fprintf(&out, "\n%s\t%s", t.sizeText(size), name)
			}
		}
	}
	return out.String()
}

func (t tree) sizeUnder(at place) int {
	n := 0
	for _, file := range t.under(at) {
		n += len(t.notes[file])
	}
	return n
}

// sizeText writes a size in bytes as 0B, 512B, 1.5K; a whole one is 2.0K in the pages'
// wording and 2K in the SDK's.
func (t tree) sizeText(n int) string {
	if n < 1024 {
		return fmt.Sprintf("%dB", n)
	}
	size, unit := float64(n)/1024, "K"
	if size >= 1024 {
		size, unit = size/1024, "M"
	}
	if whole := int(size); float64(whole) == size && !t.docs {
		return fmt.Sprintf("%d%s", whole, unit)
	}
	return fmt.Sprintf("%.1f%s", size, unit)
}
