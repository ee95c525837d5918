package browser

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

// clock is the machine's, so that cookies hold, moved on by a second at each reading, and by
// more when it is told.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.on(time.Second)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) on(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// house is a home with a bot, scout, and a server that answers for it on this machine.
type house struct {
	t     *testing.T
	store *repo.Store
	scout *repo.Workspace
	clock *clock
	log   *lockedBuffer
	url   string
	token string // scout's own
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newHouse(t *testing.T) *house {
	t.Helper()
	browse(t)
	h := &house{t: t, clock: &clock{at: time.Now().UTC()}, log: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(h.log, nil))
	var err error
	h.store, err = repo.OpenHome(filepath.Join(t.TempDir(), "home"), repo.Options{Now: h.clock.now, Log: log})
	must(t, err)
	t.Cleanup(func() { must(t, h.store.Close()) })
	must(t, h.store.EditConfig(repo.Setting{Path: []string{"timezone"}, Value: "UTC"}, repo.Setting{Path: []string{"person", "name"}, Value: "Ada"}))
	_, _, err = h.store.Create(t.Context(), "scout", "")
	must(t, err)
	h.scout, err = h.store.Open(t.Context(), "scout")
	must(t, err)
	h.token, _, err = h.store.CreateToken(repo.RoleBot, "scout", "")
	must(t, err)
	h.serve(server.New(h.store, server.Options{Now: h.clock.now, Log: log}))
	return h
}

func (h *house) serve(s *server.Server) {
	h.t.Helper()
	ln, err := new(net.ListenConfig).Listen(h.t.Context(), "tcp", "127.0.0.1:0")
	must(h.t, err)
	h.url = "http://" + ln.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	h.t.Cleanup(func() {
		stop()
		must(h.t, <-ended)
	})
}

func (h *house) today() string { return h.scout.Today() }

func byBot(source string) repo.Meta {
	return repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn, Source: source}
}

// teach has the bot note something, and gives the change.
func (h *house) teach(u policy.Update, source string) repo.Receipt {
	h.t.Helper()
	if u.Action == "" {
		u.Action = policy.Append
	}
	u.TextSet, u.Source = true, source
	r, err := h.scout.Update(h.t.Context(), byBot(source), u)
	must(h.t, err)
	return r
}

// write has the bot write a whole file.
func (h *house) write(path, text string) repo.Receipt {
	h.t.Helper()
	r, err := h.scout.Save(h.t.Context(), byBot(""), path, text, repo.Expect{Any: true})
	must(h.t, err)
	return r
}

func (h *house) read(path string) string {
	h.t.Helper()
	t, err := h.scout.Read(h.t.Context(), path)
	must(h.t, err)
	return t.Text
}

// outside writes a file as an editor on the person's machine does.
func (h *house) outside(path, text string) {
	h.t.Helper()
	at := filepath.Join(h.scout.Dir(), filepath.FromSlash(path))
	must(h.t, os.MkdirAll(filepath.Dir(at), 0o700))
	must(h.t, os.WriteFile(at, []byte(text), 0o600))
}

// update has the bot write over the API, as a harness does while a person has the panel open.
func (h *house) update(body string) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.url+"/api/bots/scout/memory/update", strings.NewReader(body))
	must(h.t, err)
	r.Header.Set("Authorization", "Bearer "+h.token)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	must(h.t, err)
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(res.Body)
		h.t.Fatalf("update: %s %s", res.Status, said)
	}
}

// line is the line of MEMORY.md that holds a text.
func (h *house) line(text string) int {
	h.t.Helper()
	notes := h.read(policy.MemoryFile)
	for i, line := range strings.Split(notes, "\n") {
		if strings.Contains(line, text) {
			return i + 1
		}
	}
	h.t.Fatalf("no line of MEMORY.md holds %q:\n%s", text, notes)
	return 0
}

func (h *house) entry(text string) string {
	return fmt.Sprintf("/bots/scout/entry?path=%s&line=%d", policy.MemoryFile, h.line(text))
}
