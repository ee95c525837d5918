package git

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// wal is the file of records. It begins with two header slots that are written in
// turn; a checkpoint writes the next one, which makes all records before it void
// without erasing them. The file is filled with zeros ahead of use, so that adding
// a record changes no metadata and one data sync makes it durable.
type wal struct {
	f      *os.File
	disk   *disk
	header walHeader
	tail   int64  // where the next record goes
	seq    uint64 // of the last record that counts
	sum    uint32 // of the record before tail, 0 at the start of an epoch
}

// walHeader is what was in place, synced, when the records behind it began.
type walHeader struct {
	epoch  uint64
	seq    uint64
	branch string
	head   Hash
	at     time.Time
	erases uint32 // how often history was rewritten: what is known of an earlier one is void
}

const (
	walMagic = "QWAL2\n"
	walStart = 2 * pageSize
	walSize  = 1 << 20 // zero-filled; a larger record makes the file grow
)

func (h walHeader) encode() []byte {
	b := make([]byte, pageSize)
	copy(b, walMagic)
	binary.BigEndian.PutUint64(b[8:], h.epoch)
	binary.BigEndian.PutUint64(b[16:], h.seq)
	copy(b[24:44], h.head[:])
	binary.BigEndian.PutUint32(b[44:], h.erases)
	binary.BigEndian.PutUint64(b[48:], uint64(h.at.UnixNano()))
	n := copy(b[64:pageSize-8], h.branch)
	binary.BigEndian.PutUint16(b[60:], uint16(n))
	binary.BigEndian.PutUint32(b[56:], crc32.Checksum(b, castagnoli))
	return b
}

func decodeHeader(b []byte) (walHeader, bool) {
	if len(b) < pageSize || string(b[:len(walMagic)]) != walMagic {
		return walHeader{}, false
	}
	page := append([]byte(nil), b[:pageSize]...)
	sum := binary.BigEndian.Uint32(page[56:])
	binary.BigEndian.PutUint32(page[56:], 0)
	n := int(binary.BigEndian.Uint16(page[60:]))
	if crc32.Checksum(page, castagnoli) != sum || 64+n > pageSize {
		return walHeader{}, false
	}
	h := walHeader{
		epoch:  binary.BigEndian.Uint64(page[8:]),
		seq:    binary.BigEndian.Uint64(page[16:]),
		at:     time.Unix(0, int64(binary.BigEndian.Uint64(page[48:]))),
		branch: string(page[64 : 64+n]),
		erases: binary.BigEndian.Uint32(page[44:]),
	}
	copy(h.head[:], page[24:44])
	return h, true
}

// openWAL opens the file, making it, with h as its header, when there is none.
func openWAL(d *disk, path string, h func() walHeader) (*wal, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeWAL(d, path, h()); err == nil {
			f, err = os.OpenFile(path, os.O_RDWR, 0)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open record file: %w", err)
	}
	return &wal{f: f, disk: d}, nil
}

func makeWAL(d *disk, path string, h walHeader) error {
	b := make([]byte, walSize)
	copy(b[int64(h.epoch%2)*pageSize:], h.encode())
	if err := d.writeSynced(path+".new", b); err != nil {
		_ = os.Remove(path + ".new") // on a full disk, what it takes up is wanted elsewhere
		return err
	}
	if err := d.rename(path+".new", path); err != nil {
		return err
	}
	return d.syncPath(filepath.Dir(path))
}

// load reads the newest header and every whole record behind it.
func (w *wal) load() ([]record, error) {
	info, err := w.f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, walStart)
	if _, err := w.f.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("read record file: %w", err)
	}
	a, okA := decodeHeader(head)
	b, okB := decodeHeader(head[pageSize:])
	switch {
	case !okA && !okB:
		return nil, errors.New("record file has no readable header")
	case !okA || okB && b.epoch > a.epoch:
		a = b
	}
	w.header, w.tail, w.seq, w.sum = a, walStart, a.seq, 0
	return w.scan(info.Size())
}

// scan reads the writes behind the header, each of one or several records; the
// first one that is not whole ends it.
func (w *wal) scan(size int64) ([]record, error) {
	var out, write []record
	end, seq, sum := w.tail, w.seq, w.sum
	for {
		c, err := w.readAt(end, size, seq, sum)
		if errors.Is(err, errTornRecord) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		end, seq, sum = c.end, c.seq, c.sum
		if c.kind == recordVoid {
			seq--
		}
		write = append(write, c)
		if c.more {
			continue
		}
		for _, c := range write {
			if c.kind != recordVoid {
				out = append(out, c)
			} else if len(out) > 0 {
				out = out[:len(out)-1]
			}
		}
		write, w.tail, w.seq, w.sum = nil, end, seq, sum
	}
}

// readAt reads the record at off that follows record seq: the next one, or one
// that takes seq back and repeats its number.
func (w *wal) readAt(off, size int64, seq uint64, link uint32) (record, error) {
	var head [recordHead]byte
	if off+recordHead > size {
		return record{}, errTornRecord
	}
	if _, err := w.f.ReadAt(head[:], off); err != nil {
		return record{}, err
	}
	n := int64(binary.BigEndian.Uint32(head[4:]))
	if string(head[:4]) != "QREC" || off+n > size || n < recordHead {
		return record{}, errTornRecord
	}
	b := make([]byte, n)
	if _, err := w.f.ReadAt(b, off); err != nil {
		return record{}, err
	}
	c, err := decodeRecord(b, w.header.epoch, seq+1, link)
	if errors.Is(err, errTornRecord) {
		if c, err = decodeRecord(b, w.header.epoch, seq, link); err == nil && c.kind != recordVoid {
			err = errTornRecord
		}
	}
	c.end = off + (n+pageSize-1)/pageSize*pageSize
	return c, err
}

