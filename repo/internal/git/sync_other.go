//go:build !linux

package git

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func datasync(f *os.File) error { return f.Sync() }

func syncAll(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	unix.Sync()
	return errors.Join(f.Sync(), f.Close())
}

// hasWriter cannot be known here.
func hasWriter(*os.File) bool { return false }
