package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Rewriting says what is to be taken out of history. Its functions are pure and may
// be called from several goroutines; they must not keep or alter the bytes they get.
type Rewriting struct {
	// ID names this erase in the marker that a crash leaves. Never text of what is erased.
	ID string
	// Text gives a file without what is erased.
	Text func(path string, text []byte) (after []byte, changed bool)
	// Path gives the new path of a file whose name tells it; the same path when it does not,
	// and "" for a file that goes from every tree.
	Path func(path string) string
	// Message gives the new message of a commit, annotated tag, note or stash line; the
	// same text when it stays. The text is in the encoding that the commit names.
	Message func(Message) string
	// Found says whether bytes still hold what is erased. It is shown whole blobs, commits
	// and trees, of these without the hashes.
	Found func(raw []byte) bool
	// Old, which may be nil, says whether a commit of that committer date belongs to the
	// history that is cut off; what comes before such a commit does, too. See Rewrite.
	Old func(committed time.Time) bool
	// Anyway lets go of what no ref reaches even when nothing is erased.
	Anyway bool
	// Progress, which may be nil, is told how many commits are done.
	Progress func(done, total int)
}

// Message is a text that belongs to a commit.
type Message struct {
	Text    string
	Commit  Hash // its old name
	Moved   bool // it gets another name whatever its text becomes
	Emptied bool // its tree now equals its first parent's, and did not before
	Tag     bool // the text is an annotated tag's
	Base    bool // the history before it is cut off: its own text can be one of many
}

// Rewritten says what a rewriting did.
type Rewritten struct {
	Commits int           // looked at
	Changed int           // that have another name now
	Emptied int           // that change no file any more
	Dropped int           // that went, being older than where the history is cut off
	Objects int           // of the new history, each read and scanned; read back where it is new
	Refs    int           // that were moved
	Copies  int           // texts, messages and notes that were altered
	New     map[Hash]Hash // old name -> new name of the changed commits; zero: it went
	Notes   []string      // what was dropped or left, and why, in sentences
}

// Rewrite takes something out of every commit that a branch, tag, note, stash or ref
// of quipu reaches, and out of everything else in the git directory that can hold it:
// the index, reflogs, packs, loose objects, the record file, left-over messages. When
// nothing holds it, nothing changes.
//
// Where Old is given, the history's beginning is cut off: an old commit which a ref
// names, or on which one that is not old builds, becomes a base, without parents and
// otherwise as it was; the old ones else go, with their notes. The notes' own history
// and stashes are not cut: a stash stays one, on a base.
//
// The caller has taken it out of the work files by an ordinary commit before, so that
// the newest tree stays what it is and no work file is touched. Where it did not, a
// work file that equals its old version becomes the new one; an edited one is left.
// Text under quipu/ other than the record file and late copies is the caller's.
//
// The new history is built beside the old one with no lock but one that keeps a second
// erase out; commits made meanwhile are followed. An object that stays as it is stays in
// its file, or is copied when its pack holds something that goes; what no ref reaches
// goes. The old history is let go under all locks once every object of the new one was
// scanned, and read back where it is new. An error before
// that changed nothing; one that "may yet be finished" is finished by the next write
// or Open. ErrState, ErrUnsupported, ErrBusy, ErrDamaged.
func (r *Repo) Rewrite(ctx context.Context, w Rewriting) (Rewritten, error) {
	held, err := r.takeErase(ctx)
	if err != nil {
		return Rewritten{}, err
	}
	defer held.Unlock() //nolint:errcheck // closing it lets go, too
	if err := r.finishEarlier(ctx); err != nil {
		return Rewritten{}, err
	}
	const most = 3 // a person's git that makes a ref, or packs, at the very moment costs one more round
	var out Rewritten
	for round := range most {
		once, again, err := r.rewriteOnce(ctx, w, round)
		out.add(once)
		if err != nil || !again {
			return out, err
		}
	}
	return out, &busyError{"another git program keeps making branches, tags or packs of the old history; run the erase again when it has ended"}
}

