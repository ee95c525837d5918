package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// serving runs Serve on a loopback port until the test ends, or stop is called.
func (h *harness) serving() (addr string, stop func() error) {
	h.t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(h.t.Context(), "tcp", "127.0.0.1:0")
	must(h.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(ctx, ln) }()
	done := false
	stop = func() error {
		if done {
			return nil
		}
		done = true
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(10 * time.Second):
			return fmt.Errorf("still serving")
		}
	}
	h.t.Cleanup(func() { must(h.t, stop()) })
	return ln.Addr().String(), stop
}

// ask sends one request over the wire and gives the status.
func (h *harness) ask(addr, path string) int {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, "http://"+addr+path, nil)
	must(h.t, err)
	as(h.tokens["owner"])(r)
	resp, err := http.DefaultClient.Do(r)
	must(h.t, err)
	defer func() { must(h.t, resp.Body.Close()) }()
	_, err = io.Copy(io.Discard, resp.Body)
	must(h.t, err)
	return resp.StatusCode
}

func TestServe(t *testing.T) {
	h := newHarness(t)
	addr, stop := h.serving()
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, scout + "/memory": 200, "/nowhere": 404} {
		if got := h.ask(addr, path); got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
	}
	must(t, stop())
	if _, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr); err == nil {
		t.Error("the port still answers")
	}
}

// TestServeLetsRequestsFinish stops the server while a request is under way.
func TestServeLetsRequestsFinish(t *testing.T) {
	h := newHarness(t)
	begun, release := make(chan struct{}), make(chan struct{})
	h.server.open = func(context.Context, string, string) error {
		close(begun)
		<-release
		return nil
	}
	addr, stop := h.serving()
	status := make(chan int, 1)
	go func() {
		r, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://"+addr+scout+"/memory/open", strings.NewReader(`{"target":"folder"}`))
		as(h.tokens["owner"])(r)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			status <- 0
			return
		}
		_ = resp.Body.Close()
		status <- resp.StatusCode
	}()
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	select {
	case err := <-stopped:
		t.Fatalf("stopped (%v) with a request under way", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if got := <-status; got != 200 {
		t.Errorf("the request under way got %d, want 200", got)
	}
	must(t, <-stopped)
}

// wire sends bytes and gives the first line that comes back.
func wire(t *testing.T, addr, text string) string {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	must(t, err)
	defer func() { _ = conn.Close() }()
	must(t, conn.SetDeadline(time.Now().Add(headerTimeout+5*time.Second)))
	_, err = io.WriteString(conn, text)
	must(t, err)
	line, _ := bufio.NewReader(conn).ReadString('\n')
	return line
}

func TestHostTricksOverTheWire(t *testing.T) {
	h := newHarness(t)
	addr, _ := h.serving()
	for name, tt := range map[string]struct{ text, want string }{
		"two hosts":     {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\n\r\n", "400"},
		"no host":       {"GET /healthz HTTP/1.1\r\n\r\n", "400"},
		"old protocol":  {"GET /healthz HTTP/1.0\r\n\r\n", "421"},
		"empty host":    {"GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", "421"},
		"port alone":    {"GET /healthz HTTP/1.1\r\nHost: :7717\r\nConnection: close\r\n\r\n", "421"},
		"whole address": {"GET http://evil.com/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "421"},
		"right":         {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "200"},
		"large header":  {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", "431"},
	} {
		if got := wire(t, addr, tt.text); !strings.Contains(got, " "+tt.want+" ") {
			t.Errorf("%s: got %q, want %s", name, got, tt.want)
		}
	}
}

// TestSlowClientsAreCutOff holds connections open with half a request and asks on
// another one meanwhile.
func TestSlowClientsAreCutOff(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	addr, _ := h.serving()
	conns := make([]net.Conn, 0, 20)
	for range 20 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		must(t, err)
		defer func() { _ = conn.Close() }()
		_, err = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
		must(t, err)
		conns = append(conns, conn)
	}
	if got := h.ask(addr, "/healthz"); got != 200 {
		t.Errorf("beside slow clients: got %d", got)
	}
	for _, conn := range conns {
		must(t, conn.SetReadDeadline(time.Now().Add(headerTimeout+3*time.Second)))
		if _, err := io.ReadAll(conn); err != nil && os.IsTimeout(err) {
			t.Fatalf("a slow client was still connected after %v", headerTimeout+3*time.Second)
		}
	}
}

func TestServeSaysWhyItCannot(t *testing.T) {
	h := newHarness(t)
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	must(t, ln.Close())
	if err := h.server.Serve(t.Context(), ln); err == nil {
		t.Error("served on a closed listener")
	}
}
