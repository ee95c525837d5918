package policy

// guard holds what one language says that is never kept, or only when the person
// says it of themselves. It is a part of the table of languages and written as talk
// is.
type guard struct {
	// What works against the person.
	overrides string // "ignore", with what it sets aside
	controls  string
	grants    string // "approve", with what and how
	money     string
	unasked   string
	reveals   string // "reveal", with what
	secrets   string
	hostile   string // whole phrases
	orders    string // tells the bot what it must do
	answers   string // names of the answer to a security question
	howto     string // "how to", with what does harm
	harmful   string
	hateful   string // denies people their worth, with whom
	peoples   string

	// What a person must have said of themselves.
	faith, politics, origin, illness, love, union, crime, pay string
}

func englishGuard() guard {
	return guard{
		overrides: "ignore|ignores|ignoring|disregard|disregards|disregarding|bypass|bypasses|bypassing|override|overriding|circumvent|circumventing|disable|disabling|turn off|switch off|evade|violate|break|skip|drop|forget|neglect|stop following|not follow|no longer follow",
		controls: "safety rules|safety rule|safety guidelines|safety checks|safety policy|safety policies|safety measures|safety instructions|safety protocols|safety features|safety warnings|safety filters|security rules|security checks|security policy|security policies|security measures|" +
			"guardrails|guardrail|safeguards|safeguard|system prompt|system message|system instructions|previous instructions|prior instructions|earlier instructions|all instructions|your instructions|the instructions above|previous rules|prior rules|your rules|all rules|any rules|" +
			"content policy|content policies|restrictions|content filters|your filters|disclaimers|approval|approvals|approval process|ethical guidelines|ethics|moderation",
		grants:  "approve|approves|approving|accept|authorize|authorise|authorizes|grant|grants|confirm|execute",
		money:   "payment|payments|purchase|purchases|transfer|transfers|transaction|transactions|withdrawal|withdrawals|invoice|invoices|order|orders|refund|refunds|wire|permission|permissions|access",
		unasked: "unasked|without asking|without confirmation|without approval|without permission|without checking|without my approval|without my consent|automatically|no questions asked|silently|every|all|any|each|always|whatever|everything",
		reveals: "reveal|reveals|revealing|leak|leaks|exfiltrate|disclose|expose|dump|print|output|forward|upload",
		secrets: "system prompt|your instructions|your prompt|hidden prompt|hidden instructions|passwords|password|credentials|api keys|api key|secret keys|private keys|private key|access tokens",
		hostile: "ignore previous|ignore all previous|ignore the above|ignore everything above|disregard previous|disregard all previous|disregard the above|forget previous instructions|forget all previous|forget your instructions|ignore safety|ignore all safety|" +
			"as if they came from the owner|as if it came from the owner|as if from the owner|as if they were the owner|as if you had no|as though you had no|as if there were no rules|without any restrictions|you have no restrictions|has no restrictions|do anything now|obey all|obey every|obey any|" +
			"obey whatever|do whatever they say|without telling the user|without telling the owner|without telling the person|without the user knowing|without the owner knowing|without the person knowing|do not tell the user|don't tell the user|never tell the user|do not tell the owner|" +
			"don't tell the owner|never tell the owner|do not tell the person|don't tell the person|never tell the person|do not inform the user|do not inform the person|hide this from the|hide it from the user|hide it from the person|hide from the user|hide from the owner|hide from the person|" +
			"keep this from the user|keep it from the user|keep it from the person|pretend to be the owner",
		orders:   "the assistant must|the assistant should|the assistant has to|assistant must|the bot must|the bot should|the agent must|the ai must|the model must|you must|you should|you have to|must always|must never",
		answers:  "mother's maiden name|mothers maiden name|security question|security questions|security answer|secret question|secret answer",
		howto:    "how to|ways to|recipe for|instructions for|steps to",
		harmful:  "meth|methamphetamine|crystal meth|a bomb|pipe bomb|pipe bombs|nail bomb|car bomb|nerve gas|sarin|ricin|napalm|fentanyl|ghost gun|explosive|explosives|crack cocaine|counterfeit money",
		hateful:  "vermin|subhuman|subhumans|inferior race|are inferior|racially inferior|should be exterminated|deserve to die",
		peoples:  "people|jews|muslims|christians|immigrants|migrants|refugees|blacks|whites|asians|arabs|africans|gays|women|foreigners|roma|gypsies|villagers",
		faith:    "muslim|muslims|christian|christians|catholic|catholics|protestant|jewish|jew|jews|hindu|hindus|buddhist|buddhists|buddhism|sikh|mormon|atheist|atheists|atheism|agnostic|islam|christianity|judaism|hinduism|religion|religious|church|mosque|synagogue|ramadan|evangelical|jehovah*|quaker|wiccan|baptized|baptised|sabbath|shabbat",
		politics: "republican|republicans|democrat|democrats|a conservative|a liberal|conservative party|liberal party|socialist|communist|tory|tories|votes for|voted for|vote for|votes|political|politics|left wing|right wing|leftist|far right|far left|libertarian|anarchist|party member|feminist|labour party|green party",
		origin:   "ethnicity|ethnic|heritage|descent|racial|romani|gypsy|indigenous|native american|is black|is white|black man|black woman|white man|white woman|hispanic|latino|latina|kurdish|kurd|biracial|mixed race|aboriginal|caste|dalit|undocumented",
		illness: "diagnosed|diagnosis|cancer|tumor|tumour|hiv|depression|depressed|depressive|bipolar|schizophreni*|anxiety disorder|anxiety|ptsd|autis*|adhd|ocd|anorexi*|bulimi*|eating disorder|alcoholic|alcoholism|addict|addiction|dementia|alzheimer*|parkinson*|multiple sclerosis|" +
			"epileps*|epilep*|diabetes|diabetic|infertil*|miscarriage|abortion|suicid*|psychiatrist|antidepressant*|herpes|hepatitis|mental illness|mental health|chronic illness",
		love:  "gay|lesbian|bisexual|homosexual|heterosexual|queer|transgender|trans|nonbinary|non-binary|asexual|pansexual|sexual orientation|sexuality|lgbt*|polyamorous|closeted|having an affair",
		union: "trade union|labor union|labour union|union member|union membership|union rep|unionized|unionised|shop steward|works council|in a union|in the union",
		crime: "criminal record|convicted|conviction|felon|felony|arrested|prison|jail|probation|parole|sentenced|ex convict|imprisoned|shoplift*",
		pay:   "salary|salaries|earns|earn|earned|earning|wage|wages|income|net worth|debt|debts|owes|makes a year|paid a year",
	}
}

