package markdown

import (
	"bytes"
	"slices"
	"strings"
)

// SetTitle returns the text with this title and description in its header; "" takes one
// out. Every other byte stays. ok is false, and the text as it was, where that cannot be
// done for certain: the header is broken, or one of the two is written over several lines,
// with an anchor, or as something else than a text.
func SetTitle(existing []byte, title, description string) (text []byte, ok bool) {
	text = existing
	title, description = clean(title, titleRunes), clean(description, titleRunes)
	for _, set := range []struct{ key, value string }{{"title", title}, {"description", description}} {
		if text, ok = setText(text, set.key, set.value); !ok {
			return existing, false
		}
	}
	h := Parse("", text).Header()
	if h.Description != description || title != "" && h.Title != title {
		return existing, false
	}
	return text, true
}

// Titled says whether a file's title stands in its header, and not in a heading alone.
func (f *File) Titled() bool {
	at, _ := f.textUnit("title")
	if at < 0 {
		return false
	}
	said, _ := cutKey(string(f.units[at].Raw), "title")
	return said != "" && f.header.Title != ""
}

// setText writes the line of one key anew, or puts it in, or takes it out.
func setText(existing []byte, key, value string) (text []byte, ok bool) {
	f := Parse("", existing)
	switch {
	case f.header.broken || !f.header.Present && len(f.header.Problems) > 0 || readsAsNull(value):
		return existing, false
	case !f.header.Present && value == "":
		return existing, true
	case !f.header.Present:
		f = Parse("", withHeader(f, "", nil))
	}
	at, after := f.textUnit(key)
	if at < 0 && value == "" || at >= 0 && value == f.headText(key) {
		return existing, true
	}
	if at < 0 {
		return f.InsertUnit(after, key+": "+scalar(value, false)), true
	}
	return f.rewritten(at, key, value)
}

func (f *File) headText(key string) string {
	if key == "title" {
		return f.header.Title
	}
	return f.header.Description
}

// rewritten writes the line of a key that is there.
func (f *File) rewritten(at int, key, value string) (text []byte, ok bool) {
	raw := string(f.units[at].Raw)
	said, _ := cutKey(raw, key)
	if !f.oneLine(at, said) {
		return f.text, false
	}
	if value == "" {
		return slices.Concat(f.text[:f.start(at)], f.text[f.next[at]:]), true
	}
	return f.ReplaceUnit(at, key+": "+scalar(value, false)+said[commentStart(said):]), true
}

// textUnit returns the unit of a key of the header, -1 when it is not there, and the unit
// before which it is put in then: the title first, the description after the title.
func (f *File) textUnit(key string) (at, before int) {
	before = -1
	for i, u := range f.units {
		if u.Kind != KindHeader {
			continue
		}
		raw := string(u.Raw)
		if _, ok := cutKey(raw, key); ok {
			return i, i
		}
		_, isTitle := cutKey(raw, "title")
		if before < 0 && (isTitle || key == "title" && isRule(raw)) {
			before = i + 1
		}
	}
	if before < 0 {
		before = f.closingRule()
	}
	return -1, before
}

// oneLine says whether a key's value is a text on the key's own line.
func (f *File) oneLine(at int, value string) bool {
	if strings.ContainsAny(value[:min(1, len(value))], "&*!|>{[") {
		return false
	}
	next := f.units[at+1].Raw // a header ends in a rule
	return len(bytes.TrimSpace(next)) > 0 && next[0] != ' ' && next[0] != '\t'
}
