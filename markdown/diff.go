package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	diffContext = 2    // unchanged lines around a change
	diffRunes   = 8000 // characters after which a difference is cut
)

// Diff returns the unified difference of two versions of the file at path, with
// two lines of context and no final newline, and how many lines were added and
// removed. Lines are compared without their newline. The text is "" if no line
// differs; above 8,000 characters it is cut at a line, and a last line says how
// many are left out. The counts are those of the whole difference.
func Diff(path string, before, after []byte) (text string, added, removed int) {
	a, b := diffLines(before), diffLines(after)
	t := table{}
	gaps := align(t.texts(a), t.texts(b))
	if len(gaps) == 0 {
		return "", 0, 0
	}
	out := []string{"--- a/" + path, "+++ b/" + path}
	for len(gaps) > 0 {
		n := 1
		for n < len(gaps) && gaps[n].a0-gaps[n-1].a1 <= 2*diffContext {
			n++
		}
		out = append(out, hunk(a, b, gaps[:n])...)
		for _, g := range gaps[:n] {
			removed += g.a1 - g.a0
			added += g.b1 - g.b0
		}
		gaps = gaps[n:]
	}
	return capped(out), added, removed
}

func (t table) texts(texts []string) []rune {
	numbers := make([]rune, len(texts))
	for i, text := range texts {
		numbers[i] = t.number(text)
	}
	return numbers
}

// diffLines splits text; the newline at its end begins no line.
func diffLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), lf), lf)
}

// hunk writes neighbouring gaps and the lines around them.
func hunk(a, b []string, gaps []gap) []string {
	first, last := gaps[0], gaps[len(gaps)-1]
	lead := min(diffContext, first.a0)
	tail := min(diffContext, len(a)-last.a1)
	a0, a1 := first.a0-lead, last.a1+tail
	b0, b1 := first.b0-lead, last.b1+tail
	out := []string{fmt.Sprintf("@@ -%s +%s @@", lineRange(a0, a1), lineRange(b0, b1))}
	at := a0
	for _, g := range gaps {
		out = prefixed(out, " ", a[at:g.a0])
		out = prefixed(out, "-", a[g.a0:g.a1])
		out = prefixed(out, "+", b[g.b0:g.b1])
		at = g.a1
	}
	return prefixed(out, " ", a[at:a1])
}

// lineRange names lines by the first and their number; no lines are named by
// the one before them.
func lineRange(first, end int) string {
	if first < end {
		first++
		return fmt.Sprintf("%d,%d", first, end-first+1)
	}
	return fmt.Sprintf("%d,0", first)
}

func prefixed(out []string, sign string, lines []string) []string {
	for _, line := range lines {
		out = append(out, sign+line)
	}
	return out
}

func capped(lines []string) string {
	size := 0
	for i, line := range lines {
		size += utf8.RuneCountInString(line)
		if i > 0 {
			size++
		}
		if size > diffRunes {
			left := len(lines) - i
			unit := "lines"
			if left == 1 {
				unit = "line"
			}
			return strings.Join(append(lines[:i:i], fmt.Sprintf("… %d more %s", left, unit)), lf)
		}
	}
	return strings.Join(lines, lf)
}
