package repo

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// verdicts is what the ledger comes to, read once for each text of it.
type verdicts struct {
	mu       sync.Mutex
	blob     git.Hash
	ledger   policy.Ledger
	faults   []error
	person   string // the owner's name
	stands   *policy.Standings
	disputes *policy.Disputes
	at       time.Time // of disputes
	mark     string    // changes whenever disputes do
	listed   listing
	head     git.Hash // the newest commit
	live     liveFacts
}

// disputeAge is how old the list of what is out may be: what is out without a new event
// got there by wearing down over weeks.
const disputeAge = time.Minute

// read gives a ledger and what it says of each fact; v.mu is held. text is asked only for a
// ledger that is not the one that was read last.
func (v *verdicts) read(blob git.Hash, person string, text func() ([]byte, error)) error {
	if v.stands != nil && v.blob == blob && v.person == person {
		return nil
	}
	b, err := text()
	if err != nil {
		return err
	}
	v.ledger, v.faults = v.ledger.WithPerson(person).Grown(b)
	v.blob, v.person, v.stands, v.disputes = blob, person, v.ledger.Standings(time.Time{}), nil
	return nil
}

// newest reads the ledger of the newest commit; w.verdicts.mu is held.
func (w *Workspace) newest() error {
	head, err := w.git.Position()
	if err != nil {
		return gitError(err)
	}
	w.verdicts.head = head
	blob, err := w.git.FileAt(head, policy.LedgerFile)
	if err != nil {
		return gitError(err)
	}
	return gitError(w.verdicts.read(blob, w.store.Config().PersonName(), func() ([]byte, error) { return w.git.Blob(blob) }))
}

// standings gives what the newest ledger says of each fact.
func (w *Workspace) standings() (*policy.Standings, error) {
	w.verdicts.mu.Lock()
	defer w.verdicts.mu.Unlock()
	err := w.newest()
	return w.verdicts.stands, err
}

// ledgerNow is the ledger as the newest commit has it. It takes no lock of the vault.
func (w *Workspace) ledgerNow() (policy.Ledger, error) {
	w.verdicts.mu.Lock()
	defer w.verdicts.mu.Unlock()
	err := w.newest()
	return w.verdicts.ledger, err
}

// ledger gives the ledger at the view, and what it says of each fact.
func (v *view) ledger() (policy.Ledger, error) {
	l, _, err := v.standings()
	return l, err
}

func (v *view) standings() (policy.Ledger, *policy.Standings, error) {
	text, _, err := v.tx.File(policy.LedgerFile)
	if err != nil {
		return policy.Ledger{}, nil, err
	}
	x := &v.w.verdicts
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.read(git.HashBlob(text), v.w.store.Config().PersonName(), func() ([]byte, error) { return text, nil }); err != nil {
		return policy.Ledger{}, nil, err
	}
	for _, f := range x.faults {
		v.w.log.Warn("a line of the ledger is not understood and is kept as it is", "err", f)
	}
	return x.ledger, x.stands, nil
}

// out gives the claims that enter no prompt now, and a mark that changes when they do.
// What is disputed in a bot's own notes is out of its layers, too; what is in a layer holds
// there alone.
func (w *Workspace) out() (*policy.Disputes, string, error) {
	own, mark, err := w.outHere()
	if err != nil {
		return nil, "", err
	}
	bot, err := w.bot()
	if err != nil || bot == nil {
		return own, mark, err
	}
	above, other, err := bot.outHere()
	if err != nil {
		return nil, "", err
	}
	if above.Len() == 0 {
		return own, mark, nil
	}
	return own.With(above), mark + " " + other, nil
}

func (w *Workspace) outHere() (*policy.Disputes, string, error) {
	v := &w.verdicts
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := w.newest(); err != nil {
		return nil, "", err
	}
	now := w.now()
	if age := now.Sub(v.at); v.disputes == nil || age < 0 || age > disputeAge || v.live.old(v.head) {
		d := v.stands.Disputes(now)
		if err := w.dropFallen(v.stands, d); err != nil {
			return nil, "", err
		}
		v.live.told(v.head)
		v.disputes, v.at, v.mark = d, now, ""
		if d.Len() > 0 {
			v.mark = fmt.Sprintf("%v %d %q", v.blob, d.Len(), d.Fallen())
		}
	}
	return v.disputes, v.mark, nil
}

