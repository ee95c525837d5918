package policy

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// mentioned writes mentions as the tables below do: the terms, parted by |, those that the
// person must not be called by with a # before them.
func mentioned(list []Mention) string {
	var out []string
	for _, m := range list {
		term := m.Term
		if m.Kind == DirectiveCall {
			term = "#" + term
		}
		out = append(out, term)
	}
	return strings.Join(out, "|")
}

// The cases of N.E.K.O.: a term that must be in what is found, "" for nothing.
func TestDirectiveCases(t *testing.T) {
	tests := []struct{ id, said, holds string }{
		{"dir02", "不要再说工作的事了！", "工作"},
		{"dir03", "我不想聊昨天发生的事", "昨天发生"},
		{"dir04", "关于股票就别再讲了", "股票"},
		{"dir05", "stop talking about work please.", "work"},
		{"dir06", "don't mention my ex again", "my ex"},
		{"dir07", "i don't want to talk about politics anymore", "politics"},
		{"dir08", "仕事のことはもう言わないで", "仕事"},
		{"dir09", "もう天気の話は嫌だ", "天気"},
		{"dir10", "그 일에 대해서는 그만 얘기해줘", "그 일"},
		{"dir13", "no hables de fútbol, por favor.", "fútbol"},
		{"dir14", "no menciones mi ex jamás", "mi ex"},
		{"dir15", "não fale de trabalho hoje.", "trabalho"},
		{"dir16", "não mencione minha ex nunca mais", "minha ex"},
		{"dir17", "拜托 stop saying 加班 already", "加班"},
		{"dir18", "别再提拿捏。", "拿捏"},
		{"dirn01", "", ""},
		{"dirn02", "今天天气真好。", ""},
		{"dirn04", "我喜欢吃西瓜。", ""},
		{"dirn05", "Hello there.", ""},
		{"dirn07", "shut up", ""},
	}
	for _, tc := range tests {
		got := DirectivesIn(tc.said)
		switch {
		case tc.holds == "" && len(got) > 0:
			t.Errorf("%s: %q gives %v", tc.id, tc.said, got)
		case tc.holds != "" && (len(got) != 1 || !strings.Contains(got[0].Term, tc.holds) || got[0].Kind != DirectiveTopic):
			t.Errorf("%s: %q gives %v, not one that holds %q", tc.id, tc.said, got, tc.holds)
		}
	}
}

func TestDirectivesIn(t *testing.T) {
	for code, tests := range directivesSaid {
		for said, want := range tests {
			if diff := cmp.Diff(want, mentioned(DirectivesIn(said))); diff != "" {
				t.Errorf("%s: %q (-want +got)\n%s", code, said, diff)
			}
		}
	}
}

