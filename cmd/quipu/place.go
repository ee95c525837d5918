package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// aboutMe is the name by which About me is meant, as `--bot @me`; what follows a
// dash after it names another person.
const aboutMe repo.ID = "@me"

func isAbout(id repo.ID) bool {
	return id == aboutMe || strings.HasPrefix(string(id), string(aboutMe)+"-")
}

// mainFile is the file that is meant where none is named.
func mainFile(id repo.ID) string {
	if isAbout(id) {
		return policy.AboutFile
	}
	return policy.MemoryFile
}

// workspace opens the notes that are meant: --bot, QUIPU_BOT, the workspace that the
// current folder is in, else the only bot there is.
func (e *env) workspace(ctx context.Context) (*repo.Workspace, error) {
	s, id, err := e.meant(ctx)
	if err != nil {
		return nil, err
	}
	return e.openNamed(ctx, s, id)
}

// botsNotes is workspace for what only a bot has.
func (e *env) botsNotes(ctx context.Context) (*repo.Workspace, error) {
	s, id, err := e.meant(ctx)
	if err != nil {
		return nil, err
	}
	if isAbout(id) {
		return nil, usage("`quipu prefer TEXT` adds a line to it, `quipu edit ABOUT.md` opens it", "About me is one file, ABOUT.md, and no bot's memory")
	}
	return e.openNamed(ctx, s, id)
}

func (e *env) meant(ctx context.Context) (*repo.Store, repo.ID, error) {
	s, err := e.Store()
	if err != nil {
		return nil, "", err
	}
	id, err := e.which(ctx, s)
	return s, id, err
}

// fileSpace opens the workspace of a file, "" for its main one, and gives the file's
// path. ABOUT.md is About me's, whichever bot is meant. The error of an About me that
// is not there yet comes with the path.
func (e *env) fileSpace(ctx context.Context, path string) (*repo.Workspace, string, error) {
	s, err := e.Store()
	if err != nil {
		return nil, path, err
	}
	id, err := e.whose(ctx, s, path)
	if err != nil {
		return nil, path, err
	}
	if path == "" {
		path = mainFile(id)
	}
	if isAbout(id) && path != policy.AboutFile {
		return nil, path, usage("leave the path out, or --bot", "About me is one file, ABOUT.md")
	}
	w, err := e.openNamed(ctx, s, id)
	return w, path, err
}

// whose is which, but for ABOUT.md, which says itself whose it is.
func (e *env) whose(ctx context.Context, s *repo.Store, path string) (repo.ID, error) {
	id, err := e.which(ctx, s)
	if path != policy.AboutFile {
		return id, err
	}
	if err == nil && isAbout(id) {
		return id, nil
	}
	return aboutMe, nil // however unclear it is which bot is meant
}

func (e *env) which(ctx context.Context, s *repo.Store) (repo.ID, error) {
	id, err := e.whichBot(ctx, s)
	of := e.layer()
	switch {
	case err != nil || of == policy.Subject{}:
		return id, err
	case isAbout(id):
		return "", usage("leave --bot out, or name a bot", "About me has no layer of a room or a member")
	}
	if bot, _, ok := id.Layer(); ok { // we are in another one
		id = bot
	}
	return repo.LayerID(id, of)
}

// beginLayer makes the layer that --room or --member means, where it is not there yet.
func (e *env) beginLayer(ctx context.Context, dryRun bool) error {
	if dryRun || e.layer() == (policy.Subject{}) {
		return nil
	}
	_, id, err := e.meant(ctx)
	if err != nil {
		return err
	}
	bot, of, _ := id.Layer()
	_, err = e.opened.MakeLayer(ctx, bot, of)
	return e.namingBot(err, bot)
}

// layer is the layer that --room or --member means; zero for none.
func (e *env) layer() policy.Subject {
	switch {
	case e.room != "":
		return policy.Subject{Kind: policy.GroupChat, ID: e.room}
	case e.member != "":
		return policy.Subject{Kind: policy.Participant, ID: e.member}
	}
	return policy.Subject{}
}

