package policy

import (
	"strings"

	"quipu/markdown"
)

// Lacks returns the events of another ledger that list what must not be learned, by
// authors whose name begins with by, and that this one has not, each with the salt
// that it needs.
func (l Ledger) Lacks(from Ledger, by string) []Event {
	have := map[string]bool{}
	for _, e := range l.events {
		have[e.Kind+e.ID+e.Salt] = true
	}
	var out []Event
	for _, e := range from.events {
		if e.Kind != EventNever || !strings.HasPrefix(e.By, by) || have[e.Kind+e.ID+e.Salt] {
			continue
		}
		for _, s := range from.events {
			if s.Kind == EventSalt && !have[s.Kind+s.ID+s.Salt] {
				have[s.Kind+s.ID+s.Salt] = true
				out = append(out, s)
			}
		}
		out = append(out, e)
	}
	return out
}

// Without returns a text without the notes that a list blocks, and how many they
// were. Headings and headers stay.
func Without(text []byte, n Never) ([]byte, int) {
	count := 0
	for {
		f := markdown.Parse("", text)
		at := -1
		for i, u := range f.Units() {
			if blockedUnit(u, n) {
				at = i
				break
			}
		}
		if at < 0 {
			return text, count
		}
		text = f.RemoveUnit(at)
		count++
	}
}

func blockedUnit(u markdown.Unit, n Never) bool {
	switch {
	case u.Entry != nil:
		return n.Blocks(u.Entry.Text)
	case u.Kind == markdown.KindLine && !strings.HasPrefix(string(u.Raw), "#"):
		return n.Blocks(strings.TrimLeft(string(u.Raw), "-*• "))
	}
	return false
}
