package policy

func dutch() language {
	return language{
		code:    "nl",
		ownName: "mijn naam is|ik heet|noem me|noem mij",
		botName: "je naam is nu|jouw naam is nu|je nieuwe naam is|je heet nu|je heet vanaf nu|vanaf nu heet je|noem jezelf|ik noem je",
		finite:  "houdt|hebben|zijn|wonen|werken|leeft|studeert|kookt|reist|leert|verzamelt|schrijft|luistert|komt|rijdt|loopt|zoekt|bouwt|bezit|draagt|vindt|heet|geboren|getrouwd|verhuisd|kan|moet|mag|slaapt|kent|doet|vermijdt|ben|heb|woon|werk|drinken|eten|leest|lust",
		tells:   "lievelingskleur|lievelingseten|lievelingsdier|lievelingsboek|verjaardag",
		ands:    "en",
		seconds: "hij|zij|ze|het|de|een|zijn|haar|mijn|heeft|is|houdt|woont|werkt|wil",
		talk:    dutchTalk(),
		guard:   dutchGuard(),
		hush:    dutchHush(),
		health: "allergi*|anafyla*|intolerant*|vegetari*|veganist*|vegan*|halal|koosjer|gluten*|lactose|dieet|diëten|diabet*|astma*|epilep*|zwanger*|medicijn*|medicatie|medisch*|gehandicapt*|handicap|beperking|rolstoel*|" +
			"blind|blindheid|doof|doofheid|slechthorend*|gezondheid|gezond|coeliakie|insuline|pacemaker|migraine|kanker|bloedgroep|bloeddruk|noodgeval*|zelfmoord|autis*|pinda*|penicilline",
		rules:     "altijd|nooit|niet|vanaf nu|van nu af aan|elke keer|telkens|iedere keer|wanneer ook",
		questions: "wie is|wat is|wat zijn|wanneer is|waar is|waarom|hoe gaat|hoe veel|hoeveel|kun je|kan je|heb je|ben je",
		remember:  "onthoud|vergeet niet|denk eraan|houd in gedachten|hou in gedachten|noteer|schrijf op",
		stop: "de het een en of maar ik me mij mijn je jij jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun is was waren ben bent heeft hebben heb niet geen in op aan van voor met bij naar uit over om te als " +
			"dat die dit deze ook nog al wel zo er ja nee",
		verbs: "woont|werkt|houdt|wil|heeft|is|spreekt|gebruikt|haat|speelt|studeert|gaat|eet|drinkt|leest",
		joins: "en|maar|terwijl",
		openers: "hallo|hoi|hey|goedemorgen|goedemiddag|goedenavond|welterusten|trouwens|misschien|bedankt|dank|dank je|alsjeblieft|sorry|vraag|vraagje|herinnering|herinneren|wilde|wil|wilt|willen|kan|kun|kunt|kunnen|" +
			"zou|zullen|weet|zeg|vandaag|nu|weer|nog|al|eens|even|gedacht|denk|denken|hoop|graag|gaat|gaan|ging|wanneer|welke|hoeveel|waar|goed|goede|mooi|dus|doen|gedaan|maken|zien|iets|helpen|praten|heb|hebt|" +
			"eigenlijk",
	}
}

