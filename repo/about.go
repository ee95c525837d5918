package repo

import (
	"context"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
)

// meID is the workspace of About me: what every bot knows of the owner.
const meID ID = "@me"

// aboutSeed is what About me begins with.
const aboutSeed = "# About me\n"

func aboutID(person string) (ID, error) {
	if person == "" {
		return meID, nil
	}
	if len(person) > policy.MaxSubjectID {
		return "", wrapf(ErrInvalid, "a person's id has 1 to %d bytes", policy.MaxSubjectID)
	}
	return meID + "-" + ID(encoded(person)), nil
}

// Me gives the workspace of About me: the owner's for person "", else that
// person's. Reading never makes one: ErrNotFound.
func (s *Store) Me(ctx context.Context, person string) (*Workspace, error) {
	id, err := aboutID(person)
	if err != nil {
		return nil, err
	}
	return s.openAny(ctx, id)
}

// MakeMe is Me for a write: the workspace is made when it is not there.
func (s *Store) MakeMe(ctx context.Context, person string) (*Workspace, error) {
	id, err := aboutID(person)
	if err != nil {
		return nil, err
	}
	return s.makeAny(ctx, id, fileText{path: policy.AboutFile, text: []byte(aboutSeed)})
}

func (s *Store) makeAny(ctx context.Context, id ID, seed fileText) (*Workspace, error) {
	if !s.exists(id) {
		if _, err := s.make(id); err != nil {
			return nil, err
		}
	}
	w, err := s.openAny(ctx, id)
	if err != nil {
		return nil, err
	}
	return w, w.startWith(ctx, seed)
}

// Learn adds facts that a bot learned about the person to About me, one line each,
// as one change. Lines says which; a fact that is there, or that was removed or
// forgotten, is passed over. ErrRefused when About me is full.
func (w *Workspace) Learn(ctx context.Context, m Meta, bot string, texts []string) (lines []string, r Receipt, err error) {
	return w.learn(ctx, m, "", bot, texts)
}

// learn is Learn as a part of the change id, "" for one of its own.
func (w *Workspace) learn(ctx context.Context, m Meta, id ChangeID, bot string, texts []string) (lines []string, r Receipt, err error) {
	if m.Action == "" {
		m.Action = ActPrefer
	}
	r, err = w.change(ctx, m, func(v *view) (draft, error) {
		about, _, err := v.file(policy.AboutFile)
		if err != nil {
			return draft{}, err
		}
		n, err := v.never(ctx)
		if err != nil {
			return draft{}, err
		}
		o := policy.Learn(policy.LearnInput{
			About: about, Bot: bot, Texts: texts, Today: markdown.DateOf(v.at), Never: n.blocks,
		}, v.w.store.redact)
		if o.Full {
			return draft{}, wrapf(ErrRefused, "About me is full: it holds at most %d characters; take something out first", policy.MaxAboutRunes)
		}
		lines = o.Lines
		d := draft{id: id, receipt: Receipt{Redacted: o.Redacted, Known: len(o.Lines) == 0}}
		if len(o.Lines) > 0 {
			d.receipt.Entry = strings.Join(o.Lines, "\n")
			d.files = []fileText{{path: policy.AboutFile, text: withFinalNewline(o.Text)}}
		}
		return d, nil
	})
	return lines, r, err
}

func withFinalNewline(b []byte) []byte {
	if len(b) > 0 && b[len(b)-1] != '\n' {
		return append(slices.Clip(b), '\n')
	}
	return b
}

// Prefer adds one standing preference to About me: one line of at most 300
// characters. The person who asks for it takes what it mentions off the list of
// what must not be learned. ErrInvalid, ErrRefused.
func (w *Workspace) Prefer(ctx context.Context, m Meta, bot, text string) (Receipt, error) {
	text, err := policy.Preference(text)
	if err != nil {
		return Receipt{}, refused(err)
	}
	if m.Author.Kind == Person {
		if err := w.lift(ctx, m, text); err != nil {
			return Receipt{}, err
		}
	}
	_, r, err := w.Learn(ctx, m, bot, []string{text})
	return r, err
}

// lift takes what a text mentions off the list, as a change of its own.
func (w *Workspace) lift(ctx context.Context, m Meta, text string) error {
	m.Action = ActDirective
	_, err := w.change(ctx, m, func(v *view) (draft, error) {
		l, err := v.ledger()
		if err != nil {
			return draft{}, err
		}
		events := l.Never().Lift(text, m.Author.String(), v.at)
		if len(events) == 0 {
			return draft{}, nil
		}
		return draft{subject: "may be learned again", files: []fileText{{path: policy.LedgerFile, text: l.Append(events...)}}}, nil
	})
	return err
}

// Learned lists what bots added to About me, newest first.
func (w *Workspace) Learned(ctx context.Context) ([]policy.Learned, error) {
	t, err := w.Read(ctx, policy.AboutFile)
	if err != nil {
		return nil, err
	}
	return policy.LearnedLines([]byte(t.Text)), nil
}

// RemoveLearned takes one learned line out; the fact is never added again.
// ErrNotFound when there is no such line, as after an edit.
func (w *Workspace) RemoveLearned(ctx context.Context, m Meta, id string) (Receipt, error) {
	m.Action = ActForget
	return w.change(ctx, m, func(v *view) (draft, error) {
		about, _, err := v.file(policy.AboutFile)
		if err != nil {
			return draft{}, err
		}
		text, gone, ok := policy.RemoveLearned(about, id)
		if !ok {
			return draft{}, wrapf(ErrNotFound, "there is no such learned fact")
		}
		d := draft{subject: "1 learned fact", receipt: Receipt{Removed: []string{gone.Line}}}
		d.files = append(d.files, fileText{path: policy.AboutFile, text: text})
		phrases, _ := policy.ParsePhrases([]string{gone.Text})
		if len(phrases) == 0 {
			return d, nil // no word that a list could keep
		}
		d.id, err = v.w.store.change(v.at)
		if err != nil {
			return d, err
		}
		_, err = v.eraseLedger(&d, m, policy.EraseWords(phrases, nil), phrases)
		return d, err
	})
}
