package exchange

// WriteFolder gives the notes as they are.
func WriteFolder(sp OutSpace, _ OutOptions) (Out, error) {
	left := shorn{own: sp.Own}
	out := Out{Left: left.sentences()}
	for _, n := range sp.Notes {
		out.Files = append(out.Files, OutFile{Path: n.Path, Text: n.Text})
	}
	out.Files = sorted(append(out.Files, sp.Pictures...))
	return out, nil
}
