package policy

import "testing"

// ordinary are true statements as people make them, each with a fact that a
// careful model would propose for it and the words that it would quote. A wrong
// refusal here loses a fact in silence, so all of them must be admitted.
//
//nolint:misspell // the words of several languages
var ordinary = []struct{ lang, said, quote, fact string }{
	{"en", "I'm Marta, I run a small bakery in Leeds with my sister.", "I run a small bakery in Leeds with my sister", "Runs a small bakery in Leeds with her sister"},
	{"en", "Could you plan a week of dinners? We're four people and my son is allergic to nuts.", "my son is allergic to nuts", "Son is allergic to nuts"},
	{"en", "what's a good laptop for video editing? btw my budget is around 1,500 euros", "my budget is around 1,500 euros", "Laptop budget is about 1,500 euros"},
	{"en", "I take the train to work because I don't own a car", "I don't own a car", "Does not own a car"},
	{"en", "Write me a cover letter. I've worked as a nurse for 12 years, mostly in intensive care.", "I've worked as a nurse for 12 years", "Has been a nurse for 12 years"},
	{"en", "When I travel I always take an aisle seat", "When I travel I always take an aisle seat", "Prefers aisle seats when travelling"},
	{"en", "If I'm in a meeting, text me instead of calling", "If I'm in a meeting, text me instead of calling", "Prefers a text to a call during meetings"},
	{"en", "you can call me Bee, everyone does", "you can call me Bee", "Likes to be called Bee"},
	{"en", "My daughter just started school, she's six", "My daughter just started school, she's six", "Has a six-year-old daughter"},
	{"en", "no I moved out of Boston last year, I'm in Portland now", "I'm in Portland now", "Lives in Portland"},
	{"en", "Please don't use emojis when you write to me", "don't use emojis when you write to me", "Wants no emojis"},
	{"en", "I was wondering what to cook tonight. I'm vegan and I can't eat soy", "I'm vegan and I can't eat soy", "Is vegan and cannot eat soy"},
	{"en", "I think I told you before that I hate cilantro", "I hate cilantro", "Hates cilantro"},
	{"en", "thanks! fyi our office moved to 14 Mill Lane", "our office moved to 14 Mill Lane", "The office is at 14 Mill Lane"},
	{"en", "Can you keep your answers shorter from now on?", "keep your answers shorter from now on", "Prefers shorter answers"},
	{"en", "im lactose intolerant so what milk should i get", "im lactose intolerant", "Is lactose intolerant"},
	{"en", "I'm 34, live alone and work nights", "I'm 34, live alone and work nights", "Is 34, lives alone and works nights"},
	{"en", "Translate this for me please. I speak Portuguese and a little French.", "I speak Portuguese and a little French", "Speaks Portuguese and a little French"},
	{"en", "I run 5k every morning before work", "I run 5k every morning before work", "Runs 5 km every morning"},
	{"en", "We use Postgres 16 and deploy to /srv/app on Hetzner", "We use Postgres 16 and deploy to /srv/app on Hetzner", "Uses Postgres 16, deployed to /srv/app"},

	{"es", "Hola, soy Lucía y vivo en Valencia con mi pareja.", "vivo en Valencia con mi pareja", "Vive en Valencia con su pareja"},
	{"es", "No como carne desde hace cinco años", "No como carne desde hace cinco años", "No come carne desde hace 5 años"},
	{"es", "¿Me recomiendas un libro? Me encantan las novelas históricas", "Me encantan las novelas históricas", "Loves historical novels"},
	{"es", "Trabajo como profesora de matemáticas en un instituto", "Trabajo como profesora de matemáticas en un instituto", "Teaches mathematics"},
	{"es", "Mi perro se llama Toby y tiene 3 años", "Mi perro se llama Toby y tiene 3 años", "Has a 3-year-old dog called Toby"},
	{"es", "Soy alérgica al marisco, así que nada de gambas", "Soy alérgica al marisco", "Allergic to seafood"},
	{"es", "Prefiero que me hables de tú", "Prefiero que me hables de tú", "Prefers to be addressed as tú"},
	{"es", "Ayúdame con el menú de la boda, somos 80 invitados y nos casamos el 14 de junio de 2027", "nos casamos el 14 de junio de 2027", "Wedding is on 2027-06-14"},
	{"es", "De momento no tengo coche, voy en bici a todas partes", "no tengo coche, voy en bici a todas partes", "Has no car and cycles everywhere"},
	{"es", "Siempre viajo con equipaje de mano", "Siempre viajo con equipaje de mano", "Travels with hand luggage only"},

	{"de", "Ich wohne seit 2019 in Graz und arbeite als Tischlerin.", "Ich wohne seit 2019 in Graz und arbeite als Tischlerin", "Lives in Graz since 2019, works as a carpenter"},
	{"de", "Ich bin Vegetarier, was kann ich heute kochen?", "Ich bin Vegetarier", "Is vegetarian"},
	{"de", "Wir haben zwei Kinder, Emil und Lotte", "Wir haben zwei Kinder, Emil und Lotte", "Has 2 children, Emil and Lotte"},
	{"de", "Kannst du mir eine Route planen? Ich fahre kein Auto.", "Ich fahre kein Auto", "Does not drive"},
	{"de", "Bitte antworte mir immer auf Deutsch", "Bitte antworte mir immer auf Deutsch", "Wants answers in German"},
	{"de", "Seit meinem Umzug wohne ich in der Lindenstraße 8", "wohne ich in der Lindenstraße 8", "Lives at Lindenstraße 8"},
	{"de", "Arbeite gerade im Homeoffice und mag keine Telefonate vor 10 Uhr", "mag keine Telefonate vor 10 Uhr", "Wants no calls before 10"},
	{"de", "Mein Sohn hat eine Erdnussallergie", "Mein Sohn hat eine Erdnussallergie", "Son has a peanut allergy"},
	{"de", "Übrigens, ich heiße Jonas", "ich heiße Jonas", "Is called Jonas"},
	{"de", "Wenn ich verreise, nehme ich meistens den Nachtzug", "Wenn ich verreise, nehme ich meistens den Nachtzug", "Usually travels by night train"},

	{"fr", "J'habite à Lyon et je travaille dans une librairie.", "J'habite à Lyon et je travaille dans une librairie", "Lives in Lyon, works in a bookshop"},
	{"fr", "Je ne bois pas d'alcool", "Je ne bois pas d'alcool", "Does not drink alcohol"},
	{"fr", "Peux-tu m'aider pour le dîner ? Ma fille est allergique aux œufs.", "Ma fille est allergique aux œufs", "Daughter is allergic to eggs"},
	{"fr", "Je m'appelle Aurélie, tu peux me tutoyer", "Je m'appelle Aurélie, tu peux me tutoyer", "Is called Aurélie, may be addressed as tu"},
	{"fr", "J'ai deux chats, Minou et Plume", "J'ai deux chats, Minou et Plume", "Has two cats, Minou and Plume"},
	{"fr", "Je préfère les réponses courtes", "Je préfère les réponses courtes", "Prefers short answers"},
	{"fr", "On déménage à Nantes en mars 2027", "On déménage à Nantes en mars 2027", "Moves to Nantes in March 2027"},
	{"fr", "Je suis prof de piano depuis 15 ans, tu te souviens ?", "Je suis prof de piano depuis 15 ans", "Has taught piano for 15 years"},
	{"fr", "Mon mari est malentendant, donc mets toujours des sous-titres", "Mon mari est malentendant", "Husband is hard of hearing"},
	{"fr", "Quand je voyage, je prends toujours le train", "Quand je voyage, je prends toujours le train", "Takes the train when travelling"},

	{"pt", "Moro no Porto e trabalho com design gráfico.", "Moro no Porto e trabalho com design gráfico", "Lives in Porto, works in graphic design"},
	{"pt", "Tenho um cachorro chamado Bidu", "Tenho um cachorro chamado Bidu", "Has a dog called Bidu"},
	{"pt", "Sou intolerante à lactose, o que posso comer no café da manhã?", "Sou intolerante à lactose", "Lactose intolerant"},
	{"pt", "Não gosto de coentro", "Não gosto de coentro", "Dislikes coriander"},
	{"pt", "Minha esposa se chama Renata e é médica", "Minha esposa se chama Renata e é médica", "Wife is called Renata and is a doctor"},
	{"pt", "Prefiro respostas curtas, tá?", "Prefiro respostas curtas", "Prefers short answers"},
	{"pt", "A gente se casou em 2015", "A gente se casou em 2015", "Married in 2015"},
	{"pt", "Me ajuda com um roteiro? Eu tenho medo de avião.", "Eu tenho medo de avião", "Is afraid of flying"},

	{"it", "Abito a Torino e insegno storia al liceo.", "Abito a Torino e insegno storia al liceo", "Lives in Turin, teaches history"},
	{"it", "Sono celiaca, quindi niente pasta normale", "Sono celiaca", "Has coeliac disease"},
	{"it", "Ho tre figli e un gatto", "Ho tre figli e un gatto", "Has 3 children and a cat"},
	{"it", "Mi consigli un film? Non sopporto gli horror", "Non sopporto gli horror", "Cannot stand horror films"},
	{"it", "Mi chiamo Davide, dammi pure del tu", "Mi chiamo Davide, dammi pure del tu", "Is called Davide, may be addressed as tu"},
	{"it", "Il mio compleanno è il 3 aprile, ricordi?", "Il mio compleanno è il 3 aprile", "Birthday is 3 April"},
	{"it", "Lavoro da casa il martedì e il giovedì", "Lavoro da casa il martedì e il giovedì", "Works from home on Tuesdays and Thursdays"},
	{"it", "Bevo solo caffè decaffeinato", "Bevo solo caffè decaffeinato", "Drinks only decaf"},

	{"nl", "Ik woon in Utrecht en werk bij de gemeente.", "Ik woon in Utrecht en werk bij de gemeente", "Lives in Utrecht, works for the city"},
	{"nl", "We hebben een hond die Pip heet", "We hebben een hond die Pip heet", "Has a dog called Pip"},
	{"nl", "Kun je een recept zoeken? Ik eet geen vlees.", "Ik eet geen vlees", "Eats no meat"},
	{"nl", "Mijn dochter is allergisch voor pinda's", "Mijn dochter is allergisch voor pinda's", "Daughter is allergic to peanuts"},
	{"nl", "Spreek me maar aan met je, toch?", "Spreek me maar aan met je", "May be addressed informally"},
	{"nl", "Ik fiets elke dag 20 km naar mijn werk", "Ik fiets elke dag 20 km naar mijn werk", "Cycles 20 km to work every day"},
	{"nl", "Sinds 2021 werk ik vier dagen per week", "Sinds 2021 werk ik vier dagen per week", "Works 4 days a week since 2021"},
	{"nl", "Ik ben geboren in Suriname", "Ik ben geboren in Suriname", "Was born in Suriname"},

	{"ru", "Я живу в Казани и работаю инженером.", "Я живу в Казани и работаю инженером", "Lives in Kazan, works as an engineer"},
	{"ru", "У меня двое детей и собака", "У меня двое детей и собака", "Has 2 children and a dog"},
	{"ru", "Я вегетарианка, что мне приготовить?", "Я вегетарианка", "Is vegetarian"},
	{"ru", "Мою жену зовут Оля", "Мою жену зовут Оля", "Wife is called Olya"},
	{"ru", "Не люблю длинные ответы", "Не люблю длинные ответы", "Dislikes long answers"},
	{"ru", "У меня аллергия на пыльцу", "У меня аллергия на пыльцу", "Allergic to pollen"},
	{"ru", "Помоги с резюме. Я программист, пишу на Go уже 7 лет.", "пишу на Go уже 7 лет", "Has written Go for 7 years"},
	{"ru", "Переехал в Тбилиси в прошлом году", "Переехал в Тбилиси в прошлом году", "Moved to Tbilisi"},

	{"zh", "我住在成都，在一家设计公司上班。", "我住在成都，在一家设计公司上班", "Lives in Chengdu, works at a design company"},
	{"zh", "我吃素，有什么推荐吗？", "我吃素", "Is vegetarian"},
	{"zh", "我女儿今年六岁，对花生过敏", "我女儿今年六岁，对花生过敏", "Daughter is 6 and allergic to peanuts"},
	{"zh", "我不喜欢香菜", "我不喜欢香菜", "Dislikes coriander"},
	{"zh", "帮我写一份简历，我做了8年的会计", "我做了8年的会计", "Has been an accountant for 8 years"},
	{"zh", "以后请用中文回答我", "以后请用中文回答我", "Wants answers in Chinese"},
	{"zh", "我养了两只猫", "我养了两只猫", "Has 2 cats"},
	{"zh", "我每天早上跑步5公里", "我每天早上跑步5公里", "Runs 5 km every morning"},

	{"ja", "私は大阪に住んでいて、看護師をしています。", "私は大阪に住んでいて、看護師をしています", "Lives in Osaka, works as a nurse"},
	{"ja", "ベジタリアンなんだけど、おすすめの店ある？", "ベジタリアンなんだけど", "Is vegetarian"},
	{"ja", "うちの犬はポチといいます", "うちの犬はポチといいます", "Has a dog called Pochi"},
	{"ja", "娘は卵アレルギーです", "娘は卵アレルギーです", "Daughter is allergic to eggs"},
	{"ja", "コーヒーはブラックが好きです", "コーヒーはブラックが好きです", "Likes black coffee"},
	{"ja", "これからは短く答えてください", "これからは短く答えてください", "Wants short answers"},
	{"ja", "誕生日は5月2日です", "誕生日は5月2日です", "Birthday is 2 May"},
	{"ja", "車は持っていません", "車は持っていません", "Has no car"},

	{"ko", "저는 부산에 살고 디자이너로 일해요.", "저는 부산에 살고 디자이너로 일해요", "Lives in Busan, works as a designer"},
	{"ko", "저는 채식주의자인데 뭐 먹으면 좋을까요?", "저는 채식주의자인데", "Is vegetarian"},
	{"ko", "딸이 땅콩 알레르기가 있어요", "딸이 땅콩 알레르기가 있어요", "Daughter is allergic to peanuts"},
	{"ko", "고양이 두 마리를 키워요", "고양이 두 마리를 키워요", "Has 2 cats"},
	{"ko", "앞으로 짧게 대답해 주세요", "앞으로 짧게 대답해 주세요", "Wants short answers"},
	{"ko", "저는 매운 음식을 못 먹어요", "저는 매운 음식을 못 먹어요", "Cannot eat spicy food"},
	{"ko", "생일은 10월 9일이에요", "생일은 10월 9일이에요", "Birthday is 9 October"},
	{"ko", "회사에서는 영어를 써요", "회사에서는 영어를 써요", "Speaks English at work"},
}

