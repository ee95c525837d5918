package policy

func germanHush() hush {
	const (
		not  = "nicht|nie|niemals|nicht mehr|nie mehr|nie wieder|bitte nicht|bitte nicht mehr|bloß nicht|ja nicht|nicht ständig|nicht immer|nicht dauernd|nicht schon wieder|nicht wieder|nichts|nichts mehr|kein wort|kein wort mehr"
		of   = "über|von|vom|übers|zum|zur|zu|an|ans"
		talk = "reden|sprechen|hören|diskutieren|wissen|nachdenken|denken|quatschen|plaudern|erzählen|hören müssen"
	)
	return hush{
		topics: "sprich|sprecht|sprechen sie|rede|red|redet|reden sie|erzähl|erzähle|erzählt|frag|frage|fang|fangt|quatsch|sprechen wir|reden wir + ?mir|mich|mit mir|bitte|doch|jetzt + " + not + " + ?mehr|wieder|ständig|dauernd|mit mir|immer + über|von|vom|nach|übers|mit|davon|wieder von|wieder mit|wieder über|an von + …;" +
			"erwähn|erwähne|erwähnt|erwähnen sie|nenn|nenne|benutz|benutze|verwende|sag|sage + ?bitte + …  + nicht|nie|niemals|nicht mehr|nie mehr|nie wieder|bitte nicht|bitte nicht mehr|bitte nie wieder $;" +
			"hör auf|hört auf|hören sie auf|höre auf|aufhören|aufhörst|aufzuhören|schluss mit|schluss|genug + ?bitte|jetzt|endlich|damit|ständig|immer|dauernd|mal + ?ständig|immer|dauernd|mir + über|von|vom|übers + … + zu reden|zu sprechen|zu erzählen|zu quatschen|zu labern|zu diskutieren|anzufangen;" +
			"hör auf|hört auf|hören sie auf|aufhören|aufhörst|vermeide|vermeid|vermeide es + ?bitte|jetzt|endlich|damit|ständig|immer|dauernd|mal + … + zu erwähnen|zu sagen|zu nennen|zu thematisieren|anzusprechen;" +
			"hör auf|hört auf|hören sie auf|schluss|genug|lass|aufhören|fang nicht wieder an|fang nicht schon wieder an|verschone mich|verschon mich|lass mich in ruhe|bleib mir weg + ?bitte|jetzt|endlich|mal + mit|von|vom + ?dem|den|der|deinem|deinen + ?thema|gerede über|gerede von|geschichten über|witzen über|gelaber über|ewigen + … + ?zu reden|zu sprechen|zu erzählen|anzufangen;" +
			"kein wort|kein wort mehr|kein einziges wort|kein einziges wort mehr|nie wieder ein wort|nichts mehr + ?bitte + über|von|vom|zu|zum|zur + …;" +
			"ich will|ich möchte|ich mag|ich mochte|ich würde gern|ich habe keine lust|ich hab keine lust|keine lust|ich kann|ich wünsche|ich werde + ?jetzt|heute|wirklich|echt|lieber|gerade|am liebsten + " + not + "|mehr|lieber nicht|gerade nicht|jetzt nicht + ?mehr|jetzt|heute|mit dir|wieder|ständig|immer|nochmal|weiter + " + of + "|nach + … + " + talk + "|zu reden|zu sprechen;" +
			"^will|möchte|mag + " + not + " + ?mehr|jetzt|heute|mit dir + " + of + " + … + " + talk + ";" +
			"ich will|ich möchte|ich mag + ?jetzt|heute|mit dir + " + of + " + … + nicht|nicht mehr|nichts|nichts mehr|nie wieder|jetzt nicht|heute nicht|lieber nicht + ?mehr|weiter|wieder + " + talk + ";" +
			"über|von|vom + … + will ich|möchte ich|mag ich|wollen wir + ?jetzt|heute|mit dir + " + not + " + ?mehr|weiter|wieder + " + talk + ";" +
			"ich will nicht|ich möchte nicht|ich will nicht mehr|ich möchte nicht mehr + ?,|mehr + dass du|dass man|dass wir + ?mir|mit mir|ständig|immer + ?" + of + " + … + sprichst|redest|erwähnst|erzählst|ansprichst|spricht|redet|erwähnt|reden|sprechen;" +
			"ich habe dir gesagt|ich hab dir gesagt|ich habe gesagt|ich hab gesagt|ich bitte dich|ich hab dich gebeten|ich habe dich gebeten + ?du sollst|dass du|darum + " + not + " + ?mehr + " + of + " + … + reden|sprechen|zu reden|zu sprechen|anzufangen;" +
			"du sollst|du sollst doch|du darfst|du brauchst|ihr sollt|sie sollen|kannst du|könntest du|können wir|könnten wir|lass uns|lasst uns|wollen wir|bitte|wir wollen|wir sollten|würdest du + ?bitte|doch|mal|ab jetzt|jetzt|einfach + " + not + " + ?mehr|ständig|wieder|dauernd|immer|mit mir + " + of + "|mit + … + reden|sprechen|erzählen|anfangen|diskutieren|quatschen;" +
			"du sollst|du darfst|kannst du|könntest du|bitte|würdest du + ?bitte|doch|mal|ab jetzt + … + nicht|nicht mehr|nie wieder|nie mehr + ?mehr + erwähnen|ansprechen|thematisieren|sagen;" +
			"^nicht mehr|nie wieder|nie mehr|bitte nicht|bitte nicht mehr|bitte nie wieder|nicht + " + of + "|mit + … + reden|sprechen|anfangen|erzählen|diskutieren;" +
			"… + ist tabu|ist ein tabu|ist ein tabuthema|ist tabuthema|ist kein thema|ist kein thema mehr|ist ein verbotenes thema|ist ein rotes tuch|steht nicht zur debatte|steht nicht zur diskussion|ist off limits|sind tabu|sind ein tabuthema|sind kein thema|ist ab jetzt tabu|ist ab sofort tabu|ist absolut tabu|ist für mich tabu|ist nicht verhandelbar|ist vom tisch;" +
			"lass|lassen wir|lasst|vergiss|vergessen wir|meide|meid|vermeide|streich|beende|beenden wir|lass uns + ?bitte|doch|mal|endlich + das thema|dieses thema|das leidige thema + ?über|mit + … + ?fallen|ruhen|sein|bleiben|lassen $",
		names: "nenn|nenne|nennt|nennen sie|ruf|bezeichne|betitel|betitle + mich + ?bitte|bloß|ja|doch|jetzt + nicht|nie|niemals|nicht mehr|nie wieder|nie mehr|nicht immer|nicht ständig|nicht dauernd|bitte nicht + ?mehr|wieder|immer|ständig|als + …;" +
			"hör auf|hört auf|hören sie auf|aufhören|aufhörst + ?bitte|endlich|damit|jetzt + mich + ?immer|ständig|dauernd + … + zu nennen;" +
			"du sollst|kannst du|könntest du|ich will nicht dass du|ich möchte nicht dass du|ich mag es nicht wenn du|ich hasse es wenn du|bitte + mich + ?bitte|immer|ständig + ?nicht|nicht mehr|nie wieder|nicht immer + … + nennen|nennst;" +
			"ich will|ich möchte|ich mag es + nicht|nicht mehr|nie wieder + ?mehr|länger + … + genannt werden|genannt zu werden",
		leads: "bitte|und|aber|ok|okay|also|hey|he|hör mal|hör zu|mensch|mann|ach|oh|jetzt|ab jetzt|ab sofort|von jetzt an|von nun an|künftig|in zukunft|heute|doch|echt|ehrlich|ernsthaft|im ernst|ich bitte dich|ich sagte|ich habe gesagt|ich hab gesagt|ich hab dir gesagt|ich habe dir gesagt|kannst du|könntest du|könntest du bitte|würdest du|du sollst|du|sie|regel|notiz|" +
			"merk dir|denk dran|dann|auch|nur|hallo|danke|nein|ja|gut|schluss|um himmels willen|zum letzten mal|noch etwas|noch was|eins noch|weil|denn|da|sei so gut und|tu mir den gefallen und|einfach|lieber|am besten|darum|deshalb|mal|ich meine es ernst|eine bitte|ich wünsche mir",
		tells:    "hat gesagt|sagt|sagte|meinte|meint|hat mich gebeten|bat mich|hat mir gesagt|ich habe ihm gesagt|ich habe ihr gesagt|ich hab ihm gesagt|ich hab ihr gesagt|sag ihm|sag ihr|damit du|schrieb|hat geschrieben|sagten|will dass ich|hat er|hat sie",
		asks:     "kannst du|könntest du|können wir|könnten wir|würdest du|würden sie|können sie|könnten sie|bitte|ok|okay|ja|gut|verstanden|in ordnung|klar|einverstanden|magst du",
		composes: "schreib|schreibe|verfasse|entwirf|übersetze|übersetz|fasse|formuliere|korrigiere",
		heads:    "über|von|vom|das thema|thema|das wort|den namen|etwas über|alles über|alles mit|irgendwas mit|irgendwas über|bitte|mehr|wieder|ständig|immer|mir|mir gegenüber|mit mir",
		tails:    "bitte|nie|niemals|nie wieder|nicht|nicht mehr|mehr|wieder|nochmal|noch mal|heute|jetzt|danke|ok|okay|mit mir|vor mir|hier|fürs erste|erstmal|für heute|morgen|heute abend|ein für alle mal|ständig|dauernd|immer|die ganze zeit|ja|gut|verstanden|überhaupt|ab jetzt|ab sofort|in zukunft|künftig|zu mir|in diesem chat|endlich|auf|sofort|schon wieder|bitte nicht",
		cuts:     "weil|denn|bis|wenn|während|falls|aber|bitte|da|sonst|obwohl|außer|sondern",
		ands:     "und|oder|noch|sowie", noTopics: "mich|ich|du|dass|nichts|nein|ja|hallo|was|wie|ob|wer|mir|dir|ihm|niemandem",
		noNames: "vor|nach|am|an|um|im|in|wenn|bis|bevor|morgen|heute|spät|früh|jetzt|während|so|noch|nachts|abends|dauernd|mehr|wieder|mal|weil|für|und|oder|bei|gegen|auf",
		owners:  "der|die|das|den|dem|des|ein|eine|einen|einem|einer|mein|meine|meinen|meinem|meiner|meines|dein|deine|deinen|deinem|deiner|deines|sein|seine|seinen|seiner|ihr|ihre|ihren|ihrem|ihrer|unser|unsere|unseren|unserem|unserer|euer|eure|diese|dieser|diesen|diesem|dieses|jene|jener|jenes",
		vague:   "es|das|dies|dieses|jenes|diese|dieser|den|dem|ihn|ihm|sie|ihr|er|ihnen|mich|mir|dich|dir|nichts|etwas|alles|was|so|davon|darüber|daran|damit|dazu|sowas|sache|sachen|zeug|mehr|wieder|nie|nicht|bitte|niemand|niemanden|jetzt|heute|auf|an",
		generic: "sache|sachen|thema|themen|ding|dinge|zeug|geschichte|wort|kram",
	}
}

