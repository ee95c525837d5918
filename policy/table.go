package policy

import (
	"regexp"
	"strings"
)

var (
	tableRule = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$`)
	tableHead = regexp.MustCompile(`(?i)^(?:.{0,20}\b)?(?:password|passwd|pwd|pw|passphrase|passcode|pin|token|secret|api[ _-]?key|access[ _-]?key|contraseña|senha|mot de passe|passwort|kennwort|пароль|密码|パスワード)$`)
)

// tableCells returns the cells of markdown tables whose column is headed by a
// word that names a credential.
func tableCells(text string) []span {
	var spans []span
	var head, secret []span // the cells of the last line, and the columns that hold secrets
	in, at := false, 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		row := strings.TrimRight(line, "\r\n")
		switch {
		case !strings.Contains(row, "|"):
			in, head = false, nil
		case !in && head != nil && tableRule.MatchString(row):
			in, secret = true, head
		case !in:
			head = headCells(row)
		default:
			spans = append(spans, rowSecrets(row, secret, at)...)
		}
		at += len(line)
	}
	return spans
}

// headCells returns one span a column; it is empty when the column is harmless
// and the whole is nil when all are.
func headCells(row string) []span {
	cells, any := splitCells(row), false
	for i, c := range cells {
		if name := strings.Trim(row[c.start:c.end], " \t*_`"); tableHead.MatchString(name) {
			any = true
		} else {
			cells[i] = span{}
		}
	}
	if !any {
		return nil
	}
	return cells
}

func rowSecrets(row string, secret []span, at int) []span {
	var spans []span
	for i, c := range splitCells(row) {
		if i >= len(secret) || secret[i].end == 0 || c.start == c.end {
			continue
		}
		cell := beforeMarker(row[c.start:c.end])
		v := value{tier: tierPassword, sign: true}
		found := v.read(cell)
		if found == nil && countDigits(cell) >= 4 {
			found = codeValue(cell, true)
		}
		spans = append(spans, shift(found, at+c.start)...)
	}
	return spans
}

// splitCells returns the trimmed cells of a table row. A row that starts with |
// has no cell before it.
func splitCells(row string) []span {
	var cells []span
	start := 0
	if lead := len(row) - len(strings.TrimLeft(row, " \t")); strings.HasPrefix(row[lead:], "|") {
		start = lead + 1
	}
	for start <= len(row) {
		end := strings.IndexByte(row[start:], '|')
		if end < 0 {
			end = len(row) - start
		}
		cells = append(cells, trimmed(row, span{start: start, end: start + end}))
		start += end + 1
	}
	return cells
}
