package turns

import (
	"fmt"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// schemaVersion is raised with every change of the tables.
const schemaVersion = 2

// applicationID marks the file as ours: "qupt" as a 32-bit number.
const applicationID = 0x71757074

// analysis names how words are cut and folded. The full text can only be corrected
// with the very words that were put in, so a file of another analysis is indexed anew.
func analysis() string {
	const version = 1 // raised with every change of word.go
	return fmt.Sprintf("%d unicode %s norm %s", version, unicode.Version, norm.Version)
}

// schema makes the tables.
//
// meta: seq numbers the turns in the order in which they ended; scrub counts the
// deletions whose bytes may still lie in free space, 0 when there are none.
//
// bot: cut counts its deletions, so that a reader of Follow learns of them.
//
// turn: key grows with the order of Begin. kind, started_by and room are the facts
// from which scope is decided; room is JSON or empty.
//
// message: key is the time in milliseconds and a number below it (see keyAt), so
// that newest first is the order of the keys and a span of time is a range of them.
// tier and trust are the host's word on the speaker; trust is NULL where it said none.
// deed marks the line that says what the bot did. bot and conversation repeat the
// turn's, for the brief.
//
// found: the full text. words is the analysed text, place who may find it (scope.go).
// It holds no copy of the text, and SQLite cuts it at blanks only.
const schema = `
CREATE TABLE meta (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	analysis TEXT NOT NULL,
	seq INTEGER NOT NULL,
	scrub INTEGER NOT NULL
);
CREATE TABLE bot (
	key INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT NOT NULL UNIQUE,
	cut INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE conversation (
	key INTEGER PRIMARY KEY AUTOINCREMENT,
	bot INTEGER NOT NULL,
	id TEXT NOT NULL,
	title TEXT NOT NULL,
	UNIQUE (bot, id)
);
CREATE TABLE turn (
	key INTEGER PRIMARY KEY,
	bot INTEGER NOT NULL,
	conversation INTEGER NOT NULL,
	id TEXT NOT NULL,
	state INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	waiting INTEGER NOT NULL,
	kind TEXT NOT NULL,
	started_by TEXT NOT NULL,
	room TEXT NOT NULL,
	by TEXT NOT NULL,
	speaker_id TEXT NOT NULL,
	speaker TEXT NOT NULL,
	message TEXT NOT NULL,
	started INTEGER NOT NULL,
	ended INTEGER NOT NULL,
	tools TEXT NOT NULL,
	failed INTEGER NOT NULL,
	changes TEXT NOT NULL,
	tier TEXT NOT NULL DEFAULT '',
	trust REAL,
	UNIQUE (bot, id)
);
CREATE INDEX turn_conversation ON turn (conversation);
CREATE INDEX turn_open ON turn (bot) WHERE state = 0;
CREATE INDEX turn_ended ON turn (bot, seq) WHERE state > 0;
CREATE INDEX turn_waiting ON turn (bot, seq) WHERE waiting = 1;
CREATE TABLE message (
	key INTEGER PRIMARY KEY,
	turn INTEGER NOT NULL,
	n INTEGER NOT NULL,
	bot INTEGER NOT NULL,
	conversation INTEGER NOT NULL,
	deed INTEGER NOT NULL,
	by TEXT NOT NULL,
	speaker_id TEXT NOT NULL,
	speaker TEXT NOT NULL,
	text TEXT NOT NULL,
	tier TEXT NOT NULL DEFAULT '',
	trust REAL
);
CREATE INDEX message_turn ON message (turn, n);
CREATE INDEX message_self ON message (bot, key, conversation) WHERE by = 'self';
CREATE TABLE told (
	bot INTEGER NOT NULL,
	room TEXT NOT NULL,
	conversation INTEGER NOT NULL,
	PRIMARY KEY (bot, room, conversation)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE found USING fts5 (words, place, content = '', columnsize = 0, tokenize = "ascii tokenchars '+#-'");
` + speakers

// speakers finds what one account said.
const speakers = `
CREATE INDEX turn_speaker ON turn (bot, speaker_id) WHERE speaker_id != '';
CREATE INDEX message_speaker ON message (bot, speaker_id) WHERE speaker_id != '';
`

// withSpeakers brings a file of schema 1 to schema 2: its rows stay as they are, and how
// far their speakers were trusted is not known.
const withSpeakers = `
ALTER TABLE turn ADD COLUMN tier TEXT NOT NULL DEFAULT '';
ALTER TABLE turn ADD COLUMN trust REAL;
ALTER TABLE message ADD COLUMN tier TEXT NOT NULL DEFAULT '';
ALTER TABLE message ADD COLUMN trust REAL;
` + speakers

// The states of a turn.
const (
	stateOpen = iota
	stateLapsed
	stateEnded
)

// keyBits is how many low bits of a message's key number what was said in one
// millisecond.
const keyBits = 20

// lastMilli is the last moment that a key can hold, in the year 2248.
const lastMilli = 1<<(63-keyBits) - 1

// keyAt is the lowest key of a moment.
func keyAt(milli int64) int64 { return min(max(milli, 0), lastMilli) << keyBits }

// momentOf is the time of a key.
func momentOf(key int64) time.Time { return time.UnixMilli(key >> keyBits).UTC() }

// inTime reports whether a moment can be kept.
func inTime(t time.Time) bool { return t.UnixMilli() > 0 && t.UnixMilli() <= lastMilli }
