package git

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1" //nolint:gosec // git's pack format
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// packedObject is one object as a pack holds it; base is of a delta by name.
type packedObject struct {
	kind byte
	base Hash
	raw  []byte
	size int // that the head tells; 0 is the true one
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

func rawPack(objects ...packedObject) []byte {
	b := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(objects)))
	for _, o := range objects {
		size := o.size
		if size == 0 {
			size = len(o.raw)
		}
		b = append(b, packHead(o.kind, size)...)
		if o.kind == packNameDelta {
			b = append(b, o.base[:]...)
		}
		b = append(b, zipped(o.raw)...)
	}
	return rawSum(b)
}

func rawSum(b []byte) []byte {
	sum := sha1.Sum(b) //nolint:gosec // git's pack format
	return append(bytes.Clone(b), sum[:]...)
}

// liar answers every fetch with the same pack.
func liar(tip Hash, pack []byte) http.Handler {
	line := func(s string) string { return fmt.Sprintf("%04x%s", len(s)+4, s) }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			_, _ = io.WriteString(w, line("# service=git-upload-pack\n")+"0000"+line(tip.String()+" "+mainRef+"\x00ofs-delta\n")+"0000")
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		_, _ = io.WriteString(w, line("NAK\n"))
		_, _ = w.Write(pack)
	})
}

func commitOf(tree Hash, more string) []byte {
	return fmt.Appendf(nil, "tree %s\n%sauthor Eve <e@localhost> 1700000000 +0000\ncommitter Eve <e@localhost> 1700000000 +0000\n\nx\n", tree, more)
}

func treeOf(entries ...string) []byte {
	var b []byte
	for _, e := range entries { // "mode name"
		b = append(append(b, e...), 0)
		b = append(b, emptyBlob[:]...)
	}
	return b
}

// A server that lies about its objects is found out, whoever fetches.
func TestRemoteLies(t *testing.T) {
	apart(t)
	h, r := openHome(t)
	commits(t, r, 1)
	before := snapshot(t, r)
	blob := packedObject{kind: byte(KindBlob)}
	good := treeOf("100644 a.md")
	goodCommit := commitOf(hashObject(KindTree, good), "")
	withTree := func(tree []byte) (Hash, []byte) {
		c := commitOf(hashObject(KindTree, tree), "")
		return hashObject(KindCommit, c), rawPack(packedObject{kind: byte(KindCommit), raw: c}, packedObject{kind: byte(KindTree), raw: tree}, blob)
	}
	just := func(c []byte) (Hash, []byte) {
		return hashObject(KindCommit, c), rawPack(packedObject{kind: byte(KindCommit), raw: c}, packedObject{kind: byte(KindTree), raw: good}, blob)
	}
	cases := []struct {
		name string
		make func() (Hash, []byte)
		want Fault
	}{
		{"tree is missing", func() (Hash, []byte) {
			return hashObject(KindCommit, goodCommit), rawPack(packedObject{kind: byte(KindCommit), raw: goodCommit}, blob)
		}, FaultBroken},
		{"parent is missing", func() (Hash, []byte) {
			return just(commitOf(hashObject(KindTree, good), "parent 1234567890123456789012345678901234567890\n"))
		}, FaultBroken},
		{"blob is missing", func() (Hash, []byte) {
			tree := append(bytes.Clone(treeOf("100644 a.md")[:12]), bytes.Repeat([]byte{7}, 20)...)
			return withTree(tree)
		}, FaultBroken},
		{"tip is another", func() (Hash, []byte) { _, p := just(goodCommit); return Hash{9}, p }, FaultBroken},
		{"no object", func() (Hash, []byte) { return hashObject(KindCommit, goodCommit), rawPack() }, FaultBroken},
		{"wrong sum", func() (Hash, []byte) {
			tip, p := just(goodCommit)
			p[len(p)-1] ^= 1
			return tip, p
		}, FaultBroken},
		{"ends too early", func() (Hash, []byte) { tip, p := just(goodCommit); return tip, p[:len(p)/2] }, FaultBroken},
		{"size is a lie", func() (Hash, []byte) {
			return hashObject(KindCommit, goodCommit), rawPack(packedObject{kind: byte(KindCommit), raw: goodCommit, size: 10})
		}, FaultBroken},
		{"delta without a base", func() (Hash, []byte) {
			return hashObject(KindCommit, goodCommit), rawPack(packedObject{kind: packNameDelta, base: Hash{1}, raw: makeDelta(goodCommit, append(bytes.Clone(goodCommit), 'y'))})
		}, FaultBroken},
		{"commit without author", func() (Hash, []byte) { return just(fmt.Appendf(nil, "tree %s\n\nx\n", hashObject(KindTree, good))) }, FaultBroken},
		{"name is .git", func() (Hash, []byte) { return withTree(treeOf("100644 .GIT")) }, FaultBroken},
		{"name is ..", func() (Hash, []byte) { return withTree(treeOf("100644 ..")) }, FaultBroken},
		{"name holds a slash", func() (Hash, []byte) { return withTree(treeOf("100644 a/b")) }, FaultBroken},
		{"name is there twice", func() (Hash, []byte) { return withTree(treeOf("100644 a", "100644 a")) }, FaultBroken},
		{"tree is not in order", func() (Hash, []byte) { return withTree(treeOf("100644 b", "100644 a")) }, FaultBroken},
		{"branch is no commit", func() (Hash, []byte) {
			return hashObject(KindTree, good), rawPack(packedObject{kind: byte(KindTree), raw: good}, blob)
		}, FaultBroken},
		{"nothing is wrong", func() (Hash, []byte) { return just(goodCommit) }, 0}, // so that the others do not fail for want of a server
	}
	for _, c := range cases {
		for _, via := range []string{ViaGit, ViaGoGit} {
			t.Run(c.name+" "+via, func(t *testing.T) {
				tip, pack := c.make()
				m := Remote{URL: overHTTP(t, liar(tip, pack)) + "/r.git", Transport: via, Limit: testLimit}
				_, err := r.Fetch(context.Background(), m, map[string]string{mainRef: "refs/remotes/liar/main"})
				if got := FaultOf(err); got != c.want && (got != FaultDropped || c.name != "ends too early") {
					t.Errorf("fault %d, want %d: %v", got, c.want, err)
				}
				t.Log(err)
				if c.want == 0 {
					must(t, err)
					return
				}
				same(t, "our refs", before, snapshot(t, r))
			})
		}
	}
	h.sound()
}

