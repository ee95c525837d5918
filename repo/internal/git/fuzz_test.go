package git

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func sampleRecord() *record {
	blob := newObject(KindBlob, []byte("- a line\n"))
	tree := newObject(KindTree, append([]byte("100644 MEMORY.md\x00"), blob.hash[:]...))
	delta := newObject(KindBlob, bytes.Repeat([]byte("- a line\n"), 40))
	delta.deltaAgainst(HashBlob([]byte("old")), bytes.Repeat([]byte("- a line\n"), 39))
	return &record{
		seq: 8, kind: recordChange, more: true, branch: "refs/heads/main", old: blob.hash, new: tree.hash, subject: "add: - a line",
		objects: []object{blob, tree, delta}, files: []fileChange{{"MEMORY.md", Hash{}, blob.hash}},
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(sampleRecord().encode(3, 99), uint64(3), uint64(8), uint32(99))
	f.Add((&record{seq: 1, kind: recordVoid}).encode(1, 0), uint64(1), uint64(1), uint32(0))
	f.Add([]byte("QREC"), uint64(0), uint64(0), uint32(0))
	f.Fuzz(func(t *testing.T, b []byte, epoch, seq uint64, link uint32) {
		c, err := decodeRecord(b, epoch, seq, link)
		if err != nil {
			return
		}
		again, err := decodeRecord(c.encode(epoch, link), epoch, seq, link)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		opts := []cmp.Option{cmp.AllowUnexported(record{}, object{}, fileChange{}), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(record{}, "sum")}
		if d := cmp.Diff(c, again, opts...); d != "" {
			t.Error(d)
		}
	})
}

// TestRecordIsWhole: no record with a single altered or missing byte is taken.
func TestRecordIsWhole(t *testing.T) {
	whole := sampleRecord().encode(3, 99)
	n := int(whole[4])<<24 | int(whole[5])<<16 | int(whole[6])<<8 | int(whole[7])
	for i := range n {
		b := bytes.Clone(whole)
		b[i] ^= 1
		if _, err := decodeRecord(b, 3, 8, 99); err == nil {
			t.Errorf("byte %d may be altered", i)
		}
		if _, err := decodeRecord(whole[:i], 3, 8, 99); err == nil {
			t.Errorf("%d bytes are enough", i)
		}
	}
	for name, args := range map[string]struct {
		epoch, seq uint64
		link       uint32
	}{"epoch": {4, 8, 99}, "seq": {3, 9, 99}, "link": {3, 8, 98}} {
		if _, err := decodeRecord(whole, args.epoch, args.seq, args.link); err == nil {
			t.Errorf("a record of another %s is taken", name)
		}
	}
}

func FuzzHeader(f *testing.F) {
	f.Add(walHeader{epoch: 1, seq: 2, branch: "refs/heads/main", head: HashBlob(nil), at: time.Unix(1, 2)}.encode())
	f.Add([]byte(walMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, ok := decodeHeader(b)
		if !ok {
			return
		}
		if again, ok := decodeHeader(h.encode()); !ok || again != h {
			t.Errorf("%+v became %+v", h, again)
		}
	})
}

func FuzzIndex(f *testing.F) {
	x := emptyIndex()
	x.set("MEMORY.md", HashBlob(nil), &stat{size: 7, mtime: 9})
	f.Add(x.encode())
	x.set("memory/topic.md", HashBlob([]byte("x")), nil)
	f.Add(x.encode())
	f.Add(emptyIndex().encode())
	f.Add(append(bytes.Clone(x.raw), make([]byte, 20)...)) // no checksum
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := parseIndex(b)
		if err != nil {
			return
		}
		x.set("memory/new.md", HashBlob(nil), &stat{size: 1})
		again, err := parseIndex(x.encode())
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if d := cmp.Diff(x.at, again.at); d != "" {
			t.Error(d)
		}
		for name := range again.at {
			again.remove(name)
		}
		if !bytes.Equal(again.raw[12:], nil) {
			t.Errorf("%d bytes are left in an empty index", len(again.raw)-12)
		}
	})
}

func FuzzTree(f *testing.F) {
	f.Add(append([]byte("100644 MEMORY.md\x00"), make([]byte, 20)...), "memory")
	f.Add(append([]byte("40000 memory\x00"), make([]byte, 20)...), "a")
	f.Add([]byte("100644 x\x00short"), "x")
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		n, err := parseTree(Hash{1}, raw)
		if err != nil {
			return
		}
		if name == "" || bytes.ContainsAny([]byte(name), "/\x00") {
			return
		}
		var made []object
		next, err := n.splice(name, modeFile, Hash{2}, nil, &made)
		if err != nil {
			t.Fatalf("a file cannot be put into a tree that was read: %v", err)
		}
		if i, ok := next.search(name, modeFile); !ok || next.child(i) != (Hash{2}) {
			t.Error("the file is not found again")
		}
		if back, err := next.splice(name, modeFile, Hash{}, nil, &made); err != nil || len(back.entries) != len(next.entries)-1 {
			t.Errorf("taking it out: %v", err)
		}
	})
}

func FuzzCommit(f *testing.F) {
	who := Signature{Name: "Ada", Email: "ada@localhost", When: time.Unix(1_700_000_000, 0).UTC()}
	f.Add(encodeCommit(&Commit{Tree: HashBlob(nil), Author: who, Committer: who, Message: "subject\n\nKey: value\n"}))
	f.Add([]byte("tree x\nauthor <\n\n"))
	f.Add([]byte("tree " + HashBlob(nil).String() + "\nauthor > < 9 +9999\nparent y\n\nm"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := parseCommit(Hash{1}, raw)
		if err != nil {
			return
		}
		again, err := parseCommit(Hash{1}, encodeCommit(c))
		if err != nil {
			t.Fatal(err)
		}
		if again.Message != c.Message || again.Tree != c.Tree || !cmp.Equal(again.Parents, c.Parents) {
			t.Errorf("%+v became %+v", c, again)
		}
		if c.Author.When.Year() < 2200 && c.Author.When.Year() > 1971 && !again.Author.When.Equal(c.Author.When) {
			t.Errorf("the date %v became %v", c.Author.When, again.Author.When)
		}
	})
}

func FuzzTrailers(f *testing.F) {
	for _, s := range []string{"subject\n\nbody\n\nKey: value\nOther: x\n  more\n", "", "\n\n", "a\n\n: x", "a\n\nKey: v\nnot one"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		for _, tr := range Trailers(message) {
			if !trailerKey(tr.Key) {
				t.Errorf("key %q", tr.Key)
			}
		}
	})
}

func FuzzInflate(f *testing.F) {
	var d deflater
	z, err := d.deflate(KindBlob, []byte("- a line\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(z)
	f.Add(z[:len(z)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		var pool inflaters
		kind, raw, err := pool.inflate(bytes.NewReader(b))
		if err != nil {
			return
		}
		z, err := d.deflate(kind, raw)
		if err != nil {
			t.Fatal(err)
		}
		if k, again, err := pool.inflate(bytes.NewReader(z)); err != nil || k != kind || !bytes.Equal(raw, again) {
			t.Errorf("%v", err)
		}
	})
}
