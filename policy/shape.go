package policy

import (
	"regexp"
	"strings"
)

// shape is the form of a token that its issuer marks with a prefix.
type shape struct {
	prefix string // in lower case, as it is looked for
	exact  string // as it must be spelled, "" for any case
	chars  string // what may follow: one of the character sets below
	min    int    // characters after the prefix, at least
	mixed  bool   // a digit, a capital or an unbroken run is needed: the prefix is also a common beginning
}

const (
	wordChars  = "word"  // letters, digits, _ and -
	upperChars = "upper" // capitals and digits
	plainChars = "plain" // letters and digits
	dotChars   = "dot"   // word and dots
)

// shapes lists the tokens that notes hold most. The least lengths are below the
// issuers' own: a shortened token is still no note.
func shapes() []shape {
	return []shape{
		{prefix: "sk-", exact: "sk-", chars: wordChars, min: 16, mixed: true},
		{prefix: "sk_live_", chars: wordChars, min: 10},
		{prefix: "sk_test_", chars: wordChars, min: 10},
		{prefix: "rk_live_", chars: wordChars, min: 10},
		{prefix: "rk_test_", chars: wordChars, min: 10},
		{prefix: "whsec_", chars: wordChars, min: 16},
		{prefix: "xai-", chars: wordChars, min: 20, mixed: true},
		{prefix: "gsk_", chars: wordChars, min: 40},
		{prefix: "csk-", chars: wordChars, min: 32, mixed: true},
		{prefix: "hf_", chars: wordChars, min: 30, mixed: true},
		{prefix: "m0-", chars: wordChars, min: 20, mixed: true},
		{prefix: "ghp_", chars: wordChars, min: 20},
		{prefix: "gho_", chars: wordChars, min: 20},
		{prefix: "ghu_", chars: wordChars, min: 20},
		{prefix: "ghs_", chars: wordChars, min: 20},
		{prefix: "ghr_", chars: wordChars, min: 20},
		{prefix: "github_pat_", chars: wordChars, min: 20},
		{prefix: "glpat-", chars: dotChars, min: 16},
		{prefix: "xoxa-", chars: wordChars, min: 20},
		{prefix: "xoxb-", chars: wordChars, min: 20},
		{prefix: "xoxp-", chars: wordChars, min: 20},
		{prefix: "xoxo-", chars: wordChars, min: 20},
		{prefix: "xoxs-", chars: wordChars, min: 20},
		{prefix: "xoxr-", chars: wordChars, min: 20},
		{prefix: "xapp-", chars: wordChars, min: 20},
		{prefix: "akia", exact: "AKIA", chars: upperChars, min: 16},
		{prefix: "asia", exact: "ASIA", chars: upperChars, min: 16},
		{prefix: "aiza", exact: "AIza", chars: wordChars, min: 30},
		{prefix: "ya29.", chars: dotChars, min: 20},
		{prefix: "npm_", chars: plainChars, min: 20, mixed: true},
		{prefix: "pypi-", chars: wordChars, min: 40},
		{prefix: "dckr_pat_", chars: wordChars, min: 16},
		{prefix: "shpat_", chars: plainChars, min: 20},
		{prefix: "tvly-", chars: wordChars, min: 16, mixed: true},
		{prefix: "pplx-", chars: wordChars, min: 30},
		{prefix: "nvapi-", chars: wordChars, min: 30},
		{prefix: "r8_", chars: plainChars, min: 30},
		{prefix: "sg.", exact: "SG.", chars: dotChars, min: 30},
		{prefix: "lin_api_", chars: plainChars, min: 20},
		{prefix: "age-secret-key-1", chars: plainChars, min: 40},
	}
}

func (s shape) holds(c byte) bool {
	switch s.chars {
	case upperChars:
		return 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	case plainChars:
		return alnum(c)
	case dotChars:
		return alnum(c) || c == '_' || c == '-' || c == '.'
	}
	return alnum(c) || c == '_' || c == '-'
}

