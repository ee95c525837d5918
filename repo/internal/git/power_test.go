package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// power is a home on a disk that forgets, when the power fails, what was not synced:
// everything that changed since the last checkpoint, except the synced part of the
// record file.
type power struct {
	*home
	rng    *rand.Rand
	synced map[string]image // the files at the last checkpoint
	wal    []byte           // the record file as it was last synced

	stopAt  int // the call before which the program stops; -1: none
	n       int
	syncing bool // everything is being synced
	flushed bool // the record file was synced by the last call
	damage  map[string]int
}

// image is one file as a checkpoint left it.
type image struct {
	st   stat
	text []byte
	perm fs.FileMode
}

func newPower(t *testing.T, seed uint64) *power {
	return &power{home: newHome(t), rng: rand.New(rand.NewPCG(seed, 7)), stopAt: -1, damage: map[string]int{}}
}

// ask is the disk's fault: it watches what gets synced and stops the program.
func (p *power) ask(op, path string) error {
	if p.syncing || p.flushed {
		p.look(p.syncing)
		p.syncing, p.flushed = false, false
	}
	p.syncing = op == "syncfs"
	p.flushed = op == "datasync"
	if op == "sync" { // a single file
		defer func() { p.keepNext(path) }()
	}
	if p.n++; p.n-1 == p.stopAt {
		p.flushed, p.syncing = false, false
		panic(stopped{})
	}
	return nil
}

// keepNext takes a file that is about to be synced for safe.
func (p *power) keepNext(path string) {
	if im, err := readImage(path); err == nil && p.synced != nil {
		p.synced[path] = im
	}
}

func (p *power) walPath() string { return filepath.Join(p.dir, "quipu", "wal") }

// look remembers what is on the disk now: the record file, or with all, everything.
func (p *power) look(all bool) {
	p.t.Helper()
	b, err := os.ReadFile(p.walPath())
	if err != nil {
		p.t.Fatal(err)
	}
	p.wal = b
	if !all {
		return
	}
	before := p.synced
	p.synced = map[string]image{}
	p.each(func(path string) {
		old, known := before[path]
		if st, err := lstat(path); known && err == nil && st == old.st {
			p.synced[path] = old
		} else if im, err := readImage(path); err == nil {
			p.synced[path] = im
		}
	})
}

func readImage(path string) (image, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return image{}, err
	}
	b, err := os.ReadFile(path)
	return image{st: statOf(fi), text: b, perm: fi.Mode().Perm()}, err
}

// each visits every file that a power cut may spoil.
func (p *power) each(visit func(path string)) {
	p.t.Helper()
	for _, dir := range []string{p.dir, p.work} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			name := filepath.Base(path)
			if err == nil && !d.IsDir() && path != p.walPath() && !slices.Contains([]string{"HEAD", "config", "description", "exclude", "attributes", ".git", "COMMIT_EDITMSG"}, name) || strings.HasSuffix(path, "logs/HEAD") {
				visit(path)
			}
			return err
		})
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

// cut is the power cut. Each file that was not synced comes back, goes, or is
// emptied, zeroed, halved or kept.
func (p *power) cut() {
	p.t.Helper()
	p.cutWAL()
	var spoil []string
	p.each(func(path string) {
		old, known := p.synced[path]
		fi, err := os.Lstat(path)
		if err != nil {
			p.t.Fatal(err)
		}
		if st := statOf(fi); !known || !st.sameContent(old.st) {
			spoil = append(spoil, path)
		}
	})
	for path, old := range p.synced {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && p.rng.IntN(3) == 0 {
			p.put(path, old.text, old.perm)
			p.damage["removed file is back"]++
		}
	}
	for _, path := range spoil {
		p.spoil(path)
	}
	p.boot = fmt.Sprintf("boot-%d", p.rng.Uint64())
}

func (p *power) spoil(path string) {
	p.t.Helper()
	now, err := readImage(path)
	if err != nil {
		p.t.Fatal(err)
	}
	old, known := p.synced[path]
	kind := p.rng.IntN(6)
	if bytes.HasPrefix(now.text, []byte(tokenMark)) && strings.HasSuffix(path, ".lock") {
		kind = 1 + 4*p.rng.IntN(2) // a link of a synced file: it is there or it is not
	}
	switch {
	case kind == 0 && known:
		p.put(path, old.text, old.perm)
		p.damage["old version"]++
	case kind <= 1:
		if err := os.Remove(path); err != nil {
			p.t.Fatal(err)
		}
		p.damage["deleted"]++
	case kind == 2:
		p.put(path, nil, now.perm)
		p.damage["emptied"]++
	case kind == 3:
		p.put(path, make([]byte, len(now.text)), now.perm)
		p.damage["zeroed"]++
	case kind == 4:
		p.put(path, now.text[:len(now.text)/2], now.perm)
		p.damage["halved"]++
	default:
		p.damage["kept"]++
	}
}

func (p *power) put(path string, text []byte, perm fs.FileMode) {
	p.t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if rerr := os.Remove(path); !errors.Is(rerr, fs.ErrNotExist) {
		err = errors.Join(err, rerr)
	}
	if err := errors.Join(err, os.WriteFile(path, text, perm)); err != nil {
		p.t.Fatal(err)
	}
}

// cutWAL gives each page that was written since the last sync back its old content,
// keeps it, or tears it; and puts garbage behind the end.
func (p *power) cutWAL() {
	p.t.Helper()
	now, err := os.ReadFile(p.walPath())
	if err != nil {
		p.t.Fatal(err)
	}
	if len(p.wal) < len(now) {
		p.wal = append(p.wal, make([]byte, len(now)-len(p.wal))...)
	}
	last := 0
	for at := 0; at+pageSize <= len(now); at += pageSize {
		page, old := now[at:at+pageSize], p.wal[at:at+pageSize]
		if bytes.ContainsFunc(page, func(r rune) bool { return r != 0 }) {
			last = at + pageSize
		}
		if bytes.Equal(page, old) {
			continue
		}
		switch p.rng.IntN(3) {
		case 0:
			copy(page, old)
			p.damage["page lost"]++
		case 1:
			copy(page[pageSize/16:], old[pageSize/16:])
			p.damage["page torn"]++
		}
	}
	if p.rng.IntN(2) == 0 && last+pageSize <= len(now) {
		for i := range pageSize {
			now[last+i] = byte(p.rng.Uint32())
		}
		copy(now[last:], "QREC")
	}
	if err := os.WriteFile(p.walPath(), now, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// run opens the home and lets do work until it ends or the k-th call stops it.
func (p *power) run(k int, do func(r *Repo) error) (hit bool, err error) {
	p.stopAt, p.n = k, 0
	p.fault = p.ask
	r := newRepo(p.options())
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(stopped); !ok {
				panic(v)
			}
			hit = true
		}
		if p.syncing || p.flushed { // the last call's sync has come to its end
			p.look(p.syncing)
			p.syncing, p.flushed = false, false
		}
		r.abandon()
		p.fault = nil
	}()
	if err := r.open(context.Background()); err != nil {
		return false, err
	}
	return false, do(r)
}
