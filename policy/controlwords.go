package policy

// controlLanguages is the table of words by which the owner stops, resumes and clears their
// memory.
func controlLanguages() []controlWords {
	return []controlWords{
		controlEnglish(), controlSpanish(), controlGerman(), controlFrench(), controlPortuguese(), controlItalian(), controlDutch(),
		controlRussian(), controlChinese(), controlJapanese(), controlKorean(),
	}
}

func controlEnglish() controlWords {
	return controlWords{
		stop:    "stop|don't|do not|dont|quit|pause|disable|turn off|switch off|cease|never|no longer",
		resume:  "resume|start|restart|continue|enable|turn on|switch on|turn back on|switch back on|again|unpause|reactivate",
		clear:   "clear|delete|erase|wipe|wipe out|remove|reset|empty|purge",
		forget:  "forget",
		save:    "save|saving|remember|remembering|store|storing|keep|keeping|learn|learning|memorize|memorizing|memorise|memorising|record|recording|collect|collecting|note|noting|write down|writing down|taking notes|take notes",
		memory:  "memory|memories|about me|your memory|my memory|you know about me|you remember about me|what you know|what you remember|what you learned|what you saved|you know|you remember|you learned|you saved|you have saved|you stored|remembering me",
		objects: "everything|anything|things|stuff|facts|notes|info|information|what i say|what i tell you|what i write|me|it all|all of it|all of that|all|data|details|from my messages|new",
		fillers: "please|now|ok|okay|thanks|thank you|hey|hi|otto|the|a|any|my|your|that|this|of|to|from|in|for|for me|more|anymore|any more|from now on|right now|for now|and|whole|entire|you've|you have|ve|you|have|it|completely|just|back|on|off|i want you to|i'd like you to|i would like you to|with|out|what|ever",
		polite:  "can you|could you|would you|will you|please",
		splits:  "turn back on|switch back on|turn off|switch off|turn on|switch on",
	}
}

func controlSpanish() controlWords {
	return controlWords{
		stop:    "deja de|dejar de|para de|no|nunca|desactiva|pausa|detén|apaga|ya no",
		resume:  "reanuda|vuelve a|sigue|continúa|activa|reactiva|enciende|empieza a|otra vez|de nuevo",
		clear:   "borra|elimina|limpia|vacía|reinicia",
		forget:  "olvida|olvídate de|olvídalo",
		save:    "guardar|guardes|guarda|guardando|recordar|recuerdes|recordando|memorizar|memorices|aprender|aprendas|anotar|anotes|anotando|almacenar|almacenes",
		memory:  "memoria|recuerdos|sobre mí|de mí|acerca de mí|lo que sabes|lo que recuerdas|sabes de mí|sabes sobre mí",
		objects: "todo|cosas|nada|datos|información|notas|lo que digo|lo que te digo|todo lo que|más",
		fillers: "por favor|ahora|ya|vale|gracias|oye|la|el|los|las|tu|mi|de|que|lo|a|más|por ahora|toda|todos|a partir de ahora",
		polite:  "puedes|podrías|puede|podría|por favor",
	}
}

func controlGerman() controlWords {
	return controlWords{
		stop:    "hör auf|höre auf|stopp|stoppe|nicht|nichts|nicht mehr|nichts mehr|keine|kein|pausiere|deaktiviere|schalte aus|beende|aufhören|unterlasse",
		resume:  "wieder|fang wieder an|fortsetzen|setze fort|aktiviere|weiter|fahre fort|schalte ein",
		clear:   "lösche|lösch|löschen|leere|leeren|entferne|setze zurück",
		forget:  "vergiss|vergessen",
		save:    "merk dir|merke dir|merken|zu merken|speichere|speichern|zu speichern|speicher|notiere|notieren|zu notieren|lerne|lernen|zu lernen|behalte|behalten",
		memory:  "gedächtnis|speicher|erinnerungen|über mich|was du weißt|was du über mich weißt|du über mich weißt|von mir weißt|was du dir gemerkt hast",
		objects: "alles|dinge|sachen|fakten|notizen|informationen|infos|etwas|was ich sage|was ich schreibe",
		fillers: "bitte|jetzt|ok|okay|danke|hey|das|die|den|der|dein|mein|deine|meine|dir|du|mehr|ab jetzt|ab sofort|von jetzt an|was|ganze|ganz|komplett|und|zu|aus|an|weißt",
		polite:  "kannst du|könntest du|würdest du|bitte",
		splits:  "schalte aus|schalte ein|setze fort|setze zurück",
	}
}

