package markdown

// UnitKind says what a unit of a file is.
type UnitKind uint8

// The kinds of units.
const (
	// KindEntry is an entry with all that it owns.
	KindEntry UnitKind = iota
	// KindLine is one hand-written line.
	KindLine
	// KindBlank is a line of white space only, or of nothing.
	KindBlank
	// KindHeader is one line of the header, its two --- lines included.
	KindHeader
	// KindFence is a hand-written fenced block, whole.
	KindFence
)

// Unit is the smallest part of a file that is edited as a whole.
type Unit struct {
	Kind UnitKind
	// Raw is the unit's bytes without its final line end. It is a part of the
	// file's own bytes and must not be changed.
	Raw []byte
	// Entry is set for KindEntry only.
	Entry *Entry
	// Line is the 1-based line where the unit begins.
	Line int
}
