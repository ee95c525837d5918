package policy

// hush holds what one language says to ask that something be not mentioned. It is a
// part of the table of languages.
//
// Templates are parted by semicolons. A template is a row of slots parted by +, of
// which … is what must not be mentioned; a slot holds forms parted by |, and may be
// missing when it begins with ?. Before a template, ~ lets words stand that are not
// known, such as a name, and ^ lets it stand only where its clause begins; a $
// behind it asks for the end of the clause. Forms are read without accents, word by
// word, or character by character where a language clings words together.
type hush struct {
	topics string // templates: do not mention …
	names  string // templates: do not call me …

	leads   string // what may stand before a template, so that it is still the person's wish
	blocks  string // what may not where unknown words may: it makes it somebody else's wish, or none
	tells   string // what makes it somebody else's wish wherever it stands before
	behind  string // what may not stand right behind a template
	reports string // what may not stand behind it in the sentence
	clings  string // characters that make another word of a template's first one

	asks     string // makes a request of a question
	composes string // opens a task to write something, for which alone the wish holds

	heads    string // what a term does not begin with
	tails    string // what it does not end with: courtesy, time, particles
	cuts     string // where it ends
	ands     string // parts two terms
	noTopics string // no template is meant when a term begins so
	noNames  string // what begins no name: "before nine"
	noEnds   string // no template is meant when a term ends so: "to somebody"

	owners  string // articles and possessives
	vague   string // words that name something only while it is spoken of
	generic string // nouns that name nothing by themselves
}

