package git

import (
	"encoding/binary"
	"io/fs"
	"os"
	"syscall"
)

// stat is what tells one version of a file from another without reading it.
type stat struct {
	dev, ino              uint64
	uid, gid              uint32
	size                  int64
	mtime, mnsec          int64
	ctime, cnsec          int64
	regular, dir, symlink bool
}

func statOf(fi fs.FileInfo) stat {
	var s stat
	if sys, ok := fi.Sys().(*syscall.Stat_t); ok {
		s = fromSys(sys)
	}
	s.size = fi.Size()
	s.regular, s.dir, s.symlink = fi.Mode().IsRegular(), fi.IsDir(), fi.Mode()&fs.ModeSymlink != 0
	return s
}

func lstat(path string) (stat, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return stat{}, err
	}
	return statOf(fi), nil
}

// sameContent says whether nothing wrote to the file between two looks: inode,
// size and time of change are the same. A link made or removed does not count.
func (s stat) sameContent(o stat) bool {
	return s.ino == o.ino && s.size == o.size && s.mtime == o.mtime && s.mnsec == o.mnsec
}

func (s stat) encode(e []byte) {
	be := binary.BigEndian
	be.PutUint32(e[0:], uint32(s.ctime))
	be.PutUint32(e[4:], uint32(s.cnsec))
	be.PutUint32(e[8:], uint32(s.mtime))
	be.PutUint32(e[12:], uint32(s.mnsec))
	be.PutUint32(e[16:], uint32(s.dev))
	be.PutUint32(e[20:], uint32(s.ino))
	be.PutUint32(e[28:], s.uid)
	be.PutUint32(e[32:], s.gid)
	be.PutUint32(e[36:], uint32(s.size))
}

func decodeStat(e []byte) stat {
	be := binary.BigEndian
	u := func(i int) int64 { return int64(be.Uint32(e[i:])) }
	return stat{
		ctime: u(0), cnsec: u(4), mtime: u(8), mnsec: u(12),
		dev: uint64(u(16)), ino: uint64(u(20)), size: u(36),
	}
}

// staged says whether a file with facts s is the one that an index entry was
// made from; fields that the index cuts to 32 bits are compared so.
func (s stat) staged(entry stat) bool {
	return entry.size == int64(uint32(s.size)) && entry.size != 0 &&
		entry.mtime == int64(uint32(s.mtime)) && entry.mnsec == s.mnsec &&
		entry.ctime == int64(uint32(s.ctime)) && entry.cnsec == s.cnsec &&
		entry.ino == uint64(uint32(s.ino))
}

// racy says whether a file changed at the time t or later, or so shortly before that
// the clock of the file system, which ticks in milliseconds, may not show it: an edit
// of the same size in that tick would leave no trace in the file's facts.
func (s stat) racy(t stat) bool {
	const tick = 20e6
	return (s.mtime-t.mtime)*1e9+s.mnsec+tick >= t.mnsec
}
