package git

import (
	"bytes"
	"compress/zlib"
	"container/list"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
)

// packFile reads one pack by random access. go-git's reader makes several copies of
// each object and of each step of its delta chain, which is what most of the time of
// a long history would go to.
type packFile struct {
	name  string // without its ending
	f     *os.File
	names []byte  // object names in order, 20 bytes each
	offs  []int64 // their offsets
	sums  []byte  // their checksums, 4 bytes each
	ends  []int64 // every offset in order, and the end of the last object
	cache *packCache
	z     *unzipper

	// Of a pack that is not trusted, and has no index yet.
	byName map[Hash]int64 // in place of names and offs
	most   int            // bytes of a chain of deltas; 0 is no bound
}

var (
	errIndexForm = errors.New("pack index of an old form")
	errNoBase    = fmt.Errorf("a delta's base is missing: %w", errBroken)
)

// openPack opens the pack whose index is at path.
func openPack(path string, cache *packCache, z *unzipper) (*packFile, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &packFile{name: strings.TrimSuffix(path, ".idx"), cache: cache, z: z}
	if err := p.parseIndex(b); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if p.f, err = os.Open(p.name + ".pack"); err != nil {
		return nil, err
	}
	info, err := p.f.Stat()
	if err != nil {
		return nil, errors.Join(err, p.f.Close())
	}
	p.ends = append(slices.Sorted(slices.Values(p.offs)), info.Size()-20)
	return p, nil
}

func (p *packFile) parseIndex(b []byte) error {
	const head, fan = 8, 1024
	if len(b) < head+fan+40 || string(b[:8]) != "\xfftOc\x00\x00\x00\x02" {
		return errIndexForm
	}
	n := int(binary.BigEndian.Uint32(b[head+fan-4:]))
	large := head + fan + n*(20+4+4)
	if len(b) < large+40 {
		return errBroken
	}
	p.names = b[head+fan : head+fan+n*20]
	p.sums = b[head+fan+n*20 : head+fan+n*24]
	p.offs = make([]int64, n)
	for i := range n {
		off := binary.BigEndian.Uint32(b[head+fan+n*24+i*4:])
		p.offs[i] = int64(off)
		if off&0x80000000 != 0 {
			at := large + int(off&0x7fffffff)*8
			if at+8 > len(b) {
				return errBroken
			}
			p.offs[i] = int64(binary.BigEndian.Uint64(b[at:]))
		}
	}
	return nil
}

// find gives the offset of an object.
func (p *packFile) find(h Hash) (int64, bool) {
	if p.byName != nil {
		off, ok := p.byName[h]
		return off, ok
	}
	n := len(p.offs)
	i := sort.Search(n, func(i int) bool { return bytes.Compare(p.names[i*20:i*20+20], h[:]) >= 0 })
	if i == n || !bytes.Equal(p.names[i*20:i*20+20], h[:]) {
		return 0, false
	}
	return p.offs[i], true
}

// each visits the name of every object.
func (p *packFile) each(visit func(Hash)) {
	for i := range len(p.offs) {
		visit(p.nameOf(i))
	}
}

func (p *packFile) nameOf(i int) Hash { return Hash(p.names[i*20 : i*20+20]) }

// packed is an object as a pack holds it.
type packed struct {
	kind     byte // a Kind, or one of the two below
	size     int  // of what is compressed
	zipped   []byte
	base     int64 // offset of a delta's base
	baseName Hash  // or its name
}

func (r *packed) delta() bool { return r.kind == packOffsetDelta || r.kind == packNameDelta }

const (
	packOffsetDelta = 6
	packNameDelta   = 7
)

// bytes gives an entry's bytes.
func (p *packFile) bytes(off int64) ([]byte, error) {
	i := sort.Search(len(p.ends), func(i int) bool { return p.ends[i] > off })
	if i == len(p.ends) || off < 12 {
		return nil, errBroken
	}
	b := make([]byte, p.ends[i]-off)
	_, err := p.f.ReadAt(b, off)
	return b, err
}

// parseEntry takes the bytes of an entry at off apart.
func parseEntry(b []byte, off int64) (packed, error) {
	d := &reader{b: b}
	first := d.take(1)
	if d.bad {
		return packed{}, errBroken
	}
	e, shift := packed{kind: first[0] >> 4 & 7, size: int(first[0] & 15)}, 4
	for c := first; c[0]&0x80 != 0; shift += 7 {
		if c = d.take(1); d.bad || shift > 40 {
			return packed{}, errBroken
		}
		e.size |= int(c[0]&0x7f) << shift
	}
	switch e.kind {
	case packOffsetDelta:
		e.base = off - packOffset(d)
	case packNameDelta:
		e.baseName = d.hash()
	}
	if e.zipped = d.b; d.bad || e.size > maxObject || e.base < 0 || e.base > off {
		return packed{}, errBroken
	}
	return e, nil
}

