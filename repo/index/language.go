package index

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
)

// tongue names a language that has a stemmer here.
type tongue uint8

// English comes first: it is what a text is taken for when nothing speaks against.
const (
	inEnglish tongue = iota
	inSpanish
	inGerman
	inFrench
	inPortuguese
	inItalian
	inDutch
	inRussian
	tongues
)

// stemmer returns the stemmer of a language.
func (t tongue) stemmer() func(*snowballstem.Env) bool {
	switch t {
	case inSpanish:
		return spanish.Stem
	case inGerman:
		return german.Stem
	case inFrench:
		return french.Stem
	case inPortuguese:
		return portuguese.Stem
	case inItalian:
		return italian.Stem
	case inDutch:
		return dutch.Stem
	case inRussian:
		return russian.Stem
	default:
		return english.Stem
	}
}

// stopLists are the words that build sentences, folded, a language a line, in the
// order of the constants. They carry no meaning of their own, and they tell which
// language a text is in.
//
//nolint:misspell // the words are of eight languages
var stopLists = [tongues]string{
	`a an the and or but if of to in on at by for from with about into over after before between out up down off as is am are was
 were be been being do does did doing done have has had having i me my mine we us our ours you your yours he him his she her hers it
 its they them their theirs this that these those there here what which who whom whose when where why how can could will would shall
 should may might must not no nor so than too very just also s t d ll re ve m dont didnt isnt wasnt im ive id youre its thats lets
 doesnt cant wont hes shes theyre weve youve theres whats`,
	`a al algo alguien algún aquel aquella aquí así aún aunque como cómo con cual cuál cuando cuándo cuanto cuánto de del desde donde dónde dos el él
 ella ellas ellos en entre era eres es esa ese eso esta está están estás este esto estos estas estoy fue ha hace hacia han has hasta
 hay he la las le les lo los más me mi mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero por porque
 puede pueden que qué quien quién quiénes se sea ser si sí sin sobre son soy su sus también te tengo tiene tienen todo tu tú tus un una unos
 unas usted ustedes y ya yo qué`,
	`ab aber alle als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem den denn der des dich die
 dies diese dieser dieses dir doch du durch ein eine einem einen einer eines er es euch für gibt habe haben hat hatte hier ich ihm ihn
 ihnen ihr ihre im immer in ins ist ja kann kein keine können man mein meine mich mir mit muss nach nicht noch nur ob oder ohne
 schon sein seine sich sie sind so soll über um und uns unser unsere vom von vor wann war waren warum was weg weil welche welcher welches
 wem wen wenn wer werden wie wieder will wir wird wo wohin woher wurde zu zum zur`,
	`a ai as au aux avec avez avons c ce cela ces cet cette comme comment d dans de des du elle elles en es est et été être eu fait il ils
 j je l la le les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ont où ou par pas pendant plus pour pourquoi qu quand que quel
 quelle quelles quels qui quoi s sa sans se sera ses si son sont suis sur t ta te tes toi ton tous tout très tu un une va vos votre
 vous y à`,
	`a à ao aos as até com como da das de dela dele do dos e é ela elas ele eles em entre era essa esse esta está estão este eu foi há isso já lá lhe
 mais mas me meu meus minha minhas muito na não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelo por porque pode
 qual quais quando que quem são se sem ser seu seus só sua suas também te tem têm teu tu tua um uma você vocês`,
	`a ad al alla alle ai agli anche c che chi ci co col come con cosa cui da dal dalla dei del della delle degli di dove e è ed era gli ha hanno ho i il in io
 l la le lei li lo loro lui ma me mi mia mio ne nei nel nella noi non nostra nostro o per perché più può qual quale quali quando quanto
 quella quello questa questo qui se sei si sia siamo sono su sua sul sulla suo ti tra tu tua tuo un una uno vi voi`,
	`aan al als bij ben bent dan dat de deze die dit door een en er ge geen had heb hebben heeft hem het hier hij hoe hun ik in is ja je jij jou jouw
 jullie kan kunnen maar me meer met mij mijn na naar niet nog nu of om onder ons onze ook op over te tegen toch tot u uit uw van
 veel voor waar waarom wanneer waren was wat we wel welke werd wie wij wil worden wordt zal ze zei zich zij zijn zo zonder zou`,
	`а без бы был была были было быть в вам вас ваш весь во вот все всего всех вы где да даже для до его ее ей если есть еще же за и из
 или им их к как какая какие какими каким какой каком какую ко когда кого который кто куда ли либо мне много может мой моя мои мы на над надо наш не него нее
 нет ни них но ну о об он она они оно от очень по под почему при про с сам свой себя сколько со так такой там тебя тем то того тоже той только том тот ты
 у уже хотя чего чей чем что чтобы чье чья эта эти это этот я`,
}

