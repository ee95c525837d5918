package markdown

import (
	"bytes"
	"slices"
	"strings"
)

// piece is what a merge takes as one: an entry, a fenced block, a heading, a row
// of a table, a hand-written bullet with the lines under it, or a paragraph.
type piece struct {
	Unit
	path string
	lead string // the blank lines before it, with LF
	key  string // its text with LF
	id   string // what its wordings have in common: the identity of the fact
	end  string // its own line end
	n    int    // its place among all pieces of its version

	fixed bool // the head of a table
}

// sheet is one version of one file, cut into pieces.
type sheet struct {
	f      *File
	head   string // up to the end of the header, with LF; "" without a header
	pieces []*piece
	tail   string // the blank lines after the last piece, with LF
}

// version is all the notes at one moment.
type version struct {
	sheets map[string]*sheet
	paths  []string
	all    []*piece
}

// facts keeps the identity of each text, which is the same in most versions.
type facts map[string]string

// readVersion reads all notes; what is the same in another version is copied.
func readVersion(files map[string][]byte, like *version, known facts) *version {
	v := &version{sheets: map[string]*sheet{}}
	for path := range files {
		v.paths = append(v.paths, path)
	}
	slices.Sort(v.paths)
	for _, path := range v.paths {
		s := like.same(path, files[path])
		if s == nil {
			s = readSheet(path, files[path], known)
		}
		v.sheets[path] = s
		for _, p := range s.pieces {
			p.n = len(v.all)
			v.all = append(v.all, p)
		}
	}
	return v
}

// same returns a copy of a file that has the same text in this version, else nil.
func (v *version) same(path string, text []byte) *sheet {
	if v == nil || v.sheets[path] == nil || !bytes.Equal(v.sheets[path].f.text, text) {
		return nil
	}
	s := *v.sheets[path]
	all := make([]piece, len(s.pieces))
	s.pieces = make([]*piece, len(all))
	for i, p := range v.sheets[path].pieces {
		all[i] = *p
		s.pieces[i] = &all[i]
	}
	return &s
}

func readSheet(path string, text []byte, known facts) *sheet {
	f, lines, block, _ := parseUnits(path, text)
	s := &sheet{f: f, pieces: make([]*piece, 0, len(f.units))}
	all := make([]piece, 0, len(f.units))
	i := 0
	if block.found {
		i = f.closingRule() + 1
		f.header.End = lines[block.last].next
		s.head = ended(plain(string(text[f.bom:f.header.End])))
	}
	var lead strings.Builder
	for i < len(f.units) {
		if u := &f.units[i]; u.Kind == KindBlank {
			lead.WriteString(plain(string(u.Raw)) + lf)
			i++
			continue
		}
		last := f.reach(i)
		all = append(all, f.piece(path, i, last, lead.String()))
		p := &all[len(all)-1]
		if p.id = known[p.key]; p.id == "" {
			p.id = p.identity()
			known[p.key] = p.id
		}
		s.pieces = append(s.pieces, p)
		if n := len(s.pieces); n > 1 && rulesOff(s.pieces[n-1].key) && isRow(s.pieces[n-2].key) {
			s.pieces[n-2].fixed, s.pieces[n-1].fixed = true, true
		}
		lead.Reset()
		i = last + 1
	}
	s.tail = lead.String()
	return s
}

func ended(text string) string {
	if text == "" || strings.HasSuffix(text, lf) {
		return text
	}
	return text + lf
}

// piece makes one piece of the units from first to last.
func (f *File) piece(path string, first, last int, lead string) piece {
	at, end := f.start(first), f.start(last)+len(f.units[last].Raw)
	p := piece{Unit: f.units[first], path: path, lead: lead, key: plain(f.plain[at:end]), end: f.plain[end:f.next[last]]}
	p.Raw = f.text[at:end]
	return p
}

// identity is the fact that a piece states, struck or not and whatever its marks.
func (p *piece) identity() string {
	if p.Kind == KindLine || p.Kind == KindEntry {
		if fact := p.fact(); fact != "" {
			return fact
		}
	}
	return unmarked(p)
}

