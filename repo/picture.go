package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
)

// How much is kept in pictures, and how much is shown of them at once.
const (
	MaxPictures      = 1000      // of one workspace
	maxPicturesBytes = 200 << 20 // of all of them: git keeps each for good
	MaxShown         = 4         // pictures that one recall opens
	maxShownBytes    = 10 << 20  // of all that one recall opens
)

// Pictured is what became of a picture that was to be kept.
type Pictured struct {
	Receipt
	Path    string // of the picture; of the one that stands already where Known is set
	Caption policy.Caption
	Picture policy.Picture
}

// RememberPicture keeps a picture and the entry that links it, as one change: in
// MEMORY.md, or in a topic. The same bytes again are Known: the entry that has them is
// quoted and nothing is written. The error of a picture that is not kept is a
// *policy.PictureError. ErrInvalid, ErrRefused, ErrOff, ErrConflict.
func (w *Workspace) RememberPicture(ctx context.Context, m Meta, b []byte, c policy.Caption, topic string) (Pictured, error) {
	if m.Author.Kind != Person && !w.store.Config().MemoryOn(w.id) {
		return Pictured{}, wrapf(ErrOff, "memory is switched off for this bot")
	}
	p, err := policy.ReadPicture(b)
	if err != nil {
		return Pictured{}, PictureFault(err)
	}
	if c, err = c.Checked(w.store.redact); err != nil {
		return Pictured{}, refused(err)
	}
	u := policy.Update{Action: policy.Append, TextSet: true, Source: m.Source}
	if topic != "" {
		if u.Topic, err = policy.TopicFile(topic); err != nil {
			return Pictured{}, fmt.Errorf("topic: %w%w", err, silent{ErrInvalid})
		}
	}
	if m.Action == "" {
		m.Action = ActUpdate
	}
	out := Pictured{Caption: c, Picture: p}
	out.Receipt, err = w.change(ctx, m, func(v *view) (draft, error) {
		out.Path = policy.PictureFile(c.About, p)
		d, err := v.keepPicture(ctx, m, u, &out)
		return d, err
	})
	return out, err
}

// PictureFault gives a policy's reason for not keeping a picture this floor's sentinel.
func PictureFault(err error) error {
	var p *policy.PictureError
	if !errors.As(err, &p) {
		return err
	}
	kind := ErrInvalid
	if p.Refusal.Code == policy.Refused {
		kind = ErrRefused
	}
	return fmt.Errorf("%w%w", p, silent{kind})
}

func (v *view) keepPicture(ctx context.Context, m Meta, u policy.Update, out *Pictured) (draft, error) {
	if err := v.takeIn(); err != nil {
		return draft{}, err
	}
	standing, err := v.standingPicture(out)
	if err != nil {
		return draft{}, err
	}
	if standing {
		entry, err := v.entryOf(out.Path)
		if err != nil || entry != "" {
			return draft{receipt: Receipt{Known: true, Entry: entry}}, err
		}
	}
	u.Text = out.Caption.Entry(u.Topic, out.Path)
	lifted, err := v.mayLearn(ctx, m, u)
	if err != nil {
		return draft{}, err
	}
	d, err := v.update(u)
	if err != nil {
		return draft{}, err
	}
	if lifted != nil && len(d.files) > 0 {
		d.files = append(d.files, fileText{path: policy.LedgerFile, text: lifted})
	}
	if !standing {
		d.files = append(d.files, fileText{path: out.Path, text: out.Picture.Bytes})
		d.receipt.Known = false
	}
	d.subject = "a picture of " + out.Caption.About
	return d, v.saysOut(&d)
}

// standingPicture looks for the same bytes among the pictures that are kept, and refuses
// one more where enough are.
func (v *view) standingPicture(out *Pictured) (bool, error) {
	files, err := v.tx.Files()
	if err != nil {
		return false, err
	}
	blob, n := git.HashBlob(out.Picture.Bytes), 0
	for _, f := range files {
		if policy.PictureName(f.Path) == "" {
			continue
		}
		if f.Blob == blob {
			out.Path = f.Path
			return true, nil
		}
		if policy.SameName(f.Path, out.Path) {
			return false, wrapf(ErrConflict, "%s holds another picture", f.Path)
		}
		n++
	}
	work, _, err := v.w.git.ListWork()
	if err != nil {
		return false, err
	}
	size := int64(len(out.Picture.Bytes))
	for _, f := range work {
		if policy.PictureName(f.Path) != "" {
			size += f.Size
		}
	}
	if n >= MaxPictures || size > maxPicturesBytes {
		return false, PictureFault(policy.RefusePicture(policy.PictureNoRoom, "%d pictures are kept; %d, or %d MB in all, is the limit: forget some first", n, MaxPictures, maxPicturesBytes>>20))
	}
	return false, nil
}

