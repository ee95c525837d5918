package model

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

func commandRig(t *testing.T, timeoutMs int, words ...string) *rig {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	return newRig(t, oneModel(repo.ModelConfig{Kind: repo.KindExec, Command: words, KeyEnv: "THE_KEY", TimeoutMs: timeoutMs}))
}

// noFolder fails when a command left something in the temporary folder.
func noFolder(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		t.Errorf("the temporary folder holds %v, %v", left, err)
	}
}

func TestCommandAnswers(t *testing.T) {
	tests := []struct {
		name  string
		words []string
		want  string
	}{
		{"echo", []string{"cat"}, "You file notes.\n\nWhat is <new> & lasting?"},
		{"its folder is empty", []string{"sh", "-c", "ls -A | wc -l | tr -d ' '; touch mine; mkdir -p a/b"}, "0"},
		{"no shell", []string{"printf", "%s\n", "$(touch x); `id` | $HOME > y && *"}, "$(touch x); `id` | $HOME > y && *"},
		{"its environment", []string{"sh", "-c", `echo "$QUIPU_TEST_WORD"`}, "passed on"},
		{"reads nothing", []string{"echo", "fine"}, "fine"},
		{"bytes that are no text", []string{"printf", `a\377b`}, "a\uFFFDb"},
		{"complains and answers", []string{"sh", "-c", "yes | head -c 100000 >&2; echo fine"}, "fine"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := commandRig(t, 0, tt.words...)
			t.Setenv("QUIPU_TEST_WORD", "passed on")
			got, err := r.engine(t).Complete(t.Context(), "organize", testPrompt)
			if err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
			noFolder(t)
		})
	}
}

func TestCommandFails(t *testing.T) {
	tests := []struct {
		name  string
		words []string
		want  string
	}{
		{"says why", []string{"sh", "-c", "echo half; echo 'not signed in' >&2; echo more >&2; exit 1"}, "sh ended with exit status 1: not signed in"},
		{"says nothing", []string{"sh", "-c", "exit 3"}, "sh ended with exit status 3"},
		{"shows the key", []string{"sh", "-c", "echo bad key " + testKey + " >&2; exit 1"}, "sh ended with exit status 1: bad key [key]"},
		{"is killed", []string{"sh", "-c", "kill -9 $$"}, "sh ended with signal: killed"},
		{"is missing", []string{"quipu-no-such-program", "-p"}, "quipu-no-such-program is not installed"},
		{"is missing there", []string{"/no/such/program"}, "/no/such/program is not installed"},
		{"is a folder", []string{"/"}, "/ cannot be started: "},
		{"answers nothing", []string{"true"}, "the model answered nothing"},
		{"10 MB", []string{"sh", "-c", "yes | head -c 10000000"}, "the answer is over 1 MiB"},
		{"never ends", []string{"yes"}, "the answer is over 1 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := commandRig(t, 0, tt.words...)
			_, err := r.engine(t).Complete(t.Context(), "organize", testPrompt)
			if !errors.Is(err, ErrFailed) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want an ErrFailed with %q", err, tt.want)
			}
			noFolder(t)
		})
	}
}

// TestCommandIsKilledWithItsChildren: a program that hangs, and one that ended but
// left a child behind, leave nothing running.
func TestCommandIsKilledWithItsChildren(t *testing.T) {
	tests := []struct {
		name, script string
		timeout      int
		is           error
	}{
		{"hangs", "sleep 300 & echo $! >> $PIDS; echo $$ >> $PIDS; trap '' TERM; wait; sleep 300", 300, ErrTimeout},
		{"hangs in a child's output", "(sleep 300; echo late) & echo $! >> $PIDS; sleep 300", 300, ErrTimeout},
		{"leaves a child that holds its output", "sleep 300 & echo $! >> $PIDS; echo fine", 10_000, nil},
		{"leaves a child without output", "sleep 300 >/dev/null 2>&1 & echo $! >> $PIDS; echo fine", 10_000, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := commandRig(t, tt.timeout, "sh", "-c", tt.script)
			pids := filepath.Join(t.TempDir(), "pids")
			t.Setenv("PIDS", pids)
			start := time.Now()
			got, err := r.engine(t).Complete(t.Context(), "organize", testPrompt)
			if !errors.Is(err, tt.is) || (tt.is == nil && got != "fine") {
				t.Errorf("got %q, %v, want %v", got, err, tt.is)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			text, err := os.ReadFile(pids)
			if err != nil || len(text) == 0 {
				t.Fatalf("no child was started: %v", err)
			}
			for word := range strings.FieldsSeq(string(text)) {
				pid, err := strconv.Atoi(word)
				if err != nil {
					t.Fatal(err)
				}
				if !gone(pid) {
					t.Errorf("process %d runs on", pid)
				}
			}
			noFolder(t)
		})
	}
}

// gone says whether a process ended, waiting a moment for the system to notice. One
// that nobody collects yet counts.
func gone(pid int) bool {
	for range 100 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return true
		}
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err == nil && strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestCommandIsCancelled(t *testing.T) {
	r := commandRig(t, 0, "sleep", "300")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := r.engine(t).Complete(ctx, "organize", testPrompt); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	noFolder(t)
}

// What a program says of its failure shows no key, not that of another model either, and
// it is not given that one.
func TestCommandKeepsKeys(t *testing.T) {
	const other = "zebra-quilt-vantage-0042"
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("OTHER_KEY", other)
	conf := oneModel(repo.ModelConfig{Kind: repo.KindExec, Command: []string{"sh", "-c", `echo "boom $THE_KEY ` + other + ` sk-ant-api03-k3J9dLq0Zx81mNb27vYt5Rw [$OTHER_KEY]" >&2; exit 3`}, KeyEnv: "THE_KEY"})
	conf.Models["second"] = repo.ModelConfig{Kind: repo.KindOpenAI, Model: "m", KeyEnv: "OTHER_KEY"}
	r := newRig(t, conf)
	r.o.Redact = policy.NewRedactor().Redact
	r.env["OTHER_KEY"] = other
	_, err := r.engine(t).Complete(t.Context(), "organize", testPrompt)
	if err == nil || !strings.Contains(err.Error(), "boom") {
		t.Fatalf("got %v", err)
	}
	for _, key := range []string{testKey, other, "sk-ant"} {
		if strings.Contains(err.Error(), key) {
			t.Errorf("%q tells %s", err, key)
		}
	}
	if !strings.Contains(err.Error(), "[]") {
		t.Errorf("%q: the program was given another model's key", err)
	}
}