//nolint:misspell // the words of a language
func spanishGuard() guard {
	return guard{
		overrides: "ignora|ignorar|ignore|ignorad|omite|omitir|sáltate|desactiva|desactivar|anula|anular|elude|eludir|desobedece|olvida|incumple|incumplir",
		controls: "reglas de seguridad|normas de seguridad|medidas de seguridad|políticas de seguridad|instrucciones anteriores|instrucciones previas|tus instrucciones|todas las instrucciones|todas las reglas|tus reglas|restricciones|prompt del sistema|mensaje del sistema|salvaguardas|" +
			"filtros de contenido",
		grants:   "aprueba|aprobar|apruebe|autoriza|autorizar|autorice|acepta|aceptar",
		money:    "pago|pagos|compra|compras|transferencia|transferencias|transacción|transacciones|factura|facturas|pedido|pedidos",
		unasked:  "sin preguntar|sin consultar|sin confirmación|sin permiso|sin autorización|automáticamente|todos|todas|cada|cualquier|siempre",
		reveals:  "revela|revelar|filtra|filtrar|divulga|divulgar|muestra",
		secrets:  "prompt del sistema|contraseñas|contraseña|credenciales|claves privadas|tus instrucciones",
		hostile:  "ignora lo anterior|ignora todas las|olvida tus instrucciones|sin que el usuario lo sepa|no le digas al usuario|no se lo digas al usuario|no le digas al dueño|a espaldas del usuario|como si no tuvieras",
		orders:   "el asistente debe|el bot debe|debes|tienes que|usted debe",
		answers:  "apellido de soltera de mi madre|apellido de soltera de la madre|pregunta de seguridad|respuesta de seguridad|pregunta secreta",
		howto:    "cómo|como hacer|receta de|receta para|instrucciones para|fabricar",
		harmful:  "metanfetamina|bomba casera|fabricar una bomba|hacer una bomba|sarín|ricina|napalm|fentanilo|explosivos|dinero falso",
		hateful:  "infrahumanos|raza inferior|son inferiores|son alimañas|deberían ser exterminados",
		peoples:  "gente|personas|judíos|musulmanes|inmigrantes|mujeres|gitanos|negros|extranjeros",
		faith:    "musulmán|musulmana|musulmanes|cristiano|cristiana|católico|católica|protestante|judío|judía|hindú|budista|ateo|atea|agnóstico|agnóstica|islam|religión|religioso|religiosa|iglesia|mezquita|sinagoga|ramadán|evangélico|evangélica",
		politics: "socialista|comunista|conservador|conservadora|de izquierdas|de derechas|ultraderecha|partido político|militante|afiliado|afiliada|voto a|vota a|voté a|voto por|feminista",
		origin:   "etnia|étnico|étnica|gitano|gitana|ascendencia|raza|indígena|mestizo|mestiza|inmigrante|refugiado|refugiada|herencia",
		illness:  "cáncer|vih|sida|depresión|bipolar|esquizofreni*|ansiedad|tdah|autis*|anorexia|bulimia|alcohólico|alcohólica|alcoholismo|adicto|adicta|adicción|demencia|alzheimer*|diabetes|diabétic*|epileps*|epilép*|diagnosticaron|diagnóstico|diagnosticado|diagnosticada|aborto|suicid*|psiquiatra|antidepresivo*|hepatitis",
		love:     "gay|lesbiana|bisexual|homosexual|heterosexual|transexual|transgénero|no binario|no binaria|orientación sexual|sexualidad|poliamor*",
		union:    "sindicato|sindical|sindicalista",
		crime:    "antecedentes penales|condenado|condenada|cárcel|prisión|detenido|detenida|arrestado|arrestada|libertad condicional",
		pay:      "salario|sueldo|gano|gana|ingresos|cobro|cobra|deuda|deudas|nómina",
	}
}

