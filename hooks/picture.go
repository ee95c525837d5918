package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// Picturing is a picture that is to be kept.
type Picturing struct {
	Source string // a data:, http: or https: URL; "" where Data has the bytes
	Data   []byte
	policy.Caption
	Topic  string
	Turn   string
	Layer  string // LayerRoom or LayerSpeaker of that turn; "" is the bot's own notes
	Via    repo.Via
	DryRun bool
}

// Pictured is what became of it, as it is sent.
type Pictured struct {
	OK      bool           `json:"ok"`
	Known   bool           `json:"known,omitempty"` // kept already: nothing was written
	Entry   string         `json:"entry"`           // the entry that links it
	Picture string         `json:"picture"`         // its path
	Type    string         `json:"type"`            // as HTTP names it
	Width   int            `json:"width"`
	Height  int            `json:"height"`
	Bytes   int            `json:"bytes"`
	Dropped []string       `json:"dropped"` // what was taken out of it
	Change  *repo.ChangeID `json:"change"`  // null when nothing was written
	Message string         `json:"message"`
}

// RememberPicture keeps a picture as a bot asks. It is fetched before anything is locked.
// Beside the errors of repo's RememberPicture: those of Behalf, and ErrRefused for a layer
// that the turn does not have.
func (t *Turns) RememberPicture(ctx context.Context, bot repo.ID, a Picturing) (Pictured, error) {
	if !t.store.Config().MemoryOn(bot) {
		return Pictured{}, repo.Meaning(repo.ErrOff, "memory is switched off for this bot")
	}
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return Pictured{}, err
	}
	by, err := t.Behalf(ctx, bot, a.Turn, a.Via)
	if err != nil {
		return Pictured{}, err
	}
	if a.Layer != "" {
		if ws, err = t.layerFor(ctx, bot, Asked{Turn: a.Turn, Layer: a.Layer, Via: a.Via}); err != nil {
			return Pictured{}, err
		}
	}
	b, err := PictureBytes(ctx, a.Source, a.Data)
	if err != nil {
		return Pictured{}, err
	}
	by.Meta.DryRun = a.DryRun
	by.Meta.Source = cmp.Or(by.Meta.Source, string(a.Via))
	got, err := ws.RememberPicture(ctx, by.Meta, b, a.Caption, a.Topic)
	if by.asks && errors.Is(err, repo.ErrRefused) {
		by.Meta.Author = t.owner()
		got, err = ws.RememberPicture(ctx, by.Meta, b, a.Caption, a.Topic)
	}
	if err != nil {
		return Pictured{}, err
	}
	return TellPictured(got), nil
}

// PictureBytes gives the bytes of a source: a data:, http: or https: URL, or the bytes
// that came with the request. Nothing private is fetched. The error is that of a picture
// that is not kept.
func PictureBytes(ctx context.Context, source string, data []byte) ([]byte, error) {
	if source == "" {
		return data, nil
	}
	b, err := fetcher{}.read(ctx, source)
	return b, repo.PictureFault(err)
}

// TellPictured lays out what became of a picture, from the vault's own answer.
func TellPictured(got repo.Pictured) Pictured {
	p := got.Picture
	out := Pictured{
		OK: true, Known: got.Known, Entry: got.Entry, Picture: got.Path, Type: p.Type.MediaType(), Width: p.Width, Height: p.Height,
		Bytes: len(p.Bytes), Dropped: append([]string{}, p.Dropped...),
	}
	if got.Change != "" {
		out.Change = &got.Change
	}
	switch {
	case got.Known:
		out.Message = "kept already: " + got.Entry
		return out
	case got.DryRun:
		out.Message = "would keep"
	default:
		out.Message = "kept"
	}
	out.Message += fmt.Sprintf(" a picture of %s (%d by %d, %s)", got.Caption.About, p.Width, p.Height, p.Type)
	if len(p.Dropped) > 0 {
		out.Message += "; taken out of it: " + strings.Join(p.Dropped, ", ")
	}
	if got.Message != "" {
		out.Message += ". " + got.Message
	}
	return out
}

