package git

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"os/exec"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
)

// stream is a connection that carries a service both ways: ssh's, or a program's.
type stream struct {
	in     io.WriteCloser
	out    io.Reader
	stderr bytes.Buffer
}

// send writes while the answer is read: a server that says much before it has read all
// would wait for us, and we for it.
func (s *stream) send(ctx context.Context, body io.Reader, _ int64) (io.Reader, error) {
	go func() {
		_, _ = io.Copy(s.in, body) // a connection that breaks is seen by whoever reads the answer
		_ = s.in.Close()
	}()
	return s.out, ctx.Err()
}

// bye ends a connection on which nothing was asked.
func (s *stream) bye() {
	if s.in != nil {
		_, _ = io.WriteString(s.in, "0000") // it ends anyway
		_ = s.in.Close()
	}
}

// localWire runs git's service for a folder of this machine.
type localWire struct {
	stream
	e     *endpoint
	watch *watch
	cmd   *exec.Cmd
	shut  io.Closer
}

func (l *localWire) open(ctx context.Context, service string) (io.Reader, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, l.e.at.faultf(FaultNoGit, "a folder needs it")
	}
	cmd := child(ctx, "git", service[len("git-"):], l.e.at.Path)
	cmd.Dir = "/"
	cmd.Env = gitEnviron()
	cmd.Stderr = &limited{to: &l.stderr, most: 1 << 20}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	l.in = &countedWriter{in, l.watch}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	l.cmd, l.shut, l.out = cmd, out, &countedReader{out, l.watch}
	return l.out, nil
}

func (l *localWire) close() string {
	if l.cmd == nil {
		return ""
	}
	l.bye()
	_ = l.shut.Close() // one that still writes ends now
	_ = l.cmd.Wait()   // its last words tell more than its exit status
	reap(l.cmd, childGrace)
	return l.stderr.String()
}

type countedReader struct {
	r io.Reader
	w *watch
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.w.add(n)
	return n, err
}

type countedWriter struct {
	io.WriteCloser
	w *watch
}

func (c *countedWriter) Write(b []byte) (int, error) {
	n, err := c.WriteCloser.Write(b)
	c.w.add(n)
	return n, err
}

// countedConn counts what goes through a connection.
type countedConn struct {
	net.Conn
	w *watch
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.w.add(n)
	return n, err
}

func (c *countedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.w.add(n)
	return n, err
}

// dial connects to the remote's host; its end is the context's.
func (e *endpoint) dial(ctx context.Context, w *watch, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &countedConn{conn, w}, nil
}

// secrets are what no message may hold.
func (e *endpoint) secrets() []string {
	if e.Token == "" {
		return nil
	}
	return []string{e.Token, base64.StdEncoding.EncodeToString([]byte(e.at.User + ":" + e.Token))}
}

// netFault makes a fault of what the network, TLS or the protocol says.
func (e *endpoint) netFault(err error) error {
	f := &RemoteError{Fault: FaultOther, Host: e.at.place(), Said: clean(err.Error(), e.secrets()...), Err: err}
	_, dns := errors.AsType[*net.DNSError](err)
	op, isOp := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, pktline.ErrInvalidPktLen), strings.HasPrefix(err.Error(), "unknown channel"): // which has no type
		f.Fault = FaultBroken
	case dns:
		f.Fault = FaultNoHost
	case untrusted(err):
		f.Fault = FaultTLS
	case isOp && (op.Op == "dial" || op.Op == "proxyconnect"):
		f.Fault = FaultRefused
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), isOp:
		f.Fault = FaultDropped
	}
	return f
}

func untrusted(err error) bool {
	_, a := errors.AsType[*tls.CertificateVerificationError](err)
	_, b := errors.AsType[x509.UnknownAuthorityError](err)
	_, c := errors.AsType[x509.HostnameError](err)
	_, d := errors.AsType[x509.CertificateInvalidError](err)
	_, r := errors.AsType[tls.RecordHeaderError](err)
	_, alert := errors.AsType[tls.AlertError](err)
	return a || b || c || d || r || alert
}
