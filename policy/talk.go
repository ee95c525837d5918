package policy

// talk holds what one language says by which capture reads a line: how a
// sentence is meant, who is spoken of, and when. Forms are parted by | and are read
// word by word, or character by character where a language is written without
// blanks; one that ends in * stands for every word that begins so. It is a part of
// the table of languages.
type talk struct {
	// How a sentence is meant.
	supposes  string // what a supposition opens with
	wishes    string // the same in two parts, as in "wenn ich … wäre", and what makes a wish of it after all
	plays     string // what opens a game in which one speaks as somebody else, to the end of the message
	delegates string // says that somebody else wants to know
	tasks     string // what a task for the bot opens with; in Japanese and Korean, ends with
	texts     string // the tasks whose matter is a text that follows
	standing  string // makes a rule of a task: it is meant for good
	asks      string // what a clause of a question opens with, beside the questions
	tags      string // what asks at the end of a statement only whether one heard it
	whether   string // "if"
	links     string // words that join a clause with one of its own meaning
	breaks    string // endings of a clause before a question (Japanese, Korean)
	inverts   string // verbs that come before "I" in a question
	negations string

	// Who is spoken of.
	selves string // "I", "we", and verbs that say as much
	mine   string
	us     string // those of them that speak of several
	kin    string
	others string

	// When.
	yearly   string // days that come again
	ends     string // "until", which makes an end of such a day
	days     string // words that name a day by today's
	months   string // twelve, the forms of each parted by /
	numerals string // 0 to 20, then 30, 40 up to 90, 100, 1000, likewise
	states   string // passing states
	moments  string // "today": with a state, it passes
	instants string // "right now": with work in progress, it passes
	sessions string // work in progress
	lasting  string // "always": it stays after all
	justs    string // "just had": with something to eat or drink, it passes
	meals    string
	passes   string // passing by itself
}

