package repo

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// The format of a backup: a zip file with the home's files by their paths, and the
// manifest, which is written last.
const (
	backupFormat   = "quipu-backup"
	backupVersion  = 1
	backupManifest = "manifest.json"
)

const (
	backupLock = "backup.lock"    // in the home: one backup at a time
	backupDir  = ".backup"        // in the home: what is copied before it is written
	pauseFor   = 10 * time.Minute // a backup that broke off holds upkeep up no longer
	modelsLog  = "log"            // the folder in the home of what models used
	whoHasIt   = "another backup of this home is running"
	hidSecrets = "--with-secrets takes it along"
)

// Backup is the manifest of a backup.
type Backup struct {
	Format     string       `json:"format"`
	Version    int          `json:"version"`
	Quipu      string       `json:"quipu,omitempty"` // the version of the program that made it
	At         time.Time    `json:"at"`
	Home       string       `json:"home"`    // the format of the home's layout
	Secrets    bool         `json:"secrets"` // tokens and sessions that open something are in it
	Workspaces []BackedUp   `json:"workspaces"`
	Files      []BackedFile `json:"files"`
	Left       []string     `json:"left,omitempty"` // what is not in it, a sentence each
}

// BackedUp is a workspace in a backup.
type BackedUp struct {
	ID     ID     `json:"id"`
	Branch string `json:"branch,omitempty"`
	Head   string `json:"head,omitempty"` // the newest commit; "" for none
	Notes  int    `json:"notes"`          // files of notes
}

// BackedFile is a file in a backup.
type BackedFile struct {
	Path   string `json:"path"` // below the home
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// BackingUp says how a backup is made.
type BackingUp struct {
	Secrets  bool                               // the owner's token, sessions and the tokens of remotes too
	Quipu    string                             // the version of the program
	Progress func(what string, done, total int) // may be nil
}

// Backup writes the whole home to out: every workspace with its history, the settings,
// the hashed tokens and what was said. Others go on writing meanwhile: each workspace is
// copied as it stood at one moment, which comes after Backup was called, so that every
// change answered before is in it. Edits made outside are taken in first. Upkeep pauses.
// What can be derived is left out. ErrBusy, ErrDamaged, ErrState.
func (s *Store) Backup(ctx context.Context, out io.Writer, o BackingUp) (_ Backup, err error) {
	if _, err := os.Stat(s.home); errors.Is(err, fs.ErrNotExist) {
		return Backup{}, wrapf(ErrNotFound, "there is nothing in %s yet", s.home)
	}
	lock := flock.New(filepath.Join(s.home, backupLock), flock.SetPermissions(0o600))
	switch held, err := lock.TryLock(); {
	case err != nil:
		return Backup{}, fmt.Errorf("lock home: %w", err)
	case !held:
		return Backup{}, wrapf(ErrBusy, whoHasIt)
	}
	defer closing(&err, lock.Close)
	p := pausing{s: s, before: s.UpkeepPaused()}
	defer closing(&err, p.end)
	b := &backing{s: s, o: o, zip: zip.NewWriter(out), pause: &p, m: Backup{
		Format: backupFormat, Version: backupVersion, Quipu: o.Quipu, Home: homeFormat, Secrets: o.Secrets,
		At: s.now().UTC().Truncate(time.Second), Workspaces: []BackedUp{}, Files: []BackedFile{},
	}}
	if o.Progress == nil {
		b.o.Progress = func(string, int, int) {}
	}
	if err := b.all(ctx); err != nil {
		return Backup{}, err
	}
	return b.m, b.finish()
}

// backing is one Backup.
type backing struct {
	s     *Store
	o     BackingUp
	zip   *zip.Writer
	m     Backup
	pause *pausing
}

func (b *backing) all(ctx context.Context) error {
	if err := b.pause.renew(); err != nil {
		return err
	}
	ids, err := b.s.everyWorkspace()
	if err != nil {
		return err
	}
	for i, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.o.Progress("workspaces", i, len(ids))
		if err := b.pause.renew(); err != nil {
			return err
		}
		if err := b.workspace(ctx, id); err != nil {
			return fmt.Errorf("back up %s: %w", id, err)
		}
	}
	b.o.Progress("workspaces", len(ids), len(ids))
	return errors.Join(b.conversations(ctx), b.homeFiles())
}

