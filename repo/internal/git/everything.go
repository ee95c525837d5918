package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Everything shows all that the history's folder holds: each object, reachable or not,
// as "KIND NAME", and each other file as it is, as its path below the folder, ref names
// among them. Progress, which may be nil, is told how many objects are done.
func (r *Repo) Everything(ctx context.Context, show func(where string, raw []byte) error, progress func(done, total int)) error {
	src, err := r.openSource()
	if err != nil {
		return err
	}
	defer src.close()
	seen := map[Hash]bool{}
	if err := src.each(func(h Hash) { seen[h] = true }); err != nil {
		return err
	}
	done := 0
	for h := range seen {
		if err := ctx.Err(); err != nil {
			return err
		}
		kind, raw, err := src.object(h)
		if err != nil {
			return fmt.Errorf("object %s: %w", h, err)
		}
		if err := show(fmt.Sprintf("%s %s", kind, h), raw); err != nil {
			return err
		}
		if done++; progress != nil {
			progress(done, len(seen))
		}
	}
	return r.everyFile(show)
}

// everyFile shows the files of the history's folder but its objects.
func (r *Repo) everyFile(show func(where string, raw []byte) error) error {
	return filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		where, err := filepath.Rel(r.dir, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && where == "objects":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		raw, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(where, "refs") { // what stands in it is a hash: its name may tell
			raw = []byte(where)
		}
		return show(filepath.ToSlash(where), raw)
	})
}
