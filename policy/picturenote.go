package policy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quipu/markdown"
)

// What is said of a picture is short: it is a caption, not a note.
const (
	MaxPictureAbout = 80  // characters of who or what it shows
	MaxPictureNote  = 400 // characters of what is said of it
)

// PictureKinds are the kinds of picture there are.
func PictureKinds() []string {
	return []string{"person", "self", "product", "post", "place", "scene", "other"}
}

// Caption is what is said of a picture.
type Caption struct {
	About string // who or what it shows, by the name that notes use
	Note  string // what is said of it, "" for nothing
	Kind  string // one of PictureKinds
}

// Checked is the caption as it is written: each part on one line and without signs that
// would make a link, a picture, code or markup of it. Credentials are masked. The error is
// a *Refusal.
func (c Caption) Checked(red *Redactor) (Caption, error) {
	if c.Kind == "" {
		c.Kind = "other"
	}
	if !slices.Contains(PictureKinds(), c.Kind) {
		return c, refuse(Invalid, "%.20q is no kind of picture: write %s", c.Kind, strings.Join(PictureKinds(), ", "))
	}
	if !utf8.ValidString(c.About + c.Note) {
		return c, refuse(Invalid, "a text is valid UTF-8")
	}
	for _, part := range []struct {
		name string
		text *string
		most int
	}{{"about", &c.About, MaxPictureAbout}, {"note", &c.Note, MaxPictureNote}} {
		if n := utf8.RuneCountInString(*part.text); n > part.most {
			return c, refuse(Invalid, "%s has %d characters, %d is the limit", part.name, n, part.most)
		}
		masked, _ := red.Redact(plainCaption(*part.text))
		*part.text = plainCaption(masked)
	}
	c.About = strings.TrimLeftFunc(c.About, func(r rune) bool { return r != '«' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if c.About == "" {
		return c, refuse(Invalid, "say with about who or what the picture shows, by a name with a letter or digit")
	}
	return c, nil
}

// captionSigns are signs by which a caption would become more than text.
var captionSigns = strings.NewReplacer(
	"[", "(", "]", ")", "<", "‹", ">", "›", "`", "'", "\\", "/", "·", "-", "~", "-", "*", "", "|", "/", "%%", "%", "://", ": ", "www.", "www ", "!(", "(",
)

// plainCaption makes one line of plain text of a caption.
func plainCaption(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.Is(unicode.C, r) || r == 0x3164 || r == 0xFFA0 || r == 0x115F || r == 0x1160:
			return -1
		}
		return r
	}, norm.NFC.String(text))
	for range 3 { // what one pass takes out may bring two signs together
		text = captionSigns.Replace(text)
	}
	return strings.Join(strings.Fields(text), " ")
}

// Entry is the text of the entry that keeps a picture in a file of notes; of an empty
// file MEMORY.md. The link is one that a viewer of the file follows from where it lies.
func (c Caption) Entry(file, picture string) string {
	link := strings.TrimPrefix(picture, topicDir)
	if file == "" || file == MemoryFile {
		link = picture
	}
	text := c.About
	if c.Note != "" {
		text += ": " + c.Note
	}
	return text + " (" + c.Kind + ") ![" + c.About + "](" + link + ")"
}

// Shown is an entry that keeps a picture.
type Shown struct {
	Caption
	Picture string // its path
	Path    string // of the file that holds the entry
	Line    int
	Text    string // of the entry
	Date    markdown.Date
}

var pictureEntry = regexp.MustCompile(`!\[([^\[\]]*)\]\((?:\./)?(?:memory/)?images/([^()\s<>/\\]+)\)\s*$`)

// ParseShown reads the text of an entry that keeps a picture. It is false for any other.
func ParseShown(text string) (c Caption, picture string, ok bool) {
	m := pictureEntry.FindStringSubmatchIndex(text)
	if m == nil {
		return c, "", false
	}
	c.About = strings.TrimSpace(text[m[2]:m[3]])
	if picture = PictureDir + text[m[4]:m[5]]; PictureName(picture) == "" {
		return c, "", false
	}
	said := strings.TrimSpace(text[:m[0]])
	c.Kind = "other"
	for _, kind := range PictureKinds() {
		if before, found := strings.CutSuffix(said, "("+kind+")"); found {
			said, c.Kind = strings.TrimSpace(before), kind
			break
		}
	}
	if c.About == "" {
		c.About, _, _ = strings.Cut(said, ":")
		c.About = strings.TrimSpace(c.About)
	}
	if rest, found := strings.CutPrefix(said, c.About); found {
		said = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
	}
	c.Note = said
	return c, picture, true
}

// ShownIn lists the entries of a file that keep pictures; struck ones are left out.
func ShownIn(path string, text []byte) []Shown {
	var list []Shown
	for _, e := range markdown.Parse(path, text).Entries() {
		c, picture, ok := ParseShown(e.Text)
		if ok && !e.Struck {
			list = append(list, Shown{Caption: c, Picture: picture, Path: path, Line: e.Line, Text: e.Text, Date: e.Date})
		}
	}
	return list
}

// RankShown gives the pictures that words ask for, best first: those of exactly the one
// who is named, then those whose name stands in the words, then by how many of the words
// their entries have. Blank words ask for none.
func RankShown(list []Shown, words string) []Shown {
	asked, carrying := tokens(words), stemmed(keywords(words))
	type ranked struct {
		Shown
		score int
	}
	var out []ranked
	for _, s := range list {
		name, said := tokens(s.About), stemmed(keywords(s.About+" "+s.Note+" "+s.Kind))
		score := 0
		for _, w := range carrying {
			if slices.Contains(said, w) {
				score++
			}
		}
		switch {
		case len(name) > 0 && slices.Equal(name, asked):
			score += 2000
		case len(name) > 0 && holdsRun(asked, name):
			score += 1000
		}
		if score > 0 {
			out = append(out, ranked{s, score})
		}
	}
	slices.SortStableFunc(out, func(a, b ranked) int {
		if a.score != b.score {
			return b.score - a.score
		}
		return b.Date.Compare(a.Date)
	})
	found := make([]Shown, len(out))
	for i, r := range out {
		found[i] = r.Shown
	}
	return found
}
