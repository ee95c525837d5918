package hooks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quipu/hooks/prompt"
	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// ReflectReport is what a pass of reflection came to.
type ReflectReport struct {
	At      int64           `json:"at"`    // milliseconds
	Facts   int             `json:"facts"` // that were looked at
	Drawn   []Reflected     `json:"drawn"`
	Refused map[string]int  `json:"refused,omitempty"` // by rule
	Skipped int             `json:"skipped,omitempty"` // whose facts changed meanwhile
	Note    string          `json:"note,omitempty"`    // what was left out, and why
	Changes []repo.ChangeID `json:"changes"`
}

// Reflected is one reflection that was drawn.
type Reflected struct {
	Fact string   `json:"fact"`
	From []string `json:"from"`
}

// Reflecting says how a pass of reflection is asked for.
type Reflecting struct {
	Nightly bool // only once a day, and only when five facts are new since the last pass
	DryRun  bool // nothing is written
}

// Reflect asks a model what several of a bot's facts say together and files it in
// memory/reflections.md, as one change, to be checked with the person. Without a model, and
// with fewer than two facts to draw from, nothing is done, and the report says so. ErrOff
// when upkeep is switched off or paused, ErrBusy when another pass runs.
func (u *Upkeep) Reflect(ctx context.Context, bot repo.ID, o Reflecting) (ReflectReport, error) {
	out := ReflectReport{At: u.now().UnixMilli(), Drawn: []Reflected{}, Changes: []repo.ChangeID{}, Refused: map[string]int{}}
	if err := u.store.UpkeepAllowed(bot); err != nil {
		return out, err
	}
	p, err := u.begin(ctx, bot, "reflect", o.DryRun, nil)
	if err != nil {
		return out, err
	}
	defer p.done()
	r := reflection{pass: p, out: &out, nightly: o.Nightly}
	if err := r.run(ctx); ends(err) {
		return out, err
	} else if err != nil && !noModel(err) && p.why == nil {
		out.Note = note(out.Note, err)
	}
	out.Note = note(out.Note, p.why)
	if r.asked {
		p.state.LastReflect = report(out)
	}
	return out, nil
}

// reflection is one pass over a bot's facts.
type reflection struct {
	*pass
	out     *ReflectReport
	nightly bool
	asked   bool // the model was
}

func (r *reflection) run(ctx context.Context) error {
	if r.engine == nil || r.nightly && r.state.ReflectedOn >= r.ws.Today() {
		return nil
	}
	n, err := r.ws.WholeNotes(ctx)
	if err != nil {
		return err
	}
	rules, past, err := r.rules()
	if err != nil {
		return err
	}
	list := policy.Reflectable(n, rules)
	facts := make([]string, len(list))
	for i, s := range list {
		facts[i] = s.Text
	}
	if fresh := r.state.Unreflected(facts); r.nightly && fresh < policy.ReflectFrom {
		return nil
	}
	if len(list) < 2 {
		r.out.Note = "there are not enough facts to draw anything from"
		return nil
	}
	r.step("reflect", 0, 1)
	r.asked, r.out.Facts = true, len(list)
	answer, err := r.ask(ctx, "reflect", prompt.Reflect{
		Bot: r.name(), Today: prompt.Day(r.ws.Now()), Lines: policy.ListStatements(list), Sensitive: rules.Sensitive,
	}.Text(), policy.ReflectionsSchema())
	if err != nil {
		return err
	}
	if !r.dry {
		r.state.Reflect(facts, r.ws.Today())
	}
	drawn, dropped, err := policy.ParseReflections(answer, len(list))
	if err != nil {
		return fmt.Errorf("reflect: %w", err)
	}
	kept, refused := policy.AdmitReflections(drawn, list, n, past, rules)
	for _, d := range append(dropped, refused...) {
		r.out.Refused[string(d.Rule)] += d.N
	}
	return r.file(ctx, kept)
}

func (r *reflection) rules() (policy.ReflectRules, []string, error) {
	rules, past, err := r.ws.ReflectRules()
	rules.Sensitive, rules.Prompt = policy.On(r.ws.Rules().Sensitive), prompt.Examples()
	return rules, past, err
}

