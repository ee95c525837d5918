package policy

import (
	"fmt"
	"strings"
)

// LayerNotes are the notes of a layer that a turn reads beside the bot's own.
type LayerNotes struct {
	Of     Subject
	Name   string  // of a member, as the host tells it; anything may stand in it
	Memory []byte  // its MEMORY.md
	Out    Outside // what enters no prompt because of its standing; nil is nothing
}

// LoadedLayer is a layer whose notes are in the block.
type LoadedLayer struct {
	Label     string `json:"layer"` // see LayerLabel
	Bytes     int    `json:"bytes"` // of its notes that load
	Truncated bool   `json:"truncated"`

	part string
}

// layerLeast is what a layer has of the bytes that the layers share, if it has that much
// to say and those before it left it: N.E.K.O. gives a subject 200 tokens at least, about
// four characters each.
const layerLeast = 800

// LayerLabel names a layer on one line, as hits and headings do: "room", or "member" with
// the label of the person, who can put no mark of a frame into it. reserved are names that
// nobody else may bear, as the bot's.
func LayerLabel(of Subject, name string, reserved ...string) string {
	if of.Kind == GroupChat {
		return "room"
	}
	return "member " + SpeakerLabel(name, of.ID, reserved...)
}

// layers fills in what the layers give, in their order, which is their priority. Together
// they have the bytes that MEMORY.md has, each as many lines, and those that come later
// are left layerLeast bytes each while there are any. A layer without notes adds nothing.
func (out *Loaded) layers(in LoadInput) {
	type one struct {
		label, title string
		notes        Loaded
		sheet        sheet
	}
	var list []one
	for _, l := range in.Layers {
		var x one
		x.notes.notes(LoadInput{Memory: l.Memory, Today: in.Today, Limits: Limits{Lines: MaxFileBytes, Bytes: MaxFileBytes}, Out: l.Out})
		if x.notes.Text == "" && x.notes.Conflicted == 0 {
			continue
		}
		x.label, x.sheet = LayerLabel(l.Of, l.Name, in.Bot), read([]byte(x.notes.Text))
		x.title = "Notes of this room:"
		if l.Of.Kind == Participant {
			x.title = "What " + SpeakerLabel(l.Name, l.Of.ID, in.Bot) + " said of themselves:"
		}
		list = append(list, x)
	}
	limits := in.Limits.set()
	left := limits.Bytes
	for i, x := range list {
		kept := 0 // for those that come later
		for _, later := range list[i+1:] {
			kept += min(layerLeast, len(later.notes.Text))
		}
		room := max(min(left, layerLeast), left-kept)
		text := []byte(x.notes.Text)
		cut := limits.over(countLines(text), 0) || len(text) > room
		if cut && room > 0 {
			text = Limits{Lines: limits.Lines, Bytes: room}.cut(x.sheet)
		}
		if room <= 0 {
			text = nil
		}
		left -= len(text)
		out.addLayer(LoadedLayer{Label: x.label, Bytes: len(text), Truncated: cut}, x.title, string(text), x.notes.Conflicted)
	}
}

// addLayer adds a layer's part of the block. Every line of its notes is indented, so that
// none can pass for the heading of another layer or for the bot's own notes.
func (out *Loaded) addLayer(l LoadedLayer, title, text string, conflicted int) {
	lines := []string{title}
	for line := range strings.Lines(strings.Trim(oneLineEnd(text), "\n")) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			line = "  " + line
		}
		lines = append(lines, line)
	}
	switch {
	case conflicted > 0:
		lines = append(lines, fmt.Sprintf("  [These notes have merge conflict markers from line %d on and are not loaded until they are resolved.]", conflicted))
	case l.Truncated:
		lines = append(lines, "  [The rest of these notes does not load.]")
	}
	l.part = escaped(strings.Join(lines, "\n"))
	out.Layers = append(out.Layers, l)
}

// oneLineEnd writes every character that may end a line as "\n".
func oneLineEnd(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch r {
		case '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
			return '\n'
		}
		return r
	}, text)
}
