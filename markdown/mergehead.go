package markdown

import (
	"fmt"
	"slices"
	"strings"
)

// field is one key of a header with the lines that belong to it.
type field struct {
	name string // the key, and which of its kind it is; or a whole conflict comment but for its date
	text string // its lines, each with LF
}

const (
	headOpening  = "\x00opening" // what stands before the first key, the --- line included
	headConflict = "# conflict " // begins the comment that keeps what another side wrote
)

// fields cuts a header into its keys. The closing --- line is left out.
func fields(head string) []field {
	if head == "" {
		return nil
	}
	lines := strings.SplitAfter(strings.TrimSuffix(head, lf), lf)
	lines = lines[:len(lines)-1]
	list := []field{{name: headOpening}}
	seen := map[string]int{}
	opened := false
	for _, line := range lines {
		name := ""
		if opened {
			name = fieldName(line)
		}
		opened = opened || isRule(strings.TrimSuffix(line, lf))
		if name == "" {
			list[len(list)-1].text += line
			continue
		}
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s\x00%d", name, seen[name])
		}
		list = append(list, field{name, line})
	}
	return list
}

// fieldName returns the key that a header's line begins, "" for a line that
// belongs to the key above it.
func fieldName(line string) string {
	if _, said, ok := cutHeadConflict(line); ok {
		return headConflict + said
	}
	if line[0] == ' ' || line[0] == '\t' || !keyLine.MatchString(strings.TrimSuffix(line, lf)) {
		return ""
	}
	key, _, _ := strings.Cut(line, ":")
	return strings.Trim(strings.TrimSpace(key), `"'`)
}

// cutHeadConflict reads the comment that keeps another side's line.
func cutHeadConflict(line string) (day Date, said string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, lf), headConflict)
	if !ok || len(rest) < 12 || rest[10:12] != ": " {
		return Date{}, "", false
	}
	day, ok = ParseDate(rest[:10])
	return day, rest[12:], ok
}

// headKept returns the line of the header that the conflict comment in unit i is
// another wording of.
func (f *File) headKept(i int) string {
	_, said, _ := cutHeadConflict(string(f.units[i].Raw))
	for j, u := range f.units {
		if name := fieldName(said + lf); u.Kind == KindHeader && i != j && name != "" && fieldName(string(u.Raw)+lf) == name {
			return string(u.Raw)
		}
	}
	return ""
}

// headMerge is the merge of one header, key by key.
type headMerge struct {
	bases []map[string]string
	a, b  []field
	day   Date

	out       []field
	comments  []field
	conflicts []MergeConflict
}

// mergeHeads merges two headers that grew from bases. Where both sides wrote
// another value, that of a stays and that of b is kept as a comment; lists are
// united.
func mergeHeads(bases []string, a, b string, day Date) (string, []MergeConflict) {
	if a == b || slices.Contains(bases, b) {
		return a, nil
	}
	if slices.Contains(bases, a) {
		return b, nil
	}
	m := headMerge{a: fields(a), b: fields(b), day: day}
	for _, base := range bases {
		m.bases = append(m.bases, byName(fields(base)))
	}
	m.run()
	head := m.write(a != "" && b != "")
	if !readsWell(head) && readsWell(a) && readsWell(b) {
		m.out, m.comments, m.conflicts = slices.Clone(m.a), nil, nil
		for _, f := range m.b {
			if was := byName(m.a); was[f.name] != f.text {
				m.comment(field{f.name, was[f.name]}, f)
			}
		}
		head = m.write(true)
	}
	return head, m.conflicts
}

func byName(list []field) map[string]string {
	names := map[string]string{}
	for _, f := range list {
		names[f.name] = f.text
	}
	return names
}

// readsWell reports whether a text is nothing or one whole header.
func readsWell(head string) bool {
	f := Parse("", []byte(head))
	return head == "" || f.header.Present && !f.header.broken && f.header.End == len(head)
}

