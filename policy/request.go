package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// remembers reports whether a clause opens with a request to remember what
// follows, be it asked politely. "Can you remember where I live" is a question.
func remembers(w []string) bool {
	w = afterCourtesy(w)
	if n := idiom().tasks.span(w); n > 0 && len(w) > n {
		w = afterCourtesy(w[n:])
		n = vocabulary().remember.span(w)
		return n > 0 && (len(w) == n || conjunctions[w[n]] || !asksAtStart(w[n:]))
	}
	return vocabulary().remember.opens(w)
}

func asksInEast(text string) bool {
	v := vocabulary()
	return v.eastRemember.opens(text) || v.eastRemember.closes(text)
}

// endsWithTask reports whether a clause ends with one of the verbs, in the form
// of a request: Japanese as it stands or politely, Korean only politely, since
// its plain form also tells what somebody does.
func endsWithTask(text string, verbs []string) bool {
	text = strings.TrimRight(foldText(text), " \t\n\f。.!！?？、,:：~〜")
	asked := false
	for cut := true; cut; {
		cut = false
		for _, tail := range eastTails {
			if rest, ok := strings.CutSuffix(text, tail); ok {
				text, cut, asked = strings.TrimRight(rest, " "), true, true
			}
		}
	}
	for _, verb := range verbs {
		if strings.HasSuffix(text, verb) {
			r, _ := utf8.DecodeRuneInString(verb)
			return asked || !unicode.Is(unicode.Hangul, r)
		}
	}
	return false
}

// eastTails are what makes a request of a Japanese or Korean verb.
var eastTails = []string{
	"ください", "下さい", "くれますか", "くれる", "くれ", "もらえますか", "もらえる", "いただけますか", "ほしい", "欲しいです", "欲しい", "お願いします", "ね", "よ",
	"주세요", "주십시오", "줘요", "줘", "줄래요", "줄래", "주실래요", "주시겠어요", "줄 수 있어요", "줄 수 있어", "주실 수 있나요", "주면 좋겠어",
}
