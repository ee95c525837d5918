package git

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git's pack format
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// mostIncoming bounds an object that comes from a remote: a note is at most 256 KiB, an
// image some megabytes.
const mostIncoming = 64 << 20

// index gives a pack that came its index and its name. go-git's parser is not used: it
// keeps whole objects in memory as large as a hostile pack says they are.
func (q *quarantine) index(ctx context.Context, path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum, size, err := packSum(f)
	if err != nil {
		return err
	}
	x := &indexer{w: &packWriter{}, p: &packFile{name: "pack", f: f, cache: newPackCache(sourceCache), z: &unzipper{}, byName: map[Hash]int64{}, most: 2 * mostIncoming}}
	if err := x.scan(ctx, size); err != nil {
		return brokenPack(err)
	}
	if len(x.w.entries) == 0 {
		return os.Remove(path)
	}
	if err := x.name(ctx); err != nil {
		return brokenPack(err)
	}
	to := filepath.Join(q.packDir(), fmt.Sprintf("pack-%x", sum))
	if err := q.r.disk.write(to+".idx", x.w.index(sum), 0o600); err != nil {
		return err
	}
	return q.r.disk.rename(path, to+".pack")
}

func brokenPack(err error) error {
	if errors.Is(err, errTooLarge) || errors.Is(err, context.Canceled) || errors.Is(err, errBroken) {
		return err
	}
	return fmt.Errorf("%w: %w", err, errBroken)
}

// packSum checks the sum at the end of a pack and gives it, and where it stands.
func packSum(f *os.File) (sum []byte, size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	size = info.Size() - sha1.Size
	if size < 12 {
		return nil, 0, io.ErrUnexpectedEOF
	}
	have := sha1.New() //nolint:gosec // git's pack format
	if _, err := io.Copy(have, io.NewSectionReader(f, 0, size)); err != nil {
		return nil, 0, err
	}
	want := make([]byte, sha1.Size)
	if _, err := f.ReadAt(want, size); err != nil {
		return nil, 0, err
	}
	if sum = have.Sum(nil); !bytes.Equal(sum, want) {
		return nil, 0, fmt.Errorf("the sum of the pack differs: %w", errBroken)
	}
	return sum, size, nil
}

// indexer finds out where objects stand in a pack, and what they are called.
type indexer struct {
	w *packWriter
	p *packFile
}

// scan finds the objects without keeping them.
func (x *indexer) scan(ctx context.Context, size int64) error {
	s := packfile.NewScanner(io.NewSectionReader(x.p.f, 0, size+sha1.Size))
	_, n, err := s.Header()
	if errors.Is(err, packfile.ErrEmptyPackfile) {
		return nil
	}
	if err != nil {
		return err
	}
	for range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		head, err := s.NextObjectHeader()
		if err != nil {
			return err
		}
		if head.Length > mostIncoming {
			return fmt.Errorf("an object of %d bytes: %w", head.Length, errTooLarge)
		}
		_, crc, err := s.NextObject(io.Discard)
		if err != nil {
			return err
		}
		x.w.entries = append(x.w.entries, packEntry{off: head.Offset, crc: crc})
		x.p.ends = append(x.p.ends, head.Offset)
	}
	x.p.ends = append(x.p.ends, size)
	return nil
}

// name reads every object. One whose base is told by name and comes later is read in a
// later round.
func (x *indexer) name(ctx context.Context) error {
	const rounds = 50 // git's own depth of deltas
	left := make([]int, len(x.w.entries))
	for i := range left {
		left[i] = i
	}
	for range rounds {
		var again []int
		for _, i := range left {
			if err := ctx.Err(); err != nil {
				return err
			}
			e := &x.w.entries[i]
			kind, raw, err := x.p.read(e.off)
			if errors.Is(err, errNoBase) {
				again = append(again, i)
				continue
			}
			if err != nil {
				return err
			}
			if len(raw) > mostIncoming {
				return fmt.Errorf("an object of %d bytes: %w", len(raw), errTooLarge)
			}
			e.hash = hashObject(kind, raw)
			x.p.byName[e.hash] = e.off
		}
		if len(again) == 0 {
			return nil
		}
		if len(again) == len(left) {
			break
		}
		left = again
	}
	return fmt.Errorf("deltas without a base: %w", plumbing.ErrObjectNotFound)
}
