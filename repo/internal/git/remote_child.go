package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// How long programs may take to end when they are told to. A git that writes into a
// folder next door takes its locks away meanwhile; others have nothing to put in order,
// and where nobody collects the dead they seem to live on.
const (
	childGrace = 500 * time.Millisecond
	shortGrace = 10 * time.Millisecond
)

// child runs a program with all that it starts as one group, which ends with the
// context and never outlives the call.
func child(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = childGrace
	return cmd
}

// reap ends what a child left running. It is called when the child has been waited for.
func reap(cmd *exec.Cmd, grace time.Duration) {
	if cmd.Process == nil {
		return
	}
	group := -cmd.Process.Pid
	_ = syscall.Kill(group, syscall.SIGTERM) // an error says that nothing is left
	for end := time.Now().Add(grace); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if errors.Is(syscall.Kill(group, 0), syscall.ESRCH) {
			return
		}
	}
	_ = syscall.Kill(group, syscall.SIGKILL) // likewise
}

// gitEnviron is the environment of a git that talks to a remote: the person's own, without
// what would point it to another repository or make it ask somebody.
func gitEnviron(more ...string) []string {
	drop := map[string]bool{
		"GIT_DIR": true, "GIT_WORK_TREE": true, "GIT_INDEX_FILE": true, "GIT_OBJECT_DIRECTORY": true, "GIT_NAMESPACE": true,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES": true, "GIT_COMMON_DIR": true, "GIT_CEILING_DIRECTORIES": true, "GIT_QUARANTINE_PATH": true,
		"GIT_CONFIG": true, "GIT_CONFIG_PARAMETERS": true, "GIT_CONFIG_COUNT": true, "GIT_PROTOCOL_FROM_USER": true, "GIT_ALLOW_PROTOCOL": true,
		"GIT_EXTERNAL_DIFF": true, "GIT_PROXY_COMMAND": true,
		"GIT_ASKPASS": true, "SSH_ASKPASS": true, "SSH_ASKPASS_REQUIRE": true, "DISPLAY": true, "WAYLAND_DISPLAY": true,
		"GIT_TRACE": true, "GIT_TRACE_CURL": true, "GIT_TRACE_PACKET": true, "GIT_CURL_VERBOSE": true, "GIT_SSL_NO_VERIFY": true,
	}
	var env []string
	for _, v := range os.Environ() {
		if name := envName(v); !drop[name] {
			env = append(env, v)
		}
	}
	return append(append(env, "LC_ALL=C", "LANGUAGE=", "GIT_TERMINAL_PROMPT=0", "GCM_INTERACTIVE=never", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
		"GIT_PROTOCOL_FROM_USER=0", "GIT_OPTIONAL_LOCKS=0", "GIT_FLUSH=1"), more...)
}

func envName(v string) string {
	for i := range len(v) {
		if v[i] == '=' {
			return v[:i]
		}
	}
	return v
}
