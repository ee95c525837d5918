package turns

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// told is what the model knows of a turn: its words are secrets of its own.
type told struct {
	id, bot, chat string
	asked, said   string
	started       time.Time
	open, lapsed  bool
	waiting       bool
}

// model is a store as it should be, beside the store as it is.
type model struct {
	*rapid.T
	s     *Store
	path  string
	now   time.Time
	turns []told // in the order of Begin
	gone  []string
	r     *rand.Rand
	n     int
}

func (m *model) bot() string { return rapid.SampledFrom([]string{"scout", "ranger"}).Draw(m.T, "bot") }

func (m *model) chat() string { return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(m.T, "chat") }

func (m *model) must(err error) {
	if err != nil {
		m.Fatal(err)
	}
}

// lapse closes the open turns that fn names.
func (m *model) lapse(fn func(told) bool) {
	for i, t := range m.turns {
		if t.open && fn(t) {
			m.turns[i].open, m.turns[i].lapsed, m.turns[i].waiting = false, true, true
		}
	}
}

func (m *model) due(t told) bool { return !m.now.Before(t.started.Add(6 * time.Hour)) }

func (m *model) begin(*rapid.T) {
	m.n++
	t := told{id: fmt.Sprint("T", m.n), bot: m.bot(), chat: m.chat(), asked: secret(m.r), started: m.now, open: true}
	m.lapse(func(o told) bool { return o.bot == t.bot && (o.chat == t.chat || m.due(o)) })
	_, err := m.s.Begin(m.Context(), Turn{ID: t.id, Bot: t.bot, Conversation: chat(t.chat), Speaker: Speaker{By: Owner}, Message: t.asked, Started: m.now})
	m.must(err)
	m.turns = append(m.turns, t)
}

func (m *model) end(*rapid.T) {
	if len(m.turns) == 0 {
		return
	}
	i := rapid.IntRange(0, len(m.turns)-1).Draw(m.T, "turn")
	t := &m.turns[i]
	said := secret(m.r)
	err := m.s.End(m.Context(), t.bot, t.id, Ending{At: m.now, Messages: []Message{owner(t.asked), self(said)}})
	if !t.open && !t.lapsed {
		if !errors.Is(err, ErrEnded) {
			m.Fatalf("%s ended twice: %v", t.id, err)
		}
		return
	}
	m.must(err)
	t.open, t.lapsed, t.waiting, t.said = false, false, true, said
}

func (m *model) wait(*rapid.T) {
	m.now = m.now.Add(time.Duration(rapid.IntRange(0, 200).Draw(m.T, "minutes")) * time.Minute)
}

func (m *model) lapseBot(*rapid.T) {
	bot := m.bot()
	m.lapse(func(t told) bool { return t.bot == bot && m.due(t) })
	_, err := m.s.Lapse(m.Context(), bot, m.now)
	m.must(err)
}

// drop takes the turns that fn names out of the model and gives their number.
func (m *model) drop(fn func(told) bool) (n int) {
	m.turns = slices.DeleteFunc(m.turns, func(t told) bool {
		if !fn(t) {
			return false
		}
		n++
		m.gone = append(m.gone, t.asked)
		if t.said != "" {
			m.gone = append(m.gone, t.said)
		}
		return true
	})
	return n
}

func (m *model) deleteConversation(*rapid.T) {
	bot, c := m.bot(), m.chat()
	want := m.drop(func(t told) bool { return t.bot == bot && t.chat == c })
	got, err := m.s.DeleteConversation(m.Context(), bot, c)
	m.must(err)
	if got != want {
		m.Fatalf("deleted %d turns, want %d", got, want)
	}
	m.noTrace()
}

func (m *model) rewind(*rapid.T) {
	if len(m.turns) == 0 {
		return
	}
	i := rapid.IntRange(0, len(m.turns)-1).Draw(m.T, "to")
	to, after := m.turns[i], map[string]bool{}
	for _, t := range m.turns[i+1:] {
		after[t.id] = t.bot == to.bot && t.chat == to.chat
	}
	want := m.drop(func(t told) bool { return after[t.id] })
	got, err := m.s.Rewind(m.Context(), to.bot, to.chat, to.id)
	m.must(err)
	if got != want {
		m.Fatalf("rewound %d turns, want %d", got, want)
	}
	m.noTrace()
}

