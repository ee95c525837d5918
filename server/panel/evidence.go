package panel

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// mostSignals is how many signals of one note its page tells, the newest of them.
const mostSignals = 50

// evidenceView is how one note stands, on its page.
type evidenceView struct {
	Out          bool // it enters no prompt
	Restates     string
	RestatesURL  string // "" when no note says that any more
	Score        string
	Tier         string
	Kept         string // why it never falls; "" when it may
	For, Against sideView
	Below        int // days below zero
	Most         int
	Origin       string
	Speaker      string
	Trust        string
	Said         []saidView
	Signals      []signalView // the newest first
	Earlier      int          // signals before those
}

// sideView is what speaks for a fact, or against it.
type sideView struct {
	Amount string
	Fill   int    // percent of the bar
	Last   string // "" when there was nothing
}

// saidView is a quote that a note rests on.
type saidView struct{ Quote, When, Speaker, Trust string }

// signalView is one thing that moved a fact.
type signalView struct {
	At                       time.Time
	Who, What, Quote, CameTo string
	Fact, URL                string // in the log of all facts alone
}

// evidenceOf is how a note stands; nil where the line states no fact.
func (p *Panel) evidenceOf(v *visit, s *space, path string, u markdown.Unit) (*evidenceView, error) {
	e, err := s.ws.Evidence(v.r.Context(), selector(path, u.Line), time.Time{})
	if _, none := errors.AsType[*policy.Refusal](err); none || err == nil && e.Fact == "" {
		return nil, nil //nolint:nilnil // no fact has no standing
	}
	if err != nil {
		return nil, err
	}
	now, loc := s.ws.Now(), p.store.Config().LocationOf(s.ID)
	struck := u.Entry != nil && u.Entry.Struck
	view := &evidenceView{
		Out: e.Disputed && !struck, Tier: v.tier(e.Tier), Below: e.Below, Most: policy.ArchiveDays,
		Origin: v.origin(e.Origin), Speaker: e.Speaker, Trust: v.trust(e.Speaker, e.Trust),
	}
	if e.Score != nil {
		view.Score = v.amount(*e.Score)
	}
	if e.Protected {
		view.Kept = v.kept(u, e.Fact)
	}
	view.For, view.Against = v.sides(e.Evidence, now, loc)
	if e.Restates != "" && !struck {
		view.Restates = e.Restates
		if view.RestatesURL, err = p.factURL(v, s, e.Restates); err != nil {
			return nil, err
		}
	}
	for _, said := range e.Said {
		if said.Quote != "" {
			view.Said = append(view.Said, saidView{said.Quote, v.minute(said.At.In(loc)), said.Speaker, v.trust(said.Speaker, said.Trust)})
		}
	}
	view.Earlier = max(0, len(e.Moved)-mostSignals)
	for _, t := range slices.Backward(e.Moved[view.Earlier:]) {
		view.Signals = append(view.Signals, v.signal(t, loc))
	}
	return view, nil
}

// sides lays out what speaks for and against a fact by now, on one scale: as long as what a
// well confirmed fact needs, or as the longer of the two.
func (v *visit) sides(e policy.Evidence, now time.Time, loc *time.Location) (support, dispute sideView) {
	worth := policy.Evidence{Support: e.Support, SupportAt: e.SupportAt}.Score(now)
	against := -policy.Evidence{Dispute: e.Dispute, DisputeAt: e.DisputeAt}.Score(now)
	long := max(2, worth, against)
	side := func(amount float64, last time.Time) sideView {
		view := sideView{Amount: v.amount(amount), Fill: int(math.Round(max(0, amount) / long * 100))}
		if !last.IsZero() {
			view.Last = v.day(last.In(loc))
		}
		return view
	}
	return side(worth, e.SupportAt), side(against, e.DisputeAt)
}

// amount writes a quantity of evidence. It is cut and not rounded: what wore down to just
// below a tier is not shown as if it had reached it. Minus nothing is nothing.
func (v *visit) amount(x float64) string {
	const cents, slack = 100, 1e-9 // of what binary fractions leave over
	return v.say("%.2f", math.Trunc(x*cents+math.Copysign(slack, x))/cents+0)
}

// factURL is the page of the note that states a fact, "" for none.
func (p *Panel) factURL(v *visit, s *space, fact string) (string, error) {
	list, err := s.ws.Standings(v.r.Context(), time.Time{})
	for _, x := range list {
		if x.Fact == fact {
			return s.entryURL(x.Path, x.Line), err
		}
	}
	return "", err
}

// entryURL is the page of one note; "" where no file states it.
func (s space) entryURL(path string, line int) string {
	if path == "" || s.Me {
		return ""
	}
	return s.Base + "/entry?path=" + url.QueryEscape(path) + "&line=" + strconv.Itoa(line)
}

func (v *visit) tier(t policy.Tier) string {
	switch t {
	case policy.TierPromoted:
		return v.say("well confirmed")
	case policy.TierConfirmed:
		return v.say("confirmed")
	case policy.TierLeaving:
		return v.say("about to be archived")
	case policy.TierPending:
		return v.say("waiting")
	}
	return string(t)
}

func (v *visit) origin(o policy.Origin) string {
	switch o {
	case policy.ByStating:
		return v.say("A person stated it.")
	case policy.ByMail:
		return v.say("It was found in mail.")
	case policy.ByInferring:
		return v.say("It was noticed in what was said.")
	}
	return string(o)
}

