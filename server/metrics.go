package server

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quipu/repo"
)

// metrics are what a monitor asks for: numbers over all workspaces, without labels, so
// that none carries a name or a text.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	reg := prometheus.NewRegistry()
	if err := reg.Register(shared{s: s, r: r}); err != nil {
		return err
	}
	promhttp.HandlerFor(reg, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	return nil
}

// shared collects how the workspaces stand to their remotes.
type shared struct {
	s *Server
	r *http.Request
}

var (
	syncWorkspaces = prometheus.NewDesc("quipu_sync_workspaces", "Workspaces that have a remote.", nil, nil)
	syncFailing    = prometheus.NewDesc("quipu_sync_failing", "Workspaces whose last sync failed, or whose remote holds what was erased.", nil, nil)
	syncAhead      = prometheus.NewDesc("quipu_sync_ahead", "Changes that remotes do not have, as it was seen last.", nil, nil)
	syncBehind     = prometheus.NewDesc("quipu_sync_behind", "Changes of remotes that are not here, as it was seen last.", nil, nil)
	syncOldest     = prometheus.NewDesc("quipu_sync_oldest_success_seconds", "How long ago the workspace was synced whose last sync is the oldest; none when one never was.", nil, nil)
)

// Describe names what Collect gives.
func (c shared) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{syncWorkspaces, syncFailing, syncAhead, syncBehind, syncOldest} {
		out <- d
	}
}

// Collect reads the state that every sync leaves behind.
func (c shared) Collect(out chan<- prometheus.Metric) {
	var n, failing, ahead, behind float64
	var oldest time.Duration
	all := true
	for _, id := range c.s.store.WithRemote() {
		ws, err := c.s.store.OpenAny(c.r.Context(), id)
		if err != nil {
			continue // it is not ready for anything else either
		}
		state := ws.SyncState()
		n, ahead, behind = n+1, ahead+float64(state.Ahead), behind+float64(state.Behind)
		if failed(state) {
			failing++
		}
		all = all && !state.Success.IsZero()
		oldest = max(oldest, c.s.now().Sub(state.Success))
	}
	for d, v := range map[*prometheus.Desc]float64{syncWorkspaces: n, syncFailing: failing, syncAhead: ahead, syncBehind: behind} {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v)
	}
	if n > 0 && all {
		out <- prometheus.MustNewConstMetric(syncOldest, prometheus.GaugeValue, oldest.Seconds())
	}
}

func failed(s repo.SyncState) bool { return s.Fault != "" || s.Holds }
