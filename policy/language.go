package policy

// language holds what one language says of health, rules, questions and
// remembering. Forms are parted by |. In health, a form that ends in * stands
// for every word that begins so, any other for itself alone, word by word. A
// language that is written without blanks is searched as it stands.
type language struct {
	code      string
	health    string // health and safety: such a note never leaves MEMORY.md by itself
	rules     string // what a rule of the person opens with
	questions string // what a question opens with, or, in CJK, ends with
	remember  string // what asks for a note to be kept
	stop      string // words that carry no subject, parted by blanks
	openers   string // how a message opens, asks and is polite, whatever it is about
	verbs     string // finite verbs that begin a statement of their own
	joins     string // words that join two statements
	finite    string // more verbs and words that a statement of the language is told by
	tells     string // words by which alone it is told
	ownName   string // what stands before a name by which the person calls themselves
	botName   string // what stands before a name that is given to the bot
	ands      string // words that add one thing to another
	seconds   string // what, behind one of them, is a second fact and no second thing
	talk      talk   // what capture reads by
	guard     guard  // what capture keeps out
	hush      hush   // what asks that something be not mentioned
}

// languages is the one table of words. Lists are short on purpose: a health
// word too many keeps a note loaded, one too few may drop an allergy.
func languages() []language {
	return []language{english(), spanish(), german(), french(), portuguese(), italian(), dutch(), russian(), chinese(), japanese(), korean()}
}

func english() language {
	return language{
		code:    "en",
		ownName: "my name is|my name's|i am called|i'm called|call me|you can call me|you may call me|people call me|everyone calls me|everybody calls me|friends call me|my friends call me",
		botName: "call yourself|name yourself|rename yourself|rename yourself to|your name is now|your name's now|your new name is|your name will be|your name shall be|your name is going to be|your name from now on is|from now on your name is|your name is from now on|i'll call you|i will call you|i shall call you|i'm going to call you|i am going to call you|i rename you|i rename you to|i'm renaming you|i'm renaming you to|i am renaming you to|change your name to|i name you|i'm naming you|you are now called|you're now called|from now on you are called|from now on you're called|from now on you will be called|you will be called|you will now be called",
		finite:  "lives|likes|enjoys|studied|studies|visited|moved|born|named|called|married|allergic|favorite|favourite|prefers|building|using|working|learning|looking|searching|speaks|drinks|wears|grew|went|bought|sold|is|has|made|wrote|read|played|owned|loved|wanted|started|learned|learnt|mastered|finished",
		ands:    "and|plus",
		seconds: "i|you|he|she|it|we|they|the|a|an|his|her|hers|its|their|my|our|your|has|have|is|are|was|were|likes|prefers|wants|lives|works",
		talk:    englishTalk(),
		guard:   englishGuard(),
		hush:    englishHush(),
		health: "allerg*|anaphyla*|intoleran*|vegetarian*|vegan*|pescatarian*|halal|kosher|gluten*|lactose|diet|diets|dietary|dieting|dietitian|dietician|" +
			"diabet*|asthma*|epilep*|pregnan*|medicat*|medicine*|medical|medically|disabilit*|disabled person|wheelchair*|blind|blindness|deaf|deafness|health|healthy|healthcare|" +
			"coeliac*|celiac*|insulin|epipen*|pacemaker*|inhaler*|migraine*|seizure*|blood type|blood pressure|blood sugar|blood thinner|heart condition|heart attack|" +
			"emergency contact|in case of emergency|emergency number|dialysis|chemo|chemotherapy|cancer|autis*|adhd|ptsd|bipolar|dementia|alzheimer*|parkinson*|hiv|" +
			"transplant|prosthe*|dyslexi*|colour blind|color blind|hard of hearing|hearing aid|hearing aids|panic attack|panic attacks|suicid*|self harm|overdose|" +
			"do not resuscitate|phobia|claustrophob*|nut free|shellfish|peanut*|penicillin|antibiotic*|antidepressant*|prescription|dosage|breastfeed*",
		rules: "always|never|don't|do not|dont|from now on|every time|whenever|at all times|under no circumstances",
		questions: "what is|what's|what are|what do|what does|what did|what was|when is|when do|when does|when did|when will|where is|where's|where are|where do|where does|why is|why are|why do|why does|why did|why don't|why not|" +
			"how do|how does|how did|how is|how are|how much|how many|how long|how can|who is|who's|who are|who was|whose is|which one|which of|can you|can i|can we|could you|could we|would you|will you|do you|do i|do we|does he|does she|" +
			"does it|does the|did you|did we|is it|is there|is that|is this|are you|are there|are we|was it|should i|should we|shall we|may i|have you|have we|isn't it|aren't you|don't you|won't you|can't you|" +
			"am i|what should|what can|what could|what would|what kind|what time|how to|how old|how far|how often|how about|where can|where should|when should|whats|hows|wheres|whos|which is|does anyone|do you know|any idea|any ideas|any tips",
		remember: "remember|please remember|remember that|keep in mind|note that|make a note|take note|note to self|don't forget|do not forget|never forget|bear in mind|memorize|memorise|write this down|save this",
		stop: "a an the this that these those i me my mine we us our ours you your yours he him his she her hers it its they them their theirs who whom which what " +
			"and or but nor so if then than as at by for from in into of off on onto out over to up with without about after before again is are was were be been being am " +
			"has have had having do does did doing can could may might must shall should will would not no yes very too also just only any some all each every there here when where why how " +
			"please remember forget user person thing things stuff note notes everything anything something nothing",
		verbs: "is|isn't|are|aren't|was|were|has|hasn't|have|had|lives|lived|works|worked|likes|loves|prefers|wants|needs|uses|hates|dislikes|owns|drives|speaks|plays|studies|" +
			"goes|eats|drinks|reads|runs|keeps|plans|does|doesn't|can|can't|cannot|will|won't|should|must|never|always|wakes|sleeps|moved|starts|ends|enjoys|knows|writes|teaches|" +
			"manages|leads|cooks|travels|pays|takes|gets|avoids|collects|believes|supports|follows|belongs|costs|opens|closes|ships|meets|calls|sits|stands|stays|comes|became|becomes",
		joins: "and|but|while|whereas",
		openers: "hi|hello|hey|hiya|good morning|good afternoon|good evening|good night|how are you|hope you are well|by the way|btw|just wondering|wondering|wonder|quick question|quick|quickly|question|reminder|remind|" +
			"maybe|perhaps|let|know|want|wants|wanted|like|need|needs|hope|go|going|went|get|got|sure|ok|okay|great|nice|good|well|thanks|thank|thank you|sorry|feel free|really|still|again|already|yet|now|today|" +
			"tonight|don|doesn|didn|isn|aren|wasn|weren|won|couldn|wouldn|shouldn|haven|hasn|ll|ve|re|ask|asked|tell|told|say|said|see|saw|look|bit|little|much|many|more|something|ever|help|talk|talked|mention|" +
			"mentioned|noticed|think|thinking|thought|idea|ideas|way|come|came|make|made|take|time|done|last time|one",
	}
}

