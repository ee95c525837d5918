package policy

//nolint:misspell // the words of a language
func portugueseHush() hush {
	const (
		no    = "não|nunca|jamais|nunca mais|não mais|já não"
		of    = "de|do|da|dos|das|sobre|em|no|na|nos|nas|acerca de|acerca do|acerca da|a respeito de|a respeito do|a respeito da"
		names = "mencione|menciones|mencionar|mencionem|menciona|cite|cites|citar|diga|digas|dizer|diz|comente|comentes|comentar|repita|repitas|repetir|lembre|lembres|lembrar|nomeie|puxe|puxes|puxar"
	)
	return hush{
		topics: no + " + ?me|volte a|voltes a|fique|fiques|fica|continue|continues|precisa|vamos|vamos mais|mais me|me venha|venha me|torne a|tornes a + fale|fales|falar|falando|falem|fala|falemos|converse|conversar|conversar mais|pergunte|perguntes + ?mais|nunca mais|comigo|tanto|sempre|mais comigo + " + of + " + …;" +
			no + " + ?me|volte a|voltes a|mais|se atreva a|fique|fiques + " + names + "|mencionando|citando|dizendo + ?mais|nunca mais|o assunto|o nome|a palavra|o nome de|o nome da|o nome do|outra vez + ?de|do|da + …;" +
			no + " + toque|toques|tocar|mexa|volte|entre|puxe|traga + ?mais + no assunto|nesse assunto|no tema|ao assunto|nesse tema|o assunto|esse assunto + ?de|do|da|dos|das + …;" +
			"pare|para|pára|parem|parar|deixe|deixa|chega|deixar|cesse + já de|de|com isso de + ?me|ficar|sempre + falar|conversar|comentar|reclamar|perguntar|falar-me|me falar + ?mais|sempre|tanto|comigo|o tempo todo + " + of + " + …;" +
			"pare|para|pára|parem|parar|deixe|deixa|chega|deixar + de + ?me|ficar + " + names + "|me lembrar de|me lembrar da|me lembrar do|mencionando|falando de|falando sobre + ?mais|sempre|a palavra|o assunto + …;" +
			"não quero|eu não quero|não quero mais|já não quero|prefiro não|preferia não|não tenho vontade de|não estou a fim de|não estou com vontade de|não me apetece|não gosto de|odeio|detesto|não aguento mais|recuso-me a|me recuso a|estou farto de|estou farta de|cansei de|não queria + ?mais|voltar a|nem|ouvir|te ouvir|continuar a + falar|ouvir|ouvir falar|ouvir mais|saber|conversar|discutir|pensar|falando|escutar + ?mais|nada|mais nada|contigo|com você|agora|hoje|falar|nem uma palavra + " + of + " + …;" +
			"não quero que|prefiro que não|peço que não|te peço que não|pedi que não|quero que não|já disse para não|já te disse para não|eu disse para não|pedi para não|te pedi para não|eu pedi para você não|eu disse pra não|já falei pra não|já falei para não + ?você|me|tu|mais|nunca mais + fale de|fale do|fale da|fale sobre|fales de|fales do|fales da|fales sobre|falar de|falar do|falar da|falar sobre|" + names + " + ?mais|nunca mais|em|no|na + …;" +
			"… + é assunto proibido|é um assunto proibido|é tema proibido|é um tema proibido|é tabu|é um tabu|é um assunto tabu|é assunto encerrado|é um assunto encerrado|está fora de questão|está fora de discussão|está fora dos limites|não se discute|não se menciona|são assunto proibido|são tabu|é assunto morto;" +
			"esqueça|esquece|esqueçamos|deixe|deixa|deixemos|larga|largue|encerra|encerre|encerremos|evite|evita|evitemos|chega|chega já|corta|muda + ?de lado|lá|em paz|pra lá + o assunto|do assunto|desse assunto|com o assunto|o tema|com esse assunto|com o tema|esse assunto + ?de|do|da|dos|das + …;" +
			"nem uma palavra|nem mais uma palavra|nem um pio|mais nenhuma palavra + " + of + " + …;" +
			"não vamos falar|não falemos|vamos não falar|podemos não falar|dá para não falar|dá pra não falar|evite falar|evita falar|evitemos falar|melhor não falar|melhor não falarmos|é melhor não falar + ?mais|nunca mais|hoje|agora + " + of + " + …;" +
			"evite|evita|evitemos + mencionar|citar|dizer|comentar + …",
		names: no + "|não quero que|prefiro que não|não gosto que|pedi que não|odeio que|peço que não + ?você|mais|tu|volte a|voltes a + me chame|me chames|me chama|me chamar|me chamem|chame-me|chamar-me|me trate|chames + ?mais|nunca mais|por|de|mais de|nunca mais de + …;" +
			"pare|para|pára|deixe|deixa|parar|chega + de + me chamar|chamar-me + ?de|por + …;" +
			"não gosto de|não quero|odeio|não quero mais + ser chamado|ser chamada + ?de|por + …",
		leads:    "por favor|pf|pfv|olha|olhe|e|mas|bom|bem|tá|tá bom|já|ei|oi|poxa|ai|a sério|sério|na boa|te peço|eu te peço|peço que|eu pedi que|quero que|preciso que|prefiro que|gostaria que|pode|podes|você pode|poderia|podias|consegue|dá para|dá pra|de agora em diante|a partir de agora|daqui em diante|agora|hoje|tu|você|regra|nota|lembre-se|lembra-te|lembre|lembra|que|então|por isso|só|também|olá|obrigado|obrigada|chega|nunca mais|melhor|eu|porque|cara|mano|gente|caramba|nossa|uma coisa|pela última vez|amor|desculpa|sim|é que|já disse|eu disse|já falei|faz favor de|vê se|vamos",
		tells:    "me disse|me disseram|me pediu|disse que|disse|diz que|disseram|ele falou|ela falou|me falou|pediu para|falei para ele|falei para ela|eu disse a ele|eu disse a ela|diga a|para que|escreveu|me mandou|nos disse",
		asks:     "pode|podes|você pode|poderia|podias|podemos|consegue|dá para|dá pra|importa-se|se importa|por favor|tá|tá bom|ok|certo|está bem|combinado|sim|viu",
		composes: "escreve|escreva|redige|redija|traduz|traduza|resume|resuma|corrige|corrija|reescreve|reescreva",
		heads:    "de|do|da|dos|das|sobre|em|nada de|nada sobre|nada|o assunto de|o assunto da|o assunto do|o assunto|o tema|a palavra|o nome de|o nome da|o nome do|coisas de|coisas sobre|essa coisa de|esse negócio de|mais|tanto",
		tails:    "por favor|pf|pfv|jamais|nunca|nunca mais|mais|outra vez|de novo|novamente|hoje|agora|já|comigo|tá|tá bom|ok|obrigado|obrigada|a sério|sério|amanhã|esta noite|hoje à noite|na minha frente|à minha frente|aqui|por hoje|por agora|de uma vez|de uma vez por todas|viu|sim|certo|sempre|o tempo todo|toda hora|tanto|a ninguém|para ninguém|neste chat|a partir de agora|de agora em diante|perto de mim",
		cuts:     "porque|pois|até|quando|enquanto|se|mas|por favor|jamais|nunca|já que|embora|exceto|senão",
		ands:     "e|ou|nem", noTopics: "que|nada|sim|não|oi|olá|tchau|me|te|o que|como|se",
		noNames: "antes|depois|às|à|ao|a|em|no|na|quando|até|se|hoje|amanhã|tarde|cedo|mais|agora|para|durante|aqui|manhã|noite|madrugada|dia|tão|ainda|esta|este|cada|só|nunca|jamais|porque|e|ou|já|depois das|antes das|por volta",
		owners:  "o|a|os|as|um|uma|uns|umas|meu|minha|meus|minhas|teu|tua|teus|tuas|seu|sua|seus|suas|nosso|nossa|nossos|nossas|esse|essa|este|esta|aquele|aquela|do|da|de|dos|das",
		vague:   "isto|isso|aquilo|este|esta|esse|essa|ele|ela|eles|elas|o|a|nada|algo|tudo|assim|mim|ti|coisas|coisa|me|te|se|já|mais|nunca|que|de|disso|disto|nisso|nisto|dele|dela|hoje|agora|ninguém",
		generic: "coisa|coisas|assunto|assuntos|tema|temas|palavra|história",
	}
}

