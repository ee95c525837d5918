package git

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
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

// gitRun is one run of git against a remote.
type gitRun struct {
	c        *gitCarrier
	ctx      context.Context //nolint:containedctx // of this one run: the watch ends it
	asked    context.Context //nolint:containedctx // the caller's
	stop     func()
	cmd      *exec.Cmd
	watch    *watch
	progress string // what ends the part of a progress line that tells progress
	last     string
	partial  []byte
	stdout   bytes.Buffer
	stderr   bytes.Buffer
	secrets  []string
}

// command makes a run of git with everything switched off that could run something,
// ask somebody, or write elsewhere. dir is the repository; "" is none.
func (c *gitCarrier) command(asked context.Context, w *watch, dir string, args ...string) (*gitRun, error) {
	config, env := c.settings()
	if c.e.at.Scheme == "ssh" {
		ssh, err := c.sshCommand(asked)
		if err != nil {
			return nil, err
		}
		env = append(env, ssh...)
	}
	where := dir
	if where == "" {
		where = os.DevNull // no repository is looked for, above the current folder or elsewhere
	}
	ctx, stop := w.run(asked)
	g := &gitRun{c: c, ctx: ctx, asked: asked, stop: stop, watch: w}
	if c.e.Token != "" {
		g.secrets = []string{c.e.Token, base64.StdEncoding.EncodeToString([]byte(c.e.at.User + ":" + c.e.Token))}
	}
	flags := []string{"--git-dir=" + where}
	for _, s := range config {
		flags = append(flags, "-c", s)
	}
	g.cmd = child(ctx, "git", append(flags, args...)...)
	g.cmd.Dir = "/"
	g.cmd.Env = gitEnviron(env...)
	g.cmd.Stdout = &limited{to: &g.stdout, most: mostListed}
	g.cmd.Stderr = writerFunc(g.hear)
	return g, nil
}

// settings are git's, none of them secret, and the environment that goes with them. A
// token is read from the environment by a credential helper that answers for the
// address's own host alone; the person's helpers are not shown it.
func (c *gitCarrier) settings() (config, env []string) {
	config = []string{
		"core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false", "credential.interactive=false",
		"protocol.allow=never", "protocol." + c.e.at.Scheme + ".allow=always", "protocol.version=2",
		"http.followRedirects=initial", "http.lowSpeedLimit=" + strconv.Itoa(slowest), "http.lowSpeedTime=" + strconv.Itoa(max(1, int(c.e.Limit.Seconds()))),
		"fetch.fsckObjects=true", "transfer.fsckObjects=true", "fetch.unpackLimit=1", "transfer.unpackLimit=1",
		"fetch.writeCommitGraph=false", "fetch.recurseSubmodules=no", "fetch.negotiationAlgorithm=consecutive", "fetch.output=full",
		"push.gpgSign=false", "push.recurseSubmodules=no", "push.useForceIfIncludes=false", "push.negotiate=false", "pack.writeReverseIndex=false",
	}
	at := c.e.at
	if at.Scheme == "ssh" || at.Scheme == "file" {
		return config, nil
	}
	if c.e.CA != "" {
		env = append(env, "GIT_SSL_CAINFO="+c.e.CA)
	}
	scope := "credential." + at.Scheme + "://" + at.hostPort()
	if at.User != "" {
		config = append(config, scope+".username="+at.User)
	}
	if c.e.Token != "" {
		config = append(
			config, "credential.helper=",
			scope+`.helper=!f() { test "$1" = get && printf 'username=%s\npassword=%s\n' "$QUIPU_REMOTE_USER" "$QUIPU_REMOTE_TOKEN"; }; f`,
		)
		env = append(env, "QUIPU_REMOTE_USER="+at.User, "QUIPU_REMOTE_TOKEN="+c.e.Token)
	}
	return config, env
}

