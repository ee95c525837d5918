package main

import (
	"os"
	"path/filepath"
	"testing"

	"quipu/repo"
)

func TestDecodePerson(t *testing.T) {
	tests := map[string]string{
		"":             "",
		"ada":          "ada",
		"ada2":         "ada2",
		"_41da":        "Ada",
		"zo_c3_ab":     "zoë",
		"_5f41":        "_41",
		"a_2db":        "a-b",
		"Ada":          "Ada", // as a person types it
		"ada_":         "ada_",
		"ada_4":        "ada_4",
		"_zz":          "_zz",
		"p_40x_2ecom":  "p@x.com",
		"with a space": "with a space",
	}
	for spelled, want := range tests {
		if got := decodePerson(spelled); got != want {
			t.Errorf("%q is %q, want %q", spelled, got, want)
		}
	}
}

func TestWorkspaceOf(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(base, "workspaces", "deep", "home") // a home may lie in a folder of that name
	for _, dir := range []string{
		"workspaces/scout/memory/log", "history/scout.git", "workspaces/@me", "history/@me.git",
		"workspaces/clone/.git", "workspaces/stray/memory", "workspaces/scout--member-_41da", "history/scout--member-_41da.git",
	} {
		if err := os.MkdirAll(filepath.Join(home, filepath.FromSlash(dir)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(filepath.Join(home, "workspaces", "scout"), link); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		dir  string
		want repo.ID
	}{
		"a workspace":        {filepath.Join(home, "workspaces", "scout"), "scout"},
		"deep in one":        {filepath.Join(home, "workspaces", "scout", "memory", "log"), "scout"},
		"through a link":     {link, "scout"},
		"About me":           {filepath.Join(home, "workspaces", "@me"), "@me"},
		"a member's layer":   {filepath.Join(home, "workspaces", "scout--member-_41da"), "scout--member-_41da"},
		"an ordinary clone":  {filepath.Join(home, "workspaces", "clone"), "clone"},
		"without a history":  {filepath.Join(home, "workspaces", "stray", "memory"), ""},
		"beside them":        {filepath.Join(home, "workspaces"), ""},
		"the history":        {filepath.Join(home, "history", "scout.git"), ""},
		"elsewhere":          {base, ""},
		"a folder that left": {filepath.Join(home, "workspaces", "gone"), ""},
		"none":               {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			gotHome, got := workspaceOf(tt.dir)
			if got != tt.want || (got != "") != (gotHome == home) {
				t.Errorf("workspace %q of home %q, want %q", got, gotHome, tt.want)
			}
		})
	}
}

func TestWorkspaceOfGit(t *testing.T) {
	tests := map[string]struct {
		home string
		id   repo.ID
	}{
		"/h/history/scout.git":             {"/h", "scout"},
		"/h/history/@me.git":               {"/h", "@me"},
		"/h/history/scout.git/":            {"/h", "scout"},
		"/h/elsewhere/x.git":               {"", ""},
		"/h/history/scout.git/worktrees/x": {"/h", "scout"},
		"/h/history/.git":                  {"", ""},
		".git":                             {"", ""},
		"":                                 {"", ""},
	}
	for dir, want := range tests {
		if home, id := workspaceOfGit(dir); home != want.home || id != want.id {
			t.Errorf("%q is %q of %q, want %q of %q", dir, id, home, want.id, want.home)
		}
	}
}

// TestHookNeverStopsACommitByItself holds that what is no credential is a line and no more.
func TestHookNeverStopsACommitByItself(t *testing.T) {
	tests := map[string][]string{
		"no workspace":          {"hook", "pre-commit"},
		"no message":            {"hook", "prepare-commit-msg"},
		"a message that is not": {"hook", "prepare-commit-msg", "nowhere", "commit", "HEAD"},
		"no such hook":          {"hook", "post-commit"},
		"no name":               {"hook"},
	}
	for name, line := range tests {
		t.Run(name, func(t *testing.T) {
			exit, out, words := newHarness(t).run(t, line...)
			if exit != exitOK || out != "" || words == "" {
				t.Errorf("exit %d, output %q, words %q; want 0 and one line of words", exit, out, words)
			}
		})
	}
}
