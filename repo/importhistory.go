package repo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"quipu/policy"
	"quipu/repo/exchange"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
)

// history makes a commit of each version that came with the notes, with its own time and
// author. It does so for files that are not here yet: where there is one, a past that it
// did not have would be put over it.
func (im *importing) history(m Meta) error {
	passed := map[string]int{}
	fresh := map[string]bool{}
	for _, x := range im.batch.Versions {
		if _, seen := fresh[x.Path]; !seen {
			text, has, err := im.v.file(x.Path)
			if err != nil {
				return err
			}
			twin, taken := im.standing[nameKey(x.Path)]
			fresh[x.Path] = !has && !taken && !im.past[x.Path] || im.isSeed(x.Path, text) && twin == x.Path
		}
	}
	for i, x := range im.batch.Versions {
		why := "is here already: its past stays as it is"
		if fresh[x.Path] {
			var err error
			if why, err = im.version(m, x); err != nil {
				return err
			}
		}
		if why != "" {
			passed[x.Path+" "+why]++
		}
		im.told(i+1, len(im.batch.Versions))
	}
	for _, what := range slices.Sorted(maps.Keys(passed)) {
		im.leave("journal", fmt.Sprintf("%d rows: %s", passed[what], what))
	}
	return nil
}

// pastOf finds which files that a history ends by deleting were here once: nothing in the
// workspace tells that such a history came in already.
func (w *Workspace) pastOf(ctx context.Context, list []exchange.Version) (map[string]bool, error) {
	ended := map[string]bool{}
	for _, x := range list {
		ended[x.Path] = x.Gone
	}
	past := map[string]bool{}
	for p, gone := range ended {
		if !gone {
			continue
		}
		x, err := w.history(ctx)
		if err != nil {
			return nil, err
		}
		changes, err := x.Newest(ctx, side.Filter{Path: p, Limit: 1})
		if err != nil {
			return nil, err
		}
		past[p] = len(changes) > 0
	}
	return past, nil
}

// version commits one; why says why it was passed over.
func (im *importing) version(m Meta, x exchange.Version) (why string, err error) {
	text, n := im.v.w.store.redactBytes([]byte(x.Text))
	im.receipt.Redacted += n
	text, _ = im.never.without(text)
	now, has, err := im.v.tx.File(x.Path)
	switch {
	case err != nil:
		return "", err
	case len(text) > policy.MaxFileBytes:
		return "has a text that is over what a memory file may hold", nil
	case hasMarkers(text):
		return "has a text with conflict markers", nil
	}
	f := fileText{path: x.Path, text: slices.Concat([]byte{}, text), del: x.Gone && x.Path != policy.MemoryFile} // which the bot expects to exist
	if f.stands(now, has) {
		return "", nil
	}
	v := *im.v
	if v.at = x.At.In(im.v.at.Location()); v.at.Year() < 1970 || v.at.After(im.v.at) {
		v.at = im.v.at
	}
	by := Meta{Author: im.author(x.Actor), Action: ActHistory, Via: viaOf(x.Via), Source: m.Source}
	if x.Thread != "" {
		by.Source = "thread " + x.Thread
	}
	var scratch Receipt
	d := draft{files: []fileText{f}, part: im.id}
	if err := v.commit(by, d, &scratch); err != nil {
		return "", fmt.Errorf("%s of %s: %w", x.Path, x.At.Format(time.DateTime), err)
	}
	im.standing[nameKey(x.Path)] = x.Path
	im.rows++
	return "", nil
}

// stands says whether a file is as f has it already.
func (f fileText) stands(now []byte, has bool) bool {
	if f.del {
		return !has
	}
	return has && bytes.Equal(now, f.text)
}

func (im *importing) author(actor string) Author {
	switch AuthorKind(actor) {
	case Bot:
		return Author{Kind: Bot, Name: string(im.v.w.id)}
	case Person:
		return im.v.w.person()
	case Upkeep:
		return Author{Kind: Upkeep}
	}
	return Author{Kind: Import}
}

func viaOf(via string) Via {
	switch v := Via(via); v {
	case ViaUI, ViaAPI, ViaTurn, ViaDisk, ViaRevert, ViaCapture, ViaOrganize, ViaTidy:
		return v
	}
	return ViaImport
}

// withHistory gives an import the files of all that it brought along: undoing it
// reverses the whole.
func (w *Workspace) withHistory(c side.Change) (side.Change, error) {
	if c.Action != string(ActImport) || c.Foreign {
		return c, nil
	}
	last, err := w.git.Commit(c.Hash)
	if err != nil {
		return c, gitError(err)
	}
	before, n := last, 0
	for ; len(before.Parents) > 0; n++ {
		if before, err = w.git.Commit(before.Parents[0]); err != nil {
			return c, gitError(err)
		}
		if trailerOf(before.Message, keyPart) != c.ID {
			break
		}
	}
	if n == 0 {
		return c, nil
	}
	tree := before.Tree
	if trailerOf(before.Message, keyPart) == c.ID {
		tree = git.Hash{}
	}
	deltas, err := w.git.Changes(tree, last.Tree)
	if err != nil {
		return c, gitError(err)
	}
	c.Files = nil
	for i, d := range deltas {
		c.Files = append(c.Files, side.File{N: i + 1, Path: d.Path, Kind: kindOf(!d.Before.IsZero(), !d.After.IsZero()), Before: d.Before, After: d.After})
	}
	c.Touched = len(c.Files)
	return c, nil
}
