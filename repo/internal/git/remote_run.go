package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

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
	if c.e.at.Scheme != "file" { // https, too: the person's settings may turn it into ssh (url.*.insteadOf)
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
	g := &gitRun{c: c, ctx: ctx, asked: asked, stop: stop, watch: w, secrets: c.e.secrets()}
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
		"http.followRedirects=initial", "http.postBuffer=" + strconv.Itoa(8<<20), // some servers take no body of unknown length
		"http.lowSpeedLimit=" + strconv.Itoa(slowest), "http.lowSpeedTime=" + strconv.Itoa(max(1, int(c.e.Limit.Seconds()))),
		"fetch.fsckObjects=true", "transfer.fsckObjects=true", "fetch.unpackLimit=1", "transfer.unpackLimit=1",
		"fetch.writeCommitGraph=false", "fetch.recurseSubmodules=no", "fetch.negotiationAlgorithm=consecutive", "fetch.output=full",
		"push.gpgSign=false", "push.recurseSubmodules=no", "push.useForceIfIncludes=false", "push.negotiate=false", "pack.writeReverseIndex=false",
	}
	at := c.e.at
	if at.Scheme == "file" {
		return config, nil
	}
	config = append(config, "protocol.https.allow=always", "protocol.ssh.allow=always")
	if at.Scheme == "ssh" {
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
		if _, err := exec.LookPath("ssh"); err != nil && c.e.at.Scheme == "ssh" {
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
