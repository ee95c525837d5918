package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"quipu/policy"
	"quipu/repo"
)

// gaugeJSON is how full MEMORY.md is, with the plain sentence beside it.
type gaugeJSON struct {
	policy.Gauge
	Sentence string `json:"sentence"`
}

// limitsOf are the two limits of MEMORY.md in a home.
func limitsOf(s *repo.Store) policy.Limits {
	return s.Config().Limits()
}

// loadedOf is what loads of a bot's notes. With memory switched off nothing does, and
// the gauge measures what would.
func (e *env) loadedOf(ctx context.Context, w *repo.Workspace) (policy.Loaded, error) {
	l, err := w.Load(ctx)
	if !errors.Is(err, repo.ErrOff) {
		return l, err
	}
	t, err := w.Read(ctx, policy.MemoryFile)
	return policy.Loaded{Gauge: limitsOf(e.opened).Measure([]byte(t.Text))}, err
}

// expired says how many notes are out because their last day has passed.
func expired(n int) string {
	if n == 1 {
		return "1 note is past its last day and does not load"
	}
	return fmt.Sprintf("%d notes are past their last day and do not load", n)
}

// left says how many notes are out because they are disputed.
func left(n int) string {
	if n == 1 {
		return "1 note is disputed and does not load"
	}
	return fmt.Sprintf("%d notes are disputed and do not load", n)
}

// barWidth is how many cells a bar of the gauge has.
const barWidth = 40

// gaugeLines draws the gauge: a bar for each limit, then the plain sentence, and
// what does not load. What the colours say stands there in words, too.
func (e *env) gaugeLines(l policy.Loaded) string {
	g := l.Gauge
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %s\n", "gauge", e.level("lines", g.Lines, g.MaxLines, g.Truncated))
	fmt.Fprintf(&b, "%-10s %s\n", "", e.level("bytes", g.Bytes, g.MaxBytes, g.Truncated))
	fmt.Fprintf(&b, "%-10s %s\n", "", e.paint(gaugePaint(g.Colour), g.Colour+": "+g.Sentence()))
	if len(l.Unloaded) > 0 {
		quoted := make([]string, 0, len(l.Unloaded))
		for _, fact := range l.Unloaded {
			quoted = append(quoted, fmt.Sprintf("%q", fact))
		}
		fmt.Fprintf(&b, "%-10s not loaded: %s, and what follows\n", "", clean(strings.Join(quoted, ", ")))
	}
	if l.Conflicted > 0 {
		fmt.Fprintf(&b, "%-10s %s\n", "", e.paint(red, fmt.Sprintf("nothing loads: MEMORY.md has conflict markers from line %d on", l.Conflicted)))
	}
	if l.Expired > 0 {
		fmt.Fprintf(&b, "%-10s %s\n", "", expired(l.Expired))
	}
	return b.String()
}

// level is one bar: how much of a limit is used. A bar that is over its limit ends
// in a mark.
func (e *env) level(name string, used, limit int, truncated bool) string {
	percent := 0
	if limit > 0 {
		percent = used * 100 / limit
	}
	full := barWidth * min(percent, 100) / 100
	if used > 0 && full == 0 {
		full = 1
	}
	end := "]"
	if used > limit {
		end = ">"
	}
	colour := policy.ColourOK
	switch {
	case truncated && used > limit:
		colour = policy.ColourRed
	case percent >= amberFrom:
		colour = policy.ColourAmber
	}
	bar := e.paint(gaugePaint(colour), strings.Repeat("#", full)) + strings.Repeat(".", barWidth-full)
	return fmt.Sprintf("%s [%s%s %d of %d (%d%%)", name, bar, end, used, limit, percent)
}

// amberFrom is the percentage from which a bar is amber, as policy.Gauge has it for
// the nearer limit.
const amberFrom = 80

func gaugePaint(colour string) string {
	return map[string]string{policy.ColourOK: green, policy.ColourAmber: yellow, policy.ColourRed: red}[colour]
}

// aboutLine says how full About me is.
func aboutLine(text string) string {
	n := utf8.RuneCountInString(text)
	return fmt.Sprintf("%d of %d characters (%d%%)", n, policy.MaxAboutRunes, n*100/policy.MaxAboutRunes)
}