//nolint:misspell // the words of a language
func frenchHush() hush {
	const (
		not   = "pas|plus|jamais|plus jamais|surtout pas|jamais plus"
		of    = "de|du|des|d|sur|à propos de|à propos du|au sujet de|au sujet du|à|au|aux"
		names = "mentionne|mentionnez|mentionner|évoque|évoquez|évoquer|dis|dites|dire|cite|citer|prononce|prononcez|prononcer|aborde|abordez|aborder|rappelle|rappelez|rappeler|ramène|ramener|ressors|remets sur le tapis"
	)
	return hush{
		topics: "ne|n|et ne + ?me|m|nous|en + parle|parlez|parlons|reparle|reparlez|reparlons|discute|discutons + ?moi + " + not + " + ?sans arrêt|tout le temps|encore|avec moi + " + of + " + …;" +
			"ne|n + ?me|m|nous + " + names + " + ?moi + " + not + " + ?encore|le sujet de|le sujet du|le mot|le nom de|le thème de + …;" +
			"^me parle|parle|parlez|parle moi|me parlez|mentionne|évoque|dis|prononce|parlons|reparle|reparlons + " + not + " + ?encore|tout le temps + ?" + of + "|le mot + …;" +
			"^ne pas|ne plus|ne jamais|ne plus jamais|évite de|évitez de|évitons de|merci de ne pas|merci de ne plus|prière de ne pas|peux tu ne pas|peux tu ne plus|pourrais tu ne pas|pourrais tu ne plus|peut on ne pas|peut on ne plus|je t'ai dit de ne pas|je t'ai dit de ne plus|je t'ai demandé de ne pas|je t'ai demandé de ne plus|je te demande de ne pas|je te demande de ne plus|mieux vaut ne pas|on peut ne pas|on peut éviter de + ?me|m|nous|en + parler|reparler|discuter|" + names + " + ?" + of + "|le mot|le sujet de|le nom de + …;" +
			"arrête|arrêtez|arrêtons|arrêter|arrêtes|cesse|cessez|cesser|stop|assez + ?un peu|s'il te plaît|donc|enfin + de + ?me|m|nous|toujours|constamment|sans cesse + parler|reparler|discuter|parler tout le temps|radoter|jacasser + ?toujours|sans arrêt|tout le temps|encore|constamment + " + of + " + …;" +
			"arrête|arrêtez|arrêter|cesse|cessez|cesser + ?un peu|s'il te plaît + de|avec|avec le sujet|avec l'histoire + ?me|m|toujours|constamment + " + names + "|remettre sur le tapis|ressasser + ?toujours|le mot|le sujet de + …;" +
			"je ne veux pas|je ne veux plus|je veux pas|je veux plus|je n'ai pas envie|j'ai pas envie|je n'ai plus envie|j'ai plus envie|je préfère ne pas|je préfère ne plus|je préférerais ne pas|je refuse|je n'aime pas|je déteste|j'en ai marre|je ne souhaite pas|je ne souhaite plus|je ne tiens pas à + ?de|d|que tu|que tu me|qu'on|que l'on|en + parler|entendre|entendre parler|t'entendre parler|discuter|penser|repenser|savoir|reparler|parles|me parles|reparles|parle|mentionnes|évoques|parler encore|mentionner|évoquer + ?plus|encore|à nouveau|rien|maintenant|avec toi|jamais|un mot + ?" + of + " + …;" +
			"… + est tabou|est un tabou|est un sujet tabou|est un sujet interdit|est un sujet clos|c'est tabou|c'est un sujet tabou|est hors limites|n'est pas un sujet|est à éviter|est une zone interdite|est hors de question|sont tabous|sont un sujet tabou;" +
			"plus un mot|pas un mot|plus jamais un mot|plus une parole + " + of + " + …;" +
			"laisse|laissez|laissons|oublie|oublions|abandonne|évite|évitez|évitons|change|lâche + ?tomber|de côté + le sujet|le thème|les sujets|l'histoire|les histoires + " + of + " + …;" +
			"on ne parle|on parle|on n'évoque|on arrête de parler|on évite de parler|on a assez parlé|assez parlé + ?" + not + " + " + of + " + …",
		names: "ne|n + m|me + appelle|appelez|surnomme|nomme|appeler|traite + " + not + " + ?de|comme ça + …;" +
			"^m'appelle|m'appelez|appelle moi + " + not + " + …;" +
			"arrête|arrêtez|arrêter|cesse|cessez + ?un peu|s'il te plaît + de + m + appeler|surnommer|nommer + …;" +
			"je ne veux pas|je ne veux plus|je veux pas|je veux plus|je n'aime pas|je déteste + qu'on|que tu|quand tu|être|d'être|que vous + ?m + appelle|appelles|appeliez|appelé|appelée|surnomme|surnommes + …",
		leads:    "s'il te plaît|s'il vous plaît|stp|svp|et|mais|bon|ok|okay|écoute|écoutez|allez|hé|eh|ah|oh|sérieux|sérieusement|vraiment|je t'en prie|je te prie de|je t'en supplie|je te demande de|je t'ai dit de|je t'ai demandé de|je voudrais que tu|je veux que tu|peux tu|pourrais tu|tu peux|tu pourrais|pouvez vous|pourriez vous|est ce que tu peux|désormais|à partir de maintenant|dorénavant|maintenant|aujourd'hui|règle|note|retiens|alors|donc|aussi|juste|salut|bonjour|merci|ça suffit|assez|non|oui|encore une fois|une chose|pour la dernière fois|mec|chéri|chérie|parce que|car|tu dois|il faut|j'ai dit|par pitié|surtout|tu|vous|mieux vaut|rappelle toi",
		tells:    "m'a dit|m'ont dit|m'a demandé|me dit|dit que|a dit|disait|me demande|lui ai dit|leur ai dit|dis lui|dis leur|pour que|a écrit|m'a ordonné|nous a dit|dit il|dit elle",
		asks:     "peux tu|pourrais tu|tu peux|tu pourrais|pouvez vous|pourriez vous|peut on|on peut|ça te dérange|s'il te plaît|s'il vous plaît|stp|svp|d'accord|ok|compris|hein|veux tu|tu veux bien",
		composes: "écris|écrivez|rédige|rédigez|traduis|traduisez|résume|résumez|corrige|reformule",
		heads:    "du|des|rien de|rien sur|le sujet de|le sujet du|le sujet|le mot|le nom de|tout ce qui touche à|plus|encore|de|d|sur",
		tails:    "s'il te plaît|s'il vous plaît|stp|svp|jamais|plus jamais|plus|encore|à nouveau|de nouveau|aujourd'hui|maintenant|merci|ok|d'accord|avec moi|devant moi|ici|pour l'instant|pour le moment|ce soir|demain|une bonne fois pour toutes|sans arrêt|tout le temps|toujours|hein|compris|à personne|désormais|dorénavant|à partir de maintenant|dans ce chat|tout de suite",
		cuts:     "parce|car|puisque|jusqu|quand|lorsque|pendant que|si|mais|s'il te plaît|s'il vous plaît|stp|svp|sauf|sinon|alors",
		ands:     "et|ou|ni", noTopics: "que|qu|rien|oui|non|bonjour|ce que|si|comment|n'importe quoi|ça que|personne|français|anglais",
		noNames: "avant|après|à|au|aux|en|quand|jusqu|si|demain|aujourd|tard|tôt|ce|cette|maintenant|pendant|chez|sur|pour|toutes|tous|chaque|la nuit|le matin|le soir|le week|encore|plus|trop|parce|et|ou|de|du|dans|entre|dès",
		owners:  "le|la|les|l|un|une|des|du|de|d|mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|votre|vos|leur|leurs|ce|cet|cette|ces",
		vague:   "ça|cela|ceci|ce|celui|celle|lui|elle|eux|elles|il|ils|moi|toi|rien|tout|quelque|chose|choses|y|en|le|la|les|plus|encore|que|qui|de|d|l|comme|si|trop|là|ici",
		generic: "chose|choses|sujet|sujets|truc|trucs|histoire|mot|thème",
	}
}

