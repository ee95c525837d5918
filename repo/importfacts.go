package repo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/exchange"
)

const (
	// fullTopic is how far facts fill a topic: what is over goes to one with a number.
	fullTopic = policy.MaxFileBytes - 16<<10
	// maxFact is how large one fact may be: what is larger is a file of its own.
	maxFact = 64 << 10
	// importShare is how far facts fill MEMORY.md, in percent: some room stays for what is
	// learned next.
	importShare = 75
)

// fact is a note as an entry that is to be written.
type fact struct {
	note exchange.Note
	raw  string
}

// shelve writes facts as entries, each to its topic; those of no topic go to MEMORY.md,
// the newest first, until that is three quarters full, and then to the topic of what has
// none.
func (im *importing) shelve(notes []exchange.Note) error {
	if len(notes) == 0 {
		return nil
	}
	for _, f := range im.files {
		im.known.states(f.path, f.text)
	}
	list := im.cleaned(im.entries(notes))
	var fresh []fact
	for _, f := range list {
		e := entryOf(f.raw)
		if id := markdown.Identity(e.Text); im.known.facts[id] || im.known.lines[id] {
			im.knownFacts++
			continue
		}
		im.known.fact(e)
		fresh = append(fresh, f)
	}
	unfiled := "imported " + im.batch.Format
	byTopic := map[string][]fact{}
	var topics []string
	fits, err := im.fitMemory(fresh)
	if err != nil {
		return err
	}
	for i, f := range fresh {
		topic := f.note.Topic
		if topic == exchange.Unfiled || topic == "" && !fits[i] {
			topic = unfiled
		}
		if byTopic[topic] == nil {
			topics = append(topics, topic)
		}
		byTopic[topic] = append(byTopic[topic], f)
	}
	im.facts = len(fresh)
	for _, topic := range topics {
		if err := im.shelf(topic, unfiled, byTopic[topic]); err != nil {
			return err
		}
	}
	return nil
}

// entries makes entries of notes, in their order.
func (im *importing) entries(notes []exchange.Note) []fact {
	today := markdown.DateOf(im.v.at)
	out := make([]fact, 0, len(notes))
	for _, n := range notes {
		day := n.Date
		if day.IsZero() {
			day = today
		}
		e := markdown.NewEntry(strings.ToValidUTF8(n.Text, "\uFFFD"), "import "+im.batch.Format, n.Noticed, day, n.Until)
		e.Updated = n.Updated
		switch raw := e.String(); {
		case strings.TrimSpace(e.Text) == "":
			im.leave(n.From, "a fact without words")
		case len(raw) > maxFact:
			im.leave(n.From, fmt.Sprintf("a fact of %d bytes, %d is the most: make it a file", len(raw), maxFact))
		default:
			out = append(out, fact{n, raw})
		}
	}
	return out
}

// cleaned masks credentials and takes out what the person asked to forget. All are
// looked at together first: mostly there is nothing to do.
func (im *importing) cleaned(list []fact) []fact {
	var all strings.Builder
	for _, f := range list {
		all.WriteString(f.raw + "\n")
	}
	_, secrets := im.v.w.store.redact.Redact(all.String())
	_, unwanted := im.never.without([]byte(all.String()))
	if secrets == 0 && unwanted == 0 {
		return list
	}
	out := list[:0]
	forgotten := 0
	for _, f := range list {
		raw, n := im.v.w.store.redact.Redact(f.raw)
		im.receipt.Redacted += n
		if _, left := im.never.without([]byte(raw + "\n")); left > 0 {
			forgotten++
			continue
		}
		out = append(out, fact{f.note, raw})
	}
	if forgotten > 0 {
		im.leave(im.batch.Format, fmt.Sprintf("%d notes left out: the person asked to forget them", forgotten))
	}
	return out
}

// entryOf reads a written entry.
func entryOf(raw string) markdown.Entry {
	if list := markdown.Parse("", []byte(raw)).Entries(); len(list) > 0 {
		return list[0]
	}
	return markdown.Entry{Text: raw}
}