//nolint:misspell // the words of a language
func germanGuard() guard {
	return guard{
		overrides: "ignorier|ignoriere|ignorieren|missachte|missachten|umgehe|umgehen|übergehe|deaktiviere|deaktivieren|überschreibe|vergiss|aushebeln",
		controls:  "sicherheitsregeln|sicherheitsregel|sicherheitsvorschriften|sicherheitsrichtlinien|sicherheitsvorkehrungen|vorherigen anweisungen|vorherige anweisungen|bisherigen anweisungen|frühere anweisungen|alle anweisungen|deine anweisungen|systemprompt|system prompt|systemnachricht|deine regeln|alle regeln|beschränkungen|inhaltsfilter|schutzmaßnahmen",
		grants:    "genehmige|genehmigen|genehmigt|bewillige|autorisiere|autorisieren|akzeptiere|akzeptieren|freigeben|freigibt",
		money:     "zahlung|zahlungen|kauf|käufe|überweisung|überweisungen|transaktion|transaktionen|rechnung|rechnungen|bestellung|bestellungen",
		unasked:   "ungefragt|ohne zu fragen|ohne nachfrage|ohne rückfrage|ohne bestätigung|ohne genehmigung|automatisch|jede|jeden|alle|immer",
		reveals:   "verrate|verraten|offenbare|preisgeben|leake|veröffentliche|ausgeben",
		secrets:   "systemprompt|system prompt|passwörter|zugangsdaten|private schlüssel|deine anweisungen",
		hostile:   "sag dem nutzer nicht|sage dem nutzer nicht|ohne dass der nutzer|ohne dass der besitzer|ignoriere alle vorherigen|ignoriere alles|vergiss deine anweisungen|als hättest du keine|gehorche jedem|gehorche allen",
		orders:    "der assistent muss|der assistent soll|der bot muss|der bot soll|du musst|du sollst|sie müssen",
		answers:   "mädchenname meiner mutter|mädchenname der mutter|geburtsname meiner mutter|sicherheitsfrage|sicherheitsantwort",
		howto:     "wie man|anleitung|anleitung zum|rezept für|herstellen",
		harmful:   "methamphetamin|crystal meth|eine bombe|rohrbombe|sarin|rizin|sprengstoff|falschgeld",
		hateful:   "ungeziefer|untermenschen|minderwertige rasse|sind minderwertig",
		peoples:   "leute|menschen|juden|muslime|ausländer|flüchtlinge|frauen|migranten",
		faith:     "muslim|muslima|muslimin|muslime|christ|christin|christlich|katholisch|katholik|katholikin|evangelisch|protestant|jude|jüdin|jüdisch|hindu|buddhist|buddhistin|atheist|atheistin|agnostiker|agnostikerin|islam|religion|religiös|kirche|moschee|synagoge|ramadan|gläubig",
		politics:  "cdu|csu|spd|afd|fdp|bei den grünen|grüne partei|linkspartei|sozialist|sozialistin|kommunist|kommunistin|wählt die|wähle die|parteimitglied|politisch|linksextrem|rechtsextrem|feministin|feminist",
		origin:    "ethnie|ethnisch|herkunft|abstammung|rasse|sinti|romani|migrationshintergrund|geflüchtet|flüchtling|indigen",
		illness:   "krebs|hiv|depression|depressionen|depressiv|bipolar|schizophren*|angststörung|adhs|autis*|magersucht|bulimie|alkoholiker|alkoholikerin|alkoholismus|süchtig|sucht|demenz|alzheimer*|diabetes|diabetiker|diabetikerin|epileps*|diagnose|diagnostiziert|abtreibung|fehlgeburt|suizid*|psychiater|psychiaterin|antidepressiv*|hepatitis",
		love:      "schwul|lesbisch|bisexuell|homosexuell|heterosexuell|queer|transgender|trans|nichtbinär|asexuell|sexuelle orientierung|sexualität|polyamor*",
		union:     "gewerkschaft|gewerkschaftsmitglied|gewerkschafter|gewerkschafterin|betriebsrat|verdi",
		crime:     "vorstrafe|vorstrafen|vorbestraft|verurteilt|gefängnis|haft|verhaftet|bewährung|führungszeugnis",
		pay:       "gehalt|lohn|verdient|verdiene|einkommen|schulden|jahresgehalt|brutto|netto",
	}
}