//nolint:misspell // the words are Spanish
func spanish() language {
	return language{
		code:    "es",
		ownName: "mi nombre es|me llamo|yo me llamo|llámame|puedes llamarme|todos me llaman|mis amigos me llaman",
		botName: "tu nombre es ahora|tu nombre ahora es|ahora tu nombre es|tu nuevo nombre es|tu nombre será|tu nombre va a ser|ahora te llamas|te llamas ahora|a partir de ahora te llamas|desde ahora te llamas|de ahora en adelante te llamas|te llamarás|te llamaré|te voy a llamar|voy a llamarte|llámate|cambia tu nombre a|te bautizo como",
		finite:  "tienen|son|está|están|era|fue|trabajan|viven|quieren|gusta|gustan|encanta|encantan|estudian|nació|nacio|toca|conduce|viaja|viajó|compró|mide|pesa|duerme|escribe|aprende|construye|construyendo|trabajando|estudiando|aprendiendo|buscando|llama|llaman|cumple|suele|sabe|puede|necesitan|celebra|cocina|practica|ama|evita|colecciona|enseña|toma|corre|escucha|vivió|trabajó|estudió|soy|estoy|tengo|vivo|trabajo|quiero|prefiero",
		tells:   "favorito|favorita|favoritos|favoritas|preferido|preferida|preferidos|preferidas|cumpleaños",
		ands:    "y|e",
		seconds: "él|ella|ellos|ellas|el|la|los|las|un|una|su|sus|mi|mis|le|les|tiene|tienen|es|son|vive|trabaja|quiere|prefiere|gusta",
		talk:    spanishTalk(),
		guard:   spanishGuard(),
		hush:    spanishHush(),
		health: "alergi*|alérgic*|anafila*|intoleran*|vegetarian*|vegan*|gluten|lactosa|dieta|dietas|diabet*|diabét*|asma|asmátic*|epilep*|epilép*|embaraz*|medicamento*|medicación|medicina*|médic*|" +
			"discapaci*|silla de ruedas|ciego|ciega|ceguera|sordo|sorda|sordera|salud|celíac*|celiac*|insulina|marcapasos|migraña*|cáncer|tipo de sangre|presión arterial|emergencia*|suicid*|autis*|halal|kosher",
		rules:     "siempre|nunca|jamás|de ahora en adelante|a partir de ahora|cada vez|cada vez que|siempre que",
		questions: "quién|qué|cuándo|dónde|por qué|cómo|cuál|cuántos|cuántas|puedes|podrías",
		remember:  "recuerda|recuérdalo|recuerda que|acuérdate|no olvides|no te olvides|ten en cuenta|ten presente|apunta|anota|memoriza",
		stop: "el la los las un una unos unas lo al del de a en y o u e que con por para se su sus mi mis tu tus es son está están fue ser no sí muy más menos como pero si ya le les me te nos " +
			"este esta esto estos estas ese esa eso hay ha he",
		verbs: "vive|trabaja|prefiere|quiere|tiene|es|está|habla|usa|necesita|odia|juega|estudia|va|come|bebe|lee",
		joins: "y|e|pero|mientras",
		openers: "hola|buenos días|buenas tardes|buenas noches|buenas|por cierto|quizá|quizás|tal vez|gracias|por favor|perdona|oye|bueno|buena|bien|pues|qué tal|qué|cómo|cuándo|cuál|cuánto|dónde|quién|recordatorio|" +
			"recordarte|recuerdo|quería|quieres|quiero|puedo|puedes|podemos|podrías|pregunta|saber|sabes|dime|cuéntame|ver|hoy|ahora|todavía|aún|vez|has|pensado|pensar|creo|espero|gustaría|va|vas|ir|fue|fueron|" +
			"hacer|hecho|haces|algo|alguna|algún|tienes|tengo|tener|estás|sobre|ayudo|ayudarte|hablamos|dijiste|vamos",
	}
}