func englishTalk() talk {
	return talk{
		supposes: "suppose|supposing|imagine i|imagine you|imagine we|imagine that|imagine a|imagine there|imagine my|let's imagine|let's suppose|let's assume|let's say|let us say|assume|assuming|what if|what would happen|hypothetically|" +
			"for the sake of argument|say i were|say i had|picture this|let's play|lets play|if i were|if i was|if i had|if i'd|if i ever|if i won|if i could|if i lived|if i got|if i became|if we were|if we had|if we could|if we won|if only|were i|i wish i",
		plays: "pretend|let's pretend|let's play pretend|let's play a game|let's roleplay|let's role play|roleplay|role play|act as|act like|you are now a|you are now an|you're now a|you're now an|in this story|in this game|in this scene|in this roleplay|" +
			"my character|play the role|play the part",
		delegates: "asking for a friend|asking for my dad|asking for my father|asking for my mom|asking for my mum|asking for my mother|asking for my friend|asking for my boss|asking for my wife|asking for my husband|asking for my sister|asking for my brother|" +
			"asking for my son|asking for my daughter|asking for my partner|asking for my colleague|asking for my neighbour|asking for my neighbor|asking on behalf|friend is asking|friend asks|friend asked me|friend wants to know|wants to know if|wants to know whether|" +
			"wants to know how|wants to know what|wants to know which|wants to know why|wants to know when|wants to know where|is asking whether|is asking if|asks whether|is wondering if|is wondering whether|would like to know if|question from my|question for my",
		tasks: "write|draft a|draft an|draft me|draft the|compose|generate|create|explain|summarize|summarise|translate|rephrase|paraphrase|rewrite|proofread|debug|refactor|implement|brainstorm|calculate|compute|convert|compare|suggest|help me|help us|give me|give us|show me|tell me|find me|find a|" +
			"find an|find out|find the|look up|look for|look into|search for|search the|build me|build a|build an|make me|make a|make an|design a|design an|design me|plan a|plan an|plan my|plan our|plan me|plan the|recommend me|recommend a|recommend an|recommend some|" +
			"list the|list all|list some|fix the|fix my|fix this|check the|check my|check if|check this|check whether|review the|review my|review this|edit the|edit my|edit this|outline a|outline the|describe the|describe a|describe how|draw a|draw me|" +
			"prepare a|prepare an|prepare the|schedule a|schedule an|schedule the|book a|book me|book the|order a|order me|send a|send an|send the|send him|send her|send them|send it|send this|email him|email her|email them|email the|set up|set a|set an|" +
			"run the|run a|run my|run this|test the|test my|test this|deploy the|deploy my|install the|update the|update my|update this|rename the|delete the|delete this|remove the|remove this|add a|add an|add the|add this|open the|close the|analyze the|analyze this|analyze my|analyse the|analyse this|analyse my|" +
			"pick a|pick an|pick me|choose a|choose an|teach me|walk me through|remind me|do me a favor|do me a favour|let's write|let's build|let's make|let's create|let's plan|can you|could you|would you|will you|can u|could u|i need you to|i want you to|i'd like you to|i would like you to",
		texts: "translate|summarize|summarise|proofread|rewrite|rephrase|paraphrase|correct this|edit this|fix this|explain this|reply to|respond to|answer this|review this|analyze this|analyse this|check this|improve this|shorten this|convert this|format this|" +
			"write a reply|write a response|can you translate|can you summarize|can you summarise|can you proofread|can you rewrite|could you translate|could you summarize|could you proofread|help me translate|help me rewrite|help me reply|help me answer",
		standing: "from here on|from now on|going forward|in future|every time|each time|whenever|by default|at all times|henceforth|anymore|any more|when you reply|when you answer|when you write|when replying|when answering|your answers|your replies|your responses|your tone|" +
			"every day|every morning|every evening|every week|every month|every monday|every tuesday|every wednesday|every thursday|every friday|every saturday|every sunday|on weekdays|short answers|short replies|short responses|brief answers|brief replies|concise answers|concise replies|long answers|detailed answers|call me|address me|talk to me|speak to me|answer in|reply in|respond in|i want you to know|i would like you to know|i'd like you to know|use metric|be brief|be concise|be shorter|keep it short",
		asks: "am i|was i|is it|is my|are my|was my|have i|has my|do you|does my|will it|will i|would it|would i|could i|could we|should my|can my|may we|what can|what could|what should|what would|what will|what kind|what time|what about|what else|how can|how could|how should|" +
			"how would|how will|how to|how old|how far|how often|how about|where can|where could|where should|where would|when can|when should|when was|why should|why can|which|any|anyone|does anyone|best|what|who|whom|whose|how|why|where|is there|are there",
		tags: "right|remember|you remember|do you remember|if you remember|you know|y'know|as you know|ok|okay|eh|huh|isn't it|isn't that right|aren't i|don't i|am i not|haven't i|didn't i|wasn't i|wasn't it|doesn't it|hasn't it|aren't we|don't we|haven't we|" +
			"correct|yes|yeah|no|see|you see|alright|all right|got it|understood|is that ok|is that okay|innit",
		whether: "if|whether|unless|in case",
		links:   "and|but|so|because|since|though|although|plus|while|except",
		inverts: "am|are|is|was|were|do|does|did|have|has|had|can|could|may|might|must|shall|should|will|would|if|than|that|think|know|don|doesn|didn|t",
		negations: "not|never|no longer|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|can't|cannot|couldn't|wouldn't|shouldn't|haven't|hasn't|hadn't|dont|doesnt|didnt|isnt|cant|wont|neither|nor|without|no|hardly|barely|" +
			"used to|stopped|quit|gave up",
		selves: "i|im|ive|we|weve",
		mine:   "my|our",
		us:     "we|weve|our|ours",
		kin: "brother|brothers|sister|sisters|mother|father|mom|mum|dad|son|daughter|wife|husband|partner|girlfriend|boyfriend|fiancé|fiancée|spouse|grandfather|grandmother|grandma|grandpa|grandparents|parents|uncle|aunt|cousin|nephew|niece|kid|kids|child|children|family|ex|twin|baby|" +
			"son's|in-law",
		others: "he|she|they|him|her|them|his|hers|their|friend|friends|colleague|colleagues|coworker|coworkers|boss|manager|neighbor|neighbour|neighbors|neighbours|roommate|flatmate|people|someone|somebody|everyone|everybody|customer|client|teacher|barista|guy|guys|girl|" +
			"man|woman|men|women|student|students|landlord",
		yearly: "birthday|birthdays|bday|b-day|born on|anniversary|anniversaries|name day|nameday|christmas|xmas|easter|thanksgiving|halloween|new year's|new years|valentine's|mother's day|father's day|hanukkah|diwali|holi|eid|passover|yom kippur|nowruz|every year|each year|" +
			"yearly|annual|annually|once a year|independence day",
		ends: "until|till|before|by|over|for|during|through|after",
		days: "today|tomorrow|tonight|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekend|next week|this week|last week|next month|this month|last month|days ago|week ago|weeks ago|in a week|" +
			"in two weeks|fortnight|this morning|this evening|last night|next year|this year|last year",
		months:   "january/jan|february/feb|march/mar|april/apr|may|june/jun|july/jul|august/aug|september/sept/sep|october/oct|november/nov|december/dec",
		numerals: "zero|one/single/once|two/couple/pair/twice/both|three|four|five|six|seven|eight|nine|ten|eleven|twelve/dozen|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand",
		states: "tired|exhausted|wiped out|worn out|knackered|sleepy|hungry|starving|thirsty|bored|hungover|grumpy|cranky|bad mood|good mood|stressed|stressed out|busy|sad|happy|cold|hot|sick|unwell|nauseous|drunk|tipsy|jet lagged|jetlagged|annoyed|angry|excited|nervous|" +
			"frustrated|drained|sore|headache|feeling down|feeling great|feeling good|feeling bad|feeling low|swamped|hangry|feel great|feel bad|feel awful",
		moments:  "today|tonight|right now|just now|this morning|this afternoon|this evening|at the moment|atm|now|rn|this minute|all day",
		instants: "right now|just now|rn|this minute|this second|as we speak|today|tonight|this morning|this afternoon|this evening|atm",
		sessions: "debugging|fixing|writing|editing|coding|testing|reading|working on|looking at|looking for|trying to|watching|waiting for|cooking|installing|configuring|setting up|preparing|drafting|reviewing|building|making|listening|refactoring|deploying|eating|drinking|cleaning",
		lasting:  "always|often|usually|every|chronic|chronically|generally|since|never|mostly|tend to|typically|prone|easily|whenever|when|daily|constantly|all the time|permanently|years|months|weeks|after|before|because of my",
		justs:    "just had|just ate|just drank|just finished|just made|just grabbed|just took|had my first|had my second|had my third|had my fourth|having a|having my|drinking a|drinking my|eating a|eating my|on my second|on my third|on my fourth",
		meals:    "coffee|espresso|latte|cappuccino|tea|breakfast|lunch|dinner|brunch|supper|snack|sandwich|pizza|beer|wine|drink|shower|nap|meal|cup|pint|smoothie|burger|salad|soup",
		passes: "just woke up|just got up|just got home|brb|be right back|gotta go|got to go|on my way|running late|stuck in traffic|i need a break now|heading out|off to bed|going to bed now|can't sleep|slept badly|slept well|didn't sleep|" +
			"woke up late|bad mood today",
	}
}

