package exchange

import (
	"strings"
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
			kind[g.Name] = subject(g.EntityType)
			if len(g.Observations) == 0 {
				b.fact(Note{Text: g.Name + ": " + g.EntityType, Topic: kind[g.Name], From: s.Name})
			}
			for _, o := range g.Observations {
				if strings.TrimSpace(o) == "" {
					b.leave(place(s.Name, line), "an observation without words")
					continue
				}
				b.fact(Note{Text: g.Name + ": " + o, Topic: kind[g.Name], From: s.Name})
			}
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

// subject is a topic's name where there is one.
func subject(name string) string {
	if strings.TrimSpace(name) == "" {
		return Unfiled
	}
	return name
}
