package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Copied is what a copy of the history holds.
type Copied struct {
	Branch string // that is checked out; "" when HEAD is no branch
	Head   Hash   // the newest commit there
	Files  []TreeFile
	Left   []string // what of the git directory is not part of the copy and somebody else made
}

// copyWait is how long a copy waits for a moment at which nobody writes: nobody waits for
// a copy, and those who write one change after the other can keep it out for a while.
const copyWait = time.Minute

// copyTries is how often the objects are looked through for those that a person's git
// packed meanwhile.
const copyTries = 5

// Copy hands to put, file by file, a git directory that holds this history as it stood at
// one moment, which comes after Copy was called; names are below the git directory. The
// locks are held only while the refs are read: objects do not change. Packs that a
// person's git makes meanwhile are followed, and an erase waits. Hooks, the index, and
// what quipu derives or keeps for this machine alone are no part of it. progress (may be
// nil) is told how many files of objects are done. ErrBusy, ErrDamaged, ErrUnsupported.
func (r *Repo) Copy(ctx context.Context, put func(name string, in io.Reader) error, progress func(done, total int)) (Copied, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if fi, err := os.Stat(filepath.Join(r.dir, "objects", "info", "alternates")); err == nil && fi.Size() > 0 {
		return Copied{}, fmt.Errorf("the history borrows objects of another repository (objects/info/alternates); run `git repack -a -d` and remove that file: %w", ErrUnsupported)
	}
	held, err := r.takeErase(ctx)
	if err != nil {
		return Copied{}, err
	}
	defer held.Unlock() //nolint:errcheck // closing it lets go, too
	c := copying{r: r, put: put, progress: progress, done: map[string]bool{}}
	refs, err := c.moment(ctx)
	if err != nil {
		return Copied{}, err
	}
	err = errors.Join(c.text("HEAD", c.head), c.refs(refs), c.small())
	if err == nil {
		err = c.objects(ctx)
	}
	if err == nil {
		err = c.whole(ctx, refs)
	}
	return c.out, err
}

// copying is one Copy.
type copying struct {
	r        *Repo
	put      func(name string, in io.Reader) error
	progress func(done, total int)
	head     []byte
	out      Copied
	done     map[string]bool // files of objects
}

// moment reads HEAD and the refs while no other process of ours writes. Where a write
// would be refused, as in a person's unfinished merge, nobody of ours writes anyway.
func (c *copying) moment(ctx context.Context) (refs map[string]Hash, err error) {
	read := func() (err error) {
		if c.head, err = os.ReadFile(filepath.Join(c.r.dir, "HEAD")); err != nil {
			return err
		}
		refs, err = c.r.steadyRefs()
		return err
	}
	ran := false
	for deadline := time.Now().Add(copyWait); ; {
		err = c.r.Update(ctx, func(*Tx) error { ran = true; return read() })
		if !errors.Is(err, ErrBusy) || time.Now().After(deadline) {
			break
		}
	}
	if !ran && (errors.Is(err, ErrState) || errors.Is(err, ErrDamaged)) {
		err = read()
	}
	if err != nil {
		return nil, err
	}
	if ref, ok := strings.CutPrefix(strings.TrimSpace(string(c.head)), "ref: "); ok {
		c.out.Branch, c.out.Head = strings.TrimPrefix(ref, branchPrefix), refs[ref]
	} else if c.out.Head, ok = ParseHash(strings.TrimSpace(string(c.head))); !ok {
		return nil, fmt.Errorf("HEAD is unreadable; run `quipu doctor --fix`: %w", ErrDamaged)
	}
	if !c.out.Head.IsZero() {
		commit, err := c.r.Commit(c.out.Head)
		if err != nil {
			return nil, errors.Join(ErrDamaged, err)
		}
		if c.out.Files, err = c.r.Files(commit.Tree); err != nil {
			return nil, errors.Join(ErrDamaged, err)
		}
	}
	return refs, nil
}

// steadyRefs reads the refs until two readings are the same: a person's git that packs
// them moves each from one file to another.
func (r *Repo) steadyRefs() (map[string]Hash, error) {
	last, err := r.allRefs()
	for range copyTries {
		if err != nil {
			return nil, err
		}
		next, err := r.allRefs()
		if err != nil || maps.Equal(last, next) {
			return next, err
		}
		last = next
	}
	return nil, &busyError{"another git program keeps changing branches and tags; try again when it has ended"}
}