// everyWorkspace lists the bots, their layers and About me.
func (s *Store) everyWorkspace() ([]ID, error) {
	seen := map[ID]bool{}
	for _, dir := range []string{workspacesDir, historyDir} {
		entries, err := os.ReadDir(filepath.Join(s.home, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			id := ID(strings.TrimSuffix(e.Name(), ".git"))
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && s.exists(id) {
				seen[id] = true
			}
		}
	}
	ids := make([]ID, 0, len(seen))
	for id := range seen {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

func (b *backing) workspace(ctx context.Context, id ID) error {
	w, err := b.s.openAny(ctx, id)
	if errors.Is(err, ErrNotFound) && !b.s.exists(id) {
		return nil // it was removed just now
	}
	if err != nil {
		return err
	}
	dir, err := filepath.Rel(b.s.home, w.git.Dir())
	if err != nil || !filepath.IsLocal(dir) {
		return wrapf(ErrState, "its history lies outside the home, in %s", w.git.Dir())
	}
	if err := w.takeInPatiently(ctx); err != nil {
		if !errors.Is(err, ErrBusy) && !errors.Is(err, ErrState) {
			return err
		}
		b.left("%s: edits made outside that are not taken in yet: %v", id, err)
	}
	dir = filepath.ToSlash(dir) + "/"
	copied, err := w.git.Copy(ctx, func(name string, in io.Reader) error { return b.put(dir+name, in) },
		func(done, total int) { b.o.Progress("history of "+string(id), done, total) })
	if err != nil {
		return gitError(err)
	}
	for _, name := range copied.Left {
		b.left("%s: %s, which is none of quipu's", id, name)
	}
	one := BackedUp{ID: id, Branch: copied.Branch}
	if !copied.Head.IsZero() {
		one.Head = copied.Head.String()
	}
	if one.Notes, err = b.notes(w, copied.Files); err != nil {
		return err
	}
	b.m.Workspaces = append(b.m.Workspaces, one)
	return b.ownState(w, dir+"quipu/")
}

// takeInPatiently takes in what was edited outside, also where others write all the time.
func (w *Workspace) takeInPatiently(ctx context.Context) (err error) {
	const tries = 10 // each waits for the locks
	for range tries {
		if _, err = w.TakeIn(ctx, w.person()); !errors.Is(err, ErrBusy) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// notes writes the files of notes as the copied commit has them.
func (b *backing) notes(w *Workspace, files []git.TreeFile) (n int, err error) {
	for _, f := range files {
		if !tracked(f.Path) || !f.Plain() {
			continue
		}
		text, err := w.git.Blob(f.Blob)
		if err != nil {
			return n, gitError(err)
		}
		if err := b.put(workspacesDir+"/"+string(w.id)+"/"+f.Path, bytes.NewReader(text)); err != nil {
			return n, err
		}
		if !policy.OpaqueFile(f.Path) {
			n++
		}
	}
	return n, nil
}

// ownState copies what quipu keeps of a workspace beside its history. What names this
// machine among those that share it stays.
func (b *backing) ownState(w *Workspace, dir string) error {
	for _, name := range []string{upkeepFile, remoteFile, syncFile, lettingFile} {
		if err := b.file(dir+name, filepath.Join(w.git.Own(), name)); err != nil {
			return err
		}
	}
	if err := b.secret(dir+tokenFile, filepath.Join(w.git.Own(), tokenFile), fmt.Sprintf("%s: the token of its remote", w.id)); err != nil {
		return err
	}
	list, err := w.erasures()
	for _, e := range list { // a restored home finishes them
		name := erasingDir + "/" + string(e.ID)
		err = errors.Join(err, b.file(dir+name, filepath.Join(w.git.Own(), filepath.FromSlash(name))))
	}
	return err
}

// conversations copies what was said, as SQLite sees it at one moment.
func (b *backing) conversations(ctx context.Context) error {
	said, err := b.s.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said == nil || err != nil {
		return err
	}
	if err := said.Scrub(ctx); err != nil {
		b.s.log.Warn("what was deleted from conversations may still lie in their full text", "err", err)
	}
	dir := filepath.Join(b.s.home, backupDir)
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil { // what a backup that broke off left
		return fmt.Errorf("copy conversations: %w", err)
	}
	path := filepath.Join(dir, turnsFile)
	err = turnError(said.CopyTo(ctx, path))
	if err == nil {
		err = b.file(turnsFile, path)
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// homeFiles copies the home's own small files.
func (b *backing) homeFiles() error {
	errs := []error{
		b.file(formatFile, filepath.Join(b.s.home, formatFile)),
		b.file(configFile, filepath.Join(b.s.home, configFile)),
		b.file(tokensFile, filepath.Join(b.s.home, tokensFile)),
		b.secret(ownerFile, filepath.Join(b.s.home, ownerFile), "the owner's token"),
		b.secret(sessionsFile, filepath.Join(b.s.home, sessionsFile), "the sessions of browsers"),
	}
	entries, err := os.ReadDir(filepath.Join(b.s.home, modelsLog))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			errs = append(errs, b.file(modelsLog+"/"+e.Name(), filepath.Join(b.s.home, modelsLog, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// secret is file for what opens something.
func (b *backing) secret(name, path, what string) error {
	if b.o.Secrets {
		return b.file(name, path)
	}
	if _, err := os.Lstat(path); err == nil {
		b.left("%s (%s)", what, hidSecrets)
	}
	return nil
}

// file copies a file as it is; one that is not there is no part of the backup.
func (b *backing) file(name, path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(b.put(name, f), f.Close())
}

func (b *backing) left(format string, args ...any) {
	b.m.Left = append(b.m.Left, oneLine(fmt.Sprintf(format, args...)))
}

// put adds one file. Objects are deflated already.
func (b *backing) put(name string, in io.Reader) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: b.m.At}
	if strings.Contains(name, "/objects/") {
		h.Method = zip.Store
	}
	h.SetMode(0o600)
	w, err := b.zip.CreateHeader(h)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b.m.Files = append(b.m.Files, BackedFile{Path: name, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))})
	return nil
}

// finish writes the manifest, without which nothing is a backup.
func (b *backing) finish() error {
	slices.SortFunc(b.m.Files, func(x, y BackedFile) int { return cmp.Compare(x.Path, y.Path) })
	text, err := json.MarshalIndent(b.m, "", "  ")
	if err != nil {
		return err
	}
	h := &zip.FileHeader{Name: backupManifest, Method: zip.Deflate, Modified: b.m.At}
	h.SetMode(0o600)
	w, err := b.zip.CreateHeader(h)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return errors.Join(err, b.zip.Close())
}

// pausing holds upkeep up while a backup runs.
type pausing struct {
	s             *Store
	before, until time.Time
}

// renew pauses upkeep for a while from now on; a longer pause of the person's stays.
func (p *pausing) renew() error {
	until := p.s.now().Add(pauseFor).Truncate(time.Second)
	if !until.After(p.before) || until.Sub(p.until) < pauseFor/2 {
		return nil
	}
	p.until = until
	return p.s.PauseUpkeep(until)
}

// end puts back what was in force before, unless somebody decided otherwise meanwhile.
func (p *pausing) end() error {
	if p.until.IsZero() || !p.s.UpkeepPaused().Equal(p.until) {
		return nil
	}
	if !p.before.After(p.s.now()) {
		p.before = time.Time{}
	}
	return p.s.PauseUpkeep(p.before)
}
