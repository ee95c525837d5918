package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// player makes a command that runs this binary on the home as another process.
func (h *home) player(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), os.Args[0])
	cmd.Env = append(os.Environ(), "QUIPU_PLAYER="+name, "QUIPU_PLAY_DIR="+h.dir, "QUIPU_PLAY_WORK="+h.work,
		"QUIPU_PLAY_ARGS="+strings.Join(args, " "), "GOMAXPROCS=2")
	return cmd
}

// playedHome is the home that a player was started on.
func playedHome() (*home, []string) {
	h := &home{dir: os.Getenv("QUIPU_PLAY_DIR"), work: os.Getenv("QUIPU_PLAY_WORK"), boot: "boot-1"}
	return h, strings.Fields(os.Getenv("QUIPU_PLAY_ARGS"))
}

// playWriter makes random changes until it is killed and prints each that was
// answered: "+" and its line, or "-" and the path of a deleted file.
func playWriter() error {
	h, args := playedHome()
	r, err := Open(context.Background(), h.options())
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", args[0], i)
		answer, err := randomChange(r, id)
		if errors.Is(err, ErrBusy) {
			continue
		}
		if err != nil {
			return err
		}
		fmt.Println(answer)
		time.Sleep(rand.N(2 * time.Millisecond))
	}
}

func randomChange(r *Repo, id string) (answer string, err error) {
	switch rand.IntN(8) {
	case 0:
		path := "memory/gone-" + id + ".md"
		if err := add(r, path, "- "+id); err != nil {
			return "", err
		}
		return "-" + path, remove(r, path)
	case 1, 2:
		return "+" + id, add(r, fmt.Sprintf("memory/topic-%d.md", rand.IntN(5)), "- "+id)
	case 3, 4:
		return "+" + id, moveOldest(r, id)
	default:
		return "+" + id, add(r, "MEMORY.md", "- "+id)
	}
}

// moveOldest adds a line to MEMORY.md and moves its first one to the archive.
func moveOldest(r *Repo, id string) error {
	return r.Update(context.Background(), func(t *Tx) error {
		if err := addIn(t, "MEMORY.md", "- "+id); err != nil {
			return err
		}
		text, _, err := t.File("MEMORY.md")
		if err != nil {
			return err
		}
		archive, _, err := t.File(archivePath)
		if err != nil {
			return err
		}
		cut := bytes.IndexByte(text, '\n') + 1
		who := Signature{Name: "Ada", Email: "ada@localhost", When: t.Now()}
		_, err = t.Commit(NewCommit{Author: who, Message: "archive: " + id + "\n", Files: []File{
			{Path: "MEMORY.md", Text: text[cut:]},
			{Path: archivePath, Text: append(bytes.Clone(archive), text[:cut]...)},
		}})
		return err
	})
}

// TestKill kills writers at random moments, 500 times: what was answered is in the
// history and in a file, nothing stands in two files, and the next start needs no
// help.
func TestKill(t *testing.T) {
	const homes, life = 8, 200 * time.Millisecond
	kills := fewer(504)
	var all atomic.Int64 // one home alone may find no time on a busy machine
	t.Cleanup(func() {
		if all.Load() == 0 {
			t.Error("no change was ever answered")
		}
	})
	for i := range homes {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			answered := 0
			var answers []string
			for round := range kills / homes {
				writers := 1 + round%2
				got := h.killed(fmt.Sprintf("r%d", round), writers, time.Millisecond+rand.N(time.Millisecond+rand.N(life)))
				answered += len(got)
				answers = append(answers, got...)
				h.checkAnswers(answers, round%10 == 9)
				if t.Failed() {
					t.Fatalf("after kill %d", round)
				}
			}
			h.checkAnswers(answers, true)
			all.Add(int64(answered))
			t.Logf("%d kills, %d changes answered", kills/homes, answered)
		})
	}
}

// killed runs writers and kills them after a while; it gives what they answered.
func (h *home) killed(name string, writers int, life time.Duration) []string {
	h.t.Helper()
	var cmds []*exec.Cmd
	outs := make([]bytes.Buffer, writers)
	errs := make([]bytes.Buffer, writers)
	for i := range writers {
		cmd := h.player("writer", fmt.Sprintf("%s%c", name, 'a'+i))
		cmd.Stdout, cmd.Stderr = &outs[i], &errs[i]
		if err := cmd.Start(); err != nil {
			h.t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	time.Sleep(20*time.Millisecond + life) // the first is what a process needs to start
	var answers []string
	for i, cmd := range cmds {
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
			h.t.Fatal(err)
		}
		_ = cmd.Wait() // it says "killed"
		if errs[i].Len() > 0 {
			h.t.Errorf("the writer failed: %s", errs[i].String())
		}
		for line := range strings.Lines(outs[i].String()) {
			if strings.HasSuffix(line, "\n") {
				answers = append(answers, strings.TrimSpace(line))
			}
		}
	}
	return answers
}

// checkAnswers opens the home as the next process does and looks for each answer.
func (h *home) checkAnswers(answers []string, thorough bool) {
	h.t.Helper()
	r := h.open()
	defer func() { _ = r.Close() }()
	if thorough {
		h.sound()
	} else if out := h.git("status", "--porcelain"); out != "" {
		h.t.Errorf("git status after a restart:\n%s", out)
	}
	logged := map[string]bool{}
	for line := range strings.Lines(h.git("log", "--format=%s", "--all")) {
		logged[strings.TrimPrefix(strings.TrimSpace(line), "add: - ")] = true
	}
	stands := map[string]int{}
	files, err := filepath.Glob(h.path("memory/*.md"))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range append(files, h.path("MEMORY.md")) {
		b, err := os.ReadFile(f)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			h.t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			stands[strings.TrimPrefix(strings.TrimSpace(line), "- ")]++
		}
	}
	for _, a := range answers {
		path, gone := strings.CutPrefix(a, "-")
		id := strings.TrimPrefix(a, "+")
		switch {
		case gone:
			if _, err := os.Stat(h.path(path)); err == nil || !logged["delete "+path] {
				h.t.Errorf("%s was deleted, but is there or not in the log", path)
			}
		case !logged[id] || stands[id] != 1:
			h.t.Errorf("change %s was answered; in the log: %v, in files: %d times", id, logged[id], stands[id])
		}
	}
}
