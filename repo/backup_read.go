package repo

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	maxManifest = 256 << 20 // bytes: far over any home's
	notBackup   = "this is no backup of quipu's, or it was cut off"
)

// CheckBackup reads a backup through and holds every file against its hash. ErrInvalid:
// it is no backup. ErrState: a newer quipu made it. ErrDamaged: something in it is not
// what was put there.
func CheckBackup(ctx context.Context, in io.ReaderAt, size int64, progress func(what string, done, total int)) (Backup, error) {
	r, err := openBackup(in, size)
	if err != nil {
		return Backup{}, err
	}
	err = r.each(ctx, progress, func(BackedFile, io.Reader) error { return nil })
	return r.m, err
}

// backupReader is a backup whose manifest was read and whose names were found harmless.
type backupReader struct {
	m     Backup
	files map[string]*zip.File
}

func openBackup(in io.ReaderAt, size int64) (*backupReader, error) {
	z, err := zip.NewReader(in, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are looked at below
		return nil, wrapf(ErrInvalid, "%s: %v", notBackup, err)
	}
	r := &backupReader{files: map[string]*zip.File{}}
	for _, f := range z.File {
		if _, twice := r.files[f.Name]; twice {
			return nil, wrapf(ErrDamaged, "the backup holds %q twice", f.Name)
		}
		r.files[f.Name] = f
	}
	if err := r.manifest(); err != nil {
		return nil, err
	}
	return r, r.names()
}

func (r *backupReader) manifest() error {
	f := r.files[backupManifest]
	if f == nil || f.UncompressedSize64 > maxManifest {
		return wrapf(ErrInvalid, "%s: it has no manifest", notBackup)
	}
	delete(r.files, backupManifest)
	in, err := f.Open()
	if err != nil {
		return wrapf(ErrInvalid, "%s: %v", notBackup, err)
	}
	text, err := io.ReadAll(io.LimitReader(in, maxManifest))
	if err = errors.Join(err, in.Close()); err != nil {
		return wrapf(ErrDamaged, "the backup's manifest: %v", err)
	}
	// The version is read first: a newer one may have other fields.
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil || head.Format != backupFormat {
		return wrapf(ErrInvalid, "%s: its manifest is another one's", notBackup)
	}
	if head.Version != backupVersion {
		return wrapf(ErrState, "the backup has version %d, which a newer quipu wrote (this one reads %d); use that quipu", head.Version, backupVersion)
	}
	if err := json.Unmarshal(text, &r.m); err != nil {
		return wrapf(ErrDamaged, "the backup's manifest: %v", err)
	}
	if r.m.Home != homeFormat {
		return wrapf(ErrState, "the backup is of a home of format %.20q, which a newer quipu wrote; use that quipu", r.m.Home)
	}
	return nil
}

// names holds that the zip has the files of the manifest, plain ones, and no other, and
// that each belongs in a home: a name that leads elsewhere, a link, or something that
// would run there is none of ours.
func (r *backupReader) names() error {
	seen := map[string]bool{}
	for _, want := range r.m.Files {
		f := r.files[want.Path]
		switch {
		case !inHome(want.Path):
			return wrapf(ErrInvalid, "the backup holds %.200q, which is no file of a home; nothing is restored", want.Path)
		case f == nil || seen[want.Path]:
			return wrapf(ErrDamaged, "the backup lacks %s", want.Path)
		case !f.Mode().IsRegular():
			return wrapf(ErrInvalid, "the backup holds %s, which is no plain file; nothing is restored", want.Path)
		case want.Size < 0 || f.UncompressedSize64 != uint64(want.Size):
			return wrapf(ErrDamaged, "%s in the backup has another size than it had", want.Path)
		}
		seen[want.Path] = true
	}
	for name := range r.files {
		if !seen[name] {
			return wrapf(ErrInvalid, "the backup holds %.200q, which its manifest does not name; nothing is restored", name)
		}
	}
	for _, w := range r.m.Workspaces {
		if !workspaceName(string(w.ID)) {
			return wrapf(ErrInvalid, "the backup names a workspace %.200q, which none can be called", w.ID)
		}
	}
	return nil
}

// inHome says whether a path is one that a backup puts into a home.
func inHome(name string) bool {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00") {
		return false
	}
	top, rest, deeper := strings.Cut(name, "/")
	if !deeper {
		return slices.Contains([]string{formatFile, configFile, tokensFile, ownerFile, sessionsFile, turnsFile}, name)
	}
	id, below, _ := strings.Cut(rest, "/")
	switch top {
	case modelsLog:
		return below == ""
	case workspacesDir:
		own, isGit := strings.CutPrefix(below, ".git/")
		return workspaceName(id) && (isGit && inGitDir(own) || tracked(below))
	case historyDir:
		id, ok := strings.CutSuffix(id, ".git")
		return ok && workspaceName(id) && inGitDir(below)
	}
	return false
}

// workspaceName says whether a folder of a workspace can be called that.
func workspaceName(id string) bool {
	return id != "" && id != "." && len(id) <= 200 && strings.Trim(id, "@ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// inGitDir says whether a path below a git directory is one that a copy of it has: never
// a hook.
func inGitDir(name string) bool {
	switch name {
	case "HEAD", "packed-refs", "config", "description", "shallow", "info/exclude", "info/attributes":
		return true
	}
	top, rest, _ := strings.Cut(name, "/")
	switch top {
	case "logs", "objects":
		return rest != ""
	case "refs":
		return strings.HasPrefix(rest, "quipu/")
	case "quipu":
		return rest == upkeepFile || rest == remoteFile || rest == syncFile || rest == lettingFile || rest == tokenFile || path.Dir(rest) == erasingDir
	}
	return false
}

// each reads every file, in order, and holds it against its hash; use sees it while it
// is read.
func (r *backupReader) each(ctx context.Context, progress func(what string, done, total int), use func(f BackedFile, in io.Reader) error) error {
	for i, f := range r.m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.one(f, use); err != nil {
			return err
		}
		if progress != nil {
			progress("files", i+1, len(r.m.Files))
		}
	}
	return nil
}

func (r *backupReader) one(f BackedFile, use func(f BackedFile, in io.Reader) error) error {
	in, err := r.files[f.Path].Open()
	if err != nil {
		return wrapf(ErrDamaged, "%s in the backup: %v", f.Path, err)
	}
	sum := sha256.New()
	limited := io.LimitReader(in, f.Size+1)
	err = use(f, io.TeeReader(limited, sum))
	if err == nil {
		_, err = io.Copy(sum, limited) // what use did not read
	}
	if cerr := in.Close(); err == nil {
		err = cerr
	}
	switch {
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF):
		return wrapf(ErrDamaged, "%s in the backup: %v", f.Path, err)
	case err != nil:
		return fmt.Errorf("%s: %w", f.Path, err)
	case hex.EncodeToString(sum.Sum(nil)) != f.SHA256:
		return wrapf(ErrDamaged, "%s in the backup is not what was put there", f.Path)
	}
	return nil
}