// fitMemory says which of the facts of no topic have room in MEMORY.md.
func (im *importing) fitMemory(list []fact) (map[int]bool, error) {
	text, _, err := im.text(policy.MemoryFile)
	if err != nil {
		return nil, err
	}
	if im.isSeed(policy.MemoryFile, text) {
		text = []byte(policy.MemoryHead)
	}
	g := im.v.w.limits().Measure(text)
	lines, bytes := g.MaxLines*importShare/100-g.Lines, g.MaxBytes*importShare/100-g.Bytes
	var order []int
	for i, f := range list {
		if f.note.Topic == "" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(entryDay(list[b]).Compare(entryDay(list[a])), a-b)
	})
	fits := map[int]bool{}
	for _, i := range order {
		lines -= 1 + strings.Count(list[i].raw, "\n")
		bytes -= len(list[i].raw) + 1
		if lines < 0 || bytes < 0 {
			break
		}
		fits[i] = true
	}
	return fits, nil
}

func entryDay(f fact) markdown.Date { return entryOf(f.raw).Date }

// shelf writes facts to one topic, or to as many as they need.
func (im *importing) shelf(topic, unfiled string, list []fact) error {
	to := policy.MemoryFile
	if topic != "" {
		var err error
		if to, err = policy.TopicFile(topic); err != nil {
			to, err = policy.TopicFile("imported " + topic)
		}
		if err != nil {
			topic = unfiled
			if to, err = policy.TopicFile(unfiled); err != nil {
				return err
			}
		}
	}
	stem := strings.TrimSuffix(to, ".md")
	for n := 2; len(list) > 0; n++ {
		took, err := im.fill(to, topic, list)
		if err != nil {
			return err
		}
		list = list[took:]
		to = fmt.Sprintf("%s-%d.md", stem, n)
	}
	return nil
}

// fill adds as many facts to a file as it has room for and gives their number.
func (im *importing) fill(to, topic string, list []fact) (int, error) {
	if have, ok := im.standing[nameKey(to)]; ok {
		to = have
	}
	now, has, err := im.text(to)
	if err != nil {
		return 0, err
	}
	base := now
	switch {
	case im.isSeed(to, now):
		base = []byte(policy.MemoryHead)
	case !has && topic != "":
		base = markdown.MergeTopic(nil, strings.ReplaceAll(topic, "-", " "), nil, nil)
		base = append(base, '\n')
	}
	room := fullTopic - len(base)
	var lines []string
	for _, f := range list {
		if room -= len(f.raw) + 1; room < 0 && (len(lines) > 0 || has) {
			break
		}
		lines = append(lines, f.raw)
	}
	if len(lines) == 0 {
		return 0, nil
	}
	next := markdown.Parse(to, base).Append(strings.Join(lines, "\n"))
	im.standing[nameKey(to)] = to
	if _, err := im.put(to, now, next); err != nil {
		return 0, err
	}
	im.shelved = shelvedAs(im.shelved, list[:len(lines)], to)
	return len(lines), nil
}

// shelvedAs counts facts by where they were and where they are.
func shelvedAs(out []ImportedFile, list []fact, to string) []ImportedFile {
	for _, f := range list {
		i := slices.IndexFunc(out, func(s ImportedFile) bool { return s.Path == f.note.From && s.To == to })
		if i < 0 {
			i = len(out)
			out = append(out, ImportedFile{Path: f.note.From, To: to})
		}
		out[i].Lines += 1 + strings.Count(f.raw, "\n")
	}
	return out
}

// settle keeps MEMORY.md within its budget, as after any write.
func (im *importing) settle() error {
	i, ok := im.at[policy.MemoryFile]
	if !ok {
		return nil
	}
	archive, has, err := im.text(policy.ArchiveFile)
	if err != nil {
		return err
	}
	n := policy.Notes{Order: []string{policy.MemoryFile, policy.ArchiveFile}, Files: map[string][]byte{}}
	if has {
		n.Files[policy.ArchiveFile] = archive
	}
	limits := im.v.w.limits()
	o := policy.Outcome{Edits: []policy.Edit{{Path: policy.MemoryFile, Text: im.files[i].text}}}
	if o, err = policy.Settle(o, n, limits, markdown.DateOf(im.v.at)); err != nil {
		return refused(err)
	}
	for _, e := range o.Edits {
		if j, ok := im.at[e.Path]; ok {
			im.files[j].text = e.Text
			continue
		}
		im.at[e.Path] = len(im.files)
		im.files = append(im.files, fileText{path: e.Path, text: e.Text})
	}
	im.receipt.Moved, im.receipt.Truncated, im.receipt.Message = o.Moved, o.Truncated, o.Message(limits)
	return nil
}