func russian() language {
	return language{
		code:    "ru",
		ownName: "меня зовут|моё имя|мое имя|зови меня|зовите меня",
		botName: "теперь тебя зовут|тебя теперь зовут|твоё имя теперь|твое имя теперь|твоё новое имя|твое новое имя|отныне тебя зовут",
		ands:    "и|а",
		seconds: "он|она|они|его|её|ее|их|я|мой|моя|живёт|живет|работает|любит|хочет|предпочитает|говорит|играет|ест|пьёт|пьет",
		talk:    russianTalk(),
		guard:   russianGuard(),
		hush:    russianHush(),
		health: "аллерг*|анафила*|непереносимост*|вегетариан*|веган*|халяль*|кошер*|глютен*|лактоз*|диета|диеты|диете|диету|диетой|диетическ*|диабет*|астм*|эпилеп*|беременн*|лекарств*|медицин*|медикамент*|инвалид*|" +
			"слепой|слепая|слепота|слепоты|глухой|глухая|глухота|здоровье|здоровья|здоровью|здоровьем|целиаки*|инсулин*|кардиостимулятор*|мигрен*|онколог*|группа крови|группу крови|давление крови|экстренн*|суицид*|аутизм*|арахис*|пенициллин*",
		rules:     "всегда|никогда|отныне|впредь|с этого момента|с этих пор|каждый раз|всякий раз|каждый раз когда",
		questions: "кто это|кто такой|что это|что такое|где|куда|почему|зачем|как дела|сколько|можешь ли|можешь|можете",
		remember:  "запомни|запомните|помни|помните|не забудь|не забудьте|имей в виду|имейте в виду|учти|учтите|запиши|запишите",
		stop: "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот от меня о из ему теперь когда даже ну ли если или ни быть был него до вас уже для мы их чем была сам без это " +
			"этот эта эти мой моя мои твой ваш наш свой",
		verbs: "живёт|живет|работает|любит|предпочитает|хочет|говорит|использует|ненавидит|играет|учится|ест|пьёт|пьет|читает",
		joins: "и|а|но",
		openers: "привет|здравствуй|здравствуйте|доброе утро|добрый день|добрый вечер|спокойной ночи|кстати|может быть|может|наверное|спасибо|пожалуйста|извини|вопрос|напоминание|напомнить|напоминаю|хотел|хотела|хочешь|" +
			"хочу|хотите|можно|можешь|могу|знаешь|скажи|сказать|сегодня|сейчас|опять|снова|ещё|еще|уже|думал|думала|думаешь|думаю|надеюсь|пойти|идёт|идет|прошло|прошла|прошёл|когда|какой|какая|какие|сколько|где|" +
			"кто|как дела|хорошо|ладно|давай|сделать|сделал|посмотреть|помочь|поговорить|тебе|твоя|твои|твоего|твоей",
	}
}

func chinese() language {
	return language{
		code:  "zh",
		talk:  chineseTalk(),
		guard: chineseGuard(),
		hush:  chineseHush(),
		health: "过敏|過敏|不耐受|不耐症|素食|吃素|纯素|純素|清真|麸质|麩質|乳糖|糖尿病|哮喘|气喘|氣喘|癫痫|癲癇|怀孕|懷孕|孕妇|孕婦|药物|藥物|吃药|吃藥|服药|服藥|用药|用藥|医疗|醫療|残疾|殘疾|身心障礙|轮椅|輪椅|失明|视障|視障|盲人|耳聋|耳聾|聋人|聾人|听障|聽障|" +
			"健康|忌口|饮食限制|飲食限制|胰岛素|胰島素|起搏器|偏头痛|偏頭痛|癌症|血型|高血压|高血壓|紧急联系人|緊急聯絡人|自杀|自殺|自闭症|自閉症|青霉素|花生",
		rules:     "总是|總是|永远|永遠|绝不|絕不|从不|從不|不要|别再|別再|别|別|不许|不許|从现在起|從現在起|从现在开始|從現在開始|以后都|以後都|每次|每当|每當|无论何时|無論何時",
		questions: "吗|嗎|呢|什么|什麼|为什么|為什麼|哪里|哪裡|谁|誰|怎么样|怎麼樣",
		remember:  "记住|記住|请记得|請記得|记得|記得|别忘了|別忘了|不要忘记|不要忘記|记下来|記下來|记一下|記一下",
		stop:      "的 了 是 在 我 你 您 他 她 它 们 們 和 与 與 或 也 都 就 不 很 这 這 那 有 吗 嗎 呢 吧 啊 把 被 给 給 对 對 要 会 會",
		joins:     "而且|但是|并且|並且|不过|不過",
		openers: "早上好|早安|晚上好|下午好|晚安|你好|您好|嗨|哈喽|哈囉|顺便问一下|順便問一下|顺便|順便|对了|對了|话说|話說|最近|今天|现在|現在|想问问|想问|想問|问一下|問一下|请问|請問|想不想|要不要|有没有|有沒有|是不是|怎么样|怎麼樣|怎样|如何|什么时候|什麼時候|什么|什麼|怎么|怎麼|时候|時候|可以|能不能|可能|也许|也許|记得|記得|提醒|一下|一点|一點|一些|知道|" +
			"觉得|覺得|已经|已經|还是|還是|谢谢|謝謝|不好意思|哈哈|好不好|好吗|好嗎|我们|我們|咱们|你们|這個|这个|那个|那個|因为|因為|所以|如果|就是|不过|不過|但是|然后|然後|需要|帮你|幫你|上次|之前|刚才|剛才|打算|想|说|說|还|還|再|又|个|個|么|麼|没|沒|着|著|哦|能|了吗",
	}
}

