package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const configText = `[core]
	repositoryformatversion = 0
	filemode = false
	bare = false
	logallrefupdates = true
	autocrlf = false
	safecrlf = false
	quotePath = false
	fsmonitor = false
	worktree = %s
`

// What a bot's tools make beside its notes stays out of sight of git.
const excludeText = `# written by quipu: only memory is tracked
/*
!/MEMORY.md
!/ABOUT.md
!/memory/
/memory/*
!/memory/*.md
/memory/.*
!/memory/log/
/memory/log/*
!/memory/log/*.md
.quipu-*.tmp
`

// Bytes are kept as they are whatever a person's attributes say.
const attributesText = "* -text -filter -ident -working-tree-encoding\n"

const descriptionText = "a bot's memory, kept by quipu\n"

// Init makes an empty repository at dir for the work tree at work, both of which
// may exist already, and points the work tree to it. Paths between the two are
// relative, so that both can be moved together.
func Init(dir, work, branch string) error {
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); errors.Is(err, fs.ErrNotExist) {
		if err := makeGitDir(dir, work, branch); err != nil {
			return fmt.Errorf("make %s: %w", dir, err)
		}
	} else if err != nil {
		return err
	}
	_, err := Point(dir, work)
	return err
}

func makeGitDir(dir, work, branch string) error {
	tmp := dir + ".new"
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	for _, d := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info", "hooks", "quipu"} {
		if err := os.MkdirAll(filepath.Join(tmp, filepath.FromSlash(d)), 0o700); err != nil {
			return err
		}
	}
	rel, err := filepath.Rel(dir, work)
	if err != nil {
		return err
	}
	d := &disk{}
	for name, text := range map[string]string{
		"HEAD":            "ref: " + branchPrefix + branch + "\n",
		"config":          fmt.Sprintf(configText, filepath.ToSlash(rel)),
		"description":     descriptionText,
		"info/exclude":    excludeText,
		"info/attributes": attributesText,
	} {
		if err := d.writeSynced(filepath.Join(tmp, filepath.FromSlash(name)), []byte(text)); err != nil {
			return err
		}
	}
	if err := os.Rename(tmp, dir); err != nil {
		return err
	}
	return d.syncPath(filepath.Dir(dir))
}

// Point makes the work tree's .git file say where its git directory is; changed
// says that it did not. A .git folder is left alone.
func Point(dir, work string) (changed bool, err error) {
	path := filepath.Join(work, ".git")
	rel, err := filepath.Rel(work, dir)
	if err != nil {
		return false, err
	}
	want := "gitdir: " + filepath.ToSlash(rel) + "\n"
	fi, err := os.Lstat(path)
	switch {
	case err == nil && fi.IsDir():
		return false, nil
	case err == nil && fi.Mode().IsRegular():
		if b, rerr := os.ReadFile(path); rerr == nil && string(b) == want {
			return false, nil
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	d := &disk{}
	tmp := filepath.Join(work, ".quipu-git.tmp")
	if err := d.writeSynced(tmp, []byte(want)); err != nil {
		return false, err
	}
	return true, d.rename(tmp, path)
}

// DirOf finds the git directory of a work tree that has its own .git folder, or a
// .git file; "" when it has neither. It never looks upward.
func DirOf(work string) (string, error) {
	path := filepath.Join(work, ".git")
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if fi.IsDir() {
		return path, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
	if !ok {
		return "", nil
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(work, filepath.FromSlash(to))
	}
	return filepath.Clean(to), nil
}