// denseStops are pieces of one or two characters that build sentences in Chinese,
// Japanese and Korean.
const denseStops = `的 了 是 在 我 你 您 他 她 它 们 們 和 与 與 或 也 都 就 不 很 这 這 那 有 吗 嗎 呢 吧 啊 把 被 给 給 对 對 要 会 會 什 么 麼 谁 誰
 哪 怎 几 幾 个 個 为 為 从 從 到 里 裡 请 請 能 可 以 什么 什麼 时候 時候 怎么 怎麼 哪里 哪裡 为什 為什 名字 多少
 は が を に で と も の か へ や です ます でし まし した して する いる ある これ それ あれ この その あの どこ いつ だれ なに から まで ので のは のが のを のに では には とは ですか すか ます
 ませ せん くだ ださ さい もの こと ため よう って 何で 何時 何曜 何の 何か 何は 誰で つで こで いく くら らで
 은 는 이 가 을 를 의 에 도 로 와 과 입니 니다 습니 에서 으로 하고 있어 어요 나요 까요 무엇 어디 언제 누구`

// fillers are words with which people address a bot; they say nothing of what a
// message is about.
const fillers = `hi hey hello there thanks thank please remember recall just quick quickly about tell say said know want need like get got give let show
 help okay ok yes yeah no sure great good nice well really maybe again still any some anything something much many more make think
 find look see go come use now today tonight tomorrow one thing things way lot bit kindly sorry
 hola gracias favor recuerda dime sabes bitte danke hallo weisst sag merci bonjour salut dis sais sil obrigado obrigada ola diz sabe ciao grazie
 dimmi sai hoi bedankt dank alsjeblieft zeg привет спасибо пожалуйста скажи помнишь знаешь здравствуйте`

// lexicon is what is known of words before any note is read.
type lexicon struct {
	// stops has the languages in which a folded word is a stop word, a bit each.
	stops   map[string]uint16
	fillers map[string]bool
	// dense has the stop pieces of the dense scripts.
	dense map[string]bool
	// lemmas leads from an irregular English form to its stem.
	lemmas map[string]string
	// kin leads from an English stem to the stems of near-equal words.
	kin  map[string][]string
	cues map[string]cue
	// months leads from a month's folded name to its number.
	months map[string]int
}

// words is made once, when the first text is read: the verbs of the command line
// that never search must not pay for it.
var words = sync.OnceValue(func() *lexicon {
	lex := &lexicon{stops: map[string]uint16{}, fillers: map[string]bool{}, dense: map[string]bool{}, cues: cueTable(), months: months()}
	for t, list := range stopLists {
		for word := range strings.FieldsSeq(list) {
			lex.stops[fold(word)] |= 1 << t
		}
	}
	for word := range strings.FieldsSeq(fillers) {
		lex.fillers[fold(word)] = true
	}
	for piece := range strings.FieldsSeq(denseStops) {
		lex.dense[fold(piece)] = true
	}
	lex.lemmas = lemmaTable()
	lex.kin = kinTable(lex)
	return lex
})

// isStop reports whether a folded word is a stop word of the language.
func (l *lexicon) isStop(word string, t tongue) bool { return l.stops[word]&(1<<t) != 0 }

// stem returns the stem of a folded word; its language is told by the script
// where that is enough. Words of other scripts and short ones stay as they are.
func (l *lexicon) stem(word string, t tongue) string {
	const short = 3
	if len(word) < short {
		return word
	}
	if t == inEnglish {
		if lemma, ok := l.lemmas[word]; ok {
			return lemma
		}
	}
	if !isASCII(word) {
		if !hasCyrillic(word) {
			return word
		}
		t = inRussian
	} else if t == inRussian {
		t = inEnglish
	}
	env := snowballstem.NewEnv(word)
	t.stemmer()(env)
	return env.Current()
}
