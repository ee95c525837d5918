package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

// desk is a home with two bots, and a client that has the memory of scout.
type desk struct {
	t      *testing.T
	store  *repo.Store
	scout  *repo.Workspace
	client *mcp.ClientSession
	told   chan string // the resources that changed
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, told: make(chan string, 100)}
	at, mu := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC), sync.Mutex{}
	now := func() time.Time { mu.Lock(); defer mu.Unlock(); at = at.Add(time.Second); return at }
	log := slog.New(slog.DiscardHandler)
	var err error
	d.store, err = repo.OpenHome(filepath.Join(t.TempDir(), "home"), repo.Options{Now: now, Log: log})
	must(t, err)
	t.Cleanup(func() { must(t, d.store.Close()) })
	must(t, d.store.EditConfig(repo.Setting{Path: []string{"timezone"}, Value: "UTC"}))
	for _, id := range []repo.ID{"scout", "other"} {
		_, _, err = d.store.Create(t.Context(), id, "")
		must(t, err)
	}
	d.scout, err = d.store.Open(t.Context(), "scout")
	must(t, err)
	m, err := New(t.Context(), d.store, "scout", Options{
		Now: now, Log: log, Version: "test", Schemas: NewSchemas(), Sentence: func(err error) string { return err.Error() },
	})
	must(t, err)
	here, there := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx, here) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { d.told <- r.Params.URI },
	})
	d.client, err = c.Connect(t.Context(), there, nil)
	must(t, err)
	t.Cleanup(func() {
		_ = d.client.Close()
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return d
}

// call runs a tool, and gives its text and whether it is an error.
func (d *desk) call(name string, args map[string]any) (string, bool) {
	d.t.Helper()
	r, err := d.client.CallTool(d.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	must(d.t, err)
	var text strings.Builder
	for _, c := range r.Content {
		text.WriteString(c.(*mcp.TextContent).Text)
	}
	if !r.IsError && r.StructuredContent == nil {
		d.t.Errorf("%s answers without structure", name)
	}
	return text.String(), r.IsError
}

// says fails the test unless a tool answers well and with these texts.
func (d *desk) says(name string, args map[string]any, want ...string) string {
	d.t.Helper()
	got, wrong := d.call(name, args)
	for _, w := range want {
		if wrong || !strings.Contains(got, w) {
			d.t.Fatalf("%s %v: got %q (an error: %v), want %q", name, args, got, wrong, w)
		}
	}
	return got
}

func (d *desk) refuses(name string, args map[string]any, want string) {
	d.t.Helper()
	if got, wrong := d.call(name, args); !wrong || !strings.Contains(got, want) || strings.Contains(got, "\n") {
		d.t.Errorf("%s %v: got %q (an error: %v), want the error %q", name, args, got, wrong, want)
	}
}

func (d *desk) commits() int {
	d.t.Helper()
	st, err := d.scout.Status(d.t.Context())
	must(d.t, err)
	return st.Changes
}

func TestEveryToolSaysWhatItIs(t *testing.T) {
	d := newDesk(t)
	list, err := d.client.ListTools(t.Context(), nil)
	must(t, err)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if tool.Title == "" || tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil || a == nil || a.DestructiveHint == nil || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s lacks something: %+v", tool.Name, tool)
		}
		if a.ReadOnlyHint && *a.DestructiveHint {
			t.Errorf("%s reads and destroys", tool.Name)
		}
	}
	slices.Sort(names)
	want := strings.Fields("memory memory_correct memory_evidence memory_forget memory_history memory_image_recall memory_image_remember memory_list memory_read memory_recall memory_search memory_status memory_undo memory_update")
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestADayWithTheTools(t *testing.T) {
	d := newDesk(t)
	before := d.commits()
	d.says("memory_update", map[string]any{"text": "Sara leads the billing project"}, "noted", "Sara leads")
	d.says("memory_update", map[string]any{"text": "Sara leads the billing project"}, "already known")
	d.says("memory_update", map[string]any{"text": "Acme pays late", "topic": "acme"}, "noted")
	d.says("memory_correct", map[string]any{"action": "supersede", "old_text": "Sara leads", "text": "Omar leads the billing project"}, "noted in place")
	d.says("memory_read", nil, frame, "Omar leads", "~~Sara leads")
	d.says("memory_read", map[string]any{"path": "memory/acme.md"}, frame, "Acme pays late")
	d.says("memory_list", nil, frame, "memory/acme.md", "MEMORY.md:")
	d.says("memory_search", map[string]any{"query": "acme", "since": "today"}, frame, "Acme pays late", "[memory/acme.md:")
	d.says("memory_recall", map[string]any{"message": "when does acme pay its invoice"}, frame, "Acme pays late")
	d.says("memory", map[string]any{"command": "view", "path": "/memories/acme.md"}, "Here's the content of /memories/acme.md with line numbers:")
	d.says("memory", map[string]any{"command": "create", "path": "/memories/todo.txt", "file_text": "ship\n"}, "File created successfully at: /memories/todo.txt")
	d.says("memory_status", nil, "is on", "2 topics")
	history := d.says("memory_history", map[string]any{"limit": 3}, frame, "todo.txt.md")
	id, _, _ := strings.Cut(strings.TrimPrefix(history, frame+"\n\n"), " ")
	d.says("memory_undo", map[string]any{"change": id}, "Taken back: memory/todo.txt.md")
	d.says("memory_forget", map[string]any{"words": []string{"acme"}}, "forgot 1 note")
	if n := d.commits() - before; n != 6 {
		t.Errorf("%d changes, want 6", n)
	}
}

// TestWordsOfTheTurn: what the person said of a note counts once.
func TestWordsOfTheTurn(t *testing.T) {
	d := newDesk(t)
	d.says("memory_update", map[string]any{"text": "Likes green tea"}, "noted")
	d.refuses("memory_evidence", map[string]any{"fact": "green tea", "signal": "dispute", "quote": "I do not like green tea"}, "send turn")
	turns := hooks.NewTurns(d.store, time.Now, nil)
	turn, err := turns.Start(t.Context(), "scout", hooks.Opening{
		Conversation: repo.Conversation{ID: "c1", Kind: repo.DirectChat, StartedBy: "owner"}, Speaker: repo.Speaker{By: repo.ByOwner}, Message: "I do not like green tea.",
	})
	must(t, err)
	args := map[string]any{"fact": "green tea", "signal": "dispute", "quote": "I do not like green tea", "turn": turn.Turn}
	d.says("memory_evidence", args, frame, "Noted; it is disputed and enters no prompt: Likes green tea")
	d.says("memory_evidence", args, "This turn had counted already")
	d.says("memory_update", map[string]any{"text": "The user likes green tea"}, "noted. It was disputed on ")
	args["fact"], args["quote"] = "Likes green tea", "green tea is awful"
	d.refuses("memory_evidence", args, "the quoted words were not said")
}

func TestErrorsAreOneSentence(t *testing.T) {
	d := newDesk(t)
	d.refuses("memory_read", map[string]any{"path": "memory/none.md"}, "there is no note memory/none.md")
	d.refuses("memory_read", map[string]any{"path": "../other/MEMORY.md"}, "path refused")
	d.refuses("memory_read", map[string]any{"path": "ABOUT.md"}, "path refused")
	d.refuses("memory_update", map[string]any{"text": " "}, "")
	d.refuses("memory_update", map[string]any{"text": "short replies", "action": "prefer"}, "only in a turn whose own person asked for it")
	d.refuses("memory_update", map[string]any{"text": "x", "action": "forget"}, "action must be append or prefer")
	d.refuses("memory_correct", map[string]any{"action": "replace", "old_text": "nothing", "text": "x"}, "")
	d.refuses("memory_search", map[string]any{"query": "x", "since": "someday"}, "since must be a day")
	d.refuses("memory_search", map[string]any{"query": "x", "turn": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, "no such turn")
	d.refuses("memory_evidence", map[string]any{"fact": "none", "signal": "dispute"}, "no note says that")
	d.refuses("memory_evidence", map[string]any{"fact": "none", "signal": "confirm"}, "signal must be support, dispute or ignore")
	d.refuses("memory_undo", map[string]any{"change": "HEAD"}, "must be the id of a change")
	d.refuses("memory", map[string]any{"command": "view", "path": "/memories/none.md"}, "The path /memories/none.md does not exist. Please provide a valid path.")
	d.refuses("memory", map[string]any{"command": "view", "path": "/etc/passwd"}, "Path must start with /memories")
}

// TestABotStaysABot: what the person did, and other bots, are out of its reach.
func TestABotStaysABot(t *testing.T) {
	d := newDesk(t)
	r, err := d.scout.Update(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaCLI}, policy.Update{Action: policy.Append, Text: "Ada is vegetarian", TextSet: true})
	must(t, err)
	d.refuses("memory_undo", map[string]any{"change": string(r.Change)}, "not yours")
	d.says("memory_read", nil, "Ada is vegetarian")
	if _, err := d.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://other/MEMORY.md"}); err == nil {
		t.Error("another bot's memory is read")
	}
	for _, name := range []string{"../../other/MEMORY.md", "..%2F..%2Fother%2FMEMORY.md", "log%2F2026-11-30.md"} {
		if _, err := d.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://scout/topics/" + name}); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	tools, err := d.client.ListTools(t.Context(), nil)
	must(t, err)
	for _, tool := range tools.Tools {
		if props, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any); props["bot"] != nil {
			t.Errorf("%s lets a model name a bot", tool.Name)
		}
	}
}

