package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SubjectKind is whose memory a subject is.
type SubjectKind string

// The kinds of subject.
const (
	GroupChat        SubjectKind = "group_chat"        // a room
	Participant      SubjectKind = "participant"       // a person, wherever they speak
	GroupParticipant SubjectKind = "group_participant" // a person in one room
)

// Subject says whose memory a stored row is, or whose a request may read. Of a request
// the scope may be left out, of a row nothing. A row without any of the three is from
// before there were subjects: it is private to the owner. Who may read what is decided
// by the host's facts about a turn alone and before anything is ranked: no argument of
// a model becomes a Subject.
type Subject struct {
	Kind  SubjectKind `json:"subject_kind,omitempty"`
	ID    string      `json:"subject_id,omitempty"`
	Scope string      `json:"scope,omitempty"`
}

// MaxSubjects is how many subjects one request may name.
const MaxSubjects = 8

const maxSubjectRunes = 256 // characters of an id and of a scope

// Scoped returns the subject of a request with its scope, which is "kind:id" when it
// was left out.
func (s Subject) Scoped() Subject {
	if s.Scope == "" {
		s.Scope = string(s.Kind) + ":" + s.ID
	}
	return s
}

// fault names the rule that a subject with its scope breaks, "" when it breaks none.
func (s Subject) fault() string {
	switch {
	case s.Kind != GroupChat && s.Kind != Participant && s.Kind != GroupParticipant:
		return "a subject is of the kind group_chat, participant or group_participant"
	case !subjectField(s.ID):
		return "the id of a subject has 1 to 256 characters and no control characters"
	case !subjectField(s.Scope):
		return "the scope of a subject has 1 to 256 characters and no control characters: shorten it or the id"
	}
	return ""
}

// subjectField reports whether a text may be an id or a scope. One of blanks alone is
// none: it names nobody.
func subjectField(text string) bool {
	return strings.TrimSpace(text) != "" && utf8.ValidString(text) && utf8.RuneCountInString(text) <= maxSubjectRunes &&
		!strings.ContainsFunc(text, unicode.IsControl)
}

// CheckSubjects returns the subjects of a request with their scopes, each once and in
// their order, which is their priority; or a *Refusal. An empty list is refused: it
// must never come to mean the owner's private memory.
func CheckSubjects(list []Subject) ([]Subject, error) {
	if len(list) == 0 {
		return nil, refuse(Invalid, "a request names at least one subject: without a room or a participant nothing can be read")
	}
	if len(list) > MaxSubjects {
		return nil, refuse(Invalid, "a request names at most %d subjects, not %d: leave out the last ones", MaxSubjects, len(list))
	}
	var checked []Subject
	for i, s := range list {
		s = s.Scoped()
		if fault := s.fault(); fault != "" {
			return nil, refuse(Invalid, "subject %d: %s", i+1, fault)
		}
		if !slices.Contains(checked, s) {
			checked = append(checked, s)
		}
	}
	return checked, nil
}

// VisibleTo reports whether a stored row may be read by a request. A row with a
// subject needs one of the request that is equal in all three fields; a row that lacks
// some of them, or has them malformed, is visible to nobody. The owner's private rows,
// which have none, need includePrivate, however many subjects there are: who asks for
// the owner alone says so, so that a list that happens to be empty reads nothing.
func (s Subject) VisibleTo(subjects []Subject, includePrivate bool) bool {
	if s == (Subject{}) {
		return includePrivate
	}
	return s.fault() == "" && slices.ContainsFunc(subjects, func(q Subject) bool { return q.Scoped() == s })
}
