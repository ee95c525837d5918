package panel_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// longHistory puts n changes of the bot, the person and upkeep before the clock's now, over
// a year, as git imports them: no vault makes so many so soon. Two in three are of
// MEMORY.md, which fills up slowly.
func (b *browser) longHistory(n int) {
	b.t.Helper()
	end := b.clock.now()
	var in bytes.Buffer
	files := map[string][]string{}
	subjects := strings.Fields("tea coffee trains invoices garden dogs travel books music running cheese ferries letters maps")
	for i := range n {
		// Some weeks are busier than others, and nothing happens at night.
		day := 364 - i*365/n
		at := end.AddDate(0, 0, -day).Truncate(24 * time.Hour).Add(time.Duration(7*60+i*37%900) * time.Minute)
		if move := day * 7 % 10 % 4; day > 3 {
			at = at.AddDate(0, 0, move)
		}
		if !at.Before(end) {
			at = end.Add(-time.Minute)
		}
		path, most := "MEMORY.md", 60+i*130/n
		if i%3 == 2 {
			path, most = "memory/"+subjects[i%7]+".md", 40
		}
		text := fmt.Sprintf("likes %s more than %s since the talk number %d about %s", subjects[i%14], subjects[i*5%13], i, subjects[i*3%11])
		who, via, source, action := "bot scout", "turn", []string{`chat "Plans"`, `chat "Breakfast"`, `room "Kitchen"`}[i%3], "update"
		switch {
		case i%9 == 4:
			who, via, source, action = "person Ada", "ui", "", "edit"
		case i%13 == 6:
			who, via, source, action = "upkeep", "capture", `chat "Evening"`, "capture"
		}
		list := files[path]
		if i%8 == 7 && len(list) > 0 {
			list[len(list)/2] = strings.Replace(list[len(list)/2], "likes", "still likes", 1)
		} else {
			entry := "- " + at.Format("2006-01-02") + " · "
			if source != "" {
				entry += "from " + source + " · "
			}
			list = append(list, entry+text)
		}
		if len(list) > most {
			list = slices.Delete(list, 0, 1)
		}
		files[path] = list
		whole := "# " + strings.TrimSuffix(strings.TrimPrefix(path, "memory/"), ".md") + "\n\n" + strings.Join(list, "\n") + "\n"
		message := fmt.Sprintf("%s: %s\n\nMemory-Author: %s\n", action, text, who)
		if source != "" {
			message += "Memory-Source: " + source + "\n"
		}
		message += fmt.Sprintf("Memory-Action: %s\nMemory-Via: %s\nMemory-Change: 01JDXK3T9M2Q4R6S8V%08d\n", action, via, i)
		fmt.Fprintf(&in, "commit refs/heads/main\nauthor Ada <ada@example.org> %d +0000\ncommitter quipu <quipu@localhost> %d +0000\ndata %d\n%s\n", at.Unix(), at.Unix(), len(message), message)
		if i == 0 {
			fmt.Fprint(&in, "from refs/heads/main^0\n")
		}
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(whole), whole)
	}
	fmt.Fprint(&in, "done\n")
	for _, args := range [][]string{{"fast-import", "--quiet", "--done"}, {"reset", "-q", "--hard"}} {
		cmd := exec.CommandContext(b.t.Context(), "git", append([]string{"-C", b.scout.Dir()}, args...)...)
		cmd.Stdin = &in
		if out, err := cmd.CombinedOutput(); err != nil {
			b.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}
