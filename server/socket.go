package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
)

// maxSocketPath is what every system takes as the path of a socket, in bytes.
const maxSocketPath = 100

// ListenUnix listens on a socket file that nobody but this user reaches: the file is 0600,
// and its folder must be closed to others. A file that a dead server left behind is replaced;
// one that a server answers at is syscall.EADDRINUSE. Closing the listener takes the file
// away.
func ListenUnix(ctx context.Context, path string) (net.Listener, error) {
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("the path of a socket has at most %d bytes", maxSocketPath)
	}
	if err := closedFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := takeOver(ctx, path); err != nil {
		return nil, err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return ln, nil
}

// closedFolder refuses a folder that others may look into or write to.
func closedFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("others may reach into %s, which is %#o", dir, info.Mode().Perm())
	}
	return nil
}

// takeOver takes away the socket of a server that is no more, and nothing else.
func takeOver(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is there, and is no socket", path)
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err == nil {
		return errors.Join(syscall.EADDRINUSE, conn.Close())
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return err
	}
	return os.Remove(path)
}

// overSocket says whether a request came over a socket file, so from this machine.
func overSocket(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && at.Network() == "unix"
}
