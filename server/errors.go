package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// problem is an answer that is not what was asked for: a status, one word for
// programs, one sentence for people, and what else the body carries.
type problem struct {
	status   int
	code     string // left out of the body when empty
	sentence string
	extra    map[string]any
	header   http.Header
	cause    error // for the log alone
}

// Error gives the sentence.
func (p *problem) Error() string { return p.sentence }

// Unwrap gives what the log is told.
func (p *problem) Unwrap() error { return p.cause }

func invalid(sentence string) *problem {
	return &problem{status: http.StatusBadRequest, code: "invalid", sentence: sentence}
}

func forbidden(sentence string) *problem {
	return &problem{status: http.StatusForbidden, code: "forbidden", sentence: sentence}
}

func internal() *problem {
	return &problem{status: http.StatusInternalServerError, code: "internal", sentence: "something went wrong on the server; its log says more"}
}

// meaning is one line of the table from an error to a status. told says that the
// error's own sentence was written for the person and may be sent.
type meaning struct {
	err      error
	status   int
	code     string
	sentence string
	told     bool
}

// meanings is the only place where an error becomes a status.
func meanings() []meaning {
	return []meaning{
		{repo.ErrStale, http.StatusConflict, "conflict", "the file changed since it was read", false},
		{repo.ErrUnrelated, http.StatusConflict, "conflict", "the remote holds another history, which has nothing in common with this one: send unrelated join for both, adopt for the remote's (this one is kept under refs/quipu/lost), or set another branch", false},
		{repo.ErrConflict, http.StatusConflict, "conflict", "the change does not fit what is there now", true},
		{repo.ErrNoUndo, http.StatusBadRequest, "no_undo", "this change cannot be undone", true},
		{repo.ErrNeedHash, http.StatusPreconditionRequired, "revision_needed", "the file exists: send expectedHash or If-Match with the hash of the text you read", false},
		{repo.ErrForbidden, http.StatusForbidden, "forbidden", "this file may not be changed that way", true},
		{repo.ErrTooLarge, http.StatusRequestEntityTooLarge, "too-large", "the text is too large: a memory file holds at most 256 KiB", true},
		{repo.ErrRefused, http.StatusUnprocessableEntity, "refused", "a rule refuses this change", true},
		{repo.ErrOff, http.StatusConflict, "off", "memory is switched off for this bot", true},
		{repo.ErrBusy, http.StatusLocked, "busy", "the workspace is being written by someone else, try again", false},
		{repo.ErrState, http.StatusConflict, "state", "the workspace is not ready for a write: quipu doctor says why", true},
		{repo.ErrNotFound, http.StatusNotFound, "not_found", "not found", true},
		{repo.ErrInvalid, http.StatusBadRequest, "invalid", "the request is not valid", true},
		{repo.ErrRemote, http.StatusBadGateway, "remote", "the remote failed", true},
		{repo.ErrDamaged, http.StatusInternalServerError, "damaged", "the history of this workspace is damaged: quipu doctor says how to mend it", false},
	}
}

// problemOf turns any error into an answer. An error that nobody wrote for the
// reader becomes a plain 500. A sentence may repeat what was sent, so a credential in it
// is masked.
func (s *Server) problemOf(err error) *problem { return problemIn(s.store, err) }

func problemIn(store *repo.Store, err error) *problem {
	p := *meaningIn(store, err)
	p.sentence, _ = store.Redact(p.sentence)
	return &p
}

func meaningIn(store *repo.Store, err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if said, ok := errors.AsType[*policy.ToolError](err); ok {
		return &problem{status: http.StatusBadRequest, code: "tool", sentence: said.Text, cause: err}
	}
	if path, ok := errors.AsType[*policy.PathError](err); ok {
		return &problem{status: http.StatusBadRequest, code: "path", sentence: path.Rule}
	}
	if picture, ok := errors.AsType[*policy.PictureError](err); ok {
		p := refused(picture.Refusal)
		p.extra = map[string]any{"fault": string(picture.Fault)}
		return p
	}
	if refusal, ok := errors.AsType[*policy.Refusal](err); ok {
		return refused(refusal)
	}
	for _, m := range meanings() {
		if errors.Is(err, m.err) {
			p := &problem{status: m.status, code: m.code, sentence: m.sentence, extra: facts(err), cause: err}
			if own := ownSentence(err, m.err); m.told && own != "" && !strings.Contains(own, store.Home()) {
				p.sentence = own
			}
			return p
		}
	}
	p := internal()
	p.cause = err
	return p
}

func refused(r *policy.Refusal) *problem {
	status := map[policy.Code]int{
		policy.Conflict: http.StatusConflict,
		policy.Refused:  http.StatusUnprocessableEntity,
		policy.NotFound: http.StatusNotFound,
	}[r.Code]
	if status == 0 {
		status = http.StatusBadRequest
	}
	p := &problem{status: status, code: string(r.Code), sentence: r.Reason}
	if r.Rule != "" {
		p.extra = map[string]any{"rule": r.Rule}
	}
	return p
}

// ownSentence finds the text that was written together with the sentinel, without
// what callers put around it.
func ownSentence(err, sentinel error) string {
	switch e := err.(type) { //nolint:errorlint // each link of the chain is looked at, not its meaning
	case interface{ Unwrap() error }:
		if e.Unwrap() == sentinel { //nolint:errorlint // the link itself is looked for
			return err.Error()
		}
		return ownSentence(e.Unwrap(), sentinel)
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			if own := ownSentence(part, sentinel); own != "" {
				return own
			}
		}
	}
	return ""
}

// facts is what a program needs to go on from a conflict.
func facts(err error) map[string]any {
	if stale, ok := errors.AsType[*repo.StaleError](err); ok {
		return map[string]any{"path": stale.Path, "current": stale.Current, "currentHash": stale.CurrentHash}
	}
	if conflict, ok := errors.AsType[*repo.ConflictError](err); ok && len(conflict.Clashes) > 0 {
		return map[string]any{"clashes": conflict.Clashes}
	}
	if errors.Is(err, repo.ErrUnrelated) {
		return map[string]any{"choices": []string{repo.UnrelatedJoin, repo.UnrelatedAdopt}}
	}
	return nil
}

// fail answers for an error. What has no meaning here is logged, since the client
// is told nothing of it.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problemOf(err)
	if p.status >= http.StatusInternalServerError && r.Context().Err() != nil {
		p = &problem{status: http.StatusRequestTimeout, code: "ended", sentence: "the request ended before it was answered"}
	}
	if p.status >= http.StatusInternalServerError {
		cause, _ := s.store.Redact(fmt.Sprint(p.cause))
		s.log.ErrorContext(r.Context(), "request failed", "id", w.Header().Get("X-Request-Id"), "err", cause)
	}
	body := map[string]any{"error": p.sentence}
	if p.code != "" {
		body["code"] = p.code
	}
	maps.Copy(body, p.extra)
	maps.Copy(w.Header(), p.header)
	send(w, p.status, body)
}

// send writes one JSON value. Markup in a note stays as it is: the type and
// nosniff keep it text.
func send(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // the client has gone: there is no one left to tell
}
