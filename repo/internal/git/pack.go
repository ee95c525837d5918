package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
)

// manyLoose is how many loose objects are worth packing, as git's own gc.auto has it.
const manyLoose = 6700

// Pack lets git pack loose objects when there are many; without git they stay loose.
// Writers need not wait: an object is removed only when a synced pack holds it, and
// readers look into packs that came later. Beside an erase nothing is packed: it would
// be the old history.
func (r *Repo) Pack(ctx context.Context) error {
	if err := ctx.Err(); err != nil || r.looseAbout() < manyLoose {
		return err
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil // see above
	}
	held := r.eraseLock()
	if ok, err := held.TryLock(); err != nil || !ok {
		return err
	}
	defer held.Unlock() //nolint:errcheck // closing it lets go, too
	return r.runGit(ctx, nil, "repack", "-d", "-l", "-q")
}

// looseAbout estimates the number of loose objects from one of their 256 folders.
func (r *Repo) looseAbout() int {
	sample, err := os.ReadDir(filepath.Join(r.dir, "objects", "17"))
	if err != nil {
		return 0
	}
	return 256 * len(sample)
}