// A small pack that would fill the memory is refused by this process; git's own has
// limits of the system.
func TestRemoteBomb(t *testing.T) {
	apart(t)
	_, r := openHome(t)
	commits(t, r, 1)
	base := bytes.Repeat([]byte("x"), 1<<16)
	delta := packHead(0, 0)[:0]
	number := func(n int) {
		for ; n >= 0x80; n >>= 7 {
			delta = append(delta, byte(n&0x7f|0x80))
		}
		delta = append(delta, byte(n))
	}
	const times = mostIncoming>>16 + 1
	number(len(base))
	number(len(base) * times)
	for range times {
		delta = append(delta, 0x80) // 64 KiB from the start
	}
	tip := hashObject(KindBlob, base)
	for name, pack := range map[string][]byte{
		"delta":  rawPack(packedObject{kind: byte(KindBlob), raw: base}, packedObject{kind: packNameDelta, base: tip, raw: delta}),
		"object": rawPack(packedObject{kind: byte(KindBlob), raw: make([]byte, mostIncoming+1)}),
	} {
		m := Remote{URL: overHTTP(t, liar(Hash{1}, pack)) + "/r.git", Transport: ViaGoGit, Limit: testLimit}
		_, err := r.Fetch(context.Background(), m, map[string]string{mainRef: "refs/remotes/liar/main"})
		if FaultOf(err) != FaultTooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a hostile repository holds besides text is never run, followed or checked out.
func TestRemoteRunsNothing(t *testing.T) {
	eachWay(t, func(t *testing.T, m Remote, bare string) {
		mark := filepath.Join(t.TempDir(), "ran")
		work := filepath.Join(t.TempDir(), "w")
		runServerGit(t, "/", "init", "-q", "-b", "main", work)
		for name, text := range map[string]string{
			".gitattributes": "* filter=evil diff=evil merge=evil\n", "MEMORY.md": "# Memory\n", "hooks/post-checkout": "#!/bin/sh\ntouch " + mark + "\n",
			".gitconfig": "[core]\n\tfsmonitor = touch " + mark + "\n", "config": "[core]\n\tsshCommand = touch " + mark + "\n",
		} {
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(work, name)), 0o700))
			must(t, os.WriteFile(filepath.Join(work, name), []byte(text), 0o700)) //nolint:gosec // a script that must not run
		}
		must(t, os.Symlink("/etc/passwd", filepath.Join(work, "memory.md")))
		runServerGit(t, work, "add", ".")
		runServerGit(t, work, "commit", "-q", "-m", "x")
		runServerGit(t, work, "push", "-q", bare, "HEAD:"+mainRef)
		h, r := openHome(t)
		own := commits(t, r, 1)
		h.git("config", "filter.evil.smudge", "touch "+mark)
		h.git("config", "filter.evil.clean", "touch "+mark)
		h.git("config", "core.sshCommand", "touch "+mark) // a bot may write into a clone's .git/config
		h.git("config", "credential.helper", "!touch "+mark)
		for _, hook := range []string{"post-checkout", "post-merge", "pre-push", "reference-transaction", "pre-auto-gc"} {
			h.gitFile("hooks/"+hook, "#!/bin/sh\ntouch "+mark+"\n")
			must(t, os.Chmod(filepath.Join(h.dir, "hooks", hook), 0o700)) //nolint:gosec // a script that must not run
		}
		config, err := os.ReadFile(filepath.Join(h.dir, "config"))
		must(t, err)
		_, err = r.Fetch(context.Background(), m, map[string]string{mainRef: "refs/remotes/origin/main"})
		must(t, err)
		same(t, "push", []Outcome{RefPushed}, pushTo(t, r, m, RefPush{Ref: "refs/heads/ours", Local: own}))
		if _, err := os.Lstat(mark); err == nil {
			t.Error("something was run")
		}
		after, err := os.ReadFile(filepath.Join(h.dir, "config"))
		must(t, err)
		same(t, "our configuration", string(config), string(after))
		files, err := os.ReadDir(h.work)
		must(t, err)
		var names []string
		for _, f := range files {
			names = append(names, f.Name())
		}
		same(t, "our folder", []string{".git", "MEMORY.md"}, names)
		for _, f := range []string{"FETCH_HEAD", "ORIG_HEAD", "refs/tags/x"} {
			if _, err := os.Lstat(filepath.Join(h.dir, f)); err == nil {
				t.Errorf("%s was written", f)
			}
		}
	})
}