//nolint:misspell // the words of a language
func spanishTalk() talk {
	return talk{
		supposes: "supongamos|supón|supon|suponiendo|imagina que|imagínate que|imaginemos|imagínate|digamos que|pongamos que|hipotéticamente|qué pasaría si|y si yo|si fuera|si fuese|si yo fuera|si yo fuese|si yo tuviera|si tuviera|si tuviese|si pudiera|si viviera|si ganara|" +
			"si ganase|si me tocara|si fuéramos|si tuviéramos|ojalá fuera|ojalá tuviera|juguemos",
		plays:     "hagamos como que|finge que|finge ser|actúa como|eres ahora un|eres ahora una|juego de rol|hagamos un juego de rol|mi personaje",
		delegates: "pregunto por un amigo|pregunto por una amiga|pregunto para un amigo|pregunto para una amiga|pregunto para mi|pregunto de parte de|amigo pregunta|amiga pregunta|amigo quiere saber|amiga quiere saber|quiere saber si|quiere saber cómo|quiere saber qué|pregunta si",
		tasks: "escríbeme|escribe un|escribe una|escribe el|escribe la|redacta|hazme|haz un|haz una|crea un|crea una|créame|genera|ayúdame|ayudame|dame|dime|muéstrame|muestrame|búscame|buscame|busca un|busca una|encuentra un|encuentra una|explica|explícame|explicame|resume|resúmeme|" +
			"traduce|tradúceme|corrige|arregla|planifica|planea un|planea una|sugiere|sugiéreme|recomiéndame|recomiendame|recomienda un|recomienda una|compara|revisa|calcula|enséñame|prepara un|prepara una|organiza un|organiza una|cuéntame|diseña un|diseña una|envía|envíale|mándale|" +
			"recuérdame|puedes|podrías|me puedes|me podrías|puede usted|podría usted|necesito que|quiero que",
		texts: "traduce|tradúceme|resume|resúmeme|corrige|revisa|reescribe|responde a|contesta a|puedes traducir|puedes resumir|puedes corregir",
		standing: "de ahora en adelante|a partir de ahora|desde ahora|en adelante|cada vez|por defecto|tus respuestas|mis respuestas|respuestas cortas|respuestas breves|respóndeme|respondas|contestes|me respondas|me hables|háblame|me llames|llámame|seas breve|" +
			"respuestas sean",
		asks:      "quién|quiénes|qué|cuándo|dónde|adónde|por qué|cómo|cuál|cuáles|cuánto|cuánta|cuántos|cuántas|puedes|podrías|puedo|podemos|debo|debería|sabes|es posible|me recomiendas|tienes|conoces|algún|alguna",
		tags:      "verdad|no|recuerdas|lo recuerdas|te acuerdas|vale|ok|okay|cierto|no es cierto|no es así|sabes|eh|sí|correcto|de acuerdo|no crees",
		whether:   "si|a menos que|en caso de que",
		links:     "y|pero|porque|así que|entonces|aunque",
		negations: "no|nunca|jamás|tampoco|ya no|dejé de|sin",
		selves: "yo|nosotros|nosotras|soy|estoy|vivo|tengo|trabajo|prefiero|hablo|uso|quiero|necesito|odio|me gusta|me gustan|me encanta|me encantan|me llamo|me mudé|nací|estudio|estudié|toco|conduzco|somos|tenemos|vivimos|llevo|mido|tomo|bebo|viajo|viajé|compré|cumplo|" +
			"nos casamos|nos mudamos|fui|voto|gano|me diagnosticaron|cobro",
		mine:     "mi|mis|nuestro|nuestra|nuestros|nuestras",
		us:       "nosotros|nosotras|somos|tenemos|vivimos|nos casamos|nos mudamos|nuestro|nuestra|nuestros|nuestras",
		kin:      "hermano|hermana|hermanos|madre|padre|mamá|papá|hijo|hija|hijos|esposa|esposo|marido|mujer|novio|novia|pareja|abuelo|abuela|abuelos|tío|tía|primo|prima|sobrino|sobrina|familia|padres",
		others:   "él|ella|ellos|ellas|amigo|amiga|amigos|amigas|colega|colegas|compañero|compañera|jefe|jefa|vecino|vecina|gente|alguien|cliente|clientes",
		yearly:   "cumpleaños|cumple|aniversario|onomástica|mi santo|su santo|navidad|nochebuena|nochevieja|reyes magos|semana santa|año nuevo|cada año|todos los años|anualmente|día de la madre|día del padre|día de muertos|san valentín",
		ends:     "hasta|antes de|para|después de|durante",
		days:     "hoy|mañana|ayer|esta noche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|fin de semana|próxima semana|semana que viene|pasado mañana|anteayer|próximo mes|mes que viene|año que viene",
		months:   "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre/setiembre|octubre|noviembre|diciembre",
		numerals: "cero|uno/una/un|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciséis|diecisiete|dieciocho|diecinueve|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien/ciento|mil",
		states:   "cansado|cansada|agotado|agotada|hambriento|hambrienta|tengo hambre|tengo sed|tengo sueño|tengo frío|tengo calor|aburrido|aburrida|mal humor|buen humor|estresado|estresada|resaca|ocupado|ocupada|triste|contento|contenta|enfadado|enfadada|duele la cabeza|mareado|mareada",
		moments:  "hoy|esta noche|ahora mismo|ahora|en este momento|esta mañana|esta tarde|justo ahora",
		instants: "ahora mismo|justo ahora|en este momento|esta mañana|esta tarde|esta noche|hoy",
		sessions: "depurando|arreglando|escribiendo|programando|leyendo|trabajando en|mirando|viendo|esperando|cocinando|instalando|configurando|preparando|revisando|intentando|buscando|probando|comiendo|bebiendo|redactando",
		lasting:  "siempre|a menudo|normalmente|todos los|cada|desde|desde hace|crónico|crónica|nunca|suelo|años|meses|cuando",
		justs:    "acabo de tomar|acabo de tomarme|acabo de comer|acabo de comerme|acabo de beber|me acabo de tomar|estoy tomando|estoy comiendo|me estoy tomando",
		meals:    "café|cafés|té|cerveza|desayuno|almuerzo|cena|comida|pizza|bocadillo|siesta|ducha|copa|expreso",
		passes:   "acabo de cenar|acabo de desayunar|acabo de almorzar|acabo de despertarme|acabo de levantarme|me acabo de despertar|estoy de camino|voy de camino|me voy a dormir|llego tarde",
	}
}

