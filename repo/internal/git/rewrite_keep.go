package git

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// has says whether an object is one of the new history already.
func (w *rewriter) has(h Hash) bool {
	_, same := w.same[h]
	return same || w.pack.has(h)
}

// objects counts those of the new history.
func (w *rewriter) objects() int { return len(w.same) + len(w.pack.entries) }

// put writes an object that is new; see packWriter.add.
func (w *rewriter) put(k Kind, h Hash, raw []byte, c *chain) error {
	if _, same := w.same[h]; same {
		return nil
	}
	return w.pack.add(k, h, raw, c)
}

// keep takes an old object over as it is.
func (w *rewriter) keep(k Kind, h Hash, raw []byte) error {
	if w.has(h) {
		return nil
	}
	if err := w.fit(k, h, raw); err != nil {
		return err
	}
	return w.take(k, h, raw)
}

// fit says whether an old object may stay: it is what its name says, and holds nothing
// of what is erased. Several goroutines may ask.
func (w *rewriter) fit(k Kind, h Hash, raw []byte) error {
	if w.src.place(h).pack != nil && hashObject(k, raw) != h { // a loose one was checked when it was read
		return damaged(h)
	}
	if !w.clean(k, raw) {
		return stillHolds(h)
	}
	return nil
}

// take is keep for an object that was looked at. It stays where it was read, or else
// is written anew.
func (w *rewriter) take(k Kind, h Hash, raw []byte) error {
	if w.has(h) {
		return nil
	}
	if w.src.place(h) == (place{}) {
		return w.pack.add(k, h, raw, nil)
	}
	w.same[h] = struct{}{}
	return nil
}

// staysIn says whether an object stays, and is the copy in p that was read.
func (w *rewriter) staysIn(p *packFile, h Hash) bool {
	_, same := w.same[h]
	return same && w.src.place(h).pack == p
}

// touched says whether something goes of a pack.
func (w *rewriter) touched(p *packFile) bool {
	touched := false
	p.each(func(h Hash) { touched = touched || !w.staysIn(p, h) })
	return touched
}

// arrange says where the objects that stay are to lie from now on, and copies the rest
// of them into the new pack. A pack of which everything stays is left alone, and so is
// a loose object. One that is in a second pack, too, is copied: a person's git that is
// packing removes the older copy, and the newer one goes as any that is not needed.
func (w *rewriter) arrange(m *rewriteMark) error {
	if err := w.src.refresh(); err != nil {
		return err
	}
	packs, err := w.r.packNames()
	if err != nil {
		return err
	}
	twice := w.copies()
	goes := func(p *packFile) bool {
		twin := false
		p.each(func(h Hash) { twin = twin || twice[h] })
		return twin || !packs[packName(p.name)] || w.touched(p)
	}
	for _, p := range w.src.packs {
		if name := packName(p.name); goes(p) {
			m.goes = append(m.goes, name)
		} else {
			m.stay = append(m.stay, name)
		}
	}
	m.goes = append(m.goes, w.src.odd...)
	if err := w.carryAll(goes); err != nil {
		return err
	}
	return w.arrangeLoose(m, twice)
}

func (w *rewriter) arrangeLoose(m *rewriteMark, twice map[Hash]bool) error {
	loose, err := w.r.looseNames()
	if err != nil {
		return err
	}
	for h := range w.same {
		switch {
		case !w.src.place(h).loose:
		case loose[h] && !twice[h]:
			m.loose = append(m.loose, h)
		default:
			if err := w.renew(h); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(m.loose, compareHash)
	return nil
}

// copies lists what stays and is also in a pack from which it was not read.
func (w *rewriter) copies() map[Hash]bool {
	twice := map[Hash]bool{}
	for _, p := range w.src.packs {
		p.each(func(h Hash) {
			if _, same := w.same[h]; same && w.src.place(h).pack != p {
				twice[h] = true
			}
		})
	}
	return twice
}

// carryAll copies what stays of packs into the new one.
func (w *rewriter) carryAll(which func(*packFile) bool) error {
	for _, p := range w.src.packs {
		if which(p) {
			if err := w.carry(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// carry copies what stays of a pack. A delta whose base goes is written anew, whole:
// chains of deltas would grow with each erase.
func (w *rewriter) carry(p *packFile) error {
	order := make([]int, len(p.offs)) // a base stands before its deltas
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(p.offs[a] - p.offs[b]) })
	for _, i := range order {
		h := p.nameOf(i)
		if !w.staysIn(p, h) || w.src.place(h).off != p.offs[i] {
			continue
		}
		b, err := p.bytes(p.offs[i])
		if err != nil {
			return err
		}
		if crc32.ChecksumIEEE(b) != binary.BigEndian.Uint32(p.sums[i*4:]) {
			return damaged(h)
		}
		e, err := parseEntry(b, p.offs[i])
		if err != nil {
			return err
		}
		base := e.baseName
		if e.kind == packOffsetDelta {
			if at, ok := slices.BinarySearchFunc(order, e.base, func(i int, off int64) int { return int(p.offs[i] - off) }); ok {
				base = p.nameOf(order[at])
			}
		}
		done, err := w.pack.copy(h, e, base)
		if err != nil {
			return err
		}
		if !done {
			if err := w.renew(h); err != nil {
				return err
			}
		}
		delete(w.same, h)
	}
	return nil
}

// renew writes an object that stays into the new pack.
func (w *rewriter) renew(h Hash) error {
	kind, raw, err := w.src.object(h)
	if err != nil {
		return errors.Join(ErrDamaged, err)
	}
	delete(w.same, h)
	return w.pack.add(kind, h, raw, nil)
}

// packName is the name of a pack by the path of one of its files.
func packName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

// packNames lists the packs there are.
func (r *Repo) packNames() (map[string]bool, error) {
	paths, err := filepath.Glob(filepath.Join(r.packDir(), "pack-*.pack"))
	out := map[string]bool{}
	for _, p := range paths {
		out[packName(p)] = true
	}
	return out, err
}

// looseNames lists the loose objects there are.
func (r *Repo) looseNames() (map[Hash]bool, error) {
	out := map[Hash]bool{}
	folders, err := filepath.Glob(filepath.Join(r.dir, "objects", "[0-9a-f][0-9a-f]"))
	for _, dir := range folders {
		entries, rerr := os.ReadDir(dir)
		if rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
			return nil, rerr
		}
		for _, e := range entries {
			if h, ok := ParseHash(filepath.Base(dir) + e.Name()); ok {
				out[h] = true
			}
		}
	}
	return out, err
}
