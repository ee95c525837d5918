package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/policy"
)

const rival = "Quillfeather"

// sameHeads wants one history on all machines, each sound, and nothing left to do.
func sameHeads(t *testing.T, machines ...*lab) {
	t.Helper()
	head := machines[0].git("rev-parse", "HEAD")
	for i, l := range machines {
		if got := l.git("rev-parse", "HEAD"); got != head {
			t.Errorf("machine %d is at %s, not %s: %s", i, got, head, l.git("log", "--oneline", "-5"))
		}
		if got := l.sync(); got.Pushed+got.Pulled+got.Ahead+got.Behind > 0 {
			t.Errorf("machine %d is not at rest: %+v", i, got)
		}
		l.sound()
	}
}

// holds wants each fact once in the notes of a machine, and none of what is gone in any
// object.
func (l *lab) holds(facts []string, gone ...string) {
	l.t.Helper()
	notes := l.git("grep", "-h", "", "HEAD", "--", "*.md")
	for _, f := range facts {
		if n := strings.Count(notes, f); n != 1 {
			l.t.Errorf("%q stands %d times in %q", f, n, notes)
		}
	}
	objects := strings.ToLower(l.objects())
	for _, word := range gone {
		if strings.Contains(objects, strings.ToLower(word)) {
			l.t.Errorf("an object holds %q", word)
		}
	}
}

