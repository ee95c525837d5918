package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// overviewAnswer is all that a panel shows of one bot's memory at first.
type overviewAnswer struct {
	BotID         repo.ID     `json:"botId"`
	WorkspacePath string      `json:"workspacePath"`
	Index         indexAnswer `json:"index"`
	Gauge         gaugeAnswer `json:"gauge"`
	Topics        []listed    `json:"topics"`
	Logs          []listed    `json:"logs"`
	Text          string      `json:"text"`
	Truncated     bool        `json:"truncated"`
	// Remote is how it stands to its remote; nil where none is set, and for all but the owner.
	Remote *repo.SyncState `json:"remote,omitempty"`
}

// indexAnswer measures MEMORY.md. The gauge says the same and more: programs that
// know only this one are older.
type indexAnswer struct {
	Lines       int    `json:"lines"`
	Bytes       int    `json:"bytes"`
	MaxLines    int    `json:"maxLines"`
	MaxBytes    int    `json:"maxBytes"`
	LoadedLines int    `json:"loadedLines"`
	LoadedBytes int    `json:"loadedBytes"`
	Truncated   bool   `json:"truncated"`
	Hash        string `json:"hash"`
}

type listed struct {
	Path       string    `json:"path"`
	Name       string    `json:"name"`
	Bytes      int       `json:"bytes"`
	ModifiedAt time.Time `json:"modifiedAt"`
}

func (s *Server) overview(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	o, err := s.overviewOf(r.Context(), ws)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(o.Index.Hash))
	send(w, http.StatusOK, o)
	return nil
}

func (s *Server) overviewOf(ctx context.Context, ws *repo.Workspace) (overviewAnswer, error) {
	t, err := ws.Read(ctx, policy.MemoryFile)
	if err != nil {
		return overviewAnswer{}, err
	}
	topics, logs, err := ws.List(ctx)
	if err != nil {
		return overviewAnswer{}, err
	}
	g := s.limits().Measure([]byte(t.Text))
	return overviewAnswer{
		BotID:         ws.ID(),
		WorkspacePath: ws.Dir(),
		Index: indexAnswer{
			Lines: g.Lines, Bytes: g.Bytes, MaxLines: g.MaxLines, MaxBytes: g.MaxBytes,
			LoadedLines: g.LoadedLines, LoadedBytes: g.LoadedBytes, Truncated: g.Truncated, Hash: t.Hash,
		},
		Gauge:     gaugeAnswer{g, g.Sentence()},
		Topics:    listedOf(topics),
		Logs:      listedOf(logs),
		Text:      t.Text,
		Truncated: g.Truncated,
		Remote:    s.toRemote(ctx, ws),
	}, nil
}

func listedOf(files []repo.FileInfo) []listed {
	list := make([]listed, 0, len(files))
	for _, f := range files {
		list = append(list, listed{f.Path, f.Name, f.Bytes, f.ModifiedAt})
	}
	return list
}

// putMemory is the old way to save MEMORY.md: whole, and over whatever is there.
func (s *Server) putMemory(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var whole string
	if err := decode(w, r, mustText("text", &whole)); err != nil {
		return err
	}
	m := repo.Meta{Author: s.person(), Via: repo.ViaAPI}
	receipt, err := ws.Save(r.Context(), m, policy.MemoryFile, whole, repo.Expect{Any: true})
	if err != nil {
		return tooLargeIsBad(s.problemOf(err))
	}
	t := s.textAfter(r.Context(), ws, policy.MemoryFile, receipt)
	tag(w, t)
	send(w, http.StatusOK, map[string]any{"ok": true, "hash": t.Hash, "truncated": s.limits().Measure([]byte(t.Text)).Truncated})
	return nil
}

// tooLargeIsBad keeps the old route's status, which its callers know.
func tooLargeIsBad(p *problem) *problem {
	if p.status == http.StatusRequestEntityTooLarge {
		p.status = http.StatusBadRequest
	}
	return p
}

// pathOf is the file that a query names, MEMORY.md when it names none.
func pathOf(q query) (string, policy.PathKind, error) {
	path := policy.MemoryFile
	if q.Has("path") {
		path = q.Get("path")
	}
	kind, err := policy.CheckNote(path)
	return path, kind, err
}

func (s *Server) getFile(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	path, _, err := pathOf(q)
	if err != nil {
		return err
	}
	t, err := ws.Read(r.Context(), path)
	if err != nil {
		return oddFile(r.Context(), ws, path, err)
	}
	w.Header().Set("ETag", etag(t.Hash))
	send(w, http.StatusOK, shownFile(t))
	return nil
}

// oddFile tells a link, a folder or a pipe where a note should be, which is a fault
// of the path, from a workspace that cannot be written now.
func oddFile(ctx context.Context, ws *repo.Workspace, path string, err error) error {
	if !errors.Is(err, repo.ErrState) {
		return err
	}
	if _, read := ws.Read(ctx, path); !errors.Is(read, repo.ErrState) {
		return err
	}
	return &problem{status: http.StatusBadRequest, code: "path", sentence: "something else than a plain file stands there: a link, a folder or a pipe"}
}

// fileText is a file's text as JSON can carry it. utf8 false says that it cannot
// quite: bytes that are no UTF-8 are shown as U+FFFD, and the file cannot be saved over.
type fileText struct {
	repo.Text
	UTF8 *bool `json:"utf8,omitempty"` // left out when it is true
}

