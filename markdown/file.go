package markdown

import (
	"bytes"
	"slices"
	"strings"
)

const (
	byteOrderMark = "\ufeff"
	lf            = "\n"
	crlf          = "\r\n"
)

// File is the text of one memory file, read into units that tile it.
type File struct {
	path   string
	text   []byte
	plain  string // the same bytes
	bom    int    // bytes of the byte order mark
	units  []Unit
	next   []int // for each unit, the offset after its line end
	header Header
	eol    string
}

// line is the place of one line: start, end without its line end, next line.
type line struct{ start, end, next int }

// Parse reads text. Any bytes are a memory file: what is not understood is a
// hand-written line. The File keeps text, which must not be changed afterwards.
func Parse(path string, text []byte) *File {
	f, lines, block, problem := parseUnits(path, text)
	f.header = readHeader(f.plain, lines, block, problem)
	if f.header.Title == "" {
		f.header.Title = f.headingTitle(block)
	}
	return f
}

// parseUnits reads text but for what its header says.
func parseUnits(path string, text []byte) (*File, []line, headerLines, string) {
	s := string(text)
	f := &File{path: path, text: text, plain: s}
	if strings.HasPrefix(s, byteOrderMark) {
		f.bom = len(byteOrderMark)
	}
	lines := f.split(s)
	block, problem := findHeader(s, lines)
	units := sweep{f: f, text: s, lines: lines, blocks: blocks{text: s, lines: lines}}
	units.run(block)
	return f, lines, block, problem
}

// split finds the lines of s after the byte order mark, and the line end that
// most of them have.
func (f *File) split(s string) []line {
	lines := make([]line, 0, strings.Count(s, lf)+1)
	pairs := 0
	for at := f.bom; at < len(s); {
		l := line{start: at, end: len(s), next: len(s)}
		if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
			l.end, l.next = at+i, at+i+1
			if l.end > at && s[l.end-1] == '\r' {
				l.end--
				pairs++
			}
		}
		lines = append(lines, l)
		at = l.next
	}
	f.eol = lf
	if ends := strings.Count(s, lf); pairs > ends-pairs {
		f.eol = crlf
	}
	return lines
}

// Path returns the path that Parse was given.
func (f *File) Path() string { return f.path }

// Bytes returns the text of the file, exactly as it was parsed. It must not be
// changed.
func (f *File) Bytes() []byte { return f.text }

// Units returns the units in their order. Each Raw with its line end, one after
// the other, behind a byte order mark if there is one, is the whole file.
func (f *File) Units() []Unit { return f.units }

// Entries returns the entries in their order.
func (f *File) Entries() []Entry {
	var entries []Entry
	for _, u := range f.units {
		if u.Entry != nil {
			entries = append(entries, *u.Entry)
		}
	}
	return entries
}

// Header returns what the header says; see Header.
func (f *File) Header() Header { return f.header }

// EOL returns the file's own line end: "\r\n" if most of its lines end so, else
// "\n".
func (f *File) EOL() string { return f.eol }

// Append returns the file with raw as its last unit. A final newline that is
// missing comes first, and raw ends with one.
func (f *File) Append(raw string) []byte {
	out := slices.Clone(f.text)
	if len(out) > f.bom && out[len(out)-1] != '\n' {
		out = append(out, f.eol...)
	}
	out = append(out, f.native(raw)...)
	return append(out, f.eol...)
}

// ReplaceUnit returns the file with raw in the place of unit i, whose line end
// stays. With no unit i it returns the file as it is.
func (f *File) ReplaceUnit(i int, raw string) []byte {
	if i < 0 || i >= len(f.units) || raw == string(f.units[i].Raw) {
		return slices.Clone(f.text)
	}
	start := f.start(i)
	end := start + len(f.units[i].Raw)
	return slices.Concat(f.text[:start], []byte(f.native(raw)), f.text[end:])
}

// RemoveUnit returns the file without unit i and its line end. With no unit i
// it returns the file as it is.
func (f *File) RemoveUnit(i int) []byte {
	if i < 0 || i >= len(f.units) {
		return slices.Clone(f.text)
	}
	return slices.Concat(f.text[:f.start(i)], f.text[f.next[i]:])
}

// InsertUnit returns the file with raw and a line end before unit i; it appends
// when there is no unit i.
func (f *File) InsertUnit(i int, raw string) []byte {
	if i < 0 || i >= len(f.units) {
		return f.Append(raw)
	}
	start := f.start(i)
	return slices.Concat(f.text[:start], []byte(f.native(raw)), []byte(f.eol), f.text[start:])
}