func controlFrench() controlWords {
	return controlWords{
		stop:    "arrête de|arrête d'|arrêtez de|arrête|cesse de|ne|n'|désactive|mets en pause|suspends",
		resume:  "reprends|recommence à|recommence|réactive|active|continue à|continue de|à nouveau|de nouveau",
		clear:   "efface|supprime|vide|réinitialise|effacez|supprimez",
		forget:  "oublie|oubliez",
		save:    "enregistrer|enregistre|retenir|retiens|mémoriser|mémorise|sauvegarder|sauvegarde|noter|note|apprendre|garder|garde",
		memory:  "mémoire|souvenirs|sur moi|à mon sujet|me concernant|ce que tu sais|tu sais de moi|tu sais sur moi",
		objects: "tout|rien|choses|des choses|infos|informations|données|notes|ce que je dis|tout ce que",
		fillers: "s'il te plaît|s'il vous plaît|maintenant|ok|merci|la|le|les|ta|ma|l'|l|plus|pas|jamais|de|des|que|à partir de maintenant|désormais|toute|d",
		polite:  "peux-tu|pourrais-tu|tu peux|pouvez-vous|s'il te plaît",
	}
}

func controlPortuguese() controlWords {
	return controlWords{
		stop:    "pare de|para de|deixe de|deixa de|não|nunca|desative|desativa|pause|pausa|desligue|desliga",
		resume:  "retome|retoma|volte a|volta a|continue|continua|ative|ativa|reative|reativa|de novo|outra vez|novamente",
		clear:   "apague|apaga|exclua|exclui|limpe|limpa|elimine|elimina|remova|remove",
		forget:  "esqueça|esquece|esqueça-se de",
		save:    "salvar|salve|guardar|guarde|guardes|lembrar|lembre|memorizar|memorize|anotar|anote|aprender|aprenda|gravar|grave|armazenar",
		memory:  "memória|memórias|sobre mim|a meu respeito|o que sabe|o que sabes|você sabe sobre mim|sabe de mim",
		objects: "tudo|nada|coisas|dados|informações|notas|o que eu digo|tudo o que",
		fillers: "por favor|agora|ok|obrigado|obrigada|a|o|as|os|sua|tua|minha|mais|que|de|toda|a partir de agora",
		polite:  "pode|podes|poderia|você pode|por favor",
	}
}

//nolint:misspell // the words of a language
func controlItalian() controlWords {
	return controlWords{
		stop:    "smetti di|smettila di|non|basta|disattiva|metti in pausa|sospendi|spegni|mai",
		resume:  "riprendi|riprendi a|ricomincia a|ricomincia|riattiva|attiva|continua a|di nuovo|ancora",
		clear:   "cancella|elimina|svuota|azzera|rimuovi",
		forget:  "dimentica|dimenticati di|scorda",
		save:    "salvare|ricordare|memorizzare|imparare|annotare|conservare|registrare|salvi|memorizzi|salva|memorizza",
		memory:  "memoria|ricordi|su di me|di me|quello che sai|ciò che sai|sai di me|sai su di me",
		objects: "tutto|niente|nulla|cose|dati|informazioni|note|quello che dico|tutto quello che",
		fillers: "per favore|adesso|ora|ok|grazie|la|il|le|i|tua|mia|più|che|da ora in poi|tutta|a",
		polite:  "puoi|potresti|per favore",
	}
}

//nolint:misspell // the words of a language
func controlDutch() controlWords {
	return controlWords{
		stop:    "stop met|stop|hou op met|niet|niets|geen|niks|pauzeer|schakel uit|zet uit|nooit",
		resume:  "hervat|begin weer met|begin weer|ga verder met|weer|schakel in|zet aan|opnieuw",
		clear:   "wis|verwijder|leeg|maak leeg",
		forget:  "vergeet",
		save:    "opslaan|bewaren|onthouden|bewaar|onthoud|noteren|noteer|leren|vastleggen",
		memory:  "geheugen|herinneringen|over mij|over me|van mij weet|wat je weet|je over mij weet|je van me weet",
		objects: "alles|iets|dingen|zaken|feiten|informatie|notities|wat ik zeg|wat je",
		fillers: "alsjeblieft|nu|oké|ok|bedankt|het|je|jouw|mijn|de|meer|van|wat|vanaf nu|hele|en",
		polite:  "kun je|kan je|zou je|wil je|alsjeblieft",
		splits:  "schakel uit|zet uit|schakel in|zet aan|maak leeg",
	}
}

