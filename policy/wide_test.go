package policy

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// inUTF16 writes a text in UTF-16.
func inUTF16(order binary.AppendByteOrder, text string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

// Texts in UTF-16 lose the words like any other, and stay what they are beside them.
func TestEraseUTF16(t *testing.T) {
	const text = "# Of Luna\r\n- 2026-09-01 · Dog is Luna 🐕\r\n\r\n  black\r\n- tea 🍵, 茶\r\n"
	const want = "# Of «erased»\r\n- tea 🍵, 茶\r\n"
	const forgot = "# Of Luna\r\n- tea 🍵, 茶\r\n"
	for _, tt := range []struct {
		name, mark, tail string
		order            binary.AppendByteOrder
	}{
		{"little", "\ufeff", "", binary.LittleEndian},
		{"big", "\ufeff", "", binary.BigEndian},
		{"little, without a mark", "", "", binary.LittleEndian},
		{"big, without a mark", "", "", binary.BigEndian},
		{"halves and an odd byte", "\ufeff", "\x00\xd8\x41\x00\xff", binary.LittleEndian},
	} {
		t.Run(tt.name, func(t *testing.T) {
			as := func(text string) []byte { return append(inUTF16(tt.order, tt.mark+text), tt.tail...) }
			e := erasing(t, "Luna")
			got, copies := e.File("memory/x.md", as(text))
			if !bytes.Equal(got, as(want)) || copies != 2 || !e.Found(as(text)) || e.Found(got) {
				t.Errorf("%d copies, %q", copies, got)
			}
			plan := Forget(map[string][]byte{MemoryFile: as(text)}, phrases(t, "Luna"), today(t))
			if len(plan.Edits) != 1 || !bytes.Equal(plan.Edits[0].Text, as(forgot)) || len(plan.Left) != 1 {
				t.Errorf("forgot %+v", plan)
			}
			if got, copies := erasing(t, "Rex").File("memory/x.md", as(text)); !bytes.Equal(got, as(text)) || copies != 0 {
				t.Errorf("another word: %d copies, %q", copies, got)
			}
		})
	}
	for _, text := range []string{"", "\xff\xfe", "L\x00u", strings.Repeat("a\x00b", 9), "\x00\x00\x00\x00\x00\x00\x00\x00", "Luna\n", "\xff\xfe\xb8\xdb\x00\xdc"} {
		e := erasing(t, "Rex")
		if got, copies := e.File("x", []byte(text)); string(got) != text || copies != 0 {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// Whatever bytes a text has, it comes back as it was.
func TestWideComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.OneOf(rapid.Uint16(), rapid.Uint16Range(0xD800, 0xDFFF), rapid.Uint16Range(0xDBB7, 0xDBBA), rapid.Uint16Range(0, 0x7F))
		text := []byte(rapid.SampledFrom([]string{"\xff\xfe", "\xfe\xff", "a\x00b\x00c\x00d\x00e\x00f\x00", "\x00a\x00b\x00c\x00d"}).Draw(t, "mark"))
		for _, u := range rapid.SliceOfN(unit, 0, 20).Draw(t, "units") {
			text = binary.LittleEndian.AppendUint16(text, u)
		}
		text = append(text, rapid.SampledFrom([]string{"", "x", "\xff"}).Draw(t, "tail")...)
		if narrowed, w, ok := narrow(text); ok && !bytes.Equal(w.text(narrowed), text) {
			t.Fatalf("%q comes back as %q", text, w.text(narrowed))
		}
	})
}