func (m *model) deleteBot(*rapid.T) {
	bot := m.bot()
	want := m.drop(func(t told) bool { return t.bot == bot })
	got, err := m.s.DeleteBot(m.Context(), bot)
	m.must(err)
	if got != want {
		m.Fatalf("deleted %d turns, want %d", got, want)
	}
	m.noTrace()
}

func (m *model) swapNames(*rapid.T) {
	for _, names := range [][2]string{{"scout", "x"}, {"ranger", "scout"}, {"x", "ranger"}} {
		m.must(m.s.RenameBot(m.Context(), names[0], names[1]))
	}
	for i, t := range m.turns {
		m.turns[i].bot = map[string]string{"scout": "ranger", "ranger": "scout"}[t.bot]
	}
}

func (m *model) markRead(*rapid.T) {
	if len(m.turns) == 0 {
		return
	}
	i := rapid.IntRange(0, len(m.turns)-1).Draw(m.T, "read")
	t := &m.turns[i]
	marked, err := m.s.MarkRead(m.Context(), t.bot, t.id)
	m.must(err)
	if (len(marked) == 1) != t.waiting {
		m.Fatalf("%s marked as read: %v, it waits: %v", t.id, marked, t.waiting)
	}
	t.waiting = false
}

func (m *model) reopen(*rapid.T) {
	m.must(m.s.Close())
	var err error
	m.s, err = Open(m.path, nil)
	m.must(err)
}

// noTrace looks for what was deleted in the bytes of the file.
func (m *model) noTrace() {
	if left := holds(m, m.path, traces(m.gone...)...); left != nil {
		m.Fatalf("left: %q", left)
	}
}

// check holds the store against the model.
func (m *model) check(*rapid.T) {
	for _, bot := range []string{"scout", "ranger"} {
		var open, waiting []string
		for _, t := range m.turns {
			if t.bot == bot && t.open && !m.due(t) {
				open = append(open, t.id)
			}
			if t.bot == bot && t.waiting {
				waiting = append(waiting, t.id)
			}
		}
		turns, err := m.s.OpenTurns(m.Context(), bot, m.now)
		m.must(err)
		if diff := cmp.Diff(open, ids(turns)); diff != "" {
			m.Fatalf("open turns of %s (-want +got):\n%s", bot, diff)
		}
		batches, err := m.s.Waiting(m.Context(), bot)
		m.must(err)
		var got []string
		for _, b := range batches {
			got = append(got, ids(b.Turns)...)
		}
		slices.Sort(got)
		slices.Sort(waiting)
		if diff := cmp.Diff(waiting, got); diff != "" {
			m.Fatalf("waiting turns of %s (-want +got):\n%s", bot, diff)
		}
	}
}

// final asks for every word that was ever said.
func (m *model) final(t *testing.T) {
	find := func(bot, word string) []string {
		hits, err := m.s.Search(m.Context(), Query{Bot: bot, Words: word, Scope: Scope{Everything: true}})
		m.must(err)
		var out []string
		for _, h := range hits {
			out = append(out, h.Turn+" "+h.Snippet)
		}
		return out
	}
	for _, turn := range m.turns {
		for _, word := range []string{turn.asked, turn.said} {
			var want []string
			if word != "" && !turn.open {
				want = []string{turn.id + " " + word}
			}
			if word == "" {
				continue
			}
			if diff := cmp.Diff(want, find(turn.bot, word)); diff != "" {
				m.Fatalf("found of %+v (-want +got):\n%s", turn, diff)
			}
			if holds(m, m.path, word) == nil {
				m.Fatalf("%s is not in the file, so looking there shows nothing", word)
			}
		}
	}
	for _, word := range m.gone {
		if got := slices.Concat(find("scout", word), find("ranger", word)); got != nil {
			m.Fatalf("deleted and found: %q", got)
		}
	}
	checkFile(t, m.s)
}

