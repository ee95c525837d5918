package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"quipu/repo"
)

// What a person asks to have outside the home is written here and nowhere else: a file or
// a folder for its owner alone, whole or not at all. What stands there is replaced only
// when they say so, and a link is never followed.

// outFile is a file that is being written under another name beside where it will be.
type outFile struct {
	*os.File
	path string
}

// newOutFile begins a file at path. ErrConflict: something is there, and force is not
// set; or it is no plain file.
func newOutFile(path string, force bool) (*outFile, error) {
	if err := freeFor(path, force); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".quipu-*.tmp") // 0600
	if err != nil {
		return nil, noPlace(err, path)
	}
	return &outFile{File: f, path: path}, nil
}

// freeFor says whether a file can be put at path.
func freeFor(path string, force bool) error {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !fi.Mode().IsRegular():
		return &told{err: repo.ErrConflict, text: path + " is there and is no plain file", hint: "name another place"}
	case !force:
		return &told{err: repo.ErrConflict, text: path + " is there already", hint: "--force replaces it"}
	}
	return nil
}

// keep puts the file in place; drop is for when it is not whole.
func (f *outFile) keep() error {
	err := errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", f.path, err), f.drop())
	}
	return nil
}

func (f *outFile) drop() error {
	_ = f.Close() // it goes
	if err := os.Remove(f.Name()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// writeOut writes a file at path with what fill gives.
func writeOut(path string, force bool, fill func(io.Writer) error) error {
	f, err := newOutFile(path, force)
	if err != nil {
		return err
	}
	if err := fill(f); err != nil {
		return errors.Join(err, f.drop())
	}
	return f.keep()
}

// outText is one file of a folder; name is below it.
type outText struct {
	name string
	text []byte
}

// checkOutFolder says whether a folder can be put at path: there is none, or an empty one,
// or force adds to what is there.
func checkOutFolder(path string, force bool) error {
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return &told{err: repo.ErrConflict, text: path + " is there and is no folder", hint: "name another place"}
	}
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 && !force {
		return &told{err: repo.ErrConflict, text: path + " is there already, and not empty", hint: "--force writes into it, and replaces files of the same names"}
	}
	return err
}

// writeFolder writes files below path: all of them beside it first, then into place.
func writeFolder(path string, force bool, files []outText) (err error) {
	if err := checkOutFolder(path, force); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(path), ".quipu-*.tmp") // 0700
	if err != nil {
		return noPlace(err, path)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }() // gone already when it was moved as a whole
	for _, f := range files {
		if err := addTo(temp, f); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
	}
	if err := os.Rename(temp, path); err == nil { // there was nothing, or an empty folder
		return nil
	}
	if err := linkless(path, files); err != nil {
		return err
	}
	for _, f := range files {
		at := filepath.Join(path, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(temp, filepath.FromSlash(f.name)), at); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
	}
	return nil
}

func addTo(dir string, f outText) error {
	if !filepath.IsLocal(filepath.FromSlash(f.name)) {
		return errors.New("the name leads out of the folder")
	}
	at := filepath.Join(dir, filepath.FromSlash(f.name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return errors.New("two files have names that are one here")
	}
	if err != nil {
		return err
	}
	_, err = out.Write(f.text)
	return errors.Join(err, out.Sync(), out.Close())
}

// linkless holds, before anything is moved, that every file finds a plain one or nothing
// in its place, and that no folder on the way is a link.
func linkless(path string, files []outText) error {
	for _, f := range files {
		if err := freeFor(filepath.Join(path, filepath.FromSlash(f.name)), true); err != nil {
			return err
		}
		for dir := filepath.Dir(filepath.FromSlash(f.name)); dir != "."; dir = filepath.Dir(dir) {
			at := filepath.Join(path, dir)
			fi, err := os.Lstat(at)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return err
			case !fi.IsDir():
				return &told{err: repo.ErrConflict, text: at + " is there and is no folder", hint: "name another place"}
			}
		}
	}
	return nil
}

// noPlace says what keeps something from being put at path.
func noPlace(err error, path string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &told{err: repo.ErrNotFound, text: "there is no folder " + filepath.Dir(path), hint: "make it first, or name another place"}
	}
	return fmt.Errorf("write %s: %w", path, err)
}
