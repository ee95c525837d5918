package policy

import (
	"fmt"
	"strings"
)

// Seen is a picture that was recalled, as it is told to who asked for it.
type Seen struct {
	Shown
	Missing string // why it is not attached; "" when it is
}

// TellSeen says what was recalled, and what may be said of it: it is written from what is
// really attached, never from what was found. A picture that is not there is told as one
// that cannot be seen, since its note would else be taken for what it shows.
func TellSeen(list []Seen) string {
	attached := 0
	for _, s := range list {
		if s.Missing == "" {
			attached++
		}
	}
	var b strings.Builder
	switch {
	case len(list) == 0:
		return "No picture that is kept answers this. Do not describe one."
	case attached == 0:
		b.WriteString("No picture is attached. Say that you cannot see it; what a note says of it is what was said once, and nothing that you see.\n")
	default:
		fmt.Fprintf(&b, "%s attached, in this order. Say of what is attached only what you see in it; of the others nothing but that you cannot see them now.\n", counted(attached, "picture is", "pictures are"))
	}
	n := 0
	for _, s := range list {
		said := s.About + " (" + s.Kind + ")"
		if s.Note != "" {
			said += ", noted then: " + s.Note
		}
		if d := s.Date.String(); d != "" {
			said += ", kept " + d
		}
		if s.Missing != "" {
			fmt.Fprintf(&b, "- not attached, %s: %s\n", s.Missing, said)
			continue
		}
		n++
		fmt.Fprintf(&b, "%d. attached: %s\n", n, said)
	}
	return strings.TrimRight(b.String(), "\n")
}
