package git

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A delta gives back its text, and a broken one is told.
func TestDeltaLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`- [a-z]{0,80}\n`), 0, 60).Draw(t, "lines")
		base := []byte(strings.Join(lines, ""))
		for range rapid.IntRange(0, 6).Draw(t, "edits") {
			i := rapid.IntRange(0, len(lines)).Draw(t, "at")
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				lines = append(lines[:i:i], append([]string{rapid.StringMatching(`- [A-Z]{0,300}\n`).Draw(t, "new")}, lines[i:]...)...)
			case 1:
				if i < len(lines) {
					lines = append(lines[:i:i], lines[i+1:]...)
				}
			default:
				lines = append(lines[i:len(lines):len(lines)], lines[:i]...)
			}
		}
		text := []byte(strings.Join(lines, ""))
		delta := makeDelta(base, text)
		if delta == nil {
			return
		}
		got, err := applyDelta(base, delta)
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%v\n%s", err, cmp.Diff(string(text), string(got)))
		}
		i := rapid.IntRange(0, len(delta)-1).Draw(t, "broken at")
		broken := bytes.Clone(delta)
		broken[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		_, _ = applyDelta(base, broken) // no panic
		_, _ = applyDelta(base, delta[:i])
	})
}

func TestDeltaIsSmall(t *testing.T) {
	base := []byte{}
	for i := range 900 {
		base = append(base, fmt.Sprintf("- %d %x\n", i, HashBlob(base))...)
	}
	first := bytes.IndexByte(base, '\n') + 1
	for name, text := range map[string][]byte{
		"line at the end":          append(bytes.Clone(base), "- one more\n"...),
		"first line to the end":    append(bytes.Clone(base[first:]), base[:first]...),
		"a line in the middle":     bytes.Join([][]byte{base[:30_000], base[30_000:]}, []byte("\n- in the middle\n")),
		"last line to the front":   append(bytes.Clone(base[len(base)-60:]), base[:len(base)-60]...),
		"a line out of the middle": append(bytes.Clone(base[:20_000]), base[20_080:]...),
	} {
		if delta := makeDelta(base, text); delta == nil || len(delta) > 250 {
			t.Errorf("%s: %d bytes", name, len(delta))
		}
	}
}

