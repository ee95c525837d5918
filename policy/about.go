package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
)

// The limits of About me.
const (
	MaxAboutRunes     = 24000 // characters of ABOUT.md; above them nothing is added
	MaxLearnedRunes   = 300   // characters of one learned fact
	maxBotNameRunes   = 60
	learnedBy         = "learned by "
	namelessBot       = "a bot"
	learnedIDHexChars = 12
)

// Learned is a line that a bot added to About me:
// `- 2026-09-25 · learned by Scout · Is vegetarian`.
type Learned struct {
	ID      string // names the line as long as nobody edits it
	Text    string // the fact
	Line    string // the line as it stands, with what it owns
	BotName string
	At      markdown.Date
}

// LearnedLines returns what bots added to About me, newest first; of one day,
// the lower line first. Struck lines are left out.
func LearnedLines(about []byte) []Learned {
	list := learnedUnits(markdown.Parse(AboutFile, about))
	found := make([]Learned, 0, len(list))
	for _, l := range list {
		found = append(found, l.Learned)
	}
	slices.Reverse(found)
	slices.SortStableFunc(found, func(a, b Learned) int { return b.At.Compare(a.At) })
	return found
}

type learnedUnit struct {
	Learned
	unit int
}

func learnedUnits(f *markdown.File) []learnedUnit {
	var list []learnedUnit
	seen := map[string]int{}
	for i, u := range f.Units() {
		if u.Entry == nil || u.Entry.Struck {
			continue
		}
		bot, text, ok := cutLearned(u.Entry.Text)
		if !ok {
			continue
		}
		sum := sha256.Sum256(u.Raw)
		id := hex.EncodeToString(sum[:])[:learnedIDHexChars]
		if seen[id]++; seen[id] > 1 {
			id += "-" + strconv.Itoa(seen[id])
		}
		list = append(list, learnedUnit{unit: i, Learned: Learned{
			ID: id, Text: text, BotName: bot, At: u.Entry.Date, Line: strings.ReplaceAll(string(u.Raw), "\r\n", "\n"),
		}})
	}
	return list
}

// cutLearned splits `learned by Scout · Is vegetarian`.
func cutLearned(text string) (bot, fact string, ok bool) {
	rest, ok := strings.CutPrefix(text, learnedBy)
	if !ok {
		return "", text, false
	}
	bot, fact, ok = strings.Cut(rest, dot)
	return bot, fact, ok && fact != ""
}

// LearnedLine returns the line that says who learned a fact, and when. A middle
// dot in the bot's name becomes a dash, the name is cut at 60 characters and the
// fact, on one line, at 300.
func LearnedLine(bot, text string, today markdown.Date) string {
	bot = strings.Join(strings.Fields(strings.ReplaceAll(bot, "·", "-")), " ")
	if bot == "" {
		bot = namelessBot
	}
	text = cutAt(strings.Join(strings.Fields(strings.ReplaceAll(text, "`"+"``", "'''")), " "), MaxLearnedRunes)
	return markdown.NewEntry(learnedBy+cutAt(bot, maxBotNameRunes)+dot+text, "", false, today, markdown.Date{}).String()
}

// cutAt returns at most n characters of text, the last one an ellipsis when it
// was cut, and never a part of a marker.
func cutAt(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	text = string([]rune(text)[:n-1])
	if at := strings.LastIndex(text, "«"); at >= 0 && !strings.Contains(text[at:], "»") {
		text = text[:at]
	}
	return strings.TrimRight(text, " ") + "…"
}

// LearnInput is what a bot would add to About me.
type LearnInput struct {
	About []byte   // ABOUT.md as it is
	Bot   string   // the bot's name as the person knows it
	Texts []string // the facts
	Today markdown.Date
	// Never reports whether a fact must not be learned again: it was removed or
	// forgotten. Nil stands for no.
	Never func(text string) bool
}

// LearnOutcome is what comes of it.
type LearnOutcome struct {
	Text     []byte   // ABOUT.md with the lines at its end; as it was when there are none
	Lines    []string // the lines that were added
	Full     bool     // something was left out because About me is full
	Redacted int      // places that were masked
}

// Learn adds facts to About me. One that stands there already in the same words,
// by whomever, and one that must not be learned again is passed over. When
// About me would pass 24,000 characters nothing is added. Blank lines at its end
// give way, and it ends without a newline, as a text in a form does.
func Learn(in LearnInput, red *Redactor) LearnOutcome {
	f := markdown.Parse(AboutFile, in.About)
	known := knownFacts(f)
	out := LearnOutcome{Text: in.About}
	for _, text := range in.Texts {
		masked, n := red.Redact(strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " "))
		line := LearnedLine(in.Bot, masked, in.Today)
		fact := learnedFact(line)
		id := markdown.Identity(fact)
		if id == "" || known[id] || in.Never != nil && in.Never(fact) {
			continue
		}
		known[id] = true
		out.Redacted += n
		out.Lines = append(out.Lines, line)
	}
	if len(out.Lines) == 0 {
		return out
	}
	text := string(bytes.TrimRight(in.About, " \t\r\n"))
	for _, line := range out.Lines {
		if text != "" && text != "\ufeff" {
			text += f.EOL()
		}
		text += line
	}
	if utf8.RuneCountInString(text) > MaxAboutRunes {
		return LearnOutcome{Text: in.About, Full: true}
	}
	out.Text = []byte(text)
	return out
}

// learnedFact returns the fact of a learned line, "" when it has none.
func learnedFact(line string) string {
	list := learnedUnits(markdown.Parse("", []byte(line)))
	if len(list) != 1 {
		return ""
	}
	return list[0].Text
}

// knownFacts returns the identities of what About me says: learned facts
// without who learned them, and every line that was written by hand.
func knownFacts(f *markdown.File) map[string]bool {
	known := map[string]bool{}
	for _, u := range f.Units() {
		text := string(u.Raw)
		if u.Entry != nil {
			if u.Entry.Struck {
				continue
			}
			_, text, _ = cutLearned(u.Entry.Text)
		}
		known[markdown.Identity(text)] = true
	}
	return known
}

// RemoveLearned returns About me without the learned line that id names, and
// that line. It is false when there is no such line, as after an edit; then the
// text comes back as it was.
func RemoveLearned(about []byte, id string) ([]byte, Learned, bool) {
	f := markdown.Parse(AboutFile, about)
	for _, l := range learnedUnits(f) {
		if l.ID == id {
			return f.RemoveUnit(l.unit), l.Learned, true
		}
	}
	return about, Learned{}, false
}

// Preference returns a standing preference as it may go to About me. It returns
// a *Refusal with Invalid when it is blank, of several lines, or longer than 300
// characters.
func Preference(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch n := utf8.RuneCountInString(text); {
	case text == "":
		return "", refuse(Invalid, "prefer needs a text that is not blank")
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", refuse(Invalid, "a text is valid UTF-8 without NUL")
	case strings.ContainsAny(text, "\r\n\u2028\u2029"):
		return "", refuse(Invalid, "a preference is one line")
	case n > MaxLearnedRunes:
		return "", refuse(Invalid, "the preference has %d characters, %d is the limit", n, MaxLearnedRunes)
	}
	return text, nil
}
