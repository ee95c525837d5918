package repo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
)

// Applied is what became of a plan.
type Applied struct {
	Receipt
	Done   []policy.Step
	Passed []policy.Passed // steps that were not taken, and why
}

// Apply carries out a plan of upkeep as one change. Each step is checked again under
// the lock: where its entry no longer stands byte for byte it is passed over. still,
// which may be nil, is asked under the lock whether the plan is wanted at all; its
// error ends the change before anything is written. A plan that comes to nothing makes
// no commit.
func (w *Workspace) Apply(ctx context.Context, m Meta, p policy.Plan, still func() error) (Applied, error) {
	var out Applied
	r, err := w.change(ctx, m, func(v *view) (draft, error) {
		n, err := v.wholeNotes(still)
		if err != nil {
			return draft{}, err
		}
		if slices.ContainsFunc(p.Steps, func(s policy.Step) bool { return s.Op == policy.OpFall || s.Op == policy.OpRise }) {
			if p.Evidence, err = v.falling(n); err != nil {
				return draft{}, err
			}
		}
		c := p.Carry(n, v.w.limits(), markdown.DateOf(v.at))
		out.Done, out.Passed = c.Done, c.Passed
		d := draft{subject: planSubject(c), receipt: Receipt{Moved: c.Moved, Truncated: c.Truncated}}
		return d, d.take(c.Edits)
	})
	out.Receipt = r
	return out, err
}

// Noticing is what capture would file.
type Noticing struct {
	Facts   []policy.Fact
	AboutMe []string // what every bot should know of the owner, in one line each
	Bot     string   // the bot's name, as About me names who learned it
	// Bearings are what the owner's words do to notes that stand, and Judged what they say
	// of who taught them.
	Bearings []policy.Bearing
	Judged   []Judged
}

// Noticed is what capture filed.
type Noticed struct {
	Receipt
	Notes    policy.Filed // what became of the facts
	Disputed int          // of them, that say again what a person disputed: they are left out
	Hushed   int          // of them, about what is not to be mentioned: likewise
	Moved    Moved        // what became of the bearings
	AboutMe  []string     // the lines that went to About me
}

// Notice files facts that were noticed, as one change: see policy.FileFacts. What goes
// to About me has the same change id, so that one undo takes both back. still is asked
// under the lock what may be kept by now, as after a chat was deleted; its error ends
// the change before anything is written.
func (w *Workspace) Notice(ctx context.Context, m Meta, still func() (Noticing, error)) (Noticed, error) {
	var out Noticed
	var n Noticing
	m.Action = ActCapture
	id, err := w.store.change(w.now())
	if err != nil {
		return out, err
	}
	out.Receipt, err = w.change(ctx, m, func(v *view) (d draft, err error) {
		if n, err = still(); err != nil {
			return d, err
		}
		list, err := v.never(ctx)
		if err != nil {
			return d, err
		}
		disputes, _, err := v.w.out()
		if err != nil {
			return d, err
		}
		n.AboutMe = slices.DeleteFunc(slices.Clone(n.AboutMe), func(text string) bool { // About me has a list of its own besides
			return list.blocks(text) || disputes.Blocks(text)
		})
		_, stands, err := v.standings()
		if err != nil {
			return d, err
		}
		above, err := v.w.hushedAbove(ctx)
		if err != nil {
			return d, err
		}
		hushed := append(stands.Directives(v.at), above...)
		n.AboutMe = slices.DeleteFunc(n.AboutMe, func(text string) bool { return policy.Touches(text, hushed) })
		told := n
		told.Facts = slices.DeleteFunc(slices.Clone(n.Facts), func(f policy.Fact) bool { return disputes.Blocks(f.Text) })
		out.Disputed = len(n.Facts) - len(told.Facts)
		told.Facts = slices.DeleteFunc(told.Facts, func(f policy.Fact) bool { return policy.Touches(f.Text+" "+f.Topic, hushed) })
		out.Hushed = len(n.Facts) - out.Disputed - len(told.Facts)
		d, err = v.notice(m, told, list, disputes, &out)
		d.id = id
		return d, err
	})
	if err != nil || len(n.AboutMe) == 0 || m.DryRun {
		return out, err
	}
	me, err := w.store.MakeMe(ctx, "")
	if err == nil {
		m.Quote = ""
		out.AboutMe, _, err = me.learn(ctx, m, id, n.Bot, n.AboutMe)
	}
	if err != nil {
		err = fmt.Errorf("filed here, but not in About me: %w", err)
	}
	return out, err
}

