package hooks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

const (
	maxChats    = 50   // that wait at once; of more the oldest are not read
	memoryRunes = 6000 // characters of MEMORY.md that a model is shown: its end
	maxRounds   = 20   // of 200 waiting turns each
)

// Capturing says what of the chats that wait is read.
type Capturing struct {
	Only   []string // conversations; none: all that wait
	DryRun bool     // nothing is written, and what waits goes on waiting
}

// Capture reads a bot's chats that wait and files what is new in them, each chat as one
// change, and then files detail under topics. A model that fails leaves its chat waiting, and the error
// is that model's, beside what was done; without a model only what a person plainly
// asked to remember is filed. With upkeep off what waits is dropped unread.
func (u *Upkeep) Capture(ctx context.Context, bot repo.ID, o Capturing) (CaptureReport, error) {
	out := u.emptyReport()
	if !u.store.Config().UpkeepOn(bot) {
		out.Note = "upkeep is off"
		if o.DryRun {
			return out, nil
		}
		return out, u.dropWaiting(ctx, bot)
	}
	if paused := u.store.UpkeepAllowed(bot); paused != nil {
		out.Note = paused.Error()
		return out, nil //nolint:nilerr // what waits, waits: that is no fault
	}
	return out, u.capture(ctx, bot, o.DryRun, &out, func(c *capture) error { return c.all(ctx, o.Only) })
}

func (u *Upkeep) emptyReport() CaptureReport {
	return CaptureReport{At: u.now().UnixMilli(), Refused: map[string]int{}, Changes: []repo.ChangeID{}}
}

// capture runs one pass that reads.
func (u *Upkeep) capture(ctx context.Context, bot repo.ID, dry bool, out *CaptureReport, read func(*capture) error) error {
	p, err := u.begin(ctx, bot, "capture", dry, nil)
	if err != nil {
		return err
	}
	defer p.done()
	c := capture{pass: p, out: out}
	if err = read(&c); err == nil || !ends(err) {
		err = c.finish(ctx, err)
	}
	p.state.LastCapture = report(*out)
	return err
}

// CaptureSaid files what is new in a chat that was held somewhere else, as source.
func (u *Upkeep) CaptureSaid(ctx context.Context, bot repo.ID, source string, said []repo.Message, dry bool) (CaptureReport, error) {
	out := u.emptyReport()
	if err := u.store.UpkeepAllowed(bot); err != nil {
		return out, err
	}
	s := u.stretchOf(said)
	s.source = source
	return out, u.capture(ctx, bot, dry, &out, func(c *capture) error { return c.read(ctx, s) })
}

func (u *Upkeep) stretchOf(said []repo.Message) stretch {
	by := func(who repo.By) bool {
		return slices.ContainsFunc(said, func(m repo.Message) bool { return m.By == who })
	}
	s := stretch{guests: by(repo.ByPerson), owners: !by(repo.ByPerson)}
	for _, m := range said {
		m.Text, _ = u.store.Redact(m.Text)
		s.heard = append(s.heard, heardOf(m.Speaker, m.Text, ""))
	}
	s.still = func(context.Context) ([]policy.Heard, error) { return s.heard, nil }
	return s
}

// capture is one pass over what waits.
type capture struct {
	*pass
	out *CaptureReport
}

// finish files detail under topics, and says what was left out.
func (c *capture) finish(ctx context.Context, err error) error {
	filed, changes, oerr := c.organize(ctx)
	c.out.Organized, c.out.Changes = len(filed), append(c.out.Changes, changes...)
	if ends(oerr) {
		return errors.Join(err, oerr)
	}
	if err != nil && !noModel(err) && c.why == nil {
		c.out.Note = note(c.out.Note, err)
	}
	c.out.Note = note(c.out.Note, c.why)
	if noModel(err) {
		return nil
	}
	return err
}