func englishHush() hush {
	const (
		say   = "talk about|talk of|talk to me about|speak about|speak of|speak to me about|mention|say|bring up|go on about|carry on about|keep on about|discuss|ask about|ask me about|tell me about|remind me about|remind me of|refer to|joke about|chat about|start with|start on about|start about|even mention|keep mentioning|keep bringing up|keep talking about"
		does  = "talking about|talking to me about|talkin about|speaking about|speaking of|speaking to me about|mentioning|saying|bringing up|going on about|going on and on about|carrying on about|discussing|asking about|asking me about|telling me about|reminding me about|reminding me of|referring to|joking about|chatting about|banging on about|rambling about|rambling on about|nagging me about|yapping about|obsessing over"
		never = "don't|dont|do not|never|don't ever|do not ever|never ever|don't you dare|don't you ever|don't even"
		want  = "i don't want|i dont want|i do not want|i don't wanna|i dont wanna|i never want|i never wanna|i really don't want|i really don't wanna|i no longer want|i don't need|i'd rather not|i would rather not|i don't feel like|i can't bear|i am tired of|i'm tired of|i'm sick of|i am sick of|i'm done|i am done|i hate|i don't like|i refuse|i'm not going|i am not in the mood|i'm not in the mood|i won't"
		wants = "don't want|dont want|do not want|don't wanna|dont wanna|rather not|not in the mood|tired of|sick of|done"
		off   = "off limits|off the table|out of bounds|a no go|a no go topic|a forbidden topic|a forbidden subject|forbidden topic|a taboo|taboo|a taboo topic|a taboo subject|not up for discussion|not open for discussion|a closed topic|a closed subject|a banned topic|a touchy subject|a sore subject|not something i want to talk about|not something i want to discuss|not something i wanna talk about"
		topic = "topic|subject|thing|talk|stuff|conversation|discussion|topics|jokes|stories"
	)
	return hush{
		topics: "~stop|quit|no more|enough|cease|stop it with|stop constantly|stop always|stop endlessly + ?always|constantly|already|all this|all the|please + " + does + " + …;" +
			"~stop|shut up|enough|quit|no more|not another word|not one more word|not a word|not one word|never another word|hush + ?please|already|talk|chat|with all the talk|with all this talk|with the talk + about + …;" +
			never + " + ?you|please|always|constantly|you dare|start + " + say + " + …;" +
			never + " + ?you|please + keep|start|go|be + ?on|always + " + does + " + …;" +
			never + "|stop + bring|bringing + … + up;" +
			"i told you|i've told you|i asked you|i've asked you|i'm asking you|i am asking you|i beg you|i want you|i need you|i'd like you|i would like you|i'd prefer you|please try|try|remember|make sure|be sure|you're|you are|promise me|promise + ?again|already|please + not to|to never|never to|to not|to stop|to avoid|not + ?ever|constantly + " + say + "|" + does + " + …;" +
			"can you|could you|would you|can we|could we|will you|let's|lets|let us|maybe we|you'd better|you better|we'd better|please|would you mind|do you mind + ?please|just|maybe|rather + not|never|stop|avoid|rather not|better not + ?please|ever|even|" + "constantly + " + say + "|" + does + " + …;" +
			want + " + ?you|to|to you|anyone|us|we|even|anymore|for us|for you + ?to|even|ever|keep|about to + talk|hear|discuss|think|be reminded|speak|chat|" + say + "|" + does + "|hearing|thinking|discussing + ?any more|anything|anything more|another word|one more word|a word|more|anything else|again|anymore|to you|with you|right now|now + ?about|of|on + …;" +
			"^" + wants + " + ?to|you to|us to + talk about|hear about|discuss|think about|hear|be reminded of|" + say + "|" + does + "|hearing about|thinking about + …;" +
			want + " + … + mentioned|brought up|discussed|talked about;" +
			"… + is|are|'s|was|is now|are now|is still|is just|is strictly|are strictly|is totally|is completely|is an|is and remains|remains|stays|shall be|should be|must be + ?absolutely|totally|completely|strictly|just|now|still|officially + " + off + ";" +
			"consider|keep + … + " + off + ";" +
			"drop|leave|leave alone|quit|forget|lose|stop|enough of|enough with|no more of|no more|stop with|stop it with|skip|avoid + ?all + the|this|that|my|your|these|all the|all that|with the + … + " + topic + ";" +
			"no more|no + … + talk|jokes|stories|topics|conversations|references|anecdotes|reminders;" +
			"no more mention of|no more mentions of|no mention of|no mentions of|no more talk of|no talk of|no more jokes about|no jokes about|no more stories about|avoid the topic of|avoid the subject of|avoid talking about|avoid mentioning|drop the topic of|drop the subject of|avoid any mention of|avoid bringing up|steer clear of|stay away from the topic of|stay off the topic of|stay off the subject of|enough with the talk of + …;" +
			"leave|keep + … + out of this|out of it|out of our conversations|out of our chats|out of the conversation|out of our chat",
		names: "~" + never + "|stop|quit|no more + ?please|always|constantly|keep|ever|you dare + call|calling|address|addressing|refer to|referring to + me + ?as|by|by the name|a|an + …;" +
			"i told you|i asked you|i've told you|can you|could you|would you|please|i want you|i'd like you|i need you|i'd prefer you + ?please + not to|to not|not|stop|to stop|never to + ?ever + call|calling + me + ?as|by|a|an + …;" +
			"i don't want|i don't like|i hate|i can't stand|i dislike|i do not want|i do not like|i'd rather not|i would rather not + ?it when you|when you|you|anyone|it when people|to|people|for you to + ?to|be|being + call me|calling me|be called|being called|called + ?a|an|by + …;" +
			"… + is not my name|isn't my name|ain't my name",
		leads: "please|pls|plz|kindly|ok|okay|so|and|but|hey|hi|hello|look|listen|now|well|also|just|again|then|oh|ugh|omg|lol|jeez|god|my god|dude|bro|babe|honey|dear|seriously|honestly|really|for real|for god's sake|for the love of god|come on|cmon|" +
			"i said|i told you|i've told you|i already told you|i asked you|i already asked you|i beg you|i'm begging you|i'm serious|i mean it|can you|could you|would you|will you|can you just|could you just|can we|can u|could u|i want you to|i need you to|i'd like you to|i would like you to|i wish you would|i wish you'd|" +
			"you should|you must|you need to|you have to|you can|you better|you'd better|you will|you|from now on|from here on|going forward|in future|in the future|once and for all|today|tonight|right now|for now|for today|always|first|second|next|finally|also|one thing|one more thing|rule|new rule|note|nb|reminder|" +
			"remember|remember to|make sure to|be sure to|try to|let's|let's just|let us|lets|maybe|ideally|thanks|thank you|sorry|no|nope|yes|yeah|alright|fine|enough|whatever you do|if you don't mind|if possible|like i said|as i said|for the last time|actually|alexa|bot|assistant|because|since|cause",
		blocks: "told me|tells me|telling me|asked me|asks me|wants me|want me|begged me|ordered me|advised me|told us|asked us|wants us|told him|told her|told them|asked him|asked her|asked them|tell him|tell her|tell them|says|said|saying|he|she|they|we|i|it|who|to|why|did|does|do|don|didn|doesn|can|cannot|couldn|won|wouldn|shouldn|isn|not|never|" +
			"how|should|shall|will|if|people|would|could|might|may|when|where|what|everyone|everybody|nobody|someone|somebody|you",
		tells:    "told me|tells me|telling me|asked me|asks me|wants me|want me|begged me|ordered me|advised me|told us|asked us|wants us|told him|told her|told them|asked him|asked her|asked them|tell him|tell her|tell them|says|said|saying|tell my|told my|asked my|tell your|whispered|shouted|yelled|wrote|tweeted|texted me|reminded me",
		asks:     "can you|could you|would you|will you|can we|could we|can u|could u|do you mind|would you mind|please|ok|okay|alright|all right|yeah|got it|understood|will ya|would ya|hear me|you hear",
		composes: "write|draft|compose|rewrite|translate|summarize|summarise|rephrase|paraphrase|proofread|generate|help me write|help me draft",
		heads:    "about|anything about|anything to do with|anything related to|anything on|anything|everything about|everything|the topic of|the topic|the subject of|the subject|topic of|subject of|the word|the words|the term|the name|stuff about|things about|stuff like|things like|all of|all|any|any more|any of|more|even|this whole|that whole|the whole|with|of|please|constantly|consider",
		tails: "please|pls|plz|again|anymore|any more|ever|ever again|already|today|tonight|now|right now|thanks|thank you|thx|ok|okay|for now|for today|with me|to me|around me|in front of me|at all|all the time|so much|so often|constantly|all day|all day long|here|from now on|going forward|never|will you|would you|can you|could you|alright|all right|yeah|you hear|you hear me|got it|" +
			"understood|tomorrow|this week|this evening|this morning|in future|in the future|for a while|for god's sake|for heaven's sake|dude|bro|seriously|once and for all|to anyone|to anybody|to her|to him|to them|to us|if you can|at the moment|every day|each day|every time|will ya|would ya|either|just|even|for once|for good|more than once|twice|always|too|lol|in this chat|in our chats|in this conversation|or anything",
		cuts: "because|cause|cuz|since|until|till|when|whenever|while|if|unless|but|so|it|which|please|except|again|anymore|i|instead|ok|okay|therefore|though|although",
		ands: "and|or|nor|&", noTopics: "i|you|we|they|he|she|it's|that i|that you|that we|that they|no|yes|sorry|hi|hello|goodbye|to|nothing|a word|something",
		noNames: "before|after|at|on|in|until|till|when|whenever|while|if|unless|tonight|today|tomorrow|again|anymore|any more|now|later|back|during|every|so|because|for|from|out|up|over|late|early|names|yet|then|just|more|once|twice|between|around|past|only|instead|first|right|please|daily|about|this|that|anything|something|about|maybe|monday|tuesday|wednesday|thursday|friday|saturday|sunday|to|and|or|ever|at all|unless|here|there|mid|too",
		owners:  "a|an|the|my|your|our|his|her|their|its|this|that|these|those|some|any|mine|yours",
		vague: "it|this|that|these|those|him|her|them|he|she|they|me|you|us|one|ones|anything|something|nothing|everything|stuff|things|thing|so|here|there|what|which|who|all|any|more|much|a word|another|else|again|anymore|ever|please|now|today|same|such|like|about|well|ok|okay|yes|no|to|up|i|we|too|anyone|someone|everyone|of|on|in|at|and|or|" +
			"is|are|be|do|does",
		generic: "thing|things|stuff|topic|topics|subject|subjects|matter|issue|talk|word|words|one",
	}
}

