package hooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"quipu/hooks/prompt"
	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// tidyLimit bounds one tidy-up, whatever its models do.
const tidyLimit = 30 * time.Minute

// Tidy tidies a bot's notes: detail goes to its topic, what ran out to the archive,
// exact duplicates go, and of two notes that cannot both be true the older is struck, or
// the newer when who said the older is trusted enough more.
// Each part is a change that can be undone. Dry, nothing is written and the report
// holds the plan. tell, which may be nil, is told how far it has come. Without a model
// the parts that need one are left out and the report says so. ErrOff when upkeep is
// switched off or paused, ErrBusy when another process tidies.
func (u *Upkeep) Tidy(ctx context.Context, bot repo.ID, dry bool, tell func(repo.Running)) (TidyReport, error) {
	if dry {
		return u.tidy(ctx, bot, true, tell)
	}
	// Two that ask at once get one run, which does not end because one of them goes away.
	ran := u.shared.DoChan(string(bot), func() (any, error) {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyLimit)
		defer cancel()
		return u.tidy(own, bot, false, tell)
	})
	select {
	case <-ctx.Done():
		return TidyReport{}, ctx.Err()
	case r := <-ran:
		out, _ := r.Val.(TidyReport)
		return out, r.Err
	}
}

func (u *Upkeep) tidy(ctx context.Context, bot repo.ID, dry bool, tell func(repo.Running)) (TidyReport, error) {
	if err := u.store.UpkeepAllowed(bot); err != nil {
		return TidyReport{}, err
	}
	p, err := u.begin(ctx, bot, "tidy", dry, tell)
	if err != nil {
		return TidyReport{}, err
	}
	defer p.done()
	out := TidyReport{At: u.now().UnixMilli(), Changes: []repo.ChangeID{}}
	if err := p.unanswered(ctx, &out); err != nil {
		return out, err
	}
	p.step("organize", 0, 1)
	filed, changes, err := p.organize(ctx)
	if ends(err) {
		return out, err
	}
	out.Organized, out.Changes = len(filed), append(out.Changes, changes...)
	if err != nil && !noModel(err) && p.why == nil {
		out.Note = note(out.Note, err) // an answer that makes no sense; that of a model that gave none is told below
	}
	if err := p.tidyFiles(ctx, filed, &out); err != nil {
		return out, err
	}
	out.Note = note(out.Note, p.why)
	p.state.TidiedOn, p.state.LastTidy = p.ws.Today(), report(out)
	return out, nil
}

// ends reports whether an error ends a pass: its own end, that upkeep is not wanted any
// more, and every fault of the vault. A model that fails ends no pass.
func ends(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || isVaultFault(err)
}

func isVaultFault(err error) bool {
	for _, fault := range []error{repo.ErrOff, repo.ErrBusy, repo.ErrState, repo.ErrDamaged, repo.ErrTooLarge, repo.ErrNotFound} {
		if errors.Is(err, fault) {
			return true
		}
	}
	return false
}

// tidyFiles does what is left after organizing: expiry, duplicates, contradictions and
// the budget, as one change.
func (p *pass) tidyFiles(ctx context.Context, filed []policy.Step, out *TidyReport) error {
	n, err := p.ws.WholeNotes(ctx)
	if err != nil {
		return err
	}
	today := markdown.DateOf(p.ws.Now())
	swept := policy.Sweep(n, today)
	falling, err := p.ws.Falling()
	if err != nil {
		return err
	}
	swept.Steps = append(swept.Steps, policy.SweepFallen(n, falling, today, swept.Steps)...)
	trust, err := p.ws.TrustOf()
	if err != nil {
		return err
	}
	c := comparison{pass: p, notes: n, swept: swept, today: today, checked: map[string]string{}, trust: trust}
	if err := c.run(ctx); err != nil {
		return err
	}
	out.Deferred, out.Refused, out.Contradictions = c.deferred, c.refused, p.why == nil
	plan := policy.Plan{Steps: append(swept.Steps, c.steps...)}
	if p.dry {
		out.count(plan.Steps)
		out.Plan = shown(append(filed, plan.Steps...))
		return nil
	}
	m := repo.Meta{Author: repo.Author{Kind: repo.Upkeep}, Action: repo.ActTidy, Via: repo.ViaTidy}
	applied, err := p.ws.Apply(ctx, m, plan, p.allowed)
	if err != nil {
		return err
	}
	out.count(applied.Done)
	out.Skipped, out.Moved, out.Truncated = len(applied.Passed), len(applied.Moved), applied.Truncated
	out.Changes = append(out.Changes, changesOf(applied.Receipt)...)
	p.state.Checked = c.checked
	p.keepRisen(applied.Done, today)
	return nil
}

