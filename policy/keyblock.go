package policy

import (
	"regexp"
	"strings"
)

// A private key stands between two lines. The lines stay, what is between them
// becomes one marker line, also when it is too short to be a real key.
var (
	keyBegin = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)?-----`)
	keyEnd   = regexp.MustCompile(`-----END [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)?-----`)
	keyStop  = regexp.MustCompile(`\n[-*#] |-----BEGIN `) // another note or another key
	keyLine  = regexp.MustCompile(`^[ \t>]*(?:[A-Za-z0-9+/]{8,}={0,2}|={0,1}[A-Za-z0-9+/]{4,}={0,2}|[A-Za-z-]{4,20}: [^\n]{0,200})[ \t]*$`)
	puttyKey = regexp.MustCompile(`(?m)^[ \t]*Private-Lines: \d+[ \t]*\r?\n((?:[ \t]*[A-Za-z0-9+/=]{8,}[ \t]*\r?\n?)+)`)
)

const maxKeyBytes = 32 << 10

// keyBlocks returns the bodies of the private keys in text.
func keyBlocks(text string) []span {
	var spans []span
	at := 0
	for at < len(text) {
		m := keyBegin.FindStringIndex(text[at:])
		if m == nil {
			break
		}
		begin := at + m[1]
		at = begin
		body, next := keyBody(text, begin)
		if strings.TrimSpace(text[body.start:body.end]) != "" {
			spans = append(spans, body)
		}
		at = max(at, next)
	}
	for _, m := range puttyKey.FindAllStringSubmatchIndex(text, -1) {
		spans = append(spans, trimmed(text, span{start: m[2], end: m[3], block: true}))
	}
	return spans
}

// keyBody returns what lies between a BEGIN line that ends at begin and its END
// line. Without an END line near, only the following lines that look like key
// text are taken, so that a note that just names the line loses nothing.
func keyBody(text string, begin int) (span, int) {
	limit := min(len(text), begin+maxKeyBytes)
	if next := keyStop.FindStringIndex(text[begin:limit]); next != nil {
		limit = begin + next[0]
	}
	if m := keyEnd.FindStringIndex(text[begin:limit]); m != nil {
		body := span{start: begin, end: begin + m[0], block: true}
		return trimmed(text, body), begin + m[1]
	}
	line := begin
	if i := strings.IndexByte(text[begin:limit], '\n'); i < 0 || strings.TrimSpace(text[begin:begin+i]) != "" {
		return keyOnLine(text[:limit], begin)
	} else {
		line += i + 1
	}
	end := line
	for end < limit {
		stop := strings.IndexByte(text[end:limit], '\n') + 1
		if stop == 0 {
			stop = limit - end
		}
		row := strings.TrimRight(text[end:end+stop], "\r\n")
		if !keyLine.MatchString(row) && (strings.TrimSpace(row) != "" || end != line) {
			break
		}
		end += stop
	}
	return trimmed(text, span{start: line, end: end, block: true}), end
}

// keyOnLine takes a key body that goes on in the line of its BEGIN mark, with
// real or written-out line ends.
func keyOnLine(text string, begin int) (span, int) {
	end := begin
	for end < len(text) && (tokenByte(text[end]) || text[end] == '\\' || text[end] == ' ') {
		end++
	}
	run := trimmed(text, span{start: begin, end: end})
	longest := 0
	for word := range strings.FieldsSeq(text[run.start:run.end]) {
		longest = max(longest, len(word))
	}
	if longest < 16 {
		return span{start: begin, end: begin}, begin
	}
	return run, end
}

// trimmed takes white space off both ends of a span.
func trimmed(text string, s span) span {
	part := text[s.start:s.end]
	s.start += len(part) - len(strings.TrimLeft(part, " \t\r\n"))
	s.end = s.start + len(strings.TrimSpace(part))
	return s
}
