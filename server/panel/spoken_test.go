package panel

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/net/html"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

// pseudo says every sentence in a language without Latin letters, so that what was not
// said is seen.
func pseudo(t *testing.T) *languages {
	t.Helper()
	verbs := regexp.MustCompile(`%(?:\[\d\])?[.\d]*[a-z%]`)
	foreign := func(text string) string {
		var out strings.Builder
		last := 0
		letters := func(s string) {
			for _, r := range s {
				if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
					r = 'ж'
				}
				out.WriteRune(r)
			}
		}
		for _, at := range verbs.FindAllStringIndex(text, -1) {
			letters(text[last:at[0]])
			out.WriteString(text[at[0]:at[1]])
			last = at[1]
		}
		letters(text[last:])
		return out.String()
	}
	texts := map[string]any{}
	for key, value := range collected(t) {
		switch v := value.(type) {
		case string:
			texts[key] = foreign(v)
		case map[string]string:
			texts[key] = map[string]string{"other": foreign(v["other"])}
		}
	}
	data, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	all, err := readLanguages(fstest.MapFS{"words/mn.json": &fstest.MapFile{Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// foreignHome is a panel of a home in which nobody writes a Latin letter, and a cookie for it.
func foreignHome(t *testing.T) (*Panel, *http.Cookie, *repo.Store) {
	t.Helper()
	at := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	log := slog.New(slog.DiscardHandler)
	store, err := repo.OpenHome(filepath.Join(t.TempDir(), "home"), repo.Options{Now: now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(store.EditConfig(repo.Setting{Path: []string{"timezone"}, Value: "UTC"}, repo.Setting{Path: []string{"person", "name"}, Value: "Ада"}))
	_, _, err = store.Create(t.Context(), "1", "Бот")
	check(err)
	ws, err := store.Open(t.Context(), "1")
	check(err)
	me := repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ада"}, Via: repo.ViaUI}
	save := func(path, text string) {
		t.Helper()
		was, err := ws.Read(t.Context(), path)
		check(err)
		_, err = ws.Save(t.Context(), me, path, text, repo.Expect{Hash: was.Hash})
		check(err)
	}
	save(policy.MemoryFile, "# Память\n\n- 2026-11-29 · from chat \"Чат\" · Она пьёт чай · until 2026-11-29\n- 2026-11-28 · ~~Он пьёт кофе~~ · superseded 2026-11-29\nпросто строка\n")
	save("memory/7.md", "---\ntitle: Еда\naliases: [вкус]\n---\n- 2026-11-29 · Суп\n")
	for _, why := range []policy.Signal{policy.Confirm, policy.Reinforce, policy.Negate, policy.Keyword, policy.Ignore, policy.Rebut, policy.Rebut} {
		_, err = ws.Signal(t.Context(), me, []repo.Signalled{{Fact: "Она пьёт чай", Why: why, Quote: "Она не пьёт чай"}})
		check(err)
	}
	_, err = ws.Notice(t.Context(), me, func() (repo.Noticing, error) {
		return repo.Noticing{Facts: []policy.Fact{{Text: "Он живёт в Омске", Quote: "Я живу в Омске", Origin: policy.ByStating}}}, nil
	})
	check(err)
	_, err = ws.SetDirectives(t.Context(), me, "", repo.Wish{Term: "моя бывшая"}, repo.Wish{Kind: policy.DirectiveCall, Term: "Адочка", Until: at.AddDate(0, 0, 3)}, repo.Wish{Term: "это"})
	check(err)
	about, err := store.MakeMe(t.Context(), "")
	check(err)
	_, err = about.Save(t.Context(), me, policy.AboutFile, "# Обо мне\n", repo.Expect{Any: true})
	check(err)
	upkeep := hooks.NewUpkeep(store, hooks.NewModels(store, now, func(string) (string, bool) { return "", false }, log), now, log)
	p := New(store, Options{
		Now: now, Log: log, Person: func() repo.Author { return me.Author }, Used: func(*repo.Workspace) {},
		Meaning: func(error) (int, string) { return http.StatusBadRequest, "" },
		Guess:   func(*http.Request) (time.Duration, bool) { return 0, true },
		Route:   func(http.ResponseWriter, string) {},
		Turns:   hooks.NewTurns(store, now, log),
		Upkeep:  upkeep,
		Errands: hooks.NewErrands(upkeep, store, now, log),
		Local:   func(*http.Request) bool { return true },
	})
	code, err := store.NewLogin()
	check(err)
	secret, _, ok, err := store.TakeLogin(code)
	check(err)
	if !ok {
		t.Fatal("the code opens nothing")
	}
	return p, &http.Cookie{Name: "quipu", Value: secret}, store
}

// shownBy is what a page shows or says to a person: texts, labels, titles, placeholders. What differs
// between texts of notes is theirs.
func shownBy(page string) []string {
	var out []string
	quiet := "" // the element in which nothing is said: code, what is typed, a difference
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		kind := z.Next()
		tag := z.Token()
		switch {
		case kind == html.ErrorToken:
			return out
		case kind == html.StartTagToken && slices.Contains([]string{"code", "pre", "style", "textarea"}, tag.Data) && quiet == "":
			quiet = tag.Data
		case kind == html.EndTagToken && tag.Data == quiet:
			quiet = ""
		case kind == html.StartTagToken && tag.Data == "div" && quiet == "":
			if slices.Contains(tag.Attr, html.Attribute{Key: "class", Val: "diff"}) {
				quiet = "div"
			}
		case kind == html.TextToken && quiet == "":
			out = append(out, tag.Data)
		}
		for _, a := range tag.Attr {
			if slices.Contains([]string{"aria-label", "aria-valuetext", "title", "placeholder", "alt", "aria-description"}, a.Key) {
				out = append(out, a.Val)
			}
		}
	}
}

// named are the words that are the same in every language: names of files and of quipu.
var named = regexp.MustCompile(`quipu|chat "|\w+\.md|MEMORY\.md|ABOUT\.md|config\.json|memory/[\w./-]*|\b[0-9A-Z]{26}\b|\d+[hd]\b|/tmp/\S+|https?://\S+|git@\S+|UTC|[\w.-]+@[\w.-]+`)

// TestEverySentenceIsSaid asks for each page in a language without Latin letters.
func TestEverySentenceIsSaid(t *testing.T) {
	p, cookie, store := foreignHome(t)
	p.languages = pseudo(t)
	ws, err := store.Open(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := ws.Journal(t.Context(), repo.Query{Path: policy.MemoryFile})
	if err != nil {
		t.Fatal(err)
	}
	query := map[string]string{
		"GET /bots/{id}/file": "?path=memory/7.md", "GET /bots/{id}/title": "?path=memory/7.md", "GET /bots/{id}/delete": "?path=memory/7.md", "GET /bots/{id}/entry": "?line=3",
		"GET /bots/{id}/restore": "?path=" + policy.MemoryFile + "&change=" + rows[len(rows)-1].ID,
	}
	set, err := ws.Directives(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	patterns := slices.Collect(maps.Keys(p.pages()))
	for _, more := range []string{
		"standing?show=log", "standing?show=disputed", "directives?edit=" + set[1].ID, "journal?action=signal", "journal?action=directive", "entry?line=5", "entry?line=6",
	} {
		patterns = append(patterns, "GET /bots/{id}/"+more)
	}
	for _, pattern := range patterns {
		path, isPage := strings.CutPrefix(pattern, "GET ")
		if !isPage || strings.HasSuffix(path, "/text") || strings.HasSuffix(path, "/pulse") || strings.HasSuffix(path, "/image/{name}") {
			continue
		}
		t.Run(path, func(t *testing.T) {
			row := rows[0].ID
			if strings.HasPrefix(path, "/about/") {
				row = "0"
			}
			address := strings.NewReplacer("{$}", "", "{id}", "1", "{row}", url.PathEscape(row), "{date}", "2026-11-30").Replace(path) + query[pattern]
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+address, http.NoBody)
			r.AddCookie(cookie)
			r.Header.Set("Accept-Language", "mn")
			w := httptest.NewRecorder()
			p.ServeHTTP(w, r)
			if w.Code != http.StatusOK && row != "0" {
				t.Fatalf("%s: %d\n%s", address, w.Code, w.Body)
			}
			if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
				return
			}
			for _, text := range shownBy(w.Body.String()) {
				if rest := named.ReplaceAllString(text, ""); strings.ContainsFunc(rest, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) {
					t.Errorf("%s is not said: %q", address, strings.TrimSpace(text))
				}
				if strings.Contains(text, "%!") {
					t.Errorf("%s is filled in wrongly: %q", address, text)
				}
			}
		})
	}
}
