package policy

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A masked place reads «redacted N chars».
const (
	marker     = "«redacted "
	markerTail = " chars»"
)

const (
	minRedact = 8 // bytes: a shorter text holds no credential worth the name
	maxRounds = 4 // rounds by value before whole lines are masked
)

// Redactor masks credentials. It is safe for concurrent use. Its word list is
// built at the first text, and the gitleaks rules at the first text that holds
// one of their keywords.
type Redactor struct {
	words func() *wordList
	leaks func() *leakSet
}

// NewRedactor returns a Redactor that has built nothing yet.
func NewRedactor() *Redactor {
	return &Redactor{words: sync.OnceValue(newWordList), leaks: sync.OnceValue(mustReadLeaks)}
}

// mustReadLeaks panics on a rule set that cannot be read: it is compiled in, and
// to write notes without it would be worse than to stop.
func mustReadLeaks() *leakSet {
	set, err := readLeaks()
	if err != nil {
		panic("policy: gitleaks rules: " + err.Error())
	}
	return set
}

// Warm builds what the first texts would have built, all rules included.
func (r *Redactor) Warm() {
	r.words()
	for _, rule := range r.leaks().rules {
		rule.compiled()
	}
}

// Redact returns text with each credential masked as «redacted N chars», N its
// length in characters, and how many places were masked. With n == 0 out is
// text itself. To redact a second time changes nothing. Lines stay lines, but
// for the body of a private key, which becomes one.
//
// Documented example keys (AKIA…EXAMPLE) are masked like any other.
func (r *Redactor) Redact(text string) (out string, n int) {
	if len(text) < minRedact {
		return text, 0
	}
	for round := 0; ; round++ {
		spans := r.spans(text)
		if round >= maxRounds {
			spans = wholeLines(text, spans)
		}
		spans = clean(text, spans)
		if len(spans) == 0 {
			return text, n
		}
		text = mask(text, spans)
		n += len(spans)
	}
}

// span is a range of bytes. A block may go over several lines and becomes one
// marker; any other span becomes one a line.
type span struct {
	start, end int
	block      bool
}

// wordList is the lexicon of everything that starts a rule.
type wordList struct {
	lexicon  *lexicon
	shapes   []shape
	labels   []label
	patterns []pattern
}

func newWordList() *wordList {
	w := &wordList{lexicon: newLexicon(), shapes: shapes(), labels: labels(), patterns: patterns()}
	for word := range strings.FieldsSeq(leakKeywords) {
		w.lexicon.add(word, hit{kind: hitLeak})
	}
	for i, s := range w.shapes {
		w.lexicon.add(s.prefix, hit{kind: hitShape, n: i})
	}
	for i, l := range w.labels {
		w.lexicon.add(strings.ToLower(l.word), hit{kind: hitLabel, n: i})
	}
	for i, p := range w.patterns {
		w.lexicon.add(p.word, hit{kind: hitPattern, n: i})
	}
	for _, word := range []string{"-----begin", "private-lines"} {
		w.lexicon.add(word, hit{kind: hitKey})
	}
	for _, word := range []string{"|-", "| -", "| :", "|:", "-|", "- |"} {
		w.lexicon.add(word, hit{kind: hitTable})
	}
	return w
}

// spans returns what is to be masked in text, unordered and overlapping.
func (r *Redactor) spans(text string) []span {
	f := fold(text)
	spans := r.plainSpans(f)
	if v, ok := f.variant(); ok {
		spans = append(spans, r.plainSpans(v)...)
	}
	for _, s := range encoded(f.text, r.holds) {
		spans = append(spans, f.origin(s))
	}
	return spans
}

// holds reports whether a text that was wrapped holds a credential, wrapped once
// more or not.
func (r *Redactor) holds(text string) bool {
	f := fold(text)
	return len(r.plainSpans(f)) > 0 || len(encoded(f.text, func(inner string) bool { return len(r.plainSpans(fold(inner))) > 0 })) > 0
}

// plainSpans returns what is to be masked in one reading of a text, as places
// in its source.
func (r *Redactor) plainSpans(f folded) []span {
	sc := scan{folded: f, words: r.words()}
	sc.words.lexicon.scan(sc.lower, sc.at)
	spans := slices.Concat(sc.spans, numbers(sc.text), seedPhrases(f))
	if sc.leaks != nil {
		spans = append(spans, r.leaks().find(sc.folded, sc.leaks)...)
	}
	if sc.keys {
		spans = append(spans, keyBlocks(sc.text)...)
	}
	if sc.table {
		spans = append(spans, tableCells(sc.text)...)
	}
	for i, s := range spans {
		spans[i] = sc.origin(s)
	}
	return spans
}

