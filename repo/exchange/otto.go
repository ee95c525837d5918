package exchange

import (
	"regexp"
	"strings"

	"quipu/markdown"
)

// readOtto reads Otto's export: one Markdown file of areas (`## Preferences`), in them
// notes as bullets, `- **area/name** (stated): text` or plain ones, or as a heading with
// its text below. What was observed there is noticed here; what is tentative says so.
func readOtto(s Source, b *Batch) error {
	o := otto{b: b, name: s.Name, area: Unfiled}
	for line := range strings.SplitSeq(strings.ReplaceAll(string(s.Text), "\r\n", "\n"), "\n") {
		o.line(line)
	}
	o.end()
	if len(b.Notes) == 0 {
		return faulty("%s holds no notes: it is not Otto's export", s.Name)
	}
	return nil
}

type otto struct {
	b    *Batch
	name string
	area string
	note Note
}

var (
	// ottoAddress is an entry with its address and how it stands.
	ottoAddress = regexp.MustCompile(`^\*\*([a-z]+)/[^*]+\*\* \((stated|observed|tentative)\): `)

	ottoBullet = regexp.MustCompile(`^[-*][ \t]+`)
	ottoDate   = regexp.MustCompile(`[ \t]*(?:·[ \t]*|—[ \t]*)?[\[(]?(?:updated |saved |added )?(\d{4}-\d{2}-\d{2})(?:T[\d:.]+Z?)?[\])]?[ \t]*$`)
	ottoField  = regexp.MustCompile(`(?i)^(?:[-*][ \t]+)?\**(updated|saved|added|date|created)\**:\**[ \t]*(\d{4}-\d{2}-\d{2})`)
)

// line takes one line: an area, a note's heading, a note, or more of the one above.
func (o *otto) line(line string) {
	bare := strings.TrimSpace(line)
	level := len(bare) - len(strings.TrimLeft(bare, "#"))
	switch {
	case bare == "" || bare == "---":
		if o.note.Text != "" && !strings.HasSuffix(o.note.Text, ": ") {
			o.end()
		}
	case level > 0 && level < 7 && strings.HasPrefix(bare[level:], " "):
		o.end()
		o.heading(level, strings.TrimSpace(bare[level:]))
	case ottoField.MatchString(bare) && o.note.Text != "":
		o.note.Date, _ = markdown.ParseDate(ottoField.FindStringSubmatch(bare)[2])
	case ottoBullet.MatchString(line):
		if !strings.HasSuffix(o.note.Text, ": ") {
			o.end()
		}
		o.note.Text += ottoBullet.ReplaceAllString(line, "")
	case strings.HasSuffix(o.note.Text, ": "):
		o.note.Text += bare
	case o.note.Text != "":
		o.note.Text += "\n" + bare
	default:
		o.note.Text = bare
	}
}

func (o *otto) heading(level int, title string) {
	switch level {
	case 1:
		o.area = Unfiled
	case 2:
		o.area = subject(strings.TrimSuffix(title, "/"))
	default:
		o.note.Text = title + ": "
	}
}

func (o *otto) end() {
	n := o.note
	o.note = Note{}
	text, day, until := daysOff(n.Text)
	if !day.IsZero() {
		n.Text, n.Date, n.Until = text, day, until
	}
	if !strings.Contains(n.Text, "```") {
		n.Text = strings.Join(strings.Fields(n.Text), " ")
	}
	if m := ottoDate.FindStringSubmatchIndex(n.Text); m != nil {
		if day, ok := markdown.ParseDate(n.Text[m[2]:m[3]]); ok && n.Date.IsZero() && m[0] > 0 {
			n.Date, n.Text = day, n.Text[:m[0]]
		}
	}
	n.Text = strings.TrimSuffix(strings.TrimSpace(n.Text), ":")
	n.Topic, n.From = o.area, o.name
	if m := ottoAddress.FindStringSubmatchIndex(n.Text); m != nil {
		n.Topic, n.Noticed = n.Text[m[2]:m[3]], n.Text[m[4]:m[5]] == "observed"
		tentative := n.Text[m[4]:m[5]] == "tentative"
		if n.Text = n.Text[m[1]:]; tentative {
			n.Text += " (tentative)"
		}
	}
	if strings.EqualFold(n.Topic, "about") { // the person: what MEMORY.md is about
		n.Topic = ""
	}
	o.b.fact(n)
}
