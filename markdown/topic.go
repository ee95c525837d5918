package markdown

import (
	"regexp"
	"slices"
	"strings"
)

// archiveLabel stands for the archive in the topic index, whatever its header.
const archiveLabel = "older notes moved out of MEMORY.md, kept for the record"

// IndexLine returns a topic's line in the index of topics:
// `- memory/food.md — Food — description (also: a, b)`. name is the file's name
// inside memory/, with or without that folder.
func IndexLine(name string, h Header) string {
	name = clean(strings.TrimPrefix(name, "memory/"), 255)
	out := "- memory/" + name
	if name == "archive.md" {
		return out + " — " + archiveLabel
	}
	if h.Title != "" {
		out += " — " + h.Title
	}
	if h.Description != "" {
		out += " — " + h.Description
	}
	if len(h.Aliases) > 0 {
		out += " (also: " + strings.Join(h.Aliases, ", ") + ")"
	}
	return out
}

// MergeTopic returns a topic's text with entries (as written, no final newline)
// at its end and aliases added to its header. An empty file gets a header with
// title and aliases and a blank line; a file without a header gets one on top.
// In a header that is there only the aliases change, and not when the header is
// broken, when they stand there already (as tags too), or when 12 are listed.
func MergeTopic(existing []byte, title string, aliases []string, entries []string) []byte {
	text := existing
	f := Parse("", text)
	switch {
	case f.header.Present:
		text = addAliases(f, aliases)
	case len(f.header.Problems) == 0:
		text = withHeader(f, title, aliases)
	}
	if len(entries) == 0 {
		return text
	}
	f = Parse("", text)
	if f.header.Present && f.header.End == len(text) {
		text = f.Append("")
		f = Parse("", text)
	}
	return f.Append(strings.Join(entries, lf))
}

// SetAliases returns the text with exactly these aliases in its header, on one
// line; every other byte stays. A file without a header gets one with no title.
// A header that is broken or too long is left as it is.
func SetAliases(existing []byte, aliases []string) []byte {
	f := Parse("", existing)
	if !f.header.Present {
		if len(f.header.Problems) > 0 || len(aliases) == 0 {
			return slices.Clone(existing)
		}
		return withHeader(f, "", aliases)
	}
	if f.header.broken {
		return slices.Clone(existing)
	}
	return spliceAliases(f, fresh(nil, aliases))
}

// withHeader puts a header on top, behind a byte order mark.
func withHeader(f *File, title string, aliases []string) []byte {
	bom, rest := cutBOM(f.text)
	var head []string
	head = append(head, rule)
	if title = clean(title, titleRunes); title != "" && !readsAsNull(title) {
		head = append(head, "title: "+scalar(title, false))
	}
	if added := fresh(nil, aliases); len(added) > 0 {
		head = append(head, "aliases: "+flow(added))
	}
	head = append(head, rule)
	if len(rest) > 0 {
		head = append(head, "")
	}
	return slices.Concat(bom, []byte(strings.Join(head, f.eol)+f.eol), rest)
}

// fresh returns the aliases that are not among those listed, cleaned, as long
// as there is room for them.
func fresh(listed, aliases []string) []string {
	all := slices.Clone(listed)
	for _, alias := range aliases {
		alias = clean(alias, aliasRunes)
		if alias != "" && len(all) < aliasCount && !hasAlias(all, alias) && !readsAsNull(alias) {
			all = append(all, alias)
		}
	}
	return all[len(listed):]
}

func addAliases(f *File, aliases []string) []byte {
	h := f.header
	added := fresh(slices.Concat(h.listed, h.tagged), aliases)
	if h.broken || len(added) == 0 {
		return f.text
	}
	return spliceAliases(f, slices.Concat(h.listed, added))
}

// spliceAliases writes the line of the aliases anew. A list over several lines
// becomes one line, unless comments stand in it or its value is not a list:
// then the header stays as it is.
func spliceAliases(f *File, aliases []string) []byte {
	first, end := f.aliasUnits()
	if first < 0 {
		return f.InsertUnit(f.closingRule(), "aliases: "+flow(aliases))
	}
	value, _ := cutKey(string(f.units[first].Raw), "aliases")
	comment := ""
	if end == first+1 {
		comment = value[commentStart(value):]
	}
	if !f.rewritable(first, end, comment) {
		return f.text
	}
	if short, ok := grown(value, comment, f.header.listed, aliases); ok && end == first+1 {
		raw := string(f.units[first].Raw)
		return f.ReplaceUnit(first, raw[:strings.LastIndex(raw, value)]+short)
	}
	start := f.start(first)
	written := "aliases: " + flow(aliases) + comment + f.lineEnd(end-1)
	return slices.Concat(f.text[:start], []byte(written), f.text[f.next[end-1]:])
}

