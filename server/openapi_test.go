package server

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/mux"
)

func TestOpenAPIIsValid(t *testing.T) {
	if err := spec3().Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := spec3().OpenAPI; got != "3.0.3" {
		t.Errorf("version %s, want 3.0.3", got)
	}
}

// TestOpenAPIHasEveryRoute walks the router and the file against each other.
func TestOpenAPIHasEveryRoute(t *testing.T) {
	var served []string
	err := (&Server{}).router().Walk(func(r *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		path, err := r.GetPathTemplate()
		if err != nil {
			return err
		}
		methods, err := r.GetMethods()
		if err != nil {
			return err
		}
		for _, m := range methods {
			served = append(served, m+" "+path)
		}
		return nil
	})
	must(t, err)
	var written []string
	for path, item := range spec3().Paths.Map() {
		for method := range item.Operations() {
			written = append(written, method+" "+path)
		}
	}
	slices.Sort(served)
	slices.Sort(written)
	if diff := cmp.Diff(served, written); diff != "" {
		t.Errorf("routes (-served +openapi.yaml):\n%s", diff)
	}
}

func TestOpenAPISaysWhoMayAndWhatGoesWrong(t *testing.T) {
	for _, rt := range routes() {
		op := spec3().Paths.Find(rt.path).GetOperation(rt.method)
		if open := op.Security != nil && len(*op.Security) == 0; open != (rt.who == anyone) {
			t.Errorf("%s %s: openapi.yaml says open=%v, the table says %v", rt.method, rt.path, open, rt.who)
		}
		for word, who := range map[string]who{"(bot)": bot, "(member)": self} {
			if said := strings.Contains(op.Summary, word); said != (rt.who == who) {
				t.Errorf("%s %s: the summary says %s: %v, the table: %v", rt.method, rt.path, word, said, rt.who == who)
			}
		}
		if rt.who != anyone && op.Responses.Value("401") == nil {
			t.Errorf("%s %s has no 401", rt.method, rt.path)
		}
		if strings.Contains(rt.path, "{id}") && op.Responses.Value("404") == nil {
			t.Errorf("%s %s has no 404", rt.method, rt.path)
		}
	}
}

func TestOpenAPIIsServed(t *testing.T) {
	h := newHarness(t)
	got := h.do(http.MethodGet, "/openapi.yaml", nil, as(h.tokens["member"])).expect(t, http.StatusOK, "")
	if !regexp.MustCompile(`^application/yaml`).MatchString(got.header.Get("Content-Type")) || got.raw != string(OpenAPI()) {
		t.Errorf("got %s, %d bytes", got.header.Get("Content-Type"), len(got.raw))
	}
}