func german() language {
	return language{
		code:    "de",
		ownName: "mein name ist|ich heiße|nenn mich|nenne mich",
		botName: "dein name ist jetzt|dein name ist ab jetzt|dein neuer name ist|du heißt jetzt|du heißt ab jetzt|ab jetzt heißt du|von nun an heißt du|nenn dich|nenne dich|ich nenne dich",
		finite:  "heißt|studiert|kocht|reist|lernt|sammelt|schreibt|hört|kommt|geht|fährt|läuft|sucht|baut|besitzt|trägt|mögen|haben|sind|war|wurde|geboren|verheiratet|wohnte|arbeitete|lebte|kaufte|kann|muss|darf|bin|wohne|arbeite|heiße|mache|macht|schläft|kennt|findet|vermeidet|meidet|unterrichtet|feiert|steht|bevorzuge|nutze|spreche|spiele|trinke|esse|lese",
		tells:   "lieblingsfarbe|lieblingsspiel|lieblingsessen|lieblingsfilm|lieblingsbuch|lieblingstier|geburtstag",
		ands:    "und",
		seconds: "er|sie|es|ich|wir|der|die|das|den|ein|eine|einen|sein|seine|seinen|ihr|ihre|ihren|mein|meine|hat|ist|sind|mag|wohnt|lebt|arbeitet|bevorzugt",
		talk:    germanTalk(),
		guard:   germanGuard(),
		hush:    germanHush(),
		health: "allergi*|anaphyla*|unverträglich*|laktose*|vegetari*|vegan*|halal|koscher|gluten*|diät|diäten|diabet*|asthma*|epilep*|schwanger*|medikament*|medizin*|arznei*|behinder*|schwerbehindert*|rollstuhl*|" +
			"blind|blinde|blinder|blindheit|taub|taube person|gehörlos*|schwerhörig*|gesundheit*|krankheit*|zöliakie|insulin|herzschrittmacher|migräne|krebs|blutgruppe|blutdruck|notfall*|suizid*|autis*|depression*|nussallergie*|erdnuss*|penicillin",
		rules:     "immer|nie|niemals|nicht|ab jetzt|ab sofort|von jetzt an|von nun an|jedes mal|jedesmal|immer wenn|stets",
		questions: "wer ist|wer hat|wann ist|wann hat|wo ist|wo sind|warum|wieso|weshalb|wie geht|wie viel|wie viele|wie ist|was ist|was hat|was sind|kannst du|könntest du|hast du|bist du|können wir",
		remember:  "merk dir|merke dir|denk daran|denk dran|vergiss nicht|vergiss das nicht|erinnere dich|behalte im kopf|notiere|notier dir|bitte merken",
		stop: "der die das den dem des ein eine einen einem einer eines und oder aber ich mich mir mein meine du dich dir dein er ihn ihm sein sie ihr ihre es wir uns unser ist sind war waren bin bist hat haben habe " +
			"nicht kein keine in im an am auf aus bei mit nach von vom zu zum zur für über unter als wie wenn dass auch nur noch schon sehr so ja nein",
		verbs: "wohnt|lebt|arbeitet|mag|liebt|bevorzugt|möchte|will|braucht|nutzt|hasst|ist|hat|spricht|spielt|fährt|isst|trinkt|liest",
		joins: "und|aber|während",
		openers: "hallo|hi|hey|moin|guten morgen|guten tag|guten abend|gute nacht|übrigens|vielleicht|danke|bitte|kurze frage|frage|kleine erinnerung|erinnerung|erinnern|wollte|wollen|willst|möchtest|möchte|magst|kann|" +
			"kannst|können|könntest|soll|sollen|sollte|geht|gehen|ging|hast|hattest|weißt|sag|sagen|mal|doch|denn|eigentlich|gerade|heute|jetzt|wieder|gedacht|denkst|denke|daran|dran|was|wann|wo|wer|warum|welche|" +
			"welcher|gut|gute|schön|ok|also|gern|gerne|bescheid|da|dann|man|lass|lassen|machen|gemacht|macht|mach|gibt|wird|werden|wurde|würde|worden|deine|deinem|deinen|deiner|diese|dieser|dieses|ob|etwas|helfen|" +
			"darüber|schau",
	}
}

