package policy

import (
	"strings"
	"testing"
	"time"
)

// TestNoEvidence: what is said in these ways bears out no fact, in any language.
// The whole message is quoted, as a careless model would.
//
//nolint:misspell // the words of several languages
func TestNoEvidence(t *testing.T) {
	tests := map[Rule]map[string][]string{
		RuleAsked: {
			"en": {
				"Which are the best note-takers for a 10-person startup?", "Best note-takers, for a 10-person startup?", "Should I use Notion, Obsidian or Evernote?", "what is the capital of France", "how to make sourdough",
				"Do you think I should move to Goa?", "Am I allergic to nuts?", "is there a vegan bakery near me?", "Where can I buy a cello?", "I'm vegetarian?", "Who is the mayor of Leeds?",
			},
			"es": {"¿Cuál es la capital de Francia?", "¿Debería mudarme a Goa?", "¿Hay panaderías veganas cerca?", "cuántos habitantes tiene Lima?"},
			"de": {"Was ist die Hauptstadt von Frankreich?", "Soll ich nach Goa ziehen?", "Gibt es hier eine vegane Bäckerei?", "Wohne ich in Graz?"},
			"fr": {"Quelle est la capitale de la France ?", "Est-ce que je devrais déménager à Goa ?", "Où acheter un violoncelle ?"},
			"pt": {"Qual é a capital da França?", "Devo me mudar para Goa?", "Onde fica uma padaria vegana?"},
			"it": {"Qual è la capitale della Francia?", "Dovrei trasferirmi a Goa?", "Dove posso comprare un violoncello?"},
			"nl": {"Wat is de hoofdstad van Frankrijk?", "Moet ik naar Goa verhuizen?", "Waar koop ik een cello?"},
			"ru": {"Какая столица Франции?", "Стоит ли мне переехать в Гоа?", "Где купить виолончель?"},
			"zh": {"法国的首都是什么？", "我应该搬到果阿吗？", "附近有素食餐厅吗"},
			"ja": {"フランスの首都はどこですか？", "ゴアに引っ越すべきですか", "近くにビーガンの店ある？"},
			"ko": {"프랑스의 수도는 어디인가요?", "제가 고아로 이사해야 할까요?", "근처에 채식 식당 있어요?"},
		},
		RuleTask: {
			"en": {
				"write a launch plan for an AI app", "Help me write a speech about wind farms", "Please draft a letter to my landlord in Leeds", "find me a cello teacher in Goa", "Plan a trip to Japan for two people", "ok, now make a table of vegan recipes", "can you compare Postgres and MySQL",
				"I need you to fix the login page of my shop", "Suggest three names for a bakery", "give me a recipe with peanuts",
			},
			"es": {"Escríbeme un plan de lanzamiento para una app", "Ayúdame a planear un viaje a Japón", "hazme una tabla de recetas veganas", "Necesito que busques un profesor de chelo"},
			"de": {"Schreib mir einen Startplan für eine KI-App", "Hilf mir bei einer Rede über Windparks", "Erstelle eine Tabelle mit veganen Rezepten", "Finde heraus, wo es Cellos gibt"},
			"fr": {"Écris un plan de lancement pour une appli", "Aide-moi à préparer un voyage au Japon", "fais-moi un tableau de recettes véganes", "Trouve-moi un prof de violoncelle"},
			"pt": {"Escreva um plano de lançamento para um app", "Me ajude a planejar uma viagem ao Japão", "faça uma tabela de receitas veganas"},
			"it": {"Scrivi un piano di lancio per un'app", "Aiutami a organizzare un viaggio in Giappone", "fammi una tabella di ricette vegane"},
			"nl": {"Schrijf een lanceringsplan voor een app", "Help me met een toespraak over windparken", "maak een tabel met veganistische recepten"},
			"ru": {"Напиши план запуска приложения", "Помоги мне с речью о ветропарках", "составь таблицу веганских рецептов"},
			"zh": {"帮我写一份发布计划", "帮我写一份不要太长的计划", "写一篇关于风电场的演讲稿", "请给我推荐一家素食餐厅"},
			"ja": {"アプリの発売計画を書いて", "風力発電についてのスピーチを手伝ってください", "ビーガンのレシピを教えてください"},
			"ko": {"앱 출시 계획을 써 줘", "풍력 발전에 대한 연설을 도와주세요", "비건 요리법을 알려 줘"},
		},
		RuleSuppose: {
			"en": {
				"Suppose I'm moving to Berlin with two kids", "Imagine I live in Goa", "What if I had a twin brother", "If I were a vegetarian I'd eat more rice", "If I ever won the lottery I'd buy an island", "hypothetically, I own three bakeries", "Let's say I earn a lot and live in Leeds",
				"Let's play: I'm a 300-year-old vampire called Radu", "Pretend I'm a pirate from Tortuga", "OK, let's roleplay. I'm a knight and my horse is called Bruno.", "If I move to Berlin, will I need a visa?",
			},
			"es": {"Supongamos que vivo en Goa", "Imagina que tengo tres hijos", "Si fuera vegetariano comería más arroz", "Juguemos a que soy un pirata", "Hagamos como que soy médico"},
			"de": {"Angenommen, ich wohne in Goa", "Stell dir vor, ich hätte drei Kinder", "Wenn ich reich wäre, würde ich eine Insel kaufen", "Lass uns ein Rollenspiel machen. Ich bin ein Ritter aus Trier."},
			"fr": {"Supposons que j'habite à Goa", "Imagine que j'ai trois enfants", "Si j'étais riche, j'achèterais une île", "Faisons comme si j'étais un pirate"},
			"pt": {"Suponha que eu moro em Goa", "Imagine que tenho três filhos", "Se eu fosse rico, compraria uma ilha", "Vamos fingir que sou um pirata"},
			"it": {"Supponiamo che io abiti a Goa", "Immagina che io abbia tre figli", "Se fossi ricco, comprerei un'isola", "Facciamo finta che io sia un pirata"},
			"nl": {"Stel dat ik in Goa woon", "Stel je voor dat ik drie kinderen heb", "Als ik rijk was, zou ik een eiland kopen", "Laten we doen alsof ik een piraat ben"},
			"ru": {"Предположим, я живу в Гоа", "Представь, что у меня трое детей", "Если бы я был богат, я бы купил остров", "Давай притворимся, что я пират"},
			"zh": {"假设我住在果阿", "想象一下我有三个孩子", "如果我是富翁，我会买一座岛", "我们来玩角色扮演，我是海盗"},
			"ja": {"仮に私がゴアに住んでいるとします", "もし私がお金持ちなら島を買います", "想像して、私には子供が三人いる"},
			"ko": {"만약 내가 고아에 산다면 좋겠어", "만약에 내가 부자라면 섬을 살 거야", "상상해 봐, 나는 아이가 셋이야"},
		},
		RuleProxy: {
			"en": {"A friend is asking whether lactose causes acne", "Asking for a friend: I have a rash", "My boss wants to know how to file expenses", "I'm asking for my dad, he takes insulin"},
			"es": {"Pregunto por un amigo que es celíaco", "Mi amiga quiere saber si puede comer gluten"},
			"de": {"Ich frage für einen Freund, der Diabetes hat", "Meine Freundin will wissen, ob sie fliegen darf"},
			"fr": {"Je demande pour un ami qui est diabétique", "Mon amie veut savoir si elle peut voyager"},
			"pt": {"Pergunto por um amigo que é celíaco"}, "it": {"Chiedo per un amico che è celiaco"}, "nl": {"Ik vraag het voor een vriend met diabetes"},
			"ru": {"Спрашиваю для друга, у него диабет"}, "zh": {"我朋友想知道糖尿病能不能吃水果"}, "ja": {"友達の代わりに聞くけど、糖尿病です"}, "ko": {"친구 대신 물어보는 건데 당뇨가 있어요"},
		},
		RulePassing: {
			"en": {"I'm so tired", "I'm in a bad mood today", "just had coffee", "Debugging a React app right now", "I'm stuck in traffic", "I just woke up"},
			"es": {"Estoy muy cansado hoy", "Acabo de tomar un café", "Estoy depurando una app ahora mismo", "Me voy a dormir ya"},
			"de": {"Ich bin heute total müde", "Ich hatte gerade einen Kaffee", "Ich stehe im Stau"},
			"fr": {"Je suis crevée ce soir", "Je viens de prendre un café", "Je suis en retard"},
			"pt": {"Estou muito cansada hoje", "Acabei de tomar café", "Estou a caminho"},
			"it": {"Sono molto stanco oggi", "Ho appena preso un caffè", "Sono in ritardo"},
			"nl": {"Ik ben vandaag zo moe", "Ik heb net koffie gedronken", "Ik sta in de file"},
			"ru": {"Я сегодня устала", "Я только что выпил кофе", "Я опаздываю на поезд"},
			"zh": {"今天好累", "我刚喝了一杯咖啡", "我在路上了"},
			"ja": {"今日は疲れた", "さっきコーヒーを飲んだところ", "起きたばかりです"},
			"ko": {"오늘 너무 피곤해", "방금 커피 마셨어", "지금 가는 중이야"},
		},
		RuleHanded: {
			"en": {"Translate this into French: I'm a nurse from Leeds", "Proofread this:\nI'm a nurse and I live in Leeds", "Summarize the mail: we moved to Goa"},
			"es": {"Traduce esto: vivo en Goa"}, "de": {"Übersetze das: Ich wohne in Goa"}, "fr": {"Traduis ceci : j'habite à Goa"}, "ru": {"Переведи: я живу в Гоа"}, "zh": {"翻译以下内容：我住在果阿"}, "ja": {"翻訳して：私はゴアに住んでいます"}, "ko": {"번역해 줘: 저는 고아에 살아요"},
		},
	}
	for rule, languages := range tests {
		for code, list := range languages {
			for _, said := range list {
				_, err := Candidate{Text: "Something about the person", Kind: KindFact, Quotes: []string{said}}.Admit(person(said), CaptureRules{Sensitive: true})
				got := ruleOf(t, err)
				if rule == RuleSuppose && got == RuleHanded || rule == RuleHanded && got == RuleTask || rule == RuleSuppose && got == RuleAsked && strings.HasSuffix(said, "?") {
					continue // the last clause names the reason
				}
				if got != rule {
					t.Errorf("%s %q: rule %q, want %q", code, said, got, rule)
				}
			}
		}
	}
}

