package repo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"quipu/policy"
)

// never are the lists of what must not be learned that hold for a workspace: its
// own, the person's and, for a layer, its bot's.
type never struct {
	own, person, bot policy.Never
}

func (n never) blocks(text string) bool {
	return n.own.Blocks(text) || n.person.Blocks(text) || n.bot.Blocks(text)
}

// without takes the notes that the lists block out of a text.
func (n never) without(text []byte) ([]byte, int) {
	if n.empty() {
		return text, 0
	}
	text, a := policy.Without(text, n.own)
	text, b := policy.Without(text, n.person)
	text, c := policy.Without(text, n.bot)
	return text, a + b + c
}

func (n never) empty() bool { return n.own.Len()+n.person.Len()+n.bot.Len() == 0 }

// never reads the lists; with the list switched off they are empty.
func (v *view) never(ctx context.Context) (never, error) {
	var n never
	if !v.w.store.Config().NeverLearn() {
		return n, nil
	}
	l, err := v.ledger()
	if err != nil {
		return n, err
	}
	n.own = l.Never()
	if v.w.id == meID {
		return n, nil
	}
	if bot, err := v.w.bot(); err != nil {
		return n, err
	} else if bot != nil {
		of, err := bot.ledgerNow()
		if err != nil {
			return n, err
		}
		n.bot = of.Never()
	}
	me, err := v.w.store.Me(ctx, "")
	if errors.Is(err, ErrNotFound) {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	about, err := me.ledgerNow()
	n.person = about.Never()
	return n, err
}

// listNever gives the events that put phrases on the ledger's list; none when the list is
// switched off.
func (v *view) listNever(phrases []policy.Phrase, id ChangeID, by Author) ([]policy.Event, error) {
	if !v.w.store.Config().NeverLearn() {
		return nil, nil
	}
	l, err := v.ledger()
	if err != nil {
		return nil, err
	}
	salt, err := policy.NewSalt(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("new salt: %w", err)
	}
	return l.Never().Add(phrases, string(id), by.String(), v.at, salt), nil
}

// Forgotten gives what tells whether a text mentions something that was forgotten at a
// time or later, and that may still not be learned.
func (w *Workspace) Forgotten(since time.Time) (func(text string) bool, error) {
	l, err := w.ledgerNow()
	if err != nil {
		return nil, err
	}
	never := l.Never()
	return func(text string) bool { return never.Mentions(text, since.Truncate(time.Second)) }, nil
}

// takeOverNever adds to this ledger what another one lists because a person asked
// for it, and takes out of About me what that names: the second half of a forget
// that was cut short.
func (w *Workspace) takeOverNever(ctx context.Context, from policy.Ledger) error {
	mine, err := w.ledgerNow()
	if err != nil || len(mine.Lacks(from, string(Person))) == 0 {
		return err
	}
	_, err = w.change(ctx, Meta{Author: Author{Kind: Upkeep}, Action: ActForget, Via: ViaDisk}, func(v *view) (draft, error) {
		l, err := v.ledger()
		if err != nil {
			return draft{}, err
		}
		events := l.Lacks(from, string(Person))
		if len(events) == 0 {
			return draft{}, nil
		}
		ledger := l.Append(events...)
		about, _, err := v.file(policy.AboutFile)
		if err != nil {
			return draft{}, err
		}
		full, _ := policy.ParseLedger(ledger)
		left, n := policy.Without(about, full.Never())
		d := draft{subject: fmt.Sprintf("%d notes", n)}
		if n > 0 {
			d.files = append(d.files, fileText{path: policy.AboutFile, text: left})
		}
		d.files = append(d.files, fileText{path: policy.LedgerFile, text: ledger})
		return d, nil
	})
	return err
}
