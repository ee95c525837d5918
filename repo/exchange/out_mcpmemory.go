package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"quipu/policy"
)

// outEntity is a line of the MCP reference memory server (its README, src/memory): every
// line says of which type it is.
type outEntity struct {
	Type         string   `json:"type"` // entity
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
}

// WriteMCPMemory gives an entity for each file of notes, with a note an observation.
func WriteMCPMemory(sp OutSpace, o OutOptions) (Out, error) {
	var left shorn
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	names := map[string]bool{}
	for _, n := range sp.chosen(o, &left) {
		left.head(n, false)
		e := outEntity{Type: "entity", EntityType: "topic", Name: n.title(), Observations: []string{}}
		switch n.Kind {
		case policy.Memory:
			e.Name, e.EntityType = cmp.Or(sp.Name, sp.Bot), "memory"
		case policy.About:
			e.Name, e.EntityType = cmp.Or(sp.Person, "About me"), "person"
		case policy.Log:
			e.EntityType = "log"
		}
		e.Name = only(names, e.Name) // the server knows entities by name
		for _, f := range sp.facts(n, &left) {
			left.count(f, false, false, true)
			e.Observations = append(e.Observations, dated(f))
		}
		if len(e.Observations) == 0 && n.isMain() {
			continue
		}
		if err := enc.Encode(e); err != nil {
			return Out{}, err
		}
	}
	return Out{Files: []OutFile{{Path: "memory.jsonl", Text: b.Bytes()}}, Left: left.sentences()}, nil
}

// dated is a fact with its day in brackets and the day until which it holds, behind its
// first line.
func dated(f fact) string {
	first, rest, more := strings.Cut(plain(f.text), "\n")
	if !f.until.IsZero() {
		first += fmt.Sprintf(" (until %s)", f.until)
	}
	if !f.date.IsZero() {
		first += fmt.Sprintf(" [%s]", f.date)
	}
	if more {
		first += "\n" + rest
	}
	return first
}

// only makes a name one that was not used yet.
func only(used map[string]bool, name string) string {
	free := name
	for n := 2; used[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	used[strings.ToLower(free)] = true
	return free
}