// file files what was drawn.
func (r *reflection) file(ctx context.Context, list []policy.Reflected) error {
	if len(list) == 0 {
		return nil
	}
	m := repo.Meta{Author: repo.Author{Kind: repo.Upkeep}, Via: repo.ViaTidy, DryRun: r.dry}
	got, err := r.ws.Reflect(ctx, m, list, r.allowed)
	if err != nil {
		return err
	}
	for _, k := range got.Kept {
		r.out.Drawn = append(r.out.Drawn, Reflected{Fact: k.Text, From: k.From})
	}
	r.out.Skipped = got.Skipped
	r.out.Changes = append(r.out.Changes, changesOf(got.Receipt)...)
	return nil
}

// unanswered lets silence count: of a reflection that was shown and not answered for a day
// support goes down a little, once.
func (p *pass) unanswered(ctx context.Context, out *TidyReport) error {
	if p.dry {
		return nil
	}
	r, n, err := p.ws.Unanswered(ctx, repo.Meta{Author: repo.Author{Kind: repo.Upkeep}, Via: repo.ViaTidy})
	out.Ignored, out.Changes = n, append(out.Changes, changesOf(r)...)
	return err
}

// keepRisen remembers of reflections that went to MEMORY.md that they belong there.
func (p *pass) keepRisen(done []policy.Step, today markdown.Date) {
	for _, s := range policy.Statements(policy.MemoryFile, []byte(raws(done, policy.OpRise)), nil, today) {
		p.state.Judge(s.Text, true)
	}
}

// raws are the entries of the steps of one kind, a line each.
func raws(steps []policy.Step, op policy.Op) string {
	var b strings.Builder
	for _, s := range steps {
		if s.Op == op {
			b.WriteString(s.Raw + "\n")
		}
	}
	return b.String()
}

// Guess is a reflection that a bot is given to ask its person about, once.
type Guess struct {
	Fact  string
	From  []string // the facts that it was drawn from
	Block string   // how it stands in a prompt, behind what loads
}

// guess hands a reflection out, at most one a day, to a bot that talks with its owner alone;
// nil when there is none. From then on it was shown.
func (t *Turns) guess(ctx context.Context, ws *repo.Workspace, turn string, o Opening) (*Guess, error) {
	if turn == "" || o.Speaker.By != repo.ByOwner || !isChat(o.Conversation) || !t.store.Config().MemoryOn(ws.ID()) {
		return nil, nil //nolint:nilnil // none is no fault
	}
	g, ok, err := ws.ToShow(ctx)
	if err != nil || !ok {
		return nil, err
	}
	m := repo.Meta{Author: repo.Author{Kind: repo.Upkeep}, Via: repo.ViaTurn, Source: repo.SourceOf(o.Conversation), Turn: turn}
	if _, err := ws.MarkShown(ctx, m, g.Fact); err != nil {
		if errors.Is(err, repo.ErrConflict) { // another turn was quicker
			err = nil
		}
		return nil, err
	}
	return &Guess{Fact: g.Fact, From: g.From, Block: policy.GuessBlock(g.Fact)}, nil
}

// Answered is what a bot heard its person say to a reflection.
type Answered struct {
	Turn  string // in which the person said it
	Fact  string // selector; see repo.Workspace.Answer
	Quote string // the person's words, as they stand in the message that began the turn
	Yes   bool
}

// AnswerGuess takes yes or no to a reflection for the bot that asked. ErrRefused without such
// words of the owner's own, in a chat of theirs that is under way. ErrNotFound when no
// reflection says that.
func (t *Turns) AnswerGuess(ctx context.Context, bot repo.ID, a Answered) (repo.Receipt, error) {
	by, err := t.Behalf(ctx, bot, a.Turn, repo.ViaAPI)
	if err != nil {
		return repo.Receipt{}, err
	}
	if !by.person || !policy.SaidIn(policy.WithoutFrames(by.said, injected()), a.Quote) {
		return repo.Receipt{}, repo.Meaning(repo.ErrRefused, "only the person answers: send turn, and as quote what they said in it")
	}
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return repo.Receipt{}, err
	}
	m := by.Meta
	m.Author, m.Quote = t.owner(), a.Quote
	return ws.Answer(ctx, m, a.Fact, a.Yes)
}
