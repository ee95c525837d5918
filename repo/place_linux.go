package repo

import (
	"os"
	"syscall"
)

// networkDisk names the kind of network file system that dir lies on, "" for none.
func networkDisk(dir string) string {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return ""
	}
	switch uint32(s.Type) { // magic numbers of statfs(2)
	case 0x6969:
		return "NFS"
	case 0xff534d42, 0xfe534d42, 0x517b:
		return "SMB"
	case 0x01021997:
		return "9p"
	}
	return ""
}

func ownerOf(path string) (uid int, ok bool) {
	fi, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}