// find returns the span, or the two spans when the token goes on in the next
// line, of the token whose prefix was found at h.
func (s shape) find(text string, h hit) []span {
	if h.pos > 0 && alnum(text[h.pos-1]) || s.exact != "" && text[h.pos:h.end] != s.exact {
		return nil
	}
	end := s.runEnd(text[:min(len(text), h.end+shapeWindow)], h.end)
	if !s.strong(text[h.end:end]) {
		return nil
	}
	if end == h.end+shapeWindow {
		end = s.runEnd(text, end)
	}
	body := text[h.end:end]
	first := span{start: h.pos, end: h.end + len(strings.TrimRight(body, "."))}
	next := s.nextLine(text, end)
	whole := body + text[next.start:next.end]
	switch {
	case len(body) >= s.min:
		if next.start < next.end && looksRandom(text[next.start:next.end]) {
			return []span{first, next}
		}
		return []span{first}
	case next.start < next.end && len(body) >= 4 && len(whole) >= s.min && looksRandom(whole):
		return []span{first, next}
	}
	return nil
}

// shapeWindow is how much of a token is looked at to tell it from words.
const shapeWindow = 256

func (s shape) runEnd(text string, i int) int {
	for i < len(text) && s.holds(text[i]) {
		i++
	}
	return i
}

// nextLine returns the run of token characters that is all of the line after
// end, when a line ends at end: a token that was wrapped.
func (s shape) nextLine(text string, end int) span {
	i := end
	if i < len(text) && text[i] == '\r' {
		i++
	}
	if i >= len(text) || text[i] != '\n' {
		return span{}
	}
	i++
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	run := i
	for run < len(text) && s.holds(text[run]) {
		run++
	}
	if rest := text[run:min(len(text), run+1)]; rest != "" && rest != "\n" && rest != "\r" {
		return span{}
	}
	return span{start: i, end: run}
}

func (s shape) strong(body string) bool {
	if !s.mixed || !strings.ContainsAny(body, "-_") {
		return true
	}
	return strings.ContainsAny(body, "0123456789") || strings.ToLower(body) != body
}

// looksRandom reports whether a run has digits and letters in it and is no word.
func looksRandom(run string) bool {
	digits := strings.ContainsAny(run, "0123456789")
	return len(run) >= 6 && digits && strings.ContainsFunc(run, func(r rune) bool { return r >= 'A' })
}

// pattern is a form that is known by a word in it and read by an expression
// that starts at that word. Group 1 is the secret.
type pattern struct {
	word   string
	re     *regexp.Regexp
	inWord bool // the word may follow a letter or digit
	judge  bool // what follows may be prose, so it is judged as a value
	window int  // bytes looked at, 0 for 400
}

func patterns() []pattern {
	return []pattern{
		{word: "eyj", re: regexp.MustCompile(`^(eyJ[\w-]{5,}\.[\w-]{8,}\.[\w-]{8,})`), window: 16 << 10},
		{word: "bearer ", re: regexp.MustCompile(`^(?i:bearer)[ \t]+([\w.~+/=-]{12,})`), judge: true, window: 8 << 10},
		{word: "basic ", re: regexp.MustCompile(`^(?i:basic)[ \t]+([A-Za-z0-9+/]{10,}={0,2})`), judge: true, window: 4 << 10},
		{word: "://", re: regexp.MustCompile(`^://[^\s/:@?#<>"'()\[\]]*:([^\s@/]+)@[^\s@]`), inWord: true},
		{word: "://", re: regexp.MustCompile(`^://([\w-]{20,})@[^\s@]`), inWord: true},
		{word: "--", re: regexp.MustCompile(`^--(?i:[a-z]+-)?(?i:token|password|passwd|passphrase|api-?key|secret(?:-key)?|access-key|auth-token)(?:[ \t]+|=)["']?([^\s"'\x60-][^\s"'\x60]{3,})`), judge: true},
		{word: "hooks.slack.com/", re: regexp.MustCompile(`^(?i:hooks\.slack\.com)/\w+/([\w/+-]{20,})`)},
	}
}

func (p pattern) find(text string, h hit) (span, bool) {
	if !p.inWord && h.pos > 0 && (alnum(text[h.pos-1]) || p.word == "--" && text[h.pos-1] == '-') {
		return span{}, false
	}
	window := p.window
	if window == 0 {
		window = 400
	}
	part := text[h.pos:min(len(text), h.pos+window)]
	m := p.re.FindStringSubmatchIndex(part)
	if m == nil {
		return span{}, false
	}
	value := part[m[2]:m[3]]
	if placeholder(value) || p.judge && plainWord(value) {
		return span{}, false
	}
	s := span{start: h.pos + m[2], end: h.pos + m[3]}
	if len(part) == m[3] {
		s.end = wordEnd(text, s.end)
	}
	return s, true
}
