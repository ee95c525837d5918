package repo

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quipu/policy"
)

// bareRemote is an empty repository on this machine.
func bareRemote(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", "--bare", "-b", "main", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// machine is another home with the same bot, and its own clock.
func machine(t testing.TB, name, remote string) *lab {
	t.Helper()
	l := bareLab(t, filepath.Join(t.TempDir(), name), `{"timezone":"UTC","person":{"name":"Ada","email":"ada@example.org"}}`)
	l.create("scout")
	if err := l.w.SetRemote(Remote{URL: remote}, nil); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *lab) sync() Synced {
	l.t.Helper()
	out, err := l.w.Sync(l.ctx(), ada, Syncing{})
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

// rawGit runs git in any folder.
func rawGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "core.hooksPath=/dev/null", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Two machines share one memory: both facts are in both, by one merge and no force.
func TestSync(t *testing.T) {
	remote := bareRemote(t)
	rawGit(t, remote, "config", "receive.denyNonFastForwards", "true")
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("Likes tea")
	if got := a.sync(); got.Pushed != 3 || got.Ahead != 0 || got.Behind != 0 || got.Branch != "main" {
		t.Errorf("first: %+v", got)
	}
	if got := b.sync(); got.Pulled != 3 || got.Merged || !strings.Contains(b.text("MEMORY.md"), "Likes tea") {
		t.Errorf("a fresh one: %+v, %q", got, b.text("MEMORY.md"))
	}
	if x, y := a.git("rev-parse", "HEAD"), b.git("rev-parse", "HEAD"); x != y {
		t.Errorf("heads %s and %s", x, y)
	}
	head := a.git("rev-parse", "HEAD")
	if got := a.sync(); got.Pushed+got.Pulled != 0 || a.git("rev-parse", "HEAD") != head {
		t.Errorf("again: %+v", got)
	}
	a.append("Sings at night")
	b.append("Lives in Goa")
	b.update(policy.Update{Action: policy.Append, Text: "Luna is a cat", TextSet: true, Topic: "pets"})
	b.put("memory/by-hand.md", "- by hand\n")
	a.sync()
	if got := b.sync(); !got.Merged || got.Pulled != 1 || got.Pushed != 4 || got.Change == "" {
		t.Errorf("both changed: %+v", got)
	}
	if got := a.sync(); got.Merged || got.Pulled != 4 {
		t.Errorf("the first again: %+v", got)
	}
	for _, l := range []*lab{a, b} {
		for _, fact := range []string{"Likes tea", "Sings at night", "Lives in Goa"} {
			if n := strings.Count(l.text("MEMORY.md"), fact); n != 1 {
				t.Errorf("%q stands %d times in %q", fact, n, l.text("MEMORY.md"))
			}
		}
		if l.text("memory/by-hand.md") != "- by hand\n" || !strings.Contains(l.text("memory/pets.md"), "Luna") {
			t.Error("a file did not come")
		}
		l.sound()
	}
	if x, y := a.git("rev-parse", "HEAD"), b.git("rev-parse", "HEAD"); x != y {
		t.Errorf("heads %s and %s", x, y)
	}
	// The merge is one change, which undo takes back.
	rows := b.rows(Query{Action: ActMerge, Limit: 10})
	if len(rows) == 0 || rows[0].Actor != "sync" || rows[0].Via != "sync" {
		t.Fatalf("the merge's rows: %+v", rows)
	}
	b.undo(string(rows[0].Change))
	if text := b.text("MEMORY.md"); strings.Contains(text, "Sings at night") || !strings.Contains(text, "Lives in Goa") {
		t.Errorf("undone: %q", text)
	}
	if s := b.w.SyncState(); s.Fault != "" || s.Success.IsZero() {
		t.Errorf("state %+v", s)
	}
}

// The same note changed on both sides stands in both wordings, for the person.
func TestSyncConflict(t *testing.T) {
	for keep, want := range map[string][]string{KeepFirst: {"1"}, KeepSecond: {"2"}, KeepBoth: {"1", "2"}} {
		remote := bareRemote(t)
		a, b := machine(t, "a", remote), machine(t, "b", remote)
		a.append("The office is on floor 1")
		a.sync()
		b.sync()
		a.update(policy.Update{Action: policy.Replace, OldText: "floor 1", OldTextSet: true, Text: "floor 2", TextSet: true})
		b.update(policy.Update{Action: policy.Replace, OldText: "floor 1", OldTextSet: true, Text: "floor 3", TextSet: true})
		a.sync()
		got := b.sync()
		if len(got.Conflicts) != 1 || got.Conflicts[0].Path != "MEMORY.md" || got.Conflicts[0].Kept == "" {
			t.Fatalf("conflicts %+v in %q", got.Conflicts, b.text("MEMORY.md"))
		}
		b.append("Life goes on")
		a.sync()
		open, err := a.w.Conflicts()
		if err != nil || len(open) != 1 {
			t.Fatalf("at the other: %+v, %v", open, err)
		}
		one := map[string]string{"1": open[0].Kept, "2": strings.Replace(open[0].Other, " · conflict "+open[0].Since, "", 1)}
		if _, err := a.w.Resolve(a.ctx(), ada, open[0].Path, open[0].Line, keep); err != nil {
			t.Fatal(err)
		}
		text := a.text("MEMORY.md")
		for name, line := range one {
			if has := strings.Contains(text, line+"\n"); has != slices.Contains(want, name) {
				t.Errorf("%s: wording %s %q in %q: %v", keep, name, line, text, has)
			}
		}
		if open, err := a.w.Conflicts(); err != nil || len(open) != 0 {
			t.Errorf("still open: %+v, %v", open, err)
		}
		_, err = a.w.Resolve(a.ctx(), ada, "MEMORY.md", 1, keep)
		a.refuses(err, ErrNotFound)
	}
}

// An erasure reaches the remote, and an old clone takes the new history over with its
// own changes, and cannot bring back what was erased.
func TestSyncErase(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("Likes tea")
	a.append("The secret lover is " + lover)
	a.append("Sings at night")
	a.sync()
	b.sync()
	mine := b.append("Lives in Goa")
	if _, err := a.w.Erase(a.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
		t.Fatal(err)
	}
	if got := a.sync(); got.Ahead != 0 || !strings.Contains(strings.Join(got.Notes, "\n"), "clean-up") {
		t.Errorf("the erasure: %+v", got)
	}
	got := b.sync()
	if got.Replayed != 1 || got.Ahead != 0 {
		t.Errorf("the old clone: %+v", got)
	}
	a.sync()
	for _, l := range []*lab{a, b} {
		if hits := stillIn(t, l); len(hits) > 0 {
			t.Errorf("it is still in %v", hits)
		}
		if text := l.text("MEMORY.md"); !strings.Contains(text, "Lives in Goa") || !strings.Contains(text, "Sings at night") {
			t.Errorf("MEMORY.md: %q", text)
		}
		if n, err := l.w.Epoch(); n != 1 || err != nil {
			t.Errorf("epoch %d, %v", n, err)
		}
		l.sound()
	}
	if all := rawGit(t, remote, "log", "-p", "--all"); strings.Contains(all, lover) {
		t.Error("a ref of the remote still holds it")
	}
	if x, y := a.git("rev-parse", "HEAD"), b.git("rev-parse", "HEAD"); x != y {
		t.Errorf("heads %s and %s", x, y)
	}
	b.undo(string(mine.Change))
	if strings.Contains(b.text("MEMORY.md"), "Lives in Goa") {
		t.Error("a change that was made again cannot be undone by its id")
	}
}

// A clone that pushed to the old history after an erasure loses nothing of it, and what
// was erased does not come back.
func TestSyncEraseLate(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("The secret lover is " + lover)
	a.append("Sings at night")
	a.sync()
	b.sync()
	if _, err := a.w.Erase(a.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
		t.Fatal(err)
	}
	b.append("Lives in Goa")
	b.sync() // on the old history, which the remote still has
	if got := a.sync(); got.Replayed != 1 {
		t.Errorf("%+v", got)
	}
	b.sync()
	for _, l := range []*lab{a, b} {
		if text := l.text("MEMORY.md"); !strings.Contains(text, "Lives in Goa") || strings.Contains(text, lover) {
			t.Errorf("MEMORY.md: %q", text)
		}
		if hits := stillIn(t, l); len(hits) > 0 {
			t.Errorf("it is still in %v", hits)
		}
		l.sound()
	}
	if x, y := a.git("rev-parse", "HEAD"), b.git("rev-parse", "HEAD"); x != y {
		t.Errorf("heads %s and %s", x, y)
	}
}

// What was forgotten on one machine goes on the other, edited or not.
func TestSyncForget(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("The secret lover is " + lover)
	a.sync()
	b.sync()
	b.update(policy.Update{Action: policy.Replace, OldText: "The secret lover", OldTextSet: true, Text: "The great secret lover", TextSet: true})
	a.forget(Forgetting{Words: []string{lover}})
	a.sync()
	b.sync()
	a.sync()
	for _, l := range []*lab{a, b} {
		if strings.Contains(l.text("MEMORY.md"), lover) {
			t.Errorf("MEMORY.md: %q", l.text("MEMORY.md"))
		}
		l.sound()
	}
}

// Three machines and a remote, random changes and syncs in random order: in the end the
// same tree everywhere, each fact once.
func TestSyncConverges(t *testing.T) {
	seeds, _ := strconv.Atoi(os.Getenv("QUIPU_SEEDS"))
	for seed := range max(seeds, 3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			converge(t, rand.New(rand.NewPCG(uint64(seed), 7))) //nolint:gosec // a test's
		})
	}
}

