package repo

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// longRemote is a packed remote with so many commits, each of one change in one of 40
// topics, and a MEMORY.md that is full.
func longRemote(b *testing.B, commits int) string {
	b.Helper()
	remote := bareRemote(b)
	var in bytes.Buffer
	file := func(path, text string) { fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text) }
	topics := make([][]string, 40)
	at := noon.AddDate(-1, 0, 0).Unix()
	for i := range commits {
		message := fmt.Sprintf("update: fact %d\n\nMemory-Author: bot scout\nMemory-Action: update\nMemory-Via: turn\nMemory-Change: 01JDXK3T9M2Q4R6S8V0W%06d\n", i, i)
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter quipu <quipu@localhost> %d +0000\ndata %d\n%s\n", i+1, at+int64(i)*60, len(message), message)
		if i == 0 {
			file("MEMORY.md", fullMemory())
		}
		k := i % len(topics)
		topics[k] = append(topics[k], fmt.Sprintf("- 2026-01-%02d · from chat \"Setup\" · fact %d of topic %d", i%28+1, i, k))
		topics[k] = topics[k][max(0, len(topics[k])-35):]
		file(fmt.Sprintf("memory/topic-%d.md", k), fmt.Sprintf("---\ntitle: topic %d\n---\n\n%s\n", k, strings.Join(topics[k], "\n")))
	}
	cmd := exec.CommandContext(b.Context(), "git", "-C", remote, "fast-import", "--quiet")
	cmd.Stdin = &in
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	rawGit(b, remote, "gc", "-q")
	return remote
}

func fullMemory() string {
	var text strings.Builder
	text.WriteString("# Memory\n\n")
	for i := range 190 {
		fmt.Fprintf(&text, "- 2026-02-%02d · from chat \"Setup\" · the person told the bot thing number %d, which it is to keep\n", i%28+1, i)
	}
	return text.String()
}

// BenchmarkSync: with 10,000 commits of history, over a folder: a sync of one change,
// one that finds nothing, one that merges, and what the git program alone takes to push.
func BenchmarkSync(b *testing.B) {
	remote := longRemote(b, 10000)
	l, other := machine(b, "a", remote), machine(b, "b", remote)
	l.sync()
	other.sync()
	for _, m := range []*lab{l, other} {
		rawGit(b, m.w.git.Dir(), "gc", "-q")
		m.reopen()
		m.sync()
	}
	timed := func(l *lab) time.Duration {
		start := time.Now()
		l.sync()
		return time.Since(start)
	}
	n := 0
	for name, run := range map[string]func() time.Duration{
		"nothing": func() time.Duration { return timed(l) },
		"change": func() time.Duration {
			l.append(fmt.Sprintf("new fact %d", n))
			return timed(l)
		},
		"pull": func() time.Duration {
			l.append(fmt.Sprintf("new fact %d", n))
			l.sync()
			return timed(other)
		},
		"merge": func() time.Duration {
			l.append(fmt.Sprintf("new fact %d", n))
			other.append(fmt.Sprintf("other fact %d", n))
			l.sync()
			took := timed(other)
			l.sync()
			return took
		},
		"git-push": func() time.Duration {
			l.append(fmt.Sprintf("new fact %d", n))
			start := time.Now()
			rawGit(b, filepath.Dir(l.w.git.Own()), "push", "-q", remote, "main")
			return time.Since(start)
		},
	} {
		b.Run(name, func(b *testing.B) {
			l.sync()
			other.sync()
			l.sync()
			var all []time.Duration
			for b.Loop() {
				n++
				all = append(all, run())
			}
			b.ReportMetric(median(all), "ms/sync")
		})
	}
}
