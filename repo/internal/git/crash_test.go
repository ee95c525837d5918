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
	"sync"
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

// writerOpen is the line that a writer prints when it is about to write.
const writerOpen = "open"

// playWriter makes random changes until it is killed and prints each that was
// answered: "+" and its line, or "-" and the path of a deleted file.
func playWriter() error {
	h, args := playedHome()
	r, err := Open(context.Background(), h.options())
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	fmt.Println(writerOpen)
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
// help. A life is counted from where the writer begins to write, however busy the
// machine is; in every fourth round from where its process begins, so that kills fall
// into the start too.
func TestKill(t *testing.T) {
	const homes = 8
	kills := fewer(504)
	for i := range homes {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			var answers []string
			life := 100 * time.Millisecond
			for round := range kills / homes {
				writers := 1 + round%2
				cmds := h.writers(fmt.Sprintf("r%d", round), writers)
				if round%4 != 3 {
					cmds.awaitOpen(t)
				}
				time.Sleep(rand.N(rand.N(life) + time.Millisecond))
				answers = append(answers, cmds.killed(t)...)
				if len(answers) == 0 { // a busy machine: no life was long enough yet
					life = min(2*life, 4*time.Second)
				}
				h.checkAnswers(answers, len(answers) > 0 && round%10 == 9)
				if t.Failed() {
					t.Fatalf("after kill %d", round)
				}
			}
			h.checkAnswers(answers, true)
			if len(answers) == 0 {
				t.Error("no change was ever answered")
			}
			t.Logf("%d kills, %d changes answered", kills/homes, len(answers))
		})
	}
}

// writer is a process that writes, and what it has said so far.
type writer struct {
	*exec.Cmd
	said   bytes.Buffer // to be read when the process has ended
	errs   bytes.Buffer
	open   chan struct{}
	opened sync.Once
}

// Write takes what the process prints; its first words say that it is open.
func (w *writer) Write(p []byte) (int, error) {
	w.opened.Do(func() { close(w.open) })
	return w.said.Write(p)
}

type writers []*writer

// writers starts n of them on the home.
func (h *home) writers(name string, n int) writers {
	h.t.Helper()
	var started writers
	for i := range n {
		w := &writer{Cmd: h.player("writer", fmt.Sprintf("%s%c", name, 'a'+i)), open: make(chan struct{})}
		w.Stdout, w.Stderr = w, &w.errs
		if err := w.Start(); err != nil {
			h.t.Fatal(err)
		}
		started = append(started, w)
	}
	return started
}

func (ws writers) awaitOpen(t *testing.T) {
	t.Helper()
	for _, w := range ws {
		select {
		case <-w.open:
		case <-time.After(time.Minute):
			t.Error("a writer was not open within a minute")
		}
	}
}

// killed kills the writers and gives what they answered.
func (ws writers) killed(t *testing.T) []string {
	t.Helper()
	var answers []string
	for _, w := range ws {
		if err := w.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = w.Wait() // it says "killed"
		if w.errs.Len() > 0 {
			t.Errorf("the writer failed: %s", w.errs.String())
		}
		answers = append(answers, answersIn(w.said.String())...)
	}
	return answers
}

// answersIn are the changes that a writer said were answered, each a whole line.
func answersIn(said string) []string {
	var answers []string
	for line := range strings.Lines(said) {
		if strings.HasSuffix(line, "\n") && line != writerOpen+"\n" {
			answers = append(answers, strings.TrimSpace(line))
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
