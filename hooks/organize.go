package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/hooks/prompt"
	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// organize files lines of MEMORY.md that are detail about a subject under its topic,
// as one change. It gives the steps that were taken, or, dry, would be.
func (p *pass) organize(ctx context.Context) ([]policy.Step, []repo.ChangeID, error) {
	if p.engine == nil {
		return nil, nil, nil
	}
	n, err := p.ws.WholeNotes(ctx)
	if err != nil {
		return nil, nil, err
	}
	today := markdown.DateOf(p.ws.Now())
	list := policy.Unfiled(n.Files[policy.MemoryFile], func(s policy.Statement) bool {
		return p.state.IsJudged(s.Text, s.Stale(today))
	}, today)
	if len(list) == 0 {
		return nil, nil, nil
	}
	answer, err := p.ask(ctx, "organize", prompt.Organize{
		Bot: p.name(), Today: prompt.Day(p.ws.Now()), Topics: topicIndex(n), Lines: listed(list, today),
	}.Text(), policy.MovesSchema())
	if err != nil {
		return nil, nil, err
	}
	moves, err := policy.ParseMoves(answer, len(list))
	if err != nil {
		return nil, nil, fmt.Errorf("organize: %w", err)
	}
	rules := p.ws.Rules()
	moves = slices.DeleteFunc(moves, func(m policy.Move) bool { return !rules.Allows(m.Topic) })
	f := policy.PlanMoves(list, moves, n.Order)
	if p.dry || len(f.Steps) == 0 {
		p.judge(f.Core, today)
		return f.Steps, nil, nil
	}
	m := repo.Meta{Author: repo.Author{Kind: repo.Upkeep}, Action: repo.ActOrganize, Via: repo.ViaOrganize}
	applied, err := p.ws.Apply(ctx, m, policy.Plan{Steps: f.Steps}, p.allowed)
	if err != nil {
		return nil, nil, err
	}
	p.judge(f.Core, today)
	return applied.Done, changesOf(applied.Receipt), nil
}

func (p *pass) judge(core []policy.Statement, today markdown.Date) {
	if p.dry {
		return
	}
	for _, s := range core {
		p.state.Judge(s.Text, s.Stale(today))
	}
}

// listed is statements as a model is asked where they belong.
func listed(list []policy.Statement, today markdown.Date) string {
	lines := strings.SplitAfter(policy.ListStatements(list), "\n")
	for i, s := range list {
		if s.Stale(today) {
			lines[i] = strings.TrimSuffix(lines[i], "\n") + " (stale)\n"
		}
	}
	return strings.Join(lines, "")
}

// topicIndex is the list of topics as a model is given it.
func topicIndex(n policy.Notes) string {
	var lines []string
	for _, path := range n.Order {
		if kind, err := policy.CheckPath(path); err == nil && kind == policy.Topic {
			lines = append(lines, markdown.IndexLine(path, markdown.Parse(path, n.Files[path]).Header()))
		}
	}
	return strings.Join(lines, "\n")
}

// name is the bot's name as people know it.
func (p *pass) name() string {
	if name := p.u.store.Config().Bots[p.bot].Name; name != "" {
		return name
	}
	return string(p.bot)
}

// changesOf is the change of a receipt, as a list.
func changesOf(r repo.Receipt) []repo.ChangeID {
	if r.Change == "" {
		return nil
	}
	return []repo.ChangeID{r.Change}
}

// noModel reports whether a step was left out because no model can be asked.
func noModel(err error) bool { return errors.Is(err, errNoModel) }
