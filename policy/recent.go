package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quipu/markdown"
)

// RecentFact is a fact as the block of the newest ones lists it. The greater its order, the
// newer it is; of equal order, the later in the list.
type RecentFact struct {
	Fact, Topic string
	Order       int64
}

// RecentRules bounds the block of the newest facts. The zero value takes the constants.
type RecentRules struct {
	Facts  int    // facts that are listed
	Runes  int    // characters of one fact
	Topics int    // topics that the pointer line counts
	Tool   string // the tool that finds what is not listed; "" for recall
}

// The bounds of the block of the newest facts.
const (
	RecentFacts     = 25
	RecentFactRunes = 400
	RecentTopics    = 12
	recallTool      = "recall"
)

func (r RecentRules) filled() RecentRules {
	if r.Facts <= 0 {
		r.Facts = RecentFacts
	}
	if r.Runes <= 0 {
		r.Runes = RecentFactRunes
	}
	if r.Topics <= 0 {
		r.Topics = RecentTopics
	}
	if r.Tool == "" {
		r.Tool = recallTool
	}
	return r
}

// Recent lists the newest facts, the newest last, each on a line of its own with its topic
// in brackets, and then one line that says how many there are of how many, in which topics,
// and how the others are found: without it the list would read as all that is known. No
// facts give no text.
func Recent(list []RecentFact, rules RecentRules) string {
	r := rules.filled()
	facts := slices.DeleteFunc(slices.Clone(list), func(f RecentFact) bool { return oneFact(f.Fact) == "" })
	if len(facts) == 0 {
		return ""
	}
	slices.SortStableFunc(facts, func(a, b RecentFact) int { return cmp.Compare(a.Order, b.Order) })
	shown := facts[max(0, len(facts)-r.Facts):]
	var b strings.Builder
	for _, f := range shown {
		fmt.Fprintf(&b, "- %s [%s]\n", FactLine(f.Fact, r.Runes), topicTag(f.Topic))
	}
	b.WriteString(pointer(facts, len(shown), r))
	return b.String()
}

// FactLine is a fact on one line, cut at so many characters, at a blank where there is one,
// with a sign that it goes on.
func FactLine(fact string, runes int) string {
	fact = oneFact(fact)
	if runes < 1 || utf8.RuneCountInString(fact) <= runes {
		return fact
	}
	cut := clipped(fact, runes-1)
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;") + "…"
}

func topicTag(topic string) string {
	topic = strings.Map(func(r rune) rune {
		if r == '[' || r == ']' {
			return -1
		}
		return r
	}, flatten(topic))
	if topic == "" {
		return generalTopic
	}
	return topic
}

// pointer is the line that says what the list stands for.
func pointer(facts []RecentFact, shown int, r RecentRules) string {
	counts := map[string]int{}
	for _, f := range facts {
		counts[topicTag(f.Topic)]++
	}
	topics := sortedKeys(counts)
	slices.SortStableFunc(topics, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	var named []string
	for _, topic := range topics[:min(r.Topics, len(topics))] {
		named = append(named, fmt.Sprintf("%s (%d)", topic, counts[topic]))
	}
	if more := len(topics) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	others := "Nothing is left out."
	if shown < len(facts) {
		others = fmt.Sprintf("The others are kept as well: find them with %s.", r.Tool)
	} else {
		others += fmt.Sprintf(" Look up what is in a topic with %s.", r.Tool)
	}
	return fmt.Sprintf("(The newest %d of %s, in %s: %s. %s)\n", shown, counted(len(facts), "fact", "facts"), counted(len(topics), "topic", "topics"), strings.Join(named, ", "), others)
}

// RecentNotes are the live entries of MEMORY.md and the topics as Recent lists them, by the
// days that they carry; what is out, has run out or is struck is none, nor what of MEMORY.md
// loads by itself. texts are by path.
func RecentNotes(texts map[string][]byte, out Outside, today markdown.Date) []RecentFact {
	var list []RecentFact
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		for _, e := range markdown.Parse(path, Blank(path, texts[path], out)).Entries() {
			if e.Struck || !e.Expired.IsZero() || expired(e, today) || path == MemoryFile && !mayFall(e.Text) {
				continue
			}
			list = append(list, RecentFact{Fact: e.Text, Topic: cmp.Or(TopicOf(path), generalTopic), Order: newness(e)})
		}
	}
	return list
}

// newness orders entries by the moment they carry: seconds, in which a day without a time is
// its beginning.
func newness(e markdown.Entry) int64 {
	at, err := time.Parse("2006-01-02T15:04:05", e.Date.String()+"T"+cmp.Or(e.Clock, "00:00:00"))
	if err != nil {
		at, _ = time.Parse(time.DateOnly, e.Date.String())
	}
	return at.Unix()
}
