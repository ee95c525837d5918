package repo

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"quipu/policy"
)

// A note that is no plain file at the remote any more, or a program, stays here as it is,
// however the sync comes about.
func TestSyncOddStays(t *testing.T) {
	link := func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/etc/passwd", path)) }
	program := func(path string) error { return os.Chmod(path, 0o700) }
	for name, tt := range map[string]struct {
		odd    func(path string) error
		change func(a *lab)
	}{
		"a link, forward":    {link, func(*lab) {}},
		"a link, merged":     {link, func(a *lab) { a.append("Sings at night") }},
		"a link, replayed":   {link, func(a *lab) { a.eraseWords(lover) }},
		"a program, forward": {program, func(*lab) {}},
		"a program, merged":  {program, func(a *lab) { a.append("Sings at night") }},
	} {
		t.Run(name, func(t *testing.T) {
			remote := bareRemote(t)
			a := machine(t, "a", remote)
			a.append("The secret lover is " + lover)
			a.update(policy.Update{Action: policy.Append, Text: "Luna is a cat", TextSet: true, Topic: "pets"})
			a.sync()
			want := a.text("memory/pets.md")
			clone := plain(t, remote)
			if err := tt.odd(filepath.Join(clone, "memory", "pets.md")); err != nil {
				t.Fatal(err)
			}
			pushAll(t, clone)
			tt.change(a)
			a.sync()
			if got := a.text("memory/pets.md"); got != want {
				t.Errorf("pets.md is %q, want %q", got, want)
			}
			a.sound()
		})
	}
}

func (l *lab) eraseWords(words ...string) {
	l.t.Helper()
	if _, err := l.w.Erase(l.ctx(), ada, Erasing{Words: words}); err != nil {
		l.t.Fatal(err)
	}
}