func (e *env) whichBot(ctx context.Context, s *repo.Store) (repo.ID, error) {
	if id := repo.ID(e.bot); isAbout(id) {
		return id, nil
	}
	if e.bot != "" {
		return repo.ID(e.bot), badID(policy.CheckID(e.bot), repo.ID(e.bot))
	}
	if e.Dir != "" {
		if id := s.IDOf(e.Dir); id != "" {
			return id, nil
		}
		if home, id := workspaceOf(e.Dir); isAbout(id) && sameFolder(home, s.Home()) {
			return id, nil
		}
	}
	bots, err := s.Bots(ctx)
	if err != nil {
		return "", err
	}
	switch len(bots) {
	case 1:
		return bots[0].ID, nil
	case 0:
		return "", usage("make one with `quipu init NAME`", "there is no bot in %s yet", s.Home())
	}
	names := make([]string, 0, len(bots))
	for _, b := range bots {
		names = append(names, string(b.ID))
	}
	slices.Sort(names)
	return "", usage("add --bot ID or set QUIPU_BOT", "which bot: %s", strings.Join(names, ", "))
}

// openNamed opens a workspace by its name and says what is not there.
func (e *env) openNamed(ctx context.Context, s *repo.Store, id repo.ID) (*repo.Workspace, error) {
	w, err := openID(ctx, s, id)
	switch {
	case err == nil:
		return w, nil
	case isAbout(id) && errors.Is(err, repo.ErrNotFound):
		return nil, &told{err: err, text: "there is nothing in About me yet", hint: "`quipu prefer TEXT` or `quipu edit ABOUT.md` begins it"}
	}
	if bot, of, ok := id.Layer(); ok && errors.Is(err, repo.ErrNotFound) {
		if _, berr := s.Open(ctx, bot); berr != nil {
			return nil, e.namingBot(berr, bot)
		}
		return nil, &told{
			err: err, text: fmt.Sprintf("%s keeps nothing of the %s %q yet", bot, of.Kind, of.ID),
			hint: "`quipu remember TEXT" + flagsOf(id) + "` begins it, `quipu bots --layers` lists what there is",
		}
	}
	return nil, e.namingBot(err, id)
}

// flagsOf are the flags that mean a workspace, with a blank before them; none for a bot's.
func flagsOf(id repo.ID) string {
	if isAbout(id) {
		return " --bot " + string(id)
	}
	if bot, of, ok := id.Layer(); ok {
		return fmt.Sprintf(" --bot %s --%s %s", bot, of.Kind, quoted([]string{of.ID}))
	}
	return ""
}

// openID opens a bot's workspace, About me, or a layer, by the name of its folder.
func openID(ctx context.Context, s *repo.Store, id repo.ID) (*repo.Workspace, error) {
	if isAbout(id) {
		return s.Me(ctx, personOf(id))
	}
	if bot, of, ok := id.Layer(); ok {
		return s.Layer(ctx, bot, of)
	}
	return s.Open(ctx, id)
}

// personOf is whose About me an id means, "" for the owner's.
func personOf(id repo.ID) string {
	return decodePerson(strings.TrimPrefix(strings.TrimPrefix(string(id), string(aboutMe)), "-"))
}

// decodePerson reads a person's name as workspaces spell it, `_41da` for Ada. What
// is not spelled so is the name itself.
func decodePerson(spelled string) string {
	if name, ok := repo.Decoded(spelled); ok {
		return name
	}
	return spelled
}

// workspaceOf finds the home and the workspace that a folder lies in, by what lies
// beside it: HOME/workspaces/ID with HOME/history/ID.git. Both are empty elsewhere.
func workspaceOf(dir string) (home string, id repo.ID) {
	if dir == "" {
		return "", ""
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", ""
	}
	for at := real; ; at = filepath.Dir(at) {
		parent := filepath.Dir(at)
		if parent == at {
			return "", ""
		}
		if filepath.Base(parent) != "workspaces" {
			continue
		}
		home, name := filepath.Dir(parent), filepath.Base(at)
		if isDir(filepath.Join(home, "history", name+".git")) || isDir(filepath.Join(at, ".git")) {
			return home, repo.ID(name)
		}
	}
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// namingBot says which bot is not there, and what to do about it.
func (e *env) namingBot(err error, id repo.ID) error {
	if exitOf(err) != exitNotFound {
		return err
	}
	return &told{
		err: err, text: fmt.Sprintf("there is no bot %q", string(id)),
		hint: "`quipu bots` lists them, `quipu init " + string(id) + "` makes it",
	}
}
