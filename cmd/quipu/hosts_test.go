package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serveGit serves the repositories of a folder: GITSERVER ROOT ADDRESS.
func serveGit() {
	root, addr := os.Args[1], os.Args[2]
	dir, err := exec.Command("git", "--exec-path").Output() //nolint:noctx // it ends at once
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	ln, err := net.Listen("tcp", addr) //nolint:noctx // a test's
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ready")
	h := &cgi.Handler{Path: filepath.Join(strings.TrimSpace(string(dir)), "git-http-backend"), Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1"}}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	fmt.Println(server.Serve(ln))
	os.Exit(1)
}

// hosts are network namespaces on one bridge: a hub that serves a remote, and machines.
type hosts struct {
	t    *testing.T
	dir  string
	mark string // of the names, which all tests of a machine share
}

// ip runs the ip command; what it says is the reason of a skip where the first of its
// kind is not allowed.
func (h *hosts) ip(args ...string) error {
	out, err := exec.CommandContext(h.t.Context(), "ip", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

func (h *hosts) ns(name string) string { return "quipu-" + h.mark + "-" + name }

func (h *hosts) add(name, addr string) error {
	ns, hub := h.ns(name), h.ns("hub")
	if err := h.ip("netns", "add", ns); err != nil {
		return err
	}
	h.t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", ns).Run() }) //nolint:noctx // the test's context has ended
	if name == "hub" {
		return errors.Join(h.ip("-n", ns, "link", "add", "br0", "type", "bridge"), h.ip("-n", ns, "addr", "add", addr, "dev", "br0"),
			h.ip("-n", ns, "link", "set", "lo", "up"), h.ip("-n", ns, "link", "set", "br0", "up"))
	}
	return errors.Join(h.ip("link", "add", "to-"+name, "netns", hub, "type", "veth", "peer", "name", "eth0", "netns", ns),
		h.ip("-n", hub, "link", "set", "to-"+name, "master", "br0", "up"),
		h.ip("-n", ns, "addr", "add", addr, "dev", "eth0"), h.ip("-n", ns, "link", "set", "lo", "up"), h.ip("-n", ns, "link", "set", "eth0", "up"))
}

// run runs quipu on a host, and gives its exit status and all that it says.
func (h *hosts) run(name string, args ...string) (int, string) {
	h.t.Helper()
	cmd := exec.CommandContext(h.t.Context(), "ip", append([]string{"netns", "exec", h.ns(name), "quipu"}, args...)...)
	home := filepath.Join(h.dir, name)
	cmd.Env = append(os.Environ(), "HOME="+home, "QUIPU_HOME="+home, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "TZ=UTC", "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), string(out)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return 0, string(out)
}

func (h *hosts) must(name string, args ...string) string {
	h.t.Helper()
	code, out := h.run(name, args...)
	if code != 0 {
		h.t.Fatalf("%s: quipu %v: %d: %s", name, args, code, out)
	}
	return out
}

// serve starts the remote on the hub.
func (h *hosts) serve(addr string) {
	h.t.Helper()
	cmd := exec.CommandContext(h.t.Context(), "ip", "netns", "exec", h.ns("hub"), "gitserver", h.dir, addr)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		h.t.Fatalf("the remote: %q, %v", line, err)
	}
}

// Three machines on a network share a memory; one is cut off and comes back, and nothing
// that was said to any of them is lost.
func TestThreeHosts(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("network namespaces want root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("network namespaces want the ip program: ", err)
	}
	h := &hosts{t: t, dir: t.TempDir(), mark: fmt.Sprint(os.Getpid())}
	for i, name := range []string{"hub", "a", "b", "c"} {
		if err := h.add(name, fmt.Sprintf("10.77.0.%d/24", i+1)); err != nil {
			t.Skip("network namespaces are not allowed here: ", err)
		}
	}
	shared := filepath.Join(h.dir, "shared.git")
	for _, args := range [][]string{{"init", "-q", "--bare", "-b", "main", shared}, {"-C", shared, "config", "http.receivepack", "true"}} {
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	h.serve("10.77.0.1:80")
	const url = "http://10.77.0.1/shared.git"
	h.must("a", "init", "scout")
	h.must("a", "remember", "Likes tea")
	h.must("a", "remote", "set", url)
	h.must("a", "sync")
	h.must("b", "init", "scout", "--from", url)
	h.must("c", "init", "scout", "--from", url)
	if err := h.ip("-n", h.ns("c"), "link", "set", "eth0", "down"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		h.must(name, "remember", "Fact of "+name)
	}
	began := time.Now()
	if code, out := h.run("c", "sync"); code != exitRemote || !strings.Contains(out, "10.77.0.1") || time.Since(began) > 25*time.Second {
		t.Errorf("cut off: %d after %s: %s", code, time.Since(began), out)
	}
	h.must("c", "remember", "Another of c")
	for _, name := range []string{"a", "b"} {
		h.must(name, "sync")
	}
	if err := h.ip("-n", h.ns("c"), "link", "set", "eth0", "up"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"c", "a", "b"} {
		h.must(name, "sync")
	}
	want := h.must("a", "show")
	for _, name := range []string{"a", "b", "c"} {
		got := h.must(name, "show")
		if got != want {
			t.Errorf("%s has %q, and a %q", name, got, want)
		}
		for _, fact := range []string{"Likes tea", "Fact of a", "Fact of b", "Fact of c", "Another of c"} {
			if strings.Count(got, fact) != 1 {
				t.Errorf("%s: %q stands %d times", name, fact, strings.Count(got, fact))
			}
		}
		h.must(name, "verify")
	}
}
