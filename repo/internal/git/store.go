package git

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// ErrNoObject says that the history has no object of that name, or of that kind.
var ErrNoObject = errors.New("no such object")

// packs reads packed objects through go-git. One storage value is not safe for
// several goroutines and never sees packs that came later, so it is guarded and
// made anew when an object is missing.
type packs struct {
	mu  sync.Mutex
	dir string
	s   *filesystem.Storage
}

func (p *packs) read(h Hash) (Kind, []byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh := p.s == nil
	for {
		if p.s == nil {
			p.s = filesystem.NewStorageWithOptions(osfs.New(p.dir), cache.NewObjectLRU(8<<20), filesystem.Options{KeepDescriptors: true})
		}
		kind, raw, err := p.readOnce(h)
		if err == nil || fresh {
			return kind, raw, err
		}
		p.closeLocked()
		fresh = true
	}
}

func (p *packs) readOnce(h Hash) (Kind, []byte, error) {
	o, err := p.s.EncodedObject(plumbing.AnyObject, h)
	if err != nil {
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return 0, nil, fmt.Errorf("object %s: %w", h, ErrNoObject)
		}
		return 0, nil, fmt.Errorf("object %s: %w", h, err)
	}
	kind, ok := kindOf(o.Type().String())
	if !ok {
		return 0, nil, fmt.Errorf("object %s: %w", h, ErrNoObject)
	}
	src, err := o.Reader()
	if err != nil {
		return 0, nil, err
	}
	raw, err := io.ReadAll(src)
	return kind, raw, errors.Join(err, src.Close())
}

func (p *packs) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closeLocked()
}

func (p *packs) closeLocked() {
	if p.s != nil {
		_ = p.s.Close() // only open descriptors of files that are read
		p.s = nil
	}
}

// Object reads one object of any kind, loose or packed. ErrNoObject.
func (r *Repo) Object(h Hash) (Kind, []byte, error) {
	kind, raw, err := r.readLoose(h)
	if err == nil {
		return kind, raw, nil
	}
	pk, praw, perr := r.packs.read(h)
	if perr == nil {
		return pk, praw, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil, perr
	}
	return 0, nil, err
}

func (r *Repo) object(want Kind, h Hash) ([]byte, error) {
	kind, raw, err := r.Object(h)
	if err != nil {
		return nil, err
	}
	if kind != want {
		return nil, fmt.Errorf("object %s is a %s, not a %s: %w", h, kind, want, ErrNoObject)
	}
	return raw, nil
}

// Blob reads a file's text. The zero Hash is no text.
func (r *Repo) Blob(h Hash) ([]byte, error) {
	if h.IsZero() {
		return nil, nil
	}
	return r.object(KindBlob, h)
}

// has says whether an object is there and is what its name says.
func (r *Repo) has(h Hash) bool {
	_, _, err := r.Object(h)
	return err == nil
}
