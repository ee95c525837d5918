package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	rule         = "---"
	headerBytes  = 64 << 10 // of a header that is read
	headBytes    = 2048     // of text in which a heading is looked for
	titleRunes   = 160      // of a title or a description
	aliasRunes   = 40       // of one alias
	aliasCount   = 12       // aliases and tags together
	problemRunes = 160
)

// Header is what the block of YAML between two --- lines says of a file. Only
// title, description, aliases and tags are read; tags count as aliases.
type Header struct {
	// Present says that there is a header.
	Present bool
	// Title is at most 160 characters; without one in the header it is the
	// file's heading. Description is at most 160.
	Title, Description string
	// Aliases are at most 12, each at most 40 characters, no two equal but for
	// case.
	Aliases []string
	// Problems names what could not be read, one sentence each, with the line.
	Problems []string
	// Start and End are the byte range of the header in the file, both --- lines
	// included and the line end of the second one too.
	Start, End int

	broken bool     // the YAML does not parse: nothing in it is rewritten
	listed []string // the values of aliases alone, whole
	tagged []string // the values of tags, whole
}

// headerLines is the range of a header's lines, both --- lines included.
type headerLines struct {
	first, last int
	found       bool
}

// findHeader looks for a --- block that only blank lines and headings precede.
// A block with no `key:` line is a pair of rules around text, one that never
// closes or that is above 64 KiB is text.
func findHeader(s string, lines []line) (headerLines, string) {
	at := func(i int) string { return s[lines[i].start:lines[i].end] }
	first := 0
	for first < len(lines) && (strings.TrimSpace(at(first)) == "" || isHeading(at(first))) {
		first++
	}
	if first == len(lines) || !isRule(at(first)) {
		return headerLines{}, ""
	}
	keys, others := false, false
	for i := first + 1; i < len(lines); i++ {
		l := at(i)
		if isRule(l) {
			if !keys && others {
				return headerLines{}, ""
			}
			if lines[i].end-lines[first].start > headerBytes {
				return headerLines{}, fmt.Sprintf("line %d: the header is above %d KiB and is read as text", first+1, headerBytes>>10)
			}
			return headerLines{first: first, last: i, found: true}, ""
		}
		if isEntryLine(l) {
			return headerLines{}, ""
		}
		keys = keys || keyLine.MatchString(l)
		others = others || strings.TrimSpace(l) != "" && !strings.HasPrefix(l, "#")
	}
	return headerLines{}, ""
}

// keyLine is a line `key: value` or `key:`. A prose line with a colon in its
// middle is none, since a key holds no space.
var keyLine = regexp.MustCompile(`^[ \t]*["']?[\pL\pN_][\pL\pN_.-]{0,63}["']?[ \t]*:(?:[ \t]|$)`)

func isRule(l string) bool { return strings.TrimRight(l, " \t") == rule }

func isHeading(l string) bool {
	rest := strings.TrimLeft(l, "#")
	n := len(l) - len(rest)
	return n >= 1 && n <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

func heading(l string) string {
	return clean(strings.TrimRight(strings.TrimSpace(strings.TrimLeft(l, "#")), "# "), titleRunes)
}

// headingTitle returns the heading that names the file: one that opens it, or
// the first of the first level near its top.
func (f *File) headingTitle(block headerLines) string {
	far := f.bom + headBytes
	if block.found {
		far = f.header.End + headBytes
	}
	opening := true
	for i, u := range f.units {
		if f.start(i) > far {
			return ""
		}
		if u.Kind == KindBlank || u.Kind == KindHeader {
			continue
		}
		if l := string(u.Raw[:min(len(u.Raw), headBytes)]); u.Kind == KindLine && isHeading(l) {
			if title := heading(l); title != "" && (opening || strings.HasPrefix(l, "# ")) {
				return title
			}
		}
		opening = false
	}
	return ""
}

// readHeader reads the block that findHeader found.
func readHeader(s string, lines []line, block headerLines, problem string) Header {
	if !block.found {
		if problem != "" {
			return Header{Problems: []string{problem}}
		}
		return Header{}
	}
	r := reader{
		Header: Header{Present: true, Start: lines[block.first].start, End: lines[block.last].next},
		first:  block.first + 1,
	}
	for i := block.first + 1; i < block.last; i++ {
		r.lines = append(r.lines, s[lines[i].start:lines[i].end])
	}
	r.read()
	return r.Header
}

// reader reads one header.
type reader struct {
	Header

	first int      // 0-based line of lines[0] in the file
	lines []string // between the --- lines
}

// problem notes one; i is an index into lines.
func (r *reader) problem(i int, format string, args ...any) {
	said := fmt.Sprintf(format, args...)
	r.Problems = append(r.Problems, fmt.Sprintf("line %d: %s", r.first+i+1, clean(said, problemRunes)))
}

func (r *reader) read() {
	var y yamlHeader
	if err := r.decode(&y); err != nil {
		r.broken = true
		r.problem(errorLine(err), "the header is not valid YAML and is read line by line: %s", errorText(err))
		r.scan(&y)
	}
	for _, key := range []string{"title", "description", "aliases", "tags"} {
		at := r.keyLines(key)
		for _, i := range at[min(1, len(at)):] {
			r.problem(i, "%s stands twice, the first one counts", key)
		}
		if y.bad(key) && len(at) > 0 {
			r.problem(at[0], "%s has a type that is not read", key)
		}
	}
	r.Title = clean(y.Title.text, titleRunes)
	r.Description = clean(y.Description.text, titleRunes)
	r.listed, r.tagged = y.Aliases.texts, y.Tags.texts
	for _, alias := range slices.Concat(r.listed, r.tagged) {
		alias = clean(alias, aliasRunes)
		if alias != "" && len(r.Aliases) < aliasCount && !hasAlias(r.Aliases, alias) {
			r.Aliases = append(r.Aliases, alias)
		}
	}
}

// keyLines returns the indexes of the lines that begin with `key:`.
func (r *reader) keyLines(key string) []int {
	var at []int
	for i, l := range r.lines {
		if _, ok := cutKey(l, key); ok {
			at = append(at, i)
		}
	}
	return at
}

// cutKey returns what follows `key:` at the start of a line.
func cutKey(l, key string) (string, bool) {
	for _, name := range []string{key, `"` + key + `"`, `'` + key + `'`} {
		rest, ok := strings.CutPrefix(l, name)
		if !ok {
			continue
		}
		rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), ":")
		if ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// clean makes s one line of valid UTF-8 without control characters, of at most
// n characters.
func clean(s string, n int) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && !unicode.IsSpace(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, ""))
	return strings.TrimSpace(cutRunes(fold(s), n))
}

func hasAlias(aliases []string, alias string) bool {
	return slices.ContainsFunc(aliases, func(a string) bool { return strings.EqualFold(a, alias) })
}

// cutBOM splits a byte order mark off.
func cutBOM(text []byte) (bom, rest []byte) {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return text[:len(byteOrderMark)], text[len(byteOrderMark):]
	}
	return nil, text
}