// Whatever begins, ends, lapses and is deleted in whatever order: the store is as the
// model of it, what stands is found, and nothing that was deleted is left.
func TestLawOfTurns(t *testing.T) {
	dir := t.TempDir()
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		m := &model{T: rt, path: filepath.Join(dir, fmt.Sprint(run, ".db")), now: noon, r: rand.New(rand.NewPCG(uint64(run), 9))}
		var err error
		m.s, err = Open(m.path, nil)
		m.must(err)
		defer func() { _ = m.s.Close() }()
		rt.Repeat(map[string]func(*rapid.T){
			"begin": m.begin, "begin too": m.begin, "begin as well": m.begin, "end": m.end, "end too": m.end, "wait": m.wait, "lapse": m.lapseBot,
			"delete conversation": m.deleteConversation, "rewind": m.rewind, "delete bot": m.deleteBot, "swap names": m.swapNames,
			"mark": m.markRead, "reopen": m.reopen, "": m.check,
		})
		m.final(t)
	})
}

// A search in time finds exactly the messages of the time, whatever it was.
func TestLawOfTime(t *testing.T) {
	k := newKit(t)
	at := map[string]time.Time{}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		when := noon.Add(time.Duration(r.IntN(40)) * time.Millisecond)
		text := fmt.Sprint("word ", i)
		id := k.begin(chat(fmt.Sprint("c", i%7)), when, "")
		k.end(id, Ending{At: when, Messages: []Message{self(text)}})
		at[text] = when
	}
	rapid.Check(t, func(rt *rapid.T) {
		from := rapid.IntRange(-3, 43).Draw(rt, "from")
		size := rapid.IntRange(-3, 46).Draw(rt, "size")
		since := noon.Add(time.Duration(from) * time.Millisecond)
		until := since.Add(time.Duration(size) * time.Millisecond)
		words := rapid.SampledFrom([]string{"", "word"}).Draw(rt, "words")
		hits, err := k.Search(rt.Context(), Query{Bot: "scout", Words: words, Since: since, Until: until, Scope: Scope{Everything: true}, Limit: 100})
		if err != nil {
			rt.Fatal(err)
		}
		got := map[string]time.Time{}
		for _, h := range hits {
			got[h.Snippet] = h.At
		}
		want := map[string]time.Time{}
		for text, when := range at {
			if !when.Before(since) && !when.After(until) {
				want[text] = when
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("from %d for %d ms (-want +got):\n%s", from, size, diff)
		}
	})
}

// What is searched for by a word of a text marks that word in the snippet.
func TestLawOfMarks(t *testing.T) {
	texts := rapid.SampledFrom([]string{"Invoices", "paid", "昨日", "会議", "で", "c++", "-10", "Übung", "ｶﾞﾗｽ", "ё", "don't", "été", "👍", "…", "ﬁne", "회의에서", "x.y"})
	rapid.Check(t, func(rt *rapid.T) {
		parts := rapid.SliceOfN(texts, 1, 80).Draw(rt, "text")
		text := strings.Join(parts, rapid.SampledFrom([]string{" ", ", ", "\n"}).Draw(rt, "between"))
		phrases := phrasesOf(rapid.SampledFrom(parts).Draw(rt, "asked"), nil)
		if len(phrases) == 0 {
			return
		}
		line, marks := snippet(text, phrases)
		if len(marks) == 0 {
			rt.Fatalf("no mark for %v in %q", phrases, line)
		}
		for _, s := range marks {
			marked := wordsOf(line[s.From:s.To])
			ok := slices.ContainsFunc(phrases, func(p phrase) bool {
				return slices.ContainsFunc(marked, func(w word) bool { return strings.HasPrefix(w.text, p.words[0]) })
			})
			if !ok {
				rt.Fatalf("%q is marked for %v in %q", line[s.From:s.To], phrases, line)
			}
		}
	})
}
