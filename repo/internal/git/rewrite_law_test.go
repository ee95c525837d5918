package git

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// past makes a random history, in which the secret stands wherever a place for it is
// drawn.
type past struct {
	*home
	r       *Repo
	rng     *rand.Rand
	n       int
	has     map[string]bool // what was drawn for the end
	stashed []string        // files of the stashes, the oldest first
}

func (p *past) line() string {
	p.n++
	if p.rng.IntN(4) == 0 {
		return fmt.Sprintf("- %d, and it is Zanzibar", p.n)
	}
	return fmt.Sprintf("- line %d", p.n)
}

func (p *past) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// places are the ways in which a history grows; each may tell the secret.
var places = map[string]func(p *past){
	"live": func(p *past) { p.must(add(p.r, "MEMORY.md", p.line())) },
	"struck": func(p *past) {
		p.must(add(p.r, "MEMORY.md", "- ~~Zanzibar was it~~"))
		p.must(add(p.r, "MEMORY.md", p.line()))
	},
	"topic":   func(p *past) { p.must(add(p.r, fmt.Sprintf("memory/t%d.md", p.rng.IntN(4)), p.line())) },
	"log":     func(p *past) { p.must(add(p.r, "memory/log/2026-11-30.md", p.line())) },
	"archive": func(p *past) { p.must(moveOldest(p.r, p.line()[2:])) },
	"name":    func(p *past) { p.must(add(p.r, "memory/zanzibar.md", p.line())) },
	"twice named": func(p *past) {
		p.must(add(p.r, "memory/topic.md", p.line()))
		p.must(add(p.r, "memory/Zanzibar.md", p.line()))
	},
	"folder": func(p *past) {
		p.must(os.MkdirAll(p.path("notes/zanzibar/deep"), 0o700))
		p.write("notes/zanzibar/deep/a.txt", p.line()+"\n")
		p.git("add", "-f", "notes")
		p.git("commit", "-q", "--allow-empty", "-m", "a folder")
	},
	"alias": func(p *past) {
		p.must(add(p.r, fmt.Sprintf("memory/a%d.md", p.n), "---\naliases: [Zanzibar]\n---\n- "+p.line()))
	},
	"message": func(p *past) {
		p.write("memory/m.md", p.line()+"\n")
		p.git("add", "-A")
		p.git("commit", "-q", "--allow-empty", "-m", "about Zanzibar", "-m", "a body\nof Zanzibar, too", "-m", "Memory-Quote: in Zanzibar\nMemory-Change: 01JD")
	},
	"gone": func(p *past) {
		p.must(add(p.r, "memory/gone.md", p.line()))
		p.must(remove(p.r, "memory/gone.md"))
	},
	"branch": func(p *past) {
		p.git("switch", "-q", "-C", fmt.Sprintf("side%d", p.rng.IntN(3)))
		p.must(add(p.r, "memory/side.md", p.line()))
		p.git("switch", "-q", "main")
	},
	"merge": func(p *past) {
		p.git("switch", "-q", "-C", "merged")
		p.must(add(p.r, fmt.Sprintf("memory/merged%d.md", p.n), p.line()))
		p.git("switch", "-q", "main")
		p.must(add(p.r, "MEMORY.md", p.line()))
		p.git("merge", "-q", "--no-ff", "-m", "merge of Zanzibar", "merged")
	},
	"lost": func(p *past) {
		p.must(add(p.r, "MEMORY.md", p.line()))
		p.git("commit", "-q", "--amend", "-m", "amended")
		p.must(add(p.r, "MEMORY.md", p.line()))
	},
	"tag":       func(p *past) { p.git("tag", "-f", fmt.Sprintf("light%d", p.rng.IntN(3))) },
	"annotated": func(p *past) { p.git("tag", "-f", "-a", "-m", "a tag\n\n"+p.line(), fmt.Sprintf("v%d", p.rng.IntN(3))) },
	"nested tag": func(p *past) {
		p.git("tag", "-f", "-a", "-m", p.line(), "inner")
		p.git("tag", "-f", "-a", "-m", "outer", "outer", "inner")
	},
	"tagged blob": func(p *past) { p.git("tag", "-f", "blob", "HEAD:memory/staged.md") },
	"note":        func(p *past) { p.git("notes", "add", "-f", "-m", p.line()) },
	"pack":        func(p *past) { p.git("gc", "-q", "--prune=now") },
	"repack":      func(p *past) { p.git("repack", "-q", "-d") },
	"refs":        func(p *past) { p.git("pack-refs", "--all") },
	"checkpoint":  func(p *past) { p.must(p.r.Checkpoint(p.t.Context())) },
	"reset": func(p *past) {
		p.must(add(p.r, "MEMORY.md", p.line()))
		p.git("reset", "-q", "--hard", "HEAD~1")
	},
}

