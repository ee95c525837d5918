package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quipu/policy"
	"quipu/repo/internal/git"
)

func (s *Store) workDir(id ID) string { return filepath.Join(s.home, workspacesDir, string(id)) }

func (s *Store) ownDir(id ID) string {
	return filepath.Join(s.home, historyDir, string(id)+".git")
}

// exists says whether a workspace has a history: ours beside it, or its own .git.
func (s *Store) exists(id ID) bool {
	if _, err := os.Stat(filepath.Join(s.ownDir(id), "HEAD")); err == nil {
		return true
	}
	_, err := os.Lstat(filepath.Join(s.workDir(id), ".git"))
	return err == nil
}

// gitDir is where a workspace's history lies: ours, or, where there is none, a .git
// folder of its own (a clone). The .git file that names ours is put back when it is
// not right; put says so.
func (s *Store) gitDir(id ID) (dir string, put bool, err error) {
	own, work := s.ownDir(id), s.workDir(id)
	if _, err := os.Stat(filepath.Join(own, "HEAD")); err == nil {
		if err := os.MkdirAll(work, 0o700); err != nil {
			return "", false, err
		}
		put, err := point(own, work)
		return own, put, err
	}
	dir, err = git.DirOf(work)
	return dir, false, err
}

// point makes the .git file name our history. A repository that someone made in its
// place is put aside: a record that a bot could exchange for another is no record.
func point(own, work string) (put bool, err error) {
	at := filepath.Join(work, ".git")
	if fi, err := os.Lstat(at); err == nil && fi.IsDir() {
		aside := at + ".aside"
		for n := 2; ; n++ {
			if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
				break
			}
			aside = fmt.Sprintf("%s.aside-%d", at, n)
		}
		if err := os.Rename(at, aside); err != nil {
			return false, err
		}
	}
	return git.Point(own, work)
}

// IDOf names the bot whose workspace holds the folder dir, "" when none does.
func (s *Store) IDOf(dir string) ID {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	base, err := filepath.EvalSymlinks(filepath.Join(s.home, workspacesDir))
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(base, real)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	id := ID(strings.Split(filepath.ToSlash(rel), "/")[0])
	if policy.CheckID(string(id)) != nil || !s.exists(id) {
		return ""
	}
	return id
}