func TestOrdinaryStatementsAreAdmitted(t *testing.T) {
	refused := map[string]int{}
	total := map[string]int{}
	for _, tc := range ordinary {
		total[tc.lang]++
		c := Candidate{Text: tc.fact, Kind: KindFact, AboutUser: true, Quotes: []string{tc.quote}}
		if _, err := c.Admit(person(tc.said), CaptureRules{}); err != nil {
			refused[tc.lang]++
			t.Errorf("%s %q: %s: %v", tc.lang, tc.said, ruleOf(t, err), err)
		}
	}
	t.Logf("%d statements %v, refused %v", len(ordinary), total, refused)
}

// awkward are true statements that look like something else: a question, a task,
// a supposition, a passing state, a topic that needs care.
var awkward = []struct{ lang, said, quote, fact string }{
	{"en", "Update: I moved to Bristol", "I moved to Bristol", "Lives in Bristol"},
	{"en", "Email is the best way to reach me", "Email is the best way to reach me", "Prefers to be reached by email"},
	{"en", "Research is my job, I'm at the Max Planck Institute", "Research is my job, I'm at the Max Planck Institute", "Researcher at the Max Planck Institute"},
	{"en", "Imagine Dragons is my favourite band", "Imagine Dragons is my favourite band", "Favourite band is Imagine Dragons"},
	{"en", "Draft beer only, I don't like bottles", "Draft beer only, I don't like bottles", "Prefers draft beer"},
	{"en", "What I like most is hiking in the Alps", "What I like most is hiking in the Alps", "Likes hiking in the Alps"},
	{"en", "How I take my coffee: black, no sugar", "How I take my coffee: black, no sugar", "Takes coffee black without sugar"},
	{"en", "Where I work we all use Vim", "Where I work we all use Vim", "Uses Vim at work"},
	{"en", "I suppose I'm more of a cat person", "I'm more of a cat person", "Is more of a cat person"},
	{"en", "I assume you know I have two kids", "I have two kids", "Has 2 kids"},
	{"en", "I can't tell you how much I love Lisbon", "I love Lisbon", "Loves Lisbon"},
	{"en", "Not sure if I said this, but I'm left-handed", "I'm left-handed", "Is left-handed"},
	{"en", "I used to live in Paris, now it's Madrid", "I used to live in Paris, now it's Madrid", "Lives in Madrid, used to live in Paris"},
	{"en", "I haven't eaten meat since 2012", "I haven't eaten meat since 2012", "Has not eaten meat since 2012"},
	{"en", "My favourite tea is Earl Grey, 2 sugars!", "My favourite tea is Earl Grey, 2 sugars", "Favourite tea is Earl Grey with 2 sugars"},
	{"en", "I get tired easily because of my anemia", "I get tired easily because of my anemia", "Gets tired easily because of anemia"},
	{"en", "I'm busy on Mondays, so no meetings then", "I'm busy on Mondays, so no meetings then", "Wants no meetings on Mondays"},
	{"en", "We celebrate Christmas in Prague every year", "We celebrate Christmas in Prague every year", "Celebrates Christmas in Prague"},
	{"en", "I'm a union electrician in Chicago", "I'm a union electrician in Chicago", "Union electrician in Chicago"},
	{"en", "I'm Jewish and keep kosher", "I'm Jewish and keep kosher", "Is Jewish and keeps kosher"},
	{"en", "I was diagnosed with ADHD last year", "I was diagnosed with ADHD last year", "Diagnosed with ADHD"},
	{"en", "my son has epilepsy, just so you know", "my son has epilepsy", "Son has epilepsy"},
	{"en", "I earn 62,000 a year before taxes", "I earn 62,000 a year before taxes", "Earns 62000 a year before taxes"},
	{"en", "Our office is on Church Street 12", "Our office is on Church Street 12", "Office is at 12 Church Street"},
	{"en", "I write software for criminal law firms", "I write software for criminal law firms", "Writes software for criminal law firms"},
	{"en", "the wifi at our place is slow so keep downloads small", "keep downloads small", "Wants small downloads"},
	{"en", "Whenever you write code for me, use tabs", "Whenever you write code for me, use tabs", "Wants tabs in code"},
	{"en", "You should know that I'm colour blind", "I'm colour blind", "Is colour blind"},
	{"en", "one more thing - I'm moving to Oslo on 3 March", "I'm moving to Oslo on 3 March", "Moves to Oslo on 3 March"},
	{"en", "I'd rather have bullet points than long paragraphs", "I'd rather have bullet points than long paragraphs", "Prefers bullet points"},
	{"en", "Don't forget I'm in the Pacific time zone", "I'm in the Pacific time zone", "Is in the Pacific time zone"},
	{"en", "Sorry, I wasn't clear: my budget is -200, I'm in debt by 200", "my budget is -200", "Budget is -200"},
	{"en", "My boss is called Priya and she is in London", "My boss is called Priya and she is in London", "Boss is called Priya, is in London"},
	{"en", "I'm training for a marathon in October", "I'm training for a marathon in October", "Is training for a marathon in October"},
	{"en", "I'm currently writing a novel about lighthouses", "I'm currently writing a novel about lighthouses", "Is writing a novel about lighthouses"},
	{"en", "the repo lives at https://github.com/acme/site, main branch is trunk", "the repo lives at https://github.com/acme/site", "Repository is https://github.com/acme/site"},
	{"en", "I'm on macOS 15.2 with an M3", "I'm on macOS 15.2 with an M3", "Uses macOS 15.2 on an M3"},
	{"en", "btw it's pronounced see-an, not shawn", "it's pronounced see-an, not shawn", "Name is pronounced see-an"},

	{"es", "Como mucho pescado porque vivo en la costa", "Como mucho pescado porque vivo en la costa", "Eats a lot of fish, lives on the coast"},
	{"es", "Cerca de mi casa hay un parque donde corro", "Cerca de mi casa hay un parque donde corro", "Runs in a park near home"},
	{"es", "Lo que más me gusta es el senderismo", "Lo que más me gusta es el senderismo", "Likes hiking most"},
	{"es", "Soy católica y voy a misa los domingos", "Soy católica y voy a misa los domingos", "Is Catholic and goes to mass on Sundays"},
	{"es", "Cuando viajo prefiero trenes", "Cuando viajo prefiero trenes", "Prefers trains"},
	{"es", "Que sepas que no trabajo los viernes", "no trabajo los viernes", "Does not work on Fridays"},
	{"de", "Was ich am liebsten esse, ist Pizza", "Was ich am liebsten esse, ist Pizza", "Favourite food is pizza"},
	{"de", "Mach dir keine Sorgen, ich vertrage Gluten gut", "ich vertrage Gluten gut", "Tolerates gluten"},
	{"de", "Programmiere seit zehn Jahren in Go", "Programmiere seit zehn Jahren in Go", "Has programmed in Go for 10 years"},
	{"de", "Ich bin evangelisch und singe im Kirchenchor", "Ich bin evangelisch und singe im Kirchenchor", "Is Protestant and sings in a church choir"},
	{"de", "Wenn es geht, bitte ohne Milch, die vertrage ich nicht", "ohne Milch, die vertrage ich nicht", "Does not tolerate milk"},
	{"de", "Mein Büro ist im 3. Stock, Raum 3.14", "Mein Büro ist im 3. Stock, Raum 3.14", "Office is on floor 3, room 3.14"},
	{"fr", "Comme je suis végane, pas de fromage pour moi", "Comme je suis végane", "Is vegan"},
	{"fr", "Ce que je préfère, c'est le thé vert", "Ce que je préfère, c'est le thé vert", "Prefers green tea"},
	{"fr", "Quand j'étais petite j'habitais à Dakar", "j'habitais à Dakar", "Lived in Dakar as a child"},
	{"fr", "Je suis syndiquée à la CGT", "Je suis syndiquée à la CGT", "Union member at the CGT"},
	{"pt", "Que eu saiba, não tenho alergias", "não tenho alergias", "Has no allergies"},
	{"pt", "Como não dirijo, vou de metrô", "Como não dirijo, vou de metrô", "Does not drive, takes the metro"},
	{"it", "Quello che mi piace di più è nuotare", "Quello che mi piace di più è nuotare", "Likes swimming most"},
	{"it", "Come ti dicevo, sono mancino", "sono mancino", "Is left-handed"},
	{"nl", "Wat ik het liefst eet is stamppot", "Wat ik het liefst eet is stamppot", "Favourite food is stamppot"},
	{"nl", "Zoek al jaren een huis in Utrecht", "Zoek al jaren een huis in Utrecht", "Has looked for a house in Utrecht for years"},
	{"ru", "Как я говорил, у меня аллергия на кошек", "у меня аллергия на кошек", "Allergic to cats"},
	{"ru", "Что мне нравится больше всего, так это горы", "Что мне нравится больше всего, так это горы", "Likes mountains most"},
	{"zh", "我现在住在上海", "我现在住在上海", "Lives in Shanghai"},
	{"zh", "因为我对牛奶过敏，所以喝豆浆", "因为我对牛奶过敏，所以喝豆浆", "Allergic to milk, drinks soy milk"},
	{"zh", "我一般六点起床", "我一般六点起床", "Gets up at 6"},
	{"ja", "今は東京に住んでいます", "今は東京に住んでいます", "Lives in Tokyo"},
	{"ja", "肉は食べません", "肉は食べません", "Eats no meat"},
	{"ja", "大学で日本文学を教えています", "大学で日本文学を教えています", "Teaches Japanese literature"},
	{"ko", "지금은 서울에 살아요", "지금은 서울에 살아요", "Lives in Seoul"},
	{"ko", "앱을 만들어요, 스타트업에서요", "앱을 만들어요", "Makes apps"},
	{"ko", "우유를 마시면 배가 아파요", "우유를 마시면 배가 아파요", "Gets a stomach ache from milk"},
}

func TestAwkwardStatementsAreAdmitted(t *testing.T) {
	refused := 0
	for _, tc := range awkward {
		c := Candidate{Text: tc.fact, Kind: KindFact, AboutUser: true, Quotes: []string{tc.quote}}
		if _, err := c.Admit(person(tc.said), CaptureRules{}); err != nil {
			refused++
			t.Errorf("%s %q: %s: %v", tc.lang, tc.said, ruleOf(t, err), err)
		}
	}
	t.Logf("%d statements, %d refused", len(awkward), refused)
}
