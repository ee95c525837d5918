package policy

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestVisibleTo(t *testing.T) {
	room := Subject{Kind: GroupChat, ID: "qq:7", Scope: "group_chat:qq:7"}
	private := Subject{}
	tests := []struct {
		name     string
		row      Subject
		subjects []Subject
		owners   bool
		want     bool
	}{
		// The cases without subjects are the owner's own request: it asks for private rows.
		{"sc03", room, []Subject{room}, false, true},
		{"sc04", room, nil, true, false},
		{"sc05", Subject{Kind: GroupChat, ID: "qq:7"}, nil, true, false},
		{"sc06", Subject{Kind: GroupChat, ID: "qq:7"}, []Subject{room}, false, false},
		{"sc07", Subject{Kind: GroupChat, ID: "qq:7", Scope: "custom"}, []Subject{room}, false, false},
		{"sc08", Subject{Kind: "weird", ID: "a", Scope: "b"}, nil, true, false},
		{"sc09", Subject{Kind: GroupChat, ID: "qq:8", Scope: "group_chat:qq:8"}, []Subject{room}, false, false},
		{"sc10", private, []Subject{room}, true, true},

		{"the owner reads private rows", private, nil, true, true},
		{"subjects leave them out", private, []Subject{room}, false, false},
		{"no subject at all reads nothing", private, nil, false, false},
		{"an empty list reads nothing", private, []Subject{}, false, false},
		{"an empty subject is nobody's", private, []Subject{{}}, false, false},
		{"and finds no row of a room", room, []Subject{{}}, false, false},
		{"the scope of a request may be left out", room, []Subject{{Kind: GroupChat, ID: "qq:7"}}, false, true},
		{"the scope of a row may not", Subject{Kind: GroupChat, ID: "qq:7"}, []Subject{{Kind: GroupChat, ID: "qq:7"}}, true, false},
		{"a scope alone", Subject{Scope: "group_chat:qq:7"}, []Subject{room}, true, false},
		{"an id alone", Subject{ID: "qq:7"}, []Subject{room}, true, false},
		{"a kind alone", Subject{Kind: GroupChat}, []Subject{room}, true, false},
		{"a custom scope that is asked for", Subject{Kind: GroupChat, ID: "qq:7", Scope: "custom"}, []Subject{{Kind: GroupChat, ID: "qq:7", Scope: "custom"}}, false, true},
		{"a kind that is none, asked for", Subject{Kind: "weird", ID: "a", Scope: "b"}, []Subject{{Kind: "weird", ID: "a", Scope: "b"}}, true, false},
		{"a person here is not the person anywhere", Subject{Kind: GroupParticipant, ID: "a", Scope: "s"}, []Subject{{Kind: Participant, ID: "a", Scope: "s"}}, false, false},
		{"another case is another room", room, []Subject{{Kind: GroupChat, ID: "QQ:7", Scope: "group_chat:qq:7"}}, false, false},
		{"the second subject", room, []Subject{{Kind: Participant, ID: "a"}, room}, false, true},
		{"a control character in both", Subject{Kind: GroupChat, ID: "a\x00", Scope: "b"}, []Subject{{Kind: GroupChat, ID: "a\x00", Scope: "b"}}, false, false},
		{"blanks for an id in both", Subject{Kind: GroupChat, ID: "  ", Scope: "b"}, []Subject{{Kind: GroupChat, ID: "  ", Scope: "b"}}, false, false},
	}
	for _, tc := range tests {
		if got := tc.row.VisibleTo(tc.subjects, tc.owners); got != tc.want {
			t.Errorf("%s: visible %t, want %t", tc.name, got, tc.want)
		}
	}
}

