package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// oldRefs counts refs that name an object which is not of the new history.
func (r *Repo) oldRefs(m *rewriteMark) (int, error) {
	loose := map[Hash]bool{}
	for _, h := range m.loose {
		loose[h] = true
	}
	var packs []*packFile
	for _, name := range append(slices.Clone(m.stay), m.pack) {
		if name == "" {
			continue
		}
		dir := r.packDir()
		if name == m.pack {
			dir = r.rewriteDir()
		}
		p, err := openPack(filepath.Join(dir, name+".idx"), nil, nil)
		if errors.Is(err, fs.ErrNotExist) && name != m.pack {
			continue // a person's git packed it anew; that pack is found by prune
		}
		if err != nil {
			return 0, errors.Join(ErrDamaged, err)
		}
		if err := p.f.Close(); err != nil {
			return 0, err
		}
		packs = append(packs, p)
	}
	refs, err := r.allRefs()
	n := 0
	for _, h := range refs {
		if !loose[h] && !slices.ContainsFunc(packs, func(p *packFile) bool { _, ok := p.find(h); return ok }) {
			n++
		}
	}
	return n, err
}

// prune removes what goes of packs and takes what goes of loose objects away: there can
// be tens of thousands of them, so that they go with the folder of the erase, when no
// lock is held any more. strange counts packs that came since it was decided what goes:
// they stay, for they may hold the only copy of what a person's git packed meanwhile.
func (r *Repo) prune(m *rewriteMark) (strange int, err error) {
	r.packs.close()
	names, strange, err := r.goingFiles(m)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := r.removeTree(filepath.Join(r.packDir(), name)); err != nil {
			return 0, err
		}
	}
	return strange, r.pruneLoose(m.loose)
}

// goingFiles lists the files in the folder of packs that go: packs first, see linkPack.
func (r *Repo) goingFiles(m *rewriteMark) (names []string, strange int, err error) {
	there, err := r.packNames()
	if err != nil {
		return nil, 0, err
	}
	entries, err := os.ReadDir(r.packDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	stay := append(slices.Clone(m.stay), m.pack)
	var packs, rest []string
	for _, e := range entries {
		name, is := packName(e.Name()), strings.HasSuffix(e.Name(), ".pack") || e.Name() == "multi-pack-index"
		switch {
		case there[name] && slices.Contains(stay, name):
		case there[name] && !slices.Contains(m.goes, name):
			if is {
				strange++
			}
		case is:
			packs = append(packs, e.Name())
		default:
			rest = append(rest, e.Name())
		}
	}
	return append(packs, rest...), strange, nil
}

func (r *Repo) pruneLoose(stay []Hash) error {
	stays := map[string]int{} // folder -> how many
	for _, h := range stay {
		stays[h.String()[:2]]++
	}
	folders, err := filepath.Glob(filepath.Join(r.dir, "objects", "[0-9a-f][0-9a-f]"))
	if err != nil {
		return err
	}
	for _, from := range folders {
		to := filepath.Join(r.rewriteDir(), "loose-"+filepath.Base(from))
		if stays[filepath.Base(from)] == 0 && r.disk.rename(from, to) == nil {
			continue
		}
		if err := r.pruneFolder(from, to, stay); err != nil {
			return err
		}
	}
	strays, err := filepath.Glob(filepath.Join(r.dir, "objects", "tmp_*"))
	for _, p := range strays {
		err = errors.Join(err, r.removeTree(p))
	}
	return err
}

// pruneFolder takes what does not stay out of a folder of loose objects, and the folder
// when nothing is left in it.
func (r *Repo) pruneFolder(from, to string, stay []Hash) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	goes := slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		h, ok := ParseHash(filepath.Base(from) + e.Name())
		_, stays := slices.BinarySearchFunc(stay, h, compareHash)
		return ok && stays
	})
	if len(goes) == 0 {
		return nil
	}
	if err := r.disk.mkdir(to); err != nil {
		return err
	}
	for _, e := range goes {
		path := filepath.Join(from, e.Name())
		if r.disk.rename(path, filepath.Join(to, e.Name())) == nil {
			continue
		}
		if err := r.removeTree(path); err != nil {
			return err
		}
	}
	if len(goes) < len(entries) {
		return nil
	}
	return r.removeTree(from)
}

// removeTree removes a file, or a folder with all that is in it.
func (r *Repo) removeTree(path string) error { return r.removeBy(path, 1) }

// removers is how many files are removed at once.
const removers = 8

// removeBy is removeTree that works at so many entries of the folder at once, which a
// disk with a journal is quicker at.
func (r *Repo) removeBy(path string, workers int) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		if err := r.removeEntries(path, entries, workers); err != nil {
			return err
		}
	}
	if err := r.disk.remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (r *Repo) removeEntries(dir string, entries []fs.DirEntry, workers int) error {
	if workers == 1 || r.disk.fault != nil { // a test counts calls
		for _, e := range entries {
			if err := r.removeTree(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
		return nil
	}
	var wg sync.WaitGroup
	errs := make([]error, workers)
	for i := range workers {
		wg.Go(func() {
			for j := i; j < len(entries) && errs[i] == nil; j += workers {
				errs[i] = r.removeTree(filepath.Join(dir, entries[j].Name()))
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
