package markdown

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/adrg/frontmatter"
)

// decode hands exactly this block to the YAML reader, whose rest is never used:
// it is empty on any error.
func (r *reader) decode(y *yamlHeader) (err error) {
	for i, l := range r.lines {
		if strings.TrimSpace(l) == rule {
			return fmt.Errorf("yaml: line %d: an indented %s", i+1, rule)
		}
	}
	// The YAML library answers some inputs by a panic that is not its own; a
	// header must not take the process down.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	text := rule + lf + strings.Join(r.lines, lf) + lf + rule + lf
	_, err = frontmatter.Parse(strings.NewReader(text), y)
	return err
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// errorLine returns the line of a YAML error as an index into the block.
func errorLine(err error) int {
	m := yamlLine.FindStringSubmatch(err.Error())
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n < 1 {
		return 0
	}
	return n - 1
}

func errorText(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindString(text); m != "" {
		text = strings.TrimPrefix(text, m+": ")
	}
	return text
}

// yamlHeader is what the YAML reader fills: a value of a wrong type is skipped
// without losing the others, and of equal keys the first counts.
type yamlHeader struct {
	Title       yamlText `yaml:"title"`
	Description yamlText `yaml:"description"`
	Aliases     yamlList `yaml:"aliases"`
	Tags        yamlList `yaml:"tags"`
}

func (y *yamlHeader) bad(key string) bool {
	switch key {
	case "title":
		return y.Title.bad
	case "description":
		return y.Description.bad
	case "aliases":
		return y.Aliases.bad
	default:
		return y.Tags.bad
	}
}

type yamlText struct {
	text     string
	set, bad bool
}

// UnmarshalYAML takes one string, or a number or date as it is written.
func (t *yamlText) UnmarshalYAML(unmarshal func(any) error) error {
	if t.set {
		return nil
	}
	t.set = true
	if unmarshal(&t.text) != nil {
		*t = yamlText{set: true, bad: true}
	}
	return nil
}

type yamlList struct {
	texts    []string
	set, bad bool
}

// UnmarshalYAML takes a list, or one string with commas.
func (l *yamlList) UnmarshalYAML(unmarshal func(any) error) error {
	if l.set {
		return nil
	}
	l.set = true
	var one string
	if unmarshal(&one) == nil {
		l.texts = splitList(one)
		return nil
	}
	var many []yamlText
	l.bad = unmarshal(&many) != nil
	for _, t := range many {
		l.bad = l.bad || t.bad
		if t.text != "" {
			l.texts = append(l.texts, t.text)
		}
	}
	return nil
}

// scan reads the header line by line, where YAML does not: `title: Foo: bar`.
func (r *reader) scan(y *yamlHeader) {
	*y = yamlHeader{}
	texts := map[string]*yamlText{"title": &y.Title, "description": &y.Description}
	lists := map[string]*yamlList{"aliases": &y.Aliases, "tags": &y.Tags}
	for i, l := range r.lines {
		l = strings.TrimSpace(l)
		for key, t := range texts {
			if value, ok := cutKey(l, key); ok && !t.set {
				*t = yamlText{text: unquote(value), set: true}
			}
		}
		for key, list := range lists {
			if value, ok := cutKey(l, key); ok && !list.set {
				*list = yamlList{texts: r.scanList(value, i+1), set: true}
			}
		}
	}
}

// scanList reads `[a, b]`, `a, b`, one string, or the dash lines from line i on.
func (r *reader) scanList(value string, i int) []string {
	value = dropComment(value)
	if value != "" {
		inner, open := strings.CutPrefix(value, "[")
		inner, closed := strings.CutSuffix(inner, "]")
		if open != closed {
			return nil // a list over several lines, or not a list
		}
		return splitList(inner)
	}
	var texts []string
	for ; i < len(r.lines); i++ {
		element, ok := strings.CutPrefix(strings.TrimSpace(r.lines[i]), "-")
		if !ok {
			return texts
		}
		if element = unquote(strings.TrimSpace(element)); element != "" {
			texts = append(texts, element)
		}
	}
	return texts
}

func splitList(s string) []string {
	var texts []string
	for part := range strings.SplitSeq(s, ",") {
		if part = unquote(strings.TrimSpace(part)); part != "" {
			texts = append(texts, part)
		}
	}
	return texts
}

func dropComment(s string) string {
	if strings.HasPrefix(s, "#") {
		return ""
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

func unquote(s string) string {
	for _, mark := range []string{`"`, `'`} {
		if inner, ok := strings.CutPrefix(s, mark); ok {
			if inner, _, ok = strings.Cut(inner, mark); ok {
				return inner
			}
		}
	}
	return dropComment(s)
}
