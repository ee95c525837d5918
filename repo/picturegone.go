package repo

import (
	"bytes"
	"context"
	"slices"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// pictures lets a picture go with the last note that linked it, and keeps one that a note
// still links. What somebody edited outside, and what came from another machine, is theirs.
func (v *view) pictures(m Meta, d *draft) error {
	if m.Action == ActOutside || m.Author.Kind == Sync || m.Via == ViaImport {
		return nil
	}
	left, err := v.unlinked(d.files)
	if err != nil || len(left) == 0 {
		return err
	}
	links, err := v.linking(d.files)
	if err != nil {
		return err
	}
	for _, p := range left {
		at := slices.IndexFunc(d.files, func(f fileText) bool { return f.path == p })
		switch linked := links(p); {
		case at >= 0 && linked && m.Action != ActForget:
			d.files = slices.Delete(slices.Clone(d.files), at, at+1)
		case at < 0 && !linked:
			_, there, err := v.file(p)
			if err != nil {
				return err
			}
			if there {
				d.files = append(d.files, fileText{path: p, del: true})
			}
		}
	}
	return nil
}

// unlinked are the pictures that a text among files does not link any more, and those
// that the files take out.
func (v *view) unlinked(files []fileText) ([]string, error) {
	var out []string
	var all []string
	for _, f := range files {
		if policy.PictureName(f.path) != "" && f.del {
			out = append(out, f.path)
		}
		if policy.OpaqueFile(f.path) {
			continue
		}
		before, _, err := v.tx.File(f.path)
		if err != nil {
			return nil, err
		}
		if !bytes.Contains(before, []byte("images/")) && !bytes.Contains(before, []byte("![[")) {
			continue
		}
		if all == nil {
			if all, err = v.pictureFiles(); err != nil {
				return nil, err
			}
		}
		for _, p := range all {
			name := policy.PictureName(p)
			if policy.LinksPicture(before, name) && (f.del || !policy.LinksPicture(f.text, name)) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// pictureFiles are the paths of the pictures of the view.
func (v *view) pictureFiles() ([]string, error) {
	files, err := v.tx.Files()
	out := []string{}
	for _, f := range files {
		if policy.PictureName(f.Path) != "" {
			out = append(out, f.Path)
		}
	}
	return out, err
}

// linking says whether a note links a picture once the files are written.
func (v *view) linking(files []fileText) (func(picture string) bool, error) {
	n, err := v.everyNote()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		switch {
		case policy.OpaqueFile(f.path):
		case f.del:
			delete(n.Files, f.path)
		default:
			n.Files[f.path] = f.text
		}
	}
	return func(picture string) bool { return linkedIn(n.Files, policy.PictureName(picture)) }, nil
}

func linkedIn(texts map[string][]byte, name string) bool {
	for _, text := range texts {
		if policy.LinksPicture(text, name) {
			return true
		}
	}
	return false
}

// withoutOrphans leaves out of files the pictures that they would bring back without a
// note that links them.
func (v *view) withoutOrphans(files []fileText) ([]fileText, error) {
	if !slices.ContainsFunc(files, func(f fileText) bool { return policy.PictureName(f.path) != "" && !f.del }) {
		return files, nil
	}
	links, err := v.linking(files)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(files, func(f fileText) bool {
		return policy.PictureName(f.path) != "" && !f.del && !links(f.path)
	}), nil
}

// gonePictures are the pictures that an erasure takes out of a history, by their paths.
type gonePictures struct{ paths map[string]bool }

// picturesGone finds the pictures that go with what an erasure takes out: those that any
// version of a note linked in what goes, or whose own name tells it, and that no note links
// that stays; and those of the same bytes.
func (w *Workspace) picturesGone(ctx context.Context, x *policy.Erasure) (gonePictures, error) {
	g := gonePictures{paths: map[string]bool{}}
	blobs, texts, err := w.everPictured(ctx)
	if err != nil || len(blobs) == 0 {
		return g, err
	}
	for p := range blobs {
		g.paths[p] = x.TellsPath(p)
	}
	for blob, path := range texts {
		if err := ctx.Err(); err != nil {
			return g, err
		}
		if err := w.noteGone(g, x, path, blob); err != nil {
			return g, err
		}
	}
	stays, err := w.linkedNow(x)
	if err != nil {
		return g, err
	}
	g.settle(x, blobs, stays)
	return g, nil
}

// settle leaves the pictures that a text which stays links, and takes those of the same
// bytes as one that goes.
func (g gonePictures) settle(x *policy.Erasure, blobs map[string][]git.Hash, stays map[string][]byte) {
	bytesGone := map[git.Hash]bool{}
	for p, gone := range g.paths {
		if g.paths[p] = gone && (x.TellsPath(p) || !linkedIn(stays, policy.PictureName(p))); g.paths[p] {
			for _, b := range blobs[p] {
				bytesGone[b] = true
			}
		}
	}
	for p, list := range blobs {
		same := slices.ContainsFunc(list, func(b git.Hash) bool { return bytesGone[b] })
		g.paths[p] = g.paths[p] || same && !linkedIn(stays, policy.PictureName(p))
	}
}

// everPictured are the pictures of the whole history, with the bytes that each had, and a
// path of each text that any note ever had.
func (w *Workspace) everPictured(ctx context.Context) (blobs map[string][]git.Hash, texts map[git.Hash]string, err error) {
	blobs, texts = map[string][]git.Hash{}, map[git.Hash]string{}
	err = w.git.EachPath(ctx, func(f git.TreeFile) error {
		if policy.PictureName(f.Path) != "" {
			blobs[f.Path] = append(blobs[f.Path], f.Blob)
		} else if !policy.OwnFile(f.Path) {
			texts[f.Blob] = f.Path
		}
		return nil
	})
	return blobs, texts, gitError(err)
}

// noteGone notes the pictures that a text links in what goes of it.
func (w *Workspace) noteGone(g gonePictures, x *policy.Erasure, path string, blob git.Hash) error {
	before, err := w.git.Blob(blob)
	if err != nil {
		return gitError(err)
	}
	after, copies := x.File(path, before)
	if copies == 0 {
		return nil
	}
	for p := range g.paths {
		if name := policy.PictureName(p); policy.LinksPicture(before, name) && !policy.LinksPicture(after, name) {
			g.paths[p] = true
		}
	}
	return nil
}

// linkedNow are the texts of the newest commit's notes without what an erasure takes out.
func (w *Workspace) linkedNow(x *policy.Erasure) (map[string][]byte, error) {
	head, err := w.git.Position()
	if err != nil {
		return nil, gitError(err)
	}
	blobs, err := w.git.BlobsAt(head)
	if err != nil {
		return nil, gitError(err)
	}
	out := map[string][]byte{}
	for path, blob := range blobs {
		if !tracked(path) || policy.OpaqueFile(path) {
			continue
		}
		text, err := w.git.Blob(blob)
		if err != nil {
			return nil, gitError(err)
		}
		out[path], _ = x.File(path, text)
	}
	return out, nil
}

// without is the rewriting that takes something out of a history, and its pictures.
func (g gonePictures) without(x *policy.Erasure) git.Rewriting {
	what := without(x)
	text, path := what.Text, what.Path
	what.Text = func(p string, raw []byte) ([]byte, bool) {
		if g.paths[p] {
			return nil, true
		}
		return text(p, raw)
	}
	what.Path = func(p string) string {
		if g.paths[p] {
			return ""
		}
		return path(p)
	}
	return what
}
