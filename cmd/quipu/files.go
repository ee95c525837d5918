package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// path is a path of the person's own, seen from the folder they are in.
func (e *env) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(e.Dir, p)
}

// fileFault says what is wrong with a file that the person named.
func fileFault(err error, name string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &told{err: repo.ErrNotFound, text: "no such file: " + name}
	}
	return fmt.Errorf("read %s: %w", name, err)
}

// notePath holds that a path that narrows an answer can be a note's: an answer of
// nothing would hide the mistake.
func notePath(p string) error {
	if p == "" {
		return nil
	}
	_, err := policy.CheckPath(p)
	return err
}

// onFile says which file an error is about, where it does not say so itself.
func onFile(verb, path string, err error) error {
	if strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s %s: %w", verb, path, err)
}

// oddFile says why a file is not read or written where something else than a plain
// file has its name.
func oddFile(w *repo.Workspace, path string, err error) error {
	if w == nil || !errors.Is(err, repo.ErrState) {
		return err
	}
	at := w.Dir()
	for part := range strings.SplitSeq(path, "/") { // a folder on the way may be the link
		at = filepath.Join(at, part)
		fi, lerr := os.Lstat(at)
		if lerr != nil {
			return err
		}
		what := ""
		switch mode := fi.Mode(); {
		case mode&fs.ModeSymlink != 0:
			what = "a link, and quipu follows none"
		case mode.IsDir() && strings.HasSuffix(at, path):
			what = "a folder"
		case !mode.IsDir() && !mode.IsRegular():
			what = "no plain file"
		default:
			continue
		}
		name, _ := filepath.Rel(w.Dir(), at) // it lies under it
		return &told{err: err, text: filepath.ToSlash(name) + " is " + what + ": it is neither read nor kept", hint: "`quipu doctor` says how to put it aside"}
	}
	return err
}

// noState says that a state of the history is not known, by the word for it.
func noState(err error, state string) error {
	if exitOf(err) != exitNotFound {
		return err
	}
	const times = "a time is 24h, 3d, yesterday, YYYY-MM-DD or RFC 3339"
	if strings.Contains(err.Error(), "begins after") { // it is a time, and too early
		return hinted(err, "`quipu log --all` lists the changes; "+times)
	}
	return &told{
		err: err, text: fmt.Sprintf("there is no change and no time %q", state),
		hint: "`quipu log --all` lists the changes; " + times,
	}
}
