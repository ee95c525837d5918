package mcp

import (
	"context"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quipu/policy"
	"quipu/repo"
)

const markdownType = "text/markdown"

// lookEvery is how soon a client is told of a change, whoever made it.
const lookEvery = 500 * time.Millisecond

// uri is where a note stands among the resources: memory://BOT/MEMORY.md, or
// memory://BOT/topics/NAME.
func (m *Memory) uri(file string) string {
	if file == policy.MemoryFile {
		return "memory://" + string(m.bot) + "/" + policy.MemoryFile
	}
	return "memory://" + string(m.bot) + "/topics/" + url.PathEscape(strings.TrimPrefix(file, "memory/"))
}

// fileOf is the note that a resource is, "" when it is none of this bot's.
func (m *Memory) fileOf(uri string) string {
	if uri == m.uri(policy.MemoryFile) {
		return policy.MemoryFile
	}
	name, ok := strings.CutPrefix(uri, "memory://"+string(m.bot)+"/topics/")
	if !ok {
		return ""
	}
	name, err := url.PathUnescape(name)
	file := "memory/" + name
	if kind, bad := policy.CheckPath(file); err != nil || bad != nil || kind != policy.Topic && kind != policy.Archive {
		return ""
	}
	return file
}

func (m *Memory) addResources(s *mcp.Server) {
	s.AddResource(&mcp.Resource{
		URI: m.uri(policy.MemoryFile), Name: policy.MemoryFile, Title: "What loads into every conversation", MIMEType: markdownType,
	}, m.readResource)
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: "memory://" + string(m.bot) + "/topics/{name}", Name: "topic", Title: "A topic's notes", MIMEType: markdownType,
	}, m.readResource)
}

// shelf keeps the topics that there are among the resources of one connection.
type shelf struct {
	mu   sync.Mutex
	uris map[string]bool
}

// stock has the topics that there are now among the resources.
func (m *Memory) stock(ctx context.Context, s *mcp.Server, on *shelf) {
	ws, err := m.store.Open(ctx, m.bot)
	if err != nil {
		return // the list stays as it was
	}
	topics, _, err := ws.List(ctx)
	if err != nil {
		m.Log.WarnContext(ctx, "topics are not listed", "bot", m.bot, "err", err)
		return
	}
	on.mu.Lock()
	defer on.mu.Unlock()
	now := map[string]bool{}
	for _, f := range topics {
		uri := m.uri(f.Path)
		now[uri] = true
		if on.uris[uri] {
			continue
		}
		s.AddResource(&mcp.Resource{
			URI: uri, Name: path.Base(f.Path), Title: f.Title, Description: f.Description, MIMEType: markdownType, Size: int64(f.Bytes),
		}, m.readResource)
	}
	for uri := range on.uris {
		if !now[uri] {
			s.RemoveResources(uri)
		}
	}
	on.uris = now
}

func (m *Memory) readResource(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	file := m.fileOf(r.Params.URI)
	if file == "" || !m.store.Config().MemoryOn(m.bot) {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	ws, err := m.store.Open(ctx, m.bot)
	if err != nil {
		return nil, err
	}
	t, err := ws.Read(ctx, file)
	if err != nil {
		return nil, err
	}
	if !t.Exists {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: markdownType, Text: t.Text}}}, nil
}

// follow tells the client of each note that changes, until ctx ends. The newest change is
// looked at, so that one by another process is told, too.
func (m *Memory) follow(ctx context.Context, s *mcp.Server) {
	ws, err := m.store.Open(ctx, m.bot)
	if err != nil {
		return
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	last := m.newest(ctx, ws)
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		rows, err := ws.Journal(ctx, repo.Query{Limit: usualRows})
		if err != nil || len(rows) == 0 || rows[0].Change == last {
			continue
		}
		told := map[string]bool{}
		for _, r := range rows {
			if r.Change == last {
				break
			}
			uri := m.uri(r.Path)
			if m.fileOf(uri) == "" || told[uri] {
				continue
			}
			told[uri] = true
			if err := s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
				m.Log.DebugContext(ctx, "a client is not told of a change", "bot", m.bot, "err", err)
			}
		}
		last = rows[0].Change
	}
}

func (m *Memory) newest(ctx context.Context, ws *repo.Workspace) repo.ChangeID {
	rows, err := ws.Journal(ctx, repo.Query{Limit: 1})
	if err != nil || len(rows) == 0 {
		return ""
	}
	return rows[0].Change
}
