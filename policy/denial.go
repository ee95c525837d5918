package policy

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// verbPlace is where the verb of a negation stands.
type verbPlace uint8

const (
	verbBehind verbPlace = iota // right behind it, but for little words: "no vive", "no le gusta"
	verbBefore                  // somewhere before it: "mag Hunde nicht"
	verbUnsaid                  // it need not be there: "не умная"
)

// denial is how a language with one word for it says that something is not so. Lists
// are parted by blanks.
type denial struct {
	place   verbPlace
	words   map[string][]string // the words of it, and what may stand in their place; "" is nothing
	between map[string]bool     // little words between it and the verb
	verbs   map[string]bool
	before  map[string]bool // right before it these make it something else: "ya no"
	behind  map[string]bool // anywhere behind it: "nicht … mehr"
	clauses map[string]bool // open a clause of their own
	comma   bool            // a clause of its own always stands behind a comma
}

// denials is the table of those languages. English and French have rules of their own.
var denials = sync.OnceValue(func() []denial {
	verbs := map[string]map[string]bool{}
	for _, l := range languages() {
		verbs[l.code] = map[string]bool{}
		addEach(verbs[l.code], l.verbs)
	}
	list := []denial{spanishDenial(), germanDenial(), portugueseDenial(), italianDenial(), dutchDenial(), russianDenial()}
	for i, code := range []string{"es", "de", "pt", "it", "nl", "ru"} {
		for verb := range verbs[code] {
			list[i].verbs[verb] = true
		}
	}
	return list
})

func spanishDenial() denial {
	return denial{
		words:   map[string][]string{"no": {""}},
		between: foldedSet("me te se le les lo la los las nos os"),
		verbs:   foldedSet("gusta gustan puede puedo debe son era eran estaba soy estoy están ha he hay sabe sé cree conoce lleva sale duerme fuma fumo conduce toma tomo compra vivo trabajo quiero tengo como bebo viene hace hago dice ve entiende recuerda viven tienen quieren comen beben necesito uso hablo prefiero será irá llama molesta interesa"),
		before:  foldedSet("ya el un o y que aún todavía"),
		behind:  foldedSet("más sino"),
		clauses: foldedSet("que si porque cuando donde quien cuyo aunque mientras"),
	}
}

func germanDenial() denial {
	return denial{
		place: verbBefore,
		words: map[string][]string{
			"nicht": {""}, "nie": {""}, "niemals": {""}, "kein": {"", "ein"}, "keine": {"", "eine"}, "keinen": {"", "einen"},
			"keinem": {"", "einem"}, "keiner": {"", "einer"}, "keines": {"", "eines"},
		},
		verbs:   foldedSet("sind war waren bin bist seid habe haben hatte wird werden wurde kann können darf dürfen soll sollte muss müssen wollen mögen raucht trinke esse wohne lebe arbeite liebe hasse brauche nutze spreche spiele fahre geht gehe kommt komme kennt kenne weiß glaubt schläft macht mache sieht versteht verträgt heißt"),
		before:  foldedSet("der die das den dem ein eine einen im auf mit von zu oder noch gar"),
		behind:  foldedSet("mehr nur bloß sondern"),
		clauses: foldedSet("dass ob wenn weil was wer wo wie obwohl während als"),
		comma:   true,
	}
}

func portugueseDenial() denial {
	return denial{
		words:   map[string][]string{"não": {""}, "nunca": {""}},
		between: foldedSet("me te se lhe lhes o a os as nos"),
		verbs:   foldedSet("gosto pode posso deve são era eram estava sou estou está estão foi tenho há sabe sei acha conhece leva sai dorme fuma fumo dirige toma compra moro trabalho quero como bebo vem vai faz diz vê entende lembra vivem têm querem comem bebem preciso precisa uso falo prefiro será chama"),
		before:  foldedSet("já o um ou e que ainda"),
		behind:  foldedSet("mais mas só apenas"),
		clauses: foldedSet("que se porque quando onde quem cujo embora enquanto"),
	}
}

func italianDenial() denial {
	return denial{
		words:   map[string][]string{"non": {""}},
		between: foldedSet("mi ti si gli le lo la li ci vi ne"),
		verbs:   foldedSet("piace piacciono può posso deve sono era erano sta stava ho hanno ha sa so crede conosce porta esce dorme fuma fumo guida prende compra vivo abito lavoro voglio mangio bevo viene fa dice vede capisce ricorda vivono vogliono mangiano bevono preferisco uso parlo sarà chiama"),
		before:  foldedSet("il un o e che ancora"),
		behind:  foldedSet("più ma bensì"),
		clauses: foldedSet("che se perché quando dove chi cui sebbene mentre"),
	}
}

func dutchDenial() denial {
	return denial{
		place:   verbBefore,
		words:   map[string][]string{"niet": {""}, "nooit": {""}, "geen": {"", "een"}},
		verbs:   foldedSet("zijn was waren ben bent heb hebben had wordt worden werd kan kunnen mag moet zal zou wilt rookt woon werk hou drink eet lust spreek speel ga komt kom kent ken weet gelooft slaapt doet ziet begrijpt heet leeft verdraagt"),
		before:  foldedSet("de het een in op met van of nog helemaal"),
		behind:  foldedSet("meer maar slechts enkel"),
		clauses: foldedSet("dat die of als omdat wat wie waar hoe hoewel terwijl toen"),
		comma:   true,
	}
}

