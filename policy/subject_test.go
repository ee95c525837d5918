package policy

import (
	"strings"
	"testing"
)

func TestSubjectValid(t *testing.T) {
	tests := map[string]struct {
		s    Subject
		want bool
	}{
		"a room":                 {Subject{GroupChat, "qq:7"}, true},
		"a person":               {Subject{Participant, "Ünal"}, true},
		"64 bytes":               {Subject{Participant, strings.Repeat("ü", 32)}, true},
		"65 bytes":               {Subject{Participant, strings.Repeat("x", 65)}, false},
		"nobody":                 {Subject{}, false},
		"a kind that is none":    {Subject{"weird", "a"}, false},
		"an id alone":            {Subject{"", "a"}, false},
		"a kind alone":           {Subject{GroupChat, ""}, false},
		"blanks for an id":       {Subject{GroupChat, " \u3000"}, false},
		"a control character":    {Subject{GroupChat, "a\x00"}, false},
		"a line end":             {Subject{Participant, "a\nb"}, false},
		"bytes that are no text": {Subject{Participant, "\xff"}, false},
	}
	for name, tc := range tests {
		if got := tc.s.Valid(); got != tc.want {
			t.Errorf("%s: valid %t, want %t", name, got, tc.want)
		}
	}
}