func dutchHush() hush {
	const (
		not = "niet|nooit|niet meer|nooit meer|niet steeds|niet altijd|niet weer|niets|niets meer|niks|niks meer|geen woord|geen woord meer"
		end = "praten|hebben|horen|spreken|discussiëren|nadenken|weten|denken|beginnen|zeuren"
	)
	return hush{
		topics: "praat|praten we|spreek|begin|zeg|vertel|zwam|zeur|heb het|hebben we het|vraag|klets + ?alsjeblieft|me|mij|tegen me|met me|er|nou + " + not + " + ?meer|weer|steeds|met mij|met me|alsjeblieft|opnieuw|iets|altijd|de hele tijd + over|van|naar + …;" +
			"noem|vermeld|benoem|gebruik|zeg|noem het woord + ?alsjeblieft + … + niet|nooit|niet meer|nooit meer|alsjeblieft niet|alsjeblieft niet meer $;" +
			"stop|hou op|houd op|hou eens op|kap|ophouden|stoppen|kappen|schei uit|hou nou op|hou toch op + ?nou|eens|toch|alsjeblieft|er|ermee + met|om + ?steeds|altijd|constant|het|over|te + ?praten|zeuren|beginnen|zaniken|kletsen|vertellen|zwammen|vragen|hebben|gezeur|verhalen|grappen + over|van|naar + … + ?te praten|te hebben|te beginnen|te zeuren;" +
			"stop|hou op|houd op|hou eens op|ophouden|stoppen|schei uit|hou nou op + ?nou|eens|alsjeblieft + met + ?steeds|altijd|het + noemen|vermelden|noemen van|zeggen|aanhalen + ?van + …;" +
			"stop|hou op|houd op|hou eens op|ophouden|stoppen + ?nou|eens|alsjeblieft + met|om + ?steeds|altijd|over + … + te noemen|te praten|te beginnen|te vermelden|aan te halen|te zeuren;" +
			"hou op|houd op|ophouden|stoppen|genoeg|stop|zwijg|hou je mond|schei uit|hou eens op|klaar|kap|hou nou op + ?nou|eens|nu|alsjeblieft|toch|gepraat|gehoord + over + …;" +
			"ik wil|ik wou|ik heb geen zin om|ik heb geen zin|ik ga|ik hoef|ik ben het zat om|ik haat het om|ik praat liever|liever + ?het|nu|vandaag|met je|echt|er|liever|daar + " + not + " + ?meer|nu|met je|verder|langer|het|vandaag|weer + over|van|aan|naar + … + " + end + "|te praten|te hebben;" +
			"ik wil|ik wou|wil|ik heb geen zin om|ik heb geen zin meer om|ik ben het zat om|ik hoef|ik praat liever|ik weiger|ik heb geen behoefte om|ik haat het om|ik hou er niet van om|ik vind het niet leuk om + ?het|" + not + " + ?meer|nu|met je|verder|langer|het|te + praten|praat|hebben|horen|spreken|discussiëren|nadenken|weten|denken|te praten|te hebben|te horen|het hebben + ?meer|nu + over|van|aan|naar + …;" +
			"ik praat liever|ik heb het liever|ik spreek liever + niet|niet meer + over + …;" +
			"^wil|liever + het niet|niet|niet meer|het niet meer + ?meer|praten + over + … + ?" + end + ";" +
			"ik wil niet dat|ik heb liever niet dat|ik heb je gezegd|ik heb je gevraagd|ik heb gezegd|ik zei|ik vraag je + ?je|om|dat je + ?het|niet|niet meer|nooit meer + ?meer + over + … + praat|begint|hebt|te praten|te beginnen|te hebben|zeurt;" +
			"je moet|je mag|kun je|kan je|zou je|kunnen we|zullen we|laten we|wil je|probeer|we moeten|laat ons + ?alsjeblieft|het|eens|nou|vanaf nu|gewoon|misschien + ?het + " + not + " + ?meer|steeds|weer|alsjeblieft|het|vandaag|nu + over|van + … + " + end + "|te praten|te hebben|te beginnen;" +
			"kun je|kan je|zou je|kunnen we|zullen we|laten we|wil je|je moet|je mag + ?alsjeblieft|het + niet|niet meer|nooit meer|het niet|het niet meer + ?alsjeblieft|meer|steeds + praten|hebben|beginnen|spreken + over + …;" +
			"kun je|kan je|zou je|wil je|je moet|je mag + ?alsjeblieft + … + niet|niet meer|nooit meer + ?meer|alsjeblieft + noemen|vermelden|benoemen|aanhalen;" +
			"^niet|niet meer|nooit meer|alsjeblieft niet|alsjeblieft niet meer + ?praten|beginnen|het hebben + over + … + ?praten|beginnen|hebben;" +
			"geen woord|geen woord meer|geen enkel woord|niets meer + ?meer|alsjeblieft + over + …;" +
			"… + is taboe|is een taboe|is verboden terrein|is een verboden onderwerp|is geen onderwerp|is onbespreekbaar|is een taboeonderwerp|staat niet ter discussie|is een gevoelig onderwerp|is verboden gebied|zijn taboe|is vanaf nu taboe|is van tafel|is een gesloten onderwerp;" +
			"laat|laten we|vergeet|vermijd|mijd|hou op met|sluit|stop met + ?alsjeblieft|nou|maar + het onderwerp|dat onderwerp|de discussie over|het thema + … + ?rusten|vallen|zitten|liggen|los $;" +
			"vermijd|mijd + ?alsjeblieft + het onderwerp|gesprekken over|praten over|verhalen over + …",
		names: "noem|noemt u|spreek|betitel + me|mij + ?alsjeblieft|nou|toch|aub + niet|nooit|niet meer|nooit meer|geen|niet steeds|niet altijd|alsjeblieft niet|aan met|nooit meer + ?meer|weer|steeds|altijd|zo + …;" +
			"stop|hou op|houd op|stoppen|ophouden|hou eens op + ?alsjeblieft|nou|eens + met + ?me|mij + ?steeds|altijd + ?… + noemen;" +
			"stop|hou op|houd op|stoppen|ophouden|hou eens op + ?alsjeblieft|nou|eens + met|om + me|mij + ?steeds|altijd + … + te noemen|noemen;" +
			"ik wil niet dat je|ik vind het niet leuk als je|ik haat het als je|ik heb liever niet dat je|kun je|zou je|je moet|ik heb gezegd dat je|wil je + me|mij + ?steeds|niet|niet meer|nooit meer|nog|alsjeblieft niet + … + noemt|noemen;" +
			"ik wil|ik word liever|ik hou er niet van om + niet|niet meer|geen + ?meer + … + genoemd worden|genoemd te worden|genoemd",
		leads: "alsjeblieft|alstublieft|aub|en|maar|ok|oké|okay|dus|hé|hey|hoi|luister|kijk|nou|ach|oh|toe|serieus|echt|eerlijk|nu|vanaf nu|van nu af aan|voortaan|vandaag|ik zei|ik heb gezegd|ik heb je gezegd|ik vraag je|kun je|kan je|zou je|zou je willen|wil je|je moet|je|jij|u|regel|notitie|onthoud|dan|ook|alleen|hallo|dank je|nee|ja|goed|genoeg|" +
			"voor de laatste keer|nog iets|nog één ding|omdat|want|wees zo goed en|doe me een lol en|gewoon|liever|het liefst|daarom|eens|in hemelsnaam|ik meen het|misschien|please|jongen|man|schat",
		tells:    "zei|zegt|zeiden|heeft gezegd|vroeg me|vroeg mij|heeft gevraagd|heeft me gevraagd|ik heb hem gezegd|ik heb haar gezegd|ik zei tegen hem|ik zei tegen haar|zeg hem|zeg haar|schreef|wil dat ik|vindt dat",
		asks:     "kun je|kan je|zou je|zou je willen|wil je|kunnen we|zullen we|alsjeblieft|alstublieft|aub|ok|oké|goed|begrepen|akkoord|vind je het erg|ja",
		composes: "schrijf|stel|vertaal|vat|herschrijf|corrigeer|verbeter",
		heads:    "over|van|het onderwerp|onderwerp|het woord|de naam|iets over|alles over|alles van|meer|weer|steeds|alsjeblieft|om|met",
		tails:    "alsjeblieft|alstublieft|aub|nooit|nooit meer|niet|niet meer|meer|weer|opnieuw|nog een keer|vandaag|nu|dank je|bedankt|ok|oké|met mij|met me|tegen mij|tegen me|hier|voorlopig|voor vandaag|morgen|vanavond|voor eens en altijd|steeds|altijd|de hele tijd|ja|goed|begrepen|vanaf nu|voortaan|in deze chat|ophouden|te praten|praten|nou|eens|alsjeblieft niet|op|please",
		cuts:     "omdat|want|tot|totdat|wanneer|als|terwijl|maar|alsjeblieft|aangezien|anders|hoewel|behalve|zodat",
		ands:     "en|of|noch|evenals", noTopics: "me|mij|ik|je|jij|dat ik|dat je|niets|nee|ja|hallo|wat|hoe|of|wie|iets|niks",
		noNames: "voor|na|om|op|in|als|tot|voordat|morgen|vandaag|laat|vroeg|nu|tijdens|zo|nog|nachts|avonds|s|meer|weer|omdat|want|en|of|bij|tegen|wanneer|overdag|vanavond",
		owners:  "de|het|een|mijn|m'n|jouw|je|jullie|uw|zijn|haar|hun|ons|onze|dit|dat|deze|die|t",
		vague:   "het|dat|dit|deze|die|hem|haar|hij|zij|ze|hen|hun|me|mij|je|jou|niets|niks|iets|alles|wat|zo|er|daar|daarover|erover|hierover|zoiets|ding|dingen|zaak|meer|weer|nooit|niet|iemand|niemand|nu|vandaag",
		generic: "ding|dingen|zaak|zaken|onderwerp|onderwerpen|gedoe|verhaal|woord",
	}
}

