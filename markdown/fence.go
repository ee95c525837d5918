package markdown

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	fenceTicks  = "```"
	fenceTildes = "~~~"
	// blockBytes is the size above which blocks are not looked for, and
	// blockWork how many bytes are looked through in all, with the second looks
	// that some files need: both bound the time that a hostile file can take.
	blockBytes = 256 << 10
	blockWork  = 3 * blockBytes
	// blockDepth is how many containers one line may open before the block
	// parser, which is slow on deep nests, is left out.
	blockDepth = 64
)

// fence is the state of the line rule: which fence, if any, stands open.
type fence uint8

const (
	fenceNone fence = iota
	fenceTick
	fenceTilde
)

// after returns the state after line. An odd number of triple backticks
// anywhere in a line toggles; tildes count only at the start, since strike
// marks are made of them.
func (f fence) after(line string) fence {
	switch f {
	case fenceTick:
		if oddTicks(line) {
			return fenceNone
		}
		return fenceTick
	case fenceTilde:
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), fenceTildes) {
			return fenceNone
		}
		return fenceTilde
	default:
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), fenceTildes) {
			return fenceTilde
		}
		if oddTicks(line) {
			return fenceTick
		}
		return fenceNone
	}
}

func oddTicks(line string) bool { return strings.Count(line, fenceTicks)%2 == 1 }

func startsFence(line string) bool {
	return strings.HasPrefix(line, fenceTicks) || strings.HasPrefix(line, fenceTildes)
}

// block is a fenced block at the top level: its first and last line. closed is
// false if it runs to the end of the file for want of a closing fence.
type block struct {
	first, last int
	closed      bool
}

// blocks finds the hand-written fenced blocks of a file. It asks the block
// parser only when a line that no entry owns looks like a fence, and again when
// an entry owned a fence that the block parser had understood otherwise.
type blocks struct {
	text  string
	lines []line
	from  int // first line that the parser sees
	known bool
	found []block
	work  int // bytes looked through so far
}

// at returns the last line of the closed block that begins at line i.
func (b *blocks) at(i int) (int, bool) {
	if !startsFence(strings.TrimLeft(b.line(i), " ")) {
		return 0, false
	}
	if !b.known {
		b.look()
	}
	k := sort.Search(len(b.found), func(k int) bool { return b.found[k].first >= i })
	if k == len(b.found) || b.found[k].first != i || !b.found[k].closed {
		return 0, false
	}
	// Under an open fence, the indented fence of an entry must not pass for its
	// end: it would hide that entry.
	last := b.found[k].last
	if depth(b.line(i)) != depth(b.line(last)) {
		b.restart(i + 1)
		return 0, false
	}
	return last, true
}

// owned tells b that an entry owns the lines from first up to end.
func (b *blocks) owned(first, end int) {
	if !b.known {
		b.from = end
		return
	}
	k := sort.Search(len(b.found), func(k int) bool { return b.found[k].first >= end })
	if k > 0 && b.found[k-1].first >= first && b.found[k-1].last >= end {
		b.restart(end)
	}
}

func (b *blocks) restart(from int) { b.from, b.known = from, false }

func (b *blocks) line(i int) string { return b.text[b.lines[i].start:b.lines[i].end] }

func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// look fills found with the top-level fenced blocks from line b.from on.
func (b *blocks) look() {
	b.known, b.found = true, b.found[:0]
	if b.from >= len(b.lines) {
		return
	}
	offset := b.lines[b.from].start
	source := b.text[offset:]
	b.work += len(source)
	if len(source) > blockBytes || b.work > blockWork || b.nested() {
		return
	}
	w := &watcher{BlockParser: parser.NewFencedCodeBlockParser(), open: map[ast.Node]int{}}
	blockParser := parser.NewParser(parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(w, 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	))
	blockParser.Parse(text.NewReader([]byte(source)))
	for _, span := range w.spans {
		found := block{first: b.lineAt(offset + span.start), last: len(b.lines) - 1}
		if span.end >= 0 {
			found.last, found.closed = b.lineAt(offset+span.end), true
		}
		b.found = append(b.found, found)
	}
}

// nested reports whether a line opens more containers than is worth following.
func (b *blocks) nested() bool {
	for i := b.from; i < len(b.lines); i++ {
		line := b.line(i)
		marks := 0
		for j := 0; j < len(line) && strings.IndexByte(" \t>-*+0123456789.)", line[j]) >= 0; j++ {
			if line[j] != ' ' && line[j] != '\t' {
				marks++
			}
			if marks > blockDepth && strings.ContainsAny(line[:j], " >") {
				return true
			}
		}
		if depth(line) > 4*blockDepth {
			return true
		}
	}
	return false
}

func (b *blocks) lineAt(offset int) int {
	return sort.Search(len(b.lines), func(i int) bool { return b.lines[i].next > offset })
}

// watcher is the parser of fenced blocks, noting where those at the top level
// begin and end: the syntax tree does not say whether a block was closed.
type watcher struct {
	parser.BlockParser
	open  map[ast.Node]int // index into spans
	spans []fencedSpan
}

// fencedSpan holds the offsets of the opening and the closing line, the latter
// -1 as long as none was seen.
type fencedSpan struct{ start, end int }

// Open notes where a block begins.
func (w *watcher) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, segment := reader.PeekLine()
	node, state := w.BlockParser.Open(parent, reader, pc)
	if node != nil && parent.Kind() == ast.KindDocument {
		w.open[node] = len(w.spans)
		w.spans = append(w.spans, fencedSpan{start: segment.Start, end: -1})
	}
	return node, state
}

// Continue notes where a block is closed by its fence.
func (w *watcher) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	_, segment := reader.PeekLine()
	state := w.BlockParser.Continue(node, reader, pc)
	if i, ok := w.open[node]; ok && state == parser.Close {
		w.spans[i].end = segment.Start
	}
	return state
}
