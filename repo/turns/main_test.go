package turns

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// asWriter names the file that this process writes to, when it is the other process of a test.
const asWriter = "QUIPU_TEST_TURNS"

// TestMain keeps property tests, each of whose steps syncs a disk, to a number that
// does not make a person wait; -rapid.checks on the command line wins.
func TestMain(m *testing.M) {
	if path := os.Getenv(asWriter); path != "" {
		if err := writeOn(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", "6"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// writeOn begins and ends turns of the bot "writer" until it is killed, or has ended 60,
// and says each one that was acknowledged.
func writeOn(path string) error {
	s, err := Open(path, nil)
	if err != nil {
		return err
	}
	for i := range 60 {
		id := fmt.Sprint("W", i)
		when := at(i)
		if _, err := s.Begin(context.Background(), Turn{ID: id, Bot: "writer", Conversation: chat("w"), Message: "ask", Started: when}); err != nil {
			return err
		}
		fmt.Println("begun", id)
		if err := s.End(context.Background(), "writer", id, Ending{At: when, Messages: []Message{self("wrote " + id)}}); err != nil {
			return err
		}
		fmt.Println("ended", id)
	}
	return s.Close()
}

// startWriter starts the other process and gives the lines that it says.
func startWriter(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asWriter+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

func TestKillKeepsTurns(t *testing.T) {
	for _, after := range []int{1, 2, 7, 24, 25} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			k := newKit(t)
			if err := k.Close(); err != nil { // so that the killed process alone has it open
				t.Fatal(err)
			}
			cmd, lines := startWriter(t, k.path)
			said := map[string]string{}
			note := func() {
				what, id, _ := strings.Cut(lines.Text(), " ")
				said[id] = what
			}
			for range after {
				if !lines.Scan() {
					t.Fatal("the writer ended by itself")
				}
				note()
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() {
				note()
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) {
				t.Fatalf("wait: %v, want the exit of a killed process", err)
			}
			s := opened(t, k.path)
			for id, what := range said {
				got, err := s.Get(t.Context(), "writer", id)
				if err != nil {
					t.Fatalf("%s was %s: %v", id, what, err)
				}
				if what == "ended" && (got.Open() || got.Messages[len(got.Messages)-1].Text != "wrote "+id) {
					t.Errorf("%s was ended and is %+v", id, got)
				}
			}
			checkFile(t, s)
			if _, err := s.Lapse(t.Context(), "writer", at(60).Add(lapseAfter)); err != nil {
				t.Fatal(err)
			}
			hits, err := s.Search(t.Context(), Query{Bot: "writer", Words: "ask", Scope: Scope{Everything: true}, Limit: 100})
			if err != nil || len(hits) < len(said) {
				t.Errorf("%d hits for %d turns, %v", len(hits), len(said), err)
			}
		})
	}
}

// Two processes write while a third handle searches and deletes: every acknowledged
// turn is there, and nobody is told that the file is busy.
func TestTwoProcesses(t *testing.T) {
	k := newKit(t)
	other := opened(t, k.path)
	cmd, lines := startWriter(t, k.path)
	done := make(chan error, 1)
	go func() {
		for lines.Scan() { // so that the writer does not wait for a reader
			continue
		}
		done <- cmd.Wait()
	}()
	for i := range 40 {
		k.say(chat("mine"), at(i), "q", fmt.Sprint("mine ", i))
		k.say(chat("short"), at(i), "q", "lived")
		if _, err := other.Search(t.Context(), Query{Bot: "writer", Words: "wrote", Scope: Scope{Everything: true}}); err != nil {
			t.Fatal(err)
		}
		if n, err := other.DeleteConversation(t.Context(), "scout", "short"); n != 1 || err != nil {
			t.Fatalf("deleted %d, %v", n, err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for bot, want := range map[string]int{"writer": 60, "scout": 40} {
		r := &kit{TB: t, Store: other}
		if seen, _ := r.follow(bot, &Mark{}); len(seen) != want {
			t.Errorf("%s has %d turns, want %d", bot, len(seen), want)
		}
	}
	checkFile(t, k.Store)
}

// Many open a file that is not there yet at the same moment.
func TestOpenTogether(t *testing.T) {
	path := t.TempDir() + "/home/turns.db"
	const n = 8
	got := make(chan error, n)
	for i := range n {
		go func() {
			s, err := Open(path, nil)
			if err == nil {
				_, err = s.Begin(t.Context(), Turn{ID: fmt.Sprint("T", i), Bot: "scout", Conversation: chat(fmt.Sprint(i)), Started: noon})
				err = errors.Join(err, s.Close())
			}
			got <- err
		}()
	}
	for range n {
		if err := <-got; err != nil {
			t.Error(err)
		}
	}
	open, err := opened(t, path).OpenTurns(t.Context(), "scout", at(1))
	if err != nil || len(open) != n {
		t.Errorf("%d open turns, %v; want %d", len(open), err, n)
	}
}

// One handle is used by many at once; the race detector looks on.
func TestManyAtOnce(t *testing.T) {
	k := newKit(t)
	const workers, each = 6, 8
	got := make(chan error, workers)
	for w := range workers {
		go func() {
			var err error
			for i := range each {
				id := fmt.Sprintf("T%d-%d", w, i)
				_, err1 := k.Begin(t.Context(), Turn{ID: id, Bot: "scout", Conversation: chat(fmt.Sprint("c", w)), Message: "ask", Started: at(i)})
				err2 := k.End(t.Context(), "scout", id, Ending{At: at(i), Messages: []Message{self("told " + id)}})
				_, err3 := k.Search(t.Context(), Query{Bot: "scout", Words: "told", Scope: Scope{Everything: true}})
				_, err4 := k.Newest(t.Context(), "scout", at(0), "c0")
				err = errors.Join(err, err1, err2, err3, err4)
			}
			got <- err
		}()
	}
	for range workers {
		if err := <-got; err != nil {
			t.Error(err)
		}
	}
	if seen, _ := k.follow("scout", &Mark{}); len(seen) != workers*each {
		t.Errorf("%d turns, want %d", len(seen), workers*each)
	}
}