func shownFile(t repo.Text) fileText {
	if t.Invalid {
		return fileText{t, new(false)}
	}
	return fileText{Text: t}
}

// fileAnswer is a file after a change of it, and what the change did.
type fileAnswer struct {
	OK bool `json:"ok"`
	fileText
	Entry    *repo.Row       `json:"entry"` // null when nothing changed
	Entries  []repo.Row      `json:"entries,omitempty"`
	Undone   repo.ChangeID   `json:"undone,omitempty"`
	Overview *overviewAnswer `json:"overview"` // null when it cannot be read just now
}

// saving is a whole text that is to be kept.
type saving struct {
	path, text string
	hash       string // of the text that it is based on; "" when none is named
}

// decodeSave reads a save. The path is main's when none is given, and check refuses
// what the route does not keep.
func decodeSave(w http.ResponseWriter, r *http.Request, main string, check func(string) (policy.PathKind, error)) (saving, error) {
	var path, expected *string
	var sv saving
	if err := decode(w, r, text("path", &path), mustText("text", &sv.text), text("expectedHash", &expected)); err != nil {
		return sv, err
	}
	sv.path = main
	if path != nil {
		sv.path = *path
	}
	kind, err := check(sv.path)
	if err != nil {
		return sv, err
	}
	if kind == policy.Log {
		return sv, forbidden("a day log is written by quipu alone; it can be read and deleted")
	}
	sv.hash, err = expectedHash(r, expected)
	return sv, err
}

func (s *Server) putFile(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	sv, err := decodeSave(w, r, policy.MemoryFile, policy.CheckNote)
	if err != nil {
		return err
	}
	m := repo.Meta{Author: s.person(), Via: repo.ViaUI}
	receipt, err := ws.Save(r.Context(), m, sv.path, sv.text, repo.Expect{Hash: sv.hash})
	if err != nil {
		return oddFile(r.Context(), ws, sv.path, err)
	}
	s.sendFile(w, r, ws, sv.path, receipt)
	return nil
}

// sendFile answers with a file as it stands after a change.
func (s *Server) sendFile(w http.ResponseWriter, r *http.Request, ws *repo.Workspace, path string, receipt repo.Receipt) {
	t := s.textAfter(r.Context(), ws, path, receipt)
	a := fileAnswer{
		OK: true, fileText: shownFile(t), Entry: rowOf(receipt, path), Undone: receipt.Undone,
		Overview: s.overviewAfter(r.Context(), ws),
	}
	if len(receipt.Rows) > 1 {
		a.Entries = receipt.Rows
	}
	tag(w, t)
	send(w, http.StatusOK, a)
}

// rowOf is the row of one file, else the change's first; nil when nothing was written.
func rowOf(receipt repo.Receipt, path string) *repo.Row {
	if receipt.Change == "" || len(receipt.Rows) == 0 {
		return nil
	}
	i := slices.IndexFunc(receipt.Rows, func(row repo.Row) bool { return row.Path == path })
	return &receipt.Rows[max(i, 0)]
}

func (s *Server) deleteFile(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	del, err := deletionOf(r, q)
	if err != nil {
		return err
	}
	m := repo.Meta{Author: s.person(), Via: repo.ViaUI}
	receipt, err := ws.Delete(r.Context(), m, del.path, repo.Expect{Hash: del.hash, Any: del.hash == ""})
	if err != nil {
		return oddFile(r.Context(), ws, del.path, err)
	}
	send(w, http.StatusOK, deleteAnswer{true, del.path, rowOf(receipt, del.path), s.overviewAfter(r.Context(), ws)})
	return nil
}

// deletion is a file that is to go.
type deletion struct {
	path string
	hash string // of the text that was read; "" takes the file out whatever it says
}

func deletionOf(r *http.Request, q query) (deletion, error) {
	path, kind, err := pathOf(q)
	if err != nil {
		return deletion{}, err
	}
	if kind == policy.Memory {
		return deletion{}, &problem{status: http.StatusBadRequest, code: "forbidden", sentence: "MEMORY.md cannot be deleted"}
	}
	var given *string
	if q.Has("expectedHash") {
		given = new(q.Get("expectedHash"))
	}
	hash, err := expectedHash(r, given)
	return deletion{path, hash}, err
}

// deleteAnswer says that a file is gone.
type deleteAnswer struct {
	OK       bool            `json:"ok"`
	Path     string          `json:"path"`
	Entry    *repo.Row       `json:"entry"`    // null when it was not there
	Overview *overviewAnswer `json:"overview"` // null when it cannot be read just now
}

func etag(hash string) string { return `"` + hash + `"` }

// expectedHash is the hash that a save was based on: expectedHash of the body, or
// If-Match, which means the same.
func expectedHash(r *http.Request, given *string) (string, error) {
	match := r.Header.Values("If-Match")
	if len(match) == 0 {
		return strings.ToLower(valueOf(given)), nil
	}
	tag := strings.ToLower(match[0])
	hash, quoted := strings.CutPrefix(tag, `"`)
	hash, closed := strings.CutSuffix(hash, `"`)
	if len(match) > 1 || !quoted || !closed || hash == "" || strings.ContainsAny(hash, `",`) {
		return "", invalid(`If-Match must be the ETag of the text that was read: one hash in quotes`)
	}
	if given != nil && strings.ToLower(*given) != hash {
		return "", invalid("If-Match and expectedHash differ")
	}
	return hash, nil
}
