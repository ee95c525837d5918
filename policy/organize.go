package policy

import (
	"encoding/json"
	"strings"

	"quipu/markdown"
)

const (
	maxOffered = 60 // statements that are offered for filing at once
	maxMoves   = 20 // entries that one pass files
	maxAliases = 8  // other words for a topic that a model may give at once
	staleDays  = 14 // from which a work log that did not change is stale
)

// Unfiled returns the entries of MEMORY.md that may be detail about a subject, at most
// 60: those that hold and were not judged before. Health and safety and the rules that
// the person gave are never among them.
func Unfiled(memory []byte, judged func(Statement) bool, today markdown.Date) []Statement {
	var list []Statement
	for _, u := range markdown.Parse(MemoryFile, memory).Units() {
		if u.Entry == nil || !holdsOn(*u.Entry, today) || IsHealth(u.Entry.Text) || IsRule(u.Entry.Text) {
			continue
		}
		if s := statement(MemoryFile, u); !judged(s) {
			list = append(list, s)
		}
		if len(list) == maxOffered {
			break
		}
	}
	return list
}

// Stale reports whether a statement was noted more than two weeks ago. A work log is
// asked about once more when it is.
func (s Statement) Stale(today markdown.Date) bool { return s.Date.AddDays(staleDays).Before(today) }

// Move is where a model would file a statement.
type Move struct {
	Index   int
	Topic   string
	Aliases []string
}

// ParseMoves reads the answer {"moves":[{"i","topic","aliases"?}]} about count
// statements. One malformed move voids the answer: a model that miscounts may have
// meant another line everywhere. Of two moves of one statement the first counts.
func ParseMoves(answer string, count int) ([]Move, error) {
	list, err := answered(answer, "moves")
	if err != nil {
		return nil, err
	}
	moves := []Move{}
	seen := map[int]bool{}
	for _, raw := range list {
		var m struct {
			I       json.RawMessage
			Topic   string
			Aliases []string
		}
		if json.Unmarshal(raw, &m) != nil {
			return nil, errAnswer
		}
		i, ok := placeOf(m.I, count)
		if !ok || strings.TrimSpace(m.Topic) == "" {
			return nil, errAnswer
		}
		if !seen[i] {
			seen[i] = true
			moves = append(moves, Move{Index: i, Topic: m.Topic, Aliases: m.Aliases})
		}
	}
	return moves, nil
}

// Filing is what moves come to.
type Filing struct {
	Steps []Step
	Core  []Statement // not moved: judged to belong where they are
	Left  int         // not filed now and asked about again: no topic may have that name, or too many moves
}

// PlanMoves plans to file statements under topics, at most 20. A topic that exists
// under a name that differs only in case is that topic.
func PlanMoves(list []Statement, moves []Move, topics []string) Filing {
	var out Filing
	moved := map[int]bool{}
	for _, m := range moves {
		moved[m.Index] = true
		path, ok := topicFor(m.Topic, topics)
		if !ok || len(out.Steps) == maxMoves {
			out.Left++
			continue
		}
		s := list[m.Index]
		out.Steps = append(out.Steps, Step{
			Op: OpFile, Path: s.Path, Line: s.Line, Raw: s.Raw, To: path, Aliases: m.Aliases[:min(len(m.Aliases), maxAliases)],
		})
	}
	for i, s := range list {
		if !moved[i] {
			out.Core = append(out.Core, s)
		}
	}
	return out
}

// topicFor returns the file of a topic that a model named, one that exists before a
// new one.
func topicFor(name string, topics []string) (string, bool) {
	path, err := TopicFile(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), ".md"))
	if err != nil {
		return "", false
	}
	for _, have := range topics {
		if isTopic(have) && SameName(have, path) {
			return have, true
		}
	}
	return path, true
}