// reach returns the last unit of the piece that begins with unit i.
func (f *File) reach(i int) int {
	line := string(f.units[i].Raw)
	if f.units[i].Kind != KindLine || standsAlone(line) {
		return i
	}
	bulleted := isHandBullet(line)
	for i+1 < len(f.units) && f.units[i+1].Kind == KindLine {
		next := string(f.units[i+1].Raw)
		if isHandBullet(next) || bulleted && depth(next) <= depth(line) || !bulleted && standsAlone(next) {
			break
		}
		i++
	}
	return i
}

// standsAlone reports a heading or a row of a table.
func standsAlone(line string) bool {
	return isHeading(line) || isRow(line)
}

func isRow(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") }

// rulesOff reports the row of a table that stands below its head.
func rulesOff(line string) bool { return isRow(line) && strings.Trim(line, "|-: \t") == "" }

func isHandBullet(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return strings.HasPrefix(line, "+ ") || dropBullet(line) != line
}

// prose reports a paragraph: two of them need a blank line between them.
func (p *piece) prose() bool {
	line, _, _ := strings.Cut(p.key, lf)
	return p.Kind == KindLine && !standsAlone(line) && !isHandBullet(line)
}

// moves reports whether a piece is known again in another file. A heading or a
// row is not: many files have the same.
func (p *piece) moves() bool {
	line, _, _ := strings.Cut(p.key, lf)
	return p.Entry != nil || p.Kind == KindLine && !standsAlone(line) && len(words(p.key)) > 2
}

// when returns what orders a piece among those that were added beside it: the
// date of an entry, or the time of a line in a day log; "" for all others.
func (p *piece) when() string {
	if p.Entry != nil {
		return p.Entry.Date.String() + "T" + p.Entry.Clock
	}
	if rest, ok := strings.CutPrefix(p.key, bullet); ok && len(rest) > 5 && strings.HasPrefix(rest[5:], dot) {
		if _, ok := readClock("T" + rest[:5]); ok {
			return rest[:5]
		}
	}
	return ""
}

// note is a piece of one line of text, read into what can change about it.
type note struct {
	Entry
	hand bool
	lead string // the indent and bullet of a hand-written line
}

// note returns what a piece says and its marks. It is false for a block, a
// heading, a row and a paragraph of several lines: their text is all there is.
func (p *piece) note() (note, bool) {
	if p.Entry != nil {
		e := *p.Entry
		e.Line = 0
		return note{Entry: e}, true
	}
	if p.Kind != KindLine || standsAlone(p.key) || strings.Contains(p.key, lf) {
		return note{}, false
	}
	n := note{hand: true}
	lead, body := cutHandBullet(p.key)
	n.lead = lead
	body = n.takeMarks(body)
	if inner, ok := strings.CutPrefix(body, strike); ok && strings.HasSuffix(inner, strike) && len(inner) > len(strike) {
		n.Struck, body = true, strings.TrimSuffix(inner, strike)
	}
	n.Text = body
	return n, true
}

// String writes a note as it stands in a file.
func (n note) String() string {
	if !n.hand {
		return n.Entry.String()
	}
	var b strings.Builder
	b.WriteString(n.lead)
	if n.Struck {
		b.WriteString(strike + n.Text + strike)
	} else {
		b.WriteString(n.Text)
	}
	n.writeMarks(&b)
	return b.String()
}

// written returns the piece that text is, if it is just one and reads as n.
func (n note) written() (*piece, bool) {
	p, ok := onePiece(n.String())
	if !ok {
		return nil, false
	}
	back, ok := p.note()
	return p, ok && back == n
}

// onePiece reads a text that must be one piece.
func onePiece(text string) (*piece, bool) {
	s := readSheet("", []byte(text), facts{})
	if len(s.pieces) != 1 || s.head != "" || s.pieces[0].lead != "" || s.tail != "" {
		return nil, false
	}
	return s.pieces[0], s.pieces[0].key == text
}