func french() language {
	return language{
		code:    "fr",
		ownName: "je m'appelle|mon nom est|mon prénom est|appelle-moi|appelez-moi|tu peux m'appeler|vous pouvez m'appeler",
		botName: "ton nom est maintenant|ton nom est désormais|ton nouveau nom est|tu t'appelles maintenant|tu t'appelles désormais|désormais tu t'appelles|maintenant tu t'appelles|à partir de maintenant tu t'appelles|appelle-toi|je t'appellerai|je vais t'appeler",
		finite:  "aiment|ont|sont|était|vivent|travaillent|étudient|adore|adorent|possède|cherche|apprend|construit|écrit|voyage|cuisine|pratique|évite|collectionne|enseigne|conduit|court|dort|porte|connaît|fait|vient|doit|peut|né|née|appelle|marié|mariée|déménagé|suis|habites|vis|travaille|préférer|préféré|écoute|habitait|regarde|joues",
		tells:   "préféré|préférée|préférés|préférées|anniversaire",
		ands:    "et",
		seconds: "il|elle|ils|elles|le|la|les|un|une|des|son|sa|ses|mon|ma|mes|leur|leurs|a|est|aime|habite|vit|travaille|préfère|veut",
		talk:    frenchTalk(),
		guard:   frenchGuard(),
		hush:    frenchHush(),
		health: "allergi*|anaphyla*|intoléran*|végétari*|végan*|vegan*|halal|casher|kasher|gluten|lactose|régime alimentaire|au régime|régime sans|diabète*|diabét*|asthm*|épilep*|enceinte|grossesse|médicament*|médecin*|médical*|" +
			"handicap*|fauteuil roulant|aveugle*|cécité|sourd|sourde|surdité|malentendant*|santé|coeliaque*|cœliaque*|insuline|pacemaker|migraine*|cancer|groupe sanguin|tension artérielle|urgence|urgences|suicid*|autis*|arachide*|pénicilline",
		rules:     "toujours|jamais|ne jamais|ne|n'|désormais|à partir de maintenant|dorénavant|à chaque fois|chaque fois|chaque fois que",
		questions: "qui est|quand est|où est|où sont|pourquoi|comment|quel est|quelle est|quels sont|quelles sont|combien|est-ce que|qu'est-ce que|peux-tu|pouvez-vous|as-tu|es-tu",
		remember:  "souviens-toi|rappelle-toi|retiens|note que|notez que|note qu'|notez qu'|n'oublie pas|n'oubliez pas|garde en tête|mémorise|retenez",
		stop: "le la les l un une des du de d et ou où mais donc je me moi mon ma mes tu te toi ton ta tes il elle on nous vous ils elles leur leurs son sa ses ce cet cette ces est sont était être a ai as ont " +
			"ne pas plus en dans sur sous avec sans pour par au aux à que qu qui se y si très trop aussi",
		verbs: "habite|vit|travaille|préfère|veut|a|est|parle|utilise|déteste|aime|joue|étudie|va|mange|boit|lit",
		joins: "et|mais|tandis",
		openers: "bonjour|bonsoir|salut|coucou|bonne nuit|au fait|peut être|merci|s'il te plaît|s'il vous plaît|pardon|petite question|question|rappel|rappeler|voulais|voulez|veux|veut|peux|peut|pouvez|pourrais|as|sais|" +
			"dis|dire|comment|ça va|va|vas|aller|aujourd'hui|maintenant|encore|déjà|pensé|penser|pense|crois|espère|aimerais|quand|quel|quelle|où|quoi|bien|bon|bonne|alors|donc|faire|fait|voir|quelque chose|aider|" +
			"parler|envie",
	}
}

