package repo

import (
	"strings"
	"time"
)

// ID names a workspace: a bot, or `@me`. See policy.CheckID for the form of a bot's.
type ID string

// ChangeID names a change for ever: a ULID of 26 characters, or, for a commit that
// was made without quipu, its 40 hex digits.
type ChangeID string

// AuthorKind is who acted.
type AuthorKind string

// The kinds of author.
const (
	Bot    AuthorKind = "bot"
	Person AuthorKind = "person"
	Upkeep AuthorKind = "upkeep"
	Import AuthorKind = "import"
	Sync   AuthorKind = "sync"
)

// Author is who a change is by. Name is a bot's id or a person's name; upkeep,
// import and sync have none.
type Author struct {
	Kind AuthorKind
	Name string
}

// String gives the trailer's value: "bot scout", "person Ada", "upkeep".
func (a Author) String() string { return strings.TrimSpace(string(a.Kind) + " " + a.Name) }

// ParseAuthor reads what String wrote.
func ParseAuthor(s string) Author {
	kind, name, _ := strings.Cut(strings.TrimSpace(s), " ")
	return Author{Kind: AuthorKind(kind), Name: name}
}

// Action is what a change did.
type Action string

// The actions of this floor.
const (
	ActInit    Action = "init"
	ActUpdate  Action = "update"
	ActEdit    Action = "edit"
	ActDelete  Action = "delete"
	ActOutside Action = "outside"
	ActUndo    Action = "undo"
	ActRedo    Action = "redo"
	ActRestore Action = "restore"
	ActImport  Action = "import"
	ActMerge   Action = "merge"
	ActLog     Action = "log"
	ActSignal  Action = "signal"
	ActSync    Action = "sync"
	ActErase   Action = "erase"
	ActForget  Action = "forget"
	ActPrefer  Action = "prefer"
	// ActDirective changes what may be learned or mentioned.
	ActDirective Action = "directive"
	// ActCapture files what was new in a chat, ActOrganize moves lines to their topics,
	// ActTidy keeps files in shape.
	ActCapture  Action = "capture"
	ActOrganize Action = "organize"
	ActTidy     Action = "tidy"
	// ActReflect files what was drawn from several facts.
	ActReflect Action = "reflect"
	// ActHistory is a change that was made elsewhere, and came here with an import.
	ActHistory Action = "history"
)

// AuthorKinds are the kinds of author that there are.
func AuthorKinds() []AuthorKind { return []AuthorKind{Bot, Person, Upkeep, Import, Sync} }

// Actions are the actions that there are, those a person looks for first.
func Actions() []Action {
	return []Action{
		ActUpdate, ActEdit, ActDelete, ActOutside, ActUndo, ActRedo, ActRestore, ActForget, ActPrefer, ActCapture, ActOrganize,
		ActTidy, ActReflect, ActImport, ActHistory, ActInit, ActMerge, ActLog, ActSignal, ActSync, ActErase, ActDirective,
	}
}

// Via is by which door a change came in.
type Via string

// The doors.
const (
	ViaUI     Via = "ui"
	ViaCLI    Via = "cli"
	ViaAPI    Via = "api"
	ViaMCP    Via = "mcp"
	ViaTurn   Via = "turn"
	ViaDisk   Via = "disk"
	ViaRevert Via = "revert"
	ViaImport Via = "import"

	ViaCapture  Via = "capture"
	ViaOrganize Via = "organize"
	ViaTidy     Via = "tidy"
	ViaSync     Via = "sync"
)

// Meta says who makes a change and why. The zero Action is filled in by the method.
type Meta struct {
	Author Author
	Source string // `chat "Plans"`; redacted and folded to one line before it is kept
	Action Action
	Via    Via
	Turn   string
	Quote  string
	DryRun bool // plan only: the receipt says what would be written
}

// Row is one file of one change, as a person reads the journal. JSON names are
// those of document 000; At is in milliseconds, hashes are SHA-256 in hex of the
// UTF-8 text, null where there was no file.
type Row struct {
	ID         string    `json:"id"` // the change's id, or id.N for the N-th file of several
	At         int64     `json:"at"`
	BotID      ID        `json:"botId"`
	Path       string    `json:"path"`
	Actor      string    `json:"actor"` // bot, person, import, upkeep, sync
	Who        string    `json:"who,omitempty"`
	Via        string    `json:"via"`
	Kind       string    `json:"kind"` // created, edited, deleted; erased: nothing of the change is left
	BeforeHash *string   `json:"beforeHash"`
	AfterHash  *string   `json:"afterHash"`
	Diff       string    `json:"diff"`
	Added      int       `json:"added"`
	Removed    int       `json:"removed"`
	CanRevert  bool      `json:"canRevert"`
	Reason     string    `json:"revertUnavailableReason,omitempty"`
	Change     ChangeID  `json:"change"`
	Commit     string    `json:"commit"`
	Source     string    `json:"source"`
	Action     string    `json:"action"`
	Subject    string    `json:"subject"`
	Undoes     ChangeID  `json:"undoes,omitempty"`
	UndoneBy   ChangeID  `json:"undoneBy,omitempty"`
	Turn       string    `json:"turn,omitempty"`
	Quote      string    `json:"quote,omitempty"`
	AtTime     time.Time `json:"-"` // At with its zone, as the commit has it
}

// Receipt is what a write answers: from here the change is durable.
type Receipt struct {
	Change  ChangeID `json:"change,omitempty"` // empty when nothing was written
	Commit  string   `json:"commit,omitempty"`
	Rows    []Row    `json:"entries,omitempty"`
	Entry   string   `json:"entry,omitempty"` // the entry as written, after redaction
	Known   bool     `json:"known,omitempty"` // an exact duplicate: Entry quotes the one that stands
	Moved   []string `json:"moved,omitempty"`
	Removed []string `json:"removed,omitempty"`
	// Retired are notes of any topic that the new one takes the place of, and Conflicts those
	// that speak against it and stay, where the rules weigh it against all.
	Retired   []string `json:"retired,omitempty"`
	Conflicts []string `json:"conflicts,omitempty"`
	Kept      string   `json:"kept,omitempty"` // what was still true of a superseded note, as its own entry
	// Truncated says that MEMORY.md is over its budget and its end does not load.
	Truncated bool       `json:"truncated,omitempty"`
	Message   string     `json:"message,omitempty"`  // one plain line for the bot
	Redacted  int        `json:"redacted,omitempty"` // places masked as credentials
	Outside   []ChangeID `json:"outside,omitempty"`  // edits made outside that were taken in first
	Undone    ChangeID   `json:"undone,omitempty"`   // by undo and redo: the change that was reversed
	DryRun    bool       `json:"dryRun,omitempty"`
	Notes     []string   `json:"notes,omitempty"` // sentences for the person: what was repaired or left out
}

// Text is one file's text as it may be shown: credentials masked.
type Text struct {
	Path   string `json:"path"`
	Text   string `json:"text"`
	Hash   string `json:"hash"` // SHA-256, hex, of Text
	Exists bool   `json:"exists"`
	// Invalid says that the file is not UTF-8: JSON cannot carry it as it is.
	Invalid bool `json:"-"`
}

// FileInfo is one topic, the archive or a day log in a listing.
type FileInfo struct {
	Path        string    `json:"path"`
	Name        string    `json:"name"`
	Bytes       int       `json:"bytes"`
	ModifiedAt  time.Time `json:"modifiedAt"`
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Aliases     []string  `json:"aliases,omitempty"`
}
