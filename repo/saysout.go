package repo

import (
	"fmt"
	"strings"

	"quipu/policy"
)

// saysOut adds to the message of a draft which of the notes that it states anew, or that
// were known, are disputed: they are kept, and enter no prompt.
func (v *view) saysOut(d *draft) error {
	disputes, mark, err := v.w.out()
	if err != nil || mark == "" {
		return err
	}
	was, is := policy.Notes{Files: map[string][]byte{}}, policy.Notes{Files: map[string][]byte{}}
	for _, f := range d.files {
		if is.Files[f.path] = f.text; f.del {
			is.Files[f.path] = nil
		}
		if was.Files[f.path], _, err = v.tx.File(f.path); err != nil {
			return err
		}
	}
	if d.receipt.Known {
		is.Files[policy.MemoryFile] = []byte(d.receipt.Entry)
	}
	stood := map[string]bool{}
	for _, p := range policy.Stated(was) {
		stood[p.Fact] = true
	}
	var told []string
	for _, p := range policy.Stated(is) {
		if at, out := disputes.Since(p.Fact, p.Falls); out && !stood[p.Fact] {
			stood[p.Fact] = true
			why := "It rests on what is disputed"
			if !at.IsZero() {
				why = "It was disputed on " + at.In(v.at.Location()).Format("2006-01-02")
			}
			told = append(told, why)
		}
	}
	switch len(told) {
	case 0:
		return nil
	case 1:
		told[0] += " and stays out of every prompt until the person supports it: `quipu support`."
	default:
		told = []string{fmt.Sprintf("%d notes of it are disputed and stay out of every prompt until the person supports them: `quipu support`.", len(told))}
	}
	d.receipt.Message = strings.TrimSpace(d.receipt.Message + " " + told[0])
	return nil
}