// A pack of ours is one that git reads, and we read git's.
func TestPackWriter(t *testing.T) {
	h := newHome(t)
	dir := t.TempDir()
	w, err := newPackWriter(&disk{}, filepath.Join(dir, "objects"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[Hash][]byte{}
	var c chain
	text := []byte{}
	for i := range 200 {
		text = append(text, fmt.Sprintf("- %d %s\n", i, incompressible(i*3))...)
		raw := bytes.Clone(text)
		want[HashBlob(raw)] = raw
		if err := w.add(KindBlob, HashBlob(raw), raw, &c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.verify(0, 3, func(Kind, []byte) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if err := w.verify(0, 1, func(_ Kind, raw []byte) bool { return !bytes.Equal(raw, text) }); err == nil || !strings.Contains(err.Error(), HashBlob(text).String()) {
		t.Errorf("a text that must go: %v", err)
	}
	name, err := w.finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	h.git("verify-pack", filepath.Join(dir, name+".idx"))
	p, err := openPack(filepath.Join(dir, name+".idx"), newPackCache(1<<20), &unzipper{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.f.Close() }()
	for id, raw := range want {
		off, ok := p.find(id)
		if !ok {
			t.Fatalf("%s is not there", id)
		}
		if _, got, err := p.read(off); err != nil || !bytes.Equal(got, raw) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, ok := p.find(HashBlob([]byte("no"))); ok {
		t.Error("found what is not there")
	}
}

func TestMark(t *testing.T) {
	m := &rewriteMark{
		id: "the end 1", head: refMove{"refs/heads/main", HashBlob([]byte("a")), HashBlob([]byte("b"))}, pack: "pack-x",
		moves: []refMove{{"refs/heads/main", HashBlob([]byte("a")), HashBlob([]byte("b"))}, {"refs/remotes/x", HashBlob([]byte("c")), Hash{}}},
		stay:  []string{"pack-y", "pack-z"}, goes: []string{"pack-w"}, loose: []Hash{HashBlob([]byte("d")), HashBlob([]byte("e"))},
		change: map[Hash]Hash{HashBlob([]byte("a")): HashBlob([]byte("b")), HashBlob([]byte("f")): {}},
	}
	b := m.encode()
	got, err := decodeMark(b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m, got, cmp.AllowUnexported(rewriteMark{}, refMove{})); d != "" {
		t.Error(d)
	}
	for i := range b {
		if _, err := decodeMark(b[:i]); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
	}
}

// Headers stay to the byte; what signs the old bytes goes, and is told.
func TestEraseHeaders(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := errors.Join(add(r, "MEMORY.md", "- Zanzibar"), add(r, "MEMORY.md", "- more")); err != nil {
		t.Fatal(err)
	}
	parent := strings.TrimSpace(h.git("rev-parse", "HEAD"))
	tree := strings.TrimSpace(h.git("rev-parse", "HEAD^{tree}"))
	raw := "tree " + tree + "\nparent " + parent + "\nauthor A. U. Thor <a@b> 1700000000 +0530\ncommitter C <c@d> 1700000001 -0800\n" +
		"gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\nencoding ISO-8859-1\n" +
		"mergetag object " + parent + "\n type commit\n tag Zanzibar\n \n text\n" + "\na \xe9 message\n\n\nwith gaps \n"
	signed := h.put("commit", raw)
	h.git("update-ref", "refs/heads/main", signed)
	tag := "object " + signed + "\ntype commit\ntag v1\ntagger T <t@t> 1700000002 +0000\n\na tag\n-----BEGIN PGP SIGNATURE-----\n\nxyz\n-----END PGP SIGNATURE-----\n"
	h.git("update-ref", "refs/tags/v1", h.put("tag", tag))
	if err := drop(r); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lateAge)
	out := erase(t, r)
	h.erased()
	old, _ := ParseHash(signed)
	oldParent, _ := ParseHash(parent)
	now, err := r.Commit(out.New[old])
	if err != nil {
		t.Fatal(err)
	}
	want := "tree " + now.Tree.String() + "\nparent " + out.New[oldParent].String() + "\nauthor A. U. Thor <a@b> 1700000000 +0530\ncommitter C <c@d> 1700000001 -0800\n" +
		"encoding ISO-8859-1\n\na \xe9 message\n\n\nwith gaps \n"
	if d := cmp.Diff(want, h.git("cat-file", "commit", now.Hash.String())); d != "" {
		t.Error(d)
	}
	want = "object " + now.Hash.String() + "\ntype commit\ntag v1\ntagger T <t@t> 1700000002 +0000\n\na tag\n"
	if d := cmp.Diff(want, h.git("cat-file", "tag", "v1")); d != "" {
		t.Error(d)
	}
	if notes := strings.Join(out.Notes, "\n"); !strings.Contains(notes, "signatures") {
		t.Errorf("notes: %q", notes)
	}
}

// put writes an object of any kind by git.
func (h *home) put(kind, raw string) string {
	h.t.Helper()
	cmd := h.command("hash-object", "-w", "-t", kind, "--stdin")
	cmd.Stdin = strings.NewReader(raw)
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// A branch of the old history that a person's git makes at the very moment is
// rewritten in a second round.
func TestEraseLateBranch(t *testing.T) {
	h := newHome(t)
	when := ""
	h.fault = func(op, path string) error {
		if op == "rename" && filepath.Base(path) == when {
			when = ""
			h.git("branch", "late", "main~1")
			h.git("tag", "-a", "-m", "late Zanzibar", "late-tag", "main~2")
		}
		return nil
	}
	r := h.open()
	if err := errors.Join(add(r, "MEMORY.md", "- Zanzibar"), add(r, "MEMORY.md", "- more"), add(r, "MEMORY.md", "- again"), drop(r)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lateAge)
	first := h.git("rev-parse", "main~2")
	when = "marker"
	out := erase(t, r)
	h.erased()
	h.sound()
	old, _ := ParseHash(strings.TrimSpace(first))
	if got := strings.TrimSpace(h.git("rev-parse", "late-tag^{commit}")); got != out.New[old].String() {
		t.Errorf("late tag: %s, want %s", got, out.New[old])
	}
	if n := strings.Count(h.git("rev-list", "--all"), "\n"); n != strings.Count(h.git("rev-list", "main"), "\n") {
		t.Errorf("%d commits: the late branch is not of the new history", n)
	}
}

// What a program holds in the git directory is named, not touched; the names of refs are
// the caller's to tell.
func TestEraseTellsWhatRemains(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := errors.Join(add(r, "MEMORY.md", "- Zanzibar"), add(r, "MEMORY.md", "- more"), drop(r)); err != nil {
		t.Fatal(err)
	}
	h.gitFile("hooks/notes.txt", "Zanzibar\n")
	h.git("branch", "zanzibar")
	time.Sleep(2 * lateAge)
	want := []string{
		"hooks/notes.txt in the git directory still holds it",
	}
	if d := cmp.Diff(want, erase(t, r).Notes); d != "" {
		t.Error(d)
	}
}

// A text that only lies about is erased although no commit changes.
func TestEraseLiesAbout(t *testing.T) {
	for name, put := range map[string]func(h *home){
		"dangling blob": func(h *home) { h.put("blob", "Zanzibar\n") },
		"packed":        func(h *home) { h.put("blob", "Zanzibar\n"); h.git("repack", "-a", "-d", "-q", "--keep-unreachable") },
		"message":       func(h *home) { h.gitFile("COMMIT_EDITMSG", "Zanzibar\n") },
		"reflog":        func(h *home) { h.git("update-ref", "-m", "Zanzibar", "refs/heads/side", "HEAD") },
		"staged": func(h *home) {
			h.write("MEMORY.md", "- Zanzibar\n")
			h.git("add", "-A")
			h.write("MEMORY.md", "- one\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			r := h.open()
			if err := add(r, "MEMORY.md", "- one"); err != nil {
				t.Fatal(err)
			}
			put(h)
			if len(h.holds()) == 0 {
				t.Fatal("the control copy was not found")
			}
			time.Sleep(2 * lateAge)
			head := h.git("rev-parse", "HEAD")
			if out := erase(t, r); out.Changed > 0 {
				t.Errorf("got %+v", out)
			}
			h.erased()
			if got := h.git("rev-parse", "HEAD"); got != head {
				t.Errorf("HEAD: got %s, want %s", got, head)
			}
		})
	}
}

// Where the caller left the secret in the newest tree, work files that equal it follow
// and an edited one stays.
func TestEraseOfTheNewestTree(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := errors.Join(add(r, "MEMORY.md", "- Zanzibar"), add(r, "memory/zanzibar.md", "- named"), add(r, "memory/edited.md", "- Zanzibar")); err != nil {
		t.Fatal(err)
	}
	h.write("memory/edited.md", "- edited Zanzibar\n")
	time.Sleep(2 * lateAge)
	erase(t, r)
	if got := h.read("MEMORY.md"); got != "" {
		t.Errorf("got %q", got)
	}
	if got := h.read("memory/topic.md"); got != "- named\n" {
		t.Errorf("got %q", got)
	}
	if _, err := os.Stat(h.path("memory/zanzibar.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the old name stays")
	}
	if got := h.read("memory/edited.md"); got != "- edited Zanzibar\n" {
		t.Errorf("got %q", got)
	}
	if got := h.git("status", "--porcelain"); got != " M memory/edited.md\n" {
		t.Errorf("status: %q", got)
	}
	h.whole()
}

// Another process that is open, and knows the old history, goes on with the new one.
func TestEraseBesideAnOpenProcess(t *testing.T) {
	h := newHome(t)
	r, other := h.open(), h.open()
	defer func() { _ = errors.Join(r.Close(), other.Close()) }()
	for _, repo := range []*Repo{r, other} {
		if err := errors.Join(add(repo, "MEMORY.md", "- Zanzibar"), add(repo, "MEMORY.md", "- more")); err != nil {
			t.Fatal(err)
		}
		h.git("switch", "-q", "-C", "side")
		if err := add(repo, "MEMORY.md", "- on the side"); err != nil {
			t.Fatal(err)
		}
		h.git("switch", "-q", "main")
	}
	h.git("gc", "-q", "--prune=now")
	if err := errors.Join(add(other, "MEMORY.md", "- packed"), drop(r)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lateAge)
	erase(t, r)
	h.erased()
	if err := add(other, "MEMORY.md", "- by the other"); err != nil {
		t.Fatal(err)
	}
	h.git("switch", "-q", "side")
	if err := errors.Join(add(other, "MEMORY.md", "- by the other, too"), add(r, "MEMORY.md", "- and by us")); err != nil {
		t.Fatal(err)
	}
	if lost, err := r.Lost(); err != nil || len(lost) > 0 {
		t.Errorf("lost: %v %v", lost, err)
	}
	h.sound()
	if where := h.holds(); len(where) > 0 {
		t.Errorf("still told by %v", where)
	}
}