func TestResources(t *testing.T) {
	d := newDesk(t)
	d.says("memory_update", map[string]any{"text": "Acme pays late", "topic": "acme"}, "noted")
	list := func() []string {
		t.Helper()
		r, err := d.client.ListResources(t.Context(), nil)
		must(t, err)
		var uris []string
		for _, one := range r.Resources {
			uris = append(uris, one.URI)
		}
		slices.Sort(uris)
		return uris
	}
	if diff := cmp.Diff([]string{"memory://scout/MEMORY.md", "memory://scout/topics/acme.md"}, list()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	got, err := d.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://scout/topics/acme.md"})
	must(t, err)
	if !strings.Contains(got.Contents[0].Text, "Acme pays late") {
		t.Errorf("%q", got.Contents[0].Text)
	}
	must(t, d.client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "memory://scout/MEMORY.md"}))
	_, err = d.scout.Update(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaCLI}, policy.Update{Action: policy.Append, Text: "Ada is vegetarian", TextSet: true})
	must(t, err)
	select {
	case uri := <-d.told:
		if uri != "memory://scout/MEMORY.md" {
			t.Errorf("told of %s", uri)
		}
	case <-time.After(20 * time.Second):
		t.Error("a change by somebody else is not told")
	}
	d.says("memory", map[string]any{"command": "delete", "path": "/memories/acme.md"}, "Successfully deleted")
	if diff := cmp.Diff([]string{"memory://scout/MEMORY.md"}, list()); diff != "" {
		t.Errorf("after a topic went (-want +got)\n%s", diff)
	}
}