// add joins the outcome of a second round with that of the first.
func (o *Rewritten) add(b Rewritten) {
	for old, mid := range o.New {
		if next, again := b.New[mid]; again {
			o.New[old] = next
		}
	}
	if o.New == nil {
		o.New = map[Hash]Hash{}
	}
	maps.Copy(o.New, b.New)
	o.Commits, o.Objects = b.Commits, b.Objects
	o.Changed, o.Emptied, o.Dropped = o.Changed+b.Changed, o.Emptied+b.Emptied, o.Dropped+b.Dropped
	o.Refs, o.Copies = o.Refs+b.Refs, o.Copies+b.Copies
	o.Notes = append(o.Notes, b.Notes...)
}

// rewriter is one round of a rewriting.
type rewriter struct {
	Rewriting
	r        *Repo
	src      *source
	pack     *packWriter
	commits  map[Hash]*oldCommit
	order    []*oldCommit // all of them, parents before children
	root     *folder
	notes    *folder         // the trees under refs/notes
	noted    map[note][]byte // their new texts
	tags     map[Hash]Hash   // annotated tag -> its new name
	renamed  []*slot
	same     map[Hash]struct{} // what stays of the old objects, and was looked at
	scanned  int               // objects of the pack
	signed   bool
	stays    bool // the folder of the erase is left for the next start
	replaced bool // the new history is in place
	out      Rewritten
}

func (r *Repo) newRewriter(w Rewriting) (*rewriter, error) {
	src, err := r.openSource()
	if err != nil {
		return nil, err
	}
	pack, err := newPackWriter(r.disk, filepath.Join(r.rewriteDir(), "objects"))
	if err != nil {
		src.close()
		return nil, err
	}
	return &rewriter{
		Rewriting: w, r: r, src: src, pack: pack, commits: map[Hash]*oldCommit{}, root: newFolder(""), notes: newFolder(""),
		noted: map[note][]byte{}, same: map[Hash]struct{}{}, tags: map[Hash]Hash{}, out: Rewritten{New: map[Hash]Hash{}},
	}, nil
}

func (w *rewriter) close() {
	w.src.close()
	_ = w.pack.close() // what it holds was synced, or is of no use
}

// rewriteOnce is one round; again says that refs of the old history came meanwhile.
func (r *Repo) rewriteOnce(ctx context.Context, what Rewriting, round int) (out Rewritten, again bool, err error) {
	if err := r.mayRewrite(); err != nil {
		return Rewritten{}, false, err
	}
	if err := r.makeRewriteDir(); err != nil {
		return Rewritten{}, false, err
	}
	w, err := r.newRewriter(what)
	if err != nil {
		return Rewritten{}, false, errors.Join(err, r.removeTree(r.rewriteDir()))
	}
	if err = w.prepare(ctx); err == nil {
		again, err = r.replaceHistory(ctx, &w, round > 0)
	}
	w.close()
	if w.stays {
		if err == nil { // locks were left, and with them the folder, where the old objects lie
			err = errUnfinished
		}
		return w.out, again, err
	}
	derr := r.removeBy(r.rewriteDir(), removers)
	switch {
	case derr != nil && w.replaced: // the old objects lie there
		return w.out, again, errors.Join(fmt.Errorf("%w: %w", errUnfinished, derr), err)
	case derr != nil:
		r.log.Warn("something of an erase was left; the next start removes it", "err", derr)
	}
	if err != nil {
		err = fmt.Errorf("nothing was changed: %w", err)
	}
	return w.out, again, err
}

// prepare rewrites every commit there is now, and reads back what it wrote.
func (w *rewriter) prepare(ctx context.Context) error {
	refs, err := w.r.listRefs()
	if err != nil {
		return err
	}
	if err := w.followCommits(ctx, refs); err != nil {
		return err
	}
	if len(w.out.New) > 0 { // else there may be nothing to do
		if err := w.carryAll(w.touched); err != nil {
			return err
		}
	}
	return w.scan()
}

// followCommits rewrites the commits that refs reach and that are not done yet.
func (w *rewriter) followCommits(ctx context.Context, refs *refList) error {
	for _, notes := range []bool{false, true} {
		starts, err := w.starts(refs, notes)
		if err != nil {
			return err
		}
		order, err := w.collect(ctx, starts, notes)
		if err != nil {
			return err
		}
		if !notes {
			if err := w.decide(refs, starts); err != nil {
				return err
			}
		}
		if err := w.commitAll(ctx, w.letGo(order)); err != nil {
			return err
		}
	}
	return nil
}

