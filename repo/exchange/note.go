package exchange

import (
	"strings"

	"quipu/markdown"
)

// Note is one thing to be taken in: a fact, or a page of markdown as it stands.
type Note struct {
	Text string
	// Page says that Text is a file's text, to be kept byte for byte; Path is then where
	// it lay, by which it finds its place.
	Page bool
	Path string
	// Date is the day the fact is of, zero for the day of the import; Until and Updated
	// are its marks, zero for none.
	Date, Until, Updated markdown.Date
	Noticed              bool // noticed there, not told
	// Topic is the subject the fact belongs to, in free words. "" is MEMORY.md, and
	// Unfiled the topic of what has no subject.
	Topic string
	From  string // where it was read: a file's path, as it is listed in the answer
}

// Unfiled is the Topic of a fact that has none: the writer names it after the format.
const Unfiled = "\x00"

// Left is what is not taken in, and why.
type Left struct{ From, Why string }

// Batch is what a reader found.
type Batch struct {
	Format   string
	Notes    []Note
	Left     []Left
	Versions []Version // the history that came with it, oldest first
}

func (b *Batch) leave(from, why string) { b.Left = append(b.Left, Left{From: from, Why: why}) }

// fact adds a fact; a blank one says nothing.
func (b *Batch) fact(n Note) {
	if n.Text = strings.TrimSpace(n.Text); n.Text != "" {
		b.Notes = append(b.Notes, n)
	}
}

func (b *Batch) page(path, from, text string) {
	b.Notes = append(b.Notes, Note{Page: true, Path: path, From: from, Text: text})
}
