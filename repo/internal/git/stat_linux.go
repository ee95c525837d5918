package git

import "syscall"

func fromSys(s *syscall.Stat_t) stat {
	return stat{
		dev: s.Dev, ino: s.Ino, uid: s.Uid, gid: s.Gid, //nolint:unconvert // widths differ between systems
		mtime: int64(s.Mtim.Sec), mnsec: int64(s.Mtim.Nsec),
		ctime: int64(s.Ctim.Sec), cnsec: int64(s.Ctim.Nsec),
	}
}