//nolint:misspell // the words of a language
func frenchGuard() guard {
	return guard{
		overrides: "ignore|ignorer|ignorez|contourne|contourner|désactive|désactiver|outrepasse|outrepasser|oublie|enfreins|enfreindre|néglige",
		controls:  "règles de sécurité|consignes de sécurité|mesures de sécurité|instructions précédentes|consignes précédentes|tes instructions|toutes les instructions|tes règles|toutes les règles|prompt système|message système|garde-fous|restrictions|filtres de contenu",
		grants:    "approuve|approuver|approuvez|autorise|autoriser|accepte|accepter|valide|valider",
		money:     "paiement|paiements|achat|achats|virement|virements|transaction|transactions|facture|factures|commande|commandes",
		unasked:   "sans demander|sans confirmation|sans permission|sans autorisation|automatiquement|tous|toutes|tout|chaque|toujours",
		reveals:   "révèle|révéler|divulgue|divulguer|dévoile|dévoiler|affiche",
		secrets:   "prompt système|mots de passe|mot de passe|identifiants|clés privées|tes instructions",
		hostile:   "ignore tout ce qui précède|ignore toutes les|oublie tes instructions|sans que l'utilisateur le sache|à l'insu de l'utilisateur|ne dis pas à l'utilisateur|ne le dis pas à l'utilisateur|comme si tu n'avais|obéis à tous",
		orders:    "l'assistant doit|le bot doit|tu dois|vous devez|il faut que tu",
		answers:   "nom de jeune fille de ma mère|nom de jeune fille de la mère|question de sécurité|question secrète",
		howto:     "comment|recette de|instructions pour|fabriquer",
		harmful:   "méthamphétamine|bombe artisanale|fabriquer une bombe|sarin|ricine|explosifs|fausse monnaie",
		hateful:   "vermine|sous-hommes|race inférieure|sont inférieurs",
		peoples:   "gens|juifs|musulmans|immigrés|femmes|noirs|arabes|étrangers",
		faith:     "musulman|musulmane|musulmans|chrétien|chrétienne|catholique|protestant|protestante|juif|juive|hindou|hindoue|bouddhiste|athée|agnostique|islam|religion|religieux|religieuse|église|mosquée|synagogue|ramadan|croyant|croyante|pratiquant|pratiquante",
		politics:  "socialiste|communiste|conservateur|conservatrice|de gauche|de droite|extrême droite|extrême gauche|parti politique|militant|militante|vote pour|voté pour|je vote|féministe",
		origin:    "ethnie|ethnique|origine ethnique|race|gitan|gitane|tsigane|métis|métisse|autochtone|descendance|réfugié|réfugiée|immigré|immigrée|sans-papiers",
		illness:   "cancer|vih|dépression|dépressif|dépressive|bipolaire|schizophrén*|anxiété|tdah|autis*|anorexi*|boulimi*|alcoolique|alcoolisme|addiction|démence|alzheimer*|diabète|diabétique|épileps*|diagnostiqué|diagnostiquée|diagnostic|avortement|suicid*|psychiatre|antidépresseur*|hépatite",
		love:      "gay|gai|lesbienne|bisexuel|bisexuelle|homosexuel|homosexuelle|hétérosexuel|hétérosexuelle|transgenre|non-binaire|asexuel|asexuelle|orientation sexuelle|sexualité|polyamour*",
		union:     "syndicat|syndiqué|syndiquée|syndicaliste|syndical",
		crime:     "casier judiciaire|condamné|condamnée|prison|arrêté|arrêtée|garde à vue|sursis",
		pay:       "salaire|gagne|revenu|revenus|dettes|dette|paie",
	}
}

//nolint:misspell // the words of a language
func portugueseGuard() guard {
	return guard{
		overrides: "ignore|ignorar|ignora|desconsidere|desconsiderar|contorne|contornar|desative|desativar|anule|anular|esqueça|esquece|burle|burlar|viole",
		controls:  "regras de segurança|normas de segurança|medidas de segurança|políticas de segurança|instruções anteriores|instruções prévias|suas instruções|tuas instruções|todas as instruções|todas as regras|suas regras|restrições|prompt do sistema|mensagem do sistema|salvaguardas|filtros de conteúdo",
		grants:    "aprove|aprovar|aprova|autorize|autorizar|autoriza|aceite|aceitar",
		money:     "pagamento|pagamentos|compra|compras|transferência|transferências|transação|transações|fatura|faturas|pedido|pedidos",
		unasked:   "sem perguntar|sem consultar|sem confirmação|sem permissão|sem autorização|automaticamente|todos|todas|todo|toda|cada|qualquer|sempre",
		reveals:   "revele|revelar|revela|vaze|vazar|divulgue|divulgar",
		secrets:   "prompt do sistema|senhas|credenciais|chaves privadas|suas instruções|tuas instruções",
		hostile:   "ignore tudo acima|ignore todas as|esqueça suas instruções|sem que o usuário saiba|não conte ao usuário|não diga ao usuário|não conte ao dono|como se não tivesse|obedeça a todos",
		orders:    "o assistente deve|o bot deve|você deve|deves|tens de|você tem que",
		answers:   "nome de solteira da minha mãe|nome de solteira da mãe|pergunta de segurança|resposta de segurança|pergunta secreta",
		howto:     "como|receita de|instruções para|fabricar",
		harmful:   "metanfetamina|bomba caseira|fazer uma bomba|fabricar uma bomba|ricina|fentanil|explosivos|dinheiro falso",
		hateful:   "sub-humanos|raça inferior|são inferiores|são vermes",
		peoples:   "pessoas|judeus|muçulmanos|imigrantes|mulheres|negros|estrangeiros",
		faith:     "muçulmano|muçulmana|muçulmanos|cristão|cristã|católico|católica|protestante|judeu|judia|hindu|budista|ateu|ateia|agnóstico|agnóstica|islã|islão|religião|religioso|religiosa|igreja|mesquita|sinagoga|ramadã|ramadão|evangélico|evangélica|umbanda|candomblé|espírita",
		politics:  "socialista|comunista|conservador|conservadora|de esquerda|de direita|extrema-direita|partido político|militante|filiado|filiada|voto no|voto na|voto em|votei|feminista",
		origin:    "etnia|étnico|étnica|cigano|cigana|ascendência|raça|indígena|pardo|parda|quilombola|refugiado|refugiada",
		illness:   "câncer|cancro|hiv|depressão|bipolar|esquizofreni*|ansiedade|tdah|autis*|anorexia|bulimia|alcoólatra|alcoólico|alcoolismo|viciado|viciada|vício|demência|alzheimer*|diabetes|diabétic*|epileps*|epilép*|diagnosticado|diagnosticada|diagnóstico|aborto|suicíd*|psiquiatra|antidepressivo*|hepatite",
		love:      "gay|lésbica|bissexual|homossexual|heterossexual|transexual|transgênero|não-binário|não-binária|assexual|orientação sexual|sexualidade|poliamor*",
		union:     "sindicato|sindical|sindicalista|sindicalizado|sindicalizada",
		crime:     "antecedentes criminais|condenado|condenada|prisão|cadeia|preso|presa|detido|liberdade condicional",
		pay:       "salário|ganho|ganha|renda|ordenado|dívida|dívidas",
	}
}

