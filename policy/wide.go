package policy

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// A text in UTF-16 is looked at in UTF-8, so that it hides no words, and goes back in
// the form that it had: half of a pair without its other half stands in a rune of its
// own meanwhile, and an odd byte at the end stays there.
const (
	halfFirst = '\U0010E000'
	halfLast  = halfFirst + 0x7FF
	halfUnit  = 0xD800 // the first unit that is a half

	wideSample = 1 << 10 // bytes by which a text without a byte order mark is known
	wideUnits  = 4       // and at least so many units
)

type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// wide is how a text in UTF-16 is written.
type wide struct {
	order byteOrder
	tail  []byte // an odd byte
}

// narrow returns a text in UTF-16 as UTF-8, and how it goes back. It is false for any
// other text, and for one that has the runes which stand for halves already.
func narrow(text []byte) ([]byte, wide, bool) {
	w := wide{order: orderOf(text), tail: text[len(text)&^1:]}
	if w.order == nil {
		return nil, w, false
	}
	out := make([]byte, 0, len(text))
	for i := 0; i+1 < len(text); i += 2 {
		r := rune(w.order.Uint16(text[i:]))
		if i+3 < len(text) {
			if pair := utf16.DecodeRune(r, rune(w.order.Uint16(text[i+2:]))); pair != utf8.RuneError {
				if isHalf(pair) {
					return nil, w, false
				}
				out = utf8.AppendRune(out, pair)
				i += 2
				continue
			}
		}
		if utf16.IsSurrogate(r) {
			r += halfFirst - halfUnit
		}
		out = utf8.AppendRune(out, r)
	}
	return out, w, true
}

// text returns what narrow made of a text as it is written.
func (w wide) text(narrowed []byte) []byte {
	out := make([]byte, 0, 2*len(narrowed))
	var units []uint16
	for _, r := range string(narrowed) {
		if isHalf(r) {
			out = w.order.AppendUint16(out, uint16(r-halfFirst+halfUnit))
			continue
		}
		units = utf16.AppendRune(units[:0], r)
		for _, u := range units {
			out = w.order.AppendUint16(out, u)
		}
	}
	return append(out, w.tail...)
}

func isHalf(r rune) bool { return halfFirst <= r && r <= halfLast }

// orderOf returns the byte order of a text in UTF-16, nil for any other text. Without a
// byte order mark nearly every second byte at its beginning is NUL.
func orderOf(text []byte) byteOrder {
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}):
		return binary.LittleEndian
	case bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		return binary.BigEndian
	}
	sample := text[:min(len(text)&^1, wideSample)]
	units := len(sample) / 2
	if units < wideUnits {
		return nil
	}
	little, big := 0, 0
	for i := 0; i < len(sample); i += 2 {
		switch {
		case sample[i] != 0 && sample[i+1] == 0:
			little++
		case sample[i] == 0 && sample[i+1] != 0:
			big++
		}
	}
	switch {
	case 4*little >= 3*units:
		return binary.LittleEndian
	case 4*big >= 3*units:
		return binary.BigEndian
	}
	return nil
}
