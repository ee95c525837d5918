package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUsageMistakes(t *testing.T) {
	tests := map[string]struct {
		line  []string
		words string // what standard error begins with
	}{
		"unknown verb":           {[]string{"und"}, `quipu: unknown command "und", did you mean "undo"?`},
		"unknown flag":           {[]string{"log", "--colour"}, "quipu: provided but not defined: -colour"},
		"flag without its value": {[]string{"log", "--since"}, "quipu: --since needs a value"},
		"no number":              {[]string{"log", "-n", "many"}, `quipu: invalid value "many" for flag -n`},
		"no such colour":         {[]string{"log", "--color", "pink"}, `quipu: "pink" is no way to colour`},
		"argument missing":       {[]string{"remember"}, "quipu: remember needs TEXT"},
		"two missing":            {[]string{"replace"}, "quipu: replace needs OLD and NEW"},
		"one of two missing":     {[]string{"replace", "tea"}, "quipu: replace needs NEW"},
		"words not in quotes":    {[]string{"remember", "I", "like", "tea"}, `quipu: remember has an argument too many: "like"`},
		"words after no words":   {[]string{"status", "scout"}, `quipu: status has an argument too many: "scout"`},
		"no time":                {[]string{"restore", "MEMORY.md"}, "quipu: restore needs --at TIME or CHANGE"},
		"half a verb":            {[]string{"token"}, "quipu: token needs one of [show rotate create list revoke]"},
		"no such shell":          {[]string{"completion", "tcsh"}, `quipu: no completion for "tcsh"`},
		"no such mode":           {[]string{"undo", "--mode", "hard"}, `quipu: "hard" is no way to undo`},
		"no rows":                {[]string{"log", "-n", "0"}, "quipu: -n 0 is no number of rows"},
		"no editor":              {[]string{"edit"}, "quipu: there is no editor to open"},
		"no bot's id":            {[]string{"init", "a/b"}, "quipu: no bot can be called a/b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			exit, out, words := h.run(t, tt.line...)
			if exit != exitUsage {
				t.Errorf("exit %d, want %d", exit, exitUsage)
			}
			if !strings.HasPrefix(words, tt.words) {
				t.Errorf("standard error %q, want it to begin with %q", words, tt.words)
			}
			if n := strings.Count(words, "\n"); n != 2 {
				t.Errorf("%d lines on standard error, want a sentence and a hint:\n%s", n, words)
			}
			if out != "" {
				t.Errorf("standard output %q, want nothing", out)
			}
		})
		t.Run(name+" as JSON", func(t *testing.T) {
			h := newHarness(t)
			exit, _, words := h.run(t, append([]string{"--json"}, tt.line...)...)
			var got struct {
				Error struct{ Code, Message, Hint string }
			}
			if err := json.Unmarshal([]byte(words), &got); err != nil {
				t.Fatalf("standard error is no JSON: %v\n%s", err, words)
			}
			if exit != exitUsage || got.Error.Message == "" || (got.Error.Code != "usage" && got.Error.Code != "invalid") {
				t.Errorf("exit %d, %+v; want %d, a message and the code usage or invalid", exit, got.Error, exitUsage)
			}
		})
	}
}

func TestWithoutAHome(t *testing.T) {
	tests := map[string]struct {
		line []string
		want string
	}{
		"version":          {[]string{"version"}, "quipu "},
		"flag version":     {[]string{"--version"}, "quipu version "},
		"version as JSON":  {[]string{"version", "--json"}, `{"version":`},
		"help":             {nil, "NAME:\n   quipu - what a bot remembers"},
		"help of a verb":   {[]string{"help", "undo"}, "NAME:\n   quipu undo - "},
		"verb's help flag": {[]string{"undo", "01X", "--help"}, "NAME:\n   quipu undo - "},
		"manual":           {[]string{"man"}, ".nh\n.TH quipu 1"},
		"bash":             {[]string{"completion", "bash"}, "# Completes quipu's words in bash"},
		"zsh":              {[]string{"completion", "zsh"}, "#compdef quipu"},
		"fish":             {[]string{"completion", "fish"}, "# quipu fish shell completion"},
		"powershell":       {[]string{"completion", "powershell"}, "# Completes quipu's words in PowerShell"},
		"verbs complete":   {[]string{"--json", completing}, "--json\n"},
		"first verb":       {[]string{completing}, "init:make a bot's memory\n"},
		"verbs of a verb":  {[]string{"token", completing}, "show:"},
		"flags complete":   {[]string{"log", "--si", completing}, "--since\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			exit, out, words := h.run(t, tt.line...)
			if exit != exitOK || !strings.HasPrefix(out, tt.want) {
				t.Errorf("exit %d, output %.200q, words %q; want output that begins with %q", exit, out, words, tt.want)
			}
			left, err := os.ReadDir(h.vars["QUIPU_HOME"])
			if err != nil || len(left) > 0 {
				t.Errorf("the home holds %v (%v), want nothing", left, err)
			}
		})
	}
}

