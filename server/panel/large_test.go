package panel_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

// TestLargeHomesStayQuick holds the first pages of a large memory, and every filter of a
// long journal, to 100 KB and 100 ms. QUIPU_JOURNAL is how many changes it has.
func TestLargeHomesStayQuick(t *testing.T) {
	changes, err := strconv.Atoi(os.Getenv("QUIPU_JOURNAL"))
	if err != nil {
		changes = 1200
		if slack > 1 {
			changes = 400
		}
	}
	b := signedIn(t)
	b.clock.per = time.Millisecond
	b.longHistory(changes)
	put := func(path, text string) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(b.scout.Dir(), filepath.FromSlash(path)), []byte(text), 0o600))
	}
	for i := range 200 {
		put(fmt.Sprintf("memory/topic %d.md", i), fmt.Sprintf("---\ntitle: The subject number %d of many\naliases: [one, two, three]\n---\n- a note\n", i))
	}
	var archive, main strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&archive, "- 2026-01-02 · from chat \"Plans\" · the fact number %d that was moved out · moved 2026-02-03\n", i)
	}
	put("memory/archive.md", archive.String())
	for i := range 250 {
		fmt.Fprintf(&main, "- 2026-11-02 · from chat \"Plans %d\" · the fact number %d, which is of the usual length of a fact, or nearly so\n", i, i)
	}
	b.write(policy.MemoryFile, main.String())
	journal := "/bots/scout/journal?"
	older := b.get(journal + fmt.Sprintf("before=01JDXK3T9M2Q4R6S8V%08d", changes/2)).is(200).link("Older changes") // deep in it
	for _, p := range []string{
		"/", "/bots/scout", "/bots/scout/topics", "/bots/scout/file?path=memory/archive.md", "/bots/scout/file?path=memory/archive.md&from=5000", "/bots/scout/pictures",
		"/bots/scout/day/" + b.clock.now().AddDate(0, 0, -90).Format(time.DateOnly), "/bots/scout/at?path=MEMORY.md&n=100", "/bots/scout/at?path=MEMORY.md",
		"/bots/scout/journal", older, journal + "author=person", journal + "author=import", journal + "action=forget", journal + "path=memory/tea.md",
		journal + "q=number+99", journal + "q=zebrafish", journal + "q=qz", journal + "author=person&q=zebra", journal + "since=2026-01-01&until=2026-01-31",
	} {
		b.get(p).is(http.StatusOK) // what is derived once is derived
		fastest, size := time.Hour, 0
		for range 8 {
			begun := time.Now()
			size = len(b.get(p).body)
			fastest = min(fastest, time.Since(begun))
		}
		t.Logf("%s: %d bytes, %v", p, size, fastest)
		if size > 100_000 {
			t.Errorf("%s is %d bytes, want at most 100 KB", p, size)
		}
		if limit := 100 * time.Millisecond * slack; fastest > limit {
			t.Errorf("%s took %v, want at most %v", p, fastest, limit)
		}
	}
}