// An old clone makes all its changes again, in their order, those of paths that are no
// notes too; a branch and a stash of the person's have nothing left of what was erased.
func TestSyncEraseOldClone(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("Likes tea")
	a.save("memory/love.md", "---\ntitle: Love\n---\n\n## About "+lover+"\n\n- The secret lover is "+lover+"\n- Met in May\n")
	a.sync()
	b.sync()
	b.git("branch", "mine")
	b.put("MEMORY.md", b.text("MEMORY.md")+"- "+lover+" sings in my stash\n- a stashed line\n")
	b.git("stash")
	b.append("Lives in Goa")
	b.put("memory/hand.md", "- by hand\n")
	b.update(policy.Update{Action: policy.Replace, OldText: "Lives in Goa", OldTextSet: true, Text: "Lives in Lisbon", TextSet: true})
	b.git("commit", "-q", "--allow-empty", "-m", "nothing")
	if err := os.WriteFile(b.path("README.md"), []byte("read me\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.git("add", "-f", "README.md")
	b.git("commit", "-qm", "a file of the person's")
	if _, err := a.w.Erase(a.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
		t.Fatal(err)
	}
	a.append("Sings at night")
	a.sync()
	if got := b.sync(); got.Replayed < 4 {
		t.Errorf("%+v", got)
	}
	a.sync()
	for _, l := range []*lab{a, b} {
		l.holds([]string{"Likes tea", "Lives in Lisbon", "Sings at night", "- by hand", "Met in May"}, lover)
		if hits := stillIn(t, l); len(hits) > 0 {
			t.Errorf("it is still in %v", hits)
		}
		if l.git("show", "HEAD:README.md") != "read me" {
			t.Error("the person's file is gone")
		}
	}
	if s := b.git("stash", "show", "-p"); !strings.Contains(s, "a stashed line") {
		t.Errorf("the stash: %s", s)
	}
	sameHeads(t, a, b)
}

// Two machines that erase different things at once end with neither, and with all else.
func TestSyncEraseBoth(t *testing.T) {
	for name, by := range map[string][2]Erasing{
		"words":         {{Words: []string{lover}}, {Words: []string{rival}}},
		"notes":         {{Entry: "The secret lover is " + lover}, {Entry: "The rival is " + rival}},
		"the same":      {{Words: []string{lover}}, {Words: []string{lover}}},
		"word and note": {{Words: []string{lover}}, {Entry: "The rival is " + rival}},
	} {
		for _, first := range []string{"lover", "rival", "together"} {
			t.Run(name+" "+first, func(t *testing.T) {
				t.Parallel()
				remote := bareRemote(t)
				a, b, c := machine(t, "a", remote), machine(t, "b", remote), machine(t, "c", remote)
				a.append("Likes tea")
				secrets := []string{"The secret lover is " + lover, "The rival is " + rival}
				switch first {
				case "rival":
					secrets[0], secrets[1] = secrets[1], secrets[0]
				case "together":
					a.save("memory/both.md", "- "+secrets[0]+"\n- "+secrets[1]+"\n")
					secrets = nil
				}
				for _, s := range secrets {
					a.append(s)
					a.append("After " + s[:12])
				}
				a.sync()
				b.sync()
				c.sync()
				for i, l := range []*lab{a, b} {
					if _, err := l.w.Erase(l.ctx(), ada, by[i]); err != nil {
						t.Fatal(err)
					}
				}
				a.append("Sings at night")
				b.append("Lives in Goa")
				c.append("Has a cat")
				for _, l := range []*lab{a, b, c, a, b} {
					l.sync()
				}
				gone := []string{lover, rival}
				facts := []string{"Likes tea", "Sings at night", "Lives in Goa", "Has a cat"}
				if name == "the same" {
					gone = gone[:1]
				}
				for _, l := range []*lab{a, b, c} {
					l.holds(facts, gone...)
				}
				if all := rawGit(t, remote, "log", "-p", "--all"); strings.Contains(all, lover) || name != "the same" && strings.Contains(all, rival) {
					t.Error("a ref of the remote still holds it")
				}
				sameHeads(t, a, b, c)
			})
		}
	}
}

// A remote that refuses the history that an erasure made goes on with the old one; no
// change is lost, and when it allows the push, all have the new one.
func TestSyncEraseRefused(t *testing.T) {
	remote := bareRemote(t)
	rawGit(t, remote, "config", "receive.denyNonFastForwards", "true")
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("The secret lover is " + lover)
	a.append("Likes tea")
	a.sync()
	b.sync()
	if _, err := a.w.Erase(a.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
		t.Fatal(err)
	}
	for _, fact := range []string{"Sings at night", "Has a cat"} {
		a.append(fact)
		_, err := a.w.Sync(a.ctx(), ada, Syncing{})
		a.refuses(err, ErrRemote)
		if s := a.w.SyncState(); !s.Holds || s.Ahead == 0 || !strings.Contains(s.Fault, "still holds") {
			t.Errorf("state %+v", s)
		}
		if strings.Contains(rawGit(t, remote, "log", "-p", "--all"), fact) {
			t.Errorf("%s was pushed beside", fact)
		}
		b.append("On b when a " + fact)
		b.sync() // the old history is all that it can know
	}
	rawGit(t, remote, "config", "receive.denyNonFastForwards", "false")
	a.sync()
	b.sync()
	a.sync()
	for _, l := range []*lab{a, b} {
		l.holds([]string{"Likes tea", "- 2026-09-12 · Sings at night", "- 2026-09-12 · Has a cat", "On b when a Sings at night", "On b when a Has a cat"}, lover)
		if s := l.w.SyncState(); s.Holds || s.Fault != "" {
			t.Errorf("state %+v", s)
		}
	}
	sameHeads(t, a, b)
}

// A retention window that is cut on one machine takes the old history from the others,
// and no note that was taken out before comes back; the same beside an erasure.
func TestSyncRetain(t *testing.T) {
	for name, erase := range map[string]bool{"alone": false, "and an erasure": true} {
		t.Run(name, func(t *testing.T) {
			remote := bareRemote(t)
			a, b := machine(t, "a", remote), machine(t, "b", remote)
			a.append("An old mistake")
			a.append("Likes tea")
			a.append("The secret lover is " + lover)
			a.update(policy.Update{Action: policy.Remove, OldText: "An old mistake", OldTextSet: true})
			for _, l := range []*lab{a, b} {
				l.clock.set(noon.AddDate(0, 0, 60))
			}
			a.append("Sings at night")
			a.sync()
			b.sync()
			if _, err := a.w.Retain(a.ctx(), ada, 30, nil); err != nil {
				t.Fatal(err)
			}
			if erase {
				if _, err := b.w.Erase(b.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
					t.Fatal(err)
				}
			}
			a.append("Has a cat")
			b.append("Lives in Goa")
			for _, l := range []*lab{a, b, a} {
				l.sync()
			}
			for _, l := range []*lab{a, b} {
				l.holds([]string{"Likes tea", "Sings at night", "Has a cat", "Lives in Goa"}, "An old mistake")
				if erase {
					l.holds(nil, lover)
				}
			}
			sameHeads(t, a, b)
		})
	}
}

// What an adoption left behind when it was cut short goes with the next sync.
func TestSyncEraseCutShort(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("The secret lover is " + lover)
	a.sync()
	b.sync()
	if _, err := a.w.Erase(a.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
		t.Fatal(err)
	}
	a.sync()
	// A linked worktree of the person's holds the notes: nothing may be let go of.
	tree := filepath.Join(t.TempDir(), "tree")
	b.git("worktree", "add", "-q", "--detach", tree)
	_, err := b.w.Sync(b.ctx(), ada, Syncing{})
	if err == nil || !strings.Contains(err.Error(), "next sync") {
		t.Errorf("%v", err)
	}
	b.git("worktree", "remove", "--force", tree)
	b.reopen()
	b.sync()
	if hits := stillIn(t, b); len(hits) > 0 {
		t.Errorf("it is still in %v", hits)
	}
	sameHeads(t, a, b)
}