//nolint:misspell // the words of a language
func spanishHush() hush {
	const (
		no    = "no|nunca|jamás|ya no|nunca más|nunca jamás|no más"
		of    = "de|del|sobre|acerca de|acerca del|en"
		names = "menciones|mencione|mencionar|mencionen|mencionéis|mencionés|nombres|nombre|nombrar|digas|diga|decir|digan|saques|saque|sacar|cites|citar|comentes|comente|comentar|repitas|repita|recuerdes|recuerde|recordarme|mencionarme|mencionarlo|traigas|insistas con|insistas en|insista en|insistir con|insistir en"
	)
	return hush{
		topics: no + " + ?me|nos|te atrevas a|vuelvas a|vuelva a|sigas|siga|me vuelvas a|me sigas + hables|hable|hablar|hablando|hablarme|hablen|habléis|hablés|charles|discutas + ?más|nunca|tanto|nunca más|otra vez|conmigo|siempre + " + of + " + …;" +
			no + " + ?me|nos|lo|te atrevas a|vuelvas a|vuelva a|me vuelvas a|sigas + " + names + "|mencionando|nombrando|diciendo|sacando + ?más|nunca|otra vez|de nuevo|el tema de|el tema del|la palabra|el nombre de|nunca más + ?a|al|de + …;" +
			no + " + toques|toque|tocar|saques|saque|sacar|vuelvas a sacar|vuelvas a tocar + ?más + el tema|el asunto|ese tema + ?de|del|de la + …;" +
			"deja|deje|dejá|dejad|dejen|para|pare|pará|basta|cesa|dejar|parar|dejes|dejaras + ya de|de|de una vez de + ?una vez|siempre + hablar|hablarme|charlar|discutir|preguntar|preguntarme|quejarte + ?más|siempre|tanto|todo el tiempo + de|del|sobre|por + …;" +
			"deja|deje|dejá|dejad|dejen|para|pare|basta|cesa|dejar|parar + ya de|de|de una vez de + " + names + "|repetir|recordar + ?siempre|tanto|el tema de|el tema del|la palabra + …;" +
			"no quiero|yo no quiero|ya no quiero|no quisiera|no quiero más|no tengo ganas de|prefiero no|preferiría no|no me apetece|no deseo|estoy harto de|estoy harta de|no me gusta|odio|no soporto|me niego a + ?volver a|seguir|ni|que me|que|más + hablar|hablarte|oír|oir|escuchar|saber|discutir|pensar|oír hablar|oir hablar|escuchar hablar|charlar|conversar|hablen|hables|me hables|hablando|oírte hablar + ?más|nada|nada más|ni una palabra|una palabra más|ahora|hoy|contigo|nunca más + " + of + " + …;" +
			"no quiero que|prefiero que no|quiero que no|te pido que no|te pedí que no|te dije que no|te ruego que no|te he dicho que no|necesito que no + ?me|vuelvas a|lo|sigas|nadie|vuelva a + hables de|hables del|hables sobre|hable de|hable del|hable sobre|hablar de|hablar del|hablando de|" + names + " + ?más|nunca más|nunca|otra vez + …;" +
			"… + es un tema prohibido|es tema prohibido|es tema tabú|es un tema tabú|es tabú|es un tabú|es un tema vetado|es un tema cerrado|no se toca|no se menciona|está fuera de discusión|está fuera de la mesa|es terreno prohibido|son un tema prohibido|son tabú|son tema prohibido;" +
			"deja|dejemos|olvida|olvidemos|olvídate|evita|evitemos|evite|cierra|cerremos|basta|basta ya|ya basta|suelta|aparca + ?ya|en paz|estar|con|de una vez + el tema|el asunto|del tema|del asunto|con el tema + ?de|del|de la + …;" +
			"ni una palabra|ni una palabra más|ni media palabra|ni mu + " + of + " + …;" +
			"no hablemos|mejor no hablemos|evita hablar|evite hablar|evitemos hablar|evita hablarme|nunca hablemos|no volvamos a hablar|podemos no hablar|no hay que hablar + ?más|nunca más|hoy|ahora + " + of + " + …;" +
			"evita|evite|evitemos + mencionar|nombrar|decir|sacar + …;" +
			"no más|basta de|se acabaron las|se acabó + charlas|charla|bromas|chistes|historias|temas|hablar|comentarios + " + of + " + …",
		names: no + "|no quiero que|prefiero que no|no me gusta que|te dije que no|te pido que no|odio que + ?vuelvas a|más + me llames|me llame|me llamen|llamarme|me llames más|llames|me vuelvas a llamar|me sigas llamando|me apodes + ?más|nunca más|nunca + …;" +
			"deja|deje|dejá|para|pare|basta|dejad|dejar + ya de|de + llamarme|apodarme + …",
		leads:    "por favor|porfa|porfis|oye|oiga|mira|y|pero|bueno|vale|ya|venga|ay|eh|en serio|de verdad|te lo pido|te lo ruego|te lo suplico|te ruego que|te dije que|ya te dije que|te he dicho que|te pedí que|te pido que|quiero que|necesito que|prefiero que|me gustaría que|puedes|podrías|puede|podría|me puedes|quieres|haz el favor de|hazme el favor de|hazme un favor y|de ahora en adelante|a partir de ahora|desde ahora|ahora|hoy|tú|usted|vos|regla|nota|recuerda|recuerda que|que|entonces|así que|solo|sólo|además|también|hola|gracias|basta|nunca más|mejor|yo|porque|tío|tía|hombre|jo|uf|dios|una cosa|otra cosa|por última vez|cariño|perdona|sí|es que|hazme caso y",
		tells:    "me dijo|me dijeron|me pidió|me pide|me dice|dice que|dijo|dice|dijeron|me ha dicho|me ha pedido|le dije|le he dicho|le pedí|dile|para que|escribió|me ordenó|me aconsejó|nos dijo",
		asks:     "puedes|podrías|puede|podría|podemos|quieres|te importa|te importaría|por favor|porfa|vale|ok|de acuerdo|sí|eh|está bien|entendido",
		composes: "escribe|escríbeme|redacta|traduce|resume|corrige|reescribe|genera",
		heads:    "de|del|sobre|nada de|nada del|nada sobre|nada|el tema de|el tema del|el tema|la palabra|el nombre de|cosas de|cosas sobre|todo lo de|lo de|lo del|a|más|tanto",
		tails:    "por favor|porfa|porfis|jamás|nunca|nunca más|nunca jamás|más|otra vez|de nuevo|hoy|ahora|ahora mismo|ya|conmigo|vale|ok|gracias|te lo pido|te lo ruego|en serio|mañana|esta noche|delante de mí|aquí|por hoy|de una vez|de una vez por todas|sabes|eh|sí|de acuerdo|por ahora|siempre|todo el tiempo|todo el rato|tanto|en este chat|a nadie|a partir de ahora|de ahora en adelante",
		cuts:     "porque|pues|hasta|cuando|mientras|si|pero|así|por favor|jamás|nunca|que me|ya que|aunque|salvo|excepto",
		ands:     "y|e|o|u|ni", noTopics: "que|nada|sí|no|hola|adiós|me|te|se|lo que|cómo|qué",
		noNames: "antes|después|a|al|en|cuando|hasta|si|por|para|mañana|hoy|tarde|temprano|ahora|desde|durante|entre|con|las|los|que|tan|todavía|esta|este|luego|otra|cada|por la|de noche|de madrugada|de día|solo|más|nunca|jamás|después de|y|o|ya",
		owners:  "el|la|los|las|lo|un|una|unos|unas|mi|mis|tu|tus|su|sus|nuestro|nuestra|nuestros|nuestras|vuestro|vuestra|este|esta|ese|esa|aquel|aquella|al|del|de",
		vague:   "esto|eso|aquello|este|esta|ese|esa|ello|él|ella|ellos|ellas|lo|la|nada|algo|todo|así|mí|ti|eso mismo|eso otro|cosas|me|te|se|ya|más|nunca|que|de|cosa|hoy|ahora|nadie",
		generic: "cosa|cosas|tema|temas|asunto|asuntos|palabra|historia",
	}
}
