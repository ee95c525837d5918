package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// gitCarrier talks to a remote by the git program. The person's own configuration, agent,
// helpers and proxies count; that of the repository does not.
type gitCarrier struct{ e *endpoint }

const mostListed = 32 << 20 // bytes of a list of refs

func (c *gitCarrier) refs(ctx context.Context) (RemoteState, error) {
	out, err := c.list(ctx)
	if err != nil {
		return RemoteState{}, err
	}
	if out == "" && strings.HasPrefix(c.e.at.Scheme, "http") {
		// git takes any page for a list of refs, as of a server without git. One that
		// speaks git is told by its packets.
		g, err := c.command(ctx, newWatch(c.e.Limit), "", "ls-remote", "--", c.e.at.String())
		if err != nil {
			return RemoteState{}, err
		}
		g.cmd.Env = append(g.cmd.Env, "GIT_TRACE_PACKET=2")
		if _, err := g.run(); err != nil {
			return RemoteState{}, err
		}
		if !strings.Contains(g.stderr.String(), "packet:") {
			return RemoteState{}, c.e.at.faultf(FaultNotGit, "it does not answer as git does")
		}
	}
	return c.readList(out)
}

func (c *gitCarrier) list(ctx context.Context) (string, error) {
	g, err := c.command(ctx, newWatch(c.e.Limit), "", "ls-remote", "--symref", "--", c.e.at.String())
	if err != nil {
		return "", err
	}
	return g.run()
}

func (c *gitCarrier) readList(out string) (RemoteState, error) {
	state := RemoteState{Refs: map[string]Hash{}}
	for line := range strings.Lines(out) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if target, ok := strings.CutPrefix(value, "ref: "); ok && name == "HEAD" {
			state.Head = target
			continue
		}
		h, ok := ParseHash(value)
		switch {
		case len(value) == 64:
			return RemoteState{}, c.e.at.faultf(FaultFormat, "SHA-256")
		case ok && wholeRef(name):
			state.Refs[name] = h
		}
	}
	return state, nil
}

func (c *gitCarrier) fetch(ctx context.Context, in *quarantine, refs []string) (map[string]Hash, error) {
	if err := in.shareRefs(); err != nil {
		return nil, err
	}
	w := newWatch(c.e.Limit)
	w.size, w.most = in.size, c.e.Most
	args := []string{
		"fetch", "--progress", "--no-tags", "--recurse-submodules=no", "--no-prune", "--", c.e.at.String(),
	}
	for i, ref := range refs {
		args = append(args, fmt.Sprintf("+%s:refs/in/%d", ref, i))
	}
	g, err := c.command(ctx, w, in.dir, args...)
	if err != nil {
		return nil, err
	}
	g.progress = ")" // what is behind is a number of bytes, which the size tells better
	if _, err := g.run(); err != nil {
		return nil, err
	}
	if in.size() > c.e.Most {
		return nil, errTooLarge
	}
	in.checked = true
	got := map[string]Hash{}
	for i, ref := range refs {
		b, err := os.ReadFile(filepath.Join(in.dir, "refs", "in", strconv.Itoa(i)))
		if errors.Is(err, fs.ErrNotExist) { // git leaves out a branch that would make our history shallow, without an error
			return nil, c.e.at.faultf(FaultFormat, "it holds no whole history of %s", ref)
		}
		if err != nil {
			return nil, err
		}
		h, ok := ParseHash(strings.TrimSpace(string(b)))
		if !ok {
			return nil, fmt.Errorf("%s: %w", ref, errBroken)
		}
		got[ref] = h
	}
	return got, nil
}

func (c *gitCarrier) push(ctx context.Context, q *quarantine, pushes []RefPush) ([]RefResult, error) {
	atomic := len(pushes) > 1
	for {
		out, err := c.pushOnce(ctx, q, pushes, atomic)
		if atomic && err != nil && strings.Contains(err.Error(), "does not support --atomic") {
			atomic = false
			continue
		}
		return out, err
	}
}

func (c *gitCarrier) pushOnce(ctx context.Context, q *quarantine, pushes []RefPush, atomic bool) ([]RefResult, error) {
	args := []string{"push", "--porcelain", "--progress", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no"}
	if atomic {
		args = append(args, "--atomic")
	}
	for _, p := range pushes {
		args = append(args, "--force-with-lease="+p.Ref+":"+hexOrNone(p.Expect))
	}
	args = append(args, "--", c.e.at.String())
	for _, p := range pushes {
		args = append(args, hexOrNone(p.Local)+":"+p.Ref)
	}
	g, err := c.command(ctx, newWatch(c.e.Limit), q.dir, args...)
	if err != nil {
		return nil, err
	}
	g.progress = "|"
	text, err := g.run()
	out, complete := readPorcelain(text, pushes)
	if !complete {
		if err == nil {
			err = c.e.at.faultf(FaultOther, "git reported nothing")
		}
		return nil, err
	}
	for i := range out {
		out[i].Said = clean(out[i].Said, g.secrets...)
		if words := remoteWords(g.stderr.String()); out[i].Outcome == RefRejected && words != "" {
			out[i].Said = clean(out[i].Said+": "+words, g.secrets...)
		}
	}
	return out, nil
}

func hexOrNone(h Hash) string {
	if h.IsZero() {
		return ""
	}
	return h.String()
}

// readPorcelain reads what `git push --porcelain` says of each ref; complete is false
// when one is missing.
func readPorcelain(text string, pushes []RefPush) (out []RefResult, complete bool) {
	out = make([]RefResult, len(pushes))
	for line := range strings.Lines(text) {
		part := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(part) != 3 || len(part[0]) != 1 {
			continue
		}
		_, ref, _ := strings.Cut(part[1], ":")
		for i, p := range pushes {
			if p.Ref == ref {
				out[i] = RefResult{Ref: ref, Outcome: porcelainOutcome(part[0][0], part[2])}
				if _, words, ok := strings.Cut(part[2], "("); ok && part[0] == "!" {
					out[i].Said = strings.TrimSuffix(words, ")")
				}
			}
		}
	}
	for _, r := range out {
		if r.Outcome == 0 {
			return nil, false
		}
	}
	return out, true
}

func porcelainOutcome(flag byte, summary string) Outcome {
	switch {
	case flag == '=':
		return RefSame
	case flag != '!':
		return RefPushed
	case strings.Contains(summary, "atomic"):
		return RefHeld
	case strings.HasPrefix(summary, "[rejected]"):
		return RefMoved // by the lease; all else was refused before git was asked
	}
	return refusal(summary)
}

// refusal tells a ref that somebody moved meanwhile from one that the server refuses.
func refusal(words string) Outcome {
	for _, w := range [...]string{"failed to update ref", "failed to lock", "cannot lock ref", "incorrect old value", "reference already exists", "fetch first", "stale info"} {
		if strings.Contains(words, w) {
			return RefMoved
		}
	}
	return RefRejected
}

// remoteWords are the lines that the server's side said.
func remoteWords(stderr string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(stderr, "\r", "\n")) {
		if words, ok := strings.CutPrefix(line, "remote: "); ok {
			b.WriteString(words)
		}
	}
	return b.String()
}
