package panel

import (
	"context"
	"errors"

	"quipu/policy"
	"quipu/repo"
)

// heavyView is the line about a bot that loads a lot, with its button.
type heavyView struct {
	Heavy     bool
	URL, CSRF string
}

// heavy says whether a bot loads so much that its person is told. Of what else it loads
// each turn quipu knows About me alone. What cannot be read is not told.
func (p *Panel) heavy(v *visit, ws *repo.Workspace, g policy.Gauge) heavyView {
	view := heavyView{URL: "/bots/" + string(ws.ID()), CSRF: v.csrf}
	// The gauge counts what expired, too: what loads is no more than that.
	if !p.store.Config().UpkeepOn(ws.ID()) || !policy.Heavy(g.LoadedBytes, policy.MaxFileBytes) {
		return view
	}
	ctx := v.r.Context()
	others := p.aboutBytes(ctx)
	if !policy.Heavy(g.LoadedBytes, others) {
		return view
	}
	l, err := ws.Load(ctx)
	if err != nil {
		p.Log.WarnContext(ctx, "how much a bot loads is not known", "bot", ws.ID(), "err", err)
		return view
	}
	view.Heavy = policy.Heavy(l.Gauge.LoadedBytes, others)
	return view
}

// aboutBytes is how much of About me every bot loads.
func (p *Panel) aboutBytes(ctx context.Context) int {
	ws, err := p.store.Me(ctx, "")
	if errors.Is(err, repo.ErrNotFound) {
		return 0
	}
	var t repo.Text
	if err == nil {
		t, err = ws.Read(ctx, policy.AboutFile)
	}
	if err != nil {
		p.Log.WarnContext(ctx, "how long About me is is not known", "err", err)
	}
	return len(t.Text)
}