// entry reads the object, or the delta, that stands at off.
func (p *packFile) entry(off int64) (packed, []byte, error) {
	b, err := p.bytes(off)
	if err != nil {
		return packed{}, nil, err
	}
	e, err := parseEntry(b, off)
	if err != nil {
		return packed{}, nil, err
	}
	body, err := p.z.unzip(e.zipped, e.size)
	return e, body, err
}

// packOffset reads how far back a delta's base stands.
func packOffset(d *reader) int64 {
	c := d.take(1)
	if d.bad {
		return 0
	}
	v := int64(c[0] & 0x7f)
	for c[0]&0x80 != 0 && v < 1<<50 {
		if c = d.take(1); d.bad {
			return 0
		}
		v = (v+1)<<7 | int64(c[0]&0x7f)
	}
	return v
}

// read gives the object at off. The bytes are shared: nobody may alter them.
func (p *packFile) read(off int64) (Kind, []byte, error) {
	type step struct {
		off  int64
		body []byte
	}
	var steps []step
	var kind Kind
	var raw []byte
	held := 0
	for {
		var ok bool
		if kind, raw, ok = p.cache.get(p, off); ok {
			break
		}
		e, body, err := p.entry(off)
		if err != nil {
			return 0, nil, fmt.Errorf("%s at %d: %w", p.name, off, err)
		}
		if e.kind >= byte(KindCommit) && e.kind <= byte(KindTag) {
			kind, raw = Kind(e.kind), body
			p.cache.put(p, off, kind, raw)
			break
		}
		steps = append(steps, step{off, body})
		if held += len(body); p.most > 0 && held > p.most {
			return 0, nil, fmt.Errorf("%s: a chain of deltas is too large: %w", p.name, errBroken)
		}
		if off = e.base; e.kind == packNameDelta {
			if off, ok = p.find(e.baseName); !ok {
				return 0, nil, fmt.Errorf("%s: %w", p.name, errNoBase)
			}
		}
	}
	for _, s := range slices.Backward(steps) {
		var err error
		if raw, err = applyDelta(raw, s.body); err != nil {
			return 0, nil, fmt.Errorf("%s at %d: %w", p.name, s.off, err)
		}
		p.cache.put(p, s.off, kind, raw)
	}
	return kind, raw, nil
}

// unzipper keeps inflaters for the next object.
type unzipper struct{ pool sync.Pool }

func (u *unzipper) unzip(b []byte, size int) ([]byte, error) {
	src := bytes.NewReader(b)
	z, ok := u.pool.Get().(io.ReadCloser)
	if !ok {
		var err error
		if z, err = zlib.NewReader(src); err != nil {
			return nil, err
		}
	} else if err := z.(zlib.Resetter).Reset(src, nil); err != nil {
		return nil, err
	}
	defer u.pool.Put(z)
	out := make([]byte, size)
	if _, err := io.ReadFull(z, out); err != nil {
		return nil, err
	}
	var end [1]byte
	if n, err := z.Read(end[:]); n > 0 || !errors.Is(err, io.EOF) { // the end checks the sum
		return nil, errBroken
	}
	return out, nil
}

// packCache holds the objects that were read last, up to so many bytes: a delta's
// base is mostly one of them.
type packCache struct {
	mu   sync.Mutex
	most int
	size int
	at   map[packKey]*list.Element
	lru  list.List // of *cached, the newest first
}

type packKey struct {
	p   *packFile
	off int64
}

type cached struct {
	packKey
	kind Kind
	raw  []byte
}

func newPackCache(most int) *packCache {
	return &packCache{most: most, at: map[packKey]*list.Element{}}
}

func (c *packCache) get(p *packFile, off int64) (Kind, []byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.at[packKey{p, off}]
	if !ok {
		return 0, nil, false
	}
	c.lru.MoveToFront(e)
	v := e.Value.(*cached)
	return v.kind, v.raw, true
}

func (c *packCache) put(p *packFile, off int64, kind Kind, raw []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := packKey{p, off}
	if _, ok := c.at[key]; ok || len(raw) > c.most/8 {
		return
	}
	c.at[key] = c.lru.PushFront(&cached{key, kind, raw})
	c.size += len(raw)
	for c.size > c.most {
		last := c.lru.Back()
		v := c.lru.Remove(last).(*cached)
		delete(c.at, v.packKey)
		c.size -= len(v.raw)
	}
}
