package policy

import (
	"strings"
	"unicode"
)

// stopWords are words that build a sentence about a credential and are never
// one: "the password is stored in the safe", "token: expired".
const stopWords = ` a an the this that these those my your his her its our their some any no not none null nil true false undefined
 and or but if then else when where while who whom which what why how as at by for from in into of off on onto out over to up with
 without about after before again also always never only still yet just very too so than because until since during under
 is are was were be been being am has have had do does did can could may might must shall should will would
 it he she they we you i me him them us same different new old current default empty blank unknown unset missing
 stored saved kept written reset changed rotated expired expires required requires optional forgotten lost stolen leaked valid
 invalid working works needed needs see ask asks asked use uses used using set sent get gets known hidden secret safe private shared
 available below above here there everywhere somewhere nowhere later soon today tomorrow yesterday monday tuesday wednesday
 thursday friday saturday sunday minimum maximum min max least most characters chars digits letters long short strong weak
 pending todo tbd n/a na await new redacted removed masked omitted leave left change create created generate generated renew
 updated update protected disabled enabled wrong incorrect right fine good bad easy hard simple complicated important hint
 password passwords token secret manager bitwarden keepass lastpass keychain vault 1password 2fa mfa oauth oauth2 sso
 draws please remember don't doesn't isn't won't can't lives likes prefers wants works
 el la los las un una unos unas de del en y o no es está que con por para se su mi lo olvidada guardada guardado caducada
 le les des du et ou ne pas est sur dans avec pour ce cette son sa mon oubliée stocké stockée changé
 der die das den dem ein eine einen im in und oder nicht ist war mit für auf bei zu vom steht liegt gespeichert vergessen geändert abgelaufen
 o os as um uma do da no na e ou não com para está guardada esquecida
 il lo gli di del della in e non per con het een van niet met op
 в на и не это был была у к по для забыт изменён хранится `

var stopSet = wordSet(stopWords)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// isStop reports whether word is one of the stop words, whatever its case and
// the marks around it.
func isStop(word string) bool {
	word = strings.ToLower(strings.Trim(word, ".,;:!?\"'()*"))
	return word == "" || stopSet[word]
}

func hasStop(phrase string) bool {
	for word := range strings.FieldsFuncSeq(phrase, func(r rune) bool { return unicode.IsSpace(r) || r == ',' }) {
		if isStop(word) {
			return true
		}
	}
	return false
}