// TestHelpNamesEveryVerb holds that a verb without words of help does not exist.
func TestHelpNamesEveryVerb(t *testing.T) {
	for name, c := range leaves(testApp().Commands) {
		if c.Usage == "" {
			t.Errorf("%s has no help", name)
		}
		for _, f := range c.Flags {
			if d, ok := f.(interface{ GetUsage() string }); !ok || d.GetUsage() == "" {
				t.Errorf("%s %s has no help", name, f.Names()[0])
			}
		}
	}
}

// TestDryRunEverywhere holds that whatever writes can be tried first.
func TestDryRunEverywhere(t *testing.T) {
	reads := []string{
		"bots", "show", "ls", "status", "stats", "blame", "log", "diff", "show-change", "verify", "scan", "load", "hook", "serve", "token show", "token list", "session list",
		"config get", "config validate", "openapi", "completion", "man", "version", "help",
		"evidence log", "directive list", "gate", "rules try", "rules", "recall", "search", "brief", "bench recall", "upkeep usage", "remote show", "remote test", "open", "mcp", "skill", "image recall", "image list", // they read
		"turn start", "turn end", // what a harness tells cannot be tried
	}
	verbs := leaves(testApp().Commands)
	for _, name := range reads {
		delete(verbs, name)
	}
	for name, c := range verbs {
		if !hasFlag(c.Flags, "dry-run") {
			t.Errorf("%s has no --dry-run", name)
		}
	}
}

func TestConfigValidate(t *testing.T) {
	tests := map[string]struct {
		text  string
		exit  int
		wants string
	}{
		"none":         {"", exitOK, ""},
		"good":         {`{"memory":{"tidyHour":4}}`, exitOK, ""},
		"wrong type":   {`{"memory":{"tidyHour":"four"}}`, exitFound, "memory.tidyHour"},
		"unknown zone": {`{"timezone":"Mars/Olympus"}`, exitFound, "timezone"},
		"unknown key":  {`{"colour":"blue"}`, exitFound, "colour"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			if tt.text != "" {
				if err := os.WriteFile(filepath.Join(h.vars["QUIPU_HOME"], "config.json"), []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			exit, out, words := h.run(t, "config", "validate")
			if exit != tt.exit || !strings.Contains(out, tt.wants) {
				t.Errorf("exit %d, output %q, words %q; want exit %d and %q", exit, out, words, tt.exit, tt.wants)
			}
		})
	}
}

func TestPage(t *testing.T) {
	tests := map[string]struct {
		pager string
		page  bool
		want  string
	}{
		"in a pipe":                {"sed s/tea/coffee/", false, "tea\n"},
		"through the pager":        {"sed s/tea/coffee/", true, "coffee\n"},
		"a pager that is not here": {"no-such-pager-anywhere", true, "tea\n"},
		"cat is no pager":          {"cat", true, "tea\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHarness(nil)
			h.vars["PAGER"], h.env.pager = tt.pager, tt.page
			h.env.Err = &strings.Builder{} // the shell's own word about a missing pager
			if err := h.env.page(t.Context(), "tea\n"); err != nil {
				t.Fatal(err)
			}
			if got := h.out.String(); got != tt.want {
				t.Errorf("printed %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("a person who leaves early", func(t *testing.T) {
		h := newHarness(nil)
		h.vars["PAGER"], h.env.pager = "true", true
		if err := h.env.page(t.Context(), strings.Repeat("tea\n", 1<<18)); err != nil {
			t.Errorf("error %v, want none", err)
		}
	})
}

// TestBashCompletionEvaluatesNothing holds that what stands on the line is not run.
func TestBashCompletionEvaluatesNothing(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	dir := t.TempDir()
	stub := "#!/bin/sh\nprintf 'show:print a file\\nserve\\nMEMORY.md\\n'\n"
	if err := os.WriteFile(filepath.Join(dir, "quipu"), []byte(stub), 0o700); err != nil {
		t.Fatal(err)
	}
	script := bashScript + `
COMP_WORDS=("$0/quipu" '$(touch "$0/ran")' s); COMP_CWORD=2; _quipu_complete; echo "${COMPREPLY[@]}"`
	out, err := exec.CommandContext(t.Context(), bash, "-c", script, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(string(out)); got != "show serve" {
		t.Errorf("completed to %q, want show serve", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("the line was evaluated")
	}
}
