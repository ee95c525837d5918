package server

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// openWait is how long the desktop has to show a folder.
const openWait = 3 * time.Second

// openFolder shows the workspace on the desktop of the machine that the server
// runs on, and so only for somebody who sits there. The folder is never one that
// the request names.
func (s *Server) openFolder(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var target string
	if err := decode(w, r, mustText("target", &target)); err != nil {
		return err
	}
	if !slices.Contains([]string{"obsidian", "folder"}, target) {
		return invalid("target must be obsidian or folder")
	}
	where := map[string]any{"workspacePath": ws.Dir()}
	if !local(r) {
		return &problem{status: http.StatusForbidden, code: "forbidden", sentence: "a folder is only opened for somebody at this machine", extra: where}
	}
	ctx, cancel := context.WithTimeout(r.Context(), openWait)
	defer cancel()
	if err := s.open(ctx, target, ws.Dir()); err != nil {
		return &problem{status: http.StatusInternalServerError, code: "open", sentence: "the desktop did not open the folder", extra: where, cause: err}
	}
	send(w, http.StatusOK, map[string]any{"ok": true, "workspacePath": ws.Dir()})
	return nil
}

// local says whether a request was made on this machine and not passed on by a
// proxy here for somebody elsewhere.
func local(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded") || slices.Contains([]string{"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip"}, name) {
			return false
		}
	}
	if overSocket(r) {
		return true
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && at.Addr().Unmap().IsLoopback()
}

func openOnDesktop(ctx context.Context, target, dir string) error {
	what := dir
	if target == "obsidian" {
		what = "obsidian://open?path=" + strings.ReplaceAll(url.QueryEscape(dir), "+", "%20")
	}
	tool := "xdg-open"
	if runtime.GOOS == "darwin" {
		tool = "open"
	}
	return exec.CommandContext(ctx, tool, what).Run()
}