// TestEvidenceInParts: what else a message is does not take back what it states.
func TestEvidenceInParts(t *testing.T) {
	tests := []struct{ said, quote, kept string }{
		{"I'm vegetarian, what can I cook?", "I'm vegetarian, what can I cook?", "I'm vegetarian"},
		{"I'm vegetarian so what should I cook?", "I'm vegetarian so what should I cook?", "I'm vegetarian"},
		{"I live in Goa what can I see there?", "I live in Goa", "I live in Goa"},
		{"The launch moved to Friday, can you tell the team?", "The launch moved to Friday, can you tell the team?", "The launch moved to Friday"},
		{"Write a dinner plan, I'm allergic to nuts", "Write a dinner plan, I'm allergic to nuts", "I'm allergic to nuts"},
		{"Plan dinner because I have guests from Peru", "I have guests from Peru", "I have guests from Peru"},
		{"I teach chemistry and write novels", "I teach chemistry and write novels", "I teach chemistry and write novels"},
		{"I'm vegetarian, right?", "I'm vegetarian, right", "I'm vegetarian, right"},
		{"I'm vegetarian right?", "I'm vegetarian", "I'm vegetarian"},
		{"Soy vegetariana, ¿verdad?", "Soy vegetariana", "Soy vegetariana"},
		{"Como pescado cada día, ¿qué vino me recomiendas?", "Como pescado cada día", "Como pescado cada día"},
		{"Soy vegetariana, ¿qué puedo comer?", "Soy vegetariana, ¿qué puedo comer?", "Soy vegetariana"},
		{"Ich bin Vegetarier, oder?", "Ich bin Vegetarier", "Ich bin Vegetarier"},
		{"Ich wohne ja in Graz, ne?", "Ich wohne ja in Graz", "Ich wohne ja in Graz"},
		{"Je suis végétarienne, n'est-ce pas ?", "Je suis végétarienne", "Je suis végétarienne"},
		{"Sou vegetariana, né?", "Sou vegetariana", "Sou vegetariana"},
		{"Sono vegetariana, ricordi?", "Sono vegetariana", "Sono vegetariana"},
		{"Ik ben vegetariër, toch?", "Ik ben vegetariër", "Ik ben vegetariër"},
		{"Я вегетарианка, помнишь?", "Я вегетарианка", "Я вегетарианка"},
		{"我吃素，对吧？", "我吃素", "我吃素"},
		{"私はベジタリアンだよね？", "私はベジタリアン", "私はベジタリアン"},
		{"저는 채식주의자예요, 기억하죠?", "저는 채식주의자예요", "저는 채식주의자예요"},
		{"Remember: short answers, and I'm in India", "short answers, and I'm in India", "short answers, and I'm in India"},
		{"Can you remember that I'm vegan?", "I'm vegan", "I'm vegan"},
		{"I'm tired today, but I'm a night owl", "I'm tired today, but I'm a night owl", "but I'm a night owl"},
		{"I'm always tired on Mondays", "I'm always tired on Mondays", "I'm always tired on Mondays"},
		{"I don't drink, I never liked it", "I don't drink", "I don't drink"},
		{"Translate: hello there\n\nRemember that I'm vegan", "I'm vegan", "I'm vegan"},
		{"If I travel, I take the train", "If I travel, I take the train", "If I travel, I take the train"},
		{"Wenn ich koche, hätte ich gern kurze Rezepte", "hätte ich gern kurze Rezepte", "hätte ich gern kurze Rezepte"},
		{"Every Friday send me a summary, I read it on the train", "Every Friday send me a summary", "Every Friday send me a summary"},
	}
	for _, tc := range tests {
		got, err := Candidate{Text: "Something about the person", Kind: KindFact, Quotes: []string{tc.quote}}.Admit(person(tc.said), CaptureRules{})
		if err != nil {
			t.Errorf("%q: %v", tc.said, err)
			continue
		}
		if len(got.Quotes) != 1 || got.Quotes[0] != tc.kept {
			t.Errorf("%q: kept %q, want %q", tc.said, got.Quotes, tc.kept)
		}
	}
}