//nolint:misspell // the words of a language
func italianGuard() guard {
	return guard{
		overrides: "ignora|ignorare|ignorate|aggira|aggirare|disattiva|disattivare|bypassa|dimentica|trascura|trascurare|viola|violare",
		controls:  "regole di sicurezza|norme di sicurezza|misure di sicurezza|istruzioni precedenti|tue istruzioni|tutte le istruzioni|tutte le regole|tue regole|restrizioni|prompt di sistema|messaggio di sistema|salvaguardie|filtri sui contenuti",
		grants:    "approva|approvare|autorizza|autorizzare|accetta|accettare",
		money:     "pagamento|pagamenti|acquisto|acquisti|bonifico|bonifici|transazione|transazioni|fattura|fatture|ordine|ordini",
		unasked:   "senza chiedere|senza conferma|senza permesso|senza autorizzazione|automaticamente|tutti|tutte|ogni|qualsiasi|sempre",
		reveals:   "rivela|rivelare|divulga|divulgare|svela|svelare",
		secrets:   "prompt di sistema|credenziali|chiavi private|tue istruzioni|le password",
		hostile:   "ignora tutto quanto sopra|ignora tutte le|dimentica le tue istruzioni|all'insaputa dell'utente|senza che l'utente lo sappia|non dire all'utente|non dirlo all'utente|come se non avessi|obbedisci a tutti",
		orders:    "l'assistente deve|il bot deve|devi|deve sempre|dovete",
		answers:   "cognome da nubile di mia madre|cognome da nubile della madre|domanda di sicurezza|risposta di sicurezza|domanda segreta",
		howto:     "come|ricetta per|istruzioni per|fabbricare",
		harmful:   "metanfetamina|una bomba|sarin|ricina|esplosivi|soldi falsi",
		hateful:   "subumani|razza inferiore|sono inferiori|sono parassiti",
		peoples:   "gente|persone|ebrei|musulmani|immigrati|donne|neri|stranieri",
		faith:     "musulmano|musulmana|musulmani|cristiano|cristiana|cattolico|cattolica|protestante|ebreo|ebrea|indù|induista|buddista|ateo|atea|agnostico|agnostica|religione|religioso|religiosa|chiesa|moschea|sinagoga|credente|testimone di geova",
		politics:  "socialista|comunista|conservatore|conservatrice|di sinistra|di destra|estrema destra|estrema sinistra|partito politico|militante|tesserato|voto per|ho votato|femminista",
		origin:    "etnia|etnico|etnica|zingaro|zingara|discendenza|razza|indigeno|indigena|meticcio|meticcia|rifugiato|rifugiata|immigrato|immigrata",
		illness:   "cancro|tumore|depressione|depresso|depressa|bipolare|schizofreni*|disturbo d'ansia|ansia|autis*|anoressi*|bulimi*|alcolista|alcolismo|tossicodipendente|dipendenza|demenza|alzheimer*|diabete|diabetico|diabetica|epiless*|epilett*|diagnosticato|diagnosticata|diagnosi|aborto|suicid*|psichiatra|antidepressiv*|epatite",
		love:      "gay|lesbica|bisessuale|omosessuale|eterosessuale|transessuale|transgender|non binario|non binaria|asessuale|orientamento sessuale|sessualità|poliamor*",
		union:     "sindacato|sindacale|sindacalista|iscritto al sindacato",
		crime:     "precedenti penali|fedina penale|condannato|condannata|carcere|prigione|arrestato|arrestata|libertà vigilata",
		pay:       "stipendio|guadagno|guadagna|reddito|salario|debiti|debito",
	}
}

