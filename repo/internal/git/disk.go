package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// disk does every write to the git directory. Its fault, nil but in tests, is
// asked before each system call that changes something: an error it returns is
// the call's error, and a panic stops the program there.
type disk struct {
	fault func(op, path string) error
}

func (d *disk) ask(op, path string) error {
	if d.fault == nil {
		return nil
	}
	return d.fault(op, path)
}

// write makes a new file or empties an old one. A fault leaves half of it, as a
// full disk does.
func (d *disk) write(path string, b []byte, perm fs.FileMode) error {
	if err := d.ask("create", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, perm)
	if errors.Is(err, fs.ErrPermission) && os.Remove(path) == nil { // left read-only by a killed writer
		f, err = os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, perm)
	}
	if err != nil {
		return err
	}
	if err := d.ask("write", path); err != nil {
		_, werr := f.Write(b[:len(b)/2])
		return errors.Join(err, werr, f.Close())
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// writeSynced is write with the content forced to the disk.
func (d *disk) writeSynced(path string, b []byte) error {
	if err := d.write(path, b, 0o600); err != nil {
		return err
	}
	return d.syncPath(path)
}

func (d *disk) syncPath(path string) error {
	if err := d.ask("sync", path); err != nil {
		return err
	}
	return syncFile(path)
}

// syncPaths syncs many at once: the file system then does it in one go.
func (d *disk) syncPaths(paths []string) error {
	const atOnce = 16
	for _, p := range paths {
		if err := d.ask("sync", p); err != nil {
			return err
		}
	}
	var wg sync.WaitGroup
	errs := make([]error, len(paths))
	gate := make(chan struct{}, atOnce)
	for n, p := range paths {
		gate <- struct{}{}
		wg.Go(func() {
			errs[n] = syncFile(p)
			<-gate
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *disk) append(path string, b []byte) error {
	if err := d.ask("append", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.mkdir(filepath.Dir(path)); err != nil {
			return err
		}
		f, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	}
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if _, err = f.Write(b); err != nil { // half a line would spoil the next one
		err = errors.Join(err, f.Truncate(info.Size()))
	}
	return errors.Join(err, f.Close())
}

func (d *disk) pwrite(f *os.File, b []byte, off int64) error {
	if err := d.ask("pwrite", f.Name()); err != nil {
		_, werr := f.WriteAt(b[:len(b)/2], off)
		return errors.Join(err, werr)
	}
	_, err := f.WriteAt(b, off)
	return err
}

func (d *disk) datasync(f *os.File) error {
	if err := d.ask("datasync", f.Name()); err != nil {
		return err
	}
	return datasync(f)
}

func (d *disk) rename(from, to string) error {
	if err := d.ask("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

func (d *disk) link(from, to string) error {
	if err := d.ask("link", to); err != nil {
		return err
	}
	return os.Link(from, to)
}

func (d *disk) remove(path string) error {
	if err := d.ask("remove", path); err != nil {
		return err
	}
	return os.Remove(path)
}

func (d *disk) mkdir(path string) error {
	if err := d.ask("mkdir", path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o700)
}

// replace puts b at path by a temporary file in tmpDir and a rename.
func (d *disk) replace(tmpDir, path string, b []byte) error {
	tmp := filepath.Join(tmpDir, filepath.Base(path)+".new")
	if err := d.write(tmp, b, 0o600); err != nil {
		return err
	}
	err := d.rename(tmp, path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.mkdir(filepath.Dir(path)); err == nil {
			err = d.rename(tmp, path)
		}
	}
	return err
}