func TestQuotes(t *testing.T) {
	tests := []struct {
		name, said, quote, text string
		want                    Rule
	}{
		{"as said", "I live in Goa", "I live in Goa", "Lives in Goa", ""},
		{"another case, quotes and blanks", "I’ve “two”\n cats", "I've \"TWO\" cats", "Has cats", ""},
		{"decomposed", "J'habite a\u0300 Lyon", "j'habite \u00e0 Lyon", "Lives in Lyon", ""},
		{"full width", "Ｉ ｌｉｖｅ ｉｎ Goa", "I live in Goa", "Lives in Goa", ""},
		{"an invisible character", "I li\u200bve in Goa", "I live in Goa", "Lives in Goa", ""},
		{"not said", "I live in Goa", "I live in Pune", "Lives in Pune", RuleQuote},
		{"two lines together", "I live. In Goa", "I live in Goa", "Lives in Goa", RuleQuote},
		{"none", "I live in Goa", "", "Lives in Goa", RuleQuote},
		{"inside a word", "I am a dentist in Goa", "tist in Goa", "Is a tist", RuleQuote},
		{"inside a number", "I have 110 people", "10 people", "Has 10 people", RuleQuote},
		{"one word", "yes, vegetarian", "vegetarian", "Is vegetarian", RuleThin},
		{"only words without a subject", "so that it is what it was", "that it is", "Likes tea", RuleThin},
		{"two characters", "我吃素", "吃素", "Is vegetarian", RuleThin},
		{"three characters", "我吃素", "我吃素", "Is vegetarian", ""},
		{"without its not", "I do not like coffee", "like coffee", "Likes coffee", RuleCut},
		{"without its never", "I have never been to Goa", "been to Goa", "Has been to Goa", RuleCut},
		{"without its not, for a fact that denies", "I do not like coffee", "like coffee", "Does not like coffee", ""},
		{"a no that answers something else", "No I like coffee", "I like coffee", "Likes coffee", ""},
		{"no belief", "I can't believe I live in Goa", "I live in Goa", "Lives in Goa", ""},
		{"sin el no", "No me gusta el café", "me gusta el café", "Likes coffee", RuleCut},
		{"ohne nicht am Ende", "Ich mag Kaffee nicht", "Ich mag Kaffee", "Likes coffee", RuleCut},
		{"без не", "Я не пью кофе", "пью кофе", "Drinks coffee", RuleCut},
		{"没有不", "我不喜欢咖啡", "喜欢咖啡", "Likes coffee", RuleCut},
		{"ないなし", "コーヒーは好きじゃない", "コーヒーは好き", "Likes coffee", RuleCut},
		{"않아요 없이", "커피를 좋아하지 않아요", "커피를 좋아하지", "Likes coffee", RuleCut},
		{"in a quoted mail", "> I live in Goa\nsee above, thanks", "I live in Goa", "Lives in Goa", RuleQuote},
		{"in a block of code", "```\nI live in Goa\n```\nsee above, thanks", "I live in Goa", "Lives in Goa", RuleQuote},
		{"behind a fence that is none", "```\nI live in Goa", "I live in Goa", "Lives in Goa", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := Candidate{Text: tc.text, Kind: KindPreference, Quotes: []string{tc.quote}}
			_, err := c.Admit(person(tc.said), CaptureRules{})
			if got := ruleOf(t, err); got != tc.want {
				t.Errorf("rule %q, want %q (%v)", got, tc.want, err)
			}
		})
	}
}

