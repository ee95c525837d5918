package repo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"quipu/repo/internal/git"
)

// Restoring says how a backup is restored.
type Restoring struct {
	Force    bool                               // an empty folder may stand where the home will be
	Store    Options                            // Now is required
	Progress func(what string, done, total int) // may be nil
}

// RestoreBackup makes the home at dir what it was when the backup was made. Nothing is
// put in place before every file was held against its hash, every history was read
// through, and each has the newest commit that it had. ErrConflict: there is something
// at dir. See CheckBackup for the other errors.
func RestoreBackup(ctx context.Context, dir string, in io.ReaderAt, size int64, o Restoring) (m Backup, err error) {
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return m, fmt.Errorf("home %s: %w", dir, err)
	}
	r, err := openBackup(in, size)
	if err != nil {
		return m, err
	}
	if err := roomFor(abs, o.Force); err != nil {
		return m, err
	}
	syscall.Umask(0o077) // as in a home
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return m, fmt.Errorf("restore %s: %w", dir, err)
	}
	var tag [6]byte
	_, _ = rand.Read(tag[:]) // never fails: it ends the program instead
	temp := filepath.Join(filepath.Dir(abs), ".quipu-restore-"+hex.EncodeToString(tag[:]))
	if err := os.Mkdir(temp, 0o700); err != nil {
		return m, fmt.Errorf("restore %s: %w", dir, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	if err := r.unpack(ctx, temp, o.Progress); err != nil {
		return m, err
	}
	if err := r.prove(ctx, temp, o); err != nil {
		return m, err
	}
	syscall.Sync()
	if err := roomFor(abs, o.Force); err != nil {
		return m, err
	}
	if err := os.Remove(abs); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty folder, or nothing
		return m, fmt.Errorf("restore %s: %w", dir, err)
	}
	if err := os.Rename(temp, abs); err != nil {
		return m, fmt.Errorf("restore %s: %w", dir, err)
	}
	return r.m, nil
}

// roomFor says whether a home can be put at dir: a backup is never put over one.
func roomFor(dir string, force bool) error {
	fi, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return wrapf(ErrConflict, "%s is there already, and is no folder", dir)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil:
		return err
	case len(entries) > 0:
		return wrapf(ErrConflict, "%s is there already, and a backup is never put over a home; name another one with --home, or move that one away", dir)
	case !force:
		return wrapf(ErrConflict, "%s is there already, and empty; --force puts the home there", dir)
	}
	return nil
}

// unpack puts the files below dir.
func (r *backupReader) unpack(ctx context.Context, dir string, progress func(what string, done, total int)) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer closing(&err, root.Close)
	for _, name := range []string{workspacesDir, historyDir} {
		if err := root.Mkdir(name, 0o700); err != nil {
			return err
		}
	}
	return r.each(ctx, progress, func(f BackedFile, in io.Reader) (err error) {
		name := filepath.FromSlash(f.Path)
		if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		defer closing(&err, out.Close)
		_, err = io.Copy(out, in)
		return err
	})
}

// prove opens what was unpacked as a home and reads all of it.
func (r *backupReader) prove(ctx context.Context, dir string, o Restoring) (err error) {
	for _, w := range r.m.Workspaces { // git knows a repository by folders that may be empty
		if err := r.folders(dir, w.ID); err != nil {
			return err
		}
	}
	opened := o.Store
	opened.Program, opened.Resident = "", false // hooks are installed where the home will be
	s, err := OpenHome(dir, opened)
	if err != nil {
		return err
	}
	defer closing(&err, s.Close)
	for _, w := range r.m.Workspaces {
		if err := r.proveWorkspace(ctx, s, w, o.Progress); err != nil {
			return fmt.Errorf("restore %s: %w", w.ID, err)
		}
	}
	_, err = s.saidIfAny() //nolint:contextcheck // the handle outlives the call
	return err
}

func (r *backupReader) folders(dir string, id ID) error {
	at := filepath.Join(dir, historyDir, string(id)+".git")
	if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) {
		at = filepath.Join(dir, workspacesDir, string(id), ".git")
	}
	if _, err := os.Stat(filepath.Join(at, "HEAD")); err != nil {
		return wrapf(ErrDamaged, "the backup has no history of %s", id)
	}
	var errs []error
	for _, name := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info", "hooks", "quipu"} {
		errs = append(errs, os.MkdirAll(filepath.Join(at, filepath.FromSlash(name)), 0o700))
	}
	return errors.Join(append(errs, os.MkdirAll(filepath.Join(dir, workspacesDir, string(id)), 0o700))...)
}

// proveWorkspace holds that a history is whole, has the newest commit that it had, and
// that the notes are as that has them.
func (r *backupReader) proveWorkspace(ctx context.Context, s *Store, want BackedUp, progress func(what string, done, total int)) error {
	w, err := s.openAny(ctx, want.ID)
	if err != nil {
		return err
	}
	head, err := w.git.Position()
	if err != nil {
		return gitError(err)
	}
	if got := head.String(); !head.IsZero() && got != want.Head || head.IsZero() && want.Head != "" {
		return wrapf(ErrDamaged, "the newest commit is %s, and was %s", got, want.Head)
	}
	var bad error
	err = w.git.CheckAll(ctx, func(where, what string) {
		if bad == nil {
			bad = wrapf(ErrDamaged, "%s: %s", where, what)
		}
	}, func(done, total int) { progress("history of "+string(want.ID), done, total) })
	if err := errors.Join(err, bad); err != nil {
		return gitError(err)
	}
	if want.Branch == "" || head.IsZero() {
		return nil // no branch is checked out: git's index is the person's own to make
	}
	if err := w.git.MendIndex(ctx); err != nil && !errors.Is(err, git.ErrState) {
		return gitError(err)
	}
	edited, _, err := w.git.Scan()
	for _, path := range edited { // links and the like are no notes, and not in the backup
		if r.files[workspacesDir+"/"+string(want.ID)+"/"+path] != nil {
			return wrapf(ErrDamaged, "%s is not as the newest commit has it", path)
		}
	}
	return gitError(err)
}
