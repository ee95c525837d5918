package repo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quipu/policy"
)

// crowd is some machines, a person with a plain clone, and a remote, which change one
// memory at random. It keeps what must come of it.
type crowd struct {
	t        *testing.T
	rng      *rand.Rand
	remote   string
	machines []*lab
	clone    string
	erases   bool
	n, seed  int
	facts    []string
	must     map[string]bool // stands once in the end; false: at most once for each wording
	reworded map[string]map[int]bool
	never    map[string]bool // was forgotten last of all that was done to it
	erased   []string
}

// factName is the word by which the test knows a fact.
var factName = regexp.MustCompile(`Fact\d+x`)

func newCrowd(t *testing.T, seed int) *crowd {
	c := &crowd{
		t: t, seed: seed, rng: rand.New(rand.NewPCG(uint64(seed), 11)), remote: bareRemote(t), //nolint:gosec // a test's
		must: map[string]bool{}, reworded: map[string]map[int]bool{}, never: map[string]bool{}, erases: seed%3 == 2,
	}
	if !c.erases {
		rawGit(t, c.remote, "config", "receive.denyNonFastForwards", "true")
	}
	for _, name := range []string{"a", "b", "c"} {
		c.machines = append(c.machines, machine(t, name, c.remote))
	}
	if seed%2 == 1 {
		c.machines[0].save("MEMORY.md", fullMemory())
	}
	for _, l := range c.machines {
		l.sync()
	}
	c.clone = filepath.Join(t.TempDir(), "clone")
	rawGit(t, filepath.Dir(c.clone), "clone", "-q", c.remote, c.clone)
	return c
}

func (c *crowd) fresh() string {
	c.n++
	fact := fmt.Sprintf("Fact%dx", c.n)
	c.facts = append(c.facts, fact)
	return fact
}

func (c *crowd) some() string {
	if len(c.facts) == 0 {
		return "Fact0x"
	}
	return c.facts[c.rng.IntN(len(c.facts))]
}

// touched says that what a change says of facts may have taken them out, or brought
// them back.
func (c *crowd) touched(r Receipt) {
	for _, row := range r.Rows {
		if policy.OwnFile(row.Path) { // what was listed is not shown
			clear(c.never)
		}
		for _, fact := range factName.FindAllString(row.Diff, -1) {
			c.must[fact] = false
			c.never[fact] = false
		}
	}
}

// did fails for an error that no person expects.
func (c *crowd) did(r Receipt, err error) bool {
	if err == nil {
		return r.Change != ""
	}
	for _, k := range []error{ErrConflict, ErrNotFound, ErrInvalid, ErrNoUndo, ErrRefused} {
		if errors.Is(err, k) {
			return false
		}
	}
	c.t.Fatalf("%v\n%s", err, debug.Stack())
	return false
}

func (c *crowd) step() {
	i := c.rng.IntN(len(c.machines))
	l := c.machines[i]
	switch op := c.rng.IntN(20); {
	case op < 6:
		c.add(l)
	case op < 8:
		c.reword(i)
	case op == 8:
		some := c.some()
		if r, err := l.w.Update(l.ctx(), ada, policy.Update{Action: policy.Remove, OldText: some + " ", OldTextSet: true}); c.did(r, err) {
			c.must[some] = false
		}
	case op == 9:
		c.forget(l)
	case op == 10:
		r, err := l.w.Undo(l.ctx(), ada, "", Revert)
		if c.did(r, err) {
			c.touched(r)
		}
	case op == 11:
		r, err := l.w.Redo(l.ctx(), ada)
		if c.did(r, err) {
			c.touched(r)
		}
	case op == 12:
		fact := c.fresh()
		path := []string{"MEMORY.md", "memory/pets.md", "memory/hand.md"}[c.rng.IntN(3)]
		l.put(path, l.text(path)+"- "+fact+" is by hand\n")
		c.must[fact] = true
	case op < 15:
		c.person()
	default:
		l.sync()
	}
}

func (c *crowd) add(l *lab) {
	fact := c.fresh()
	if c.rng.IntN(4) == 0 {
		got, err := l.w.Notice(l.ctx(), scout, func() (Noticing, error) {
			return Noticing{Facts: []policy.Fact{{Text: fact + " was noticed of the person"}}}, nil
		})
		c.must[fact] = c.did(got.Receipt, err)
		return
	}
	u := policy.Update{Action: policy.Append, Text: fact + " is known", TextSet: true}
	if c.rng.IntN(2) == 0 {
		u.Topic = []string{"pets", "food"}[c.rng.IntN(2)]
	}
	c.must[fact] = c.did(l.w.Update(l.ctx(), scout, u))
}