func TestUnframed(t *testing.T) {
	frames := []Frame{{Open: "<recall>", Close: "</recall>"}, {Open: "[brief]", Close: "[/brief]"}, {Open: "<!", Close: ""}}
	tests := map[string]string{
		"a <recall>x</recall> b":                     "a \n\n b",
		"<recall>x</recall><recall>y</recall>c":      "\n\n\n\nc",
		"a <recall> never closed":                    "a \n\n",
		"a </recall> b":                              "a </recall> b",
		"[brief]x[/brief]<recall>y</recall>z":        "\n\n\n\nz",
		"a <! to the end":                            "a \n\n",
		"plain":                                      "plain",
		"<recall>x [brief] y</recall>z [/brief] end": "\n\nz [/brief] end",
	}
	for text, want := range tests {
		if got := WithoutFrames(text, frames); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestHostileLinesAreLinear: a message of 64 KiB made to cost much costs at most a few
// times four of a quarter; four squared would be sixteen. A machine's speed is no part of it.
func TestHostileLinesAreLinear(t *testing.T) {
	const size = 64 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)+1)[:size] }
	lines := map[string]string{
		"one word": fill("a"), "commas": fill("a, "), "questions": fill("is it? "), "and": fill("and I "), "not": fill("not "), "digits": fill("1"), "points": fill("1."), "groups": fill("1 234 "),
		"dates": fill("2026-09-25 "), "slashes": fill("/"), "urls": fill("http://a.b/c "), "east": fill("けど"), "east commas": fill("我、"), "numerals": fill("三十"), "words of numbers": fill("twenty one "),
		"quoted": fill("I live in Goa. "), "fences": fill("```\n"), "frames": fill("<recall>"), "marks": "a" + fill("\u0301"), "blanks": fill(" "), "newlines": fill("\n"), "remember": fill("remember: "),
		"tags": fill("right? "), "colons": fill("translate this: "), "spanish": fill("¿a "), "emoji": fill("👍🏽"), "hidden": fill("\u200b"), "mixed": fill("аa"), "stops": fill("e.g. "),
	}
	for name, text := range lines {
		t.Run(name, func(t *testing.T) {
			quarter, whole := admitting(text[:size/4]), admitting(text)
			for try := 0; whole > 10*quarter && whole > 200*time.Millisecond; try++ {
				if try == 3 {
					t.Fatalf("a quarter takes %v, the whole %v", quarter, whole)
				}
				quarter, whole = admitting(text[:size/4]), admitting(text) // another program may have had the processor
			}
			t.Logf("a quarter takes %v, the whole %v", quarter, whole)
		})
	}
}

// admitting is how long it takes to judge what a message says.
func admitting(text string) time.Duration {
	c := Candidate{Text: "Lives in Goa since 2019, see /srv/app", Kind: KindFact, Quotes: []string{"I live in Goa", text[:min(len(text), 300)], "a a", "not not not", "and I and I"}}
	start := time.Now()
	_, _ = c.Admit([]Heard{{Voice: VoicePerson, Text: text + " I live in Goa."}}, CaptureRules{Injected: []Frame{{Open: "<recall>", Close: "</recall>"}}})
	c.Kind = KindDecision
	_, _ = c.Admit([]Heard{{Voice: VoicePerson, Text: text}}, CaptureRules{})
	ExplicitNotes(text)
	return time.Since(start)
}
