package policy

// pictures keeps a picture that a merged note links, though a side took it out with its own
// last entry, and leaves one out whose only entries were forgotten.
func (out *TreeMerged) pictures(t TreeMerge) {
	for _, p := range t.paths() {
		name := PictureName(p)
		if name == "" {
			continue
		}
		_, stays := out.Files[p]
		switch linked := linkedByNotes(out.Files, name); {
		case linked && !stays:
			if text, has := t.A.Files[p]; has {
				out.Files[p] = text
			} else {
				out.Files[p] = t.B.Files[p]
			}
		case stays && !linked && t.Gone != nil && (linkedByNotes(t.A.Files, name) || linkedByNotes(t.B.Files, name)):
			delete(out.Files, p)
		}
	}
}

func linkedByNotes(files map[string][]byte, name string) bool {
	for p, text := range files {
		if !OpaqueFile(p) && LinksPicture(text, name) {
			return true
		}
	}
	return false
}
