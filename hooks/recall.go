package hooks

import (
	"context"

	"quipu/repo"
)

// Recalled is what a message recalls.
type Recalled struct {
	Block           string // to stand before the message; "" when nothing is recalled
	Notes, Passages []Recollection
	Why             []Why
	Words           []string // of the message, folded, by which was looked
	Silence         Silence  // why nothing is recalled
}

// Silence is why a message recalls nothing; "" where it recalls something.
type Silence string

// The reasons for which a message recalls nothing.
const (
	SilentOff      Silence = "off"     // automatic recall is switched off for every bot
	SilentMemory   Silence = "memory"  // memory is switched off for this bot
	SilentShort    Silence = "short"   // it says too little
	SilentWordless Silence = "words"   // it has no word that says anything
	SilentNothing  Silence = "nothing" // nothing was found
)

// Recollection is one numbered piece of the block.
type Recollection struct {
	Label   string `json:"label"`
	Path    string `json:"path,omitempty"` // of a note's file
	Line    int    `json:"line,omitempty"`
	Layer   string `json:"layer,omitempty"` // "room" or "member NAME"; "" for the bot's own notes
	Date    string `json:"date"`            // YYYY-MM-DD, "" for undated
	Text    string `json:"text"`
	Change  string `json:"change,omitempty"` // that wrote it
	Private bool   `json:"private"`
}

// Why says what brought a piece up, so that a wrong answer leads back to its entry.
type Why struct {
	Label  string   `json:"label"`
	Words  []string `json:"words"`
	Score  float64  `json:"score"`
	Change string   `json:"change,omitempty"`
}

// Recall finds the notes and, in a chat that its speaker began, the passages of the
// same person's other conversations that a message brings up. A room, a routine and a
// turn that something else began recall notes only: the bot's own, and those of the layers
// that the turn reads. It gives nothing when automatic
// recall or the bot's memory is switched off. Each recall is logged, without its text.
func (t *Turns) Recall(ctx context.Context, bot repo.ID, message string, c repo.Conversation, s repo.Speaker) (Recalled, error) {
	if !t.store.Config().AutoRecall() {
		return Recalled{Silence: SilentOff}, nil
	}
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return Recalled{}, err
	}
	var mayRead func(repo.Conversation) bool
	if a := askerOf(c, s); a.private(c) {
		mayRead = func(other repo.Conversation) bool {
			return other.ID != c.ID && other.Kind == repo.DirectChat && other.Room == nil && other.StartedBy == a.viewer
		}
	}
	layers := t.layersOf(ctx, bot, c, s)
	found, err := ws.Recall(ctx, message, mayRead, layers...)
	if err != nil {
		return Recalled{}, err
	}
	out := Recalled{Block: found.Block, Notes: []Recollection{}, Passages: []Recollection{}, Why: []Why{}}
	out.Words, out.Silence = t.heard(bot, message, found.Block)
	for _, p := range found.Notes {
		r := Recollection{Label: p.Label, Path: p.Path, Date: p.Date.String(), Text: p.Text}
		from := ws
		if p.Pool > 0 {
			from, r.Layer = layers[p.Pool-1].Notes, t.label(bot, layers[p.Pool-1])
		}
		if len(p.Hits) > 0 {
			r.Line = p.Hits[0].Line
			r.Change, err = from.TaughtBy(ctx, p.Path, r.Line)
			if err != nil {
				t.log.Warn("a recalled note's change is not known", "bot", string(bot), "err", err)
			}
			out.Why = append(out.Why, Why{Label: p.Label, Words: append(p.Hits[0].Words, p.Hits[0].Named...), Score: p.Hits[0].Score, Change: r.Change})
		}
		out.Notes = append(out.Notes, r)
	}
	for _, p := range found.Passages {
		out.Passages = append(out.Passages, Recollection{Label: p.Label, Date: p.Date.String(), Text: p.Text})
		if len(p.Hits) > 0 {
			out.Why = append(out.Why, Why{Label: p.Label, Words: p.Hits[0].Words, Score: p.Hits[0].Score})
		}
	}
	if out.Block != "" {
		t.log.Info("auto-recall", "bot", string(bot), "notes", len(out.Notes), "passages", len(out.Passages))
	}
	return out, nil
}

// heard gives the words by which a message recalls, and why it recalls nothing where the
// block is empty.
func (t *Turns) heard(bot repo.ID, message, block string) ([]string, Silence) {
	words, short := repo.RecallWords(message)
	switch {
	case !t.store.Config().MemoryOn(bot):
		return nil, SilentMemory
	case short:
		return nil, SilentShort
	case len(words) == 0:
		return nil, SilentWordless
	case block == "":
		return words, SilentNothing
	}
	return words, ""
}