// Terms are told as they are written.
//
//nolint:misspell // the words are of eleven languages
var directivesSaid = map[string]map[string]string{
	"en": {
		"Stop talking about work": "work", "please stop bringing up my weight": "my weight", "Could you stop mentioning Anna?": "Anna", "Don’t mention my father’s illness ever again.": "my father’s illness",
		"do not talk about the accident, okay?": "the accident", "Quit going on about crypto": "crypto", "no more talking about diets please": "diets", "My mother is off limits.": "My mother", "Politics is off the table from now on": "Politics",
		"religion is a forbidden topic": "religion", "I don't want to hear about football anymore": "football", "I don't wanna talk about school today": "school", "I'd rather not discuss my divorce": "my divorce", "Drop the wedding topic": "wedding", "leave the house thing alone": "house",
		"can we not talk about Berlin": "Berlin", "I told you not to mention Luna": "Luna", "Luna stop talking about work": "work", "ugh, seriously, stop mentioning money": "money", "Never bring up my ex": "my ex", "don't bring my sister up": "my sister", "Shut up about the election already!": "the election",
		"Don't talk about work, politics or my ex.": "work|politics|my ex", "don't mention mum and dad": "mum|dad", "stop talking about work and let's watch a film": "work", "Leave my brother out of this": "my brother", "no more work talk please": "work", "please don't say the word \"moist\"": "moist",
		"I asked you not to bring up the baby": "the baby", "I don't want my diagnosis mentioned": "my diagnosis", "Hey. I had a bad day. Don't talk about **work** tonight": "work", "stop talking about C++": "C++", "I'm sick of hearing about AI": "AI", "Not another word about Brexit": "Brexit",
		"Don't call me Bobby": "#Bobby", "stop calling me sweetheart please": "#sweetheart", "I don't like it when you call me boss": "#boss", "don't ever call me by my last name": "#my last name", "please don't call me \"champ\" anymore": "#champ",
		"avoid the topic of cancer": "cancer", "Let's not talk about tomorrow's exam": "tomorrow's exam", "would you mind not mentioning the debt?": "the debt", "enough about the weather": "the weather", "Don't remind me of Paris": "Paris",
	},
	"en, nothing": {
		"Shut up": "", "change the subject": "", "I don't like watermelon": "", "don't stop talking about work": "", "you can mention my ex again": "", "why don't you talk about work?": "", "Did I tell you not to mention Anna?": "", "Anna told me to stop talking about work": "",
		"she doesn't want to talk about it": "", "don't mention it": "", "no more coffee": "", "Don't call me before nine": "", "don't call me": "", "don't forget to mention the deadline": "", "stop calling me at work": "", "I can't stop talking about work": "", "He said \"stop talking about work\" and left": "",
		"> stop talking about work\n\nwhat did he mean?": "", "```\ndon't mention work\n```": "", "Translate this: stop talking about work": "", "Summarize the following text:\nStop talking about work. Don't mention politics.": "", "My boss wants me to stop talking about politics": "", "We never stop talking about football": "",
		"they don't talk about money": "", "Is politics off limits?": "", "What topics are off limits?": "", "Write an email to Bob and don't mention the delay": "", "I don't want to talk about it": "", "stop saying that": "", "Anna said, stop talking about work": "", "My doctor said politics is off limits": "",
		"the token: don't mention «redacted 12 chars»": "", "Don't you want to talk about work?": "", "don't worry about work": "", "I should stop talking about work": "", "don't call me late": "", "don't call me at 9": "", "If I say so, stop talking about work?": "", "I told Anna not to mention work": "", "I love talking about work": "", "Stop the car": "",
	},
	"es": {
		"No hables de política": "política", "deja de mencionar a mi padre": "mi padre", "No quiero hablar del trabajo": "trabajo", "¿Puedes dejar de hablar de dinero?": "dinero", "La religión es un tema prohibido.": "La religión", "no me hables más de Marta, por favor": "Marta", "Por favor, no vuelvas a mencionar el accidente": "el accidente",
		"Olvida el tema de la boda": "boda", "ni una palabra más sobre la deuda": "la deuda", "Mejor no hablemos de la dieta hoy": "la dieta", "ya no quiero saber nada de Juan": "Juan", "Te dije que no hables de fútbol": "fútbol", "No me llames Pepito": "#Pepito", "deja de llamarme cariño": "#cariño", "no hables de trabajo ni de política": "trabajo|política", "No digas \"literalmente\" nunca más": "literalmente",
	},
	"es, nothing": {
		"Cállate": "", "No me gusta la sandía": "", "¿Por qué no hablas de trabajo?": "", "Ana me dijo que no hable de trabajo": "", "Ella no quiere hablar de eso": "", "No dejes de hablar de trabajo": "", "puedes hablar de mi ex otra vez": "", "No me llames antes de las nueve": "", "No me llames al trabajo": "", "no me llames": "",
		"no olvides mencionar la fecha": "", "No quiero hablar de eso": "", "él no habla de política": "", "Traduce: no hables de trabajo": "", "no más café": "", "no me digas": "",
	},
	"pt": {
		"Não fale sobre política": "política", "para de falar do meu pai": "meu pai", "Não quero falar sobre o acidente": "o acidente", "Você pode parar de falar de dinheiro?": "dinheiro", "Religião é assunto proibido": "Religião", "não me fale mais de futebol": "futebol", "por favor, não mencione a Marta": "a Marta", "chega de falar da dieta": "dieta",
		"esquece o assunto do casamento": "casamento", "Não quero ouvir falar da escola hoje": "escola", "nem mais uma palavra sobre a dívida": "a dívida", "Não me chame de Zé": "#Zé", "pare de me chamar de querida": "#querida", "eu disse para não mencionar o divórcio": "o divórcio", "não vamos falar de trabalho": "trabalho",
	},
	"pt, nothing": {
		"Cala a boca": "", "Não gosto de melancia": "", "Por que você não fala de trabalho?": "", "A Ana me disse para não falar de trabalho": "", "Ela não quer falar sobre isso": "", "não pare de falar de trabalho": "", "Não me chame antes das nove": "", "não me chame": "", "não esqueça de mencionar a data": "", "não quero falar sobre isso": "", "ele não fala de política": "", "chega de café": "", "Traduza: não fale de trabalho": "",
	},
	"ru": {
		"Не говори о работе": "работе", "Хватит говорить про политику!": "политику", "перестань упоминать моего отца, пожалуйста": "моего отца", "Я не хочу говорить о разводе": "разводе", "О Марине больше ни слова": "Марине", "Давай не будем о погоде": "погоде", "не напоминай мне о долге": "долге", "Тема религии закрыта": "религии", "Деньги — запретная тема": "Деньги",
		"больше не упоминай мою бывшую": "мою бывшую", "Можешь не говорить о футболе?": "футболе", "Я просил тебя не упоминать Анну": "Анну", "Не называй меня Вовочкой": "#Вовочкой", "перестань называть меня зайкой": "#зайкой", "не хочу больше слышать про школу": "школу", "про диету больше не надо": "диету",
	},
	"ru, nothing": {
		"Замолчи": "", "Я не люблю арбуз": "", "Почему ты не говоришь о работе?": "", "Анна сказала мне не говорить о работе": "", "Она не хочет говорить об этом": "", "не переставай говорить о работе": "", "Не забудь упомянуть дату": "", "Не говори об этом": "", "он не говорит о политике": "", "Не звони мне до девяти": "", "Переведи: не говори о работе": "", "Можешь снова говорить о моей бывшей": "", "хватит кофе": "",
	},
	"zh": {
		"别提我前妻": "我前妻", "请不要再说政治了": "政治", "我不想谈离婚的事": "离婚", "你别老跟我提减肥": "减肥", "工作的事别再提了": "工作", "以后不要聊股票，好吗？": "股票", "能不能别说加班了？": "加班", "宗教是禁忌话题": "宗教", "不許再提那次車禍": "那次車禍", "别叫我小胖": "#小胖", "不要再叫我老板了": "#老板", "别提工作和前女友": "工作|前女友", "我真的不想再听到考试了": "考试", "別再講政治了": "政治",
	},
	"zh, nothing": {
		"闭嘴": "", "换个话题吧": "", "这个特别说明一下": "", "区别说得很清楚": "", "你为什么不说工作？": "", "妈妈让我别提这件事": "", "我不喜欢西瓜": "", "别提多高兴了": "", "别说话": "", "别说了": "", "别叫我起床": "", "他说别提工作": "", "你可以再提我前妻": "", "别忘了提工作的事": "", "性别谈不上重要": "", "别提他了": "", "帮我写一封信，别提延期": "", "别担心工作": "",
	},
	"ja": {
		"元カノの話はやめて": "元カノ", "政治の話はしないでください": "政治", "離婚については話したくない": "離婚", "もう父のことは言わないで": "父のこと", "お金の話はしないでくれる？": "お金", "宗教はタブー": "宗教", "ダイエットの話はうんざり": "ダイエット", "試験のことは聞きたくない": "試験", "ちゃんまゆって呼ばないで": "#ちゃんまゆ", "先輩と呼ぶのはやめて": "#先輩", "ねえ、仕事の話はもう聞きたくない": "仕事", "「マジ」って言わないで": "マジ",
	},
	"ja, nothing": {
		"黙って": "", "話題を変えて": "", "スイカは嫌い": "", "天気は嫌だ": "", "なぜ仕事の話をしないの？": "", "仕事の話はしないでと母に言われた": "", "その話はしないで": "", "それは言わないで": "", "お母さんに言わないで": "", "仕事の話をしよう": "", "今日は特別な日": "", "夜に電話しないで": "", "言わないで": "", "彼は仕事の話をしない": "",
	},
	"ko": {
		"회사 얘기 하지 마": "회사", "전 여친 얘기는 그만해": "전 여친", "정치 이야기는 더 이상 하지 마세요": "정치", "이혼에 대해 말하고 싶지 않아": "이혼", "나는 다이어트 얘기 듣고 싶지 않아": "다이어트", "종교 얘기는 금지야": "종교", "제발 축구 얘기 좀 그만해줄래?": "축구", "엄마를 언급하지 마": "엄마", "돼지라고 부르지 마": "#돼지", "나를 자기라고 부르지 마세요": "#자기", "시험 얘기 꺼내지 마": "시험", "주식 이야기는 이제 지겨워": "주식",
	},
	"ko, nothing": {
		"조용히 해": "", "수박 싫어": "", "왜 회사 얘기 안 해?": "", "엄마가 회사 얘기 하지 말라고 했어": "", "걱정하지 마": "", "얘기하지 마": "", "거짓말 하지 마": "", "전화하지 마": "", "회사 얘기 하자": "", "엄마한테 말하지 마": "", "다시 회사 얘기 해도 돼": "", "걔는 회사 얘기를 안 해": "",
	},
	"de": {
		"Hör auf, über die Arbeit zu reden": "die Arbeit", "Sprich nicht mehr über Politik": "Politik", "Erwähne meine Ex nie wieder": "meine Ex", "Ich will nicht über die Scheidung reden": "die Scheidung", "Religion ist tabu.": "Religion", "Kein Wort mehr über den Unfall!": "den Unfall", "Kannst du bitte aufhören, von Geld zu reden?": "Geld", "Lass das Thema Hochzeit": "Hochzeit", "Nenn mich nicht Hansi": "#Hansi", "hör auf, mich Schatz zu nennen": "#Schatz", "Lass uns nicht über die Diät reden": "die Diät",
	},
	"de, nothing": {
		"Halt die Klappe": "", "Ich mag keine Wassermelone": "", "Warum redest du nicht über die Arbeit?": "", "Anna hat gesagt, ich soll nicht über Arbeit reden": "", "Sie will nicht darüber reden": "", "Hör nicht auf, über Arbeit zu reden": "", "Ruf mich nicht vor neun an": "", "Vergiss nicht, die Frist zu erwähnen": "", "Ich will nicht darüber reden": "", "kein Kaffee mehr": "", "Übersetze: Sprich nicht über Politik": "",
	},
	"fr": {
		"Arrête de parler du travail": "travail", "Ne parle plus de politique, s'il te plaît": "politique", "ne mentionne jamais mon ex": "mon ex", "Je ne veux plus entendre parler du divorce": "divorce", "La religion est un sujet tabou": "La religion", "Plus un mot sur l'accident !": "l'accident", "Peux-tu arrêter de parler d'argent ?": "argent", "Parle pas de mon père": "mon père", "Ne m'appelle pas Jojo": "#Jojo", "arrête de m'appeler chérie": "#chérie", "Évite le sujet du mariage": "mariage",
	},
	"fr, nothing": {
		"Tais-toi": "", "Je n'aime pas la pastèque": "", "Pourquoi tu ne parles pas du travail ?": "", "Anna m'a dit de ne pas parler du travail": "", "Elle ne veut pas en parler": "", "N'arrête pas de parler du travail": "", "Ne m'appelle pas avant neuf heures": "", "ne m'appelle pas": "", "N'oublie pas de mentionner la date": "", "Il ne parle pas de politique": "", "Ne parle pas de ça": "", "Traduis : ne parle pas de politique": "",
	},
	"it": {
		"Smetti di parlare di lavoro": "lavoro", "Non parlare più di politica": "politica", "non menzionare mai la mia ex": "la mia ex", "Non voglio parlare del divorzio": "divorzio", "La religione è un argomento tabù": "La religione", "Basta parlare di soldi!": "soldi", "Puoi smettere di parlare di dieta?": "dieta", "neanche una parola sull'incidente": "incidente", "Non chiamarmi Pippo": "#Pippo", "smettila di chiamarmi tesoro": "#tesoro", "lascia perdere l'argomento del matrimonio": "matrimonio",
	},
	"it, nothing": {
		"Stai zitto": "", "Non mi piace l'anguria": "", "Perché non parli di lavoro?": "", "Anna mi ha detto di non parlare di lavoro": "", "Lei non vuole parlarne": "", "Non smettere di parlare di lavoro": "", "Non chiamarmi prima delle nove": "", "non chiamarmi": "", "Non dimenticare di menzionare la data": "", "Lui non parla di politica": "", "Non parlare di questo": "",
	},
	"nl": {
		"Stop met praten over werk": "werk", "Praat niet meer over politiek": "politiek", "Noem mijn ex nooit meer": "mijn ex", "Ik wil het niet over de scheiding hebben": "de scheiding", "Religie is taboe": "Religie", "Geen woord meer over het ongeluk!": "het ongeluk", "Kun je ophouden over geld?": "geld", "Hou op over mijn vader": "mijn vader", "Noem me niet Jantje": "#Jantje", "hou op met me schat te noemen": "#schat", "Ik wil niet meer praten over school": "school",
	},
	"nl, nothing": {
		"Hou je mond": "", "Ik hou niet van watermeloen": "", "Waarom praat je niet over werk?": "", "Anna zei dat ik niet over werk moet praten": "", "Ze wil er niet over praten": "", "Stop niet met praten over werk": "", "Bel me niet voor negen uur": "", "Vergeet niet de datum te noemen": "", "Hij praat niet over politiek": "", "Ik wil het er niet over hebben": "", "geen koffie meer": "",
	},
	"mixed": {
		"Don't mention my ex. No hables de trabajo.\n别提政治": "my ex|trabajo|政治", "don't mention Anna. Don't mention ANNA!": "Anna", "<<ok>> stop talking about work;stop talking about tea": "work|tea", "stop talking about \x00work\x07 life": "work life", "don't talk about ＷＯＲＫ": "ＷＯＲＫ", "stop talking about what happened with the neighbour in the garden last summer": "what happened with the neighbour in the",
	},
}