func russianDenial() denial {
	return denial{
		place:   verbUnsaid,
		words:   map[string][]string{"не": {""}},
		verbs:   map[string]bool{},
		before:  foldedSet("больше уже ещё еще пока на в с о про за для или"),
		behind:  foldedSet("только лишь а"),
		clauses: foldedSet("что чтобы если когда где кто который которая которое которые потому почему хотя пока"),
		comma:   true,
	}
}

// takenBack returns the statement, whose words are w, without each of its negations in
// turn.
func (d denial) takenBack(text string, w []string) [][]string {
	end := len(w)
	if comma := strings.IndexAny(text, ",;"); d.comma && comma >= 0 {
		end = min(end, len(spelledOut(tokens(text[:comma]))))
	}
	var list [][]string
	for i := 0; i < end && !d.clauses[w[i]]; i++ {
		if forms := d.words[w[i]]; len(forms) > 0 && d.denies(w, i) {
			from := d.wholeFrom(w, i)
			for _, by := range forms {
				list = append(list, replaced(w, from, i+1, strings.Fields(by)...))
			}
		}
	}
	return list
}

// foldedSet is a set of words as tokens gives them: ß is ss.
func foldedSet(words string) map[string]bool { return wordSet(foldText(words)) }

// wholeFrom returns where the negation that ends at i begins: Russian says "never" in
// two words.
func (d denial) wholeFrom(w []string, i int) int {
	if i > 0 && w[i] == "не" && w[i-1] == "никогда" {
		return i - 1
	}
	return i
}

// denies reports whether word i denies what its verb says.
func (d denial) denies(w []string, i int) bool {
	if i > 0 && d.before[w[i-1]] || slices.ContainsFunc(w[i+1:], func(x string) bool { return d.behind[x] }) {
		return false
	}
	switch d.place {
	case verbBefore:
		return slices.ContainsFunc(w[:i], func(x string) bool { return d.verbs[x] })
	case verbBehind:
		rest := w[i+1:]
		for len(rest) > 1 && d.between[rest[0]] {
			rest = rest[1:]
		}
		return len(rest) > 0 && d.verbs[rest[0]]
	}
	return i+1 < len(w)
}

// eastDenials are verbs and what they are when denied, parted by /. The Chinese
// ones stand anywhere, the Japanese and Korean ones at the end.
const (
	chineseDenials = "是/不是 喜欢/不喜欢 喜歡/不喜歡 有/没有 有/沒有 会/不会 會/不會 能/不能 想/不想 爱/不爱 愛/不愛 要/不要 需要/不需要 吃/不吃 喝/不喝 知道/不知道 可以/不可以 " +
		"同意/不同意 认识/不认识 認識/不認識 相信/不相信 在/不在"
	endingDenials = "です/ではありません です/じゃありません です/ではないです です/じゃないです だ/ではない だ/じゃない ます/ません ました/ませんでした でした/ではありませんでした " +
		"いる/いない がある/がない できる/できない する/しない した/しなかった " +
		"합니다/하지않습니다 한다/하지않는다 해요/하지않아요 있습니다/없습니다 있다/없다 있어요/없어요"
)

// chineseVerbs open what a negation behind them belongs to: 喜欢不吃肉的人.
const chineseVerbs = "是 喜欢 喜歡 有 认识 認識 知道 认为 認為 说 說 觉得 覺得 相信 同意 看 买 買"

// takesBackEast is takesBack for languages that put no blanks between words.
func takesBackEast(with, without string) bool {
	with, without = unparted(with), unparted(without)
	if kana(with) || kana(without) || strings.ContainsFunc(with, isHangul) {
		for pair := range strings.FieldsSeq(endingDenials) {
			verb, denied, _ := strings.Cut(pair, "/")
			if head, ok := strings.CutSuffix(with, denied); ok && head+verb == without {
				return true
			}
		}
		return false
	}
	for pair := range strings.FieldsSeq(chineseDenials) {
		verb, denied, _ := strings.Cut(pair, "/")
		for at := 0; ; {
			i := strings.Index(with[at:], denied)
			if i < 0 {
				break
			}
			at += i
			head, rest := with[:at], with[at+len(denied):]
			if chineseDenies(head, verb) && head+verb+rest == without {
				return true
			}
			at += len(denied)
		}
	}
	return false
}

// chineseDenies reports whether a negation of the verb behind head denies the whole: it
// is no part of a question (有没有), of another word (要不是), or of what another verb
// speaks of.
func chineseDenies(head, verb string) bool {
	runes := []rune(verb)
	for _, before := range []string{string(runes[0]), "要", "莫", "无", "無", "岂", "豈", "除"} {
		if strings.HasSuffix(head, before) {
			return false
		}
	}
	for v := range strings.FieldsSeq(chineseVerbs) {
		if strings.Contains(head, v) {
			return false
		}
	}
	return true
}

func unparted(text string) string { return strings.Join(strings.Fields(text), "") }

func isHangul(r rune) bool { return unicode.Is(unicode.Hangul, r) }
