package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A disk that is full at any step of a fetch leaves the history as it was, or, when the
// last ref was set, whole; and the next fetch mends all.
func TestRemoteFullDisk(t *testing.T) {
	apart(t)
	bare := newBare(t)
	_, a := openHome(t)
	first := commits(t, a, 2)
	pushTo(t, a, Remote{URL: bare}, RefPush{Ref: mainRef, Local: first})
	second := commits(t, a, 36) // a pack that stays one
	pushTo(t, a, Remote{URL: bare}, RefPush{Ref: "refs/heads/many", Local: second})
	for _, from := range []string{mainRef, "refs/heads/many"} {
		for n := 0; ; n++ {
			h := newHome(t)
			left, failed := -1, ""
			h.fault = func(op, path string) error {
				if left--; left == 0 {
					failed = op + " " + filepath.Base(path)
					return syscall.ENOSPC
				}
				return nil
			}
			r := h.open()
			commits(t, r, 1)
			before := snapshot(t, r)
			left = n + 1
			_, err := r.Fetch(context.Background(), Remote{URL: bare, Transport: ViaGoGit}, map[string]string{from: "refs/remotes/o/x"})
			left = -1
			if failed == "" {
				must(t, err)
				must(t, r.Close())
				if n < 10 {
					t.Errorf("only %d steps were tried", n)
				}
				break
			}
			if err != nil && FaultOf(err) != FaultDisk {
				t.Errorf("%s: %v", failed, err)
			}
			after := snapshot(t, r)
			delete(after, "refs/remotes/o/x")
			same(t, failed+": other refs", before, after)
			h.sound()
			_, err = r.Fetch(context.Background(), Remote{URL: bare, Transport: ViaGoGit}, map[string]string{from: "refs/remotes/o/x"})
			must(t, err)
			h.sound()
			must(t, r.Close())
		}
	}
}

func TestReadPorcelain(t *testing.T) {
	pushes := []RefPush{{Ref: "refs/heads/a"}, {Ref: "refs/heads/b"}}
	for _, c := range []struct {
		name, text string
		want       []RefResult
	}{
		{"both", "To x\n \t1:refs/heads/a\t1..2\n*\t2:refs/heads/b\t[new branch]\nDone\n", []RefResult{{Ref: "refs/heads/a", Outcome: RefPushed}, {Ref: "refs/heads/b", Outcome: RefPushed}}},
		{
			"refused", "!\t1:refs/heads/a\t[remote rejected] (pre-receive hook declined)\n=\t2:refs/heads/b\t[up to date]\n",
			[]RefResult{{Ref: "refs/heads/a", Outcome: RefRejected, Said: "pre-receive hook declined"}, {Ref: "refs/heads/b", Outcome: RefSame}},
		},
		{
			"moved", "!\t1:refs/heads/a\t[rejected] (stale info)\n!\t:refs/heads/b\t[rejected] (atomic push failed)\n",
			[]RefResult{{Ref: "refs/heads/a", Outcome: RefMoved, Said: "stale info"}, {Ref: "refs/heads/b", Outcome: RefHeld, Said: "atomic push failed"}},
		},
		{
			"moved at the last moment", "!\t1:refs/heads/a\t[remote rejected] (cannot lock ref 'refs/heads/a': is at 1 but expected 2)\n-\t:refs/heads/b\t[deleted]\n",
			[]RefResult{{Ref: "refs/heads/a", Outcome: RefMoved, Said: "cannot lock ref 'refs/heads/a': is at 1 but expected 2"}, {Ref: "refs/heads/b", Outcome: RefPushed}},
		},
		{"one is missing", "*\t2:refs/heads/b\t[new branch]\nDone\n", nil},
		{"nothing", "", nil},
	} {
		got, complete := readPorcelain(c.text, pushes)
		same(t, c.name, c.want, got)
		same(t, c.name+" complete", c.want != nil, complete)
	}
}

func TestDotGit(t *testing.T) {
	for _, name := range []string{".git", ".GIT", ".git.", ".git ", "git~1", "GIT~1 ", ".g\u200cit", ".git::$INDEX_ALLOCATION", ".git:x", "\ufeff.git"} {
		if !dotGit(name) {
			t.Errorf("%q may stand for .git", name)
		}
	}
	for _, name := range []string{".gitignore", "git", ".gitx", "a.git", "MEMORY.md"} {
		if dotGit(name) {
			t.Errorf("%q does not stand for .git", name)
		}
	}
}

func TestWatch(t *testing.T) {
	const limit = 200 * time.Millisecond
	for _, c := range []struct {
		name  string
		bytes int // each millisecond or so
		grows int64
		want  error
	}{
		{"nothing moves", 0, 0, errStalled},
		{"enough moves", 1000, 0, context.DeadlineExceeded},
		{"a file grows too large", 1000, 100, errTooLarge},
	} {
		w := newWatch(limit)
		size := int64(0)
		w.size, w.most = func() int64 { size += c.grows; return size }, 350
		ctx, cancel := context.WithTimeout(context.Background(), 3*limit)
		watched, stop := w.run(ctx)
		for watched.Err() == nil {
			w.add(c.bytes)
			time.Sleep(time.Millisecond)
		}
		if got := context.Cause(watched); !errors.Is(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
		stop()
		cancel()
	}
}

// FuzzIncomingPack gives what a hostile server may send to the reader of packs: it ends,
// in bounds, and what it takes is what the pack holds.
func FuzzIncomingPack(f *testing.F) {
	blob := packedObject{kind: byte(KindBlob), raw: []byte("a text that is long enough to be a base of a delta, and some more of it")}
	f.Add(rawPack())
	f.Add(rawPack(blob, packedObject{kind: byte(KindTree), raw: treeOf("100644 a")}))
	f.Add(rawPack(packedObject{kind: packNameDelta, base: hashObject(KindBlob, blob.raw), raw: makeDelta(blob.raw, append(bytes.Clone(blob.raw), 'x'))}, blob))
	base := f.TempDir()
	q := &quarantine{r: &Repo{disk: &disk{}}, dir: base}
	if err := os.MkdirAll(q.packDir(), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, pack []byte) {
		if len(pack) > 32 { // the sum would hide the rest
			pack = rawSum(pack[:len(pack)-20])
		}
		path := filepath.Join(q.packDir(), "came")
		if err := os.WriteFile(path, pack, 0o600); err != nil {
			t.Fatal(err)
		}
		if q.index(context.Background(), path) != nil {
			_ = os.Remove(path)
			return
		}
		found, err := filepath.Glob(filepath.Join(q.packDir(), "*.idx"))
		if err != nil {
			t.Fatal(err)
		}
		for _, idx := range found {
			p, err := openPack(idx, newPackCache(1<<20), &unzipper{})
			if err != nil {
				t.Fatal(err)
			}
			for i, off := range p.offs {
				kind, raw, err := p.read(off)
				if h := Hash(p.names[i*20 : i*20+20]); err != nil || hashObject(kind, raw) != h {
					t.Fatalf("%s reads as %s: %v", h, kind, err)
				}
				_, _ = checkObject(kind, hashObject(kind, raw), raw) // it must not panic
			}
			_ = p.f.Close()
			_ = os.Remove(idx)
			_ = os.Remove(p.name + ".pack")
		}
	})
}
