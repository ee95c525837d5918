package git

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // a checksum
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// rewriteMark is what must survive a crash once the new history is complete and
// synced: from its rename into place on, the new history is what counts. It holds
// names of refs and objects, and no text.
//
//	quipu-rewrite 1
//	id ID
//	head OLD NEW refs/heads/BRANCH
//	pack NAME
//	stay NAME              (a pack that stays as it is)
//	goes NAME              (a pack that goes)
//	loose NAME             (a loose object that stays; all others go)
//	ref OLD NEW REF        (NEW is zero where the ref goes)
//	commit OLD NEW         (NEW is zero where the commit went)
//	end SHA-1 of the lines before
type rewriteMark struct {
	id     string
	head   refMove // the branch that is checked out
	pack   string  // "" when no object is new
	stay   []string
	goes   []string
	loose  []Hash
	moves  []refMove
	change map[Hash]Hash
}

const markTitle = "quipu-rewrite 1\n"

var errMark = errors.New("the marker of an erase is unreadable")

func (m *rewriteMark) encode() []byte {
	b := fmt.Appendf(nil, "%sid %s\nhead %s %s %s\npack %s\n", markTitle, m.id, m.head.old, m.head.new, m.head.ref, m.pack)
	for _, name := range m.stay {
		b = fmt.Appendf(b, "stay %s\n", name)
	}
	for _, name := range m.goes {
		b = fmt.Appendf(b, "goes %s\n", name)
	}
	for _, h := range m.loose {
		b = fmt.Appendf(b, "loose %s\n", h)
	}
	for _, f := range m.moves {
		b = fmt.Appendf(b, "ref %s %s %s\n", f.old, f.new, f.ref)
	}
	for _, old := range slices.SortedFunc(maps.Keys(m.change), compareHash) {
		b = fmt.Appendf(b, "commit %s %s\n", old, m.change[old])
	}
	return fmt.Appendf(b, "end %x\n", sha1.Sum(b)) //nolint:gosec // a checksum
}

func decodeMark(b []byte) (*rewriteMark, error) {
	at := bytes.LastIndex(b, []byte("\nend "))
	if at < 0 || !bytes.HasPrefix(b, []byte(markTitle)) {
		return nil, errMark
	}
	body, sum := b[:at+1], b[at+len("\nend "):]
	if fmt.Sprintf("%x\n", sha1.Sum(body)) != string(sum) { //nolint:gosec // a checksum
		return nil, errMark
	}
	m := &rewriteMark{change: map[Hash]Hash{}}
	for line := range strings.Lines(string(body[len(markTitle):])) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !m.line(key, value) {
			return nil, errMark
		}
	}
	return m, nil
}

func (m *rewriteMark) line(key, value string) (ok bool) {
	switch key {
	case "id":
		m.id = value
	case "pack":
		m.pack = value
	case "stay":
		m.stay = append(m.stay, value)
	case "goes":
		m.goes = append(m.goes, value)
	case "loose":
		h, ok := ParseHash(value)
		m.loose = append(m.loose, h)
		return ok
	case "head":
		m.head, ok = parseMove(value)
		return ok
	case "ref":
		f, ok := parseMove(value)
		m.moves = append(m.moves, f)
		return ok
	case "commit":
		f, ok := parseMove(value)
		m.change[f.old] = f.new
		return ok
	}
	return true
}

func parseMove(s string) (refMove, bool) {
	from, rest, _ := strings.Cut(s, " ")
	to, ref, _ := strings.Cut(rest, " ")
	a, ok1 := ParseHash(from)
	b, ok2 := ParseHash(to)
	return refMove{ref: ref, old: a, new: b}, ok1 && ok2
}

func (r *Repo) markPath() string { return filepath.Join(r.rewriteDir(), "marker") }

// writeMark puts the marker in place: the one step that decides.
func (r *Repo) writeMark(m *rewriteMark) error {
	if err := r.disk.writeSynced(r.markPath()+".new", m.encode()); err != nil {
		return err
	}
	if err := r.disk.rename(r.markPath()+".new", r.markPath()); err != nil {
		return err
	}
	if err := r.disk.syncPath(r.rewriteDir()); err != nil {
		return fmt.Errorf("%w: %w", errUnfinished, err)
	}
	return nil
}

// rewriteStopped says whether an erase stopped behind the point from which it is
// finished.
func (r *Repo) rewriteStopped() bool {
	_, err := os.Lstat(r.markPath())
	return err == nil
}

// LastRewrite gives the ID of the rewriting that was finished last, by this process or
// by the recovery of one that a crash cut short, and the new names of the commits that
// it changed; zero for those that went. ok is false when there was none.
func (r *Repo) LastRewrite() (id string, change map[Hash]Hash, ok bool, err error) {
	b, err := os.ReadFile(r.lastPath())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, false, nil
	}
	if err != nil {
		return "", nil, false, err
	}
	m, err := decodeMark(b)
	if err != nil {
		return "", nil, false, err
	}
	return m.id, m.change, true, nil
}

func (r *Repo) lastPath() string { return filepath.Join(r.own, "rewritten") }