func converge(t *testing.T, rng *rand.Rand) {
	remote := bareRemote(t)
	rawGit(t, remote, "config", "receive.denyNonFastForwards", "true")
	machines := []*lab{machine(t, "a", remote), machine(t, "b", remote), machine(t, "c", remote)}
	for _, l := range machines {
		l.sync()
	}
	facts := map[string]int{} // fact -> the machine that it is of
	var names []string
	loose := map[string]bool{} // facts that another machine took out: an edit may have won
	for n := range 90 {
		i := rng.IntN(len(machines))
		l := machines[i]
		fact := fmt.Sprintf("Fact%dx", n)
		some := ""
		if len(names) > 0 {
			some = names[rng.IntN(len(names))]
		}
		switch op := rng.IntN(10); {
		case op < 4 || some == "":
			u := policy.Update{Action: policy.Append, Text: fact + " is known", TextSet: true}
			if rng.IntN(2) == 0 {
				u.Topic = []string{"pets", "food"}[rng.IntN(2)]
			}
			l.update(u)
			facts[fact], names = i, append(names, fact)
		case op == 4 && facts[some] == i && !loose[some]:
			_, _ = l.w.Update(l.ctx(), ada, policy.Update{Action: policy.Replace, OldText: some + " ", OldTextSet: true, Text: some + " is known better " + fact, TextSet: true})
		case op == 5:
			if _, err := l.w.Update(l.ctx(), ada, policy.Update{Action: policy.Remove, OldText: some + " ", OldTextSet: true}); err == nil {
				loose[some] = true
			}
		case op == 6:
			l.put("memory/hand.md", fmt.Sprintf("# By hand\n\n- of machine %d\n", i))
		default:
			l.sync()
		}
	}
	for range 3 {
		for _, l := range machines {
			l.sync()
		}
	}
	want := machines[0].git("rev-parse", "HEAD^{tree}")
	for i, l := range machines {
		if got := l.git("rev-parse", "HEAD^{tree}"); got != want {
			t.Errorf("machine %d has another tree: %s", i, l.git("diff", "--stat", want, got))
		}
		notes := l.git("grep", "-h", "", "HEAD", "--", "*.md")
		for _, fact := range names {
			if n := strings.Count(notes, fact+" "); n != 1 && (!loose[fact] || n != 0) {
				t.Errorf("machine %d: %s stands %d times", i, fact, n)
			}
		}
		if strings.Contains(notes, "<<<<<<<") || strings.Contains(notes, ">>>>>>>") {
			t.Error("a conflict marker")
		}
		l.sound()
	}
}

