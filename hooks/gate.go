package hooks

import (
	"context"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// Gated is what a gate says of a draft that a bot is about to say unasked.
type Gated struct {
	Pass       bool               `json:"pass"`
	Directives []policy.Directive `json:"directives"` // that it meets: what the person asked not to be told of
	Quiet      []QuietSubject     `json:"quiet"`      // subjects that were raised too often of late
	Disputed   bool               `json:"disputed"`   // it says what a person disputed
	// Repeats says that the draft raises again what one of the bot's last messages did. A
	// reminder may be meant to: that drops no draft.
	Repeats *Repeated `json:"repeats"`
}

// QuietSubject is a subject of the notes that is left alone for a while.
type QuietSubject struct {
	Name  string    `json:"name"`
	Path  string    `json:"path"`
	Until time.Time `json:"until"`
}

// Repeated is the message that a draft repeats: when it was said, and the words of the
// draft that it has, too. Its text is not told: it may be of another person's chat.
type Repeated struct {
	At    time.Time `json:"at"`
	Near  float64   `json:"near"` // 0 to 1
	Words []string  `json:"words"`
}

// Gate holds a draft that a bot is about to say unasked against what the person asked not
// to be told of, against what was raised more than twice in five hours, and against what is
// disputed. Nothing of the draft is kept, and logs count what it met and never name it.
func (t *Turns) Gate(ctx context.Context, bot repo.ID, draft string) (Gated, error) {
	out := Gated{Directives: []policy.Directive{}, Quiet: []QuietSubject{}}
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return out, err
	}
	active, err := ws.Directives(ctx)
	if err != nil {
		return out, err
	}
	out.Directives = append(out.Directives, policy.Gate(draft, active)...)
	disputed, err := ws.Disputed()
	if err != nil {
		return out, err
	}
	out.Disputed = disputed(draft)
	said, err := t.ownWords(ctx, bot)
	if err != nil {
		return out, err
	}
	themes, err := ws.Themes(ctx)
	if err != nil {
		return out, err
	}
	now := t.now()
	for _, q := range policy.Unquiet(draft, policy.Quiet(themes, said, now)) {
		out.Quiet = append(out.Quiet, QuietSubject{Name: q.Name, Path: q.Path, Until: q.Until})
	}
	if r, yes := policy.Repeats(draft, said); yes {
		out.Repeats = &Repeated{At: said[r.Index].At, Near: r.Near, Words: r.Words}
	}
	out.Pass = len(out.Directives)+len(out.Quiet) == 0 && !out.Disputed
	t.log.Info("gate", "bot", string(bot), "pass", out.Pass, "directives", len(out.Directives), "quiet", len(out.Quiet), "disputed", out.Disputed)
	return out, nil
}

// ownWords are the bot's own newest messages.
func (t *Turns) ownWords(ctx context.Context, bot repo.ID) ([]policy.Said, error) {
	said, err := t.store.OwnWords(ctx, bot, policy.RepeatCorpus)
	out := make([]policy.Said, len(said))
	for i, o := range said {
		out[i] = policy.Said{Text: o.Text, At: o.At, Unprompted: o.Unprompted}
	}
	return out, err
}

// wishes are what a person asks in a message not to be told of. What the host put into it
// is not theirs.
func wishes(message string) []repo.Wish {
	var out []repo.Wish
	for _, m := range policy.DirectivesIn(policy.WithoutFrames(message, injected())) {
		out = append(out, repo.Wish{Kind: m.Kind, Term: m.Term})
	}
	return out
}

// directed sets what the owner asked for in a message of a turn.
func (t *Turns) directed(ctx context.Context, ws *repo.Workspace, turn repo.Turn, message string) (repo.Wished, error) {
	list := wishes(message)
	if len(list) == 0 || !t.store.Config().MemoryOn(ws.ID()) {
		return repo.Wished{}, nil
	}
	m := repo.MetaOf(ws.ID(), turn)
	m.Author = t.owner()
	return ws.SetDirectives(ctx, m, "", list...)
}
