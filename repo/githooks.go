package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// hookMark is in every hook that quipu installed, so that it is known again.
const hookMark = "# installed by quipu"

// A hook calls quipu by its path and says nothing when that is gone.
const hookText = `#!/bin/sh
` + hookMark + `: checks a commit of the notes; delete this file to go without
quipu=%s
[ -x "$quipu" ] || exit 0
exec "$quipu" hook %s "$@"
`

// gitHooks are the hooks of a person's own `git commit`: the first refuses a
// credential, the second adds the trailers.
var gitHooks = [...]string{"pre-commit", "prepare-commit-msg"}

// installHooks puts quipu's hooks into a git directory of its own, outside the
// workspace. A hook that somebody else wrote is left alone.
func (w *Workspace) installHooks() error {
	program := w.store.program
	if program == "" || !w.own {
		return nil
	}
	root, err := os.OpenRoot(w.git.Dir())
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // a folder that was read
	if err := root.MkdirAll("hooks", 0o700); err != nil {
		return err
	}
	var errs []error
	for _, name := range gitHooks {
		errs = append(errs, installHook(root, filepath.Join("hooks", name), fmt.Sprintf(hookText, shellQuote(program), name)))
	}
	return errors.Join(errs...)
}

func installHook(root *os.Root, path, text string) error {
	old, err := root.ReadFile(path)
	switch {
	case err == nil && (string(old) == text || !bytes.Contains(old, []byte(hookMark))):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := root.WriteFile(path+".new", []byte(text), 0o700); err != nil {
		return err
	}
	return root.Rename(path+".new", path)
}

// Unguarded says why a person's own commits are not checked for credentials; "" when
// they are.
func (w *Workspace) Unguarded() string {
	if strings.Contains(w.ownFile("config"), "hooksPath") || strings.Contains(w.ownFile("config"), "hookspath") {
		return "core.hooksPath is set for this repository, so quipu's hooks are not run"
	}
	if !strings.Contains(w.ownFile("hooks/pre-commit"), hookMark) {
		return "no pre-commit hook of quipu is installed in " + w.git.Dir()
	}
	return ""
}

// SignMessage adds the trailers to the message of a person's own commit, in the file
// that git hands to prepare-commit-msg. A message that has a Memory-Change keeps it.
func (w *Workspace) SignMessage(_ context.Context, file string) error {
	if !filepath.IsAbs(file) {
		file = filepath.Join(w.dir, file)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := string(b)
	if strings.Contains(text, "\n"+keyChange+": ") {
		return nil
	}
	id, err := w.store.change(w.now())
	if err != nil {
		return err
	}
	body, comments := splitComments(text)
	trailers := fmt.Sprintf("%s: %s\n%s: %s\n%s: %s\n%s: %s\n",
		keyAuthor, oneLine(w.committing().String()), keyAction, ActEdit, keyVia, ViaDisk, keyChange, id)
	return os.WriteFile(file, []byte(joinTrailers(body, trailers)+comments), 0o600)
}

// committing is who makes the commit whose hook calls: git tells its hooks.
func (w *Workspace) committing() Author {
	if name := os.Getenv("GIT_AUTHOR_NAME"); name != "" {
		return Author{Kind: Person, Name: name}
	}
	return w.person()
}

// splitComments parts a message from what git will strip: the comment lines at its
// end and everything below the scissors.
func splitComments(text string) (body, comments string) {
	if i := strings.Index(text, "# ------------------------ >8"); i >= 0 {
		body, comments = text[:i], text[i:]
	} else {
		body = text
	}
	lines := strings.SplitAfter(body, "\n")
	n := len(lines)
	for n > 0 && (strings.HasPrefix(lines[n-1], "#") || strings.TrimSpace(lines[n-1]) == "") {
		n--
	}
	return strings.Join(lines[:n], ""), strings.Join(lines[n:], "") + comments
}

// joinTrailers makes the trailers the last paragraph of a message, or part of it
// when that is one of trailers already.
func joinTrailers(body, trailers string) string {
	body = strings.TrimRight(body, "\n")
	if body == "" {
		return "\n\n" + trailers // the person writes the subject above
	}
	if last := body[strings.LastIndex(body, "\n\n")+1:]; strings.Contains(body, "\n\n") && isTrailers(last) {
		return body + "\n" + trailers
	}
	return body + "\n\n" + trailers
}

func isTrailers(paragraph string) bool {
	for line := range strings.SplitSeq(strings.TrimSpace(paragraph), "\n") {
		key, _, ok := strings.Cut(line, ": ")
		if !ok || key == "" || strings.ContainsAny(key, " \t") {
			return false
		}
	}
	return true
}