// scan reads the new objects back from the disk and shows each to Found.
func (w *rewriter) scan() error {
	from := w.scanned
	w.scanned = len(w.pack.entries)
	return w.pack.verify(from, min(runtime.GOMAXPROCS(0), 8), w.clean)
}

// clean says whether an object holds nothing of what is erased. Of a tree only the
// names count: the bytes of object names can spell anything.
func (w *rewriter) clean(k Kind, raw []byte) bool {
	if k != KindTree {
		return !w.Found(raw)
	}
	names := bytes.Clone(raw)
	err := eachEntry(raw, func(_ uint32, _ []byte, id int) error {
		clear(names[id : id+20])
		return nil
	})
	return err == nil && !w.Found(names)
}

// CanRewrite says, before anything is written, whether the history can be rewritten as
// this git directory stands: ErrState, ErrUnsupported, ErrBusy.
func (r *Repo) CanRewrite() error { return r.mayRewrite() }

// mayRewrite refuses what an erase would break or could not reach.
func (r *Repo) mayRewrite() error {
	for file, why := range map[string]string{
		"shallow":                 "the history is cut off (a shallow clone); run `git fetch --unshallow` first",
		"objects/info/alternates": "objects are borrowed from another repository; run `git repack -a -d` and remove objects/info/alternates first",
		"info/grafts":             "the history is grafted; remove info/grafts first",
	} {
		if _, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(file))); err == nil {
			return fmt.Errorf("%s: %w", why, ErrUnsupported)
		}
	}
	trees, err := os.ReadDir(filepath.Join(r.dir, "worktrees"))
	if err == nil && len(trees) > 0 {
		name := trees[0].Name()
		return fmt.Errorf("a linked worktree holds a copy of the notes (%s); run `git worktree remove %s` first: %w",
			filepath.Join(r.dir, "worktrees", name), name, ErrUnsupported)
	}
	if pid, alive := r.gcRuns(); alive {
		return &busyError{fmt.Sprintf("git gc is running (process %d); wait for it", pid)}
	}
	if err := r.checkState(); err != nil {
		return err
	}
	_, err = r.branch()
	return err
}

// gcRuns says whether a person's git packs objects now: what it writes would be the
// old history. git itself takes a note older than twelve hours for stale.
func (r *Repo) gcRuns() (pid int, alive bool) {
	path := filepath.Join(r.dir, "gc.pid")
	info, err := os.Stat(path)
	if err != nil || time.Since(info.ModTime()) > 12*time.Hour {
		return 0, false
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	if _, err := fmt.Sscan(strings.TrimSpace(string(b)), &pid); err != nil || pid <= 0 {
		return 0, false
	}
	err = syscall.Kill(pid, 0)
	return pid, err == nil || errors.Is(err, syscall.EPERM)
}

// eraseLock is the lock that keeps a second erase, and our own packing, out.
func (r *Repo) eraseLock() *flock.Flock {
	return flock.New(filepath.Join(r.own, "rewriting"), flock.SetPermissions(0o600))
}

func (r *Repo) takeErase(ctx context.Context) (*flock.Flock, error) {
	lock := r.eraseLock()
	deadline, step := time.Now().Add(r.opt.Wait), time.Millisecond
	for {
		ok, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
		}
		if ok {
			return lock, nil
		}
		if time.Now().After(deadline) {
			return nil, &busyError{"another erase, or the packing, of this workspace is under way; try again"}
		}
		if err := pause(ctx, &step); err != nil {
			return nil, err
		}
	}
}

func (r *Repo) rewriteDir() string { return filepath.Join(r.own, "rewrite") }

// makeRewriteDir makes an empty folder for the new objects.
func (r *Repo) makeRewriteDir() error {
	if err := r.removeTree(r.rewriteDir()); err != nil {
		return err
	}
	return r.disk.mkdir(r.rewriteDir())
}
