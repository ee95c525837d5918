package repo

import "time"

// Query chooses journal rows. The zero value is the newest 50 of every kind but
// log, signal, sync and merge changes.
type Query struct {
	Path   string
	Author AuthorKind
	Action Action
	Words  string    // every word must occur in the subject, source, file name or a changed line, case folded
	Since  time.Time // inclusive
	Until  time.Time // inclusive
	Before ChangeID  // only changes older than this one; given a row's id, the rows after it: paging
	Change ChangeID  // only this one
	Limit  int       // rows; 0 is 50, at most 1,000
	All    bool      // log, signal, sync, merge and erase changes too
	// Note is the one note that the changes touched, as NoteHistory takes it. Nothing but
	// Path, Limit and All goes with it, and it says in which files the rows are.
	Note string
}

// Mode is how an undo works.
type Mode string

const (
	// Revert reverses the whole change by entries and keeps later edits.
	Revert Mode = "revert"
	// Restore puts each file (or, with ULID.N, that one) back to the text before the change.
	Restore Mode = "restore"
)

// Blamed says who taught one entry or hand-written line of a file.
type Blamed struct {
	Line    int       `json:"line"`
	Text    string    `json:"text"` // as it stands in the file
	Change  ChangeID  `json:"change"`
	Commit  string    `json:"commit"`
	At      time.Time `json:"at"`
	Actor   string    `json:"actor"`
	Who     string    `json:"who,omitempty"`
	Source  string    `json:"source,omitempty"`
	Action  string    `json:"action"`
	Quote   string    `json:"quote,omitempty"`
	First   ChangeID  `json:"first"` // the change that first taught it, before edits and moves
	FirstAt time.Time `json:"firstAt"`
	Words   string    `json:"words,omitempty"` // its text when it was first taught
}

// Finding is one fault that doctor or verify found, or a fact worth knowing.
type Finding struct {
	Level string `json:"level"` // error, warning, note
	Where string `json:"where"`
	What  string `json:"what"`
	Fix   string `json:"fix,omitempty"` // one command or sentence
}

// Status is a workspace at a glance.
type Status struct {
	BotID    ID        `json:"botId"`
	Name     string    `json:"name,omitempty"`
	Path     string    `json:"path"`
	History  string    `json:"history"`
	Branch   string    `json:"branch"`
	Changes  int       `json:"changes"`
	Last     *Row      `json:"last,omitempty"`
	Outside  []string  `json:"outside"` // paths edited outside that are not yet taken in
	Ready    bool      `json:"ready"`   // a write would be accepted now
	Reason   string    `json:"reason,omitempty"`
	Findings []Finding `json:"findings"`
	Topics   int       `json:"topics"`
	Logs     int       `json:"logs"`
	// Remote is how it stands to its remote; nil where none is set.
	Remote *SyncState `json:"remote,omitempty"`
}

// Details is one change in full: its rows with their diffs, and how it was said.
type Details struct {
	Row   Row    `json:"change"` // of its first file; Path is empty when it touched none
	Rows  []Row  `json:"entries"`
	Body  string `json:"message"` // the whole commit message
	Files []Text `json:"-"`
}
