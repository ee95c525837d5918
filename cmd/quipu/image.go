package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

func newImage() *cli.Command {
	return &cli.Command{
		Name: "image", Category: "write",
		Usage: "pictures as memories",
		Description: "A picture is kept with the notes, under memory/images, with one entry that links it. PNG, JPEG, GIF and WebP, told by the content, " +
			"of at most 5 MiB. Place, time, camera and comments are taken out before anything is written. The picture goes with its entry: `quipu forget`, `quipu erase` and `quipu undo` take both.",
		Action: groupOnly,
		Subcommands: []*cli.Command{
			{
				Name: "remember", Usage: "keep a picture: a file, - or a data:, http: or https: URL", ArgsUsage: "SOURCE",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "about", Usage: "`WHO` or what it shows, by the name that notes use"},
					&cli.StringFlag{Name: "note", Usage: "what is worth knowing of it: `TEXT`"},
					&cli.StringFlag{Name: "kind", Usage: "`KIND`: " + strings.Join(policy.PictureKinds(), ", "), Value: "other"},
					&cli.StringFlag{Name: "topic", Usage: "the topic to add its entry to: a `NAME` or memory/NAME.md"},
					dryRunFlag(),
				},
				Action: func(c *cli.Context) error {
					args, err := words(c, "SOURCE")
					if err != nil {
						return err
					}
					if c.String("about") == "" {
						return usage("as in `quipu image remember photo.jpg --about Ana`", "--about needs a name")
					}
					if c.IsSet("topic") && c.String("topic") == "" {
						return usage("as in --topic people", "--topic needs a name")
					}
					return runImageRemember(c.Context, envOf(c), imageArgs{
						Source: args[0], Topic: c.String("topic"), DryRun: c.Bool("dry-run"),
						Caption: policy.Caption{About: c.String("about"), Note: c.String("note"), Kind: c.String("kind")},
					})
				},
			},
			{
				Name: "recall", Usage: "find pictures by a name or words, and put them in a folder with --out", ArgsUsage: "WORDS",
				Flags: []cli.Flag{&cli.StringFlag{Name: "out", Usage: "write those that are found into `DIR`"}},
				Action: func(c *cli.Context) error {
					if c.NArg() == 0 {
						return usage("see `quipu help image recall`", "image recall needs WORDS")
					}
					return runImageRecall(c.Context, envOf(c), strings.Join(c.Args().Slice(), " "), c.String("out"))
				},
			},
			{Name: "list", Usage: "list the pictures that are kept", Action: noArgs(runImageList)},
		},
	}
}

type imageArgs struct {
	Source, Topic string
	policy.Caption
	DryRun bool
}

func runImageRemember(ctx context.Context, e *env, a imageArgs) error {
	b, err := e.pictureBytes(ctx, a.Source)
	if err != nil {
		return err
	}
	if err := e.beginLayer(ctx, a.DryRun); err != nil {
		return err
	}
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	got, err := w.RememberPicture(ctx, m, b, a.Caption, a.Topic)
	if err != nil {
		return err
	}
	answer := hooks.TellPictured(got)
	if e.json {
		return e.print(answer)
	}
	e.say("%s", clean(answer.Message))
	if got.Known {
		return nil
	}
	return e.write(clean(answer.Picture) + "\n")
}

// pictureBytes reads what a person names: a URL, standard input, or a file of theirs.
func (e *env) pictureBytes(ctx context.Context, source string) ([]byte, error) {
	if u, err := url.Parse(source); err == nil && (u.Scheme == "data" || u.Scheme == "http" || u.Scheme == "https") {
		return hooks.PictureBytes(ctx, source, nil)
	}
	if source == "-" {
		return io.ReadAll(io.LimitReader(e.In, policy.MaxPictureBytes+1))
	}
	fi, err := os.Stat(source) // a pipe or a device is not even opened
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, repo.Meaning(repo.ErrNotFound, "there is no file "+source)
	case err != nil || !fi.Mode().IsRegular():
		return nil, repo.PictureFault(policy.RefusePicture(policy.PictureUnreadable, "%s is no plain file that can be read", source))
	}
	f, err := os.Open(source)
	if err != nil {
		return nil, repo.PictureFault(policy.RefusePicture(policy.PictureUnreadable, "%s cannot be read", source))
	}
	defer f.Close() //nolint:errcheck // read only
	return io.ReadAll(io.LimitReader(f, policy.MaxPictureBytes+1))
}

func runImageRecall(ctx context.Context, e *env, asked, out string) error {
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	list, err := w.RecallPictures(ctx, asked)
	if err != nil {
		return err
	}
	found := hooks.TellKept(list)
	if out != "" {
		if err := writePictures(out, found.Pictures); err != nil {
			return err
		}
	}
	if e.json {
		return e.print(found)
	}
	if len(found.Pictures) == 0 {
		e.say("no picture is found")
	}
	return e.writePictureRows(found.Pictures, out)
}

// writePictures puts pictures into a folder; a file that stands there is not replaced by
// another.
func writePictures(dir string, list []hooks.Recollected) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // each file was closed
	for _, p := range list {
		if !p.There {
			continue
		}
		if have, err := root.ReadFile(p.Picture); err == nil && string(have) == string(p.Bytes) {
			continue
		}
		f, err := root.OpenFile(p.Picture, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return repo.Meaning(repo.ErrConflict, filepath.Join(dir, p.Picture)+" exists and is another file")
		}
		if err != nil {
			return err
		}
		_, err = f.Write(p.Bytes)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func runImageList(c *cli.Context, e *env) error {
	w, err := e.botsNotes(c.Context)
	if err != nil {
		return err
	}
	list, err := w.Pictures(c.Context)
	if err != nil {
		return err
	}
	answer := server.AnswerPictures(list)
	if e.json {
		return e.print(answer)
	}
	if len(list) == 0 {
		e.say("no picture is kept")
	}
	for i := range answer.Pictures { // a list opens none, and so says nothing of their bytes
		answer.Pictures[i].Missing = ""
	}
	return e.writePictureRows(answer.Pictures, "")
}

func (e *env) writePictureRows(list []hooks.Recollected, out string) error {
	rows := make([][]string, 0, len(list))
	for _, p := range list {
		said := p.About + " (" + p.Kind + ")"
		if p.Note != "" {
			said += ": " + p.Note
		}
		at := "memory/images/" + p.Picture
		if out != "" && p.There {
			at = filepath.Join(out, p.Picture)
		}
		rows = append(rows, []string{clean(p.Date), clean(said), clean(at), fmt.Sprintf("%s:%d", clean(p.Path), p.Line), clean(p.Missing)})
	}
	return e.write(table(rows))
}
