package repo

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/exchange"
)

func (l *lab) receive(format, name, text string) Imported {
	l.t.Helper()
	b, err := exchange.Read(format, exchange.Source{Name: name, Text: []byte(text)})
	if err != nil {
		l.t.Fatal(err)
	}
	return l.receiveBatch(b, name)
}

func (l *lab) receiveBatch(b exchange.Batch, name string) Imported {
	l.t.Helper()
	im, err := l.w.Import(l.t.Context(), Meta{Via: ViaImport}, b, name, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return im
}

// Facts go to MEMORY.md or their topic with their day and where they are from, once.
func TestImportFacts(t *testing.T) {
	l := newLab(t)
	l.append("Ada likes tea")
	im := l.receive("chatgpt", "list.txt", "[2024-05-01] - Ada likes tea.\n[2024-06-02] - Ada has a dog\n- Ada lives in Pune\nthe key is "+secret+"\n")
	if im.Facts != 3 || im.Known != 1 || im.Redacted != 1 {
		t.Errorf("%d facts, %d known, %d masked; want 3, 1, 1", im.Facts, im.Known, im.Redacted)
	}
	text := l.text("MEMORY.md")
	l.contains(text, "- 2024-06-02 · from import chatgpt · Ada has a dog\n", "- 2026-09-12 · from import chatgpt · Ada lives in Pune\n")
	if strings.Contains(l.objects(), secret) {
		t.Error("a credential was kept")
	}
	n := l.count()
	if again := l.receive("chatgpt", "list.txt", "[2024-06-02] - Ada has a dog\n- Ada lives in Pune\n"); again.Change != "" || l.count() != n {
		t.Errorf("a second import made the change %s", again.Change)
	}
	l.undo(string(im.Change))
	if got := l.text("MEMORY.md"); strings.Contains(got, "dog") || !strings.Contains(got, "likes tea") {
		t.Errorf("after undo MEMORY.md is %q", got)
	}
	l.sound()
}

// What the person asked to forget does not come back.
func TestImportFactsForgotten(t *testing.T) {
	l := newLab(t)
	l.append("Ada had a hamster")
	if _, err := l.w.Forget(l.ctx(), ada, Forgetting{Words: []string{"hamster"}}); err != nil {
		t.Fatal(err)
	}
	im := l.receive("mem0", "m.json", `{"results":[{"memory":"Ada had a hamster"},{"memory":"Ada has a cat"}]}`)
	if im.Facts != 1 || strings.Contains(l.text("memory/imported-mem0.md"), "hamster") {
		t.Errorf("it is back: %d facts", im.Facts)
	}
	l.contains(fmt.Sprint(im.Files), "asked to forget")
}

func manyFacts(n int) string {
	var b strings.Builder
	b.WriteString(`{"results":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"%d","memory":"Fact number %d is about trains, tea and dogs","categories":["c%d"],"created_at":"2025-0%d-%02dT10:00:00Z"}`, i, i, i%3, i%9+1, i%28+1)
	}
	b.WriteString("]}")
	return b.String()
}