// endings are what stands beside a history when it is erased.
var endings = map[string]func(p *past){
	"stash": func(p *past) {
		for i := range 2 {
			name := fmt.Sprintf("memory/stash%d.md", i)
			p.write(name, "- base\n- Zanzibar stashed\n- kept "+name+"\n")
			p.git("stash", "push", "-q", "-m", p.line(), "--", name)
			p.stashed = append(p.stashed, name)
		}
	},
	"staged": func(p *past) {
		p.write("memory/staged.md", "- base\n- Zanzibar staged\n- staged\n")
		p.git("add", "memory/staged.md")
		p.write("memory/staged.md", "- base\n")
	},
	"staged name": func(p *past) {
		p.write("memory/zanzibar2.md", "- staged, too\n")
		p.git("add", "-f", "memory/zanzibar2.md")
		p.must(os.Remove(p.path("memory/zanzibar2.md")))
	},
	"dangling": func(p *past) {
		cmd := p.command("hash-object", "-w", "--stdin")
		cmd.Stdin = strings.NewReader("dangling Zanzibar\n")
		p.must(cmd.Run())
	},
	"remote": func(p *past) {
		p.git("update-ref", "refs/remotes/origin/main", "HEAD~2")
		p.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	},
	"original": func(p *past) { p.git("update-ref", "refs/original/refs/heads/main", "HEAD~1") },
	"files": func(p *past) {
		for _, name := range []string{"ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG", "NOTES_EDITMSG", "gitk.cache", "rr-cache/ab/preimage", "quipu/bad/x"} {
			p.gitFile(name, "it was Zanzibar\n")
		}
	},
	"erased": func(p *past) {
		cmd := p.command("hash-object", "-w", "--stdin")
		cmd.Stdin = strings.NewReader("0123456789012345678901234567890123456789\n")
		out, err := cmd.Output()
		p.must(err)
		p.git("update-ref", "refs/quipu/erased", strings.TrimSpace(string(out)))
	},
	"index v4": func(p *past) { p.git("update-index", "--index-version", "4") },
	"packed":   func(p *past) { p.git("gc", "-q", "--prune=now") },
	"closed":   func(p *past) { p.r = p.reopen(p.r) },
}

func newPast(t *testing.T, seed uint64) *past {
	h := newHome(t)
	p := &past{home: h, r: h.open(), rng: rand.New(rand.NewPCG(seed, 6)), has: map[string]bool{}}
	h.git("config", "gc.auto", "0")
	for _, name := range []string{"staged", "stash0", "stash1"} {
		p.must(add(p.r, "memory/"+name+".md", "- base"))
	}
	names := slices.Sorted(maps.Keys(places))
	for range 10 + p.rng.IntN(25) {
		places[names[p.rng.IntN(len(names))]](p)
	}
	p.must(add(p.r, "MEMORY.md", "- Zanzibar in the end"))
	p.must(drop(p.r))
	for _, name := range slices.Sorted(maps.Keys(endings)) {
		if p.rng.IntN(2) == 0 {
			p.has[name] = true
		}
	}
	if p.has["index v4"] { // what is staged in it is lost, and told
		delete(p.has, "staged")
		delete(p.has, "staged name")
	}
	if p.has["stash"] { // it would take what is staged
		endings["stash"](p)
	}
	for _, name := range slices.Sorted(maps.Keys(p.has)) {
		if name != "index v4" && name != "stash" {
			endings[name](p)
		}
	}
	if p.has["index v4"] {
		endings["index v4"](p)
	}
	time.Sleep(2 * lateAge)
	return p
}

// moment is one commit as it can be compared: who, when, what, in every file.
type moment struct {
	Author, Committer string
	Parents           []Hash
	Message           string
	Files             map[string]string
}

// moments reads every commit that a ref or a stash names.
func (p *past) moments() map[Hash]moment {
	p.t.Helper()
	out := map[Hash]moment{}
	list := strings.Fields(p.git("rev-list", "--branches", "--tags", "--glob=refs/quipu/*", "--glob=refs/stash"))
	if log, err := p.tryGit("log", "-g", "--format=%H", "refs/stash", "--"); err == nil && p.has["stash"] {
		list = append(list, strings.Fields(p.git(append([]string{"rev-list"}, strings.Fields(log)...)...))...)
	}
	for _, hex := range list {
		h, _ := ParseHash(hex)
		if _, done := out[h]; !done {
			out[h] = p.moment(h)
		}
	}
	return out
}

func (p *past) moment(h Hash) moment {
	p.t.Helper()
	c, err := p.r.Commit(h)
	p.must(err)
	sign := func(s Signature) string { return string(s.append(nil)) }
	m := moment{Author: sign(c.Author), Committer: sign(c.Committer), Parents: c.Parents, Message: c.Message, Files: map[string]string{}}
	files, err := p.r.Files(c.Tree)
	p.must(err)
	for _, f := range files {
		text, err := p.r.Blob(f.Blob)
		p.must(err)
		m.Files[f.Path] = string(text)
	}
	return m
}

