package git

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// object is one new object of a change. With a base it is kept in the record as
// the part between a common prefix and suffix of the base's bytes.
type object struct {
	kind   Kind
	hash   Hash
	raw    []byte
	base   Hash // zero: whole
	prefix int
	suffix int
	middle []byte
}

func newObject(k Kind, raw []byte) object {
	return object{kind: k, hash: hashObject(k, raw), raw: raw}
}

// deltaAgainst makes the object's record form a delta, where that is smaller.
func (o *object) deltaAgainst(base Hash, old []byte) {
	const worthwhile = 128
	if base.IsZero() || len(old) < worthwhile {
		return
	}
	limit := min(len(old), len(o.raw))
	p := 0
	for p < limit && old[p] == o.raw[p] {
		p++
	}
	s := 0
	for s < limit-p && old[len(old)-1-s] == o.raw[len(o.raw)-1-s] {
		s++
	}
	o.base, o.prefix, o.suffix, o.middle = base, p, s, o.raw[p:len(o.raw)-s]
}

// restore rebuilds raw from the base's bytes and checks it against the hash.
func (o *object) restore(old []byte) error {
	if !o.base.IsZero() {
		if o.prefix+o.suffix > len(old) {
			return fmt.Errorf("object %s: delta does not fit its base %s", o.hash, o.base)
		}
		o.raw = bytes.Join([][]byte{old[:o.prefix], o.middle, old[len(old)-o.suffix:]}, nil)
	}
	if hashObject(o.kind, o.raw) != o.hash {
		return fmt.Errorf("object %s: content does not match", o.hash)
	}
	return nil
}

// deflater keeps one deflate writer: a new one costs milliseconds.
type deflater struct {
	mu  sync.Mutex
	w   *zlib.Writer
	buf bytes.Buffer
}

func (d *deflater) deflate(k Kind, raw []byte) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.buf.Reset()
	if d.w == nil {
		w, err := zlib.NewWriterLevel(&d.buf, zlib.BestSpeed)
		if err != nil {
			return nil, err
		}
		d.w = w
	} else {
		d.w.Reset(&d.buf)
	}
	_, err := d.w.Write(objectHeader(k, len(raw)))
	if err == nil {
		_, err = d.w.Write(raw)
	}
	if err = errors.Join(err, d.w.Close()); err != nil {
		return nil, err
	}
	return bytes.Clone(d.buf.Bytes()), nil
}

func (r *Repo) loosePath(h Hash) string {
	x := h.String()
	return filepath.Join(r.dir, "objects", x[:2], x[2:])
}

// writeLoose writes an object that is not there as a loose one; with force it
// replaces what is there, which recovery does when that cannot be trusted.
func (r *Repo) writeLoose(o *object, force bool) error {
	path := r.loosePath(o.hash)
	if !force {
		if _, err := os.Lstat(path); err == nil {
			return nil
		}
	}
	z, err := r.deflate.deflate(o.kind, o.raw)
	if err != nil {
		return err
	}
	tmp := filepath.Join(r.own, "object.new")
	if err := r.disk.write(tmp, z, 0o400); err != nil {
		return err
	}
	err = r.disk.rename(tmp, path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.disk.mkdir(filepath.Dir(path)); err == nil {
			err = r.disk.rename(tmp, path)
		}
	}
	return err
}

const maxObject = 256 << 20 // a larger object is not read into memory

// readLoose reads a loose object and checks its content against its name.
// fs.ErrNotExist: there is none; errBroken: it is there but is not that object.
func (r *Repo) readLoose(h Hash) (Kind, []byte, error) {
	f, err := os.Open(r.loosePath(h))
	if err != nil {
		return 0, nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	kind, raw, err := r.inflate.inflate(f)
	if err != nil || hashObject(kind, raw) != h {
		return 0, nil, fmt.Errorf("object %s: %w", h, errBroken)
	}
	return kind, raw, nil
}

var errBroken = errors.New("object is broken")

// inflaters keeps readers for the next object: a new one costs 40 KB.
type inflaters struct{ pool sync.Pool }

func (p *inflaters) inflate(src io.Reader) (Kind, []byte, error) {
	z, ok := p.pool.Get().(io.ReadCloser)
	if !ok {
		var err error
		if z, err = zlib.NewReader(src); err != nil {
			return 0, nil, err
		}
	} else if err := z.(zlib.Resetter).Reset(src, nil); err != nil {
		return 0, nil, err
	}
	defer p.pool.Put(z)
	var first [64]byte // the header is shorter, and says how long the rest is
	n, err := io.ReadFull(z, first[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, nil, err
	}
	head, begin, ok := bytes.Cut(first[:n], []byte{0})
	name, digits, _ := bytes.Cut(head, []byte(" "))
	kind, known := kindOf(string(name))
	size, err := strconv.Atoi(string(digits))
	if !ok || !known || err != nil || size < len(begin) || size > maxObject {
		return 0, nil, errBroken
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(z, raw[copy(raw, begin):]); err != nil {
		return 0, nil, err
	}
	if n, err := z.Read(first[:1]); n > 0 || !errors.Is(err, io.EOF) { // the end checks the sum
		return 0, nil, errBroken
	}
	return kind, raw, nil
}
