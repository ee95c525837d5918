package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
	"quipu/repo"
)

func TestExit(t *testing.T) {
	tests := map[string]struct {
		err  error
		exit int
		code string
	}{
		"no error":        {nil, 0, ""},
		"anything":        {errors.New("disk full"), 1, "failure"},
		"damaged":         {repo.ErrDamaged, 1, "damaged"},
		"interrupted":     {context.Canceled, 1, "interrupted"},
		"usage":           {usage("hint", "wrong"), 2, "usage"},
		"invalid":         {repo.ErrInvalid, 2, "invalid"},
		"bad path":        {&policy.PathError{Path: "../x", Rule: "leaves the folder"}, 2, "path"},
		"bad argument":    {&policy.Refusal{Code: policy.Invalid, Reason: "no text"}, 2, "invalid"},
		"not found":       {repo.ErrNotFound, 3, "not_found"},
		"no such line":    {&policy.Refusal{Code: policy.NotFound, Reason: "no line 9"}, 3, "not_found"},
		"stale":           {&repo.StaleError{Path: "MEMORY.md"}, 4, "conflict"},
		"conflict":        {&repo.ConflictError{Change: "X"}, 4, "conflict"},
		"in two notes":    {&policy.Refusal{Code: policy.Conflict, Reason: "twice"}, 4, "conflict"},
		"hash needed":     {repo.ErrNeedHash, 4, "revision_needed"},
		"merge under way": {repo.ErrState, 4, "state"},
		"refused":         {repo.ErrRefused, 5, "refused"},
		"refused by rule": {&policy.Refusal{Code: policy.Refused, Reason: "never"}, 5, "refused"},
		"too large":       {repo.ErrTooLarge, 5, "too-large"},
		"forbidden":       {repo.ErrForbidden, 5, "forbidden"},
		"no undo":         {repo.ErrNoUndo, 5, "no_undo"},
		"off":             {repo.ErrOff, 5, "off"},
		"busy":            {repo.ErrBusy, 6, "busy"},
		"check":           {found(2), 9, "found"},
		"hint keeps it":   {hinted(repo.ErrBusy, "wait"), 6, "busy"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			// An error keeps its meaning however often it is wrapped.
			err := tt.err
			if err != nil {
				err = fmt.Errorf("save: %w", err)
			}
			m := meaningOf(err)
			if m.exit != tt.exit || m.code != tt.code {
				t.Errorf("meaning %d %q, want %d %q", m.exit, m.code, tt.exit, tt.code)
			}
		})
	}
}

func TestReport(t *testing.T) {
	stale := fmt.Errorf("write a.md: %w", &repo.StaleError{Path: "a.md", Current: "x", CurrentHash: "00"})
	tests := map[string]struct {
		err  error
		want string
	}{
		"message and hint": {usage("try this", "that is wrong"), "quipu: that is wrong\nhint: try this\n"},
		"no hint":          {errors.New("disk full"), "quipu: disk full\n"},
		"one line":         {errors.New("a\nb\x1b[2J"), "quipu: a b\uFFFD[2J\n"},
		"stale":            {stale, "quipu: write a.md: a.md changed since it was read\nhint: read it again with `quipu show`, then write on top of that\n"},
		"clashes": {
			&repo.ConflictError{Change: "01X", Clashes: []repo.Clash{{Path: "MEMORY.md", Line: 3, Have: "- c", Want: "", Was: "- b"}}},
			"quipu: change 01X: 1 of its notes changed since\n  MEMORY.md:3\n    is now    - c\n    was       - b\n    would be  (nothing)\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHarness(nil)
			h.env.report(tt.err)
			if diff := cmp.Diff(tt.want, h.err.String()); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
			if h.out.Len() > 0 {
				t.Errorf("standard output has %q, want nothing", h.out.String())
			}
		})
	}
	t.Run("as JSON", func(t *testing.T) {
		h := newHarness(nil)
		h.env.json = true
		h.env.report(stale)
		var got struct {
			Error map[string]any `json:"error"`
		}
		if err := json.Unmarshal(h.err.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{
			"code": "conflict", "message": "write a.md: a.md changed since it was read",
			"hint": "read it again with `quipu show`, then write on top of that", "current": "x", "currentHash": "00",
		}
		if diff := cmp.Diff(want, got.Error); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
	})
}