// Recollected is a picture that was recalled.
type Recollected struct {
	Picture string `json:"picture"` // its file name, by which its bytes are asked for
	About   string `json:"about"`
	Note    string `json:"note"`
	Kind    string `json:"kind"`
	Date    string `json:"date"` // YYYY-MM-DD, "" for undated
	Path    string `json:"path"` // of the file with its entry
	Line    int    `json:"line"`
	Layer   string `json:"layer,omitempty"` // "room" or "member NAME"; "" for the bot's own notes
	There   bool   `json:"there"`           // its bytes are there, and attached where pictures can be
	Missing string `json:"missing,omitempty"`
	Type    string `json:"type,omitempty"` // as HTTP names it

	Bytes []byte `json:"-"`
}

// Pictures are those that words brought up, and what may be said of them.
type Pictures struct {
	Pictures    []Recollected `json:"pictures"`
	Instruction string        `json:"instruction"` // written from what is attached
}

// mostRecalled is how many pictures are named; fewer are opened.
const mostRecalled = 12

// RecallPictures finds the pictures that words ask for: among the bot's own notes and,
// within an open turn, the layers that the turn reads. ErrInvalid for blank words,
// ErrNotFound and ErrConflict for a turn.
func (t *Turns) RecallPictures(ctx context.Context, bot repo.ID, words, turn string) (Pictures, error) {
	if strings.TrimSpace(words) == "" {
		return Pictures{}, repo.Meaning(repo.ErrInvalid, "say whose picture, or which words its entry has")
	}
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return Pictures{}, err
	}
	found, err := ws.RecallPictures(ctx, words)
	if err != nil {
		return Pictures{}, err
	}
	list := recollected(found, "")
	if turn != "" {
		opened, err := t.Of(ctx, bot, turn)
		if err == nil && !opened.Open() {
			err = repo.Meaning(repo.ErrConflict, "this turn has ended")
		}
		if err != nil {
			return Pictures{}, err
		}
		for _, l := range t.layersOf(ctx, bot, opened.Conversation, opened.Speaker) {
			more, err := l.Notes.RecallPictures(ctx, words)
			t.told(bot, "a layer's pictures are not looked through", err)
			list = append(list, recollected(more, t.label(bot, l))...)
		}
	}
	return TellPictures(list), nil
}

func recollected(list []repo.Keepsake, layer string) []Recollected {
	out := make([]Recollected, 0, len(list))
	for _, k := range list {
		r := Recollected{
			Picture: path.Base(k.Picture), About: k.About, Note: k.Note, Kind: k.Kind, Date: k.Date.String(), Path: k.Path, Line: k.Line,
			Layer: layer, There: k.Bytes != nil, Missing: k.Missing, Bytes: k.Bytes,
		}
		if r.There {
			r.Type = k.Type.MediaType()
		}
		out = append(out, r)
	}
	return out
}

// TellPictures bounds what was recalled, of all layers together, and says what may be said
// of it.
func TellPictures(list []Recollected) Pictures {
	list = list[:min(len(list), mostRecalled)]
	opened := 0
	seen := make([]policy.Seen, len(list))
	for i := range list {
		r := &list[i]
		if r.There {
			if opened++; opened > repo.MaxShown {
				r.There, r.Bytes, r.Type, r.Missing = false, nil, "", fmt.Sprintf("not opened: %d pictures at a time", repo.MaxShown)
			}
		}
		day, _ := markdown.ParseDate(r.Date) // of an undated one there is none
		seen[i] = policy.Seen{Missing: r.Missing, Shown: policy.Shown{Caption: policy.Caption{About: r.About, Note: r.Note, Kind: r.Kind}, Date: day}}
	}
	return Pictures{Pictures: append([]Recollected{}, list...), Instruction: policy.TellSeen(seen)}
}

// TellKept lays out pictures that the vault gave.
func TellKept(list []repo.Keepsake) Pictures { return TellPictures(recollected(list, "")) }