// refs writes branches, tags and the like in one file, and each that quipu keeps for
// itself in its own, as it looks for them.
func (c *copying) refs(refs map[string]Hash) error {
	var packed bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if !strings.HasPrefix(name, "refs/quipu/") {
			fmt.Fprintf(&packed, "%s %s\n", refs[name], name)
			continue
		}
		if err := c.text(name, []byte(refs[name].String()+"\n")); err != nil {
			return err
		}
	}
	return c.text("packed-refs", packed.Bytes())
}

// small copies the settings and the reflogs. The logs come before the objects, so that
// every commit that they name comes along.
func (c *copying) small() error {
	for _, name := range []string{"config", "description", "info/exclude", "info/attributes", "shallow"} {
		if err := c.file(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	err := filepath.WalkDir(filepath.Join(c.r.dir, "logs"), func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(p, ".lock") {
			return err
		}
		name, err := filepath.Rel(c.r.dir, p)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return c.text(filepath.ToSlash(name), b[:bytes.LastIndexByte(b, '\n')+1]) // a line that is being written is not
	})
	return errors.Join(err, c.hooks())
}

// hooks names those that somebody else wrote: a copy brings nothing that runs.
func (c *copying) hooks() error {
	entries, err := os.ReadDir(filepath.Join(c.r.dir, "hooks"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasSuffix(e.Name(), ".sample") {
			b, rerr := os.ReadFile(filepath.Join(c.r.dir, "hooks", e.Name()))
			if rerr == nil && !bytes.Contains(b, []byte("installed by quipu")) {
				c.out.Left = append(c.out.Left, "hooks/"+e.Name())
			}
		}
	}
	return err
}

func (c *copying) text(name string, b []byte) error { return c.put(name, bytes.NewReader(b)) }

func (c *copying) file(name string) error {
	f, err := os.Open(filepath.Join(c.r.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	return c.put(name, f)
}

var (
	looseFolder = regexp.MustCompile(`^[0-9a-f]{2}$`)
	looseName   = regexp.MustCompile(`^[0-9a-f]{38}$`)
	packIndex   = regexp.MustCompile(`^pack-[0-9a-f]{40}\.idx$`)
)

// objects copies the files of objects, and looks again while some of them went into
// packs.
func (c *copying) objects(ctx context.Context) error {
	for range copyTries {
		loose, packs, err := c.list()
		if err != nil {
			return err
		}
		moved := false
		total := len(c.done) + len(loose) + len(packs)
		for _, name := range slices.Concat(packs, loose) {
			if err := ctx.Err(); err != nil {
				return err
			}
			copied := c.file
			if strings.HasSuffix(name, ".idx") {
				copied = c.pack
			}
			err := copied(name)
			if errors.Is(err, fs.ErrNotExist) {
				moved = true
				continue
			}
			if err != nil {
				return err
			}
			c.done[name] = true
			c.progress(len(c.done), total)
		}
		if !moved {
			return nil
		}
	}
	return &busyError{"another git program keeps packing this history; try again when it has ended"}
}

// list gives the files of objects that are not copied yet: loose ones are listed first, so
// that one that is packed between the two is found in its pack.
func (c *copying) list() (loose, packs []string, err error) {
	objects := filepath.Join(c.r.dir, "objects")
	folders, err := os.ReadDir(objects)
	if err != nil {
		return nil, nil, err
	}
	add := func(to *[]string, folder string, fits *regexp.Regexp) error {
		entries, err := os.ReadDir(filepath.Join(objects, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if name := "objects/" + folder + "/" + e.Name(); fits.MatchString(e.Name()) && !c.done[name] {
				*to = append(*to, name)
			}
		}
		return nil
	}
	for _, d := range folders {
		if looseFolder.MatchString(d.Name()) {
			err = errors.Join(err, add(&loose, d.Name(), looseName))
		}
	}
	return loose, packs, errors.Join(err, add(&packs, "pack", packIndex))
}

// pack copies a pack by its index, which git writes last, both opened before either is
// copied: one that goes meanwhile is copied whole or not at all.
func (c *copying) pack(index string) error {
	name := strings.TrimSuffix(index, ".idx") + ".pack"
	x, err := os.Open(filepath.Join(c.r.dir, filepath.FromSlash(index)))
	if err != nil {
		return err
	}
	defer x.Close() //nolint:errcheck // only read
	p, err := os.Open(filepath.Join(c.r.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer p.Close() //nolint:errcheck // only read
	return errors.Join(c.put(name, p), c.put(index, x))
}

// whole holds that what the refs name is there: a copy of a broken history is none.
func (c *copying) whole(ctx context.Context, refs map[string]Hash) error {
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !c.r.Has(refs[name]) {
			return fmt.Errorf("%s names a commit that is not there; `quipu doctor` says what to do: %w", name, ErrDamaged)
		}
	}
	return nil
}