// trust says how far a speaker is trusted, "" where nobody is named.
func (v *visit) trust(speaker string, trust *float64) string {
	if speaker == "" && trust == nil {
		return ""
	}
	switch policy.BandOf(trust) {
	case policy.BandHigh:
		return v.say("trust: high")
	case policy.BandMedium:
		return v.say("trust: medium")
	case policy.BandLow:
		return v.say("trust: low")
	}
	return v.say("trust: unknown")
}

// kept says why a note never falls, whatever speaks against it.
func (v *visit) kept(u markdown.Unit, fact string) string {
	switch {
	case u.Entry == nil:
		return v.say("It never falls: it is a plain line, not a dated entry.")
	case policy.IsHealth(fact):
		return v.say("It never falls: it is about health or safety.")
	case policy.IsRule(fact):
		return v.say("It never falls: it is a rule of yours.")
	}
	return v.say("It never falls.")
}

// signal says what moved a fact, and to what.
func (v *visit) signal(t policy.Transition, loc *time.Location) signalView {
	a := repo.ParseAuthor(t.By)
	view := signalView{At: t.At.In(loc), Who: v.actor(string(a.Kind), a.Name), What: v.moved(t.Why), Quote: t.Quote}
	view.CameTo = v.say("score %[1]s, %[2]s", v.amount(t.Score), v.tier(t.Tier))
	return view
}

func (v *visit) moved(s policy.Signal) string {
	switch s {
	case policy.Confirm:
		return v.say("This is so")
	case policy.Reinforce:
		return v.say("Said again, by the way")
	case policy.Weighed:
		return v.say("Drawn from other facts")
	case policy.Rebut:
		return v.say("This is not so")
	case policy.Keyword:
		return v.say("This is not so, told by the words alone")
	case policy.Negate:
		return v.say("Something was said that it cannot be true beside")
	case policy.Ignore, "":
		return v.say("Brought up, and nobody took it up")
	}
	return string(s)
}

// judge keeps that the person says that a note is so, or that it is not. It is about the very
// bytes that the page showed, or about none.
func (p *Panel) judge(v *visit) error {
	form := v.r.PostForm
	why := map[string]policy.Signal{"dispute": policy.Rebut, "support": policy.Confirm}[form.Get("do")]
	s, path, kind, err := p.fileSpace(v, form)
	switch {
	case err != nil:
		return err
	case kind == policy.Log:
		return errLog
	case why == "" || form.Get("mark") == "":
		return errForm
	}
	p.takeIn(v, s)
	ctx := v.r.Context()
	t, err := s.ws.Read(ctx, path)
	if err != nil {
		return err
	}
	line, _ := strconv.Atoi(form.Get("line"))
	u, _, err := located(t, line, form.Get("mark"))
	if err != nil {
		return err
	}
	if u.Entry != nil && u.Entry.Struck {
		return errPast
	}
	at := selector(path, u.Line)
	before, err := s.ws.Evidence(ctx, at, time.Time{})
	if err != nil {
		return err
	}
	receipt, err := s.ws.Signal(ctx, p.meta(), []repo.Signalled{{Fact: at, Why: why}})
	if err != nil {
		return err
	}
	after, err := s.ws.Evidence(ctx, at, time.Time{})
	if err != nil {
		return err
	}
	return v.done(s.entryURL(path, u.Line), judged(why, before.Disputed, after.Disputed), string(receipt.Change))
}

var errPast = &faulty{http.StatusConflict, msg("This is struck through: the bot reads it as no longer true already.")}

// judged names the sentence that says what holds after a person's word.
func judged(why policy.Signal, was, is bool) string {
	if why == policy.Rebut {
		if is {
			return "out"
		}
		return "outweighed"
	}
	switch {
	case is:
		return "stillout"
	case was:
		return "backin"
	}
	return "sustained"
}

// markOut tells of each note of a reading whether it enters no prompt. Which do cannot be had
// at times; then all stand as they are.
func (p *Panel) markOut(v *visit, r *reading) {
	if r.Space.Me || r.shown == 0 {
		return
	}
	out, err := outIn(v, r.Space)
	if err != nil {
		p.Log.WarnContext(v.r.Context(), "what is disputed is not told", "bot", r.Space.ID, "err", err)
		return
	}
	path := cmp.Or(r.Path, policy.MemoryFile)
	for _, block := range r.Blocks {
		for i := range block.Notes {
			n := &block.Notes[i]
			n.Out = !n.Struck && out(path, n)
			n.OutURL = r.Space.entryURL(path, n.Line)
		}
	}
}

// outIn tells of a note of a memory whether it enters no prompt: it is disputed, or says again
// what is.
func outIn(v *visit, s *space) (func(path string, n *note) bool, error) {
	ctx := v.r.Context()
	moved, err := s.ws.EvidenceLog(ctx, "", 1)
	if err != nil || len(moved) == 0 { // nobody said anything of a fact: all is in
		return func(string, *note) bool { return false }, err
	}
	tells, err := s.ws.Disputed()
	if err != nil {
		return nil, err
	}
	list, err := s.ws.Standings(ctx, time.Time{})
	out := map[string]bool{}
	for _, x := range list {
		out[x.Fact] = x.Disputed
	}
	return func(path string, n *note) bool {
		if is, known := out[markdown.Identity(n.Text)]; known || !tells(n.Text) {
			return is
		}
		e, err := s.ws.Evidence(ctx, selector(path, n.Line), time.Time{})
		return err == nil && e.Disputed
	}, err
}