// sshCommand adds to the person's ssh command that it must not ask, and the remote's own
// key and host keys. What they set for unknown hosts stays.
func (c *gitCarrier) sshCommand(ctx context.Context) (env []string, err error) {
	ssh := os.Getenv("GIT_SSH_COMMAND")
	if ssh == "" && os.Getenv("GIT_SSH") != "" {
		return nil, nil // a program of the person's, whose options we do not know
	}
	if ssh == "" {
		cmd := child(ctx, "git", "--git-dir="+os.DevNull, "config", "--get", "core.sshCommand")
		cmd.Dir, cmd.Env = "/", gitEnviron()
		out, _ := cmd.Output() // an error says that there is none
		reap(cmd, shortGrace)
		ssh = strings.TrimSpace(string(out))
	}
	if ssh == "" {
		if _, err := exec.LookPath("ssh"); err != nil {
			return nil, c.e.at.faultf(FaultOther, "the ssh program is not installed; install it, or set the transport to go-git")
		}
		ssh = "ssh"
	}
	if name := filepath.Base(strings.Fields(ssh)[0]); !strings.HasPrefix(name, "ssh") {
		return []string{"GIT_SSH_COMMAND=" + ssh}, nil // plink and the like have other options
	}
	ssh += " -o BatchMode=yes -o ControlMaster=no"
	if c.e.Key != "" {
		ssh += " -o IdentitiesOnly=yes -i " + shellQuote(c.e.Key)
	}
	if c.e.KnownHosts != "" {
		// ssh splits the value at spaces, and takes quotes for what they are
		ssh += " -o StrictHostKeyChecking=yes -o GlobalKnownHostsFile=/dev/null -o " + shellQuote(`UserKnownHostsFile="`+c.e.KnownHosts+`"`)
	}
	return []string{"GIT_SSH_COMMAND=" + ssh, "GIT_SSH_VARIANT=ssh"}, nil
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// run waits for git and gives what it wrote; its errors are RemoteErrors.
func (g *gitRun) run() (string, error) {
	err := g.cmd.Run()
	cause := context.Cause(g.ctx)
	grace := shortGrace
	if cause != nil && g.c.e.at.Scheme == "file" {
		grace = childGrace
	}
	reap(g.cmd, grace)
	g.stop()
	switch {
	case err == nil:
		return g.stdout.String(), nil
	case g.asked.Err() != nil:
		return "", g.asked.Err()
	case errors.Is(cause, errStalled), errors.Is(cause, errTooLarge):
		return "", g.c.e.local(cause)
	case errors.Is(err, errTooLarge):
		return "", g.c.e.at.faultf(FaultTooLarge, "over %d MiB of refs", mostListed>>20)
	}
	return g.stdout.String(), g.c.e.understand(g.stderr.String(), err, g.secrets)
}

// hear takes in what git says. Its own counts going up are progress; what the server
// says is not.
func (g *gitRun) hear(b []byte) (int, error) {
	const most = 64 << 10
	if g.stderr.Len() < most {
		g.stderr.Write(b)
	}
	g.partial = append(g.partial, b...)
	for {
		i := bytes.IndexAny(g.partial, "\r\n")
		if i < 0 {
			break
		}
		g.line(string(g.partial[:i]))
		g.partial = g.partial[i+1:]
	}
	if len(g.partial) > most {
		g.partial = nil
	}
	return len(b), nil
}

func (g *gitRun) line(s string) {
	if strings.HasPrefix(s, "remote:") || g.progress == "" {
		return
	}
	s, _, _ = strings.Cut(s, g.progress)
	if s != g.last && strings.Contains(s, "%") {
		g.last = s
		g.watch.step()
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// limited writes no more than so many bytes.
type limited struct {
	to   io.Writer
	most int
}

func (l *limited) Write(b []byte) (int, error) {
	if l.most -= len(b); l.most < 0 {
		return 0, errTooLarge
	}
	return l.to.Write(b)
}
