package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// quarantine is a bare repository of its own that reads our objects and keeps what comes
// from a remote. Nothing of it is seen before it is admitted; what fails is removed whole.
// Its configuration is ours alone: one that lies in a workspace could name a program.
type quarantine struct {
	r       *Repo
	dir     string
	checked bool // git itself has checked the objects and that they are connected

	branches []Hash // what must be commits
}

const (
	quarantineName = "remote-"
	quarantineAge  = time.Hour // an older one was left by a process that was killed
	fewObjects     = 100       // as many are kept loose, as git does; more stay a pack
)

func (r *Repo) openQuarantine() (*quarantine, error) {
	r.sweepQuarantines()
	dir, err := os.MkdirTemp(r.own, quarantineName)
	if err != nil {
		return nil, err
	}
	q := &quarantine{r: r, dir: dir}
	if err := q.fill(); err != nil {
		q.remove()
		return nil, err
	}
	return q, nil
}

func (q *quarantine) fill() error {
	objects, err := filepath.Abs(filepath.Join(q.r.dir, "objects"))
	if err != nil {
		return err
	}
	for _, dir := range [...]string{"refs", "objects/info", "objects/pack"} {
		if err := q.r.disk.mkdir(filepath.Join(q.dir, dir)); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{
		"HEAD": "ref: refs/heads/none\n", "config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogAllRefUpdates = false\n",
		"objects/info/alternates": quoteAlternate(objects) + "\n",
	} {
		if err := q.r.disk.write(filepath.Join(q.dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// quoteAlternate writes a path as git reads it in that file, where "#" begins a comment
// and a path with odd characters is quoted.
func quoteAlternate(path string) string {
	if !strings.ContainsAny(path, "#\"\n\\") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// shareRefs tells the quarantine what we have, so that no more than the rest is sent.
func (q *quarantine) shareRefs() error {
	refs, err := q.r.allRefs()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("# pack-refs with: \n")
	n := 0
	for _, h := range refs {
		if q.r.has(h) { // git stops at a broken ref
			n++
			fmt.Fprintf(&b, "%s refs/have/%d\n", h, n)
		}
	}
	return q.r.disk.write(filepath.Join(q.dir, "packed-refs"), []byte(b.String()), 0o600)
}

func (q *quarantine) packDir() string { return filepath.Join(q.dir, "objects", "pack") }

// size is how many bytes have come.
func (q *quarantine) size() int64 {
	n := int64(0)
	entries, _ := os.ReadDir(q.packDir()) // counted again in a moment
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}

func (q *quarantine) remove() {
	if err := os.RemoveAll(q.dir); err != nil {
		q.r.log.Warn("a folder of a transfer was left", "err", err)
	}
}

func (r *Repo) sweepQuarantines() {
	paths, _ := filepath.Glob(filepath.Join(r.own, quarantineName+"*")) // a fixed pattern
	for _, p := range paths {
		if info, err := os.Lstat(p); err == nil && time.Since(info.ModTime()) > quarantineAge {
			(&quarantine{r: r, dir: p}).remove()
		}
	}
}

// admit takes what a quarantine holds into the history and sets refs. What is slow,
// checking and syncing, is done before the lock of writers is taken.
func (r *Repo) admit(ctx context.Context, q *quarantine, moves map[string]Hash) error {
	ready, err := q.prepare(ctx, moves)
	if err != nil {
		return err
	}
	return r.beside(ctx, func(deadline time.Time) error {
		if _, err := os.Lstat(q.dir); err != nil {
			return &busyError{"an erase took away what was being fetched; try again"}
		}
		if err := ready.place(); err != nil {
			return err
		}
		for ref, h := range moves {
			if err := r.moveRemoteRef(ctx, ref, h, deadline); err != nil {
				return err
			}
		}
		return nil
	})
}

// moveRemoteRef sets a ref that is no branch of ours. It is synced: no record gives it
// back after a power cut, and an erase refuses to run beside a torn one.
func (r *Repo) moveRemoteRef(ctx context.Context, ref string, h Hash, deadline time.Time) error {
	if old, err := r.readRef(ref); err == nil && old == h {
		return nil
	}
	path := r.refPath(ref)
	if err := r.takeGitLock(ctx, path, deadline); err != nil {
		return err
	}
	tmp := filepath.Join(r.own, "ref.new")
	err := r.disk.writeSynced(tmp, []byte(h.String()+"\n"))
	if err == nil {
		err = r.disk.rename(tmp, path)
	}
	return errors.Join(err, r.dropLock(path+".lock"))
}

// intake is what is ready to be moved into the object store.
type intake struct {
	r     *Repo
	moves [][2]string // from, to: in this order, so that what is there is whole
}

func (i *intake) place() error {
	dirs := map[string]bool{}
	for _, m := range i.moves {
		if _, err := os.Lstat(m[1]); err == nil {
			continue
		}
		err := i.r.disk.rename(m[0], m[1])
		if errors.Is(err, fs.ErrNotExist) {
			if err = i.r.disk.mkdir(filepath.Dir(m[1])); err == nil {
				dirs[filepath.Dir(filepath.Dir(m[1]))] = true
				err = i.r.disk.rename(m[0], m[1])
			}
		}
		if err != nil {
			return err
		}
		dirs[filepath.Dir(m[1])] = true
	}
	paths := make([]string, 0, len(dirs))
	for d := range dirs {
		paths = append(paths, d)
	}
	return i.r.disk.syncPaths(paths)
}

// diskFault says that our own disk refuses to take more.
func diskFault(err error) bool {
	for _, e := range [...]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG, fs.ErrPermission} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