func controlRussian() controlWords {
	return controlWords{
		stop:    "перестань|хватит|прекрати|не|больше не|отключи|останови|приостанови|выключи|никогда не|не надо",
		resume:  "возобнови|продолжай|продолжи|снова|опять|включи|начни снова|начни",
		clear:   "удали|сотри|очисти|стереть|удалить|сбрось",
		forget:  "забудь|забудьте",
		save:    "сохранять|сохраняй|запоминать|запоминай|записывать|записывай|запомнить|учить",
		memory:  "память|воспоминания|обо мне|про меня|что знаешь|что ты знаешь|ты обо мне знаешь|знаешь обо мне|ты знаешь",
		objects: "всё|все|ничего|данные|информацию|факты|заметки|вещи|что я говорю|то",
		fillers: "пожалуйста|сейчас|теперь|ладно|спасибо|свою|мою|всю|больше|с этого момента|что|ты|и",
		polite:  "можешь|мог бы ты|не мог бы ты|пожалуйста",
	}
}

func controlChinese() controlWords {
	return controlWords{
		stop:    "停止|不要|别|別|不要再|别再|別再|关闭|關閉|暂停|暫停|停用",
		resume:  "恢复|恢復|继续|繼續|重新|开始|開始|开启|開啟|打开|打開|启用|啟用",
		clear:   "清除|清空|删除|刪除|删掉|刪掉|抹去|重置",
		forget:  "忘记|忘記|忘掉|忘了",
		save:    "保存|记住|記住|记录|記錄|存储|儲存|记下|記下|记忆我|學習|学习",
		memory:  "记忆|記憶|关于我的|關於我的|关于我|關於我|我的事|我的信息|我的資訊|你知道的|你记得的|你記得的|你对我的了解",
		objects: "一切|所有|全部|任何|东西|東西|事情|信息|資訊|内容|內容|我说的话|我說的話|我",
		fillers: "请|請|现在|現在|吧|了|的|谢谢|謝謝|好吗|好嗎|你|把|从现在起|從現在起|以后|以後|都|有|一下|所",
		polite:  "请|請|可以|你能|能不能|可不可以",
	}
}

func controlJapanese() controlWords {
	return controlWords{
		stop:    "やめて|止めて|しないで|ないで|停止して|停止|オフにして|無効にして|中止して|一時停止して",
		resume:  "再開して|再開|また|もう一度|続けて|オンにして|有効にして|始めて",
		clear:   "消して|削除して|消去して|クリアして|全部消して|リセットして",
		forget:  "忘れて",
		save:    "保存する|保存して|保存し|保存|覚える|覚えて|覚え|記憶する|記憶して|記録する|記録して|記録し|記録|メモする|メモし|メモして|学習する|学習して",
		memory:  "記憶|メモリー|メモリ|私について|僕について|俺について|わたしについて|私のこと|僕のこと|俺のこと|わたしのこと|知っていること|覚えていること",
		objects: "全部|すべて|全て|もの|こと|情報|何も|事",
		fillers: "を|は|が|の|に|も|もう|これ以上|今後|今から|これから|ください|下さい|お願いします|ね|よ|すべての|全ての|どうか|おいて",
		polite:  "くれますか|もらえますか|いただけますか|くれる|もらえる",
	}
}

func controlKorean() controlWords {
	return controlWords{
		stop:    "그만|그만해|하지 마|하지마|하지 마세요|지 마|지 마세요|지마|멈춰|중지해|중지|꺼|꺼 줘|중단해",
		resume:  "다시|재개해|재개|계속|계속해|켜|켜 줘|시작해",
		clear:   "지워|지워 줘|삭제해|삭제해 줘|초기화해|비워|삭제",
		forget:  "잊어|잊어 줘|잊어버려",
		save:    "저장|저장하|저장하는|저장해|기억하|기억하는|기억해|기록하|기록하는|기록해|메모하|메모해|학습하|학습해",
		memory:  "기억을|메모리|메모리를|나에 대해|나에 대한|저에 대해|저에 대한|나에 관한|내 정보|알고 있는 것",
		objects: "모든|모두|전부|것을|것|걸|거|정보|정보를|아무것도|다",
		fillers: "제발|이제|지금|더|더 이상|을|를|은|는|줘|주세요|앞으로|부탁해|해",
		polite:  "줄래|줄 수 있어|주실 수 있나요|줄래요",
	}
}
