package main

import (
	"errors"
	"fmt"
	"io/fs"
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

// noState says that a state of the history is not known, by the word for it.
func noState(err error, state string) error {
	if exitOf(err) != exitNotFound {
		return err
	}
	return &told{
		err: err, text: fmt.Sprintf("there is no change and no time %q", state),
		hint: "`quipu log --all` lists the changes; a time is 24h, 3d, yesterday, YYYY-MM-DD or RFC 3339",
	}
}