//nolint:misspell // the words of a language
func germanTalk() talk {
	return talk{
		supposes:  "angenommen|nehmen wir an|nimm an|stell dir vor|stellen wir uns vor|stell dir mal vor|was wäre wenn|was wenn|hypothetisch|rein hypothetisch|gesetzt den fall|sagen wir mal|wäre ich|spielen wir",
		wishes:    "wenn ich|falls ich|wenn wir|falls wir…wäre|hätte|würde|könnte|wären|hätten|würden|könnten…gern|gerne|lieber",
		plays:     "tu so als|tun wir so als|spiel die rolle|du bist jetzt ein|du bist jetzt eine|rollenspiel|lass uns ein rollenspiel|meine spielfigur",
		delegates: "ich frage für|frage für einen freund|frage für eine freundin|frage für meine|frage für meinen|freund fragt|freundin fragt|freund will wissen|freundin will wissen|möchte wissen ob|will wissen ob|fragt ob",
		tasks: "schreib|schreib mir|schreibe mir|schreibe einen|schreibe eine|schreibe ein|verfasse einen|verfasse eine|erstelle mir|erstelle einen|erstelle eine|erstelle ein|entwirf|mach mir|mache mir|mach einen|mach eine|mach ein|hilf mir|hilf uns|hilf|gib mir|gib uns|sag mir|" +
			"zeig mir|zeige mir|such mir|suche mir|such nach|finde heraus|finde einen|finde eine|erklär|erkläre mir|erkläre den|erkläre die|erkläre das|erkläre wie|fass zusammen|fasse zusammen|fass das|fasse das|fasse den|fasse diesen|übersetz|übersetze das|übersetze den|" +
			"übersetze die|übersetze diesen|übersetze mir|übersetze ins|korrigier|korrigiere das|korrigiere den|korrigiere diesen|korrigiere meinen|überarbeite|plane mir|plane einen|plane eine|plan mir|schlag mir|schlage mir|empfiehl|vergleich|vergleiche die|vergleiche das|" +
			"prüfe das|prüfe die|prüfe den|überprüfe|berechne|rechne aus|liste auf|liste mir|erzähl mir|erzähle mir|programmiere mir|programmiere einen|programmiere eine|analysiere die|analysiere den|analysiere das|bring mir bei|schick mir|schick ihm|schick ihr|erinnere mich|" +
			"kannst du|könntest du|würdest du|können sie|könnten sie|schreiben sie|erstellen sie|erklären sie|ich möchte dass du|ich will dass du",
		texts: "übersetz|übersetze|fass|fasse|korrigier|korrigiere|überarbeite|formuliere um|antworte auf diese|antworte auf die|kannst du das übersetzen|kannst du diesen",
		standing: "ab jetzt|ab sofort|von jetzt an|von nun an|in zukunft|künftig|zukünftig|jedes mal|standardmäßig|deine antworten|kurze antworten|kurz antworten|kürzer antworten|antworte kurz|antworte auf deutsch|nenn mich|nenne mich|duze mich|sieze mich|mich duzen|mich siezen|" +
			"auf deutsch antworten|auf deutsch antwortest",
		asks: "wer|was|wann|wo|wohin|woher|womit|warum|wieso|weshalb|wie|welche|welcher|welches|welchen|wen|wem|kannst du|könntest du|kann ich|könnte ich|soll ich|sollte ich|darf ich|muss ich|gibt es|ist das|ist es|hast du|bist du|weißt du|kennst du|brauche ich|" +
			"bin ich|habe ich|lohnt sich",
		tags:      "oder|nicht wahr|ne|gell|nicht|stimmt's|stimmts|weißt du|weißt du noch|okay|ok|ja|richtig|erinnerst du dich|klar|verstanden|oder nicht",
		whether:   "wenn|falls|ob|sofern",
		links:     "und|aber|weil|denn|also|deshalb|daher|obwohl|da",
		inverts:   "bin|habe|hab|kann|könnte|soll|sollte|darf|muss|müsste|werde|würde|war|hatte|wohne|mag|möchte|brauche|bekomme|finde|sind|haben|können|sollen|dürfen|müssen|wie|ob",
		negations: "nicht|nie|niemals|kein|keine|keinen|keiner|nicht mehr|ohne|weder",
		selves:    "ich|wir|mir|mich|uns",
		mine:      "mein|meine|meinen|meinem|meiner|meines|unser|unsere|unseren|unserem|unserer",
		us:        "wir|uns|unser|unsere|unseren|unserem|unserer",
		kin:       "bruder|schwester|mutter|vater|mama|papa|sohn|tochter|frau|mann|freundin|partner|partnerin|großvater|großmutter|oma|opa|onkel|tante|cousin|cousine|neffe|nichte|kind|kinder|familie|eltern|großeltern|geschwister|verlobte|verlobter|ehemann|ehefrau",
		others:    "er|sie|ihm|ihn|freund|freunde|kollege|kollegin|kollegen|chef|chefin|nachbar|nachbarin|leute|jemand|kunde|kundin|mitbewohner|mitbewohnerin",
		yearly:    "geburtstag|geburtstage|jahrestag|hochzeitstag|namenstag|weihnachten|heiligabend|ostern|silvester|neujahr|jedes jahr|jährlich|muttertag|vatertag|valentinstag|nikolaus|karneval|fasching|jubiläum",
		ends:      "bis|vor|bis zu|bis zum|nach|über",
		days:      "heute|morgen|gestern|übermorgen|vorgestern|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|sonnabend|wochenende|nächste woche|kommende woche|diese woche|nächsten monat|nächstes jahr",
		months:    "januar/jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember",
		numerals:  "null|eins/ein/eine/einen/einem|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|achtzehn|neunzehn|zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|hundert|tausend",
		states:    "müde|erschöpft|kaputt|hungrig|durstig|gelangweilt|verkatert|schlecht gelaunt|gut gelaunt|gestresst|beschäftigt|traurig|fröhlich|genervt|krank|aufgeregt|kopfschmerzen|kopfweh|habe hunger|hab hunger|habe durst|platt",
		moments:   "heute|heute abend|gerade|jetzt|im moment|momentan|heute morgen|heute früh",
		instants:  "gerade|gerade eben|im augenblick|heute|heute morgen|heute abend",
		sessions:  "debugge|repariere|behebe|teste|koche|esse|trinke|warte|installiere|konfiguriere|räume",
		lasting:   "immer|oft|meistens|normalerweise|jeden|jede|jedes|seit|chronisch|nie|jahre|jahren|monate|monaten|ständig|dauernd|wenn|kein|keine|keinen|nur|lieber|gern|gerne",
		justs:     "hatte gerade|habe gerade|hab gerade|hatte eben|habe eben|hab eben|gerade einen|gerade meinen|trinke gerade|esse gerade|eben einen|eben meinen",
		meals:     "kaffee|espresso|tee|bier|frühstück|mittagessen|abendessen|pizza|brot|snack|dusche|nickerchen|gefrühstückt|gegessen|getrunken|geduscht",
		passes:    "gerade aufgewacht|gerade aufgestanden|bin unterwegs|komme zu spät|stehe im stau|gehe schlafen|gehe jetzt ins bett|schlecht geschlafen|gut geschlafen|gleich zurück",
	}
}

