package side

// schemaVersion is raised with every change of the tables or of what is put into
// them; a file with another version is made again.
const schemaVersion = 3

// applicationID marks the file as ours: "qupu" as a 32-bit number.
const applicationID = 0x71757075

// keyBits is how many low bits of a key number the files or units of one change;
// the bits above are the change's position. It keeps the rows of a change
// together and lets a range of keys stand for a range of positions.
const keyBits = 24

// The operations of a unit row. Those below opRemoved wrote the unit.
const (
	opAdded = iota
	opChanged
	opMoved
	opRemoved
)

// shown are the changes that a journal lists when it is asked for nothing else: those with
// something to show that are no bookkeeping. Written as here, it is found in the index.
const shown = `action NOT IN ('log', 'signal', 'sync', 'merge', 'erase') AND (files > 0 OR substr(subject, -8) = '(erased)')`

// Schema makes the tables; the file of the index has its words.
//
// change: one row a commit, pos from 1 without gaps; main marks the first-parent
// line of the head.
//
// file: one row for each memory file of a change against its first parent.
//
// unit: what a change did to one entry or line. sum is the unit's text as a
// number; pred the sum of the text that it came from and src the path where that
// stood, when another; root the key of the row where its chain begins, which
// carries the text as first written.
//
// gram: for each block of changes their signatures, one after the other: see signature.
// Damage in them would show nowhere, so they carry a sum.
const Schema = `
CREATE TABLE meta (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	head BLOB NOT NULL,
	scrub INTEGER NOT NULL
);
INSERT INTO meta VALUES (1, x'', 0);
CREATE TABLE change (
	pos INTEGER PRIMARY KEY,
	main INTEGER NOT NULL,
	hash BLOB NOT NULL,
	tree BLOB NOT NULL,
	parents BLOB NOT NULL,
	id TEXT NOT NULL,
	at INTEGER NOT NULL,
	zone INTEGER NOT NULL,
	kind TEXT NOT NULL,
	name TEXT NOT NULL,
	author TEXT NOT NULL,
	source TEXT NOT NULL,
	action TEXT NOT NULL,
	via TEXT NOT NULL,
	undoes TEXT NOT NULL,
	turn TEXT NOT NULL,
	quote TEXT NOT NULL,
	subject TEXT NOT NULL,
	outside INTEGER NOT NULL,
	files INTEGER NOT NULL
);
CREATE UNIQUE INDEX change_hash ON change (hash);
CREATE INDEX change_id ON change (id);
CREATE INDEX change_at ON change (at, main);
CREATE INDEX change_shown ON change (kind, at) WHERE ` + shown + `;
CREATE INDEX change_undoes ON change (undoes) WHERE undoes <> '';
CREATE INDEX change_outside ON change (pos) WHERE outside;
CREATE TABLE path (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE
);
CREATE TABLE file (
	key INTEGER PRIMARY KEY,
	path INTEGER NOT NULL,
	before BLOB,
	after BLOB,
	before_sum BLOB,
	after_sum BLOB,
	before_size INTEGER NOT NULL,
	after_size INTEGER NOT NULL,
	after_lines INTEGER NOT NULL,
	added INTEGER NOT NULL,
	removed INTEGER NOT NULL,
	diff TEXT NOT NULL
);
CREATE INDEX file_path ON file (path, key);
CREATE TABLE unit (
	key INTEGER PRIMARY KEY,
	path INTEGER NOT NULL,
	op INTEGER NOT NULL,
	sum INTEGER NOT NULL,
	pred INTEGER,
	src INTEGER,
	root INTEGER,
	text TEXT
);
CREATE INDEX unit_sum ON unit (sum, path, key) WHERE op < 3;
CREATE TABLE gram (
	block INTEGER PRIMARY KEY,
	crc INTEGER NOT NULL,
	bits BLOB NOT NULL
);
`

// settings hold for one connection. The index is derived, so a commit need not
// reach the disk at once (NORMAL); what is deleted is overwritten, because an
// erased note must not stay readable in a free page.
const settings = `
PRAGMA busy_timeout = 50;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -2000;
`

// firstKey is the lowest key of the change at pos; the rows of earlier changes
// are all below it.
func firstKey(pos int64) int64 { return pos << keyBits }