// Ten thousand facts are one commit of under three seconds, nothing of them is lost, and
// one undo takes them back.
func TestImportMany(t *testing.T) {
	l := newLab(t)
	text := manyFacts(10_000)
	start := time.Now()
	im := l.receive("mem0", "m.json", text)
	took := time.Since(start)
	t.Logf("10,000 facts: %v", took)
	if limit := 3 * time.Second * raceFactor; took > limit {
		t.Errorf("it took %v, %v is the limit", took, limit)
	}
	if im.Facts != 10_000 || l.count() != 2 {
		t.Errorf("%d facts in %d commits, want 10000 in 2", im.Facts, l.count())
	}
	have := map[string]bool{}
	for _, f := range im.Files {
		if len(l.text(f.To)) > policy.MaxFileBytes {
			t.Errorf("%s has %d bytes", f.To, len(l.text(f.To)))
		}
		for _, e := range markdown.Parse(f.To, []byte(l.text(f.To))).Entries() {
			have[e.Text] = true
		}
	}
	for i := range 10_000 {
		if want := fmt.Sprintf("Fact number %d is about trains, tea and dogs", i); !have[want] {
			t.Fatalf("%q is missing", want)
		}
	}
	if again := l.receive("mem0", "m.json", text); again.Change != "" || again.Known != 10_000 {
		t.Errorf("a second import made the change %s, %d known", again.Change, again.Known)
	}
	l.undo(string(im.Change))
	if out, err := exec.CommandContext(t.Context(), "git", "-C", l.dir, "ls-files").CombinedOutput(); err != nil || strings.Contains(string(out), "memory/") {
		t.Errorf("after undo there are %q (%v)", out, err)
	}
	l.sound()
}

// MEMORY.md stays within its budget: of facts the newest stand in it, of a page the
// oldest entries move to the archive.
func TestImportBudget(t *testing.T) {
	l := newLab(t)
	var list, page strings.Builder
	for i := range 400 {
		fmt.Fprintf(&list, "[2025-%02d-%02d] - Fact %d of the list\n", i/34+1, i%28+1, i)
		fmt.Fprintf(&page, "- Fact %d of the page [2025-%02d-%02d]\n", i, i/34+1, i%28+1)
	}
	im := l.receive("chatgpt", "list.txt", list.String())
	g := l.w.limits().Measure([]byte(l.text("MEMORY.md")))
	if g.Truncated || g.Lines < 100 || len(im.Moved) > 0 {
		t.Errorf("MEMORY.md has %d lines, %d moved", g.Lines, len(im.Moved))
	}
	l.contains(l.text("MEMORY.md"), "Fact 399 of the list")
	l.contains(l.text("memory/imported-chatgpt.md"), "- 2025-01-01 · from import chatgpt · Fact 0 of the list")
	im = l.receive("retention", "memory.md", page.String())
	g = l.w.limits().Measure([]byte(l.text("MEMORY.md")))
	if g.Truncated || len(im.Moved) == 0 {
		t.Errorf("MEMORY.md has %d lines, %d moved", g.Lines, len(im.Moved))
	}
	all := l.text("MEMORY.md") + l.text("memory/archive.md")
	for i := range 400 {
		l.contains(all, fmt.Sprintf("Fact %d of the page", i))
	}
	n := l.count()
	if again := l.receive("retention", "memory.md", page.String()); again.Change != "" || l.count() != n {
		t.Errorf("a second import made the change %s", again.Change)
	}
	l.sound()
}

func TestImportDryRun(t *testing.T) {
	l := newLab(t)
	b, err := exchange.Read("chatgpt", exchange.Source{Name: "list.txt", Text: []byte("- Ada likes tea\n")})
	if err != nil {
		t.Fatal(err)
	}
	im, err := l.w.Import(t.Context(), Meta{Via: ViaImport, DryRun: true}, b, "list.txt", nil)
	if err != nil || !im.DryRun || im.Facts != 1 || im.Files[0].To != "MEMORY.md" || l.count() != 1 {
		t.Errorf("%+v, %v", im, err)
	}
}

// A fact that is too large for an entry is left out and said; the rest comes in.
func TestImportFactTooLarge(t *testing.T) {
	l := newLab(t)
	im := l.receive("mem0", "m.json", `[{"memory":"`+strings.Repeat("word ", 20_000)+`"},{"memory":"Ada has a cat"}]`)
	if im.Facts != 1 {
		t.Errorf("%d facts, want 1", im.Facts)
	}
	l.contains(fmt.Sprint(im.Files), "make it a file")
}

func BenchmarkImport(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		text := manyFacts(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				l := newLab(b)
				b.StartTimer()
				l.receive("mem0", "m.json", text)
			}
		})
	}
}
