package git

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// With the git program the person's own settings count: a credential helper that they
// have, and their ssh command, which is told not to ask.
func TestRemotePersonsGit(t *testing.T) {
	apart(t)
	_, r := openHome(t)
	tip := commits(t, r, 1)
	dir := t.TempDir()
	global, log := filepath.Join(dir, "gitconfig"), filepath.Join(dir, "log")
	t.Setenv("GIT_CONFIG_GLOBAL", global)

	bare := newBare(t)
	m := httpsRemote(t, bare)
	m.Transport = ViaGit
	helper := fmt.Sprintf("[credential]\n\thelper = \"!f() { echo $1 >>'%s'; test $1 = get && printf 'username=x\\\\npassword=%s\\\\n'; }; f\"\n", log, testToken)
	must(t, os.WriteFile(global, []byte(helper), 0o600))
	same(t, "with the token", []Outcome{RefPushed}, pushTo(t, r, m, RefPush{Ref: mainRef, Local: tip}))
	if b, err := os.ReadFile(log); err == nil {
		t.Errorf("the person's helper was shown the token: %s", b)
	}
	m.Token = ""
	_, err := r.RemoteRefs(context.Background(), m)
	must(t, err)
	if b, err := os.ReadFile(log); err != nil || !strings.HasPrefix(string(b), "get") {
		t.Errorf("the person's helper was not asked: %s %v", b, err)
	}

	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("the ssh program is not installed")
	}
	wrap := filepath.Join(dir, "ssh-wrap")
	must(t, os.WriteFile(wrap, fmt.Appendf(nil, "#!/bin/sh\necho \"$*\" >>'%s'\nexec %s \"$@\"\n", log, ssh), 0o700)) //nolint:gosec // a program
	must(t, os.WriteFile(global, []byte("[core]\n\tsshCommand = "+wrap+" -v\n"), 0o600))
	s := newSSHServer(t)
	m = s.remote(bare)
	m.Transport = ViaGit
	_, err = r.RemoteRefs(context.Background(), m)
	must(t, err)
	b, err := os.ReadFile(log)
	must(t, err)
	for _, want := range []string{"-v", "BatchMode=yes", "StrictHostKeyChecking=yes"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("ssh was run without %s: %s", want, b)
		}
	}
}

// A person who turns https into ssh by their settings gets that.
func TestRemoteInsteadOf(t *testing.T) {
	apart(t)
	needSSH(t, ViaGit)
	_, r := openHome(t)
	tip := commits(t, r, 1)
	bare := newBare(t)
	pushTo(t, r, Remote{URL: bare}, RefPush{Ref: mainRef, Local: tip})
	s := newSSHServer(t)
	global := filepath.Join(t.TempDir(), "gitconfig")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	must(t, os.WriteFile(global, fmt.Appendf(nil, "[url \"ssh://eve@%s%s/\"]\n\tinsteadOf = https://example.invalid/\n", s.address, filepath.Dir(bare)), 0o600))
	m := s.remote(bare)
	m.URL, m.Transport = "https://example.invalid/r.git", ViaGit
	state, err := r.RemoteRefs(context.Background(), m)
	must(t, err)
	same(t, "refs", map[string]Hash{mainRef: tip}, state.Refs)
	must(t, os.WriteFile(global, []byte("[url \"ext::touch\"]\n\tinsteadOf = https://example.invalid/\n"), 0o600))
	if _, err := r.RemoteRefs(context.Background(), m); FaultOf(err) != FaultProtocol {
		t.Errorf("a helper protocol by way of the settings: %v", err)
	}
}

// No token stands where other users of the machine can read it.
func TestRemoteTokenIsNoArgument(t *testing.T) {
	e, err := Remote{URL: "https://ada@example.org/m.git", Token: testToken}.endpoint()
	must(t, err)
	g, err := (&gitCarrier{e}).command(context.Background(), newWatch(testLimit), "", "ls-remote", "--", e.at.String())
	must(t, err)
	defer g.stop()
	if all := strings.Join(g.cmd.Args, "\n"); strings.Contains(all, testToken) || !strings.Contains(all, "credential.https://example.org.username=ada") {
		t.Errorf("arguments: %s", all)
	}
}

func TestRemoteWithoutGit(t *testing.T) {
	apart(t)
	bare := newBare(t)
	m := httpsRemote(t, bare) // its server knows where git is
	_, r := openHome(t)
	tip := commits(t, r, 1)
	t.Setenv("PATH", t.TempDir())
	same(t, "auto", []Outcome{RefPushed}, pushTo(t, r, m, RefPush{Ref: mainRef, Local: tip}))
	for _, c := range []Remote{{URL: bare}, {URL: bare, Transport: ViaGoGit}, {URL: m.URL, Transport: ViaGit}} {
		if _, err := r.RemoteRefs(context.Background(), c); FaultOf(err) != FaultNoGit {
			t.Errorf("%s %s: %v", c.URL, c.Transport, err)
		}
	}
}

// Fetches run beside writers and each other, and an open reader sees what came.
func TestRemoteBesideWriters(t *testing.T) {
	apart(t)
	bare := newBare(t)
	_, a := openHome(t)
	h, b := openHome(t)
	commits(t, b, 1)
	old := Hash{}
	for i := range 6 {
		via := []string{ViaGit, ViaGoGit}[i%2]
		m := Remote{URL: bare, Transport: via}
		tip := commits(t, a, 1+i*8)
		same(t, "push", []Outcome{RefPushed}, pushTo(t, a, m, RefPush{Ref: mainRef, Local: tip, Expect: old}))
		old = tip
		var wg sync.WaitGroup
		wg.Go(func() {
			for range 5 {
				if err := add(b, "MEMORY.md", "- beside"); err != nil {
					t.Error(err)
				}
			}
		})
		for n := range 2 {
			wg.Go(func() {
				if _, err := b.Fetch(context.Background(), m, map[string]string{mainRef: fmt.Sprintf("refs/remotes/o%d/main", n)}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for n := range 2 {
			got, err := b.readRef(fmt.Sprintf("refs/remotes/o%d/main", n))
			must(t, err)
			same(t, "tracking ref", tip, got)
		}
		_, err := b.BlobsAt(tip)
		must(t, err)
	}
	h.sound()
	next := h.reopen(b)
	_, err := next.BlobsAt(old)
	must(t, err)
}
