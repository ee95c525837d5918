package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // git's pack format
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// packWriter writes one pack, object by object, in a folder that no reader looks
// into.
type packWriter struct {
	disk    *disk
	path    string // without its ending
	f       *os.File
	buf     []byte // not written yet
	off     int64  // where the next object goes
	entries []packEntry
	at      map[Hash]int
	chains  []*chain // that hold a text
	held    int      // bytes of them
	z       *zlib.Writer
	zipped  bytes.Buffer
}

type packEntry struct {
	hash  Hash
	off   int64
	crc   uint32
	depth int  // of its chain of deltas
	copy  bool // as it stood in an old pack
}

// chain is the newest object of one path, which the next one becomes a delta of.
type chain struct {
	at  int // in entries
	raw []byte
}

const (
	// packDepth bounds how many deltas a reader walks: one in so many versions of a
	// file is whole, which costs a few megabytes in ten thousand commits.
	packDepth  = 24
	packBuffer = 1 << 20
	packChains = 64 << 20 // bytes of texts held for deltas to come
)

func newPackWriter(d *disk, path string) (*packWriter, error) {
	if err := d.ask("create", path+".pack"); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".pack", os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	w := &packWriter{disk: d, path: path, f: f, at: map[Hash]int{}, off: 12}
	w.buf = append(w.buf, "PACK\x00\x00\x00\x02\x00\x00\x00\x00"...)
	w.z, err = zlib.NewWriterLevel(&w.zipped, zlib.BestSpeed)
	return w, err
}

func (w *packWriter) has(h Hash) bool {
	_, ok := w.at[h]
	return ok
}

// add writes an object, once. c, which may be nil, is the chain of its path.
func (w *packWriter) add(k Kind, h Hash, raw []byte, c *chain) error {
	if i, ok := w.at[h]; ok {
		w.hold(c, i, raw)
		return nil
	}
	e := packEntry{hash: h}
	var delta []byte
	if c != nil && c.raw != nil && w.entries[c.at].depth < packDepth {
		delta = makeDelta(c.raw, raw)
	}
	var head []byte
	body := raw
	if delta != nil {
		body = delta
		e.depth = w.entries[c.at].depth + 1
		head = appendPackOffset(packHead(packOffsetDelta, len(delta)), w.off-w.entries[c.at].off)
	} else {
		head = packHead(byte(k), len(raw))
	}
	w.zipped.Reset()
	w.z.Reset(&w.zipped)
	if _, err := w.z.Write(body); err != nil {
		return err
	}
	if err := w.z.Close(); err != nil {
		return err
	}
	w.hold(c, len(w.entries), raw)
	return w.append(e, head, w.zipped.Bytes())
}

// append writes an entry: its head, and what is compressed of it.
func (w *packWriter) append(e packEntry, head, zipped []byte) error {
	e.off = w.off
	e.crc = crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, zipped)
	w.buf = append(append(w.buf, head...), zipped...)
	w.off += int64(len(head) + len(zipped))
	w.at[e.hash] = len(w.entries)
	w.entries = append(w.entries, e)
	if len(w.buf) < packBuffer {
		return nil
	}
	return w.flush()
}

// copy writes an object as another pack holds it. done is false when its delta's base
// is not there.
func (w *packWriter) copy(h Hash, r packed, base Hash) (done bool, err error) {
	e := packEntry{hash: h, copy: true}
	if !r.delta() {
		return true, w.append(e, packHead(r.kind, r.size), r.zipped)
	}
	i, ok := w.at[base]
	if !ok {
		return false, nil
	}
	e.depth = w.entries[i].depth + 1
	return true, w.append(e, appendPackOffset(packHead(packOffsetDelta, r.size), w.off-w.entries[i].off), r.zipped)
}

// hold makes an object the newest of its path.
func (w *packWriter) hold(c *chain, at int, raw []byte) {
	if c == nil || len(raw) > packChains/8 {
		return
	}
	if c.raw == nil {
		w.chains = append(w.chains, c)
	}
	w.held += len(raw) - len(c.raw)
	c.at, c.raw = at, raw
	if w.held > packChains {
		for _, c := range w.chains {
			c.raw = nil
		}
		w.chains, w.held = nil, 0
	}
}

// packHead begins an entry: its kind, and the size of what is compressed.
func packHead(kind byte, size int) (b []byte) {
	c := kind<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		b = append(b, c|0x80)
		c = byte(size & 0x7f)
	}
	return append(b, c)
}

func appendPackOffset(b []byte, off int64) []byte {
	var t [10]byte
	i := len(t) - 1
	t[i] = byte(off & 0x7f)
	for off >>= 7; off > 0; off >>= 7 {
		off--
		i--
		t[i] = 0x80 | byte(off&0x7f)
	}
	return append(b, t[i:]...)
}