func russianHush() hush {
	const (
		of   = "о|об|обо|про|насчёт|на тему"
		tell = "говори|говорите|рассказывай|рассказывайте|напоминай|напоминайте|вспоминай|вспоминайте|упоминай|упоминайте|заговаривай|заговаривайте|заикайся|заикайтесь|спрашивай|спрашивайте|болтай|болтайте|трынди|разговаривай|думай вслух|шути|шутите|начинай|начинайте|говорить|вспоминать|напоминать|упоминать|обсуждать|спрашивать|рассказывать"
		name = "упоминай|упоминайте|вспоминай|вспоминайте|обсуждай|обсуждайте|произноси|произносите|поминай|поминайте|упоминать|произносить|затрагивай|затрагивайте|называй при мне|поднимай|поднимайте|трогай|трогайте"
		quit = "хватит|прекрати|прекратите|перестань|перестаньте|довольно|достаточно|кончай|кончайте|завязывай|завязывайте|харе|хорош|прекращай|прекратить|перестать|перестал|перестала|переставай"
	)
	return hush{
		topics: "не|никогда не|больше не|больше никогда не|не смей|не смей больше|не надо|не надо больше|больше не надо|не нужно|не стоит|не вздумай|можешь не|можно не|давай не + ?больше|мне|со мной|при мне|никогда|опять|снова|постоянно|всё время|больше со мной|мне больше|больше мне + " + tell + " + ?больше|мне|со мной|при мне|никогда|опять|снова|мне больше|больше мне|ничего|постоянно|разговор|разговоры + " + of + " + …;" +
			"не|никогда не|больше не|больше никогда не|не смей|не надо|не надо больше|не вздумай + ?больше|мне|при мне|никогда|опять|снова + " + name + " + ?больше|мне|при мне|никогда|опять|снова|тему|слово|слова|имя|вопрос + …;" +
			"не|больше не|никогда не + ?больше + говори|говорите|произноси + ?больше|мне|при мне + слово|слова|фразу + …;" +
			quit + " + ?уже|мне|постоянно|всё время|пожалуйста|ныть|всё|со мной|тебе|вам + ?постоянно|всё время + говорить|рассказывать|болтать|вспоминать|напоминать|трындеть|трепаться|ныть|спрашивать|разговоров|историй|разговаривать|шутить|шуток|твердить|разглагольствовать + ?мне|со мной|постоянно|всё время|уже + " + of + " + …;" +
			quit + " + ?уже|пожалуйста + " + of + " + …;" +
			quit + " + ?уже|мне|постоянно|всё время|пожалуйста + упоминать|вспоминать|произносить|обсуждать|поднимать|поминать|мусолить + ?тему|слово|имя|вопрос + …;" +
			"я не хочу|не хочу|больше не хочу|я больше не хочу|не желаю|я не желаю|мне не хочется|не хочется|я не готов|я не готова|я не намерен|не готов|не готова|я устал|я устала|я не люблю|не люблю|мне надоело|надоело|я не собираюсь|я не буду|не могу больше|я не могу больше|мне неприятно|ненавижу|терпеть не могу + ?больше|ничего|сейчас|с тобой|даже|сегодня|чтобы ты|никогда|и + говорить|разговаривать|слышать|слушать|обсуждать|думать|знать|вспоминать|говорил|говорила|упоминал|упоминала|слышать от тебя + ?больше|ничего|с тобой|сейчас|ни слова|тему|сегодня|мне|от тебя|больше ничего + ?" + of + " + …;" +
			of + "|на тему + … + больше не надо|больше не|ни слова|ни слова больше|не надо|не говори|не говорите|больше не говори|не упоминай|не будем|больше не будем|не вспоминай|больше ни слова|лучше не|я не хочу говорить|не хочу говорить|не хочу слышать|не напоминай|не спрашивай|больше не спрашивай|больше не напоминай|давай не будем|говорить не хочу|говорить не будем|и слышать не хочу|слышать не хочу|пожалуйста не надо;" +
			"ни слова|ни слова больше|больше ни слова|ни единого слова|ни звука|больше ничего + " + of + " + …;" +
			"давай не будем|давайте не будем|не будем|давай больше не будем|может не будем|можем не|можно не|можно мы не будем|лучше не|лучше не будем|давай без + ?больше|сегодня|сейчас|разговоров + ?говорить|обсуждать|вспоминать|упоминать|разговаривать|поднимать|трогать + ?больше|сегодня|сейчас|тему + ?" + of + " + …;" +
			"тема|темы|тему + … + закрыта|запрещена|под запретом|табу|для меня закрыта|закрываем|закроем|не трогай|не поднимай|не трогаем|не обсуждаем|не обсуждается|закрыли;" +
			"… + запретная тема|закрытая тема|под запретом|табу|больная тема|это табу|это запретная тема|это больная тема|это закрытая тема|для меня табу|тема закрытая|не обсуждается|не обсуждаем;" +
			"забудь|забудем|оставь|оставим|закрой|закроем|закрыли|сменим|избегай|избегайте|не трогай|обходи|закрываем|брось + ?уже|в покое|больше + тему|темы|разговоры|разговоров|упоминаний|упоминания|про|разговор + ?" + of + " + …",
		names: "не|больше не|никогда не|не смей|никогда больше не|перестань|перестаньте|хватит|прекрати|не надо|не надо больше|прекратите + ?больше|меня|никогда|меня больше + называй|называйте|называть|зови|зовите|звать|обзывай|обзывать|кличь + ?больше|меня|никогда|меня больше|больше меня|ты меня + ?больше|никогда|по|уже|этим + …;" +
			"я не|не|больше не + хочу|люблю|желаю|нравится + ?, + чтобы ты|чтобы меня|когда ты|когда меня|чтобы вы + ?меня|больше|больше меня + называл|называла|называли|звал|звала|звали|называешь|называют|зовёшь|зовут|зовете + ?меня|больше + …;" +
			"мне не нравится + ?, + когда меня|когда ты меня|что меня|что ты меня + называют|называешь|зовут|зовёшь + …",
		leads: "пожалуйста|плиз|плз|пж|ну|а|и|но|эй|слушай|послушай|послушайте|прошу|прошу тебя|очень прошу|я прошу тебя|я прошу|я тебя прошу|только|всё|все|так|давай|ты|вы|больше|никогда|больше никогда|я просил тебя|я просила тебя|я тебя просил|я тебя просила|я же просил|я же просила|можешь|можете|можно|ты можешь|не мог бы ты|отныне|впредь|с этого момента|с этого дня|теперь|сегодня|сейчас|лучше|уже|хорошо|ладно|ок|окей|да|нет|блин|ради бога|умоляю|правило|запомни|помни|просто|же|тогда|поэтому|потому что|" +
			"я сказал|я сказала|я же сказал|я же сказала|я тебе говорил|я тебе говорила|я уже говорил|я уже говорила|вообще|ещё|еще|ещё раз|последний раз|в последний раз|привет|спасибо|хватит|честно|серьёзно|правда|если можно|будь добр|будь добра|пожалуй|при мне|мне|со мной|ой|ох|боже|господи|слышь|дружище|брат|я|очень|алиса|договорились",
		tells:    "сказал|сказала|сказали|попросил|попросила|попросили|говорит|говорят|просит|просят|велел|велела|написал|написала|скажи ему|скажи ей|я сказал ему|я сказала ей|чтобы я|посоветовал|посоветовала|запретил|запретила|мне сказали",
		asks:     "можешь|можете|можно|ты можешь|мог бы|могла бы|не мог бы ты|не могла бы ты|пожалуйста|ладно|хорошо|ок|окей|давай|договорились|ясно|понятно",
		composes: "напиши|напишите|составь|переведи|переведите|перескажи|сочини|отредактируй|исправь",
		heads:    "о|об|обо|про|тему|слово|слова|имя|больше|всё про|все про|ничего про|ничего о|насчёт|на тему|всю эту|мне|при мне|опять|снова|постоянно",
		tails:    "пожалуйста|плиз|плз|пж|больше|никогда|больше никогда|никогда больше|опять|снова|ещё раз|еще раз|сегодня|сейчас|уже|со мной|при мне|мне|спасибо|ладно|хорошо|ок|окей|завтра|вечером|здесь|тут|пока|раз и навсегда|всё время|все время|постоянно|каждый раз|никому|ни с кем|вообще|совсем|ясно|понятно|договорились|прошу|прошу тебя|впредь|отныне|ради бога|умоляю|в этом чате|а|да|слышишь",
		cuts:     "потому|пока|когда|если|но|пожалуйста|поскольку|так как|хотя|кроме|иначе|ведь|а то|мне",
		ands:     "и|или|ни|либо", noTopics: "что|чтобы|как|ничего|нет|да|привет|где|кто|так|глупости|ерунду|мне|тебе|никому|если",
		noNames: "на|в|до|после|к|с|когда|если|завтра|сегодня|из|за|утром|ночью|вечером|днём|днем|сейчас|поздно|рано|пока|больше|так|и|или|потому|никогда|гулять|туда|сюда|домой|у|от|для|во",
		owners:  "мой|моя|моё|мое|мои|моего|моей|моих|моему|моём|моем|моими|мою|твой|твоя|твоё|твое|твои|твоего|твоей|твоих|твоему|твоём|твоем|твою|твоими|наш|наша|наше|наши|нашего|нашей|наших|нашу|нашем|ваш|ваша|ваше|ваши|вашего|вашей|ваших|вашу|вашем|свой|своя|своё|свое|свои|своего|своей|своих|свою|своём|своем|его|её|ее|их|этот|эта|это|эти|эту|этого|этой|этом|этих|тот|та|те|ту|той|том|тех|того",
		vague:   "это|этом|этого|эту|этот|эта|эти|этой|то|том|того|тот|та|те|он|она|оно|они|нём|нем|него|ней|неё|нее|них|ему|ей|им|его|её|ее|их|меня|мне|тебя|тебе|ничего|ничем|что|что-то|чём|чем|всё|все|всём|всем|так|такое|таком|больше|никогда|вещи|вещь|никому|никого|себе|нас|вас|сейчас|сегодня|опять|снова|тут|там|о|об|про|мной|собой",
		generic: "вещь|вещи|вещах|тема|тему|темы|теме|дело|дела|деле|штука|история|слово|вопрос",
	}
}
