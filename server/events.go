package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"quipu/repo"
)

// The rhythm of a stream of events.
const (
	lookEvery  = 500 * time.Millisecond // how soon a change is told, whoever made it
	beatEvery  = 15 * time.Second       // shows both ends that the other is there
	mostAtOnce = 1000                   // rows told in one look
)

// endingKey is where the requests of Serve carry the end of the server.
type endingKey struct{}

// stream tells one reader what happens in one workspace.
type stream struct {
	w    http.ResponseWriter
	ctl  *http.ResponseController
	ws   *repo.Workspace
	last repo.ChangeID // the newest change that was told

	tended string           // the stamp of what upkeep remembers, as it was looked at last
	state  repo.UpkeepState // what it remembered then

	synced string    // the stamp of how the last sync went, as it was looked at last
	tried  time.Time // when that was
	owner  bool      // it is told why a sync failed, too
}

// events tells what changes in a bot's notes, as server-sent events, until the reader
// goes, its token is taken away or the server ends. Each row of a change is an event
// `change` whose id is the row's; what upkeep does, and each sync that ended, is told beside them; Last-Event-ID, which a
// browser sends when it comes back, makes up for what was missed. The journal is looked at,
// so that a change by another process is told, too.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	st := &stream{w: w, ctl: http.NewResponseController(w), ws: ws, owner: holder(r).Role == repo.RoleOwner}
	if err := st.begin(r); err != nil {
		return err
	}
	// The limits of an ordinary request would end it; where they cannot be lifted they do,
	// and the reader comes back.
	_ = st.ctl.SetReadDeadline(time.Time{})
	_ = st.ctl.SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	s.follow(r, st)
	return nil
}

// begin finds where the stream starts: after the change of Last-Event-ID, else now.
func (st *stream) begin(r *http.Request) error {
	st.tended, st.state = st.ws.UpkeepStamp(), st.ws.Upkeep()
	st.synced, st.tried = st.ws.SyncStamp(), st.ws.SyncState().Tried
	if after := r.Header.Get("Last-Event-ID"); after != "" {
		if d, err := st.ws.Show(r.Context(), after); err == nil {
			st.last = d.Row.Change
			return nil
		}
	}
	rows, err := st.ws.Journal(r.Context(), repo.Query{Limit: 1})
	if len(rows) > 0 {
		st.last = rows[0].Change
	}
	return err
}

// follow runs the stream to its end.
func (s *Server) follow(r *http.Request, st *stream) {
	ending, _ := r.Context().Value(endingKey{}).(<-chan struct{}) // nil, which never ends, outside Serve
	look, beat := time.NewTicker(lookEvery), time.NewTicker(s.beat)
	defer look.Stop()
	defer beat.Stop()
	err := st.say(": quipu\nretry: 2000\n\n")
	for err == nil { // an error says that the reader has gone
		select {
		case <-r.Context().Done():
			return
		case <-ending:
			return
		case <-look.C:
			err = s.look(r, st)
		case <-beat.C:
			if plain, _ := bearer(r); !s.opens(plain) {
				return
			}
			err = st.say("event: heartbeat\ndata: {}\n\n")
		}
	}
}

// errTokenGone ends a stream whose token was taken away: nothing more is told to it.
var errTokenGone = errors.New("the token was taken away")

// opens says whether a token is still one.
func (s *Server) opens(plain string) bool {
	_, ok := s.store.CheckToken(plain)
	return ok
}

// look tells what is new. A journal that cannot be read now is looked at again.
func (s *Server) look(r *http.Request, st *stream) error {
	ctx := r.Context()
	fresh, err := st.fresh(ctx)
	if err != nil {
		s.log.DebugContext(ctx, "the journal is not read for a stream", "bot", st.ws.ID(), "err", err)
		return ctx.Err()
	}
	if plain, _ := bearer(r); len(fresh) > 0 && !s.opens(plain) {
		return errTokenGone
	}
	for _, row := range fresh {
		data, err := json.Marshal(row)
		if err != nil {
			return err
		}
		if err := st.say(fmt.Sprintf("event: change\nid: %s\ndata: %s\n\n", row.ID, data)); err != nil {
			return err
		}
		st.last = row.Change
	}
	if err := st.upkeep(); err != nil {
		return err
	}
	return st.sync(ctx)
}

// sync tells how a sync ended.
func (st *stream) sync(ctx context.Context) error {
	stamp := st.ws.SyncStamp()
	if stamp == st.synced {
		return nil
	}
	st.synced = stamp
	state, err := st.ws.Standing(ctx)
	if err != nil || state == nil {
		return ctx.Err()
	}
	news := !state.Tried.IsZero() && !state.Tried.Equal(st.tried)
	st.tried = state.Tried
	if !news { // it was looked at, or set anew
		return nil
	}
	if !st.owner {
		state.URL = ""
		if state.Fault != "" {
			state.Fault = "it failed; the owner is told why"
		}
	}
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return st.say(fmt.Sprintf("event: sync\ndata: %s\n\n", data))
}

// upkeep tells how far a pass of upkeep has come, and what it came to: `upkeep`, `tidy`
// and `capture`.
func (st *stream) upkeep() error {
	stamp := st.ws.UpkeepStamp()
	if stamp == st.tended {
		return nil
	}
	before, now := st.state, st.ws.Upkeep()
	st.tended, st.state = stamp, now
	var running json.RawMessage
	if now.Running != nil {
		data, err := json.Marshal(now.Running)
		if err != nil {
			return err
		}
		running = data
	}
	for _, e := range []struct {
		name string
		data json.RawMessage
		news bool
	}{
		{"upkeep", running, true},
		{"tidy", now.LastTidy, !bytes.Equal(now.LastTidy, before.LastTidy)},
		{"capture", now.LastCapture, !bytes.Equal(now.LastCapture, before.LastCapture)},
	} {
		if e.news && len(e.data) > 0 {
			if err := st.say(fmt.Sprintf("event: %s\ndata: %s\n\n", e.name, e.data)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fresh gives the rows after the last change that was told, oldest change first. When
// that change is there no more, as after history was written anew, the newest alone.
func (st *stream) fresh(ctx context.Context) ([]repo.Row, error) {
	rows, err := st.ws.Journal(ctx, repo.Query{Limit: 1})
	if err != nil || len(rows) == 0 || rows[0].Change == st.last {
		return nil, err
	}
	if rows, err = st.ws.Journal(ctx, repo.Query{Limit: mostAtOnce}); err != nil {
		return nil, err
	}
	end := slices.IndexFunc(rows, func(r repo.Row) bool { return r.Change == st.last })
	if end < 0 && st.last != "" {
		end = slices.IndexFunc(rows, func(r repo.Row) bool { return r.Change != rows[0].Change })
	}
	if end >= 0 {
		rows = rows[:end]
	}
	return oldestFirst(rows), nil
}

// oldestFirst turns rows round, and leaves the files of one change in their order.
func oldestFirst(rows []repo.Row) []repo.Row {
	out := make([]repo.Row, 0, len(rows))
	for end := len(rows); end > 0; {
		start := end - 1
		for start > 0 && rows[start-1].Change == rows[start].Change {
			start--
		}
		out = append(out, rows[start:end]...)
		end = start
	}
	return out
}

func (st *stream) say(text string) error {
	if _, err := st.w.Write([]byte(text)); err != nil {
		return err
	}
	return st.ctl.Flush()
}