// entryOf quotes the entry that links a picture, "" when none does.
func (v *view) entryOf(picture string) (string, error) {
	n, err := v.everyNote()
	if err != nil {
		return "", err
	}
	for _, p := range n.Order {
		for _, e := range markdown.Parse(p, n.Files[p]).Entries() {
			if policy.LinksPicture([]byte(e.Text), policy.PictureName(picture)) {
				text, _ := v.w.masked([]byte(e.String()))
				return string(text), nil
			}
		}
	}
	return "", nil
}

// Pictures lists the entries that keep pictures, newest first. What is disputed, or is not
// to be mentioned by anybody any more, is left out as it is of every prompt. ErrOff.
func (w *Workspace) Pictures(_ context.Context) ([]policy.Shown, error) {
	if !w.store.Config().MemoryOn(w.id) {
		return nil, wrapf(ErrOff, "memory is switched off for this bot")
	}
	disputes, _, err := w.out()
	if err != nil {
		return nil, err
	}
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	out := []policy.Shown{}
	for _, f := range files {
		kind, err := policy.CheckPath(f.Path)
		if err != nil || kind == policy.Log || kind == policy.About {
			continue
		}
		text, err := w.readWork(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, gitError(err)
		}
		out = append(out, policy.ShownIn(f.Path, standingOf(f.Path, text, disputes))...)
	}
	slices.SortStableFunc(out, func(a, b policy.Shown) int {
		return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(a.Path, b.Path), cmp.Compare(b.Line, a.Line))
	})
	return out, nil
}

// Keepsake is a picture that was recalled. Where Missing says why, there are no bytes:
// nothing is known of what it shows but the words of its entry.
type Keepsake struct {
	policy.Shown
	Type    policy.PictureType
	Bytes   []byte
	Missing string
}

// RecallPictures finds the pictures that words ask for, best first, and opens the first
// of them: at most MaxShown, and 10 MB.
func (w *Workspace) RecallPictures(ctx context.Context, words string) ([]Keepsake, error) {
	list, err := w.Pictures(ctx)
	if err != nil {
		return nil, err
	}
	out := []Keepsake{}
	for _, s := range policy.RankShown(list, words) {
		out = append(out, Keepsake{Shown: s})
	}
	w.OpenPictures(out, 0, 0)
	return out, nil
}

// OpenPictures reads the bytes of pictures, where some were opened already.
func (w *Workspace) OpenPictures(list []Keepsake, opened, size int) {
	for i := range list {
		k := &list[i]
		if opened == MaxShown {
			k.Missing = fmt.Sprintf("not opened: %d pictures at a time", MaxShown)
			continue
		}
		b, t, err := w.Picture(policy.PictureName(k.Picture))
		switch {
		case errors.Is(err, ErrNotFound):
			k.Missing = "its file is gone"
		case err != nil:
			k.Missing = "its file cannot be shown"
		case size+len(b) > maxShownBytes:
			k.Missing = "not opened: together they are too large"
		default:
			k.Bytes, k.Type = b, t
			opened, size = opened+1, size+len(b)
		}
	}
}

// Picture reads a picture by its file name. Its type is told by its content. ErrInvalid,
// ErrNotFound, ErrState for what is no picture or no plain file.
func (w *Workspace) Picture(name string) ([]byte, policy.PictureType, error) {
	p, err := policy.CheckPicture(name)
	if err != nil {
		return nil, "", fmt.Errorf("%w%w", err, silent{ErrInvalid})
	}
	b, _, err := w.git.ReadWork(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", wrapf(ErrNotFound, "there is no picture of this name")
	}
	if err != nil {
		return nil, "", gitError(err)
	}
	pic, err := policy.ReadPicture(b)
	if err != nil {
		return nil, "", wrapf(ErrState, "the file is no picture that can be shown")
	}
	return pic.Bytes, pic.Type, nil
}

// LoosePictures are the pictures that no note links, by their paths.
func (w *Workspace) LoosePictures() ([]string, error) {
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	texts, out := map[string][]byte{}, []string{}
	for _, f := range files {
		if policy.OpaqueFile(f.Path) {
			continue
		}
		if texts[f.Path], err = w.readWork(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, gitError(err)
		}
	}
	for _, f := range files {
		if name := policy.PictureName(f.Path); name != "" && !linkedIn(texts, name) {
			out = append(out, f.Path)
		}
	}
	return out, nil
}

// picture reverses what a change did to a picture, as a whole.
func (r *reversal) picture(f side.File, before, after, cur []byte, has bool) error {
	switch {
	case f.Before.IsZero(): // it goes, unless another note links it by now
		if has && bytes.Equal(cur, after) {
			r.files = append(r.files, fileText{path: f.Path, del: true})
		}
	case has && bytes.Equal(cur, before):
	case !has || bytes.Equal(cur, after):
		r.files = append(r.files, fileText{path: f.Path, text: before})
	default:
		r.clashes = append(r.clashes, Clash{Path: f.Path, Have: "another picture", Want: path.Base(f.Path)})
	}
	return nil
}