func TestCheckSubjects(t *testing.T) {
	long := strings.Repeat("ü", 256)
	eight := make([]Subject, 8)
	for i := range eight {
		eight[i] = Subject{Kind: Participant, ID: string(rune('a' + i))}
	}
	tests := []struct {
		name string
		in   []Subject
		want []Subject
		why  string
	}{
		{"scopes are filled in", []Subject{{Kind: GroupChat, ID: "r"}, {Kind: Participant, ID: "a", Scope: "team"}}, []Subject{{GroupChat, "r", "group_chat:r"}, {Participant, "a", "team"}}, ""},
		{"each once, in order", []Subject{{Kind: Participant, ID: "b"}, {Kind: Participant, ID: "a"}, {Participant, "b", "participant:b"}}, []Subject{{Participant, "b", "participant:b"}, {Participant, "a", "participant:a"}}, ""},
		{"256 characters", []Subject{{GroupChat, long, long}}, []Subject{{GroupChat, long, long}}, ""},
		{"none", nil, nil, "a request names at least one subject: without a room or a participant nothing can be read"},
		{"nine", append(slices.Clone(eight), Subject{Kind: Participant, ID: "z"}), nil, "a request names at most 8 subjects, not 9: leave out the last ones"},
		{"an empty one", []Subject{{}}, nil, "subject 1: a subject is of the kind group_chat, participant or group_participant"},
		{"a kind of nobody", []Subject{{Kind: GroupChat, ID: "r"}, {Kind: "all", ID: "*"}}, nil, "subject 2: a subject is of the kind group_chat, participant or group_participant"},
		{"no id", []Subject{{Kind: GroupChat}}, nil, "subject 1: the id of a subject has 1 to 256 characters and no control characters"},
		{"a blank id", []Subject{{Kind: GroupChat, ID: " \u3000"}}, nil, "subject 1: the id of a subject has 1 to 256 characters and no control characters"},
		{"257 characters", []Subject{{GroupChat, long + "x", "s"}}, nil, "subject 1: the id of a subject has 1 to 256 characters and no control characters"},
		{"a scope of 257", []Subject{{GroupChat, "r", long + "x"}}, nil, "subject 1: the scope of a subject has 1 to 256 characters and no control characters: shorten it or the id"},
		{"a scope that grows too long", []Subject{{Kind: GroupChat, ID: long}}, nil, "subject 1: the scope of a subject has 1 to 256 characters and no control characters: shorten it or the id"},
		{"a line end", []Subject{{GroupChat, "r", "a\nb"}}, nil, "subject 1: the scope of a subject has 1 to 256 characters and no control characters: shorten it or the id"},
		{"no UTF-8", []Subject{{Kind: GroupChat, ID: "\xff"}}, nil, "subject 1: the id of a subject has 1 to 256 characters and no control characters"},
	}
	for _, tc := range tests {
		got, err := CheckSubjects(tc.in)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", tc.name, diff)
		}
		var refusal *Refusal
		if why := ""; errors.As(err, &refusal) {
			why = refusal.Reason
			if why != tc.why || refusal.Code != Invalid {
				t.Errorf("%s: %s %q, want %q", tc.name, refusal.Code, why, tc.why)
			}
		} else if tc.why != "" {
			t.Errorf("%s: no refusal, want %q", tc.name, tc.why)
		}
	}
	if got, err := CheckSubjects(eight); err != nil || len(got) != 8 {
		t.Errorf("eight subjects: %d, %v", len(got), err)
	}
}

// TestVisibleToLaws: dropping a subject, or not asking for private rows, never shows
// more; the order of the subjects changes nothing; and a row with a subject is only
// ever shown to that one.
func TestVisibleToLaws(t *testing.T) {
	subject := rapid.Custom(func(t *rapid.T) Subject {
		return Subject{
			Kind:  rapid.SampledFrom([]SubjectKind{"", GroupChat, Participant, GroupParticipant, "weird"}).Draw(t, "kind"),
			ID:    rapid.SampledFrom([]string{"", "a", "b", " ", "a\n"}).Draw(t, "id"),
			Scope: rapid.SampledFrom([]string{"", "group_chat:a", "participant:a", "s"}).Draw(t, "scope"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		row, subjects := subject.Draw(t, "row"), rapid.SliceOfN(subject, 0, 9).Draw(t, "subjects")
		owners := rapid.Bool().Draw(t, "owners")
		seen := row.VisibleTo(subjects, owners)
		for i := range subjects {
			fewer := slices.Delete(slices.Clone(subjects), i, i+1)
			if row.VisibleTo(fewer, owners) && !seen {
				t.Fatalf("without subject %d it shows", i)
			}
		}
		if row.VisibleTo(subjects, false) && !seen {
			t.Fatal("it shows to who does not ask for private rows")
		}
		if row.VisibleTo(rapid.Permutation(subjects).Draw(t, "order"), owners) != seen {
			t.Fatal("the order matters")
		}
		if seen && row != (Subject{}) && !slices.ContainsFunc(subjects, func(s Subject) bool { return s.Kind == row.Kind && s.ID == row.ID }) {
			t.Fatalf("%+v shows to %+v", row, subjects)
		}
	})
}