func (r *TidyReport) count(steps []policy.Step) {
	for _, s := range steps {
		switch s.Op {
		case policy.OpArchive:
			r.Expired++
		case policy.OpDrop:
			r.Duplicates++
		case policy.OpStrike:
			r.Superseded++
			if s.Trusted {
				r.Trusted++
			}
		case policy.OpFall:
			r.Fallen++
		case policy.OpRise:
			r.Risen++
		}
	}
}

// comparison looks for notes that cannot both be true, file by file.
type comparison struct {
	*pass
	notes   policy.Notes
	swept   policy.Swept
	today   markdown.Date
	checked map[string]string
	trust   func(fact string) *float64 // in who said it

	steps             []policy.Step
	deferred, refused int
}

func (c *comparison) run(ctx context.Context) error {
	if c.engine == nil {
		return nil
	}
	files := c.files()
	for i, path := range files {
		c.step("contradictions "+path, i, len(files))
		if err := c.compare(ctx, path); ends(err) {
			return err
		}
	}
	return nil
}

// files are those in which something may be struck, MEMORY.md first.
func (c *comparison) files() []string {
	var list []string
	for _, path := range append([]string{policy.MemoryFile}, c.notes.Order...) {
		kind, err := policy.CheckPath(path)
		if err == nil && (kind == policy.Topic || kind == policy.Memory && len(list) == 0) && policy.StrikeBudget(path, c.swept.Live[path]) > 0 {
			list = append(list, path)
		}
	}
	return list
}

// compare asks about one file, unless nothing changed in it since it was asked last.
func (c *comparison) compare(ctx context.Context, path string) error {
	list := policy.Statements(path, c.notes.Files[path], c.swept.Steps, c.today)
	if least := map[bool]int{true: 5, false: 2}[path == policy.MemoryFile]; len(list) < least {
		return nil
	}
	lines := policy.ListStatements(list)
	mark := fingerprint(lines)
	if c.state.Checked[path] == mark {
		c.checked[path] = mark
		return nil
	}
	answer, err := c.ask(ctx, "tidy", prompt.Contradictions{Path: path, Today: prompt.Day(c.ws.Now()), Lines: lines}.Text(), policy.PairsSchema())
	if err != nil {
		return err
	}
	pairs, dropped, err := policy.ParsePairs(answer, len(list))
	if err != nil {
		c.why = fmt.Errorf("contradictions: %w", err)
		return nil
	}
	for i := range list {
		list[i].Trust = c.trust(list[i].Text)
	}
	s := policy.PlanStrikes(list, pairs, policy.StrikeBudget(path, c.swept.Live[path]))
	c.steps = append(c.steps, s.Steps...)
	c.deferred, c.refused = c.deferred+s.Deferred, c.refused+s.Refused+dropped
	if s.Deferred == 0 && len(s.Steps) == 0 { // where something is struck the file is another one
		c.checked[path] = mark
	}
	return nil
}

func fingerprint(lines string) string {
	sum := sha256.Sum256([]byte(lines))
	return hex.EncodeToString(sum[:16])
}

// shown is a plan as a person reads it.
func shown(steps []policy.Step) []Planned {
	words := map[policy.Op]string{policy.OpArchive: "expire", policy.OpDrop: "drop", policy.OpStrike: "strike", policy.OpFile: "file", policy.OpFall: "fall", policy.OpRise: "rise"}
	out := make([]Planned, len(steps))
	for i, s := range steps {
		out[i] = Planned{What: words[s.Op], Path: s.Path, Line: s.Line, Entry: s.Raw, Beside: s.Twin, Keeps: s.Rest, Trusted: s.Trusted, To: s.To}
	}
	return out
}
