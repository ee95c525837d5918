package git

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestRemoteSpeed prints, with QUIPU_BENCH set, what the parts of a sync cost at 10,000
// commits: medians over each kind of remote and transport. The aim for a whole sync over
// file with git is 50 ms when nothing is new and 150 ms with one change.
func TestRemoteSpeed(t *testing.T) {
	if os.Getenv("QUIPU_BENCH") == "" {
		t.Skip("set QUIPU_BENCH to measure remotes of a long history")
	}
	const rounds, mostList, mostPush, mostFetch = 9, 25, 75, 75
	// The figures of each way stand for themselves; only file with git has an aim.
	eachWay(t, func(t *testing.T, m Remote, _ string) {
		ctx := context.Background()
		h := benchHome(t, 100, 10_000)
		a := h.open()
		t.Cleanup(func() { _ = a.Close() })
		tip := headOf(t, a)
		whole := clock(t, func() error { pushTo(t, a, m, RefPush{Ref: mainRef, Local: tip}); return nil })
		_, b := openHome(t)
		tracking := map[string]string{mainRef: "refs/remotes/origin/main"}
		fetch := func() error { _, err := b.Fetch(ctx, m, tracking); return err }
		first := clock(t, fetch)
		var list, push, one, none []float64
		for i := range rounds {
			must(t, oneLine(a, i))
			next := headOf(t, a)
			list = append(list, clock(t, func() error { _, err := a.RemoteRefs(ctx, m); return err }))
			push = append(push, clock(t, func() error { pushTo(t, a, m, RefPush{Ref: mainRef, Local: next, Expect: tip}); return nil }))
			one = append(one, clock(t, fetch))
			none = append(none, clock(t, fetch))
			tip = next
		}
		t.Logf("RemoteRefs %.1f ms, push of one commit %.1f ms, fetch of one %.1f ms, of none %.1f ms; of all: push %.0f ms, fetch %.0f ms",
			median(list), median(push), median(one), median(none), whole, first)
		if strings.HasSuffix(t.Name(), "file_git") && (median(list) > mostList || median(push) > mostPush || median(one) > mostFetch) {
			t.Errorf("want at most %d, %d and %d ms", mostList, mostPush, mostFetch)
		}
	})
}
