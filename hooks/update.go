package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// Behalf is on whose behalf a bot acts: what its turn says, and nothing that the bot
// says itself.
type Behalf struct {
	Meta   repo.Meta
	person bool // the owner, in a chat of their own that is under way, began it in their own words
	asks   bool // and those words ask to keep something in mind
	owner  bool // what was said is the owner's own
	said   string
	chat   string // the conversation
}

// names reports whether the person's own words name what is to be forgotten. Only that
// is erased for good: a bot could call for more than its person asked.
func (by Behalf) names(words []string) bool {
	phrases, err := policy.ParsePhrases(words)
	return by.person && err == nil && !slices.ContainsFunc(phrases, func(p policy.Phrase) bool { return !p.In(by.said) })
}

// messages are the owner's latest in the chat of a turn that they began, the newest last,
// without what the host put into them.
func (t *Turns) messages(ctx context.Context, bot repo.ID, by Behalf) ([]string, error) {
	if !by.owner || strings.TrimSpace(by.said) == "" {
		return nil, nil
	}
	said, err := t.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return nil, err
	}
	list, err := said.OwnersLast(ctx, string(bot), by.chat, policy.ReviewWindow)
	if err != nil {
		return nil, repo.TurnError(err)
	}
	for i := range list {
		list[i] = policy.WithoutFrames(list[i], injected())
	}
	return list, nil
}

// Behalf looks a turn up; without one, "", the bot acts alone, by the way that via names. A
// turn that has ended still says where a fact is from, but nobody waits behind it any more.
// ErrNotFound for a turn that this bot does not have, ErrConflict for one that was ended.
func (t *Turns) Behalf(ctx context.Context, bot repo.ID, turn string, via repo.Via) (Behalf, error) {
	if turn == "" {
		return Behalf{Meta: repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: string(bot)}, Via: via, Source: string(via)}}, nil
	}
	opened, err := t.Of(ctx, bot, turn)
	if err != nil {
		return Behalf{}, err
	}
	by := Behalf{Meta: repo.MetaOf(bot, opened), said: opened.Message, chat: opened.Conversation.ID}
	by.person = opened.Open() && opened.Speaker.By == repo.ByOwner && opened.Conversation.Kind == repo.DirectChat &&
		opened.Conversation.Room == nil && strings.TrimSpace(opened.Message) != ""
	by.owner = opened.Speaker.By == repo.ByOwner
	by.asks = by.person && policy.AsksToRemember(opened.Message)
	return by, nil
}

// Of finds a turn of this bot; another bot's is as unknown as one that never was.
func (t *Turns) Of(ctx context.Context, bot repo.ID, turn string) (repo.Turn, error) {
	said, err := t.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return repo.Turn{}, err
	}
	opened, err := said.Get(ctx, string(bot), turn)
	switch err = repo.TurnError(err); {
	case errors.Is(err, repo.ErrNotFound):
		err = repo.Meaning(repo.ErrNotFound, "no such turn")
	case errors.Is(err, repo.ErrConflict):
		err = repo.Meaning(repo.ErrConflict, "this turn has ended")
	}
	return opened, err
}

// The actions of a bot beside those of policy.Update.
const (
	Forget policy.Action = "forget"
	Prefer policy.Action = "prefer"
)

// Asked is what a bot asks to change in its memory.
type Asked struct {
	policy.Update          // its action may be Forget and Prefer, too; its source is not believed
	Words         []string // of Forget: phrases that must all occur in a note
	Confirm       bool     // of Forget: also many notes, and words that carry no subject
	KeepHistory   bool     // of Forget
	Turn          string   // in which the bot acts; "" is none
	Layer         string   // LayerRoom or LayerSpeaker of that turn; "" is the bot's own notes
	Via           repo.Via // how it comes, outside a turn
	// Wait is how long a forget waits for the history to be rewritten before that goes on in
	// the background.
	Wait time.Duration
}

// Updated is what became of it, as a bot reads it.
type Updated struct {
	OK        bool           `json:"ok"`
	Entry     string         `json:"entry,omitempty"`
	Moved     []string       `json:"moved"`
	Truncated bool           `json:"truncated"`
	Removed   *int           `json:"removed,omitempty"` // by forget: how many notes went, never which
	Erased    *int           `json:"erased,omitempty"`  // by forget: how many copies went from the history and from what was said
	Known     bool           `json:"known,omitempty"`
	Kept      string         `json:"kept,omitempty"`
	Retired   []string       `json:"retired,omitempty"`   // notes that the new one took the place of
	Conflicts []string       `json:"conflicts,omitempty"` // notes that speak against it and stay
	Change    *repo.ChangeID `json:"change"`              // null when nothing was written
	Skipped   bool           `json:"skipped,omitempty"`   // its review did not bear it out; nothing was saved, and nobody need be asked
	Message   string         `json:"message"`
}