//nolint:misspell // the words are Portuguese
func portuguese() language {
	return language{
		code:    "pt",
		ownName: "meu nome é|o meu nome é|me chamo|eu me chamo|chamo-me|me chame de|me chama de|pode me chamar de",
		botName: "seu nome agora é|teu nome agora é|o seu nome agora é|o teu nome agora é|seu novo nome é|o teu novo nome é|agora você se chama|a partir de agora você se chama|vou te chamar de|vou chamar você de",
		finite:  "têm|são|estava|moram|vivem|trabalham|gostam|adora|possui|procura|aprende|constrói|escreve|viaja|cozinha|pratica|evita|coleciona|ensina|dirige|corre|dorme|conhece|faz|vem|deve|pode|nasceu|chama|casado|casada|mudou|precisa|toca|ouve|comprou|morou|trabalhou|estou|sou|tenho|moro|trabalho|quero|prefiro|nascido",
		tells:   "preferida|preferido|aniversário",
		ands:    "e",
		seconds: "ele|ela|eles|elas|o|os|as|um|uma|seu|sua|seus|suas|meu|minha|tem|é|gosta|mora|vive|trabalha|prefere|quer",
		talk:    portugueseTalk(),
		guard:   portugueseGuard(),
		hush:    portugueseHush(),
		health: "alergi*|alérgic*|anafila*|intolerân*|vegetarian*|vegan*|glúten|lactose|dieta|dietas|diabet*|asma|asmátic*|epilep*|epilét*|grávida*|gravidez|medicamento*|medicação|remédio*|medicina|médic*|" +
			"deficiên*|deficiente*|cadeira de rodas|cego|cega|cegueira|surdo|surda|surdez|saúde|celíac*|insulina|marca-passo|enxaqueca*|câncer|cancro|tipo sanguíneo|pressão arterial|emergência*|suicíd*|autis*|amendoim",
		rules:     "sempre|nunca|jamais|a partir de agora|de agora em diante|daqui em diante|toda vez|cada vez|sempre que",
		questions: "quem é|qual é|quais são|quando é|onde está|onde fica|por que|como é|como está|quanto é|quantos|você pode|podes",
		remember:  "lembra|lembre|lembre-se|lembra-te|lembra que|não esqueça|não esqueças|não se esqueça|tenha em mente|anota|anote|memoriza|memorize",
		stop: "o a os as um uma uns umas de do da dos das em no na nos nas e ou mas que com por para pelo pela se seu sua seus suas meu minha teu tua é são está estão foi ser não sim muito mais como já " +
			"eu me mim tu te você ele ela nós elas isso isto este esta há",
		verbs: "mora|vive|trabalha|prefere|quer|tem|é|está|fala|usa|odeia|gosta|joga|estuda|come|bebe|lê",
		joins: "e|mas|enquanto",
		openers: "olá|oi|bom dia|boa tarde|boa noite|aliás|a propósito|talvez|obrigado|obrigada|por favor|desculpa|pergunta|lembrete|lembrar|queria|quer|quero|posso|pode|podes|podemos|poderia|sabe|sabes|diz|dizer|hoje|" +
			"agora|ainda|outra vez|já|pensou|pensar|penso|acho|espero|gostaria|gostarias|vai|vais|ir|foi|quando|qual|quanto|onde|quem|que tal|tudo bem|bem|bom|boa|então|fazer|feito|ver|alguma|algo|ajudar|falar",
	}
}

