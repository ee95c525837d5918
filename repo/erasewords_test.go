package repo

import (
	"os"
	"slices"
	"strings"
	"testing"

	"quipu/policy"
)

// Words that quipu itself writes, in subjects, trailers, logs of refs, names of files and
// in what it puts in the place of erased words, can be erased like any others: it ends,
// it is verified, a second time finds nothing, and the files keep the names that quipu
// gave them.
func TestEraseOwnWords(t *testing.T) {
	for _, words := range [][]string{
		{"erased"},
		{"removed"},
		{"erased", "removed"},
		{"note"},
		{"notes"},
		{"copies"},
		{"commits"},
		{"commit"},
		{"forget"},
		{"erase"},
		{"history"},
		{"update"},
		{"Memory"},
		{"MEMORY.md"},
		{"md"},
		{"log"},
		{"archive"},
		{"ledger"},
		{"epoch"},
		{"window"},
		{"began"},
		{"Memory-Change"},
		{"Author"},
		{"quipu"},
		{"scout"},
		{"Ada"},
		{"main"},
		{"refs"},
		{"HEAD"},
		{"tree"},
		{"2"},
		{"me"},
		{"from"},
		{"superseded"},
		{"2026-09-11"},
	} {
		t.Run(strings.Join(words, " "), func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			word := strings.Join(words, " and ")
			l.append("He said " + word + " twice")
			l.append("Sings at night")
			l.update(policy.Update{Action: policy.Append, Text: "Detail of " + word, TextSet: true, Topic: "persimmon"})
			l.update(policy.Update{Action: policy.Supersede, Text: "Sings in the morning", TextSet: true, OldText: "Sings at night", OldTextSet: true})
			l.put("memory/archive.md", "- 2026-01-01 · Old "+word+" · moved 2026-02-01\n# Of "+word+"\n")
			l.put("memory/log/2026-09-11.md", "- 14:03 · spoke of "+word+"\n- 14:05 · made tea\n")
			if _, err := l.w.TakeIn(l.ctx(), ada.Author); err != nil {
				t.Fatal(err)
			}
			l.forget(Forgetting{Words: []string{"Zanzibar"}})
			l.git("commit", "--allow-empty", "-qm", "by hand: of tea")
			l.git("tag", "-am", "of tea", "v1")
			files := l.git("ls-files")
			for i := range 2 {
				got, err := l.w.Erase(l.ctx(), ada, Erasing{Words: words, Confirm: true})
				if err != nil {
					t.Fatal(err)
				}
				if found := got.Notes + got.Copies; found == 0 && i == 0 || found > 0 && i == 1 {
					t.Errorf("%d: erased %+v", i, got)
				}
			}
			if found, err := l.w.Gone(l.ctx(), words, nil); err != nil || len(found) > 0 {
				t.Errorf("gone: %v, %v", found, err)
			}
			if after := strings.Replace(l.git("ls-files"), policy.EpochFile+"\n", "", 1); after != files {
				t.Errorf("the files are %q, and were %q", after, files)
			}
			if text := l.text("MEMORY.md"); strings.Contains(text, "twice") || !strings.Contains(text, "in the morning") {
				t.Errorf("MEMORY.md: %q", text)
			}
			l.sound()
		})
	}
}

// Words that stand in the names of two files, and together in one note, are no name that
// tells them; a folder whose name does gets another.
func TestEraseNames(t *testing.T) {
	l := newLab(t)
	l.put("memory/persimmon.md", "- tea\n")
	l.put("memory/vet.md", "- milk\n- the vet of "+lover+"\n")
	if _, err := l.w.TakeIn(l.ctx(), ada.Author); err != nil {
		t.Fatal(err)
	}
	if got, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover, "vet"}}); err != nil || got.Notes != 1 {
		t.Fatalf("erased %+v, %v", got, err)
	}
	if l.text("memory/vet.md") != "- milk\n" || l.text("memory/persimmon.md") != "- tea\n" {
		t.Error("a file has another name")
	}
	l.put("persimmon/of tea.txt", "tea\n")
	l.git("add", "-f", "persimmon/of tea.txt")
	l.git("commit", "-qm", "by hand")
	l.git("rm", "-q", "persimmon/of tea.txt")
	l.git("commit", "-qm", "by hand, too")
	if _, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	if found, err := l.w.Gone(l.ctx(), []string{lover}, nil); err != nil || len(found) > 0 {
		t.Errorf("gone: %v, %v", found, err)
	}
	if names := l.git("log", "--all", "--format=", "--name-only"); !strings.Contains(names, "erased/of tea.txt") {
		t.Errorf("the names are %q", names)
	}
	l.sound()
}

// What quipu does not keep is named, by verify --gone and by the erasure itself: settings
// and hooks of git that are a person's own, names of refs, other files, other bots.
func TestEraseElsewhere(t *testing.T) {
	l := newLab(t)
	l.create("rover")
	l.append("Knows " + lover)
	l.create("scout")
	l.append("Likes " + lover)
	l.git("branch", "persimmon-walks")
	l.git("tag", "of-tea")
	l.git("pack-refs", "--all")
	l.git("tag", "of-"+lover)
	l.git("config", "alias.p", "log "+lover)
	for name, text := range map[string]string{
		"hooks/post-commit": "#!/bin/sh\necho " + lover + "\n", "hooks/pre-push.sample": "#!/bin/sh\n# " + lover + "\n",
		"hooks/commit-msg": "#!/bin/sh\n" + hookMark + " " + lover + "\n", "info/exclude": l.gitFile("info/exclude") + lover + ".txt\n",
	} {
		if err := os.WriteFile(l.w.git.Dir()+"/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l.put("notes/a.txt", "of "+lover+"\n")
	l.put("notes/wide.txt", utf16Text("of "+lover+"\n"))
	l.put("persimmon.png", "\x89PNG")
	l.put("notes/tea.txt", "of tea\n")
	l.put("node_modules/x.js", lover)
	l.put("large.txt", lover+strings.Repeat("\n", besideFile))
	got, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}})
	if err != nil {
		t.Fatal(err)
	}
	refs := []string{"refs/heads/persimmon-walks", "refs/tags/of-Persimmon"}
	files := []string{"notes/a.txt", "notes/wide.txt", "persimmon.png"}
	var want []string
	for _, ref := range refs {
		want = append(want, ref+": "+renameIt)
	}
	for _, path := range files {
		want = append(want, path+": "+notKept)
	}
	want = append(want, "the notes of rover mention it; erase it there, too")
	if left := got.Unreached[len(unreached):]; !slices.Equal(left, want) {
		t.Errorf("out of reach: %q, want %q", left, want)
	}
	found, err := l.w.Gone(l.ctx(), []string{lover}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var where []string
	for _, f := range found {
		if where = append(where, f.Where); f.Level != "warning" || f.What != notKept && f.What != renameIt {
			t.Errorf("found %+v", f)
		}
	}
	all := slices.Concat([]string{"config", "hooks/post-commit", "info/exclude"}, refs, files)
	slices.Sort(all)
	if !slices.Equal(where, all) {
		t.Errorf("found in %q, want %q", where, all)
	}
	if got, err := l.w.Erase(l.ctx(), ada, Erasing{Change: string(l.append("Drinks tea").Change)}); err != nil || len(got.Unreached) != len(unreached) {
		t.Errorf("by a change: %q, %v", got.Unreached, err)
	}
}

// gitFile is a file of the git directory.
func (l *lab) gitFile(name string) string {
	l.t.Helper()
	b, err := os.ReadFile(l.w.git.Dir() + "/" + name)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(b)
}