// erasedMoment is what must become of a commit.
func erasedMoment(m moment, change map[Hash]Hash) moment {
	w := erasing()
	out := m
	out.Parents = nil
	for _, h := range m.Parents {
		if next, ok := change[h]; ok {
			h = next
		}
		out.Parents = append(out.Parents, h)
	}
	out.Message = w.Message(Message{Text: m.Message})
	out.Files = map[string]string{}
	for path, text := range m.Files {
		if w.Path(path) == path {
			after, _ := w.Text(path, []byte(text))
			out.Files[path] = string(after)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(m.Files)) {
		to := w.Path(path)
		if to == path {
			continue
		}
		after, _ := w.Text(path, []byte(m.Files[path]))
		base := strings.TrimSuffix(to, filepath.Ext(to))
		for n := 2; ; n++ {
			if _, taken := out.Files[to]; !taken {
				break
			}
			to = fmt.Sprintf("%s-%d%s", base, n, filepath.Ext(to))
		}
		out.Files[to] = string(after)
	}
	return out
}

// TestEraseLaw erases from random histories: afterwards nothing tells the secret, and
// everything else is as it was.
func TestEraseLaw(t *testing.T) {
	rounds := fewer(60)
	if long {
		rounds = 300
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p := newPast(t, uint64(seed))
			if len(p.holds()) == 0 {
				t.Fatal("the control copies were not found")
			}
			before := p.moments()
			tips := p.tipsOf()
			out := erase(t, p.r)
			p.checkErase(before, tips, out)
			if t.Failed() {
				t.Logf("drawn: %v; notes: %q", slices.Sorted(maps.Keys(p.has)), out.Notes)
			}
		})
	}
}

// tipsOf lists the refs that stay.
func (p *past) tipsOf() map[string]Hash {
	refs, err := p.r.allRefs()
	p.must(err)
	for ref := range refs {
		if dropped(ref) != "" {
			delete(refs, ref)
		}
	}
	return refs
}

func (p *past) checkErase(before map[Hash]moment, tips map[string]Hash, out Rewritten) {
	t := p.t
	t.Helper()
	p.erased()
	for old, m := range before {
		now, changed := out.New[old]
		if !changed {
			now = old
		}
		if _, err := p.r.Commit(now); err != nil {
			if reachable := p.git("rev-list", "--all"); strings.Contains(reachable, now.String()) {
				t.Errorf("commit %s: %v", old, err)
			}
			continue // only a reflog had it
		}
		if d := cmp.Diff(erasedMoment(m, out.New), p.moment(now)); d != "" {
			t.Errorf("commit %s (-want +got):\n%s", old, d)
		}
	}
	now := p.tipsOf()
	for ref, h := range tips {
		next, changed := out.New[h]
		if got := now[ref]; got.IsZero() || changed && got != next {
			t.Errorf("%s: got %s, want %s", ref, got, next)
		}
		if _, err := p.tryGit("log", "--oneline", ref); err != nil && ref != "refs/quipu/erased" && ref != "refs/tags/blob" {
			t.Errorf("git log %s: %v", ref, err)
		}
	}
	if len(now) != len(tips) {
		t.Errorf("refs: got %v, want %v", now, tips)
	}
	p.checkStaged()
	if got := p.git("status", "--porcelain"); got != "" {
		t.Errorf("git status:\n%s", got)
	}
	p.checkStashes()
	if _, noted := tips["refs/notes/commits"]; noted {
		for line := range strings.Lines(p.git("notes", "list")) {
			p.git("notes", "show", strings.Fields(line)[1])
		}
	}
	p.must(add(p.r, "MEMORY.md", "- after"))
	p.r = p.reopen(p.r)
	p.must(add(p.r, "MEMORY.md", "- after that"))
	p.sound()
}

func (p *past) checkStaged() {
	p.t.Helper()
	if p.has["staged"] {
		if got, want := p.git("show", ":memory/staged.md"), "- base\n- staged\n"; got != want {
			p.t.Errorf("staged: got %q, want %q", got, want)
		}
		p.git("reset", "-q", "--", "memory/staged.md")
	}
	if p.has["staged name"] {
		if got := p.git("diff", "--cached", "--name-only"); !strings.Contains(got, "memory/topic2.md") {
			p.t.Errorf("staged: got %q", got)
		}
		p.git("rm", "-q", "--cached", "memory/topic2.md")
	}
}

func (p *past) checkStashes() {
	p.t.Helper()
	if got := strings.Count(p.git("stash", "list"), "\n"); got != len(p.stashed) {
		p.t.Errorf("stashes: got %d, want %d", got, len(p.stashed))
	}
	for _, name := range slices.Backward(p.stashed) {
		p.git("stash", "pop", "-q")
		if got, want := p.read(name), "- base\n- kept "+name+"\n"; got != want {
			p.t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