func TestNothingIsThereWhileMemoryIsOff(t *testing.T) {
	d := newDesk(t)
	must(t, d.store.SetBot("scout", map[string]any{"memoryEnabled": false}))
	tools, err := d.client.ListTools(t.Context(), nil)
	must(t, err)
	resources, err := d.client.ListResources(t.Context(), nil)
	must(t, err)
	if len(tools.Tools)+len(resources.Resources) != 0 {
		t.Errorf("%d tools and %d resources are listed", len(tools.Tools), len(resources.Resources))
	}
	d.refuses("memory_read", nil, "switched off")
	d.refuses("memory", map[string]any{"command": "view", "path": "/memories"}, "switched off")
	if _, err := d.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://scout/MEMORY.md"}); err == nil {
		t.Error("a resource is read")
	}
}

// TestEveryAnsweredCallIsACommit has twenty calls in flight.
func TestEveryAnsweredCallIsACommit(t *testing.T) {
	d := newDesk(t)
	before := d.commits()
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			r, err := d.client.CallTool(t.Context(), &mcp.CallToolParams{Name: "memory_update", Arguments: map[string]any{"text": fmt.Sprintf("fact number %d of twenty", i)}})
			if err != nil || r.IsError {
				t.Errorf("call %d: %v %+v", i, err, r)
			}
		})
	}
	all.Wait()
	if n := d.commits() - before; n != 20 {
		t.Errorf("%d commits of 20 answered calls", n)
	}
	text := d.says("memory_read", nil)
	for i := range 20 {
		if !strings.Contains(text, fmt.Sprintf("fact number %d of twenty", i)) {
			t.Errorf("fact %d is lost", i)
		}
	}
}
