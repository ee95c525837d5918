package repo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"quipu/repo/turns"
)

const (
	upkeepFile  = "upkeep.json" // in the history's own folder: local, never pushed
	upkeepLock  = "upkeep.lock"
	pausedFile  = "upkeep-paused" // in the home
	maxJudged   = 500             // judgements that are remembered
	upkeepShape = 1
	passTries   = 5
)

// UpkeepState is what upkeep remembers of a workspace between passes. It holds no text
// of a note: facts are named by hashes, and the reports are counts.
type UpkeepState struct {
	Shape  int        `json:"shape"`
	Judged []Judgment `json:"judged,omitempty"` // oldest first
	// Checked is, of each file, the hash of the statements among which a model was asked
	// for contradictions last.
	Checked     map[string]string `json:"checked,omitempty"`
	TidiedOn    string            `json:"tidiedOn,omitempty"` // the local day of the last tidy-up
	LastTidy    json.RawMessage   `json:"lastTidy,omitempty"`
	LastCapture json.RawMessage   `json:"lastCapture,omitempty"`
	Running     *Running          `json:"running,omitempty"` // see UpkeepRuns
	// Reflected are hashes of the facts from which a model was asked to draw something last,
	// and ReflectedOn the local day of that.
	Reflected   []string        `json:"reflected,omitempty"`
	ReflectedOn string          `json:"reflectedOn,omitempty"`
	LastReflect json.RawMessage `json:"lastReflect,omitempty"`
}

// Unreflected counts the facts that were not there when a model was asked to draw something
// from them last.
func (s *UpkeepState) Unreflected(facts []string) int {
	n := 0
	for _, f := range facts {
		if !slices.Contains(s.Reflected, reflectedHash(f)) {
			n++
		}
	}
	return n
}

// Reflect remembers from which facts a model was asked to draw something, and when.
func (s *UpkeepState) Reflect(facts []string, day string) {
	s.Reflected, s.ReflectedOn = make([]string, len(facts)), day
	for i, f := range facts {
		s.Reflected[i] = reflectedHash(f)
	}
}

func reflectedHash(fact string) string { return hashText([]byte(fact))[:16] }

// Running is how far a pass of upkeep has come.
type Running struct {
	Job   string `json:"job"`  // tidy, capture
	Step  string `json:"step"` // what it does now
	Done  int    `json:"done"`
	Of    int    `json:"of"`
	Since int64  `json:"since"` // milliseconds
}

// Judgment says that a line of MEMORY.md was judged to belong there.
type Judgment struct {
	Fact  string `json:"fact"`            // a hash of its identity
	Young bool   `json:"young,omitempty"` // it was of the last two weeks then
}

// IsJudged says whether a fact was judged. One that was young then and is stale now
// counts as not judged: a work log may have come to its end since.
func (s *UpkeepState) IsJudged(fact string, stale bool) bool {
	i := slices.IndexFunc(s.Judged, func(j Judgment) bool { return j.Fact == hashText([]byte(fact)) })
	return i >= 0 && (!stale || !s.Judged[i].Young)
}

// Judge remembers that a fact was judged; of more than 500 the oldest are forgotten.
func (s *UpkeepState) Judge(fact string, stale bool) {
	j := Judgment{Fact: hashText([]byte(fact)), Young: !stale}
	s.Judged = slices.DeleteFunc(s.Judged, func(o Judgment) bool { return o.Fact == j.Fact })
	s.Judged = append(s.Judged, j)
	s.Judged = s.Judged[max(0, len(s.Judged)-maxJudged):]
}

// Upkeep gives what upkeep remembers. A file that cannot be read, or of a newer
// quipu, counts as none: everything in it can be found out again.
func (w *Workspace) Upkeep() UpkeepState {
	var s UpkeepState
	data, err := readSmall(filepath.Join(w.git.Own(), upkeepFile))
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, &s)
	}
	if err != nil || s.Shape > upkeepShape {
		w.log.Warn("what upkeep remembers is not readable and is found out again", "err", err)
		return UpkeepState{}
	}
	return s
}

// KeepUpkeep keeps what upkeep remembers. Only the holder of the pass calls it.
func (w *Workspace) KeepUpkeep(s UpkeepState) error {
	s.Shape = upkeepShape
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("keep upkeep's memory: %w", err)
	}
	if err := w.writeOwn(upkeepFile, data); err != nil {
		return fmt.Errorf("keep upkeep's memory: %w", err)
	}
	return nil
}