func (v *view) notice(m Meta, told Noticing, list never, disputes *policy.Disputes, out *Noticed) (draft, error) {
	n, err := v.wholeNotes(nil)
	if err != nil {
		return draft{}, err
	}
	n.Clock = v.clock()
	filed := policy.FileFacts(n, told.Facts, v.w.clean(m.Source), list.blocks, v.w.limits(), markdown.DateOf(v.at), v.w.store.redact)
	d := draft{subject: filedSubject(filed), receipt: Receipt{Moved: filed.Moved, Truncated: filed.Truncated, Redacted: filed.Redacted}}
	out.Notes = filed
	if err := d.take(filed.Edits); err != nil {
		return draft{}, err
	}
	if d.quotes, err = v.quotesOf(d.files, filed.Kept); err != nil {
		return d, err
	}
	events, err := v.saidEvents(m, filed)
	if err != nil {
		return d, err
	}
	moves, moved, err := v.moved(m, n, filed, told.Bearings, disputes)
	if err != nil {
		return d, err
	}
	judged, err := v.judged(m, told.Judged)
	if err != nil {
		return d, err
	}
	out.Moved = moved
	if events = slices.Concat(events, moves, judged); len(filed.Edits) == 0 {
		d.action, d.subject = ActSignal, signalSubject(events)
	}
	return d, v.record(&d, events)
}

// saidEvents are what the ledger is told of facts that were noticed: the words that each
// rests on, and of one that stood already, that it was said again.
func (v *view) saidEvents(m Meta, filed policy.Filed) ([]policy.Event, error) {
	var events []policy.Event
	add := func(e policy.Event, fact string) error {
		id, err := v.w.store.change(v.at)
		e.ID, e.At, e.By, e.Fact = string(id), v.at, m.Author.String(), v.w.clean(markdown.Identity(fact))
		events = append(events, e)
		return err
	}
	_, stands, err := v.standings()
	if err != nil {
		return nil, err
	}
	for i, f := range slices.Concat(filed.Kept, filed.Known) {
		again := i >= len(filed.Kept)
		if markdown.Identity(f.Text) == "" || again && (f.Quote == "" || saidIn(stands, policy.Bearing{Fact: markdown.Identity(f.Text), Turn: f.Turn, Why: policy.Reinforce})) {
			continue // nobody said it, or it is read again: what stands already is no firmer for it
		}
		err := add(policy.Event{
			Kind: policy.EventSaid, Origin: cmp.Or(f.Origin, policy.ByInferring), Quote: v.w.clean(f.Quote), Speaker: v.w.clean(f.Speaker), Trust: f.Trust, Turn: f.Turn,
		}, f.Text)
		if err == nil && again {
			err = add(policy.Event{Kind: policy.EventSupport, Why: policy.Reinforce, Turn: f.Turn}, f.Text)
		}
		if err != nil {
			return nil, err
		}
	}
	return events, nil
}

// quotesOf are the quotes of the entries that are noticed in files, in write order;
// nil when none rests on one.
func (v *view) quotesOf(files []fileText, kept []policy.Fact) ([]string, error) {
	quotes := map[string]string{}
	for _, k := range kept {
		if k.Quote != "" {
			quotes[markdown.Identity(k.Text)] = k.Quote
		}
	}
	var out []string
	for _, f := range files {
		if f.path == policy.ArchiveFile {
			continue
		}
		before, _, err := v.tx.File(f.path)
		if err != nil {
			return nil, err
		}
		for _, raw := range noticedIn(before, f.text) {
			out = append(out, quotes[markdown.Parse("", []byte(raw)).Entries()[0].Identity()])
		}
	}
	return out, nil
}

