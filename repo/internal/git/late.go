package git

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A program that had a work file open when we replaced it writes to a file that
// has no name any more: `echo line >> MEMORY.md` would lose its line. So each file
// that is replaced keeps a second name in quipu/was until no program has it open
// and it is found unchanged; what was written to it meanwhile is an edit like any
// other.

// lateFile is one kept file.
type lateFile struct {
	name string // in quipu/was
	path string
	blob Hash // what it held when it was replaced
	text []byte
	busy bool // a program still has it open for writing
}

const (
	lateAge = 250 * time.Millisecond // a program that opened the file has written by then
	lateSep = "\x01"                 // stands for "/" in names under quipu/was
)

func (r *Repo) wasDir() string { return filepath.Join(r.own, "was") }

// keepReplaced gives the work file at path its second name. It reports the name.
func (r *Repo) keepReplaced(path string, blob Hash, n int) (string, error) {
	name := fmt.Sprintf("%s-%d-%d-%s", blob, time.Now().UnixMilli(), n, strings.ReplaceAll(path, "/", lateSep))
	to := filepath.Join(r.wasDir(), name)
	err := r.disk.link(r.work.abs(path), to)
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.disk.mkdir(r.wasDir()); err == nil {
			err = r.disk.link(r.work.abs(path), to)
		}
	}
	return to, err
}

func parseLate(name string) (f lateFile, at time.Time, ok bool) {
	part := strings.SplitN(name, "-", 4)
	if len(part) != 4 {
		return lateFile{}, time.Time{}, false
	}
	ms, err := strconv.ParseInt(part[1], 10, 64)
	blob, isHash := ParseHash(part[0])
	f = lateFile{name: name, path: strings.ReplaceAll(part[3], lateSep, "/"), blob: blob}
	return f, time.UnixMilli(ms), err == nil && isHash
}

// dueLate reads the kept files and removes those that are old enough and were left
// alone. It gives the ones that something was written to.
func (r *Repo) dueLate(all bool) ([]lateFile, error) {
	entries, err := os.ReadDir(r.wasDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var changed []lateFile
	for _, e := range entries {
		f, at, ok := parseLate(e.Name())
		if !ok || (!all && time.Since(at) < lateAge) {
			continue
		}
		if err := r.examineLate(&f); err != nil {
			return nil, err
		}
		switch {
		case HashBlob(f.text) != f.blob:
			changed = append(changed, f)
		case !f.busy && time.Since(at) >= lateAge:
			if err := r.disk.remove(filepath.Join(r.wasDir(), f.name)); err != nil {
				return nil, err
			}
		}
	}
	return changed, nil
}

func (r *Repo) examineLate(f *lateFile) error {
	file, err := os.Open(filepath.Join(r.wasDir(), f.name))
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // read only
	f.busy = hasWriter(file)
	f.text, err = io.ReadAll(io.LimitReader(file, MaxFile(f.path)))
	return err
}

// settleLate ends the watch over late files that were taken in: one that a program
// still has open is watched on, from what it holds now.
func (r *Repo) settleLate(files []lateFile) {
	for _, f := range files {
		from := filepath.Join(r.wasDir(), f.name)
		var err error
		if f.busy {
			to := fmt.Sprintf("%s-%d-0-%s", HashBlob(f.text), time.Now().UnixMilli(), strings.ReplaceAll(f.path, "/", lateSep))
			err = r.disk.rename(from, filepath.Join(r.wasDir(), to))
		} else {
			err = r.disk.remove(from)
		}
		if err != nil {
			r.log.Warn("late edit stays on the watch list", "path", f.path, "err", err)
		}
	}
}

// joinLate adds to a work file's text what was written late to files that it
// replaced, and lists those files; nil when nothing was. text may be nil when the
// work file is known to hold blob.
func (t *Tx) joinLate(path string, blob Hash, text []byte) (joined []byte, late []lateFile, err error) {
	for _, f := range t.due {
		if f.path != path {
			continue
		}
		base, err := t.r.Blob(f.blob)
		if errors.Is(err, ErrNoObject) {
			base = nil // a text that no commit ever held: nothing can be told apart from it
		} else if err != nil {
			return nil, nil, err
		}
		if late == nil {
			if joined = text; joined == nil {
				if joined, err = t.r.Blob(blob); err != nil {
					return nil, nil, err
				}
			}
		}
		joined = t.r.opt.Union(base, joined, f.text)
		if joined == nil {
			joined = []byte{}
		}
		late = append(late, f)
	}
	return joined, late, nil
}