func japanese() language {
	return language{
		code:  "ja",
		talk:  japaneseTalk(),
		guard: japaneseGuard(),
		hush:  japaneseHush(),
		health: "アレルギー|アナフィラキシー|不耐症|ベジタリアン|菜食|ヴィーガン|ビーガン|ハラール|ハラル|コーシャ|グルテン|乳糖|食事制限|ダイエット|糖尿病|喘息|ぜんそく|てんかん|癲癇|妊娠|妊婦|服薬|服用|常備薬|薬を|投薬|医療|障害者|障がい|車椅子|車いす|失明|盲目|視覚障害|難聴|聴覚障害|耳が聞こえ|" +
			"健康|インスリン|ペースメーカー|片頭痛|がん治療|癌|血液型|高血圧|緊急連絡先|自殺|自閉症|ペニシリン|ピーナッツ|持病|病気",
		rules:     "いつも|常に|必ず|絶対に|決して|けっして|今後は|これからは|毎回|二度と",
		questions: "ですか|ますか|でしたか|ましたか|でしょうか|だろうか|ませんか|かな|のか",
		remember:  "覚えて|おぼえて|覚えておいて|覚えといて|覚えてね|覚えておいてね|覚えてください|覚えておいてください|忘れないで|忘れないでね|忘れないでください|メモして|メモしておいて|記憶して",
		stop:      "の は が を に で と も か な よ ね だ です ます する した して いる ある これ それ あれ この その あの 私 僕 俺 あなた",
		joins:     "そして|しかし|けれど",
		openers: "おはようございます|おはよう|こんにちは|こんばんは|やあ|ねえ|ところで|そういえば|ちなみに|ありがとうございます|ありがとう|すみません|ごめん|お疲れさま|お疲れ様|元気ですか|今日|今|最近|もう|まだ|また|そろそろ|ちょっと|もし|たぶん|ぜひ|どうでしたか|どうですか|どう|いかがですか|いかが|でしょうか|でしたか|ですか|ですね|ですよ|です|ましたか|ました|ますか|ません|" +
			"ます|ましょうか|ましょう|みませんか|ください|下さい|思います|思って|思い|思う|みて|しています|して|した|する|ている|ていた|について|という|こと|もの|から|まで|ので|のに|けど|でも|だけ|さん|ちゃん|って|たら|ない|なかった|なり|なる|ある|あり|いる|いつ|どこ|何|誰|なに|お知らせ|リマインド|忘れずに|忘れない|気に|しよう|よかった|良かった",
	}
}

func korean() language {
	return language{
		code:      "ko",
		talk:      koreanTalk(),
		guard:     koreanGuard(),
		hush:      koreanHush(),
		health:    "알레르기|알러지|아나필락시스|불내증|채식|비건|할랄|코셔|글루텐|유당|식이 제한|다이어트|당뇨|천식|간질|뇌전증|임신|임산부|복용|약을|의약품|의료|장애인|휠체어|시각 장애|시각장애|청각 장애|청각장애|난청|건강|인슐린|심박 조율기|편두통|암 치료|혈액형|고혈압|비상 연락처|비상연락처|자살|자폐|페니실린|땅콩",
		rules:     "항상|언제나|절대|결코|앞으로는|이제부터|지금부터|매번",
		questions: "습니까|입니까|합니까|됩니까|갑니까|냅니까|옵니까|십니까|을까|할까|나요|인가요|은가요|는지요",
		remember:  "기억해|기억해줘|기억해 줘|기억해 주세요|기억해주세요|기억하세요|기억해 둬|잊지 마|잊지마|잊지 마세요|메모해|메모해줘|메모해 줘|적어 둬|적어둬",
		stop:      "은 는 이 가 을 를 의 에 와 과 도 로 으로 그리고 나 너 저 우리 그 이것 그것 있다 없다 하다",
		joins:     "그리고|하지만|그런데",
		openers:   "안녕하세요|안녕|좋은 아침|그런데|혹시|고마워|감사합니다|죄송|오늘|지금|요즘|이제|다시|아직|벌써|어때요|어때|어떠세요|어땠어요|어떻게|있어요|있나요|없어요|했어요|하세요|할까요|하고|해요|습니다|입니다|습니까|까요|나요|네요|세요|에서|으로|한테|그리고|하지만|잊지 마세요|알려|기억|생각",
	}
}