// Update changes a bot's memory as the bot asks. Without a turn nobody's own words stand
// behind it, so About me is out of its reach. Beside the errors of repo's Update, Forget
// and Prefer: ErrOff, ErrRefused for a preference outside a turn of the owner's own and for
// a layer that the turn does not have, those of Behalf.
func (t *Turns) Update(ctx context.Context, bot repo.ID, a Asked) (Updated, error) {
	var out Updated
	if !t.store.Config().MemoryOn(bot) {
		return out, repo.Meaning(repo.ErrOff, "memory is switched off for this bot")
	}
	ws, err := t.store.Open(ctx, bot)
	if err != nil {
		return out, err
	}
	by, err := t.Behalf(ctx, bot, a.Turn, a.Via)
	if err != nil {
		return out, err
	}
	if a.Layer != "" {
		if ws, err = t.layerFor(ctx, bot, a); err != nil {
			return out, err
		}
	}
	var receipt repo.Receipt
	switch a.Action {
	case Prefer:
		receipt, err = t.prefer(ctx, bot, by, a.Text)
		out.Message = updateMessage(policy.Append, receipt)
	case Forget:
		f, err := ws.Forget(ctx, by.Meta, repo.Forgetting{
			Words: a.Words, Confirm: a.Confirm, About: by.person, Erase: !a.KeepHistory && by.names(a.Words), Wait: a.Wait,
		})
		if err != nil {
			return out, err
		}
		receipt, out.Removed, out.Message = f.Receipt, new(f.Notes+f.About), forgotten(f)
		if f.Erased != nil && !f.Erased.Pending {
			out.Erased = new(f.Erased.Copies + f.Erased.Notes + f.Erased.Said)
		}
	default:
		a.Source = cmp.Or(by.Meta.Source, string(a.Via))
		receipt, err = t.learn(ctx, ws, by, a.Update)
		if errors.Is(err, errSkipped) {
			return Updated{OK: true, Skipped: true, Moved: []string{}, Message: "skipped: nothing was saved"}, nil
		}
		out.Message = updateMessage(a.Action, receipt)
	}
	if err != nil {
		return Updated{}, err
	}
	out.take(receipt)
	out.Truncated = t.truncated(ctx, ws, receipt)
	return out, nil
}

// take fills in what a receipt says.
func (out *Updated) take(r repo.Receipt) {
	out.OK, out.Entry, out.Known, out.Kept, out.Moved = true, r.Entry, r.Known, r.Kept, append([]string{}, r.Moved...)
	out.Retired, out.Conflicts = r.Retired, r.Conflicts
	if r.Change != "" {
		out.Change = &r.Change
	}
}

// truncated says whether the end of MEMORY.md does not load by now.
func (t *Turns) truncated(ctx context.Context, ws *repo.Workspace, receipt repo.Receipt) bool {
	now, err := ws.Read(ctx, policy.MemoryFile)
	if err != nil {
		t.log.WarnContext(ctx, "the change is made; how full the memory is cannot be told", "bot", ws.ID(), "err", err)
		return receipt.Truncated
	}
	return t.store.Config().Limits().Measure([]byte(now.Text)).Truncated
}

// learn runs an update of the notes, with what the turn says of it, or gives errSkipped. What
// the person had forgotten is learned again when they ask for it themselves: that change is
// then the person's.
func (t *Turns) learn(ctx context.Context, ws *repo.Workspace, by Behalf, u policy.Update) (receipt repo.Receipt, err error) {
	bot, _, _ := ws.ID().Layer()
	bot = cmp.Or(bot, ws.ID())
	u.Asked = by.asks
	if t.store.Config().RulesIn(bot).Hears() {
		if u.Said, err = t.messages(ctx, bot, by); err != nil {
			return receipt, err
		}
	}
	if err := t.reviewed(ctx, bot, &u); err != nil {
		return receipt, err
	}
	receipt, err = ws.Update(ctx, by.Meta, u)
	if by.asks && errors.Is(err, repo.ErrRefused) {
		by.Meta.Author = t.owner()
		return ws.Update(ctx, by.Meta, u)
	}
	return receipt, err
}

func (t *Turns) owner() repo.Author {
	return repo.Author{Kind: repo.Person, Name: t.store.Config().PersonName()}
}

// prefer adds a preference to About me, in a turn of the owner's own.
func (t *Turns) prefer(ctx context.Context, bot repo.ID, by Behalf, text string) (repo.Receipt, error) {
	if !by.person {
		return repo.Receipt{}, repo.Meaning(repo.ErrRefused, "a preference goes into About me only in a turn whose own person asked for it: send turn")
	}
	if _, err := policy.Preference(text); err != nil {
		return repo.Receipt{}, err
	}
	me, err := t.store.MakeMe(ctx, "")
	if err != nil {
		return repo.Receipt{}, err
	}
	if by.asks {
		by.Meta.Author = t.owner()
	}
	return me.Prefer(ctx, by.Meta, cmp.Or(t.store.Config().Bots[bot].Name, string(bot)), text)
}

// updateMessage is one line that a bot can pass on, with what it has to know besides.
func updateMessage(action policy.Action, receipt repo.Receipt) string {
	text := map[policy.Action]string{
		policy.Append: "noted", policy.Replace: "changed", policy.Remove: "taken out", policy.Supersede: "noted in place of what was struck",
	}[action]
	switch {
	case receipt.Known:
		text = "already known"
	case receipt.Change == "":
		text = "nothing to change"
	}
	for _, note := range receipt.Retired {
		text += fmt.Sprintf(". No longer so, and taken out: %q", note)
	}
	for _, note := range receipt.Conflicts {
		text += fmt.Sprintf(". This still says otherwise: %q", note)
	}
	if receipt.Message != "" {
		text += ". " + receipt.Message
	}
	return text
}

// forgotten says what became of a forget, and names neither files nor notes.
func forgotten(f repo.Forgotten) string {
	text := "no note mentions it"
	switch n := f.Notes + f.About; {
	case n == 1:
		text = "forgot 1 note"
	case n > 1:
		text = fmt.Sprintf("forgot %d notes", n)
	}
	switch {
	case f.Erased != nil && f.Erased.Pending:
		text += "; the history and what was said before follow in the background, and it cannot be undone"
	case f.Erased != nil:
		text += "; it is out of the history and of what was said before, too, and cannot be undone"
	case f.Notes+f.About > 0:
		text += "; the history still holds it"
	}
	if n := len(f.Left); n > 0 {
		text += fmt.Sprintf("; the words still stand in headings (%d)", n)
	}
	if f.Listed {
		text += "; it will not be learned again unless the person asks for it"
	}
	return text
}