// scan is one pass over one text.
type scan struct {
	folded
	words       *wordList
	spans       []span
	leaks       []leakHit
	keys, table bool // a private key or a table may be there
	token       int  // end of the last token found
	value       int  // end of the last value found
}

// at looks at one word of the word list.
func (sc *scan) at(h hit) {
	switch {
	case h.kind == hitLeak:
		sc.leaks = append(sc.leaks, leakHit{word: sc.lower[h.pos:h.end], pos: h.pos})
	case h.kind == hitShape && h.pos >= sc.token:
		if found := sc.words.shapes[h.n].find(sc.text, h); found != nil {
			sc.spans = append(sc.spans, found...)
			sc.token = found[0].end
		}
	case h.kind == hitLabel && h.pos >= sc.value:
		for _, s := range sc.words.labels[h.n].find(sc.folded, h) {
			sc.spans = append(sc.spans, s)
			sc.value = max(sc.value, s.end)
		}
	case h.kind == hitKey:
		sc.keys = true
	case h.kind == hitTable:
		sc.table = true
	case h.kind == hitPattern:
		if s, ok := sc.words.patterns[h.n].find(sc.text, h); ok {
			sc.spans = append(sc.spans, s)
		}
	}
}

// clean orders and merges spans, parts them at line ends and at markers that
// stand already, and drops what is empty.
func clean(text string, spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var merged []span
	for _, s := range spans {
		if n := len(merged); n > 0 && s.start < merged[n-1].end {
			last := &merged[n-1]
			last.block = last.block || s.block
			last.end = max(last.end, s.end)
			continue
		}
		merged = append(merged, s)
	}
	var parts []span
	masked := markers(text)
	for _, s := range merged {
		parts = append(parts, partSpan(text, s, masked)...)
	}
	return parts
}

// partSpan cuts a span around the markers in it and, unless it is a block, at
// line ends. What is left beside a marker counts only when it is no remnant of
// a few characters: the rest of a value that was masked before.
func partSpan(text string, s span, masked []span) []span {
	var parts []span
	i, _ := slices.BinarySearchFunc(masked, s.start, func(m span, at int) int { return m.end - at })
	beside := false
	add := func(p span) {
		for p.start < p.end {
			stop := p.end
			if n := strings.IndexAny(text[p.start:p.end], "\r\n"); n >= 0 && !s.block {
				stop = p.start + n
			}
			piece := trimmed(text, span{start: p.start, end: stop, block: s.block})
			if n := utf8.RuneCountInString(text[piece.start:piece.end]); n >= minRemnant || n > 0 && !beside {
				parts = append(parts, piece)
			}
			p.start = stop + 1
		}
	}
	for ; i < len(masked) && masked[i].start <= s.end; i++ {
		beside = true
		add(span{start: s.start, end: masked[i].start})
		s.start = max(s.start, masked[i].end)
	}
	add(s)
	return parts
}

// minRemnant is the least number of characters that are masked beside a marker.
const minRemnant = 6

// findMarker returns where the first marker in s starts and its length in
// bytes, -1 when there is none.
func findMarker(s string) (at, size int) {
	for from := 0; ; {
		n := strings.Index(s[from:], marker)
		if n < 0 {
			return -1, 0
		}
		at = from + n
		i := at + len(marker)
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		if i > at+len(marker) && strings.HasPrefix(s[i:], markerTail) {
			return at, i + len(markerTail) - at
		}
		from = i
	}
}

// beforeMarker returns s up to the first marker in it.
func beforeMarker(s string) string {
	if at, _ := findMarker(s); at >= 0 {
		return s[:at]
	}
	return s
}

// markers returns the places that are masked already.
func markers(text string) []span {
	var list []span
	for at := 0; ; {
		n, size := findMarker(text[at:])
		if n < 0 {
			return list
		}
		list = append(list, span{start: at + n, end: at + n + size})
		at += n + size
	}
}

// wholeLines widens spans to the text of their lines. It ends the rare texts in
// which each round brings a new credential to light.
func wholeLines(text string, spans []span) []span {
	for i, s := range spans {
		s.start = strings.LastIndexByte(text[:s.start], '\n') + 1
		if n := strings.IndexByte(text[s.end:], '\n'); n >= 0 {
			s.end += n
		} else {
			s.end = len(text)
		}
		spans[i] = s
	}
	return spans
}

// mask writes text with a marker in place of each span.
func mask(text string, spans []span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.start])
		b.WriteString(marker)
		b.WriteString(strconv.Itoa(utf8.RuneCountInString(text[s.start:s.end])))
		b.WriteString(markerTail)
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String()
}