// grown returns a one-line flow list with the new aliases put before its closing
// bracket, so that the old ones keep their quoting.
func grown(value, comment string, listed, aliases []string) (string, bool) {
	list := strings.TrimSpace(strings.TrimSuffix(value, comment))
	body, ok := strings.CutSuffix(list, "]")
	if !ok || !strings.HasPrefix(list, "[") || len(listed) == 0 || len(aliases) <= len(listed) ||
		!slices.Equal(aliases[:len(listed)], listed) {
		return "", false
	}
	added := strings.Trim(flow(aliases[len(listed):]), "[]")
	return strings.TrimRight(body, " ,") + ", " + added + "]" + comment, true
}

// rewritable reports whether nothing but the aliases is lost when the units
// from first up to end are written anew: no comment, no anchor, no other type.
func (f *File) rewritable(first, end int, comment string) bool {
	for i := first; i < end; i++ {
		raw := string(f.units[i].Raw)
		if i == first {
			raw = strings.TrimSuffix(raw, comment)
		}
		if commentStart(raw) < len(raw) {
			return false
		}
		if value, ok := cutKey(raw, "aliases"); ok && strings.ContainsAny(value[:min(1, len(value))], "&*!|>{") {
			return false
		}
	}
	for _, problem := range f.header.Problems {
		if strings.Contains(problem, ": aliases ") {
			return false
		}
	}
	return true
}

// commentStart returns where a comment, with the space before it, begins in a
// line of YAML, or the line's length. A # inside quotes begins none.
func commentStart(s string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return len(strings.TrimRight(s[:i], " \t"))
		case (s[i] == '"' || s[i] == '\'') && (i == 0 || strings.IndexByte(" \t[{,:", s[i-1]) >= 0):
			i = quoteEnd(s, i)
		}
	}
	return len(s)
}

// quoteEnd returns the place of the quote that closes the one at i, or the
// length of s.
func quoteEnd(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == '\\' && s[i] == '"':
			j++
		case s[j] == s[i]:
			return j
		}
	}
	return len(s)
}

// aliasUnits returns the units of the aliases: their key and what continues it,
// which is a dash line, an indented line or a blank line between such. first is
// -1 if there is no such key.
func (f *File) aliasUnits() (first, end int) {
	first = -1
	for i, u := range f.units {
		if u.Kind != KindHeader {
			continue
		}
		raw := string(u.Raw)
		if first < 0 {
			if _, ok := cutKey(raw, "aliases"); ok {
				first, end = i, i+1
			}
			continue
		}
		if raw == rule || raw != "" && !strings.ContainsAny(raw[:1], " \t-]") || isRule(raw) {
			return first, end
		}
		if strings.TrimSpace(raw) != "" {
			end = i + 1
		}
	}
	return first, end
}

// closingRule returns the unit of the header's closing --- line.
func (f *File) closingRule() int {
	last := 0
	for i, u := range f.units {
		if u.Kind == KindHeader {
			last = i
		}
	}
	return last
}

func flow(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = scalar(text, true)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// plainScalar is a text that YAML reads as itself, with no quotes: it begins
// with a letter, and no character in it means anything to YAML.
var plainScalar = regexp.MustCompile(`^\pL[\pL\pM\pN _./&+()'@-]*$`)

// readsAsNull reports a text that the YAML reader takes for no value even in
// quotes.
func readsAsNull(text string) bool { return text == "~" || text == "null" }

// scalar writes text as YAML, quoted where YAML would read it otherwise.
func scalar(text string, inFlow bool) string {
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "y", "n":
		return quote(text)
	}
	if plainScalar.MatchString(text) || !inFlow && text[:1] != "," && plainScalar.MatchString(strings.ReplaceAll(text, ",", "")) {
		return text
	}
	return quote(text)
}
