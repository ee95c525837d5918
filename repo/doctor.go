package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"quipu/markdown"
	"quipu/policy"
)

// Doctor looks for faults and says how to mend each; with fix it mends what is safe
// to mend, and says so. No note is lost by it.
func (w *Workspace) Doctor(ctx context.Context, fix bool) ([]Finding, error) {
	d := &doctor{w: w, fix: fix}
	for _, s := range w.tell() {
		d.add("note", "history", s+" (mended)", "")
	}
	if d.fix {
		if err := d.w.FinishErasures(ctx, nil); err != nil {
			d.add("error", "history", err.Error(), "")
		}
	}
	d.found = append(d.found, d.w.pendingErasures()...)
	d.home()
	d.place()
	d.gitState(ctx)
	d.files(ctx)
	d.rules()
	d.history(ctx)
	return d.found, ctx.Err()
}

type doctor struct {
	w     *Workspace
	fix   bool
	found []Finding
}

func (d *doctor) add(level, where, what, fix string) {
	d.found = append(d.found, Finding{Level: level, Where: where, What: what, Fix: fix})
}

// home checks the configuration and who can read the notes.
func (d *doctor) home() {
	s := d.w.store
	if err := s.ConfigFault(); err != nil {
		d.add("error", configFile, strings.TrimPrefix(err.Error(), configFile+": "), "mend the file; until then the settings from before, or the defaults, are in force")
	}
	for _, p := range []string{s.home, d.w.dir, d.w.git.Dir()} {
		fi, err := os.Stat(p)
		if err != nil || fi.Mode().Perm()&0o077 == 0 {
			continue
		}
		if d.fix && os.Chmod(p, 0o700) == nil {
			d.add("note", p, "others could read it; now only you can (mended)", "")
			continue
		}
		d.add("warning", p, "others on this computer can read it", "chmod 700 "+shellQuote(p))
	}
}

// cloudFolders are names of folders that a sync program copies file by file.
var cloudFolders = []string{"dropbox", "onedrive", "google drive", "googledrive", "icloud", "com~apple~clouddocs", "nextcloud", "owncloud", "pcloud", "syncthing"}

// place warns of where a home should not lie.
func (d *doctor) place() {
	for part := range strings.SplitSeq(strings.ToLower(filepath.ToSlash(d.w.store.home)), "/") {
		for _, name := range cloudFolders {
			if strings.HasPrefix(part, name) {
				d.add("warning", d.w.store.home, "it lies in a cloud-sync folder, which copies files one by one and can tear a history apart", "move the home, and share the memory through a git remote")
				return
			}
		}
	}
	if kind := networkDisk(d.w.store.home); kind != "" {
		d.add("warning", d.w.store.home, "it lies on a network disk ("+kind+"), where locks are not to be relied on", "move the home to a local disk")
	}
	if owner, ok := ownerOf(d.w.git.Dir()); ok && owner != os.Getuid() {
		d.add("warning", d.w.git.Dir(), fmt.Sprintf("it belongs to another user (uid %d); git refuses to run there", owner), "chown -R \"$USER\" "+shellQuote(d.w.store.home))
	}
}

func (d *doctor) gitState(ctx context.Context) {
	w := d.w
	if err := w.git.State(); err != nil {
		text := gitError(err).Error()
		d.add("error", "git", text, fixOf(text))
	}
	if lost, err := w.git.Lost(); err == nil && len(lost) > 0 {
		d.add("note", "refs/quipu/lost", fmt.Sprintf("%d ends of a branch that was rewritten outside are kept", len(lost)), "git log --oneline "+lost[len(lost)-1].String())
	}
	if _, err := os.Stat(filepath.Join(w.git.Dir(), "shallow")); err == nil {
		d.add("warning", "git", "the history is shallow: what is older is not here", "git fetch --unshallow")
	}
	if strings.Contains(w.ownFile("config"), "hooksPath") {
		d.add("note", "git", "core.hooksPath is set: quipu runs no hook, your own git does", "")
	}
	d.hidden()
	if _, err := os.Lstat(filepath.Join(w.dir, "memory", ".git")); err == nil {
		d.add("warning", "memory/.git", "a repository of its own lies in memory; git looks into that one instead", "rm -r "+shellQuote(filepath.Join(w.dir, "memory", ".git"))+" if nothing in it is wanted")
	}
	if err := w.git.IndexFault(); err != nil {
		d.gitIndex(ctx)
	}
	if err := w.git.Damage(ctx); err != nil {
		d.damage(ctx, err)
	}
}

func (d *doctor) gitIndex(ctx context.Context) {
	const what = "git's index cannot be read"
	if !d.fix {
		d.add("error", "git", what, "quipu doctor --fix, or any change, makes it again from the newest commit")
		return
	}
	if err := d.w.git.MendIndex(ctx); err != nil {
		d.add("error", "git", what+": "+gitError(err).Error(), "rm "+shellQuote(filepath.Join(d.w.git.Dir(), "index"))+" && git reset")
		return
	}
	d.add("note", "git", what+"; it was made again from the newest commit (mended)", "")
}