//nolint:misspell // the words of a language
func frenchTalk() talk {
	return talk{
		supposes: "supposons|suppose que|à supposer|supposez|imagine que|imagine qu'|imagine un|imagine une|imaginons|imaginez|admettons|disons que|hypothétiquement|et si j'étais|et si j'avais|et si je|et si on|que se passerait-il si|si j'étais|si j'avais|si j'habitais|si je gagnais|si je pouvais|si je vivais|" +
			"si nous étions|si nous avions|si on était|jouons",
		plays:     "faisons semblant|fais semblant|fais comme si|faisons comme si|tu es maintenant un|tu es maintenant une|jeu de rôle|joue le rôle|mon personnage",
		delegates: "je demande pour un ami|je demande pour une amie|je demande pour mon|je demande pour ma|c'est pour un ami|c'est pour une amie|ami demande|amie demande|ami veut savoir|amie veut savoir|veut savoir si|veut savoir comment|demande si",
		tasks: "écris|écrivez|écris-moi|rédige|rédigez|fais-moi|faites-moi|fais un|fais une|crée un|crée une|créez|génère|aide-moi|aidez-moi|donne-moi|donnez-moi|dis-moi|dites-moi|montre-moi|trouve-moi|trouve un|trouve une|cherche-moi|explique|expliquez|résume|résumez|traduis|traduisez|" +
			"corrige|corrigez|reformule|planifie|propose|recommande-moi|conseille-moi|compare|vérifie|calcule|prépare un|prépare une|prépare-moi|organise un|organise une|raconte-moi|liste les|liste-moi|analyse le|analyse la|analyse ce|analyse cette|rappelle-moi de|envoie|apprends-moi|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|" +
			"tu peux|tu pourrais|j'ai besoin que tu|je veux que tu|j'aimerais que tu",
		texts: "traduis|traduisez|résume|résumez|corrige|corrigez|reformule|réponds à ce|réponds à cette|peux-tu traduire|peux-tu résumer|peux-tu corriger",
		standing: "désormais|dorénavant|à partir de maintenant|à l'avenir|chaque fois|à chaque fois|par défaut|tes réponses|vos réponses|réponses courtes|réponses brèves|réponds-moi|me répondre|me répondes|appelle-moi|m'appelles|tutoie-moi|vouvoie-moi|me tutoyer|me vouvoyer|" +
			"sois bref|être bref",
		asks: "qui|que|quoi|quand|où|pourquoi|comment|quel|quelle|quels|quelles|combien|est-ce que|qu'est-ce que|peux-tu|pouvez-vous|puis-je|dois-je|devrais-je|as-tu|es-tu|y a-t-il|sais-tu|connais-tu|c'est quoi|tu connais|tu sais|tu peux|on peut|je peux|je dois|" +
			"qu'est-ce qui|a-t-il",
		tags:      "n'est-ce pas|non|hein|tu te souviens|tu t'en souviens|d'accord|pas vrai|ok|okay|oui|c'est ça|tu sais|tu vois|compris|vous vous souvenez",
		whether:   "si|à moins que|au cas où",
		links:     "et|mais|donc|car|parce que|alors|puisque|comme",
		inverts:   "suis|ai|puis|dois|devrais|vais|que|qu|si",
		negations: "ne|n'|pas|jamais|plus|aucun|aucune|sans|ni",
		selves:    "je|j'|nous|moi",
		mine:      "mon|ma|mes|notre|nos",
		us:        "nous|notre|nos",
		kin:       "frère|frères|sœur|soeur|mère|père|maman|papa|fils|fille|femme|mari|copain|copine|conjoint|conjointe|compagne|grand-père|grand-mère|grands-parents|oncle|tante|cousin|cousine|neveu|nièce|enfant|enfants|famille|parents|fiancé|fiancée",
		others:    "il|elle|ils|elles|lui|ami|amie|amis|collègue|collègues|chef|patron|patronne|voisin|voisine|gens|quelqu'un|client|cliente|colocataire",
		yearly:    "anniversaire|anniversaires|noël|réveillon|pâques|nouvel an|fête nationale|fête des mères|fête des pères|saint-valentin|ma fête|chaque année|tous les ans|annuel|annuelle",
		ends:      "jusqu'à|jusqu'au|avant|pour|d'ici|après|pendant",
		days:      "aujourd'hui|demain|hier|ce soir|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week-end|semaine prochaine|après-demain|avant-hier|mois prochain|année prochaine|cette semaine",
		months:    "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
		numerals:  "zéro|un/une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|dix-sept|dix-huit|dix-neuf|vingt|trente|quarante|cinquante|soixante|septante|quatre-vingts/huitante|nonante|cent|mille",
		states:    "fatigué|fatiguée|épuisé|épuisée|crevé|crevée|affamé|affamée|j'ai faim|j'ai soif|j'ai sommeil|j'ai froid|j'ai chaud|mauvaise humeur|bonne humeur|stressé|stressée|gueule de bois|occupé|occupée|triste|content|contente|énervé|énervée|mal à la tête|malade",
		moments:   "aujourd'hui|ce soir|en ce moment|maintenant|là|ce matin|cet après-midi|tout de suite",
		instants:  "en ce moment même|là maintenant|à l'instant|ce matin|ce soir|cet après-midi|aujourd'hui",
		sessions:  "en train de|je débogue|je corrige|je teste|je cuisine|j'installe|je configure|je mange|je bois|j'attends",
		lasting:   "toujours|souvent|d'habitude|chaque|tous les|toutes les|depuis|chronique|jamais|ans|mois|quand",
		justs:     "je viens de boire|je viens de manger|je viens de prendre|viens de boire|viens de prendre|viens de manger|suis en train de boire|suis en train de manger",
		meals:     "café|expresso|thé|bière|petit-déjeuner|déjeuner|dîner|repas|pizza|sandwich|sieste|douche|verre",
		passes:    "je viens de me réveiller|je viens de me lever|je viens de manger|je viens de dîner|je viens de déjeuner|je suis en route|je suis en retard|je vais dormir|je vais me coucher|mal dormi|bien dormi",
	}
}

