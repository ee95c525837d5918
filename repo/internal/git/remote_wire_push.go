package git

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
)

func (c *wireCarrier) push(ctx context.Context, q *quarantine, pushes []RefPush) ([]RefResult, error) {
	k, err := c.call(ctx, newWatch(c.e.Limit))
	if err != nil {
		return nil, err
	}
	adv, err := k.announced(receivePack)
	if err != nil {
		return nil, k.end(err)
	}
	out := make([]RefResult, len(pushes))
	req := packp.NewReferenceUpdateRequest()
	var tips []Hash
	moved := false
	for i, p := range pushes {
		out[i] = RefResult{Ref: p.Ref, Outcome: RefHeld}
		switch now := adv.References[p.Ref]; {
		case now == p.Local:
			out[i].Outcome = RefSame
			continue
		case now != p.Expect:
			out[i].Outcome, moved = RefMoved, true
			continue
		}
		req.Commands = append(req.Commands, &packp.Command{Name: plumbing.ReferenceName(p.Ref), Old: p.Expect, New: p.Local})
		if !p.Local.IsZero() {
			tips = append(tips, p.Local)
		}
	}
	if moved || len(req.Commands) == 0 {
		return out, k.end(nil)
	}
	report, err := k.deliver(q, adv, req, tips)
	if err := k.end(err); err != nil {
		return nil, err
	}
	words := ""
	if k.said.Len() > 0 {
		words = ": " + k.said.String()
	}
	for i := range out {
		if out[i].Outcome == RefHeld {
			out[i].Outcome, out[i].Said = reported(report, out[i].Ref)
		}
		if out[i].Outcome == RefRejected {
			out[i].Said = clean(out[i].Said+words, k.e.secrets()...)
		}
	}
	return out, nil
}

// deliver sends commands and the objects that the remote lacks, and reads the report.
func (k *call) deliver(q *quarantine, adv *packp.AdvRefs, req *packp.ReferenceUpdateRequest, tips []Hash) (*packp.ReportStatus, error) {
	side, muxed := sideChannel(adv.Capabilities)
	for _, want := range []capability.Capability{side, capability.ReportStatus, capability.Atomic} {
		if want == "" || !adv.Capabilities.Supports(want) || want == capability.Atomic && len(req.Commands) < 2 {
			continue
		}
		if err := req.Capabilities.Set(want); err != nil {
			return nil, err
		}
	}
	if !req.Capabilities.Supports(capability.ReportStatus) {
		return nil, k.e.at.faultf(FaultOther, "it does not report what it did")
	}
	var head bytes.Buffer
	if err := req.Encode(&head); err != nil {
		return nil, err
	}
	body, size := io.Reader(&head), int64(head.Len())
	if len(tips) > 0 {
		pack, n, err := q.outgoing(k.ctx, tips, adv)
		if err != nil {
			return nil, fmt.Errorf("make the pack to push: %w", err)
		}
		defer pack.Close() //nolint:errcheck // read only
		body, size = io.MultiReader(body, pack), size+n
	}
	answer, err := k.wire.send(k.ctx, body, size)
	if err != nil {
		return nil, err
	}
	if muxed {
		answer = k.demux(answer)
	}
	report := packp.NewReportStatus()
	answer = &limitedReader{answer, mostListed}
	if err := report.Decode(answer); err != nil {
		return nil, err
	}
	_, _ = io.Copy(io.Discard, answer) // what hooks say behind it: it is done, whatever comes
	return report, nil
}

func reported(report *packp.ReportStatus, ref string) (Outcome, string) {
	if report.UnpackStatus != "ok" {
		return RefRejected, report.UnpackStatus
	}
	for _, s := range report.CommandStatuses {
		switch {
		case s.ReferenceName.String() != ref:
			continue
		case s.Status == "ok":
			return RefPushed, ""
		case strings.Contains(s.Status, "atomic"):
			return RefHeld, s.Status
		}
		return refusal(s.Status), s.Status
	}
	return RefRejected, "the server did not say what it did"
}
