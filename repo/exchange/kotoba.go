package exchange

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"quipu/markdown"
)

// readKotoba reads topics/*.md, a fact a bullet, and of the index USER.md what is in no
// topic: the recent facts and the topics that it lists are there already.
func readKotoba(s Source, b *Batch) error {
	dir, err := within(s.Dir, "USER.md", "memory")
	if err != nil {
		return err
	}
	f, err := readFolder(dir, isMarkdown, notMarkdown)
	if err != nil {
		return err
	}
	b.Left = append(b.Left, f.left...)
	known := map[string]bool{}
	for _, file := range f.files {
		switch topic := strings.TrimSuffix(path.Base(file.path), path.Ext(file.path)); {
		case path.Dir(file.path) == "topics":
			kotobaTopic(b, file, topic, known)
		case file.path != "USER.md":
			b.page(file.path, file.path, file.text)
		}
	}
	if i := slices.IndexFunc(f.files, func(f found) bool { return f.path == "USER.md" }); i >= 0 {
		kotobaIndex(b, f.files[i].text, known)
	}
	return nil
}

func kotobaTopic(b *Batch, file found, topic string, known map[string]bool) {
	n := 0
	for line := range strings.Lines(file.text) {
		n++
		bare := strings.TrimSpace(line)
		switch text, isBullet := strings.CutPrefix(bare, "- "); {
		case isBullet:
			b.fact(kotobaNote(text, topic, file.path, known))
		case bare != "" && !strings.HasPrefix(bare, "#"):
			b.fact(Note{Text: bare, Topic: topic, From: file.path})
		}
	}
}

func kotobaNote(text, topic, from string, known map[string]bool) Note {
	if topic == "general" { // where a fact of no topic goes there
		topic = ""
	}
	note := Note{Topic: topic, From: from}
	note.Text, note.Date, note.Until = daysOff(text)
	known[markdown.Identity(note.Text)] = true
	return note
}

var recentFact = regexp.MustCompile(`^- (.*?)(?:[ \t]+\[([a-z0-9-]+)\])?$`)

// kotobaIndex takes what the index alone has.
func kotobaIndex(b *Batch, text string, known map[string]bool) {
	section, n, listed := "", 0, 0
	for line := range strings.Lines(text) {
		n++
		bare := strings.TrimSpace(line)
		switch m := recentFact.FindStringSubmatch(bare); {
		case bare == "":
		case strings.HasPrefix(bare, "#"):
			section = strings.ToLower(strings.Trim(bare, "# "))
		case section == "topics":
			listed++
		case section == "recent" && m != nil:
			note := kotobaNote(m[1], m[2], "USER.md", map[string]bool{})
			if m[2] == "" {
				note.Topic = Unfiled
			}
			if !known[markdown.Identity(note.Text)] {
				b.fact(note)
			}
		case strings.HasPrefix(bare, "You can edit any of these"):
			b.leave(place("USER.md", n), "the file's own words")
		default:
			b.fact(Note{Text: bare, From: "USER.md"})
		}
	}
	if listed > 0 {
		b.leave("USER.md", "its list of topics: quipu lists topics itself")
	}
}
