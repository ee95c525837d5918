package git

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's object format
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// Hash is a git object id. The zero Hash stands for "no object".
type Hash = plumbing.Hash

// Kind is the type of an object.
type Kind uint8

// The kinds of object that quipu reads and writes; values are those of git's packs.
const (
	KindCommit Kind = 1
	KindTree   Kind = 2
	KindBlob   Kind = 3
	KindTag    Kind = 4
)

func (k Kind) String() string {
	switch k {
	case KindCommit:
		return "commit"
	case KindTree:
		return "tree"
	case KindTag:
		return "tag"
	default:
		return "blob"
	}
}

func kindOf(name string) (Kind, bool) {
	for k := KindCommit; k <= KindTag; k++ {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// ParseHash reads 40 hex digits.
func ParseHash(s string) (Hash, bool) {
	if len(s) != 40 || !plumbing.IsHash(s) {
		return Hash{}, false
	}
	return plumbing.NewHash(s), true
}

// HashBlob is the id that text has as a blob.
func HashBlob(text []byte) Hash { return hashObject(KindBlob, text) }

func compareHash(a, b Hash) int { return bytes.Compare(a[:], b[:]) }

func hashObject(k Kind, raw []byte) Hash {
	h := sha1.New() //nolint:gosec // git's object format
	h.Write(objectHeader(k, len(raw)))
	h.Write(raw)
	var sum Hash
	h.Sum(sum[:0])
	return sum
}

func objectHeader(k Kind, size int) []byte {
	b := append([]byte(k.String()), ' ')
	b = strconv.AppendInt(b, int64(size), 10)
	return append(b, 0)
}
