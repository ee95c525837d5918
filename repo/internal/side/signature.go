package side

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"hash/crc32"
)

// A signature says which pairs and triples of bytes can occur in what a search for words
// looks through of one change: a bit each, by their hash. A change whose signature lacks
// a bit of a word does not hold the word; one that has them all may, and is read. The
// text itself cannot be told from it, and it goes with the change that it is of. A byte
// holds seven bits under a set one: no word in Latin letters stands in it by chance, where
// somebody looks for what was erased.
type signature [sigBytes]byte

const (
	sigBytes   = 512
	byteBits   = 7
	pairBits   = 1024                         // of the bits, for pairs: words of two letters are searched for, too
	tripleBits = sigBytes*byteBits - pairBits // for triples
	blockSize  = 7                            // changes whose signatures stand in one row: what fits into a page of the file
)

// said is what a search looks through beside the diffs.
func said(c Change) string { return c.Subject + "\n" + c.Source }

func newSignature() *signature {
	var s signature
	for i := range s {
		s[i] = 1 << byteBits
	}
	return &s
}

// note adds a text.
func (s *signature) note(text string) {
	for _, bit := range grams(fold(text)) {
		s[bit/byteBits] |= 1 << (bit % byteBits)
	}
}

// grams are the bits of a folded text.
func grams(text string) []uint16 {
	const spread = 0x9E3779B1 // 2^32 over the golden ratio: near texts land far apart
	out := make([]uint16, 0, 2*len(text))
	for i := 1; i < len(text); i++ {
		pair := uint32(text[i-1])<<8 | uint32(text[i])
		out = append(out, uint16(tripleBits+(pair*spread)>>22)) //nolint:gosec // ten bits
		if i > 1 {
			triple := uint32(text[i-2])<<16 | pair
			out = append(out, uint16(uint64(triple*spread)*tripleBits>>32)) //nolint:gosec // below tripleBits
		}
	}
	return out
}

// block is the signatures of up to blockSize changes on end.
type block []byte

func blockOf(pos int64) (number int64, at int) {
	return (pos - 1) / blockSize, int((pos-1)%blockSize) * sigBytes
}

// add puts the signature of the change at pos behind the others, and keeps a block that
// is full.
func (b *block) add(ctx context.Context, t *tables, pos int64, s *signature) (err error) {
	number, at := blockOf(pos)
	if len(*b) != at { // the first change of a batch goes on where the last one ended
		if *b, err = t.block(ctx, number); err != nil {
			return err
		}
	}
	*b = append((*b)[:at], s[:]...)
	if len(*b) < blockSize*sigBytes {
		return nil
	}
	err = b.keep(ctx, t, pos)
	*b = nil
	return err
}

// keep writes the block of the change at pos.
func (b *block) keep(ctx context.Context, t *tables, pos int64) error {
	if len(*b) == 0 {
		return nil
	}
	number, _ := blockOf(pos)
	return t.exec(ctx, "INSERT OR REPLACE INTO gram VALUES (?, ?, ?)", number, crc32.ChecksumIEEE(*b), []byte(*b))
}

// block reads one block. ErrBroken when it is not whole.
func (t *tables) block(ctx context.Context, number int64) (b block, err error) {
	err = t.blocks(ctx, "WHERE block = ?", []any{number}, func(_ int64, bits []byte) { b = bytes.Clone(bits) })
	return b, err
}

func (t *tables) blocks(ctx context.Context, which string, args []any, visit func(number int64, bits []byte)) error {
	return t.each(ctx, "SELECT block, crc, bits FROM gram "+which, args, func(scan func(...any) error) error {
		var number int64
		var crc uint32
		var bits sql.RawBytes
		err := scan(&number, &crc, &bits)
		if err == nil && (crc32.ChecksumIEEE(bits) != crc || len(bits)%sigBytes != 0) {
			err = fmt.Errorf("%w: block %d is not as it was written", ErrBroken, number)
		}
		visit(number, bits)
		return err
	})
}

// cutBlocks takes the signatures above pos out.
func (t *tables) cutBlocks(ctx context.Context, pos int64) error {
	number, at := blockOf(pos + 1)
	b, err := t.block(ctx, number)
	if err != nil {
		return err
	}
	if err := t.exec(ctx, "DELETE FROM gram WHERE block >= ?", number); err != nil {
		return err
	}
	b = b[:min(at, len(b))]
	return b.keep(ctx, t, pos)
}

// candidates gives, newest first, the positions below before (0: all) whose signatures
// have all the bits, of some blocks; next is where to go on, 0 at the end.
func (t *tables) candidates(ctx context.Context, before int64, bits []uint16) (found []int64, next int64, err error) {
	const stretch = 300 // blocks at a time: 2,100 changes
	if before == 0 {
		if before, err = t.last(ctx); err != nil {
			return nil, 0, err
		}
		before++
	}
	top, _ := blockOf(before - 1)
	err = t.blocks(ctx, "WHERE block <= ? ORDER BY block DESC LIMIT ?", []any{top, stretch}, func(number int64, signs []byte) {
		next = number*blockSize + 1
		for i := len(signs)/sigBytes - 1; i >= 0; i-- {
			if pos := next + int64(i); pos < before && hasAll(signs[i*sigBytes:], bits) {
				found = append(found, pos)
			}
		}
	})
	if next <= 1 {
		next = 0
	}
	return found, next, err
}

func hasAll(sign []byte, bits []uint16) bool {
	for _, bit := range bits {
		if sign[bit/byteBits]&(1<<(bit%byteBits)) == 0 {
			return false
		}
	}
	return true
}
