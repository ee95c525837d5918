package markdown

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// table numbers texts, so that two sequences are compared by numbers.
type table map[string]rune

func (t table) number(text string) rune {
	n, ok := t[text]
	if !ok {
		n = rune(len(t) + 1)
		t[text] = n
	}
	return n
}

func (t table) units(units []Unit) []rune {
	numbers := make([]rune, len(units))
	for i := range units {
		n, ok := t[string(units[i].Raw)] // looked up without a copy
		if !ok || bytes.IndexByte(units[i].Raw, '\r') >= 0 {
			n = t.number(units[i].key())
		}
		numbers[i] = n
	}
	return numbers
}

// gap is a region that differs: a[a0:a1] became b[b0:b1].
type gap struct{ a0, a1, b0, b1 int }

// align returns the regions where a and b differ, in order. What both have only
// once and in the same order holds the two together; between such anchors the
// longest common subsequence decides, which alone gives up on large changes.
func align(a, b []rune) []gap {
	lead := 0
	for lead < min(len(a), len(b)) && a[lead] == b[lead] {
		lead++
	}
	a, b = a[lead:], b[lead:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var gaps []gap
	x, y := 0, 0
	for _, anchor := range append(anchors(a, b), [2]int{len(a), len(b)}) {
		for _, d := range between(a[x:anchor[0]], b[y:anchor[1]]) {
			gaps = joined(gaps, gap{lead + x + d.Start, lead + x + d.End, lead + y + d.ReplStart, lead + y + d.ReplEnd})
		}
		x, y = anchor[0]+1, anchor[1]+1
	}
	return gaps
}

// between spares the library, which sets up tables for each call, the easy cases.
func between(a, b []rune) []lcs.Diff {
	switch {
	case len(a) == 0 && len(b) == 0:
		return nil
	case len(a) == 0 || len(b) == 0:
		return []lcs.Diff{{End: len(a), ReplEnd: len(b)}}
	default:
		return lcs.DiffRunes(a, b)
	}
}

func joined(gaps []gap, g gap) []gap {
	if n := len(gaps); n > 0 && gaps[n-1].a1 == g.a0 && gaps[n-1].b1 == g.b0 {
		gaps[n-1].a1, gaps[n-1].b1 = g.a1, g.b1
		return gaps
	}
	return append(gaps, g)
}

// anchors returns the pairs of places of what stands exactly once in a and once
// in b: the longest run of them that ascends on both sides.
func anchors(a, b []rune) [][2]int {
	type place struct{ inA, inB, a, b int }
	seen := map[rune]*place{}
	for i, n := range a {
		p := seen[n]
		if p == nil {
			p = &place{}
			seen[n] = p
		}
		p.inA++
		p.a = i
	}
	for i, n := range b {
		if p := seen[n]; p != nil {
			p.inB++
			p.b = i
		}
	}
	var pairs [][2]int
	for _, n := range a {
		if p := seen[n]; p.inA == 1 && p.inB == 1 {
			pairs = append(pairs, [2]int{p.a, p.b})
		}
	}
	return ascending(pairs)
}

// ascending returns a longest subsequence of pairs, which ascend by their first
// number, that ascends by the second too.
func ascending(pairs [][2]int) [][2]int {
	tails := make([]int, 0, len(pairs)) // index of the pair that ends a run of each length
	before := make([]int, len(pairs))
	for i, pair := range pairs {
		at, _ := slices.BinarySearchFunc(tails, pair[1], func(k, want int) int { return cmp.Compare(pairs[k][1], want) })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
		} else {
			tails[at] = i
		}
	}
	run := make([][2]int, len(tails))
	if len(tails) == 0 {
		return run
	}
	for i, k := len(tails)-1, tails[len(tails)-1]; i >= 0; i, k = i-1, before[k] {
		run[i] = pairs[k]
	}
	return run
}

// matches returns for each element of a its place in b, -1 where it has none.
func matches(n int, gaps []gap) []int {
	match := make([]int, n)
	i, j := 0, 0
	for _, g := range append(gaps, gap{n, n, 0, 0}) {
		for ; i < g.a0; i, j = i+1, j+1 {
			match[i] = j
		}
		for ; i < g.a1; i++ {
			match[i] = -1
		}
		j = g.b1
	}
	return match
}