// run decides on every key, in the order of the side that has more of them.
func (m *headMerge) run() {
	inA, inB := byName(m.a), byName(m.b)
	first, second := m.a, m.b
	if len(second) > len(first) {
		first, second = second, first
	}
	done := byName(first)
	for _, f := range first {
		m.field(f.name, inA[f.name], inB[f.name])
	}
	for _, f := range second {
		if _, both := done[f.name]; !both {
			m.field(f.name, inA[f.name], inB[f.name])
		}
	}
}

// field decides on one key; "" is a side that does not have it.
func (m *headMerge) field(name, a, b string) {
	text := a
	switch {
	case a == b || m.known(name, b):
	case a == "" || m.known(name, a):
		text = b
	case b == "":
	default:
		if list, ok := m.list(name, a, b); ok {
			text = list
			break
		}
		if m.commented(m.b, a) {
			text = b
			break
		}
		if !m.commented(m.a, b) {
			m.comment(field{name, a}, field{name, b})
		}
	}
	switch {
	case text == "":
	case strings.HasPrefix(name, headConflict):
		m.comments = append(m.comments, field{name, text})
	default:
		m.out = append(m.out, field{name, text})
	}
}

// known reports whether a base has the key as it stands in text.
func (m *headMerge) known(name, text string) bool {
	return slices.ContainsFunc(m.bases, func(base map[string]string) bool { return base[name] == text })
}

// commented reports whether a side keeps a text as a conflict already.
func (m *headMerge) commented(side []field, text string) bool {
	for line := range strings.Lines(text) {
		if _, ok := byName(side)[headConflict+strings.TrimSuffix(line, lf)]; !ok {
			return false
		}
	}
	return true
}

func (m *headMerge) comment(kept, other field) {
	for line := range strings.Lines(other.text) {
		line = strings.TrimSuffix(line, lf)
		if line == rule {
			continue
		}
		text := headConflict + m.day.String() + ": " + line + lf
		m.comments = append(m.comments, field{headConflict + line, text})
	}
	m.conflicts = append(m.conflicts, MergeConflict{
		Kept: strings.TrimSuffix(kept.text, lf), Other: strings.TrimSuffix(other.text, lf), Base: m.base(other.name), head: true,
	})
}

func (m *headMerge) base(name string) string {
	for _, base := range m.bases {
		if text, ok := base[name]; ok {
			return strings.TrimSuffix(text, lf)
		}
	}
	return ""
}

// list unites two lists: what one side took out goes, what either added stays, in
// an order that does not depend on who merges first.
func (m *headMerge) list(name, a, b string) (string, bool) {
	if name != "aliases" && name != "tags" {
		return "", false
	}
	ours, okA := readList(name, a)
	theirs, okB := readList(name, b)
	if !okA || !okB {
		return "", false
	}
	var was []string
	for _, base := range m.bases {
		list, _ := readList(name, base[name])
		was = append(was, list...)
	}
	var out []string
	keep := func(list []string, kept func(alias string) bool) {
		for _, alias := range list {
			if kept(alias) && !hasAlias(out, alias) {
				out = append(out, alias)
			}
		}
	}
	keep(was, func(alias string) bool { return hasAlias(ours, alias) && hasAlias(theirs, alias) })
	keep(slices.Sorted(slices.Values(slices.Concat(ours, theirs))), func(alias string) bool { return !hasAlias(was, alias) })
	return name + ": " + flow(out) + lf, true
}

func readList(name, text string) ([]string, bool) {
	h := Parse("", []byte(rule+lf+text+rule+lf)).header
	if !h.Present || len(h.Problems) > 0 || strings.Contains(text, "#") {
		return nil, false
	}
	if name == "tags" {
		return h.tagged, true
	}
	return h.listed, true
}

// write puts the keys together again, "" when none is left and a side has no header.
func (m *headMerge) write(both bool) string {
	var b strings.Builder
	keys := 0
	for _, f := range slices.Concat(m.out, m.comments) {
		b.WriteString(f.text)
		if f.name != headOpening {
			keys++
		}
	}
	if keys == 0 && !both {
		return ""
	}
	if !strings.Contains(lf+b.String(), lf+rule) {
		return rule + lf + b.String() + rule + lf
	}
	return b.String() + rule + lf
}
