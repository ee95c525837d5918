package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// signalArgs is what the person says of a fact: policy.Confirm or policy.Rebut.
type signalArgs struct {
	Fact   string
	Why    policy.Signal
	DryRun bool
}

func runSignal(ctx context.Context, e *env, a signalArgs) error {
	fact, err := e.fact(a.Fact)
	if err != nil {
		return err
	}
	if strings.TrimSpace(fact) == "" {
		return usage("as in `quipu dispute 'likes tea'`", "an empty FACT names no note")
	}
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	before, err := w.Evidence(ctx, fact, time.Time{})
	if err != nil {
		return err
	}
	r, err := w.Signal(ctx, m, []repo.Signalled{{Fact: fact, Why: a.Why}})
	if err != nil {
		return err
	}
	after, err := w.Evidence(ctx, before.Fact, time.Time{})
	if err != nil {
		return err
	}
	if e.json {
		return e.print(withRun(map[string]any{"ok": true, "change": changeOf(r), "standing": after.Stand()}, r))
	}
	if a.DryRun {
		then := before.With(a.Why, e.Now())
		then.Protected = false // a person's word counts for every note
		e.say("would be %s: %s; it would stand at %s (dry run, nothing is written)", signalWords(a.Why), clean(before.Fact), scored(then.Score(e.Now())))
		return nil
	}
	if err := e.write(e.standingOf(after.Stand())); err != nil {
		return err
	}
	e.say("%s (change %s)", signalWords(a.Why), r.Change)
	e.asides(r)
	if text := unmoved(a.Why, after); text != "" {
		e.say("%s", clean(text))
	}
	e.say("hint: `quipu undo %s` takes it back", r.Change)
	return nil
}

// unmoved says why a fact is still in after a dispute, or still out after a support; ""
// when it went where it was sent.
func unmoved(why policy.Signal, x repo.Evidence) string {
	switch {
	case why.Kind() == policy.EventDispute && !x.Disputed && x.Score != nil:
		return fmt.Sprintf("it was confirmed before and still stands at %s, so it stays in the prompt; dispute it again to take it out", scored(*x.Score))
	case why.Kind() == policy.EventSupport && x.Restates != "":
		return fmt.Sprintf("it stays out of every prompt: it says again what was disputed, %q; support that", x.Restates)
	case why.Kind() == policy.EventSupport && x.Disputed && x.Score != nil && *x.Score < 0:
		return fmt.Sprintf("it stays out of every prompt: what speaks against it weighs more, by %s; support it again", scored(-*x.Score))
	case why.Kind() == policy.EventSupport && x.Disputed:
		return "it stays out of every prompt: what it was drawn from is disputed or gone"
	}
	return ""
}

// signalWords is what a signal did, in a word or two.
func signalWords(s policy.Signal) string {
	words := map[policy.Signal]string{
		policy.Confirm: "supported", policy.Reinforce: "said again", policy.Weighed: "drawn from others", policy.Rebut: "disputed",
		policy.Keyword: "disputed", policy.Negate: "contradicted", policy.Ignore: "not taken up",
	}
	return firstOf(words[s], "not taken up")
}

// standingOf is a fact, where it is, and how it stands, on two lines.
func (e *env) standingOf(x repo.Stand) string {
	return fmt.Sprintf("%s\n%s\n", clean(x.Fact), strings.Join([]string{e.stands(x), e.paint(cyan, clean(placeOf(x)))}, " · "))
}

// placeOf is where the note of a fact is.
func placeOf(x repo.Stand) string {
	if x.Path == "" {
		return "in no note any more"
	}
	return fmt.Sprintf("%s:%d", x.Path, x.Line)
}

// stands is how a fact stands: whether it enters the prompt, and how sure it is.
func (e *env) stands(x repo.Stand) string {
	tier := strings.ReplaceAll(string(x.Tier), "_", " ")
	switch {
	case x.Score == nil:
		return "protected · it keeps its place, and only you can dispute it"
	case x.Disputed:
		return fmt.Sprintf("%s · score %s · %s · out of every prompt", e.paint(red, "disputed"), scored(*x.Score), tier)
	}
	return fmt.Sprintf("score %s · %s", scored(*x.Score), tier)
}

// scored is a score with one decimal; with more where one would tell another tier, or
// another side of zero.
func scored(score float64) string {
	tenths := math.Round(score*10) / 10
	switch {
	case tenths == 0 && score < 0:
		return "just below 0"
	case policy.TierOf(tenths) == policy.TierOf(score):
		return fmt.Sprintf("%.1f", tenths)
	}
	return fmt.Sprintf("%.2f", math.Trunc(score*100)/100)
}
