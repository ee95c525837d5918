package panel

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// filesFirst is how many topics and day logs the page of a memory lists.
const filesFirst = 30

type memoryPage struct {
	Gauge        gaugeView
	Add          adding
	Needs        []need
	Reading      reading
	Topics, Logs []repo.FileInfo
	MoreTopics   int
	MoreLogs     int
	Archive      *repo.FileInfo
	Folder       folderView
	Heavy        heavyView
	Pulse        string // where an open page learns of changes
	Out          int    // notes of MEMORY.md that are disputed, and do not load
	OutURL       string
}

// memory is what a bot remembers: the gauge, MEMORY.md, and what else there is.
func (p *Panel) memory(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	p.takeIn(v, s)
	ctx := v.r.Context()
	t, err := s.ws.Read(ctx, policy.MemoryFile)
	if err != nil {
		return err
	}
	g := p.limits().Measure([]byte(t.Text))
	page := memoryPage{Add: adding{s.Base, v.csrf, policy.MemoryFile}, Gauge: v.gauge(g), Folder: p.folder(v, &s), Heavy: p.heavy(v, s.ws, g)}
	page.OutURL = s.standingURL("disputed", 0)
	if page.Out, err = outOf(v, s); err != nil {
		return err
	}
	if page.Needs, err = p.needs(v, s.ws, g); err != nil {
		return err
	}
	if page.Reading, err = p.readingOf(v, &s, t, g); err != nil {
		return err
	}
	if page.Pulse, err = p.pulseURL(v, s); err != nil {
		return err
	}
	topics, logs, err := s.ws.List(ctx)
	if err != nil {
		return err
	}
	page.Topics, page.Archive = withoutArchive(topics)
	page.Topics, page.MoreTopics = first(page.Topics, filesFirst)
	page.Logs, page.MoreLogs = first(logs, 7)
	p.show(v, http.StatusOK, "memory", s.Name, &s, page)
	return nil
}

// readingOf reads a file with who taught what. Blame that cannot be had leaves the notes
// as they are.
func (p *Panel) readingOf(v *visit, s *space, t repo.Text, g policy.Gauge) (reading, error) {
	from, _ := strconv.Atoi(v.r.URL.Query().Get("from"))
	r := readingOf(v, s, t.Path, t.Text, from, g, s.ws.Today())
	if t.Exists && !t.Invalid && r.shown > 0 {
		blamed, err := s.ws.BlameFrom(v.r.Context(), t.Path, r.first, r.shown)
		if err != nil {
			p.Log.WarnContext(v.r.Context(), "who taught it is not told", "bot", s.ID, "err", err)
		}
		r.credit(v, blamed)
	}
	p.markOut(v, &r)
	return r, v.r.Context().Err()
}

func withoutArchive(topics []repo.FileInfo) (rest []repo.FileInfo, archive *repo.FileInfo) {
	for _, f := range topics {
		if kind, _ := policy.CheckPath(f.Path); kind == policy.Archive {
			archive = &f
			continue
		}
		rest = append(rest, f)
	}
	return rest, archive
}

func first[T any](list []T, n int) (head []T, more int) {
	if len(list) <= n {
		return list, 0
	}
	return list[:n], len(list) - n
}

type topicsPage struct {
	Files []repo.FileInfo
	Logs  bool
	Older string // the path of the next page
	Count int
}

// topics lists every topic, or every day log, a hundred at a time.
func (p *Panel) topics(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	topics, logs, err := s.ws.List(v.r.Context())
	if err != nil {
		return err
	}
	q := v.r.URL.Query()
	page := topicsPage{Files: topics, Logs: q.Get("kind") == "logs"}
	if page.Logs {
		page.Files = logs
	}
	page.Count = len(page.Files)
	skip, _ := strconv.Atoi(q.Get("skip"))
	skip = min(max(skip, 0), page.Count)
	more := 0
	if page.Files, more = first(page.Files[skip:], unitsAPage); more > 0 {
		page.Older = s.Base + "/topics?skip=" + strconv.Itoa(skip+unitsAPage)
		if page.Logs {
			page.Older += "&kind=logs"
		}
	}
	title := v.say("Topics")
	if page.Logs {
		title = v.say("Day logs")
	}
	p.show(v, http.StatusOK, "topics", title, &s, page)
	return nil
}

type filePage struct {
	Path               string
	Title, Description string
	Aliases            []string
	Reading            reading
	Log, Topic         bool
	Add                adding
	Bytes              int
	Invalid            bool
}

// pathOf is the file that a page is about, and what kind it is.
func (s space) pathOf(path string) (string, policy.PathKind, error) {
	if s.Me {
		return policy.AboutFile, policy.About, nil
	}
	if path == "" {
		path = policy.MemoryFile
	}
	kind, err := policy.CheckPath(path)
	if err != nil || kind == policy.About {
		return "", kind, errNoNote
	}
	return path, kind, nil
}

// file shows one file to read.
func (p *Panel) file(v *visit) error {
	s, path, kind, err := p.fileSpace(v, v.r.URL.Query())
	if err != nil {
		return err
	}
	if kind == policy.Memory {
		http.Redirect(v.w, v.r, s.Base, http.StatusSeeOther)
		return nil
	}
	p.takeIn(v, s)
	t, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return err
	}
	if !t.Exists {
		return errNoNote
	}
	page := filePage{Add: adding{s.Base, v.csrf, path}, Path: path, Log: kind == policy.Log, Topic: kind == policy.Topic && !t.Invalid, Bytes: len(t.Text), Invalid: t.Invalid}
	if kind == policy.Topic {
		head := markdown.Parse(path, []byte(t.Text)).Header()
		page.Title, page.Description, page.Aliases = head.Title, head.Description, head.Aliases
	}
	if page.Title == "" {
		page.Title = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(path, "memory/"), "log/"), ".md")
	}
	if page.Reading, err = p.readingOf(v, &s, t, policy.Gauge{}); err != nil {
		return err
	}
	p.show(v, http.StatusOK, "file", page.Title, &s, page)
	return nil
}

func (s space) fileURL(path string) string {
	switch {
	case s.Me:
		return "/about"
	case path == policy.MemoryFile:
		return s.Base
	}
	return s.Base + "/file?path=" + url.QueryEscape(path)
}

// lineURL is the page of a file at one of its lines. A page that could not hold the line
// begins shortly before it.
func (s space) lineURL(path string, line int) string {
	to := s.fileURL(path)
	if line > unitsAPage {
		sep := "?"
		if strings.Contains(to, "?") {
			sep = "&"
		}
		to += sep + "from=" + strconv.Itoa(line-unitsAPage/5)
	}
	return to + "#L" + strconv.Itoa(line)
}
