package repo

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
	"quipu/repo/exchange"
)

// cred is a text that holds a credential.
const cred = "the token is ghp_0123456789abcdefghijABCDEFGHIJ456789"

func TestOutgoing(t *testing.T) {
	l := newLab(t)
	first := l.append("likes tea")
	then := l.update(policy.Update{Action: policy.Replace, OldText: "likes tea", Text: "likes green tea"})
	l.save("memory/food.md", "rye bread\n")
	l.put("memory/key.md", cred+"\n")
	l.git("add", "-f", "memory/key.md")
	l.git("commit", "--no-verify", "-qm", "key")

	sp, err := l.w.Outgoing(l.ctx(), true)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, n := range sp.Notes {
		paths = append(paths, n.Path)
		if bytes.Contains(n.Text, []byte("ghp_")) {
			t.Errorf("%s goes out with its credential", n.Path)
		}
	}
	if diff := cmp.Diff([]string{"MEMORY.md", "memory/food.md", "memory/key.md"}, paths); diff != "" {
		t.Error(diff)
	}
	var got exchange.OutOrigin
	for _, o := range sp.Notes[0].Taught {
		if o.Change == string(then.Change) {
			got = o
		}
	}
	if got.First != string(first.Change) || !strings.Contains(got.Words, "likes tea") || got.Actor != "bot" {
		t.Errorf("the note comes from %+v", got)
	}
	if sp.Notes[1].Changed.IsZero() || sp.At.IsZero() {
		t.Error("the times of the changes are not told")
	}
}

func TestBundle(t *testing.T) {
	t.Run("what it holds", func(t *testing.T) {
		l := newLab(t)
		l.append("likes tea")
		l.append("hates " + "figs")
		l.eraseWords("figs")
		l.git("update-ref", "refs/remotes/elsewhere/main", "HEAD")
		file := filepath.Join(t.TempDir(), "b")
		var b bytes.Buffer
		got, err := l.w.Bundle(l.ctx(), &b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(l.git("rev-parse", "HEAD"), got.Commit); diff != "" {
			t.Error(diff)
		}
		if !strings.Contains(strings.Join(got.Left, " "), "refs/remotes/elsewhere/main") {
			t.Errorf("what stays here is not told: %v", got.Left)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		clone := filepath.Join(t.TempDir(), "clone")
		if out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", file, clone).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := exec.CommandContext(t.Context(), "git", "-C", clone, "log", "--all", "-p").Output()
		if err != nil || bytes.Contains(out, []byte("figs")) || !bytes.Contains(out, []byte("likes tea")) {
			t.Errorf("the clone's history is (%v)\n%s", err, out)
		}
	})
	t.Run("a credential in a message", func(t *testing.T) {
		l := newLab(t)
		l.git("commit", "--no-verify", "--allow-empty", "-qm", cred)
		_, err := l.w.Bundle(l.ctx(), io.Discard, nil)
		l.refuses(err, ErrRefused)
	})
	t.Run("without git", func(t *testing.T) {
		l := newLab(t)
		t.Setenv("PATH", t.TempDir())
		_, err := l.w.Bundle(l.ctx(), io.Discard, nil)
		if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "not installed") {
			t.Errorf("got %v", err)
		}
	})
}
