package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quipu/policy"
)

// Removed says what went with a bot.
type Removed struct {
	Workspaces []ID `json:"workspaces"` // the bot's own first, then the layers about members and rooms
	Turns      int  `json:"turns"`      // that were said to it
	Tokens     int  `json:"tokens"`
}

// Remove takes a bot away for good: its notes with their history, what it remembers
// about members, all that was said to it, its settings and its tokens. About me stays.
// There is no undo. ErrNotFound, ErrInvalid.
func (s *Store) Remove(ctx context.Context, id ID) (Removed, error) {
	if err := policy.CheckID(string(id)); err != nil {
		return Removed{}, wrapf(ErrInvalid, "bot id: %v", err)
	}
	var out Removed
	gone, err := s.removeFolders(id, &out)
	if err != nil {
		return out, fmt.Errorf("remove %s: %w", id, err)
	}
	if len(out.Workspaces) == 0 {
		return out, wrapf(ErrNotFound, "no such bot")
	}
	for _, w := range out.Workspaces {
		s.letGo(w) //nolint:contextcheck // what is open is closed, whoever asked
	}
	var errs []error
	for _, dir := range gone { // under another name by now: nobody finds them any more
		errs = append(errs, os.RemoveAll(dir))
	}
	said, err := s.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said != nil {
		out.Turns, err = said.DeleteBot(ctx, string(id))
	}
	errs = append(errs, turnError(err))
	if _, set := s.Config().Bots[id]; set {
		errs = append(errs, s.EditConfig(Setting{Path: []string{"bots", string(id)}}))
	}
	n, err := s.revokeOf(id)
	out.Tokens = n
	return out, errors.Join(append(errs, err)...)
}

// removeFolders gives the folders of a bot and its layers names that nobody looks for,
// so that it is gone at once for every process, and gives these names.
func (s *Store) removeFolders(id ID, out *Removed) (gone []string, err error) {
	err = lockHome(s.home, func(*os.Root) error {
		ids, err := s.foldersOf(id)
		if err != nil {
			return err
		}
		for _, w := range ids {
			for _, dir := range []string{s.ownDir(w), s.workDir(w)} {
				away := filepath.Join(filepath.Dir(dir), ".removed-"+filepath.Base(dir))
				err := errors.Join(os.RemoveAll(away), os.Rename(dir, away))
				switch {
				case errors.Is(err, fs.ErrNotExist):
				case err != nil:
					return err
				default:
					gone = append(gone, away)
				}
			}
			out.Workspaces = append(out.Workspaces, w)
		}
		return nil
	})
	return gone, err
}

// foldersOf lists the workspaces of a bot that lie in the home, its own first.
func (s *Store) foldersOf(id ID) ([]ID, error) {
	seen := map[ID]bool{}
	var list []ID
	for _, dir := range []string{workspacesDir, historyDir} {
		entries, err := os.ReadDir(filepath.Join(s.home, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			name := ID(strings.TrimSuffix(e.Name(), ".git"))
			if (name == id || strings.HasPrefix(string(name), string(id)+"--")) && !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list, nil
}

// letGo closes a workspace that is open, if it is.
func (s *Store) letGo(id ID) {
	s.mu.Lock()
	o, open := s.open[id]
	delete(s.open, id)
	s.mu.Unlock()
	if !open {
		return
	}
	if <-o.done; o.err != nil {
		return
	}
	if err := o.w.close(); err != nil {
		s.log.Warn("a workspace that is gone was not closed well", "bot", string(id), "err", err)
	}
}