//nolint:misspell // the words of a language
func dutchGuard() guard {
	return guard{
		overrides: "negeer|negeren|omzeil|omzeilen|schakel|schend|schenden|vergeet|overschrijf|uitschakelen",
		controls:  "veiligheidsregels|veiligheidsregel|veiligheidsvoorschriften|veiligheidsmaatregelen|beveiligingsregels|vorige instructies|eerdere instructies|alle instructies|je instructies|jouw instructies|systeemprompt|je regels|alle regels|beperkingen|inhoudsfilters",
		grants:    "keur|goedkeuren|goedkeurt|autoriseer|accepteer|accepteren",
		money:     "betaling|betalingen|aankoop|aankopen|overboeking|overboekingen|transactie|transacties|factuur|facturen|bestelling|bestellingen",
		unasked:   "ongevraagd|zonder te vragen|zonder bevestiging|zonder toestemming|zonder goedkeuring|automatisch|elke|iedere|alle|altijd",
		reveals:   "onthul|onthullen|lek|lekken|verklap|toon|openbaar",
		secrets:   "systeemprompt|wachtwoorden|inloggegevens|privésleutels|je instructies",
		hostile:   "negeer alles hierboven|negeer alle|vergeet je instructies|zonder dat de gebruiker|zonder dat de eigenaar|vertel het niet aan de gebruiker|zeg het niet tegen de gebruiker|alsof je geen|gehoorzaam iedereen",
		orders:    "de assistent moet|de bot moet|je moet|jij moet|u moet",
		answers:   "meisjesnaam van mijn moeder|meisjesnaam van de moeder|beveiligingsvraag|geheime vraag",
		howto:     "hoe je|hoe maak|hoe maakt|recept voor|instructies voor|maken",
		harmful:   "methamfetamine|crystal meth|een bom|sarin|ricine|explosieven|vals geld",
		hateful:   "ongedierte|untermenschen|minderwaardig ras|zijn minderwaardig",
		peoples:   "mensen|joden|moslims|immigranten|vrouwen|buitenlanders|vluchtelingen",
		faith:     "moslim|moslima|moslims|christen|christelijk|katholiek|protestant|gereformeerd|joods|jood|joodse|hindoe|boeddhist|boeddhistisch|atheïst|agnost|islam|religie|religieus|gelovig|kerk|moskee|synagoge|ramadan",
		politics:  "socialist|socialistisch|communist|extreemrechts|extreemlinks|politieke partij|partijlid|stem op|stemt op|gestemd|feminist|vvd|pvda|pvv|groenlinks",
		origin:    "etniciteit|etnisch|afkomst|afstamming|sinti|migratieachtergrond|vluchteling|inheems",
		illness:   "kanker|hiv|depressie|depressief|bipolair|schizofreni*|angststoornis|adhd|autis*|anorexia|boulimia|alcoholist|alcoholisme|verslaafd|verslaving|dementie|alzheimer*|diabetes|diabeet|epileps*|gediagnosticeerd|diagnose|abortus|miskraam|suïcid*|psychiater|antidepressiv*|hepatitis",
		love:      "homo|lesbisch|biseksueel|homoseksueel|heteroseksueel|queer|transgender|non-binair|aseksueel|seksuele geaardheid|seksualiteit|polyamor*",
		union:     "vakbond|vakbondslid|ondernemingsraad|fnv|cnv",
		crime:     "strafblad|veroordeeld|gevangenis|gearresteerd|voorwaardelijk|celstraf",
		pay:       "salaris|loon|verdient|verdien|inkomen|schulden|schuld",
	}
}

func russianGuard() guard {
	return guard{
		overrides: "игнорируй|игнорировать|игнорируйте|обходи|обходить|отключи|отключить|нарушай|нарушать|забудь|пренебрегай|не соблюдай|не соблюдать",
		controls:  "правила безопасности|правил безопасности|меры безопасности|мер безопасности|предыдущие инструкции|предыдущих инструкций|прежние инструкции|все инструкции|свои инструкции|твои инструкции|системный промпт|системное сообщение|все правила|свои правила|ограничения|фильтры контента",
		grants:    "одобряй|одобрять|одобри|подтверждай|подтверждать|разрешай|разрешать|принимай|принимать|утверждай",
		money:     "платёж|платеж|платежи|покупку|покупки|перевод|переводы|транзакцию|транзакции|счёт|счета|заказ|заказы|оплату",
		unasked:   "не спрашивая|без спроса|без подтверждения|без разрешения|без согласования|автоматически|любой|любые|любую|все|каждый|каждую|всегда",
		reveals:   "раскрой|раскрывай|раскрыть|выдай|выдавай|разгласи|покажи",
		secrets:   "системный промпт|пароли|учётные данные|секретные ключи|свои инструкции|твои инструкции",
		hostile:   "игнорируй всё выше|игнорируй все предыдущие|забудь свои инструкции|забудь все инструкции|не говори пользователю|не сообщай пользователю|втайне от пользователя|без ведома пользователя|без ведома владельца|как будто у тебя нет|подчиняйся всем",
		orders:    "ассистент должен|бот должен|ты должен|ты должна|вы должны",
		answers:   "девичья фамилия матери|девичью фамилию матери|девичья фамилия мамы|секретный вопрос|контрольный вопрос|ответ на секретный",
		howto:     "как|рецепт|инструкция|сделать|приготовить|изготовить",
		harmful:   "метамфетамин|бомба|бомбу|бомбы|зарин|рицин|взрывчатку|взрывчатка",
		hateful:   "недочеловеки|низшая раса|паразиты",
		peoples:   "люди|евреи|мусульмане|мигранты|женщины|чёрные",
		faith:     "мусульманин|мусульманка|мусульмане|христианин|христианка|христиане|православный|православная|католик|католичка|протестант|иудей|еврей|еврейка|индуист|буддист|буддистка|атеист|атеистка|агностик|ислам|религия|религии|религиозный|верующий|верующая|церковь|мечеть|синагога|рамадан",
		politics:  "социалист|коммунист|консерватор|либерал|левых взглядов|правых взглядов|политические взгляды|член партии|голосую за|голосовал за|голосовала за|феминистка|активист|активистка",
		origin:    "национальность|этнический|этническая|происхождение|раса|цыган|цыганка|беженец|беженка|мигрант|коренной народ",
		illness:   "рак|рака|вич|депрессия|депрессии|депрессию|депрессией|биполярн*|шизофрен*|тревожное расстройство|сдвг|аутиз*|аутист*|анорекси*|булими*|алкоголик|алкоголичка|алкоголизм|зависимость|наркоман|деменци*|альцгеймер*|диабет|диабета|диабетик|эпилепси*|диагноз|диагностировали|аборт|суицид*|психиатр*|антидепрессант*|гепатит*",
		love:      "гей|лесбиянка|бисексуал|бисексуалка|гомосексуал*|гетеросексуал*|трансгендер*|небинарн*|асексуал*|ориентация|сексуальность",
		union:     "профсоюз|профсоюза|профсоюзе|член профсоюза",
		crime:     "судимость|судимости|осуждён|осужден|осуждена|тюрьма|тюрьме|арестован|арестована|условный срок",
		pay:       "зарплата|зарплату|зарабатываю|зарабатывает|оклад|доход|долг|долги",
	}
}

