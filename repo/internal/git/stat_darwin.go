package git

import "syscall"

func fromSys(s *syscall.Stat_t) stat {
	return stat{
		dev: uint64(s.Dev), ino: s.Ino, uid: s.Uid, gid: s.Gid,
		mtime: s.Mtimespec.Sec, mnsec: s.Mtimespec.Nsec,
		ctime: s.Ctimespec.Sec, cnsec: s.Ctimespec.Nsec,
	}
}
