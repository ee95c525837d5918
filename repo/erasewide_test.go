package repo

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// utf16Text is a text in UTF-16, little end first, behind a byte order mark.
func utf16Text(text string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

// A note in UTF-16 is found, told of and erased like any other.
func TestEraseUTF16(t *testing.T) {
	l := newLab(t)
	l.put("memory/wide.md", utf16Text("- 2026-09-01 · "+lover+" sings\n- tea\n"))
	if _, err := l.w.TakeIn(l.ctx(), ada.Author); err != nil {
		t.Fatal(err)
	}
	l.put("memory/wide.md", utf16Text("- tea\n"))
	if _, err := l.w.TakeIn(l.ctx(), ada.Author); err != nil {
		t.Fatal(err)
	}
	l.put("memory/wide.md", utf16Text("- by hand: "+lover+"\n- tea\n"))
	found, err := l.w.Gone(l.ctx(), []string{lover}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"blob ", "memory/wide.md"} {
		if !slices.ContainsFunc(found, func(f Finding) bool { return strings.HasPrefix(f.Where, where) }) {
			t.Errorf("not found in %s: %v", where, found)
		}
	}
	needle := utf16Text(lover)[2:]
	if !strings.Contains(l.objects(), needle) {
		t.Fatal("no object holds what was planted")
	}
	dry := ada
	dry.DryRun = true
	if would, err := l.w.Erase(l.ctx(), dry, Erasing{Words: []string{lover}}); err != nil || would.Notes != 1 || would.Copies == 0 {
		t.Errorf("would erase %+v, %v", would, err)
	}
	got, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}})
	if err != nil || got.Notes != 1 || got.Copies == 0 {
		t.Fatalf("erased %+v, %v", got, err)
	}
	if text := l.text("memory/wide.md"); text != utf16Text("- tea\n") {
		t.Errorf("the file: %q", text)
	}
	if found, err := l.w.Gone(l.ctx(), []string{lover}, nil); err != nil || len(found) != 0 {
		t.Errorf("gone: %v, %v", found, err)
	}
	if strings.Contains(l.objects(), needle) {
		t.Error("an object still holds it")
	}
	l.sound()
}
