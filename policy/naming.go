package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// NamesGiven returns the names that a person's message gives without a doubt: the one by
// which they call themselves, and the one by which they rename the companion, "" each for
// none. The companion's present name is never a new one. Greeting somebody by name, praising
// a name, speaking of another person's, quoting, reporting, supposing, playing or asking gives
// none, and neither do two names for one. A name has at most three words and 40 characters.
// The first 4 KiB of a message are read.
func NamesGiven(message, companion string) (person, renamed string) {
	message = message[:runeFloor(message, maxNamingBytes)]
	if words := wordsOf(message); idiom().supposes.in(words) || idiom().plays.in(words) {
		return "", ""
	}
	var own, bot []string
	for _, sentence := range namingSentence.FindAllString(message, -1) {
		if strings.ContainsAny(sentence, "?？") {
			continue
		}
		own = append(own, givenIn(sentence, &naming().own, eastOwn)...)
		bot = append(bot, givenIn(sentence, &naming().bot, eastBot)...)
	}
	person, renamed = oneOf(own), oneOf(bot)
	if SameName(person, companion) {
		person = ""
	}
	if SameName(renamed, companion) || person != "" && SameName(renamed, person) {
		renamed = ""
	}
	return person, renamed
}

const (
	maxNamingBytes = 4 << 10
	maxNameWords   = 3
	maxNameRunes   = 40
)

var namingSentence = regexp.MustCompile(`[^.!?。！？\n]+[.!?。！？]*`)