// start returns the offset of unit i.
func (f *File) start(i int) int {
	if i == 0 {
		return f.bom
	}
	return f.next[i-1]
}

// lineEnd returns the bytes of unit i's line end, "" at an open end of file.
func (f *File) lineEnd(i int) string {
	return string(f.text[f.start(i)+len(f.units[i].Raw) : f.next[i]])
}

// native gives raw the file's own line ends, and none at its end.
func (f *File) native(raw string) string {
	return f.nativeUnit(strings.TrimRight(plain(raw), lf))
}

func (f *File) nativeUnit(raw string) string {
	if f.eol == lf {
		return raw
	}
	return strings.ReplaceAll(raw, lf, f.eol)
}

// plain returns raw with LF line ends.
func plain(raw string) string { return strings.ReplaceAll(raw, crlf, lf) }

// sweep walks the lines of a file once and makes its units.
type sweep struct {
	f      *File
	text   string
	lines  []line
	blocks blocks
}

// run makes the units; header is the range of the header's lines.
func (s *sweep) run(header headerLines) {
	s.f.units = make([]Unit, 0, len(s.lines))
	s.f.next = make([]int, 0, len(s.lines))
	for i := 0; i < len(s.lines); {
		if header.found && i >= header.first && i <= header.last {
			s.add(KindHeader, i, i+1, nil)
			i++
			s.blocks.from = i
			continue
		}
		i = s.unit(i)
	}
}

// unit makes the unit that begins at line i and returns the line after it.
func (s *sweep) unit(i int) int {
	l := s.line(i)
	if last, ok := s.blocks.at(i); ok {
		s.add(KindFence, i, last+1, nil)
		return last + 1
	}
	if e, ok := readBullet(l); ok {
		end := s.owns(i, l)
		e.Line = i + 1
		e.Text = s.ownedText(e.Text, i+1, end)
		s.add(KindEntry, i, end, &e)
		if end > i+1 {
			s.blocks.owned(i, end)
		}
		return end
	}
	kind := KindLine
	if strings.TrimSpace(l) == "" {
		kind = KindBlank
	}
	s.add(kind, i, i+1, nil)
	return i + 1
}

// owns returns the line after the last one that the entry at line i owns: the
// lines under it that are indented or that a fence holds, up to the next entry
// or blank line. A fence that never closes claims nothing.
func (s *sweep) owns(i int, first string) int {
	end := i + 1
	open := fenceNone.after(first)
	for j := i + 1; j < len(s.lines); j++ {
		l := s.line(j)
		if open == fenceNone {
			if !strings.HasPrefix(l, " ") && !strings.HasPrefix(l, "\t") && !startsFence(l) || strings.TrimSpace(l) == "" {
				return end
			}
			if last, ok := s.hides(j); ok {
				j = last
				end = last + 1
				continue
			}
		}
		if isEntryLine(l) {
			return end
		}
		if open = open.after(l); open == fenceNone {
			end = j + 1
		}
	}
	return end
}

// hides returns the last line of the closed block at line j if a line in it
// looks like an entry: right under an entry, the block is that entry's.
func (s *sweep) hides(j int) (int, bool) {
	if !startsFence(s.line(j)) {
		return 0, false
	}
	last, ok := s.blocks.at(j)
	if !ok {
		return 0, false
	}
	for k := j + 1; k < last; k++ {
		if isEntryLine(s.line(k)) {
			return last, true
		}
	}
	return 0, false
}

// ownedText joins the owned lines to the bullet's text.
func (s *sweep) ownedText(first string, from, end int) string {
	if from == end {
		return first
	}
	var b strings.Builder
	b.WriteString(first)
	for j := from; j < end; j++ {
		b.WriteString(lf + strings.TrimPrefix(s.line(j), indent))
	}
	return b.String()
}

func (s *sweep) add(kind UnitKind, first, end int, e *Entry) {
	raw := s.f.text[s.lines[first].start:s.lines[end-1].end]
	s.f.units = append(s.f.units, Unit{Kind: kind, Raw: slices.Clip(raw), Entry: e, Line: first + 1})
	s.f.next = append(s.f.next, s.lines[end-1].next)
}

func (s *sweep) line(i int) string { return s.text[s.lines[i].start:s.lines[i].end] }

// key returns what makes two units the same: their bytes, whatever the style of
// the line ends inside.
func (u *Unit) key() string {
	if bytes.IndexByte(u.Raw, '\r') < 0 {
		return string(u.Raw)
	}
	return plain(string(u.Raw))
}
