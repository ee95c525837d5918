package git

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// workTree is the folder that people see. Every access goes through an os.Root and
// refuses symbolic links on the way, so that nothing outside is read or written.
type workTree struct {
	dir  string
	root *os.Root
	disk *disk
}

// ErrOddFile says that where a memory file should be stands a link, a folder, a pipe or a
// device; or the file is larger than a memory file may be.
var ErrOddFile = errors.New("not a regular file of its own")

// The sizes, in bytes, above which a work file is not taken in.
const (
	MaxWorkFile = 2 << 20
	MaxPicture  = 5 << 20 // of one in the folder of pictures
)

const pictures = "memory/images"

// MaxFile is the size, in bytes, above which the work file of a path is not taken in.
func MaxFile(name string) int64 {
	if path.Dir(name) == pictures {
		return MaxPicture
	}
	return MaxWorkFile
}

// folders are those that can hold memory.
var folders = [...]string{".", "memory", "memory/log", pictures}

func openWorkTree(dir string, d *disk) (*workTree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	return &workTree{dir: dir, root: root, disk: d}, nil
}

func (w *workTree) close() error { return w.root.Close() }

// lstat gives the facts of a work file. fs.ErrNotExist, ErrOddFile.
func (w *workTree) lstat(name string) (stat, error) {
	for i, c := range name {
		if c != '/' {
			continue
		}
		fi, err := w.root.Lstat(name[:i])
		if err != nil {
			return stat{}, missing(err)
		}
		if !fi.IsDir() {
			return stat{}, fmt.Errorf("%s: %w", name[:i], ErrOddFile)
		}
	}
	fi, err := w.root.Lstat(name)
	if err != nil {
		return stat{}, missing(err)
	}
	if !fi.Mode().IsRegular() {
		return stat{}, fmt.Errorf("%s: %w", name, ErrOddFile)
	}
	return statOf(fi), nil
}

// missing makes every way in which a path leads nowhere the same error.
func missing(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return fs.ErrNotExist
	}
	return err
}

// read gives a work file's text and facts. fs.ErrNotExist, ErrOddFile.
func (w *workTree) read(name string) ([]byte, stat, error) {
	if _, err := w.lstat(name); err != nil {
		return nil, stat{}, err
	}
	f, err := w.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, stat{}, missing(err)
	}
	defer f.Close() //nolint:errcheck // read only
	fi, err := f.Stat()
	if err != nil {
		return nil, stat{}, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > MaxFile(name) {
		return nil, stat{}, fmt.Errorf("%s: %w", name, ErrOddFile)
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxFile(name)+1))
	return b, statOf(fi), err
}

// tempName is where a file's new text waits for its rename, in the same folder.
func tempName(name string, i int) string {
	return path.Join(path.Dir(name), fmt.Sprintf(".quipu-%d-%d.tmp", os.Getpid(), i))
}

func isTemp(name string) bool {
	return strings.HasPrefix(name, ".quipu-") && strings.HasSuffix(name, ".tmp")
}

// writeTemp writes b to a temporary file beside name.
func (w *workTree) writeTemp(name, tmp string, b []byte) error {
	if dir := path.Dir(name); dir != "." {
		if err := w.mkdir(dir); err != nil {
			return err
		}
	}
	if err := w.disk.ask("create", tmp); err != nil {
		return err
	}
	f, err := w.root.OpenFile(tmp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	if err := w.disk.ask("write", tmp); err != nil {
		_, werr := f.Write(b[:len(b)/2])
		return errors.Join(err, werr, f.Close())
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Chmod(0o600), f.Close())
}

func (w *workTree) mkdir(dir string) error {
	fi, err := w.root.Lstat(dir)
	if err == nil && fi.IsDir() {
		return nil
	}
	if err == nil {
		return fmt.Errorf("%s: %w", dir, ErrOddFile)
	}
	if err := w.disk.ask("mkdir", dir); err != nil {
		return err
	}
	return w.root.MkdirAll(dir, 0o700)
}

func (w *workTree) rename(from, to string) error {
	if err := w.disk.ask("rename", to); err != nil {
		return err
	}
	return w.root.Rename(from, to)
}

func (w *workTree) remove(name string) error {
	if err := w.disk.ask("remove", name); err != nil {
		return err
	}
	err := w.root.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// list walks the folders that can hold memory and visits each file that tracked
// names, with its facts. Odd files are given to odd instead. Temporary files of
// quipu are passed over.
func (w *workTree) list(tracked func(string) bool, visit func(string, stat), odd func(string)) error {
	for _, dir := range folders {
		fi, err := w.root.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		switch {
		case fi.IsDir():
		case dir == pictures:
			continue // a person's own
		default:
			odd(dir)
			return nil // what is listed next lies below
		}
		if err := w.listDir(dir, tracked, visit, odd); err != nil {
			return err
		}
	}
	return nil
}

func (w *workTree) listDir(dir string, tracked func(string) bool, visit func(string, stat), odd func(string)) error {
	d, err := w.root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // read only
	entries, err := d.ReadDir(-1)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if !tracked(name) {
			continue
		}
		fi, err := e.Info() // of a folder opened in a root: read with the entry, no link followed
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !fi.Mode().IsRegular() || fi.Size() > MaxFile(name):
			odd(name)
		default:
			visit(name, statOf(fi))
		}
	}
	return nil
}

// sweep removes temporary files that a killed process left.
func (w *workTree) sweep() error {
	var errs []error
	for _, dir := range folders {
		if fi, err := w.root.Lstat(dir); err != nil || !fi.IsDir() {
			continue
		}
		d, err := w.root.Open(dir)
		if err != nil {
			continue
		}
		names, err := d.Readdirnames(-1)
		errs = append(errs, err, d.Close())
		for _, name := range names {
			if isTemp(name) {
				errs = append(errs, w.remove(path.Join(dir, name)))
			}
		}
	}
	return errors.Join(errs...)
}

func (w *workTree) abs(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }
