package exchange

import (
	"regexp"
	"strings"

	"quipu/markdown"
)

// graphLine is one line of the reference memory server's file: an entity with what was
// observed of it, or a relation between two.
type graphLine struct {
	Type         string   `json:"type"`
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
	From         string   `json:"from"`
	To           string   `json:"to"`
	RelationType string   `json:"relationType"`
}

// readGraph makes `Ada: likes tea` of an observation and `Ada works_at Acme` of a
// relation. Each is filed under the type of its entity.
func readGraph(s Source, b *Batch) error {
	var relations []graphLine
	kind := map[string]string{}
	err := decodeLines(s.Name, s.Text, func(line int, g graphLine) error {
		switch {
		case g.Name != "" && g.Type != "relation":
			kind[g.Name] = b.entity(g, s.Name, line)
		case g.From != "" && g.To != "" && g.Type != "entity":
			relations = append(relations, g)
		default:
			b.leave(place(s.Name, line), "neither an entity nor a relation")
		}
		return nil
	})
	for _, g := range relations {
		topic := kind[g.From]
		if topic == "" {
			topic = Unfiled
		}
		b.fact(Note{Text: strings.Join([]string{g.From, g.RelationType, g.To}, " "), Topic: topic, From: s.Name})
	}
	return err
}

// entity adds what was observed of an entity, and gives the topic that it is filed under.
// One that is itself a topic, or all of a memory, has notes that stand by themselves.
func (b *Batch) entity(g graphLine, name string, line int) (topic string) {
	topic, of := subject(g.EntityType), g.Name+": "
	switch g.EntityType {
	case "topic":
		topic, of = g.Name, ""
	case "memory":
		topic, of = "", ""
	}
	if len(g.Observations) == 0 {
		b.fact(Note{Text: g.Name + ": " + g.EntityType, Topic: topic, From: name})
	}
	for _, o := range g.Observations {
		if strings.TrimSpace(o) == "" {
			b.leave(place(name, line), "an observation without words")
			continue
		}
		n := Note{Topic: topic, From: name}
		n.Text, n.Date, n.Until = daysOff(o)
		n.Text = of + n.Text
		b.fact(n)
	}
	return topic
}

var (
	trailingDay   = regexp.MustCompile(`[ \t]+[\[(](\d{4}-\d{2}-\d{2})(?:T[\d:.]+Z?)?[\])]$`)
	trailingUntil = regexp.MustCompile(`[ \t]+\(until (\d{4}-\d{2}-\d{2})\)$`)
)

// daysOff takes `(until day)` and `[day]` off the end of a text's first line.
func daysOff(text string) (rest string, day, until markdown.Date) {
	first, more, many := strings.Cut(text, "\n")
	first, day = dayOff(trailingDay, strings.TrimRight(first, " \t\r"))
	first, until = dayOff(trailingUntil, first)
	if many {
		first += "\n" + more
	}
	return first, day, until
}

func dayOff(form *regexp.Regexp, text string) (string, markdown.Date) {
	m := form.FindStringSubmatchIndex(text)
	if m == nil {
		return text, markdown.Date{}
	}
	day, ok := markdown.ParseDate(text[m[2]:m[3]])
	if !ok {
		return text, day
	}
	return text[:m[0]], day
}

// subject is a topic's name where there is one.
func subject(name string) string {
	if strings.TrimSpace(name) == "" {
		return Unfiled
	}
	return name
}