// Disputed gives what tells whether a text says again what is out: a line of a
// conversation that would enter a prompt.
func (w *Workspace) Disputed() (func(text string) bool, error) {
	d, _, err := w.out()
	return d.Tells, err
}

// Evidence is how one fact stands, and where its note is. JSON.
type Evidence struct {
	policy.Standing
	Path string `json:"path,omitempty"` // "" when no note states it any more
	Line int    `json:"line,omitempty"`
	// Moved are the signals that moved it, the oldest first.
	Moved []policy.Transition `json:"signals"`
	Said  []policy.Event      `json:"said"` // the words it rests on
}

// Stand is the evidence without what it is made of.
func (e Evidence) Stand() Stand { return Stand{Standing: e.Standing, Path: e.Path, Line: e.Line} }

// Evidence tells how a fact stands at a time, zero is now. A fact is named by PATH:LINE,
// by text that one note holds, or in its own words when no note states it any more. A
// selector that names no one note is a *policy.Refusal.
func (w *Workspace) Evidence(_ context.Context, selector string, at time.Time) (Evidence, error) {
	s, err := w.standingsAt(at)
	if err != nil {
		return Evidence{}, err
	}
	return w.evidenceOf(s, selector, cmpTime(at, w.now()))
}

func cmpTime(at, now time.Time) time.Time {
	if at.IsZero() {
		return now
	}
	return at.In(now.Location())
}

// standingsAt are the standings as they were at a time; zero is now.
func (w *Workspace) standingsAt(at time.Time) (*policy.Standings, error) {
	s, err := w.standings()
	if err != nil || at.IsZero() {
		return s, err
	}
	l, err := w.ledgerNow()
	return l.Standings(at), err
}

// disputesAt are the claims that are out at a time, with what fell by now.
func (w *Workspace) disputesAt(s *policy.Standings, at time.Time) (*policy.Disputes, error) {
	d := s.Disputes(at)
	w.verdicts.mu.Lock()
	defer w.verdicts.mu.Unlock()
	if err := w.newest(); err != nil {
		return nil, err
	}
	return d, w.dropFallen(s, d)
}

func (w *Workspace) evidenceOf(s *policy.Standings, selector string, now time.Time) (Evidence, error) {
	n, err := w.workNotes(selector)
	if err != nil {
		return Evidence{}, err
	}
	note, err := stating(n, s, selector)
	if err != nil {
		return Evidence{}, err
	}
	d, err := w.disputesAt(s, now)
	if err != nil {
		return Evidence{}, err
	}
	fact := note.Fact
	return Evidence{
		Standing: d.Of(fact, note.Falls, now.Location()), Path: note.Path, Line: note.Line,
		Moved: append([]policy.Transition{}, s.Transitions(fact)...), Said: append([]policy.Event{}, s.Said(fact)...),
	}, nil
}

// stating finds the note that a selector names, or, where no note states it any more, the
// fact in the ledger.
func stating(n policy.Notes, s *policy.Standings, selector string) (policy.Stating, error) {
	note, err := n.StatingOf(selector)
	if err == nil {
		return note, nil
	}
	if fact := markdown.Identity(selector); s.Knows(fact) {
		return policy.Stating{Fact: fact, Falls: true}, nil
	}
	return note, refused(err)
}

// EvidenceLog lists what moved one fact, or with "" every fact, the newest first; at
// most limit, zero is all.
func (w *Workspace) EvidenceLog(_ context.Context, selector string, limit int) ([]policy.Transition, error) {
	s, err := w.standings()
	if err != nil {
		return nil, err
	}
	fact := ""
	if selector != "" {
		e, err := w.evidenceOf(s, selector, w.now())
		if err != nil {
			return nil, err
		}
		fact = e.Fact
	}
	list := s.Transitions(fact)
	slices.Reverse(list)
	if limit > 0 {
		list = list[:min(limit, len(list))]
	}
	return list, nil
}