func (d *doctor) damage(ctx context.Context, err error) {
	if !d.fix {
		d.add("error", "history", err.Error(), "quipu doctor --fix starts from the newest intact change and keeps every work file")
		return
	}
	kept, ferr := d.w.git.Retreat(ctx)
	if ferr != nil {
		d.add("error", "history", ferr.Error(), "restore the history from a copy or a remote")
		return
	}
	d.add("note", "history", fmt.Sprintf("%v; the branch was set back to the newest intact change %.10s, and what the work files hold beyond it is taken in with the next change (mended)", err, kept), "")
}

// fixOf takes the command out of a sentence that names one.
func fixOf(s string) string {
	if _, rest, ok := strings.Cut(s, "`"); ok {
		cmd, _, _ := strings.Cut(rest, "`")
		return cmd
	}
	return ""
}

// hidden warns of a .gitignore that would hide memory from the person's own git.
func (d *doctor) hidden() {
	b, err := os.ReadFile(filepath.Join(d.w.dir, ".gitignore"))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(b)) {
		switch strings.TrimSpace(line) {
		case "memory", "memory/", "/memory", "/memory/", "memory/*", "*.md", "*", "MEMORY.md", "/MEMORY.md":
			d.add("warning", ".gitignore", "it hides memory from `git status` and `git add`; quipu keeps it all the same", "take the line "+strings.TrimSpace(line)+" out")
			return
		}
	}
}

func (d *doctor) files(ctx context.Context) {
	w := d.w
	files, odd, err := w.git.ListWork()
	if err != nil {
		d.add("error", "workspace", gitError(err).Error(), "")
		return
	}
	for _, p := range odd {
		d.found = append(d.found, oddFinding(p))
	}
	d.unkept()
	d.pictures()
	if edited, _, err := w.git.Scan(); err == nil && len(edited) > 0 {
		d.add("note", "workspace", fmt.Sprintf("%d files were edited outside and are taken in with the next change: %s", len(edited), strings.Join(edited[:min(3, len(edited))], ", ")), "quipu log")
	}
	for i, f := range files {
		if ctx.Err() != nil {
			return
		}
		d.file(f.Path)
		for _, other := range files[:i] {
			if policy.SameName(f.Path, other.Path) {
				d.add("warning", f.Path, "its name differs from "+other.Path+" only in case or accents; many systems take both for one", "rename one of them")
			}
		}
	}
}

// unkept tells of what lies in memory but is not kept in the history: a person may
// think that it is.
func (d *doctor) unkept() {
	var names []string
	for _, dir := range []string{"memory", "memory/log", "memory/images"} {
		entries, err := os.ReadDir(filepath.Join(d.w.dir, filepath.FromSlash(dir)))
		if err != nil {
			continue
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if name == "memory/log" || name == "memory/images" || strings.HasPrefix(e.Name(), ".") || tracked(name) {
				continue
			}
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		d.add("note", "memory", fmt.Sprintf("%d files or folders are not kept, only *.md in memory/ and memory/log/ and pictures in memory/images/ are: %s", len(names), strings.Join(names[:min(3, len(names))], ", ")), "")
	}
}

func (d *doctor) file(p string) {
	if policy.OwnFile(p) {
		d.ownFile(p)
		return
	}
	if policy.PictureName(p) != "" {
		d.picture(p)
		return
	}
	text, err := d.w.readWork(p)
	if err != nil {
		return
	}
	if hasMarkers(text) {
		d.add("error", p, "it holds conflict markers and is not taken in", "quipu edit "+shellQuote(p))
	}
	if _, err := policy.CheckPath(p); err != nil {
		d.add("warning", p, "it is kept, but its name cannot be reached through the API: "+err.Error(), d.rename(p))
	}
	if strings.Contains(strings.ToLower(path.Base(p)), "conflict") {
		d.add("warning", p, "it looks like a conflicted copy that a sync program made", "compare it with the original and delete it")
	}
	for _, problem := range markdown.Parse(p, text).Header().Problems {
		d.add("warning", p, problem, "quipu edit "+shellQuote(p))
	}
}

// ownFile looks at a file that quipu writes itself.
func (d *doctor) ownFile(p string) {
	if p != policy.LedgerFile {
		return
	}
	text, err := d.w.readWork(p)
	if err != nil {
		return
	}
	_, faults := policy.ParseLedger(text)
	for _, f := range faults[:min(len(faults), 3)] {
		d.add("warning", p, strings.TrimPrefix(f.Error(), p+":")+": the line stays and counts for nothing", "")
	}
}

// rename is the command that gives a file a name that can be reached.
func (d *doctor) rename(p string) string {
	to, err := policy.TopicFile(strings.TrimPrefix(p, "memory/"))
	if err != nil {
		return "rename it"
	}
	return "mv -n -- " + shellQuote(p) + " " + shellQuote(to)
}

func (d *doctor) history(ctx context.Context) {
	d.w.mu.Lock()
	err := d.w.syncIndex(ctx)
	if err == nil {
		err = d.w.index.Check(ctx)
	}
	d.w.mu.Unlock()
	if err != nil && !errors.Is(err, context.Canceled) {
		d.add("warning", "index.db", "the index of the history: "+err.Error(), "it is made again by the next command that reads the history")
	}
}