// writeOwn puts data in place of a file of the history's own folder.
func (w *Workspace) writeOwn(name string, data []byte) error {
	root, err := os.OpenRoot(w.git.Own())
	if err != nil {
		return err
	}
	return errors.Join(writeWhole(root, name, data), root.Close())
}

// Pass takes the one pass of upkeep that may run over a workspace, in all processes;
// end lets it go. It is no lock of the notes: whoever writes meanwhile is not held up.
// ErrBusy when another pass runs.
func (w *Workspace) Pass() (end func(), err error) {
	if err := os.MkdirAll(w.git.Own(), 0o700); err != nil {
		return nil, fmt.Errorf("begin upkeep: %w", err)
	}
	lock := flock.New(filepath.Join(w.git.Own(), upkeepLock), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	for tries := 0; err == nil && !held && tries < passTries; tries++ { // one who only looks holds it for microseconds
		time.Sleep(homeRetry)
		held, err = lock.TryLock()
	}
	if err != nil {
		return nil, fmt.Errorf("begin upkeep: %w", err)
	}
	if !held {
		return nil, wrapf(ErrBusy, "upkeep of this bot's notes is running already")
	}
	return func() {
		if err := lock.Close(); err != nil {
			w.log.Warn("upkeep's lock was not let go", "err", err)
		}
	}, nil
}

// UpkeepRuns says how far the pass that runs now has come, in whichever process; nil
// when none runs.
func (w *Workspace) UpkeepRuns() *Running {
	state := w.Upkeep()
	if state.Running == nil {
		return nil
	}
	end, err := w.Pass()
	if err == nil { // nobody holds it: the pass that wrote this broke off
		end()
		return nil
	}
	return state.Running
}

// UpkeepStamp changes whenever what upkeep remembers does: what a reader looks at
// before it reads.
func (w *Workspace) UpkeepStamp() string { return w.stampOf(upkeepFile) }

// PauseUpkeep stops upkeep of every bot until a time, as while a backup runs: what
// waits, waits. A zero time ends the pause.
func (s *Store) PauseUpkeep(until time.Time) error {
	return lockHome(s.home, func(root *os.Root) error {
		if until.IsZero() {
			return removeQuietly(root, pausedFile)
		}
		return writeWhole(root, pausedFile, []byte(until.UTC().Format(time.RFC3339)+"\n"))
	})
}

// UpkeepPaused says until when upkeep is paused; zero when it is not. A pause ends by
// itself, so that a backup that broke off does not end upkeep for ever.
func (s *Store) UpkeepPaused() time.Time {
	data, err := readSmall(filepath.Join(s.home, pausedFile))
	if err != nil || len(data) == 0 {
		return time.Time{}
	}
	until, err := time.Parse(time.RFC3339, strings.TrimSpace(string(data)))
	if err != nil || !until.After(s.now()) {
		return time.Time{}
	}
	return until
}

// UpkeepAllowed is nil when upkeep of a bot may run now, else ErrOff with the reason.
func (s *Store) UpkeepAllowed(id ID) error {
	switch c := s.Config(); {
	case !c.MemoryOn(id):
		return wrapf(ErrOff, "memory is switched off for this bot")
	case !c.UpkeepOn(id):
		return wrapf(ErrOff, "upkeep is off for this bot")
	}
	if until := s.UpkeepPaused(); !until.IsZero() {
		return wrapf(ErrOff, "upkeep is paused until %s", until.In(s.Config().Location()).Format("2006-01-02 15:04"))
	}
	return nil
}

// Waiting gives the conversations, of all bots, whose turns are not read yet.
func (s *Store) Waiting(ctx context.Context) ([]turns.Queued, error) {
	said, err := s.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said == nil {
		return nil, err
	}
	queue, err := said.Queue(ctx)
	return queue, turnError(err)
}

// Working says whether a turn of a bot is open: its notes are not tended then, unless
// somebody asks for it.
func (s *Store) Working(ctx context.Context, id ID) (bool, error) {
	said, err := s.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said == nil {
		return false, err
	}
	open, err := said.OpenTurns(ctx, string(id), s.now())
	return len(open) > 0, turnError(err)
}
