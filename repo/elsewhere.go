package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// What is told of what quipu does not change.
const (
	notKept  = "it is not kept by quipu; change it yourself"
	renameIt = "the name of the ref tells it; rename it"
)

// goneScan collects where words stand in the folder of a history.
type goneScan struct {
	x *policy.Erasure
	// named says that the words are among those that quipu or git writes of itself: what is
	// made from the history has them, too.
	named bool
	found []Finding
	refs  map[string]bool // those that are named
}

func (g *goneScan) add(level, where, what string) {
	g.found = append(g.found, Finding{Level: level, Where: where, What: what})
}

var objectKinds = map[string]bool{"blob": true, "tree": true, "commit": true, "tag": true}

// see looks at an object, or a file of the history's folder.
func (g *goneScan) see(where string, raw []byte) error {
	dir, _, _ := strings.Cut(where, "/")
	switch {
	case dir == "refs":
		g.ref(where)
	case where == "packed-refs":
		for line := range strings.Lines(string(raw)) {
			if _, ref, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.HasPrefix(ref, "refs/") {
				g.ref(ref)
			}
		}
	case git.IsSetting(where):
		if g.setting(where, raw) {
			g.add("warning", where, notKept)
		}
	case g.tells(where, raw):
		g.add("error", where, "it is in the history")
	}
	return nil
}

// tells reports whether an object, or a file that git or quipu keeps, has the words beside
// what either writes into every one.
func (g *goneScan) tells(where string, raw []byte) bool {
	dir, name, _ := strings.Cut(where, "/")
	kind, _, _ := strings.Cut(where, " ")
	switch {
	case kind != where && objectKinds[kind], where == "index":
		return g.x.Found(raw)
	case where == "HEAD": // its branch is named
		return false
	case dir == "quipu":
		return !g.named && g.x.Found(raw)
	case dir == "logs":
		return g.x.TellsLog(string(raw)) || g.x.TellsRef(name)
	case strings.HasSuffix(where, "_EDITMSG") || strings.HasSuffix(where, "_MSG"):
		return g.x.TellsMessage(string(raw))
	}
	return g.x.Found(raw) || g.x.TellsPath(where)
}

// setting reports whether a setting or a hook of git tells it by what somebody else than
// git or quipu wrote.
func (g *goneScan) setting(where string, raw []byte) bool {
	if strings.Contains(string(raw), hookMark) {
		return false
	}
	_, name, _ := strings.Cut(where, "/")
	foreign := git.Foreign(where, raw)
	return len(foreign) > 0 && (g.x.Found(foreign) || g.x.TellsPath(name))
}

// ref tells of a ref, once, whose name has the words.
func (g *goneScan) ref(ref string) {
	if !g.refs[ref] && g.x.TellsRef(ref) {
		g.add("warning", ref, renameIt)
		g.refs[ref] = true
	}
}

// How far what quipu does not keep is looked through.
const (
	besideFiles = 4000
	besideFile  = 1 << 20  // bytes of one file
	besideBytes = 32 << 20 // of all
	besideNamed = 20       // places that an erasure names
)

// besideNotes lists the files of the workspace's folder that tell it and are no memory,
// as their paths; of a large folder it looks at a part.
func (w *Workspace) besideNotes(ctx context.Context, x *policy.Erasure) []string {
	var list []string
	b := budget{files: besideFiles, bytes: besideBytes}
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return nil
	}
	defer root.Close() //nolint:errcheck // read only
	_ = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is passed over
		case ctx.Err() != nil:
			return fs.SkipAll
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular() || tracked(path) || path == ".git":
			return nil
		}
		text, ok := b.read(root, path)
		if !ok && b.files <= 0 {
			return fs.SkipAll
		}
		if x.TellsPath(path) || ok && x.Found(text) {
			list = append(list, path)
		}
		return nil
	})
	return list
}

// budget is how much may still be read.
type budget struct{ files, bytes int }

// read gives a file's text; false when it is too large, cannot be read, or enough was.
func (b *budget) read(root *os.Root, path string) ([]byte, bool) {
	fi, err := root.Stat(path)
	if b.files--; b.files < 0 || err != nil || fi.Size() > besideFile || int(fi.Size()) > b.bytes {
		return nil, false
	}
	b.bytes -= int(fi.Size())
	text, err := root.ReadFile(path)
	return text, err == nil
}

// beyond adds what an erasure found beyond its reach.
func (e Erased) beyond(places []string) Erased {
	e.Unreached = append(slices.Clip(e.Unreached), places...)
	return e
}

// elsewhere names, a sentence each, what an erasure by words left in the workspaces that
// it went through, since quipu does not keep it, and the other workspaces of this home
// whose notes mention them.
func (s *Store) elsewhere(ctx context.Context, m Meta, phrases []policy.Phrase, spaces ...*Workspace) []string {
	if len(phrases) == 0 || m.DryRun {
		return nil
	}
	var list []string
	x := policy.EraseWords(phrases, nil)
	erased := map[ID]bool{}
	for _, w := range spaces {
		if w == nil {
			continue
		}
		erased[w.id] = true
		refs, err := w.git.RefNames()
		if err != nil {
			list = append(list, fmt.Sprintf("the names of branches and tags could not be read: %v", err))
		}
		for _, ref := range refs {
			if x.TellsRef(ref) {
				list = append(list, ref+": "+renameIt)
			}
		}
		for _, path := range w.besideNotes(ctx, x) {
			list = append(list, path+": "+notKept)
		}
	}
	if n := len(list); n > besideNamed {
		list = append(list[:besideNamed], fmt.Sprintf("and %d more; `quipu verify --gone` names all", n-besideNamed))
	}
	for _, id := range s.mentioning(ctx, x, erased) {
		list = append(list, fmt.Sprintf("the notes of %s mention it; erase it there, too", id))
	}
	return list
}

// mentioning lists the other workspaces whose notes, as their files are, tell it.
func (s *Store) mentioning(ctx context.Context, x *policy.Erasure, but map[ID]bool) []ID {
	entries, err := os.ReadDir(filepath.Join(s.home, workspacesDir))
	if err != nil {
		return nil
	}
	b := budget{files: besideFiles, bytes: besideBytes}
	var list []ID
	for _, e := range entries {
		if id := ID(e.Name()); e.IsDir() && !but[id] && s.exists(id) && ctx.Err() == nil && s.notesTell(id, x, &b) {
			list = append(list, id)
		}
	}
	return list
}

var errTold = errors.New("told")

func (s *Store) notesTell(id ID, x *policy.Erasure, b *budget) bool {
	root, err := os.OpenRoot(s.workDir(id))
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // read only
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is passed over
		case d.IsDir() && path != "." && path != "memory" && path != "memory/log":
			return fs.SkipDir
		case !d.Type().IsRegular() || !tracked(path) || policy.OpaqueFile(path):
			return nil
		}
		if text, ok := b.read(root, path); x.TellsPath(path) || ok && x.Found(text) {
			return errTold
		}
		return nil
	})
	return errors.Is(err, errTold)
}
