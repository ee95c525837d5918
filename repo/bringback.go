package repo

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/side"
)

// forgetting says whether a change is a forget, or the undo of one: reversing that
// is asked for by name.
func forgetting(c side.Change) bool {
	return c.Action == string(ActForget) || strings.Contains(c.Subject, ": "+string(ActForget)+": ")
}

// leaveForgotten takes out of what an undo or a restore puts in the notes that the
// person asked to forget, and says how many. ErrRefused when nothing else is left.
func (v *view) leaveForgotten(ctx context.Context, d *draft) error {
	n, err := v.never(ctx)
	if err != nil || n.empty() {
		return err
	}
	kept, left, where := d.files[:0:0], 0, ""
	for _, f := range d.files {
		if f.del || policy.OpaqueFile(f.path) {
			kept = append(kept, f)
			continue
		}
		before, had, err := v.tx.File(f.path)
		if err != nil {
			return err
		}
		text, lines := withoutNew(f.path, before, f.text, n)
		if len(lines) > 0 {
			left += len(lines)
			where = fmt.Sprintf("%s:%d", f.path, lines[0])
		}
		if f.text = text; !had || !bytes.Equal(text, before) {
			kept = append(kept, f)
		}
	}
	if left == 0 {
		return nil
	}
	if kept, err = v.withoutOrphans(kept); err != nil {
		return err
	}
	if len(kept) == 0 {
		return wrapf(ErrRefused, "all of it was forgotten (the first is what would stand at %s); undo the forget itself, or ask to remember it again", where)
	}
	d.files = kept
	d.receipt.Notes = append(d.receipt.Notes, fmt.Sprintf("%d notes that were forgotten stay out (the first would stand at %s)", left, where))
	return nil
}

// withoutNew takes out of a text the units that are not in before and that the lists
// block; lines are where they stood.
func withoutNew(path string, before, text []byte, n never) (out []byte, lines []int) {
	for _, p := range markdown.Pairs(before, text) {
		if p.After != nil && n.blocks(factOf(p.After)) && (p.Before == nil || !n.blocks(factOf(p.Before))) {
			lines = append(lines, p.After.Line)
		}
	}
	for _, line := range slices.Backward(lines) {
		f := markdown.Parse(path, text)
		for i, u := range f.Units() {
			if u.Line == line {
				text = f.RemoveUnit(i)
				break
			}
		}
	}
	return text, lines
}

// factOf is what a unit states: an entry's fact, or a hand-written line.
func factOf(u *markdown.Unit) string {
	if u.Entry != nil {
		return u.Entry.Text
	}
	return strings.TrimLeft(string(u.Raw), "-*# ")
}