func (w *packWriter) flush() error {
	if err := w.disk.ask("write", w.f.Name()); err != nil {
		_, werr := w.f.Write(w.buf[:len(w.buf)/2])
		return errors.Join(err, werr)
	}
	_, err := w.f.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

// reader gives what was written so far as a pack to read from.
func (w *packWriter) reader(cache *packCache, z *unzipper) (*packFile, error) {
	p := &packFile{name: w.path, f: w.f, cache: cache, z: z}
	for _, e := range w.entries {
		p.ends = append(p.ends, e.off)
	}
	p.ends = append(p.ends, w.off)
	return p, w.flush()
}

// seal writes the number of objects and the checksum, which it gives.
func (w *packWriter) seal() (trailer []byte, err error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	if err := w.disk.pwrite(w.f, binary.BigEndian.AppendUint32(nil, uint32(len(w.entries))), 8); err != nil {
		return nil, err
	}
	sum := sha1.New() //nolint:gosec // git's pack format
	if _, err := io.Copy(sum, io.NewSectionReader(w.f, 0, w.off)); err != nil {
		return nil, err
	}
	trailer = sum.Sum(nil)
	return trailer, w.disk.pwrite(w.f, trailer, w.off)
}

// finish seals the pack, writes its index, and syncs them. It gives the pack's name.
func (w *packWriter) finish() (name string, err error) {
	trailer, err := w.seal()
	if err != nil {
		return "", err
	}
	if err := w.disk.datasync(w.f); err != nil {
		return "", err
	}
	name = "pack-" + hex.EncodeToString(trailer)
	dir := filepath.Dir(w.path)
	if err := w.disk.writeSynced(w.path+".idx", w.index(trailer)); err != nil {
		return "", err
	}
	for _, ending := range []string{".pack", ".idx"} {
		if err := os.Chmod(w.path+ending, 0o400); err != nil {
			return "", err
		}
		if err := w.disk.rename(w.path+ending, filepath.Join(dir, name+ending)); err != nil {
			return "", err
		}
	}
	return name, w.disk.syncPath(dir)
}

// index makes the pack's index, version 2.
func (w *packWriter) index(trailer []byte) []byte {
	entries := slices.SortedFunc(slices.Values(w.entries), func(a, b packEntry) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	b := []byte("\xfftOc\x00\x00\x00\x02")
	n := 0
	for i := range 256 {
		for n < len(entries) && int(entries[n].hash[0]) <= i {
			n++
		}
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	for i := range entries {
		b = append(b, entries[i].hash[:]...)
	}
	for _, e := range entries {
		b = binary.BigEndian.AppendUint32(b, e.crc)
	}
	var large []byte
	for _, e := range entries {
		off := uint32(e.off)
		if e.off >= 1<<31 {
			off = 1<<31 | uint32(len(large)/8)
			large = binary.BigEndian.AppendUint64(large, uint64(e.off))
		}
		b = binary.BigEndian.AppendUint32(b, off)
	}
	b = append(append(b, large...), trailer...)
	sum := sha1.Sum(b) //nolint:gosec // git's pack format
	return append(b, sum[:]...)
}

func damaged(h Hash) error { return fmt.Errorf("object %s: content does not match: %w", h, ErrDamaged) }

func stillHolds(h Hash) error { return fmt.Errorf("object %s would still hold it", h) }

func (w *packWriter) close() error { return w.f.Close() }

// verify reads every object from the from-th on back from the file, checks it
// against its name and shows it to clean, which says whether it may stay.
func (w *packWriter) verify(from, workers int, clean func(Kind, []byte) bool) error {
	p, err := w.reader(nil, &unzipper{})
	if err != nil {
		return err
	}
	n := len(w.entries) - from
	errs := make(chan error, workers)
	for i := range workers {
		part := w.entries[from+n*i/workers : from+n*(i+1)/workers]
		mine := *p
		mine.cache = newPackCache(sourceCache / 4)
		go func() { errs <- verifyPart(&mine, part, clean) }()
	}
	var all error
	for range workers {
		all = errors.Join(all, <-errs)
	}
	return all
}

func verifyPart(p *packFile, part []packEntry, clean func(Kind, []byte) bool) error {
	for _, e := range part {
		if e.copy {
			continue // it was looked at where it stood
		}
		kind, raw, err := p.read(e.off)
		if err != nil {
			return err
		}
		if hashObject(kind, raw) != e.hash {
			return damaged(e.hash)
		}
		if !clean(kind, raw) {
			return stillHolds(e.hash)
		}
	}
	return nil
}
