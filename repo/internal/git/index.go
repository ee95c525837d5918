package git

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's index format
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// index is git's index of version 2 or 3 as bytes: entries are patched in place,
// because decoding and encoding all of it is what grows with the number of files.
// Extensions are dropped when it is written; git makes them again.
type index struct {
	raw []byte         // header and entries, no extensions, no checksum
	at  map[string]int // path -> offset of its entry
}

var (
	errIndexBroken  = errors.New("index is unreadable")
	errIndexForeign = errors.New("index has a form that only git can write")
	errUnmerged     = errors.New("index holds an unfinished merge")
)

func emptyIndex() *index {
	return &index{raw: []byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"), at: map[string]int{}}
}

// parseIndex reads an index. errIndexBroken: rebuild it; errIndexForeign: version
// 4, split or sparse: leave it to git; errUnmerged: the person's merge is open.
func parseIndex(b []byte) (*index, error) {
	if len(b) < 32 || string(b[:4]) != "DIRC" || !checksumOK(b) {
		return nil, errIndexBroken
	}
	version, count := binary.BigEndian.Uint32(b[4:]), int(binary.BigEndian.Uint32(b[8:]))
	if version == 4 {
		return nil, errIndexForeign
	}
	if version != 2 && version != 3 {
		return nil, errIndexBroken
	}
	x := &index{at: make(map[string]int, min(count, len(b)/62))}
	p, last := 12, ""
	for range count {
		name, size, flags, ok := indexEntry(b, p)
		if !ok || name < last {
			return nil, errIndexBroken
		}
		if flags&0x3000 != 0 {
			return nil, errUnmerged // the one case in which a name stands more than once
		}
		if name == last {
			return nil, errIndexBroken
		}
		x.at[name] = p
		p, last = p+size, name
	}
	x.raw = bytes.Clone(b[:p])
	return x, checkExtensions(b[p : len(b)-20])
}

func checksumOK(b []byte) bool {
	sum := sha1.Sum(b[:len(b)-20]) //nolint:gosec // git's index format
	var none [20]byte              // index.skipHash writes no checksum
	tail := b[len(b)-20:]
	return bytes.Equal(sum[:], tail) || bytes.Equal(none[:], tail)
}

func indexEntry(b []byte, p int) (name string, size int, flags uint16, ok bool) {
	if p+62 > len(b)-20 {
		return "", 0, 0, false
	}
	flags = binary.BigEndian.Uint16(b[p+60:])
	head := 62
	if flags&0x4000 != 0 {
		head = 64
	}
	nul := bytes.IndexByte(b[min(p+head, len(b)):], 0)
	if nul < 0 {
		return "", 0, 0, false
	}
	size = (head + nul + 8) &^ 7
	return string(b[p+head : p+head+nul]), size, flags, p+size <= len(b)-20
}

func checkExtensions(b []byte) error {
	for len(b) >= 8 {
		if b[0] >= 'a' { // lower case: must be understood ("link" split, "sdir" sparse)
			return fmt.Errorf("extension %q: %w", b[:4], errIndexForeign)
		}
		n := 8 + int(binary.BigEndian.Uint32(b[4:]))
		if n > len(b) {
			return errIndexBroken
		}
		b = b[n:]
	}
	return nil
}

// blob gives what is staged for path.
func (x *index) blob(path string) (Hash, bool) {
	p, ok := x.at[path]
	if !ok {
		return Hash{}, false
	}
	var h Hash
	copy(h[:], x.raw[p+40:])
	return h, true
}

// set stages blob for path. Without st the entry gets no file facts, which makes
// git look at the content.
func (x *index) set(path string, blob Hash, st *stat) {
	p, ok := x.at[path]
	if !ok {
		x.makeRoom(path)
		p = x.insert(path)
	}
	e := x.raw[p:]
	clear(e[:40])
	if e[60]&0x40 != 0 {
		e[62] &^= 0x20 // no longer "to be added later"
	}
	if st != nil {
		st.encode(e)
	}
	binary.BigEndian.PutUint32(e[24:], modeFile)
	copy(e[40:60], blob[:])
}

// setAside stages a file that is kept in the history and not in the work tree: git is
// told not to look for it.
func (x *index) setAside(path string, blob Hash, mode uint32) {
	x.set(path, blob, nil)
	e := x.raw[x.at[path]:]
	binary.BigEndian.PutUint32(e[24:], mode)
	e[60] |= 0x80
}

// makeRoom takes out what cannot stand beside path: a file where it has a folder,
// and files in a folder of its name.
func (x *index) makeRoom(path string) {
	for i, c := range path {
		if c == '/' {
			x.remove(path[:i])
		}
	}
	for _, name := range x.paths() {
		if strings.HasPrefix(name, path+"/") {
			x.remove(name)
		}
	}
}

// mode gives the kind of file that is staged for path.
func (x *index) mode(path string) uint32 { return binary.BigEndian.Uint32(x.raw[x.at[path]+24:]) }

func (x *index) paths() []string {
	names := make([]string, 0, len(x.at))
	for name := range x.at {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (x *index) insert(path string) int {
	names := x.paths()
	i := sort.SearchStrings(names, path)
	p := len(x.raw)
	if i < len(names) {
		p = x.at[names[i]]
	}
	e := make([]byte, (62+len(path)+8)&^7)
	copy(e[62:], path)
	binary.BigEndian.PutUint16(e[60:], uint16(min(len(path), 0xfff)))
	x.splice(p, 0, e, 1)
	for _, later := range names[i:] {
		x.at[later] += len(e)
	}
	x.at[path] = p
	return p
}

func (x *index) remove(path string) {
	p, ok := x.at[path]
	if !ok {
		return
	}
	end := len(x.raw)
	for _, q := range x.at {
		if q > p && q < end {
			end = q
		}
	}
	x.splice(p, end-p, nil, -1)
	delete(x.at, path)
	for name, q := range x.at {
		if q > p {
			x.at[name] = q - (end - p)
		}
	}
}

func (x *index) splice(p, drop int, e []byte, count int32) {
	raw := make([]byte, 0, len(x.raw)+len(e)-drop)
	raw = append(append(append(raw, x.raw[:p]...), e...), x.raw[p+drop:]...)
	binary.BigEndian.PutUint32(raw[8:], uint32(int32(binary.BigEndian.Uint32(raw[8:]))+count))
	x.raw = raw
}

// encode gives the whole index file.
func (x *index) encode() []byte {
	sum := sha1.Sum(x.raw) //nolint:gosec // git's index format
	return append(bytes.Clone(x.raw), sum[:]...)
}

// entryStat gives the file facts that the entry was staged with.
func (x *index) entryStat(path string) (stat, bool) {
	p, ok := x.at[path]
	if !ok {
		return stat{}, false
	}
	return decodeStat(x.raw[p:]), true
}

// smudge makes git compare an entry's content: its size no longer fits.
func (x *index) smudge(path string) {
	binary.BigEndian.PutUint32(x.raw[x.at[path]+36:], 0)
}