//nolint:misspell // the words are Italian
func italian() language {
	return language{
		code:    "it",
		ownName: "mi chiamo|io mi chiamo|il mio nome è|chiamami|puoi chiamarmi",
		botName: "ora ti chiami|adesso ti chiami|d'ora in poi ti chiami|il tuo nome ora è|il tuo nome adesso è|il tuo nuovo nome è|ti chiamerò|chiamati",
		finite:  "hanno|sono|era|vivono|lavorano|amano|piace|piacciono|adora|possiede|cerca|impara|costruisce|scrive|viaggia|cucina|pratica|evita|colleziona|insegna|guida|corre|dorme|conosce|fa|viene|deve|può|nato|nata|chiama|sposato|sposata|trasferito|trasferita|suona|ascolta|preferiscono|abitano|beve|cucinano|parlano|abito|lavoro|preferisco",
		tells:   "preferito|preferita|preferiti|preferite|compleanno",
		ands:    "e|ed",
		seconds: "lui|lei|loro|il|lo|gli|un|una|suo|sua|suoi|sue|mio|mia|ha|è|sono|vive|abita|lavora|preferisce|vuole",
		talk:    italianTalk(),
		guard:   italianGuard(),
		hush:    italianHush(),
		health: "allergi*|anafila*|intolleran*|vegetarian*|vegan*|glutine|lattosio|dieta|diete|diabet*|asma|asmatic*|epiles*|epilet*|incinta|gravidanza|farmac*|medicin*|medico|medica|mediche|disabil*|sedia a rotelle|" +
			"cieco|cieca|cecità|sordo|sorda|sordità|salute|celiac*|insulina|pacemaker|emicrani*|cancro|gruppo sanguigno|pressione sanguigna|emergenza|emergenze|suicid*|autis*|arachid*|halal|kosher",
		rules:     "sempre|mai|d'ora in poi|da ora in poi|ogni volta|ogni volta che|ogniqualvolta",
		questions: "chi è|che cosa|cosa è|cos'è|quando è|dove è|dov'è|perché non|come sta|come si|quale è|qual è|quanto costa|puoi|potresti",
		remember:  "ricorda|ricordati|ricordatelo|tieni a mente|non dimenticare|prendi nota|annota|segnati|memorizza",
		stop: "il lo la i gli le un uno una di del dello della dei degli delle a al alla ai in nel nella su sul sulla con per da dal dalla e ed o ma che chi non sì è sono era essere ha ho hai hanno " +
			"io mi me mio mia tu ti te tuo tua lui lei noi voi loro suo sua si se come più anche",
		verbs: "vive|abita|lavora|preferisce|vuole|ha|è|parla|usa|odia|ama|gioca|studia|va|mangia|beve|legge",
		joins: "e|ed|ma|mentre",
		openers: "ciao|buongiorno|buonasera|buonanotte|salve|a proposito|forse|magari|grazie|per favore|scusa|domanda|promemoria|ricordarti|volevo|vuoi|voglio|posso|puoi|possiamo|potresti|sai|dimmi|dire|oggi|adesso|ora|" +
			"ancora|già|pensato|pensare|penso|credo|spero|piacerebbe|va|vai|andare|andata|andato|quando|quale|quanto|dove|cosa|come va|come stai|bene|buono|buona|allora|dunque|fare|fatto|vedere|qualcosa|aiutare|" +
			"parlare",
	}
}