// all reads the chats that wait, the one that waits longest first.
func (c *capture) all(ctx context.Context, only []string) error {
	said, err := c.u.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return err
	}
	read := map[string]bool{} // chats that were tried: one whose model fails waits for the next pass
	var failed error
	for range maxRounds {
		batches, err := said.Waiting(ctx, string(c.bot))
		if err != nil {
			return repo.TurnError(err)
		}
		batches = slices.DeleteFunc(batches, func(b repo.SaidBatch) bool {
			return read[b.Conversation.ID] || len(only) > 0 && !slices.Contains(only, b.Conversation.ID)
		})
		if len(batches) == 0 {
			break
		}
		for i, b := range batches {
			read[b.Conversation.ID] = true
			c.step("capture", i, len(batches))
			if err := c.chat(ctx, b, len(batches)-i > maxChats); ends(err) {
				return err
			} else if err != nil {
				failed = err
			}
		}
	}
	return failed
}

// chat reads one chat that waits, and then marks it read; skip only marks it.
func (c *capture) chat(ctx context.Context, b repo.SaidBatch, skip bool) error {
	said, err := c.u.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return err
	}
	conf := c.u.store.Config().Features
	h := hear(b, conf.RoomMemoryCapture)
	if conf.RoomLayers {
		h = h.ofOnePlace()
	}
	if len(h.turns) > 0 && !skip {
		err = c.readInto(ctx, h, conf.RoomLayers, stretch{
			heard: h.heard(), guests: h.guests, owners: h.owners, source: repo.SourceOf(b.Conversation),
			still: func(ctx context.Context) ([]policy.Heard, error) {
				if open, err := c.roomIsOpen(ctx, h); err != nil || !open {
					return nil, err
				}
				ids, err := said.StillWaiting(ctx, string(c.bot), h.ids()...)
				return h.left(ids).heard(), repo.TurnError(err)
			},
		})
		if c.waitsOn(err, b.Conversation.ID) {
			return err
		}
		c.out.Turns += len(h.turns)
	}
	if c.dry {
		return err
	}
	ids := make([]string, len(b.Turns))
	for i, t := range b.Turns {
		ids[i] = t.ID
	}
	if _, merr := said.MarkRead(ctx, string(c.bot), ids...); merr != nil {
		return errors.Join(err, repo.TurnError(merr))
	}
	return err
}

// waitsOn says whether a chat goes on waiting after an error: for the model to answer at
// all, or to make sense.
func (c *capture) waitsOn(err error, conversation string) bool {
	switch {
	case err == nil:
		c.u.madeSense(c.bot, conversation)
		return false
	case c.dry:
		return ends(err)
	case ends(err), c.engine != nil && c.why != nil:
		return true
	}
	return errors.Is(err, errGarbled) && c.u.garbled(c.bot, conversation)
}

// roomIsOpen asks again, when a batch is filed, what was asked when it was read: the
// switch, and whether by the newest turn in it everybody sees the room who sees the bot.
func (c *capture) roomIsOpen(ctx context.Context, h hearing) (bool, error) {
	if !h.room {
		return true, nil
	}
	said, err := c.u.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return false, err
	}
	list, err := said.Conversations(ctx, string(c.bot))
	for _, s := range list {
		if s.Conversation.ID == h.batch.Conversation.ID {
			return c.u.store.Config().Features.RoomMemoryCapture && !s.Conversation.Room.IsNarrower(), nil
		}
	}
	return false, repo.TurnError(err)
}

// dropWaiting marks what waits as read without reading it.
func (u *Upkeep) dropWaiting(ctx context.Context, bot repo.ID) error {
	queue, err := u.store.Waiting(ctx)
	if err != nil || !slices.ContainsFunc(queue, func(q repo.SaidQueued) bool { return q.Bot == string(bot) }) {
		return err
	}
	said, err := u.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return err
	}
	for range maxRounds {
		batches, err := said.Waiting(ctx, string(bot))
		if err != nil || len(batches) == 0 {
			return repo.TurnError(err)
		}
		for _, b := range batches {
			for _, t := range b.Turns {
				if _, err := said.MarkRead(ctx, string(bot), t.ID); err != nil {
					return repo.TurnError(err)
				}
			}
		}
	}
	return nil
}

// tail is the end of a text, at most n characters of it, from the start of a line.
func tail(text string, n int) (string, bool) {
	runes := []rune(text)
	if len(runes) <= n {
		return text, false
	}
	text = string(runes[len(runes)-n:])
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		text = rest
	}
	return text, true
}
