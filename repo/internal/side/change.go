package side

import (
	"encoding/hex"
	"regexp"
	"strings"
	"time"

	"quipu/repo/internal/git"
)

// Change is one commit as the journal needs it.
type Change struct {
	Pos     int64 // its place in the order of the history, from 1
	Hash    git.Hash
	Tree    git.Hash
	Parents []git.Hash
	// ID is the value of Memory-Change, or the commit's 40 hex digits when it has
	// none or an older change has the same.
	ID         string
	At         time.Time // the author's time with its zone
	AuthorKind string    // bot, person, upkeep, import, sync
	AuthorName string    // a bot's id, a person's name
	GitAuthor  string    // "Ada <ada@example.org>"
	Source     string
	Action     string
	Via        string
	Undoes     string // the ID of the change that this one reverses
	UndoneBy   string // the ID of the newest change that reverses this one and stands itself
	Turn       string
	Quote      string // the quotes of the change, a line each; "-" for an entry that rests on none
	Subject    string
	Foreign    bool   // made without quipu: its texts were not masked, whatever its message says
	Touched    int    // how many memory files the change touched
	Files      []File // those that the call asked for, in write order
}

// File is what a change did to one memory file, against the first parent.
type File struct {
	N             int // the place in the change's write order, from 1
	Path          string
	Kind          string // created, edited, deleted
	Before, After git.Hash
	// BeforeSum and AfterSum are the SHA-256 of the text in hex; "" where there is
	// no file, or where its text is not in the repository.
	BeforeSum, AfterSum string
	BeforeSize          int64 // bytes
	Added, Removed      int   // lines
	Diff                string
}

// The kinds of a File.
const (
	created = "created"
	edited  = "edited"
	deleted = "deleted"
)

func kindOf(before, after git.Hash) string {
	switch {
	case before.IsZero():
		return created
	case after.IsZero():
		return deleted
	}
	return edited
}

const (
	idLen  = 26 // a ULID's characters
	hexLen = 40 // a commit's
)

// ofCommit reads what a commit says about itself. ID is what its trailer says;
// whether an older change has it already is for the caller to see.
func ofCommit(c *git.Commit) Change {
	said := trailers(c.Message)
	id, ours := canonicalID(said["Memory-Change"])
	if id == "" {
		id = c.Hash.String()
	}
	ch := Change{
		Hash: c.Hash, Tree: c.Tree, Parents: c.Parents,
		ID: id, At: c.Author.When,
		GitAuthor: clean(c.Author.Name + " <" + c.Author.Email + ">"),
		Source:    said["Memory-Source"],
		Action:    said["Memory-Action"],
		Via:       said["Memory-Via"],
		Undoes:    said["Memory-Undoes"],
		Turn:      said["Memory-Turn"],
		Quote:     said["Memory-Quote"],
		Subject:   subject(c.Message),
		Foreign:   !ours || c.Committer.Email != git.CommitterEmail,
	}
	ch.AuthorKind, ch.AuthorName, _ = strings.Cut(said["Memory-Author"], " ")
	if ch.AuthorKind == "" || ch.Foreign && ch.AuthorKind == "person" {
		ch.AuthorKind, ch.AuthorName = "person", clean(c.Author.Name)
	}
	if ch.Action == "" {
		ch.Action = "outside"
	}
	if id, _ := canonicalID(ch.Undoes); id != "" {
		ch.Undoes = id
	}
	if ch.Undoes == "" && ch.Foreign {
		ch.Undoes = reverted(c.Message)
	}
	return ch
}

// trailers keeps the first value of each key, but every quote: a capture has one for
// each fact.
func trailers(message string) map[string]string {
	said := map[string]string{}
	for _, t := range git.Trailers(message) {
		if have, ok := said[t.Key]; !ok {
			said[t.Key] = clean(t.Value)
		} else if t.Key == "Memory-Quote" {
			said[t.Key] = have + "\n" + clean(t.Value)
		}
	}
	return said
}

// canonicalID gives an id in the case in which it is kept: a ULID in capitals, a
// hash in small letters. "" for anything else; ours tells a ULID, which only
// quipu gives, from the hash that an erase leaves on a person's commit.
func canonicalID(s string) (id string, ours bool) {
	switch {
	case len(s) == idLen && alphanumeric(s):
		return strings.ToUpper(s), true
	case len(s) == hexLen && isHex(s):
		return strings.ToLower(s), false
	}
	return "", false
}

func alphanumeric(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

func isHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// subject is the first paragraph on one line, as git shows it.
func subject(message string) string {
	text := strings.TrimLeft(clean(message), " \t\r\n")
	text, _, _ = strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	return strings.Join(strings.Fields(text), " ")
}

// clean makes a commit's text fit for a row: a person's git allows any bytes.
func clean(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
}

// revertLine is what `git revert` writes into a message.
var revertLine = regexp.MustCompile(`(?m)^This reverts commit ([0-9a-f]{40})\b`)

// reverted is the hash of the commit that a person's `git revert` reversed.
func reverted(message string) string {
	if m := revertLine.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

// hashOf reads 20 bytes or none.
func hashOf(raw []byte) (h git.Hash) {
	copy(h[:], raw)
	return h
}

// raw is what a hash is kept as: 20 bytes, NULL for none.
func raw(h git.Hash) []byte {
	if h.IsZero() {
		return nil
	}
	return h[:]
}

func hexSum(sum []byte) string { return hex.EncodeToString(sum) }
