package git

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// A record is one durable change: what recovery needs to make it again.
//
//	"QREC" | length u32 | epoch u64 | seq u64 | crc32c u32 | kind u32
//	branch | old 20 | new 20 | subject
//	objects: kind (0x80 = delta) | hash | whole: bytes | delta: base, prefix, suffix, middle
//	files:   path | old blob | new blob (zero = no file)
//
// Strings are a uvarint length and bytes. The crc covers all of the record with its
// own field zero, and goes on from the crc of the record before it: what a failed
// write left behind the end can never pass for the next record. Records are padded
// to pages, so that two never share one.
type record struct {
	seq      uint64
	kind     uint32
	more     bool // the next record belongs to the same write: all of it counts, or nothing
	branch   string
	old, new Hash
	subject  string
	objects  []object
	files    []fileChange
	end      int64  // offset behind it, when it was read
	sum      uint32 // its crc, which the next record's goes on from
}

// fileChange is a work file that a record sets.
type fileChange struct {
	path     string
	old, new Hash
}

const (
	recordChange uint32 = iota
	recordVoid          // takes back the record of the same seq that stands before it
	recordAdopt         // a person's commit, made durable before we build on it

	recordMore uint32 = 1 << 8 // added to the kind where more is set
)

const (
	pageSize   = 4096
	recordHead = 32
)

var (
	castagnoli    = crc32.MakeTable(crc32.Castagnoli)
	errTornRecord = errors.New("record is torn")
)

func appendBytes(b, s []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// encode gives the record's pages and sets its sum; link is the sum of the record
// before it, 0 for the first of an epoch.
func (c *record) encode(epoch uint64, link uint32) []byte {
	b := make([]byte, recordHead, pageSize)
	b = appendBytes(b, []byte(c.branch))
	b = append(append(b, c.old[:]...), c.new[:]...)
	b = appendBytes(b, []byte(c.subject))
	b = binary.AppendUvarint(b, uint64(len(c.objects)))
	for i := range c.objects {
		b = c.objects[i].appendTo(b)
	}
	b = binary.AppendUvarint(b, uint64(len(c.files)))
	for _, f := range c.files {
		b = appendBytes(b, []byte(f.path))
		b = append(append(b, f.old[:]...), f.new[:]...)
	}
	copy(b, "QREC")
	binary.BigEndian.PutUint32(b[4:], uint32(len(b)))
	binary.BigEndian.PutUint64(b[8:], epoch)
	binary.BigEndian.PutUint64(b[16:], c.seq)
	kind := c.kind
	if c.more {
		kind |= recordMore
	}
	binary.BigEndian.PutUint32(b[28:], kind)
	c.sum = crc32.Update(link, castagnoli, b)
	binary.BigEndian.PutUint32(b[24:], c.sum)
	return append(b, make([]byte, -len(b)&(pageSize-1))...)
}

func (o *object) appendTo(b []byte) []byte {
	if o.base.IsZero() {
		b = append(append(b, byte(o.kind)), o.hash[:]...)
		return appendBytes(b, o.raw)
	}
	b = append(append(b, byte(o.kind)|0x80), o.hash[:]...)
	b = append(b, o.base[:]...)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(o.prefix)), uint64(o.suffix))
	return appendBytes(b, o.middle)
}

// reader takes a record apart; once something does not fit, bad stays set.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.b) {
		r.bad = true
		return nil
	}
	x := r.b[:n]
	r.b = r.b[n:]
	return x
}

func (r *reader) number() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<31 {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *reader) bytes() []byte { return r.take(r.number()) }

func (r *reader) hash() (h Hash) {
	copy(h[:], r.take(len(h)))
	return h
}

func (r *reader) object() object {
	t := r.take(1)
	if r.bad {
		return object{}
	}
	o := object{kind: Kind(t[0] & 0x7f), hash: r.hash()}
	if t[0]&0x80 == 0 {
		o.raw = r.bytes()
		return o
	}
	o.base, o.prefix, o.suffix = r.hash(), r.number(), r.number()
	o.middle = r.bytes()
	return o
}

// decodeRecord reads a record of the given epoch and sequence number, that follows
// the record with the sum link, from the start of b. errTornRecord: there is none,
// or it is not whole.
func decodeRecord(b []byte, epoch, seq uint64, link uint32) (record, error) {
	if len(b) < recordHead || string(b[:4]) != "QREC" ||
		binary.BigEndian.Uint64(b[8:]) != epoch || binary.BigEndian.Uint64(b[16:]) != seq {
		return record{}, errTornRecord
	}
	n := int(binary.BigEndian.Uint32(b[4:]))
	if n < recordHead || n > len(b) {
		return record{}, errTornRecord
	}
	body := append([]byte(nil), b[:n]...)
	sum := binary.BigEndian.Uint32(body[24:])
	binary.BigEndian.PutUint32(body[24:], 0)
	if crc32.Update(link, castagnoli, body) != sum {
		return record{}, errTornRecord
	}
	kind := binary.BigEndian.Uint32(body[28:])
	c := record{seq: seq, sum: sum, kind: kind &^ recordMore, more: kind&recordMore != 0}
	r := &reader{b: body[recordHead:]}
	c.branch, c.old, c.new, c.subject = string(r.bytes()), r.hash(), r.hash(), string(r.bytes())
	for i := r.number(); i > 0 && !r.bad; i-- {
		c.objects = append(c.objects, r.object())
	}
	for i := r.number(); i > 0 && !r.bad; i-- {
		c.files = append(c.files, fileChange{string(r.bytes()), r.hash(), r.hash()})
	}
	if r.bad {
		return record{}, errTornRecord
	}
	return c, nil
}
