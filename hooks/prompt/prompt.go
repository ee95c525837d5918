// Package prompt holds the words in which upkeep asks a model. It stands on nothing
// but templates that are built in; it never calls anybody.
//
// What is put into a prompt is text that others wrote. It is kept on its own lines,
// between marks that no text can write, and the instructions stand apart from it.
package prompt

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"text/template"
	"time"
)

//go:embed *.txt
var texts embed.FS

// Text is a prompt: the instructions, and what they are about.
type Text struct{ System, Text string }

// Capture is what a quiet chat is read with.
type Capture struct {
	Bot       string // its name
	Today     string // see Day
	Lines     []string
	Topics    string // the index of topics
	Memory    string // what stands in MEMORY.md
	Cut       bool   // Memory is only its end
	Rules     string // of the home, "" for none
	Room      bool
	Sensitive bool
}

// Organize is what lines of MEMORY.md are judged with.
type Organize struct{ Bot, Today, Topics, Lines string }

// Contradictions is what notes are compared with.
type Contradictions struct{ Path, Today, Lines string }

// Reflect is what facts are read with for what several of them say together.
type Reflect struct {
	Bot, Today, Lines string
	Sensitive         bool
}

// Day names a day as a prompt does: "Friday, 2026-09-25".
func Day(t time.Time) string { return t.Format("Monday, 2006-01-02") }

// Text fills the prompt in.
func (c Capture) Text() Text { return fill("capture", c.shown()) }

// Text fills the prompt in.
func (o Organize) Text() Text {
	o.Bot, o.Topics, o.Lines = plain(o.Bot), plain(o.Topics), plain(o.Lines)
	return fill("organize", o)
}

// Text fills the prompt in.
func (c Contradictions) Text() Text {
	c.Lines = plain(c.Lines)
	return fill("contradictions", c)
}

// Text fills the prompt in.
func (r Reflect) Text() Text {
	r.Bot, r.Lines = plain(r.Bot), plain(r.Lines)
	return fill("reflect", r)
}

func (c Capture) shown() Capture {
	c.Bot, c.Topics, c.Memory = plain(c.Bot), plain(c.Topics), plain(c.Memory)
	lines := make([]string, len(c.Lines))
	for i, l := range c.Lines {
		lines[i] = plain(l)
	}
	c.Lines = lines
	return c
}

// marks are what frames a prompt's parts, however they are written: in any case, with
// blanks, slashes and what does not show inside, with more behind the name.
var marks = sync.OnceValue(func() *regexp.Regexp {
	const gap = `[\s\p{Z}\p{C}\p{M}/\\]*`
	spaced := func(word string) string { return strings.Join(strings.Split(word, ""), `[\p{Cf}\p{M}]*`) }
	name := gap + `(?:` + spaced("notes") + `|` + spaced("conversation") + `)` + gap
	more := `(?:[^\pL\pN<>＜＞﹤﹥\n][^<>＜＞﹤﹥\n]*)?`
	return regexp.MustCompile(`(?i)[<＜﹤](?:(` + name + more + `)[>＞﹥]|(` + name + `)$)`)
})

// plain keeps a text from writing the marks.
func plain(s string) string {
	if !strings.ContainsAny(s, "<＜﹤") {
		return s
	}
	return marks().ReplaceAllString(s, "‹$1$2›")
}

func fill(name string, data any) Text {
	return Text{System: execute(name+".system.txt", data), Text: execute(name+".txt", data)}
}

// execute fills one template in. The templates are part of the program and a test
// fills each, so an error is a fault of ours.
func execute(name string, data any) string {
	t, err := template.ParseFS(texts, name)
	if err != nil {
		panic(fmt.Sprintf("prompt %s: %v", name, err))
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		panic(fmt.Sprintf("prompt %s: %v", name, err))
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// Examples are the phrases by which the prompts show what they mean: a model that
// sends one back has not read anything.
func Examples() []string {
	return []string{"The person ...", "lives in Pune and prefers short replies", "prefers short replies", "TEXT", "NAME", "NUMBER"}
}
