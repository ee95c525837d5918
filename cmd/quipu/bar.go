package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// bar shows how far long work is, on a terminal's standard error and nowhere else.
type bar struct {
	out   io.Writer // nil shows nothing
	label string
	now   func() time.Time
	last  time.Time
	drawn bool
}

// barEvery keeps drawing from costing more than the work.
const barEvery = 100 * time.Millisecond

func (e *env) bar(label string) *bar {
	b := &bar{label: label, now: e.Now}
	if e.ErrTerm && !e.quiet && !e.json {
		b.out = e.Err
	}
	return b
}

// step draws done of total.
func (b *bar) step(done, total int) {
	if b.out == nil || total <= 0 {
		return
	}
	if now := b.now(); done == total || now.Sub(b.last) >= barEvery {
		b.last, b.drawn = now, true
		const width = 30
		full := width * min(done, total) / total
		fmt.Fprintf(b.out, "\r%s [%s%s] %d/%d", b.label, strings.Repeat("=", full), strings.Repeat(" ", width-full), done, total)
	}
}

// done takes the bar away.
func (b *bar) done() {
	if b.drawn {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
