package git

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// makeDelta gives the pack delta that makes text of base; nil when it would not be
// much smaller than text, or takes long to find. It follows what mostly happens to a
// note: a few lines come, go, or move.
func makeDelta(base, text []byte) []byte {
	const (
		worthwhile = 64 // bytes: below, a whole object is as small
		key        = 32 // bytes that are taken for the same place
		tries      = 200
	)
	if len(text) < worthwhile || len(base) < worthwhile {
		return nil
	}
	b := binary.AppendUvarint(make([]byte, 0, 512), uint64(len(base)))
	b = binary.AppendUvarint(b, uint64(len(text)))
	at, done := 0, 0 // in base, in text
	fresh := 0       // where what base has not begins in text
	for range tries {
		if n := commonPrefix(base[at:], text[done:]); n >= key || at+n == len(base) || done+n == len(text) {
			b = appendCopy(appendInsert(b, text[fresh:done]), at, n)
			at, done = at+n, done+n
			fresh = done
		}
		rest := text[done:]
		if len(rest) < key {
			return smaller(appendInsert(b, text[fresh:]), text)
		}
		if i := bytes.Index(base[at:], rest[:key]); i >= 0 {
			at += i // lines went
		} else if i := bytes.Index(base[:at], rest[:key]); i >= 0 {
			at = i // lines moved
		} else if i := cameBack(base[at:], rest, key); i >= 0 {
			done += i // lines came
		} else {
			done += key
		}
	}
	return nil
}

// cameBack says how far on text goes on as base does.
func cameBack(base, text []byte, key int) int {
	if len(base) < key {
		return -1
	}
	return bytes.Index(text, base[:key])
}

func smaller(delta, text []byte) []byte {
	if len(delta) > len(text)/2 {
		return nil
	}
	return delta
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for i+8 <= n && binary.LittleEndian.Uint64(a[i:]) == binary.LittleEndian.Uint64(b[i:]) {
		i += 8
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// appendInsert adds the instructions to add bytes that the base has not.
func appendInsert(b, piece []byte) []byte {
	for len(piece) > 0 {
		n := min(len(piece), 127)
		b = append(append(b, byte(n)), piece[:n]...)
		piece = piece[n:]
	}
	return b
}

// appendCopy adds the instructions to copy n bytes of the base from off.
func appendCopy(b []byte, off, n int) []byte {
	const most = 0x10000 // what git itself copies at once; written as size 0
	for n > 0 {
		size := min(n, most)
		at := len(b)
		b = append(b, 0x80)
		for i := range 4 {
			if c := byte(off >> (8 * i)); c != 0 {
				b[at] |= 1 << i
				b = append(b, c)
			}
		}
		if size != most {
			for i := range 2 {
				if c := byte(size >> (8 * i)); c != 0 {
					b[at] |= 0x10 << i
					b = append(b, c)
				}
			}
		}
		off, n = off+size, n-size
	}
	return b
}

// applyDelta makes the text that a delta describes. It trusts no length in it.
func applyDelta(base, delta []byte) ([]byte, error) {
	d := &reader{b: delta}
	if d.number() != len(base) || d.bad {
		return nil, fmt.Errorf("delta of another base: %w", errBroken)
	}
	size := d.number()
	if d.bad || size > maxObject {
		return nil, errBroken
	}
	out := make([]byte, 0, size)
	for len(d.b) > 0 && !d.bad {
		op := d.b[0]
		d.b = d.b[1:]
		var piece []byte
		if op&0x80 == 0 {
			piece = d.take(int(op))
		} else if off, n := copyArgs(d, op); off+n <= len(base) {
			piece = base[off : off+n]
		} else {
			return nil, errBroken
		}
		if op == 0 || len(out)+len(piece) > size {
			return nil, errBroken
		}
		out = append(out, piece...)
	}
	if d.bad || len(out) != size {
		return nil, errBroken
	}
	return out, nil
}

func copyArgs(d *reader, op byte) (off, n int) {
	for i := range 7 {
		if op&(1<<i) == 0 {
			continue
		}
		c := d.take(1)
		if d.bad {
			return 0, 0
		}
		if i < 4 {
			off |= int(c[0]) << (8 * i)
		} else {
			n |= int(c[0]) << (8 * (i - 4))
		}
	}
	if n == 0 {
		n = 0x10000
	}
	return off, n
}