// take makes edits the files of a draft.
func (d *draft) take(edits []policy.Edit) error {
	for _, e := range edits {
		if err := checkSize(e.Path, len(e.Text)); err != nil {
			return err
		}
		d.files = append(d.files, fileText{path: e.Path, text: e.Text})
	}
	sortFiles(d.files)
	return nil
}

// wholeNotes are all notes but the day logs, outside edits taken in, for a pass over
// everything. What wants mending first is shut; MEMORY.md in that state ends the pass.
func (v *view) wholeNotes(still func() error) (policy.Notes, error) {
	n := policy.Notes{Files: map[string][]byte{}}
	if still != nil {
		if err := still(); err != nil {
			return n, err
		}
	}
	if err := v.takeIn(); err != nil {
		return n, err
	}
	if why, is := v.refused[policy.MemoryFile]; is {
		return n, wrapf(ErrState, "%s: %s", policy.MemoryFile, why)
	}
	for path := range v.refused {
		n.Shut = append(n.Shut, path)
	}
	slices.Sort(n.Shut)
	files, err := v.tx.Files()
	if err != nil {
		return n, err
	}
	for _, f := range files {
		kind, err := policy.CheckPath(f.Path)
		if err != nil || kind == policy.Log || kind == policy.About || slices.Contains(n.Shut, f.Path) {
			continue
		}
		text, ok, err := v.tx.File(f.Path)
		if err != nil {
			return n, err
		}
		if ok {
			n.Files[f.Path] = text
			n.Order = append(n.Order, f.Path)
		}
	}
	return n, nil
}

// WholeNotes gives all notes but the day logs as the newest commit has them, edits made
// outside taken in first: what a pass of upkeep plans on.
func (w *Workspace) WholeNotes(ctx context.Context) (policy.Notes, error) {
	var n policy.Notes
	_, err := w.change(ctx, Meta{Author: Author{Kind: Upkeep}, Action: ActTidy, Via: ViaTidy}, func(v *view) (d draft, err error) {
		n, err = v.wholeNotes(nil)
		return d, err
	})
	return n, err
}

// planSubject says in counts what a plan came to: which note it was is in the diff.
func planSubject(c policy.Carried) string {
	words := map[policy.Op][2]string{
		policy.OpArchive: {"%d expired", "%d expired"}, policy.OpDrop: {"%d duplicate", "%d duplicates"},
		policy.OpStrike: {"%d struck", "%d struck"}, policy.OpFile: {"%d line filed into topics", "%d lines filed into topics"},
		policy.OpFall: {"%d fell", "%d fell"}, policy.OpRise: {"%d reflection borne out", "%d reflections borne out"},
	}
	var parts []string
	for _, op := range []policy.Op{policy.OpArchive, policy.OpDrop, policy.OpStrike, policy.OpFile, policy.OpFall, policy.OpRise} {
		n := 0
		for _, s := range c.Done {
			if s.Op == op {
				n++
			}
		}
		switch {
		case n == 1:
			parts = append(parts, fmt.Sprintf(words[op][0], n))
		case n > 1:
			parts = append(parts, fmt.Sprintf(words[op][1], n))
		}
	}
	if n := len(c.Moved); n > 0 {
		parts = append(parts, fmt.Sprintf("%d moved to the archive", n))
	}
	return strings.Join(parts, ", ")
}

// filedSubject is the fact that was noticed, or how many.
func filedSubject(f policy.Filed) string {
	if len(f.Kept) == 1 {
		return f.Kept[0].Text
	}
	return fmt.Sprintf("%d facts noticed", len(f.Kept))
}
