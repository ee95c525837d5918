package git

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

// long is set for the full length of tests that are cut short by default.
var long = os.Getenv("QUIPU_LONG") != ""

// fewer is the number of rounds for n: all of them, but a quarter under the race
// detector, which finds its races in the first ones, unless QUIPU_LONG is set.
func fewer(n int) int {
	if raceFactor > 1 && !long {
		return n / 4
	}
	return n
}

// diskDir is where benchmarks make their homes: a real disk, whatever the tests use.
var diskDir = os.TempDir()

// TestMain runs the tests in memory where that has room: they make thousands of
// repositories, and none of them needs a real disk to tell what is true. With
// QUIPU_DISK set they run in TMPDIR. The same binary is also the program that tests
// start and kill.
func TestMain(m *testing.M) {
	if play, ok := players[os.Getenv("QUIPU_PLAYER")]; ok {
		if err := play(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(inMemory(m.Run))
}

func inMemory(run func() int) int {
	const disk, room = "/dev/shm", 2 << 30
	var fs syscall.Statfs_t
	if os.Getenv("QUIPU_DISK") != "" || syscall.Statfs(disk, &fs) != nil || fs.Bavail*uint64(fs.Bsize) < room {
		return run()
	}
	dir, err := os.MkdirTemp(disk, "quipu-git")
	if err != nil {
		return run()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Setenv("TMPDIR", dir); err != nil {
		return run()
	}
	return run()
}

// players are what the binary does when a test starts it.
var players = map[string]func() error{
	"adder":  playAdder,
	"eraser": playEraser,
	"filler": playFiller,
	"writer": playWriter,
}
