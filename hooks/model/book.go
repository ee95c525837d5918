package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"quipu/repo"
)

// maxLine is how long a line of the book may be; ours have some 200 bytes.
const maxLine = 64 << 10

// book is the file that uses are kept in, a JSON object a line, in the order in which
// calls ended. Several processes add to it: each adds with one write, and each reads
// on from where it was to know what a month has used.
type book struct {
	path string

	mu    sync.Mutex
	read  os.FileInfo // the file as it was last read; nil before
	at    int64       // up to where it was read: whole lines alone
	month string      // that sum is of, as 2026-01
	sum   spent
}

// spent is what calls used.
type spent struct {
	cost   float64
	tokens int
}

// add keeps one use.
func (b *book) add(u Use) (err error) {
	line, err := json.Marshal(u)
	if err != nil {
		return err
	}
	f, err := b.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if torn(f) {
		line = append([]byte("\n"), line...)
	}
	_, err = f.Write(append(line, '\n'))
	return err
}

func (b *book) open() (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(b.path), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(b.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
}

// torn says whether the file ends within a line: a process was killed as it wrote.
func torn(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

// admit says whether a month's limits leave room for a call: ErrLimit. While there is
// a limit, a book that cannot be read or added to is an ErrFailed: nobody would know
// when the limit is reached.
func (b *book) admit(limit repo.UsageConfig, now time.Time) error {
	if limit == (repo.UsageConfig{}) {
		return nil
	}
	f, err := b.open()
	if err == nil {
		err = f.Close()
	}
	var used spent
	if err == nil {
		used, err = b.spent(now)
	}
	if err != nil {
		return failed("there is a monthly limit, and what is used cannot be counted")
	}
	if limit.MonthlyCost > 0 && used.cost >= limit.MonthlyCost {
		return &failure{is: ErrLimit, text: fmt.Sprintf("%s: %.2f of %.2f is spent", ErrLimit, used.cost, limit.MonthlyCost)}
	}
	if limit.MonthlyTokens > 0 && used.tokens >= limit.MonthlyTokens {
		return &failure{is: ErrLimit, text: fmt.Sprintf("%s: %d of %d tokens are used", ErrLimit, used.tokens, limit.MonthlyTokens)}
	}
	return nil
}

// spent is what the calendar month of a moment, in UTC, has used. Only what was added
// since the last look is read.
func (b *book) spent(now time.Time) (spent, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	month := monthOf(now)
	info, err := os.Stat(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		b.read, b.at, b.month, b.sum = nil, 0, month, spent{}
		return b.sum, nil
	}
	if err != nil {
		return spent{}, err
	}
	grown := b.read != nil && os.SameFile(b.read, info) && b.month == month && info.Size() >= b.read.Size()
	same := grown && info.Size() == b.read.Size()
	switch {
	case same && info.ModTime().Equal(b.read.ModTime()):
		return b.sum, nil
	case !grown || same: // another month or another file, or one that was written over
		b.at, b.month, b.sum = 0, month, spent{}
	}
	b.read = nil // until it was read to its end
	at, _, err := b.each(b.at, func(u Use) {
		if monthOf(u.At) == month {
			b.sum.add(u)
		}
	})
	if err != nil {
		return spent{}, err
	}
	b.read, b.at = info, at
	return b.sum, nil
}

func monthOf(t time.Time) string { return t.UTC().Format("2006-01") }

func (s *spent) add(u Use) {
	s.tokens += tokens(int64(u.In), int64(u.Out))
	if u.Cost != nil {
		s.cost += max(0, *u.Cost)
	}
}

// each gives the uses from a place in the file on, and tells up to where whole lines
// went and how many of them were none of ours.
func (b *book) each(from int64, fn func(Use)) (to int64, foreign int, err error) {
	info, err := os.Stat(b.path)
	if err != nil {
		return from, 0, err
	}
	if !info.Mode().IsRegular() {
		return from, 0, errors.New(filepath.Base(b.path) + " is no plain file")
	}
	f, err := os.Open(b.path)
	if err != nil {
		return from, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewReaderSize(io.NewSectionReader(f, from, 1<<62), maxLine)
	for to = from; ; {
		line, err := lines.ReadSlice('\n')
		n, long := len(line), false
		for errors.Is(err, bufio.ErrBufferFull) {
			long = true
			line, err = lines.ReadSlice('\n')
			n += len(line)
		}
		if errors.Is(err, io.EOF) {
			return to, foreign, nil // what follows the last end of a line may still be written
		}
		if err != nil {
			return to, foreign, err
		}
		to += int64(n)
		if u, ok := parseUse(line); ok && !long {
			fn(u)
		} else if long || len(bytes.TrimSpace(line)) > 0 {
			foreign++
		}
	}
}

func parseUse(line []byte) (Use, bool) {
	var u Use
	err := json.Unmarshal(line, &u)
	return u, err == nil && !u.At.IsZero() && u.Engine != ""
}
