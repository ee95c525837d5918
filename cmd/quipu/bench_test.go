package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkCommand measures whole command lines, from the start of the process to
// its end, on the workspace of testdata/vault: what a person waits for.
func BenchmarkCommand(b *testing.B) {
	dir := b.TempDir()
	program := filepath.Join(dir, "quipu")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	vault, err := filepath.Abs("../../testdata/vault")
	if err != nil {
		b.Fatal(err)
	}
	quipu := func(b *testing.B, args ...string) {
		b.Helper()
		cmd := exec.CommandContext(b.Context(), program, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "QUIPU_HOME="+filepath.Join(dir, "home"), "QUIPU_BOT=scout")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("quipu %v: %v\n%s", args, err, out)
		}
	}
	quipu(b, "init", "scout")
	quipu(b, "import", "folder", vault)
	for _, args := range [][]string{{"version"}, {"show"}, {"load"}, {"ls"}, {"log"}, {"blame"}, {"status"}} {
		b.Run(args[0], func(b *testing.B) {
			for b.Loop() {
				quipu(b, args...)
			}
		})
	}
	// What a person's own commit pays, twice.
	b.Run("hook", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.CommandContext(b.Context(), program, "hook", "pre-commit")
			cmd.Dir = filepath.Join(dir, "home", "workspaces", "scout")
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				b.Fatalf("hook: %v\n%s", err, out)
			}
		}
	})
	b.Run("remember", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n++
			quipu(b, "remember", fmt.Sprintf("note %d of %d is worth keeping", n, os.Getpid()), "--topic", "bench")
		}
	})
	b.Run("undo", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			quipu(b, "remember", "a note to take back")
			b.StartTimer()
			quipu(b, "undo")
		}
	})
}