//nolint:misspell // the words of a language
func italianHush() hush {
	const (
		no    = "non|mai|mai più|non più"
		of    = "di|del|dello|della|dei|degli|delle|dell|d|su|sul|sulla|sui|sugli|sulle|sull|a|al|alla|ai|alle|riguardo a|a proposito di"
		names = "menzionare|menzioni|menzionate|menzionarmi|nominare|nomini|nominarmi|nominate|dire|dica|dite|citare|citarmi|ricordare|ricordarmi|tirare fuori|tirar fuori|tirare in ballo|accennare|accennarmi|ripetere|ripetermi"
	)
	return hush{
		topics: no + " + ?mi|ci|ne|stare a|osare|devi|voglio più|starmi a|continuare a + parlare|parlarmi|parli|parlate|parliamo|parliamone|parla|parlar|chiedermi|chiedere|riparlare + ?più|mai|mai più|sempre|con me|ancora + " + of + " + …;" +
			no + " + ?mi|ci|ne|osare|devi|stare a|continuare a + " + names + " + ?più|mai|mai più|ancora|la parola|il nome di|il nome del|il nome della|l'argomento + ?a|al|di|del|della + …;" +
			"smetti|smettila|smetta|smettetela|smettere|smettessi|basta|piantala|finiscila|falla finita|potresti smettere|puoi smettere + ?di|per favore di|di continuare a|con il|subito di + ?sempre + parlare|parlarmi|chiedermi|blaterare|ciarlare|discutere + ?sempre|più|in continuazione|ancora + " + of + " + …;" +
			"smetti|smettila|smetta|smettetela|smettere|basta|piantala|finiscila + ?di|per favore di|con + ?sempre + " + names + "|l'argomento|il discorso|questa storia|la storia + ?sempre|più|la parola|in continuazione + ?di|del|della + …;" +
			"non voglio|io non voglio|non voglio più|preferisco non|preferirei non|non ho voglia|non ho più voglia|non mi va|non mi va più|non mi piace|odio|detesto|sono stufo|sono stufa|mi rifiuto|non desidero|non ne voglio più + ?più|di|che tu mi|che tu|che si|che mi si|nemmeno + parlare|parlarti|sentire|sentir|sentire parlare|sentir parlare|sentirti parlare|discutere|pensare|sapere|parli|parlino|parlare più|menzioni|nomini|ascoltare + ?più|parlare|nulla|niente|ancora|adesso|oggi|con te|una parola|più niente + " + of + " + …;" +
			"non voglio che|preferisco che non|preferirei che non|ti prego di non|ti ho detto di non|ti ho chiesto di non|ti chiedo di non|cerca di non|puoi non|potresti non|possiamo non|vorrei che non|è meglio non|meglio non|evita di|evitate di|evitiamo di + ?tu|mi|ci|ne|più|mai + parlare di|parlare del|parlare della|parlare dei|parlare delle|parli di|parli del|parli della|parlarmi di|parlarmi del|parlarmi della|" + names + " + ?più|mai più|la parola + …;" +
			"… + è un argomento tabù|è tabù|è un tabù|è un argomento vietato|è un argomento proibito|è un argomento chiuso|è off limits|è un tasto dolente|è fuori discussione|non si tocca|non si nomina|sono un argomento tabù|sono tabù|è argomento vietato;" +
			"lascia perdere|lascia stare|lasciamo perdere|lasciamo stare|lascia|lasciamo|chiudi|chiudiamo|dimentica|dimentichiamo|evita|evitiamo|abbandona|molla + ?pure|da parte + l'argomento|il discorso|il tema|la storia|la faccenda + ?" + of + " + …;" +
			"neanche una parola|non una parola|nemmeno una parola|mai più una parola|non un'altra parola|nessuna parola + ?in più|di più|più + " + of + " + …;" +
			"niente|basta|mai più + battute|discorsi|chiacchiere|storie|commenti + " + of + " + …",
		names: no + "|non voglio che|preferisco che non|ti ho detto di non|ti prego di non|non mi piace che|non mi piace quando + ?osare|più|tu|continuare a + chiamarmi|mi chiamare|mi chiami|mi chiamate|mi chiamino|chiamatemi|mi soprannominare + ?più|mai|mai più|col nome di|ancora + …;" +
			"smetti|smettila|smetta|smettere|basta|piantala|puoi smettere|potresti smettere + ?di|con + chiamarmi + ?sempre + …;" +
			"non voglio|odio|non mi piace|preferisco non|non voglio più + essere chiamato|essere chiamata|venire chiamato|venire chiamata + …",
		leads:    "per favore|per piacere|perfavore|ti prego|e|ma|ok|okay|senti|ascolta|dai|ehi|oh|uffa|davvero|sul serio|seriamente|ti ho detto|te l'ho detto|ti chiedo di|vorrei che|voglio che tu|puoi|potresti|puoi per favore|può|d'ora in poi|da ora in poi|da adesso|adesso|ora|oggi|tu|regola|nota|ricorda|ricordati|allora|quindi|anche|solo|ciao|grazie|basta|no|sì|una cosa|per l'ultima volta|amore|perché|devi|che|io|mai più|guarda|scusa|meglio",
		tells:    "mi ha detto|mi hanno detto|mi ha chiesto|mi dice|mi chiede|ha detto|dice che|diceva|disse|gli ho detto|le ho detto|digli|dille|affinché|ha scritto|ci ha detto|mi disse",
		asks:     "puoi|potresti|può|potrebbe|possiamo|ti dispiace|per favore|per piacere|ti prego|ok|va bene|d'accordo|capito|chiaro|vero",
		composes: "scrivi|scrivimi|redigi|traduci|riassumi|correggi|riscrivi|riformula",
		heads:    "del|dello|della|dei|degli|delle|dell|d|sul|sulla|niente di|niente su|l'argomento|il tema|la parola|il nome di|la storia di|la storia del|più|di|sempre",
		tails:    "per favore|per piacere|perfavore|ti prego|mai|mai più|più|ancora|di nuovo|un'altra volta|oggi|adesso|ora|subito|con me|davanti a me|qui|grazie|ok|va bene|d'accordo|domani|stasera|per oggi|per ora|una volta per tutte|sempre|in continuazione|tutto il tempo|capito|chiaro|a nessuno|d'ora in poi|da ora in poi|in questa chat",
		cuts:     "perché|poiché|finché|quando|mentre|se|ma|per favore|ti prego|mai|però|tranne|altrimenti|allora",
		ands:     "e|ed|o|oppure|né", noTopics: "che|niente|nulla|sì|no|ciao|quello che|come|se|mi|ti|così",
		noNames: "prima|dopo|a|al|alla|alle|in|quando|fino|se|domani|oggi|tardi|presto|adesso|ora|per|durante|ogni|stasera|stanotte|di notte|di sera|di mattina|la sera|la mattina|ancora|più|mai|perché|e|o|troppo|da|dal|sul|nel|tra|fra|verso",
		owners:  "il|lo|la|i|gli|le|l|un|uno|una|mio|mia|miei|mie|tuo|tua|tuoi|tue|suo|sua|suoi|sue|nostro|nostra|vostro|vostra|loro|questo|questa|quel|quello|quella|del|della|dei|di",
		vague:   "questo|questa|quello|quella|ciò|lui|lei|loro|esso|essa|me|te|niente|nulla|tutto|qualcosa|cosa|cose|così|ne|ci|lo|la|più|mai|che|di|nessuno|qui",
		generic: "cosa|cose|argomento|argomenti|tema|temi|storia|parola|faccenda",
	}
}