func chineseGuard() guard {
	return guard{
		overrides: "忽略|无视|無視|绕过|繞過|禁用|关闭|關閉|忘记|忘記|违反|違反|不遵守",
		controls:  "安全规则|安全規則|安全规定|安全規定|安全限制|安全准则|安全準則|之前的指令|先前的指令|以前的指令|所有指令|你的指令|系统提示|系統提示|所有规则|所有規則|你的规则|限制|内容过滤|內容過濾|审批|審批",
		grants:    "批准|同意|授权|授權|通过|通過|确认|確認",
		money:     "付款|支付|转账|轉賬|轉帳|交易|采购|採購|订单|訂單|发票|發票|退款",
		unasked:   "不用问|不用問|不必询问|不必詢問|无需确认|無需確認|无需批准|不经允许|不經允許|自动|自動|所有|每一|每笔|每筆|一律|任何|总是|總是",
		reveals:   "泄露|洩露|透露|公开|公開|输出|輸出|泄漏|洩漏",
		secrets:   "系统提示|系統提示|密码|密碼|凭证|憑證|私钥|私鑰|你的指令",
		hostile:   "忽略之前的所有|忽略以上|忽略上述|忽略所有|忘记你的指令|忘記你的指令|不要告诉用户|不要告訴用戶|别告诉用户|瞒着用户|瞞著用戶|瞒着主人|好像没有限制|听从所有人",
		orders:    "助手必须|助手必須|助手应该|助手應該|你必须|你必須|你应该|你應該",
		answers:   "母亲的娘家姓|母親的娘家姓|妈妈的娘家姓|密保问题|密保問題|密保答案|安全问题的答案|安全問題的答案",
		howto:     "怎么|怎麼|如何|方法|教程|制作|製作",
		harmful:   "冰毒|炸弹|炸彈|沙林|蓖麻毒素|炸药|炸藥|假钞|假鈔",
		hateful:   "劣等民族|低等种族|低等種族|该死绝",
		peoples:   "人|人们|犹太人|穆斯林|移民|黑人|女人",
		faith:     "穆斯林|基督徒|基督教|天主教|新教徒|犹太|猶太|印度教|佛教|佛教徒|道教|无神论|無神論|伊斯兰|伊斯蘭|宗教|信仰|教会|教會|教堂|清真寺|斋月|齋月|信佛|信教",
		politics:  "党员|黨員|共产党|共產黨|国民党|國民黨|民进党|民進黨|左派|右派|自由派|保守派|社会主义|社會主義|政治|投票给|投票給|支持者|政党|政黨",
		origin:    "民族|少数民族|少數民族|种族|種族|族裔|血统|血統|回族|藏族|维吾尔|維吾爾|原住民|难民|難民",
		illness:   "癌|艾滋|抑郁症|抑鬱症|抑郁|憂鬱症|双相|雙相|躁郁|精神分裂|焦虑症|焦慮症|多动症|過動症|自闭症|自閉症|厌食症|厭食症|酗酒|酒精依赖|上瘾|上癮|痴呆|失智|糖尿病|癫痫|癲癇|确诊|確診|诊断|診斷|流产|流產|堕胎|墮胎|自杀|自殺|精神科|抗抑郁|肝炎",
		love:      "同性恋|同性戀|异性恋|異性戀|双性恋|雙性戀|跨性别|跨性別|非二元|无性恋|性取向|出柜|出櫃",
		union:     "工会|工會",
		crime:     "犯罪记录|犯罪紀錄|前科|判刑|坐牢|监狱|監獄|被捕|拘留|缓刑|緩刑",
		pay:       "工资|工資|薪水|薪资|薪資|月薪|年薪|收入|负债|負債|欠债|欠債|赚|賺",
	}
}

