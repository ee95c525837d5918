package git

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPowerCut cuts the power at 500 random points of random changes, some of them
// with a person's commits between, and in every third round once more inside the
// recovery: every answered change is back in the history and in a file.
func TestPowerCut(t *testing.T) {
	const homes = 50
	cuts, seed := fewer(500), uint64(0)
	if long {
		seed = rand.Uint64()
		t.Logf("seeds from %d", seed)
	}
	for i := range homes {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			p := newPower(t, seed+uint64(i))
			if hit, err := p.run(-1, func(r *Repo) error {
				return r.Checkpoint(context.Background())
			}); hit || err != nil {
				t.Fatal(err)
			}
			p.look(true)
			s := &season{power: p}
			for round := range cuts / homes {
				s.round(round)
				if t.Failed() {
					t.Fatalf("stopped after round %d: %s", round, s.story)
				}
			}
			t.Logf("%d answers, damage %v", len(s.answers), p.damage)
		})
	}
}

// season is a series of power cuts of one home.
type season struct {
	*power
	answers []string // what was answered and must stand for ever
	loose   []string // a person's commits that nothing of ours was built on yet
	story   string
}

func (s *season) round(n int) {
	s.t.Helper()
	person := n%4 == 1
	s.loose = nil
	k := s.rng.IntN(150)
	hit, err := s.run(k, func(r *Repo) error { return s.changes(r, n, person) })
	s.story = fmt.Sprintf("stop at call %d (hit: %v, person: %v)", k, hit, person)
	if err != nil {
		s.t.Errorf("%s: %v", s.story, err)
		return
	}
	s.cut()
	if n%3 == 0 {
		j := s.rng.IntN(60)
		again, err := s.run(j, func(*Repo) error { return nil })
		s.story += fmt.Sprintf(", recovery stopped at call %d (hit: %v)", j, again)
		if err != nil {
			s.t.Errorf("%s: %v", s.story, err)
		}
		s.cut()
	}
	if _, err := s.run(-1, func(*Repo) error { return nil }); err != nil {
		s.t.Errorf("%s: the start after it: %v", s.story, err)
		return
	}
	if !person { // a person's lost commit leaves their text as an edit
		s.checkAnswers(s.answers, false)
	}
	s.loose = nil
	if _, err := s.run(-1, func(r *Repo) error { return s.answered(r, fmt.Sprintf("after-%d", n)) }); err != nil {
		s.t.Errorf("%s: the change after it: %v", s.story, err)
	}
	s.checkAnswers(s.answers, true)
}

func (s *season) answered(r *Repo, id string) error {
	if err := add(r, fmt.Sprintf("memory/topic-%d.md", s.rng.IntN(4)), "- "+id); err != nil {
		return err
	}
	s.answers = append(append(s.answers, s.loose...), "+"+id)
	s.loose = nil
	return nil
}

// changes makes a few changes, with a checkpoint or a person's commit between.
func (s *season) changes(r *Repo, n int, person bool) error {
	for i := range 6 {
		id := fmt.Sprintf("r%d-%d", n, i)
		switch kind := s.rng.IntN(8); {
		case kind == 0:
			if err := r.Checkpoint(context.Background()); err != nil {
				return err
			}
		case kind == 1 && person:
			s.personCommits(id)
		case kind == 2:
			if err := moveOldest(r, id); err != nil {
				return err
			}
			s.answers = append(append(s.answers, s.loose...), "+"+id)
			s.loose = nil
		default:
			if err := s.answered(r, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// personCommits makes a person's own commit. git syncs the branch but not the loose
// objects that it names.
func (s *season) personCommits(id string) {
	s.t.Helper()
	path := "memory/person-" + id + ".md"
	s.appendTo(path, "- "+id+"\n")
	s.git("add", path)
	s.git("commit", "-qm", "add: - "+id)
	s.loose = append(s.loose, "+"+id)
	s.keepNext(s.dir + "/refs/heads/main")
}

func TestPersonsCommitThenPowerCut(t *testing.T) {
	for _, last := range []bool{false, true} {
		t.Run(map[bool]string{false: "between two changes", true: "last"}[last], func(t *testing.T) {
			for seed := range uint64(fewer(30)) {
				p := newPower(t, 100+seed)
				s := &season{power: p}
				if _, err := p.run(-1, func(r *Repo) error {
					p.look(true)
					if err := s.answered(r, "ours"); err != nil {
						return err
					}
					s.personCommits("theirs")
					s.personCommits("theirs-too")
					if last {
						return nil
					}
					return s.answered(r, "ours-again")
				}); err != nil {
					t.Fatal(err)
				}
				p.cut()
				if _, err := p.run(-1, func(r *Repo) error { return s.answered(r, "later") }); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if last {
					s.answers = []string{"+ours", "+later"}
				}
				s.checkAnswers(s.answers, true)
				if t.Failed() {
					t.Fatalf("seed %d, damage %v", seed, p.damage)
				}
			}
		})
	}
}

// TestTornHeader tears the header that a checkpoint is writing: the other one
// counts, and the records that it names.
func TestTornHeader(t *testing.T) {
	for _, cut := range []int{0, 1, 40, 50, pageSize} {
		h := newHome(t)
		r := h.open()
		for i := range 3 {
			if err := add(r, "MEMORY.md", fmt.Sprintf("- line %d", i)); err != nil {
				t.Fatal(err)
			}
		}
		records, err := r.wal.load()
		if err != nil || len(records) != 3 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		next := r.wal.header
		next.epoch++
		if _, err := r.wal.f.WriteAt(next.encode()[:cut], int64(next.epoch%2)*pageSize); err != nil {
			t.Fatal(err)
		}
		if cut == pageSize { // torn in its middle
			if _, err := r.wal.f.WriteAt([]byte("torn"), int64(next.epoch%2)*pageSize+30); err != nil {
				t.Fatal(err)
			}
		}
		r.abandon()
		h.boot = "boot-2"
		h.write("MEMORY.md", "")
		h.gitFile("refs/heads/main", "")
		r = h.open()
		if got := h.read("MEMORY.md"); strings.Count(got, "\n") != 3 {
			t.Errorf("cut at %d: %q", cut, got)
		}
		if err := add(r, "MEMORY.md", "- next"); err != nil {
			t.Error(err)
		}
		h.sound()
	}
}
