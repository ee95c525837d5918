package git

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pathGen makes paths that sort in tricky ways: "a", "a.md", "a/b", "a-b", "a0".
func pathGen() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{"a", "a.md", "a-b", "a0", "A", "memory", "memory.md", "é.md", "log", "MEMORY.md", strings.Repeat("x", 200)})
	return rapid.Map(rapid.SliceOfN(part, 1, 3), func(p []string) string { return strings.Join(p, "/") })
}

// model is what the index or the tree should hold: a file takes a folder's place
// and a folder a file's.
type model map[string]Hash

func (m model) set(path string, blob Hash) {
	for other := range m {
		if strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/") {
			delete(m, other)
		}
	}
	m[path] = blob
}

func (m model) text() string {
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "100644 %s\t%s\n", m[p], p)
	}
	return b.String()
}

func TestIndexAgainstGit(t *testing.T) {
	h := newHome(t)
	blobs := h.someBlobs()
	rapid.Check(t, func(rt *rapid.T) {
		x, want := emptyIndex(), model{}
		for range rapid.IntRange(0, 30).Draw(rt, "steps") {
			path := pathGen().Draw(rt, "path")
			if rapid.IntRange(0, 3).Draw(rt, "remove") == 0 {
				x.remove(path)
				delete(want, path)
				continue
			}
			blob := rapid.SampledFrom(blobs).Draw(rt, "blob")
			x.set(path, blob, nil)
			want.set(path, blob)
		}
		h.gitFile("index", string(x.encode()))
		var got strings.Builder
		for line := range strings.Lines(h.git("-c", "core.quotePath=false", "ls-files", "--stage")) {
			got.WriteString(strings.Replace(line, " 0\t", "\t", 1))
		}
		if d := cmp.Diff(want.text(), got.String()); d != "" {
			rt.Fatalf("git reads something else:\n%s", d)
		}
		back, err := parseIndex(x.encode())
		if err != nil {
			rt.Fatal(err)
		}
		if d := cmp.Diff(x.at, back.at); d != "" {
			rt.Fatal(d)
		}
	})
}

func (h *home) someBlobs() []Hash {
	h.t.Helper()
	var blobs []Hash
	for i := range 3 {
		file := filepath.Join(h.t.TempDir(), "blob")
		text := fmt.Appendf(nil, "blob %d\n", i)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			h.t.Fatal(err)
		}
		h.git("hash-object", "-w", file)
		blobs = append(blobs, HashBlob(text))
	}
	return blobs
}

func TestTreeAgainstGit(t *testing.T) {
	h := newHome(t)
	blobs := h.someBlobs()
	r := h.open()
	rapid.Check(t, func(rt *rapid.T) {
		root, want := &node{}, model{}
		var made []object
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			path := pathGen().Draw(rt, "path")
			blob := Hash{}
			if rapid.IntRange(0, 3).Draw(rt, "remove") > 0 {
				blob = rapid.SampledFrom(blobs).Draw(rt, "blob")
			}
			next, err := r.put(root, path, blob, &made)
			if err != nil {
				rt.Fatal(err)
			}
			root = next
			if blob.IsZero() {
				delete(want, path)
			} else {
				want.set(path, blob)
			}
			if got, err := r.find(root, path); err != nil || got != blob {
				rt.Fatalf("%s holds %s, %v; want %s", path, got, err, blob)
			}
		}
		for i := range made {
			if err := checkDelta(&made[i], made[:i]); err != nil {
				rt.Fatal(err)
			}
			if err := r.writeLoose(&made[i], false); err != nil {
				rt.Fatal(err)
			}
		}
		if len(root.entries) == 0 {
			return
		}
		got := strings.ReplaceAll(h.git("-c", "core.quotePath=false", "ls-tree", "-r", root.hash.String()), " blob ", " ")
		if d := cmp.Diff(want.text(), got); d != "" {
			rt.Fatalf("git reads something else:\n%s", d)
		}
	})
	if out, err := h.tryGit("fsck", "--strict", "--no-dangling"); err != nil {
		t.Errorf("git fsck: %s", out)
	}
}

// checkDelta rebuilds an object from its record form.
func checkDelta(o *object, before []object) error {
	c := *o
	if c.base.IsZero() {
		return c.restore(nil)
	}
	for i := range before {
		if before[i].hash == c.base {
			c.raw = nil
			if err := c.restore(before[i].raw); err != nil {
				return err
			}
			if !bytes.Equal(c.raw, o.raw) {
				return fmt.Errorf("object %s is rebuilt differently", c.hash)
			}
			return nil
		}
	}
	return fmt.Errorf("object %s has a base that comes later", c.hash)
}

// TestRecordFileLaw: whatever is added, taken back and checkpointed, with writes
// that fail half-way and leave what they leave, a reader finds what was promised.
func TestRecordFileLaw(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wal")
	rapid.Check(t, func(rt *rapid.T) {
		if err := os.RemoveAll(path); err != nil {
			rt.Fatal(err)
		}
		failing := false
		d := &disk{fault: func(op, _ string) error {
			if failing && (op == "pwrite" || op == "datasync") && rapid.Bool().Draw(rt, "fault") {
				return errBroken
			}
			return nil
		}}
		w, err := openWAL(d, path, func() walHeader { return walHeader{epoch: 1} })
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = w.f.Close() }()
		if _, err := w.load(); err != nil {
			rt.Fatal(err)
		}
		var want []string
		n := 0
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			failing = rapid.Bool().Draw(rt, "may fail")
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				if w.reset("refs/heads/main", Hash{}, w.header.at) == nil {
					want = nil
				}
			case 1:
				if k := rapid.IntRange(0, min(3, len(want))).Draw(rt, "void"); k > 0 && w.void(k) == nil {
					want = want[:len(want)-k]
				}
			default:
				var write []*record
				var names []string
				for range rapid.IntRange(1, 3).Draw(rt, "records") {
					n++
					name := fmt.Sprint(n, strings.Repeat("x", rapid.SampledFrom([]int{0, 5000}).Draw(rt, "size")))
					names = append(names, name)
					write = append(write, &record{kind: recordChange, subject: name})
				}
				if w.add(write) == nil {
					want = append(want, names...)
				}
			}
			failing = false
			if d := cmp.Diff(want, w.subjects(rt), cmp.Transformer("empty", func(s []string) string { return strings.Join(s, " ") })); d != "" {
				rt.Fatal(d)
			}
		}
	})
}

// subjects are those of the records that another process would find.
func (w *wal) subjects(rt *rapid.T) []string {
	other := &wal{f: w.f, disk: &disk{}}
	records, err := other.load()
	if err != nil {
		rt.Fatal(err)
	}
	if other.tail != w.tail || other.seq != w.seq || other.sum != w.sum {
		rt.Fatalf("another process would go on at %d, %d, %08x instead of %d, %d, %08x", other.tail, other.seq, other.sum, w.tail, w.seq, w.sum)
	}
	var out []string
	for _, c := range records {
		out = append(out, c.subject)
	}
	return out
}