// oneOf returns what all names are, "" when they are several or none.
func oneOf(names []string) string {
	for _, name := range names {
		if foldText(name) != foldText(names[0]) {
			return ""
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

type namingTable struct {
	own, bot forms
	leads    forms
}

var naming = sync.OnceValue(func() *namingTable {
	t := &namingTable{}
	for _, l := range languages() {
		t.own.add(l.ownName)
		t.bot.add(l.botName)
	}
	t.leads.add(namingLeads)
	return t
})

// namingLeads may stand between the beginning of a clause and a form.
const namingLeads = `hi|hello|hey|hiya|yo|ok|okay|well|so|and|also|but|please|now|just|then|btw|by the way|from now on|from today|today|thanks|actually|i want you to|i would like you to|i'd like you to|you should|you can|you may|let's say|good morning|good evening|nice to meet you|oh|yes|no|sorry|
hola|buenas|buenos días|y|por favor|ahora|a partir de ahora|de ahora en adelante|desde ahora|desde hoy|quiero que|bueno|gracias|pues|encantado|encantada|por cierto|und|bitte|also|hallo|ab jetzt|ab heute|von nun an|übrigens|et|bonjour|salut|s'il te plaît|désormais|à partir de maintenant|maintenant|
olá|oi|agora|a partir de agora|ciao|ora|adesso|d'ora in poi|per favore|piacere|hoi|en|vanaf nu|alsjeblieft|привет|здравствуйте|и|теперь|пожалуйста|отныне`

// givenIn returns the names that stand behind the forms of a sentence.
func givenIn(sentence string, given *forms, east []*regexp.Regexp) []string {
	if eastern(sentence) {
		return eastNames(sentence, east)
	}
	r := namingReading{fields: strings.Fields(sentence)}
	for i, field := range r.fields {
		for _, w := range tokens(strings.ReplaceAll(field, "’", "'")) {
			r.words, r.field = append(r.words, w), append(r.field, i)
		}
	}
	if len(r.words) == 0 || idiom().whether.at(r.words) || slices.ContainsFunc(r.words, func(w string) bool { return reporting[w] }) {
		return nil
	}
	var names []string
	for i := range r.words {
		if n := given.span(r.words[i:]); n > 0 && r.opensClause(i) && !insideQuotes(r.fields[:r.field[i]]) {
			if name := r.nameBehind(i, i+n); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// namingReading is a sentence in its words, each with the number of the field it stands in.
type namingReading struct {
	fields, words []string
	field         []int
}

// nameBehind reads the name behind the form from one word to another.
func (r *namingReading) nameBehind(start, end int) string {
	for end < len(r.words) && nameFillers[r.words[end]] {
		end++
	}
	last := r.field[end-1]
	if end == len(r.words) || r.field[end] == last || clauseMark(r.fields[last]) {
		return ""
	}
	exact := slices.ContainsFunc(r.words[start:end], func(w string) bool { return nameWords[w] })
	return nameAt(r.fields[r.field[end]:], exact)
}

// opensClause reports whether nothing but lead-ins stands between the last mark and a form.
func (r *namingReading) opensClause(at int) bool {
	from := at
	for from > 0 && (r.field[from-1] == r.field[at] || !clauseMark(r.fields[r.field[from-1]])) {
		from--
	}
	for list := r.words[from:at]; len(list) > 0; {
		n := naming().leads.span(list)
		if n == 0 {
			return false
		}
		list = list[n:]
	}
	return true
}

// clauseMark reports whether a word ends a clause.
func clauseMark(field string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(field, "\"”»)"))
	return strings.ContainsRune(",;:-–—", r)
}

func insideQuotes(fields []string) bool {
	text := strings.Join(fields, " ")
	return strings.Count(text, `"`)%2 == 1 || strings.Count(text, "“") > strings.Count(text, "”") || strings.Count(text, "«") > strings.Count(text, "»")
}

// nameAt reads the name that fields begin with. A small word is one only when it ends the
// sentence and the form speaks of a name: "my name is nova", never "call me later".
func nameAt(fields []string, exact bool) string {
	name, next, ok := nameRun(fields, exact)
	text := strings.Join(name, " ")
	runes := utf8.RuneCountInString(text)
	switch {
	case !ok || nameChoices[next] || countCapitals(name) > maxNameWords || runes > maxNameRunes || runes < 2:
		return ""
	case !exact && StopWord(text), vocabulary().verbs[text]:
		return ""
	}
	return text
}

// nameRun returns the words of the name that fields begin with, and the word behind them. It
// is false for a word that is no name.
func nameRun(fields []string, exact bool) (name []string, next string, ok bool) {
	for i, field := range fields {
		word := strings.Trim(field, "\"'“”‘’«»„*_,;:.!()")
		capital := strings.IndexFunc(word, unicode.IsUpper) == 0
		particle := i > 0 && nameParticles[word] && i+1 < len(fields)
		whole := exact && len(fields) == 1
		if !nameWord(word) || !capital && !particle && !whole {
			next = foldText(word)
			break
		}
		if !particle && notNames[foldText(word)] {
			return nil, "", false
		}
		name = append(name, word)
		if !strings.HasSuffix(field, word) { // a mark ends it
			break
		}
	}
	for len(name) > 0 && nameParticles[name[len(name)-1]] {
		name = name[:len(name)-1]
	}
	return name, next, true
}

func countCapitals(words []string) int {
	n := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsLower(r) {
			n++
		}
	}
	return n
}

// nameWord reports whether a word has the letters of a name, and is no possessor.
func nameWord(word string) bool {
	if word == "" || strings.HasSuffix(word, "'s") || strings.HasSuffix(word, "’s") {
		return false
	}
	for i, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && (i == 0 || !strings.ContainsRune("'’-", r)) {
			return false
		}
	}
	return true
}

var (
	nameFillers   = wordSet("now just to as ahora jetzt maintenant désormais agora ora adesso nu теперь")
	nameWords     = wordSet("name nombre llamo llamas heiße heisse heißt heisst nom prénom appelle appelles nome chamo chama chiamo chiami naam heet зовут имя")
	nameParticles = wordSet("de la del las los da dos do di van von der den ter le el al bin ibn y zu")
	nameChoices   = wordSet("or and/or o u oder ou of или")
	reporting     = wordSet(`say says said saying tell tells told telling ask asks asked write writes wrote sing sings sang song lyrics quote quotes quoted movie film book character story dream dreamed joke joked
 dijo dice decía dicen canta canción película personaje sagt sagte meinte lied chanson dit disait disse diz ha detto canzone zei zegt сказал сказала говорит песня`)
	notNames = wordSet(`a an the i it if when later maybe crazy back tomorrow today tonight now soon whatever anything something nothing important secret private unknown stupid old lazy boss not never no yes again asap anytime sometime please sir madam
 monday tuesday wednesday thursday friday saturday sunday un una el la los las después luego mañana loco loca cuando si nicht ein eine später morgen verrückt pas un une fou folle demain plus um uma não depois non pazzo pazza domani niet een later gek не
 my your his her their our mi tu su mein dein mon ton meu seu mio tuo mijn jouw on in at by as that this what who why how because still so very too also just only none complicated hard easy long short common pronounced spelled used mud taken irrelevant`)
)

// The forms of languages that part no words. A name there is the few characters before what
// closes the clause.
var (
	eastOwn = []*regexp.Regexp{
		regexp.MustCompile(`(?:^|[，,。!！\s])(?:你好|您好|嗨)?[，,\s]*(?:我叫|我的名字是|我的名字叫|我名叫|請叫我|请叫我|叫我)(?:做|作)?([\p{Han}A-Za-z·]{2,12}?)(?:吧|就好|就行|就可以了|好了)?\s*(?:$|[，,。！!])`),
		regexp.MustCompile(`(?:^|[、。\s])(?:私|僕|俺|わたし)の名前は([\p{Han}\p{Hiragana}\p{Katakana}ーA-Za-z・]{2,12}?)(?:です|だよ|だ|と申します|といいます|と言います)\s*(?:$|[、。！!])`),
		regexp.MustCompile(`(?:^|[、。\s])([\p{Han}\p{Katakana}ーA-Za-z・]{2,12})(?:って|と)呼んで(?:ください|下さい|ね)?\s*(?:$|[、。！!])`),
		regexp.MustCompile(`(?:^|[,.\s])(?:제|내)\s*이름은\s*([\p{Hangul}A-Za-z]{2,12}?)(?:입니다|이에요|예요|이야)\s*(?:$|[,.!])`),
	}
	eastBot = []*regexp.Regexp{
		regexp.MustCompile(`(?:^|[，,。!！\s])(?:从现在起|從現在起|从现在开始|從現在開始|从今以后|以后|以後|现在|現在)[，,\s]*你(?:就)?(?:叫|的名字是|的名字叫|的名字就是)([\p{Han}A-Za-z·]{2,12}?)(?:了|吧)?\s*(?:$|[，,。！!])`),
		regexp.MustCompile(`(?:^|[，,。!！\s])你(?:现在|現在|以后|以後|从现在起|從現在起)(?:就)?(?:叫|改名叫|改名为|改名為)([\p{Han}A-Za-z·]{2,12}?)(?:了|吧)?\s*(?:$|[，,。！!])`),
		regexp.MustCompile(`(?:^|[、。\s])(?:今から|これから|今日から)[、\s]*(?:あなた|君|きみ|お前)の名前は([\p{Han}\p{Hiragana}\p{Katakana}ーA-Za-z・]{2,12}?)(?:です|だよ|だ)\s*(?:$|[、。！!])`),
		regexp.MustCompile(`(?:^|[,.\s])(?:이제|이제부터|앞으로)\s*(?:너의|네|니)\s*이름은\s*([\p{Hangul}A-Za-z]{2,12}?)(?:입니다|이에요|예요|이야)\s*(?:$|[,.!])`),
	}
	eastNoName = regexp.MustCompile(`^(?:了|你|他|她|它|不|过|過|什么|什麼|个|個|一|的|那|这|這|大家|何|誰|だれ|秘密|뭐|비밀)`)
)

func eastNames(sentence string, list []*regexp.Regexp) []string {
	if strings.ContainsAny(sentence, "「」『』“”\"说說言吗嗎か") {
		return nil
	}
	var names []string
	for _, form := range list {
		if m := form.FindStringSubmatch(sentence); m != nil && !eastNoName.MatchString(m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}
