package repo

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// homeWait is how long a change of the home's own small files waits for another
// process that is changing them. Each takes milliseconds.
const (
	homeWait  = 3 * time.Second
	homeRetry = 10 * time.Millisecond
)

// lockHome runs fn while no other process changes the configuration or the tokens
// of the home at dir, which is made when it is missing. ErrBusy.
func lockHome(dir string, fn func(*os.Root) error) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make home: %w", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	for tries := homeWait / homeRetry; err == nil && !held && tries > 0; tries-- {
		time.Sleep(homeRetry)
		held, err = lock.TryLock()
	}
	if err != nil {
		return fmt.Errorf("lock home: %w", err)
	}
	if !held {
		return wrapf(ErrBusy, "another process is changing the settings in %s", dir)
	}
	defer closing(&err, lock.Close)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open home: %w", err)
	}
	defer closing(&err, root.Close)
	return fn(root)
}

// closing adds what went wrong at the end to an error, which stays as it is when
// nothing did.
func closing(err *error, end func() error) {
	if e := end(); e != nil {
		*err = errors.Join(*err, e)
	}
}

// writeWhole puts data in place of the file name: a reader, and a computer that
// loses power, sees the old text or the new one. Mode 0600 whatever the umask.
func writeWhole(root *os.Root, name string, data []byte) error {
	var tag [6]byte
	_, _ = rand.Read(tag[:]) // never fails: it ends the program instead
	temp := name + ".tmp-" + hex.EncodeToString(tag[:])
	if err := writeSynced(root, temp, data); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), removeQuietly(root, temp))
	}
	if err := root.Rename(temp, name); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), removeQuietly(root, temp))
	}
	return syncFolder(root)
}

func writeSynced(root *os.Root, name string, data []byte) (err error) {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer closing(&err, f.Close)
	if err := f.Chmod(0o600); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

func removeQuietly(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncFolder makes the rename itself last. A file system that cannot sync a folder
// is no reason to call the write undone.
func syncFolder(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return fmt.Errorf("open home: %w", err)
	}
	_ = d.Sync()
	return d.Close()
}

// readSmall reads one of the home's own files, nil when there is none. A file over
// 1 MiB is none of ours.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return nil, wrapf(ErrInvalid, "%s is no plain file under 1 MiB", filepath.Base(path))
	}
	return os.ReadFile(path)
}