// stale says whether another process has written since: the header moved on or a
// record stands where our next one would go.
func (w *wal) stale() (bool, error) {
	head := make([]byte, pageSize)
	if _, err := w.f.ReadAt(head, int64((w.header.epoch+1)%2)*pageSize); err != nil {
		return false, err
	}
	if h, ok := decodeHeader(head); ok && h.epoch > w.header.epoch {
		return true, nil
	}
	// Two checkpoints later the slot we know is overwritten, too.
	if _, err := w.f.ReadAt(head, int64(w.header.epoch%2)*pageSize); err != nil {
		return false, err
	}
	if h, ok := decodeHeader(head); !ok || h.epoch != w.header.epoch {
		return true, nil
	}
	var next [recordHead]byte
	if n, _ := w.f.ReadAt(next[:], w.tail); n < recordHead {
		return false, nil
	}
	return string(next[:4]) == "QREC" && binary.BigEndian.Uint64(next[8:]) == w.header.epoch &&
		binary.BigEndian.Uint64(next[16:]) >= w.seq, nil
}

// errRecordStays: a record that was refused could not be wiped either, and may
// count at the next start.
var errRecordStays = errors.New("a refused record could not be wiped")

// add makes records durable with one sync and numbers them: all or none. When it fails nothing
// of them counts in this boot (but for errRecordStays); after a power cut they may.
func (w *wal) add(records []*record) error {
	var b []byte
	sum := w.sum
	for i, c := range records {
		c.seq, c.more = w.seq+uint64(i)+1, i < len(records)-1
		b = append(b, c.encode(w.header.epoch, sum)...)
		sum = c.sum
	}
	if err := w.append(b); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	w.seq, w.sum = w.seq+uint64(len(records)), sum
	return nil
}

// void takes back the newest n records, which were not put in place. When it fails
// they count.
func (w *wal) void(n int) error {
	var b []byte
	sum := w.sum
	for i := range n {
		c := record{seq: w.seq - uint64(i), kind: recordVoid, more: i < n-1}
		b = append(b, c.encode(w.header.epoch, sum)...)
		sum = c.sum
	}
	if err := w.append(b); err != nil {
		return fmt.Errorf("take record back: %w", err)
	}
	w.seq, w.sum = w.seq-uint64(n), sum
	return nil
}

// append writes at the tail and syncs. What it could not sync it wipes: the pages
// are dirty again, so that the next sync tells the disk, too.
func (w *wal) append(b []byte) error {
	err := w.disk.pwrite(w.f, b, w.tail)
	if err == nil {
		err = w.disk.datasync(w.f)
	}
	if err != nil {
		if werr := w.wipe(w.tail, int64(len(b))); werr != nil {
			return errors.Join(err, errRecordStays, werr)
		}
		return err
	}
	w.tail += int64(len(b))
	return nil
}

// wipe puts zeros over what was written in vain, as far as the file goes.
func (w *wal) wipe(off, n int64) error {
	if err := w.disk.ask("wipe", w.f.Name()); err != nil {
		return err
	}
	info, err := w.f.Stat()
	if err != nil {
		return err
	}
	_, err = w.f.WriteAt(make([]byte, min(n, max(info.Size()-off, 0))), off)
	return err
}

// used says how full the zero-filled part is, from 0 to 1 and beyond.
func (w *wal) used() float64 { return float64(w.tail) / walSize }

// reset begins a new epoch: everything before is in place and synced.
func (w *wal) reset(branch string, head Hash, at time.Time) error {
	h := walHeader{epoch: w.header.epoch + 1, seq: w.seq, branch: branch, head: head, at: at, erases: w.header.erases}
	slot := int64(h.epoch%2) * pageSize
	err := w.disk.pwrite(w.f, h.encode(), slot)
	if err == nil {
		err = w.disk.datasync(w.f)
	}
	if err != nil {
		// A header that is not known to be on the disk must not be built on: the
		// records behind it would be void after a power cut.
		return errors.Join(fmt.Errorf("write header: %w", err), w.wipe(slot, pageSize))
	}
	w.header, w.tail, w.sum = h, walStart, 0
	return nil
}

// renew begins an epoch after a rewriting of history: no header knows the old one
// any more, and no old record's bytes are left. The file itself stays, for other
// processes have it open.
func (w *wal) renew(branch string, head Hash, at time.Time) error {
	w.header.erases++
	for range 2 { // both header slots
		if err := w.reset(branch, head, at); err != nil {
			return err
		}
	}
	info, err := w.f.Stat()
	if err != nil {
		return err
	}
	if err := w.disk.pwrite(w.f, make([]byte, max(info.Size()-walStart, 0)), walStart); err != nil {
		return err
	}
	return w.disk.datasync(w.f)
}

// branch is the branch of the header: the one whose lock a killed process of ours
// most likely left.
func (w *wal) branch() string {
	if w.header.branch == "" {
		return branchPrefix + "main"
	}
	return w.header.branch
}