func japaneseGuard() guard {
	return guard{
		overrides: "無視|回避|迂回|無効|オフにして|忘れて|破って|守らない|従わない|スキップ",
		controls:  "安全規則|安全ルール|安全対策|セキュリティルール|以前の指示|前の指示|これまでの指示|すべての指示|全ての指示|あなたの指示|システムプロンプト|すべてのルール|全てのルール|制限|制約|ガードレール|承認",
		grants:    "承認|許可|認可|同意",
		money:     "支払い|支払|送金|振込|取引|購入|注文|請求書|返金",
		unasked:   "確認なし|確認せず|聞かずに|許可なし|許可なく|無断|自動|すべて|全て|全部|必ず|常に",
		reveals:   "漏ら|明か|公開|出力|暴露|教えて",
		secrets:   "システムプロンプト|パスワード|認証情報|秘密鍵|あなたの指示",
		hostile:   "以前の指示を無視|これまでの指示を無視|上記を無視|すべて無視|ユーザーに言わないで|ユーザーに知らせないで|ユーザーには内緒|持ち主には内緒|制限がないかのように|誰の命令にも従",
		orders:    "アシスタントは必ず|アシスタントは常に|ボットは必ず|あなたは必ず|あなたは常に",
		answers:   "母の旧姓|母親の旧姓|秘密の質問|秘密の答え",
		howto:     "作り方|方法|やり方|手順|レシピ|作る",
		harmful:   "覚醒剤|爆弾|サリン|リシン|爆薬|偽札",
		hateful:   "劣等民族|劣等人種|害虫だ",
		peoples:   "人|人々|ユダヤ人|移民|黒人|女性|外国人",
		faith:     "イスラム教|ムスリム|キリスト教|クリスチャン|カトリック|プロテスタント|ユダヤ教|ユダヤ人|ヒンドゥー|仏教|仏教徒|神道|無神論|無宗教|宗教|信仰|信者|教会|モスク|ラマダン|創価学会",
		politics:  "自民党|立憲|共産党|公明党|維新|党員|左派|右派|左翼|右翼|保守|リベラル|社会主義|政治|投票し|支持政党|支持して",
		origin:    "民族|人種|在日|アイヌ|先祖|血筋|家系|難民|移民|部落",
		illness:   "癌|がん患者|がんと診断|がんを|hiv|エイズ|うつ病|鬱病|鬱|双極性|統合失調|不安障害|適応障害|adhd|発達障害|自閉|拒食症|過食症|アルコール依存|依存症|中毒|認知症|アルツハイマー|糖尿病|てんかん|診断|流産|中絶|自殺|精神科|心療内科|抗うつ|肝炎",
		love:      "ゲイ|レズビアン|バイセクシュアル|バイセクシャル|同性愛|異性愛|トランスジェンダー|ノンバイナリー|性的指向|セクシュアリティ|lgbt",
		union:     "労働組合|組合員|労組",
		crime:     "前科|犯罪歴|有罪|刑務所|逮捕|執行猶予|服役",
		pay:       "給料|給与|年収|月収|収入|手取り|稼い|稼ぐ|借金",
	}
}

func koreanGuard() guard {
	return guard{
		overrides: "무시|우회|비활성화|꺼|잊어|어겨|어기|따르지",
		controls:  "안전 규칙|보안 규칙|안전 수칙|이전 지시|이전의 지시|모든 지시|너의 지시|시스템 프롬프트|모든 규칙|너의 규칙|제한|가드레일|승인 절차",
		grants:    "승인|허가|허락|인가|동의",
		money:     "결제|지불|송금|이체|거래|구매|주문|송장|환불",
		unasked:   "묻지 말고|묻지 않고|확인 없이|허락 없이|승인 없이|자동|모든|모두|항상|전부|무조건",
		reveals:   "공개|유출|누설|폭로|출력",
		secrets:   "시스템 프롬프트|비밀번호|자격 증명|개인 키|너의 지시",
		hostile:   "이전 지시를 무시|이전의 지시를 무시|위의 내용을 무시|모두 무시|사용자에게 말하지|사용자에게 알리지|사용자 몰래|주인 몰래|제한이 없는 것처럼|누구의 명령이든",
		orders:    "어시스턴트는 반드시|봇은 반드시|너는 반드시|당신은 반드시",
		answers:   "어머니의 결혼 전 성|어머니 결혼 전 성|보안 질문|비밀 질문|보안 답변",
		howto:     "만드는 법|만드는 방법|방법|제조법|레시피|만들",
		harmful:   "필로폰|폭탄|사린|리신|폭약|위조지폐",
		hateful:   "열등한 민족|열등한 인종|해충이",
		peoples:   "사람|사람들|유대인|무슬림|이민자|흑인|여자",
		faith:     "이슬람|무슬림|기독교|기독교인|크리스천|천주교|가톨릭|개신교|유대교|유대인|힌두교|불교|불교 신자|무신론|무교|종교|신앙|교회|성당|모스크|라마단",
		politics:  "당원|국민의힘|민주당|진보|보수|좌파|우파|사회주의|정치|투표했|지지자|정당",
		origin:    "민족|인종|혈통|조선족|탈북|난민|이주민|혼혈",
		illness:   "암 진단|암 환자|암에 걸|유방암|폐암|위암|대장암|에이즈|우울증|조울증|양극성|조현병|불안장애|공황장애|주의력결핍|자폐|거식증|폭식증|알코올 중독|중독|치매|알츠하이머|당뇨|뇌전증|간질|진단|유산|낙태|자살|정신과|항우울제|간염",
		love:      "게이|레즈비언|양성애|동성애|이성애|트랜스젠더|논바이너리|성적 지향|성소수자",
		union:     "노조|노동조합|조합원",
		crime:     "전과자|전과 기록|범죄 기록|유죄|교도소|감옥|체포|집행유예|징역",
		pay:       "월급|연봉|급여|수입|소득|빚|벌어|번다",
	}
}