// The other branches and tags of the remote that have what was erased are replaced by
// ours of that name, or told.
func TestSyncEraseOthers(t *testing.T) {
	remote := bareRemote(t)
	a := machine(t, "a", remote)
	a.append("The secret lover is " + lover)
	a.git("branch", "side")
	a.git("tag", "-am", "a version", "v1")
	a.git("branch", "theirs-alone")
	a.sync()
	a.git("push", "-q", remote, "side", "v1", "theirs-alone")
	a.git("branch", "-D", "theirs-alone")
	if _, err := a.w.Erase(a.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(a.sync().Notes, "\n")
	for _, ref := range []string{"refs/heads/theirs-alone", "refs/tags/v1"} {
		if !strings.Contains(notes, ref) {
			t.Errorf("%s is not told: %q", ref, notes)
		}
	}
	if log := rawGit(t, remote, "log", "-p", "main", "side"); strings.Contains(log, lover) {
		t.Error("a branch still holds it")
	}
}

// A remote that somebody rewrote takes nothing away here, and is told.
func TestSyncRewritten(t *testing.T) {
	remote := bareRemote(t)
	a := machine(t, "a", remote)
	a.append("Likes tea")
	a.sync()
	rawGit(t, remote, "update-ref", "refs/heads/main", "main~1")
	a.append("Sings at night")
	got := a.sync()
	if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "rewritten by somebody: 1 change") {
		t.Errorf("told %q", notes)
	}
	if text := rawGit(t, remote, "show", "main:MEMORY.md"); !strings.Contains(text, "Likes tea") || !strings.Contains(text, "Sings at night") {
		t.Errorf("the remote has %q", text)
	}
}