//nolint:misspell // the words of a language
func portugueseTalk() talk {
	return talk{
		supposes:  "suponha|suponhamos|supõe|supondo|imagina que|imagine que|imaginemos|imagina um|imagina uma|digamos que|hipoteticamente|e se eu|o que aconteceria se|se eu fosse|se eu tivesse|se eu pudesse|se eu ganhasse|se eu morasse|se eu vivesse|se fôssemos|se tivéssemos|quem me dera|vamos jogar",
		plays:     "faz de conta|vamos fingir|finge que|finja que|finja ser|aja como|age como|você agora é um|você agora é uma|jogo de papéis|meu personagem|minha personagem",
		delegates: "pergunto por um amigo|pergunto por uma amiga|estou perguntando para um amigo|é para um amigo|é para uma amiga|amigo pergunta|amiga pergunta|amigo quer saber|amiga quer saber|quer saber se|quer saber como|pergunta se|perguntou se",
		tasks: "escreva|escreve um|escreve uma|escreve-me|redija|faça|faz um|faz uma|faz-me|crie|cria um|cria uma|gere|ajude-me|me ajude|me ajuda|ajuda-me|me dê|me dá|dá-me|dê-me|me diga|diz-me|me diz|me mostre|mostra-me|me mostra|procure|encontre|explique|explica-me|me explica|resuma|resume|" +
			"traduza|traduz|corrija|corrige|planeje|planeia|sugira|sugere|me recomende|recomenda-me|me recomenda|compare|revise|calcule|prepare um|prepare uma|organize um|organize uma|conte-me|me conte|me conta|liste|analise|envie|me lembre de|lembra-me de|você pode|você poderia|" +
			"pode me|poderia|podes|podias|preciso que você|quero que você|preciso que|quero que",
		texts:     "traduza|traduz|resuma|corrija|corrige|revise|reescreva|responda a este|responda a esta|você pode traduzir|você pode resumir",
		standing:  "a partir de agora|de agora em diante|daqui em diante|daqui para a frente|toda vez|cada vez|por padrão|suas respostas|tuas respostas|respostas curtas|respostas breves|me responda|responde-me|me chame|me chama|chama-me|seja breve|fale comigo",
		asks:      "quem|que|qual|quais|quando|onde|aonde|por que|porque|como|quanto|quanta|quantos|quantas|pode|você pode|posso|podemos|devo|deveria|sabe|sabes|será que|tem|existe|conhece|algum|alguma|é possível|o que",
		tags:      "né|não é|certo|lembra|lembras|lembra-se|tá|ok|okay|sabe|sabes|viu|não|sim|tá bom|entendeu|não é verdade|verdade|está bem|concorda",
		whether:   "se|a menos que|caso",
		links:     "e|mas|porque|então|por isso|embora|pois",
		negations: "não|nunca|jamais|nem|deixei de|sem|já não",
		selves:    "eu|nós|sou|estou|moro|vivo|tenho|trabalho|prefiro|falo|uso|quero|preciso|odeio|gosto|adoro|me chamo|chamo-me|me mudei|mudei-me|nasci|estudo|estudei|toco|dirijo|somos|temos|moramos|viajo|comprei|faço|fui|voto|ganho|fui diagnosticado|fui diagnosticada",
		mine:      "meu|minha|meus|minhas|nosso|nossa|nossos|nossas",
		us:        "nós|somos|temos|moramos|nosso|nossa|nossos|nossas",
		kin:       "irmão|irmã|irmãos|mãe|pai|mamãe|papai|filho|filha|filhos|esposa|esposo|marido|mulher|namorado|namorada|avô|avó|avós|tio|tia|primo|prima|sobrinho|sobrinha|família|pais|noivo|noiva",
		others:    "ele|ela|eles|elas|amigo|amiga|amigos|amigas|colega|colegas|chefe|vizinho|vizinha|gente|alguém|cliente|clientes",
		yearly:    "aniversário|aniversários|natal|véspera de natal|réveillon|páscoa|ano novo|dia das mães|dia da mãe|dia dos pais|dia do pai|dia dos namorados|todo ano|todos os anos|anualmente|anual|são joão",
		ends:      "até|antes do|antes da|depois do|para o|durante",
		days:      "hoje|amanhã|ontem|hoje à noite|segunda|terça|quarta|quinta|sexta|sábado|domingo|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|fim de semana|próxima semana|semana que vem|depois de amanhã|anteontem|mês que vem|próximo mês",
		months:    "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
		numerals:  "zero|um/uma|dois/duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|catorze/quatorze|quinze|dezesseis/dezasseis|dezessete/dezassete|dezoito|dezenove/dezanove|vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|cem/cento|mil",
		states:    "cansado|cansada|exausto|exausta|faminto|faminta|com fome|com sede|com sono|com frio|com calor|entediado|entediada|mau humor|bom humor|estressado|estressada|ressaca|ocupado|ocupada|triste|contente|irritado|irritada|dor de cabeça",
		moments:   "hoje|hoje à noite|agora|agora mesmo|neste momento|esta manhã|esta tarde",
		instants:  "agora mesmo|neste momento|neste instante|esta manhã|esta tarde|esta noite|hoje",
		sessions:  "depurando|consertando|escrevendo|programando|lendo|trabalhando em|olhando|assistindo|esperando|cozinhando|instalando|configurando|preparando|revisando|tentando|procurando|testando|comendo|bebendo|redigindo",
		lasting:   "sempre|frequentemente|normalmente|todos os|toda|cada|desde|crônico|crônica|nunca|costumo|anos|meses|quando",
		justs:     "acabei de tomar|acabei de comer|acabei de beber|estou tomando|estou comendo|estou bebendo",
		meals:     "café|chá|cerveja|almoço|jantar|lanche|pizza|sanduíche|soneca|banho|copo|refeição",
		passes:    "acabei de acordar|acabei de levantar|acabei de almoçar|acabei de jantar|estou a caminho|estou atrasado|estou atrasada|vou dormir|dormi mal|dormi bem",
	}
}

