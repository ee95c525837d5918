package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SubjectKind is whose memory a layer is.
type SubjectKind string

// The kinds of subject.
const (
	GroupChat   SubjectKind = "room"   // a room
	Participant SubjectKind = "member" // a person, wherever they speak with the bot
)

// Subject says whose memory a layer of a bot is. The zero Subject is nobody's: the
// owner's private notes, which are the bot's own, have none. Which subjects a turn reads
// is decided by the host's facts about it alone and before anything is ranked: no argument
// of a model becomes a Subject.
type Subject struct {
	Kind SubjectKind `json:"kind"`
	ID   string      `json:"id"` // the host's, of the room or the person
}

// MaxSubjects is how many subjects one turn may read.
const MaxSubjects = 8

// MaxSubjectID is how long the id of a subject may be, in bytes.
const MaxSubjectID = 64

// Valid reports whether a subject names somebody: it is of a kind there is, and its id is
// plain text of 1 to 64 bytes that is not blank.
func (s Subject) Valid() bool {
	return (s.Kind == GroupChat || s.Kind == Participant) && len(s.ID) <= MaxSubjectID && strings.TrimSpace(s.ID) != "" &&
		utf8.ValidString(s.ID) && !strings.ContainsFunc(s.ID, unicode.IsControl)
}