func FuzzDirectivesIn(f *testing.F) {
	for _, tests := range directivesSaid {
		for said := range tests {
			f.Add(said)
		}
	}
	f.Add("don't mention \xff\x00\u200b«redacted 3 chars» or \u0301\u0301, and 「x")
	f.Fuzz(func(t *testing.T, said string) {
		list := DirectivesIn(said)
		if len(list) > MaxDirectives {
			t.Fatalf("%d mentions", len(list))
		}
		for i, m := range list {
			if term, err := CheckTerm(m.Kind, m.Term); err != nil || term != m.Term {
				t.Fatalf("%q: term %q is cleaned to %q, %v", said, m.Term, term, err)
			}
			if strings.ContainsFunc(m.Term, func(r rune) bool { return unicode.IsControl(r) || r == '«' || r == '\u2028' || r == '\u2029' }) {
				t.Fatalf("term %q", m.Term)
			}
			for _, other := range list[:i] {
				if other.Kind == m.Kind && SameTerm(other.Term, m.Term) {
					t.Fatalf("%q twice", m.Term)
				}
			}
		}
		Gate(said, []Directive{{Kind: DirectiveTopic, Term: said}})
	})
}

func TestDirectivesInHostile(t *testing.T) {
	DirectivesIn("the tables are built")
	for name, said := range hostileMessages() {
		best := time.Hour
		for range 3 {
			start := time.Now()
			DirectivesIn(said)
			best = min(best, time.Since(start))
		}
		if best > hostileLimit {
			t.Errorf("%s: %d bytes took %v", name, len(said), best)
		}
	}
}

// hostileLimit is twenty times what is asked of a machine that does nothing else: the
// race detector and other tests run along. BenchmarkDirectivesIn tells the time itself.
const hostileLimit = time.Second