//nolint:misspell // the words of a language
func italianTalk() talk {
	return talk{
		supposes:  "supponiamo|supponi|supponendo|immagina che|immagina di|immaginiamo|immagina|diciamo che|mettiamo che|poniamo che|ipoteticamente|per ipotesi|e se io|e se fossi|cosa succederebbe se|se fossi|se io fossi|se avessi|se io avessi|se potessi|se vivessi|se vincessi|se fossimo|se avessimo|magari fossi|giochiamo",
		plays:     "facciamo finta|fai finta|fingi di|fingi che|comportati come|ora sei un|ora sei una|gioco di ruolo|interpreta il ruolo|il mio personaggio",
		delegates: "chiedo per un amico|chiedo per un'amica|chiedo per mio|chiedo per mia|è per un amico|è per un'amica|amico chiede|amica chiede|amico vuole sapere|amica vuole sapere|vuole sapere se|vuole sapere come|chiede se",
		tasks: "scrivi|scrivimi|scriva|redigi|fammi|fai un|fai una|fa' un|crea un|crea una|creami|genera|aiutami|aiutaci|dammi|dimmi|mostrami|cercami|cerca un|cerca una|trovami|trova un|trova una|spiega|spiegami|riassumi|traduci|correggi|pianifica|suggerisci|suggeriscimi|consigliami|" +
			"consiglia|raccomandami|confronta|controlla|rivedi|calcola|prepara un|prepara una|preparami|organizza un|organizza una|raccontami|elenca|analizza|manda|invia|ricordami di|insegnami|puoi|potresti|può|potrebbe|ho bisogno che|voglio che|vorrei che",
		texts:     "traduci|riassumi|correggi|rivedi|riscrivi|rispondi a questa|rispondi a questo|puoi tradurre|puoi riassumere|puoi correggere",
		standing:  "d'ora in poi|da ora in poi|d'ora in avanti|in futuro|ogni volta|di default|le tue risposte|risposte brevi|risposte corte|rispondimi|mi risponda|mi risponda|chiamami|mi chiami|dammi del tu|sii breve|parlami",
		asks:      "chi|che|che cosa|cosa|quando|dove|perché|come|quale|quali|qual|quanto|quanta|quanti|quante|puoi|potresti|posso|possiamo|devo|dovrei|sai|conosci|c'è|ci sono|è possibile|mi consigli|mi puoi|hai",
		tags:      "vero|no|giusto|ricordi|ti ricordi|te lo ricordi|ok|okay|sai|capito|eh|sì|non è vero|va bene|d'accordo|non credi",
		whether:   "se|a meno che|nel caso",
		links:     "e|ed|ma|perché|quindi|allora|così|anche se|poiché",
		negations: "non|mai|né|nessun|nessuna|senza|ho smesso di|neanche",
		selves:    "io|noi|sono|vivo|abito|ho|lavoro|preferisco|mi piace|mi piacciono|mi chiamo|parlo|uso|odio|amo|voglio|vorrei|devo|studio|ho studiato|suono|guido|siamo|abbiamo|viviamo|viaggio|bevo|mangio|sto|mi sono|ci siamo|ci sposiamo|compio|voto|guadagno|mi hanno diagnosticato",
		mine:      "mio|mia|miei|mie|nostro|nostra|nostri|nostre",
		us:        "noi|siamo|abbiamo|viviamo|ci siamo|ci sposiamo|nostro|nostra|nostri|nostre",
		kin:       "fratello|sorella|fratelli|madre|padre|mamma|papà|figlio|figlia|figli|moglie|marito|fidanzato|fidanzata|compagno|compagna|nonno|nonna|nonni|zio|zia|cugino|cugina|nipote|famiglia|genitori",
		others:    "lui|lei|loro|amico|amica|amici|collega|colleghi|capo|vicino|vicina|gente|qualcuno|cliente|clienti|coinquilino",
		yearly:    "compleanno|compleanni|anniversario|onomastico|natale|vigilia|pasqua|capodanno|ferragosto|befana|epifania|ogni anno|tutti gli anni|annuale|annualmente|festa della mamma|festa del papà|san valentino",
		ends:      "fino a|fino al|entro|prima di|dopo|per",
		days:      "oggi|domani|ieri|stasera|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|fine settimana|prossima settimana|settimana prossima|dopodomani|l'altro ieri|mese prossimo|prossimo mese|anno prossimo",
		months:    "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
		numerals:  "zero|uno/una/un|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|tredici|quattordici|quindici|sedici|diciassette|diciotto|diciannove|venti|trenta|quaranta|cinquanta|sessanta|settanta|ottanta|novanta|cento|mille",
		states:    "stanco|stanca|esausto|esausta|affamato|affamata|ho fame|ho sete|ho sonno|ho freddo|ho caldo|annoiato|annoiata|cattivo umore|buon umore|stressato|stressata|sbornia|occupato|occupata|triste|contento|contenta|arrabbiato|arrabbiata|mal di testa",
		moments:   "oggi|stasera|adesso|in questo momento|stamattina|questo pomeriggio|proprio adesso|ora",
		instants:  "proprio adesso|in questo momento|proprio ora|stamattina|stasera|questo pomeriggio|oggi",
		sessions:  "debuggando|sistemando|scrivendo|programmando|leggendo|lavorando a|guardando|aspettando|cucinando|installando|configurando|preparando|rivedendo|provando|cercando|testando|mangiando|bevendo|correggendo",
		lasting:   "sempre|spesso|di solito|ogni|tutti i|tutte le|da anni|cronico|cronica|mai|anni|mesi|quando",
		justs:     "ho appena bevuto|ho appena mangiato|ho appena preso|ho appena fatto|appena bevuto|appena preso|sto bevendo|sto mangiando",
		meals:     "caffè|tè|birra|colazione|pranzo|cena|pizza|panino|pisolino|doccia|spuntino|bicchiere",
		passes:    "mi sono appena svegliato|mi sono appena svegliata|mi sono appena alzato|mi sono appena alzata|ho appena cenato|ho appena pranzato|sono in ritardo|sto arrivando|vado a dormire|vado a letto|ho dormito male|ho dormito bene",
	}
}