func (c *crowd) reword(i int) {
	some, l := c.some(), c.machines[i]
	action := []policy.Action{policy.Replace, policy.Supersede}[c.rng.IntN(2)]
	r, err := l.w.Update(l.ctx(), ada, policy.Update{Action: action, OldText: some + " ", OldTextSet: true, Text: fmt.Sprintf("%s is known better, number %d", some, c.n), TextSet: true})
	if !c.did(r, err) {
		return
	}
	if c.reworded[some] == nil {
		c.reworded[some] = map[int]bool{}
	}
	c.reworded[some][i] = true
	if action == policy.Supersede {
		c.reworded[some][-1] = true // the old wording stays, struck
	}
}

func (c *crowd) forget(l *lab) {
	some := c.some()
	// What a machine never had cannot be erased there.
	f := Forgetting{Words: []string{some}, Confirm: true, Erase: c.erases && c.rng.IntN(3) == 0 && strings.Contains(l.objects(), some+" ")}
	got, err := l.w.Forget(l.ctx(), ada, f)
	if !c.did(got.Receipt, err) {
		return
	}
	c.must[some], c.never[some] = false, true
	if f.Erase {
		c.erased = append(c.erased, some)
	}
}

// person edits in a clone and pushes with nothing but git, on top of what is there.
func (c *crowd) person() {
	git := func(args ...string) error {
		cmd := exec.CommandContext(c.t.Context(), "git", append([]string{"-C", c.clone, "-c", "user.name=Eve", "-c", "user.email=eve@example.org"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_EDITOR=true")
		return cmd.Run()
	}
	if c.erases || c.rng.IntN(2) == 0 {
		rawGit(c.t, c.clone, "fetch", "-q")
		rawGit(c.t, c.clone, "reset", "-q", "--hard", "origin/main")
	}
	fact := c.fresh()
	path := filepath.Join(c.clone, []string{"MEMORY.md", "memory/clone.md"}[c.rng.IntN(2)])
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, append(old, []byte("- "+fact+" came by git\n")...), 0o600); err != nil {
		c.t.Fatal(err)
	}
	rawGit(c.t, c.clone, "add", "-A")
	rawGit(c.t, c.clone, "commit", "-qm", "by a person")
	if git("pull", "-q", "--rebase") != nil {
		_ = git("rebase", "--abort")
		rawGit(c.t, c.clone, "reset", "-q", "--hard", "origin/main")
		return
	}
	c.must[fact] = git("push", "-q") == nil
}

func (c *crowd) settle() {
	for range 3 {
		for _, l := range c.machines {
			l.sync()
		}
	}
	head := c.machines[0].git("rev-parse", "HEAD")
	for i, l := range c.machines {
		if got := l.sync(); got.Pushed+got.Pulled+got.Ahead+got.Behind > 0 || got.Merged || l.git("rev-parse", "HEAD") != head {
			c.t.Errorf("machine %d is not at rest: %+v\n%s", i, got, l.git("diff", head, "HEAD"))
		}
		c.check(i)
	}
}

func (c *crowd) check(i int) {
	t, l := c.t, c.machines[i]
	notes := l.git("grep", "-h", "", "HEAD", "--", "*.md")
	for fact, must := range c.must {
		live := 0
		for line := range strings.Lines(notes) {
			if strings.Contains(line, fact+" ") && !strings.Contains(line, "~~") {
				live++
			}
		}
		most := 1
		if n := len(c.reworded[fact]); n > 0 {
			most = max(n, 2)
		}
		if live > most || must && live == 0 {
			t.Errorf("machine %d: %s stands %d times (must %v, at most %d)\n%s", i, fact, live, must, most, l.git("log", "-m", "--format=%h %p %an %s", "-S"+fact, "HEAD"))
		}
		if c.never[fact] && live > 0 {
			t.Errorf("machine %d: %s was forgotten", i, fact)
		}
	}
	if strings.Contains(notes, "<<<<<<<") || strings.Contains(notes, ">>>>>>>") {
		t.Error("a conflict marker")
	}
	if dir := os.Getenv("QUIPU_KEEP"); dir != "" && t.Failed() {
		_ = exec.CommandContext(t.Context(), "git", "clone", "-q", "--bare", c.remote, filepath.Join(dir, fmt.Sprint(c.seed, "-", i))).Run()
	}
	l.sound()
	for _, fact := range c.erased {
		if c.never[fact] && slices.Contains(factName.FindAllString(l.objects(), -1), fact) {
			t.Errorf("machine %d: %s was erased and is there", i, fact)
		}
	}
}

// Three machines, a person's plain git and a remote, everything that changes a memory in
// random order: in the end the same history everywhere, each fact once, and rest.
func TestSyncLaw(t *testing.T) {
	seeds, err := strconv.Atoi(os.Getenv("QUIPU_SEEDS"))
	steps := 300
	if err != nil { // every test of a change, not a search for a fault that nobody knows
		seeds, steps = 3, 100
	}
	first, _ := strconv.Atoi(os.Getenv("QUIPU_SEED"))
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, seed)
			for range steps {
				c.step()
			}
			c.settle()
		})
	}
}
