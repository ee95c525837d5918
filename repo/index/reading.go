package index

import "strings"

// mention is one occurrence of a term.
type mention struct {
	term  string
	asked bool
}

// reading is what one pass over a note's text gives.
type reading struct {
	mentions []mention
	signs    signs
	// days are the days that the text names from the note's own date: yesterday,
	// two weeks ago, 2027-03-31.
	days []day
}

// reader reads one note: word by word, with the two words before at hand.
type reader struct {
	*analyser
	text       string
	on         day
	out        *reading
	sentence   int // the first mention of this sentence
	before     [3]seenWord
	start, end int // of the last span
}

type seenWord struct {
	cue cue
	low string // lower-cased, only of words with a cue
}

// read reads a text of language t that was written on a day.
func (a *analyser) read(text string, t tongue, on day, out *reading) {
	r := reader{analyser: a, text: text, on: on, out: out}
	s := scanner{text: text}
	for {
		sp, ok := s.next()
		if !ok {
			break
		}
		r.gap(text[r.end:sp.from])
		raw := text[sp.from:sp.to]
		if sp.kind == dense {
			for _, p := range a.lex.pieces(raw) {
				out.mentions = append(out.mentions, mention{term: p.term})
			}
			r.push(seenWord{})
		} else {
			r.word(raw, sp, t)
			r.joined(sp, t)
		}
		r.start, r.end = sp.from, sp.to
	}
	r.gap(text[r.end:])
	asked := 0
	for _, m := range out.mentions {
		if m.asked {
			asked++
		}
	}
	if asked > 0 {
		out.signs.asked = float32(asked) / float32(len(out.mentions))
	}
}

// joined adds the one word that two make with a hyphen: stand-up, standup.
func (r *reader) joined(sp span, t tongue) {
	if sp.from != r.end+1 || sp.from < 2 || r.text[r.end] != '-' || sp.kind != plain {
		return
	}
	whole := r.text[r.start:r.end] + r.text[sp.from:sp.to]
	for _, term := range r.lexeme(whole, plain, t).terms {
		r.out.mentions = append(r.out.mentions, mention{term: term})
	}
}

// gap ends the sentence if what stands between two words does.
func (r *reader) gap(between string) {
	if between == " " || between == "" {
		return
	}
	if strings.ContainsAny(between, "?？؟") {
		for i := r.sentence; i < len(r.out.mentions); i++ {
			r.out.mentions[i].asked = true
		}
	} else if !strings.ContainsAny(between, ".!\n。！") {
		return
	}
	r.sentence = len(r.out.mentions)
}

func (r *reader) word(raw string, sp span, t tongue) {
	lex := r.lexeme(raw, sp.kind, t)
	for _, term := range lex.terms {
		r.out.mentions = append(r.out.mentions, mention{term: term})
	}
	if isCapital(raw) {
		r.capital(sp.from)
	}
	if sp.kind == signed {
		if d, ok := isoDay(raw); ok {
			r.out.days = append(r.out.days, d)
		}
	}
	seen := seenWord{cue: lex.cue}
	if lex.cue != 0 {
		seen.low = strings.ToLower(raw)
		r.signs(seen)
	}
	r.push(seen)
}

func (r *reader) push(w seenWord) { r.before = [3]seenWord{w, r.before[0], r.before[1]} }

// capital counts a name inside a sentence, and notes a place: "in Lisbon".
func (r *reader) capital(from int) {
	if from < 2 || r.text[from-1] != ' ' {
		return
	}
	if c := r.text[from-2]; c >= 'a' && c <= 'z' || c == ',' || c == ';' || c == ':' {
		r.out.signs.capitals = min(3, r.out.signs.capitals+1)
	}
	at := r.before[0]
	if at.cue&cueThe != 0 {
		at = r.before[1]
	}
	if at.cue&cuePlace != 0 {
		r.out.signs.place = true
	}
}

// isCapital reports a word of two or more letters that begins with a capital one.
func isCapital(raw string) bool {
	return len(raw) > 1 && raw[0] >= 'A' && raw[0] <= 'Z' && raw[1] >= 'a' && raw[1] <= 'z'
}

// signs takes what a word with a cue says of the note.
func (r *reader) signs(w seenWord) {
	s := &r.out.signs
	last := r.before[0]
	s.number = s.number || w.cue&cueNumber != 0
	s.self = s.self || w.cue&cueSelf != 0
	if w.cue&(cueTime|cueAgo) != 0 || w.cue&(cueUnit|cueDay) != 0 && last.cue&cueNear != 0 {
		s.time = true
	}
	if d := r.told(w, last); d != noDay {
		r.out.days = append(r.out.days, d)
	}
}

// told returns the day that a word tells from the day of the note, or noDay.
func (r *reader) told(w, last seenWord) day {
	if r.on == noDay {
		return noDay
	}
	switch {
	case w.low == "yesterday", w.low == "night" && last.low == "last":
		return r.on - 1
	case w.low == "tomorrow":
		return r.on + 1
	case w.cue&cueAgo != 0:
		return r.ago()
	case w.cue&cueUnit != 0 && last.low == "last":
		return r.moved(w.low, -1)
	case w.cue&cueUnit != 0 && last.low == "next":
		return r.moved(w.low, 1)
	case w.cue&cueDay != 0 && last.low == "last":
		return r.on - 1 - day((int(r.on.time().Weekday())-1-weekday(w.low)+14)%7)
	}
	return noDay
}

// ago reads "two weeks ago" and "a couple of weeks ago" from the end.
func (r *reader) ago() day {
	count := r.before[1]
	if count.cue == 0 {
		count = r.before[2]
	}
	n := number(count.low)
	if n == 0 {
		return noDay
	}
	return r.moved(r.before[0].low, -n)
}

// moved returns the note's day moved by n units; noDay for a unit of no length.
func (r *reader) moved(unit string, n int) day {
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return r.on + day(n)
	case "week":
		return r.on + day(7*n)
	case "month":
		return r.on.plus(0, n, 0)
	case "year":
		return r.on.plus(n, 0, 0)
	}
	return noDay
}

func weekday(low string) int {
	return strings.Index("sunday   monday   tuesday  wednesdaythursday friday   saturday ", low) / len("wednesday")
}

// number returns what a small number means in words or digits, 0 for another word.
func number(low string) int {
	switch low {
	case "one", "a":
		return 1
	case "two", "couple":
		return 2
	case "three", "few":
		return 3
	case "four":
		return 4
	case "five":
		return 5
	case "six":
		return 6
	}
	n := 0
	for i := 0; i < len(low) && i < 3; i++ {
		if !isDigit(low[i]) {
			return 0
		}
		n = 10*n + int(low[i]-'0')
	}
	return n
}
