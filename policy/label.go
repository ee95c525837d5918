package policy

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tier says how much a label promises and what its value looks like.
type tier uint8

const (
	tierPassword tier = iota // any value of four characters that is no prose
	tierKey                  // a value of eight characters that is no prose
	tierCode                 // digits
	tierPhrase               // words
	tierAnswer               // any word
	tierLogin                // a name, then a password
	tierID                   // a number that names a person or an account
	tierPass                 // a word with other meanings: the value must look like a password
)

// labelWords lists the words that name a credential, by tier, parted by |.
var labelWords = map[tier]string{
	tierPassword: "password|passwords|passwd|passphrase|passcode|pass phrase|pwd|pw|master key|" +
		"contraseña|contrasena|clave|senha|palavra-passe|mot de passe|mdp|passwort|kennwort|wachtwoord|lösenord|hasło|" +
		"parola d'ordine|şifre|salasana|heslo|jelszó|adgangskode|mật khẩu|كلمة المرور|كلمة السر|סיסמה|סיסמא|p@ssword|p@ssw0rd|passw0rd|pa$$word|pass word|wifi-passwort|пароль|密码|密碼|口令|パスワード|비밀번호|비번|暗証番号|暗証",
	tierKey: "secret|token|api key|api-key|api_key|apikey|access key|access_key|access-key|accesskey|secret key|secret_key|secret-key|" +
		"auth key|auth_key|private key|private_key|private-key|privatekey|encryption key|encryption_key|signing key|signing_key|" +
		"license key|licence key|license_key|recovery key|backup key|recovery code|backup code|recovery codes|backup codes|" +
		"credential|credentials|authorization|connection string|client_secret|_key|-key|product key|account key|account_key|accountkey",
	tierCode: "pin|pin code|pin-code|otp|cvv|cvc|cvv2|cid code|2fa|2fa code|mfa code|verification code|security code|login code|one-time code|" +
		"door code|gate code|alarm code|entry code|access code|unlock code|safe code|lock code|safe combination|keypad code|" +
		"combination|garage code|code for the door|code to the door|code for the gate|code for the safe|code for the alarm|code for the garage|" +
		"geheimzahl|türcode|tuercode|alarmcode|código de acceso|código de la alarma|code d'accès|" +
		"пин-код|пин код|пин|код доступа|验证码|驗證碼|認証コード|인증번호",
	tierPhrase: "seed|seed phrase|recovery phrase|mnemonic|secret recovery phrase|seed words|backup phrase|wallet phrase|frase semilla",
	tierAnswer: "mother's maiden name|mothers maiden name|security answer|secret answer|answer to the security question|security question answer",
	tierLogin:  "login|logins|credentials|creds|username|user name|zugangsdaten|логин",
	tierID: "ssn|social security|social security number|passport|passport number|reisepass|reisepassnummer|pasaporte|passeport|" +
		"driver's license|drivers license|driver's licence|drivers licence|driving licence|driving license|driver license|führerschein|" +
		"tax id|tin|itin|nin|nino|ni number|pesel|bsn|burgerservicenummer|personnummer|sin|tfn|tax file number|medicare|medicare number|nif|curp|nss|numéro de sécurité sociale|" +
		"身份证|身份證|身份证号|身份證號|身分證|주민등록번호|マイナンバー|инн|снилс|паспорт|national insurance|aadhaar|aadhar|cpf|dni|nie|pan card|steuer-id|codice fiscale|id card|personalausweis|" +
		"account number|account no|account #|acct|routing|routing number|sort code|bsb|clabe|card number|credit card|debit card|kontonummer",
	tierPass: "pass|parola|parole|psk|wpa key|wifi key|network key|encryption phrase",
}

// label is one such word.
type label struct {
	word string
	tier tier
}

func labels() []label {
	var list []label
	for t := tierPassword; t <= tierPass; t++ {
		for word := range strings.SplitSeq(labelWords[t], "|") {
			list = append(list, label{word: word, tier: t})
		}
	}
	return list
}

// What may stand between a label and its value: closing marks, a remark in
// brackets, "for the office", and then a sign or a word that means "is".
const (
	gapClose = "^(?:\\\\?[\"'`*_\\]]){0,4}(?:[ \t]*\\([^()\n]{0,40}\\))?"
	gapFor   = `(?:[ \t]+(?:for|of|to|at|on|in|del|de|do|da|du|des|für|fuer|von|vom|zum|voor|per|для|от|к)[ \t]+[^\s:=|]{1,24}(?:[ \t]+[^\s:=|]{1,24}){0,3}?)?`
	gapSign  = "(?:[ \t]+(?:is|was|es|est|ist|now))?[ \t]*(?:=>|->|→|:?={1,3}|::?)[ \t]*"
	gapIs    = `[ \t]+(?:is|was|are|es|era|est|ist|lautet|war|é|è|это|remains)(?:[ \t]+(?:now|still|currently|actually|always|jetzt|noch|ahora|still)){0,2}[ \t]+`
	gapEast  = "[ \t]*(?:は、?|是|为|為|은|는|이|가)[ \t]*"
)

var (
	gapRE    = regexp.MustCompile(gapClose + gapFor + "(?:(" + gapSign + ")|(" + gapIs + "|" + gapEast + "))(?:[*_]{1,3}[ \t]*)?")
	codeRE   = regexp.MustCompile(`^(?:is |was |nr\.? |no\.? |number )?#?((?:[A-Z]-)?\d[\d -]{1,12}\d[#*]?|[A-Za-z]{0,6}\d[A-Za-z0-9]{0,10}[#*]?)`)
	bareCode = regexp.MustCompile(`^[ \t]+#?(\d{4,8}[#*]?|\d{3}[ -]\d{3})(?:[^\w.:/%-]|[.:](?:\s|$)|$)`)
	bareCVV  = regexp.MustCompile(`^[ \t]+(\d{3,4})(?:[^\w.:/%-]|[.](?:\s|$)|$)`)
	saidRE   = regexp.MustCompile(`(\S{6,64})[ \t]+(?:is|was|ist|es|est|é)[ \t]+(?:my|the|his|her|their|our|its|a|mein|meine|das|sein|ihr|mi|la|su|le|mon|son|a|o)(?:[ \t]+[\pL\d'-]{1,20}){0,2}[ \t]+$`)
	dateRE   = regexp.MustCompile(`^(?:\d{4}-\d{2}(?:-\d{2}(?:T[\d:.Z+-]*)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?)$`)
	wordsRE  = regexp.MustCompile(`^(?:\d{1,2}[.)][ \t]+)?(\p{Ll}{3,10}(?:[ \t,]+(?:\d{1,2}[.)][ \t]+)?\p{Ll}{3,10}){3,23})`)
	loginRE  = regexp.MustCompile(`^[ \t]*[:=]?[ \t]*[^\s/|,]{2,64}[ \t]*(?:/|\||,)[ \t]*([^\s,;|]{4,})`)
	idRE     = regexp.MustCompile(`^(?i:[ \t]*\(?(?:number|no\.?|nr\.?|num\.?|code|id|#|nummer|número|numéro|card)\)?){0,2}[ \t]*(?::|=|#|\b(?i:is|was|ist|es|est)\b)?[ \t]*([A-Za-z]{0,6}\d[A-Za-z0-9]*(?:[ ./-]{1,2}[A-Za-z]{0,2}\d[A-Za-z0-9]*){0,6})`)
	codeRoot = regexp.MustCompile(`^(?:process|os|import|env|config|cfg|conf|req|request|this|self|ctx|secrets|vars|settings|options|opts|params|data|user|response|res|session|app|props|args|headers|window|document|localStorage|sessionStorage|System|getenv|var|local|module|each|std|await|new)\b[.\[(]`)
	callRE   = regexp.MustCompile(`^[A-Za-z_$][\w$.]*\([^)]*\)?`)
)

const lineWindow = 240

// find returns the spans of what the label at h names. It looks no further than
// lineWindow bytes and the end of the line.
func (l label) find(f folded, h hit) []span {
	if !l.stands(f.text, h) {
		return nil
	}
	rest := lineFrom(f.text, h.end)
	var found []span
	if l.tier == tierPassword {
		if s, ok := saidBefore(f.text, h.pos); ok {
			return []span{s}
		}
	}
	switch l.tier {
	case tierID:
		found = idValue(rest)
	case tierLogin:
		found = loginValue(rest)
	default:
		found = l.afterGap(rest)
	}
	if found == nil && l.tier == tierPassword {
		return nextLineValue(f.text, h.end)
	}
	for i := range found {
		found[i].start += h.end
		found[i].end += h.end
	}
	return found
}

// saidBefore reads "hunter22 is my password", which ends at pos.
func saidBefore(text string, pos int) (span, bool) {
	start := max(0, pos-120)
	part := text[start:pos]
	if n := strings.LastIndexAny(part, "\r\n"); n >= 0 {
		start += n + 1
		part = text[start:pos]
	}
	if !strings.HasSuffix(part, " ") || !saysIs(part) {
		return span{}, false
	}
	m := saidRE.FindStringSubmatchIndex(part)
	if m == nil {
		return span{}, false
	}
	word := strings.Trim(part[m[2]:m[3]], "\"'`*")
	if strings.Contains(word, "»") || placeholder(word) || !looksPassword(word) || dateRE.MatchString(word) {
		return span{}, false
	}
	s := span{start: start + m[2], end: start + m[3]}
	return s, true
}

func saysIs(part string) bool {
	for _, word := range [...]string{" is ", " was ", " ist ", " es ", " est ", " é "} {
		if strings.Contains(part, word) {
			return true
		}
	}
	return false
}

// stands reports whether the label is a word of its own, or the end of an
// identifier such as DATABASE_PASSWORD or authToken.
func (l label) stands(text string, h hit) bool {
	if strings.HasPrefix(l.word, "_") || strings.HasPrefix(l.word, "-") {
		return h.pos > 0 && alnum(text[h.pos-1]) && notNaming(text, h.pos) && !wordFollows(text, h.end)
	}
	if l.tier == tierID && len(l.word) == 3 && l.word != "ssn" && strings.ToUpper(text[h.pos:h.end]) != text[h.pos:h.end] {
		return false // nie, pan, tin are words
	}
	first, _ := utf8.DecodeRuneInString(text[h.pos:])
	if unicode.In(first, unicode.Han, unicode.Katakana, unicode.Hangul) {
		return true
	}
	return l.starts(text, h.pos, first) && !wordFollows(text, h.end)
}

// starts reports whether a word starts at pos, or a part of one that is written
// like authToken or WLANPasswort.
func (l label) starts(text string, pos int, first rune) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:pos])
	if pos == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		return true
	}
	camel := unicode.IsUpper(first) && unicode.IsLower(before)
	return l.tier <= tierKey && (camel || l.word == "passwort")
}

func wordFollows(text string, end int) bool {
	after, _ := utf8.DecodeRuneInString(text[end:])
	return end < len(text) && unicode.Is(unicode.Latin, after) || unicode.IsDigit(after) || unicode.Is(unicode.Cyrillic, after)
}

// notNaming reports whether an identifier that ends in _key at pos can name a
// credential: a sort key or a public key does not.
func notNaming(text string, pos int) bool {
	start := pos
	for start > 0 && alnum(text[start-1]) {
		start--
	}
	switch strings.ToLower(text[start:pos]) {
	case "sort", "primary", "foreign", "public", "partition", "cache", "hot", "order", "group", "unique", "row", "index", "hash", "project", "issue", "short", "pub", "map", "dict", "object", "translation", "i18n":
		return false
	}
	return true
}

// lineFrom returns the rest of the line at i, cut at lineWindow bytes and before
// what is masked already.
func lineFrom(text string, i int) string {
	end := min(len(text), i+lineWindow)
	for end < len(text) && end > i && !utf8.RuneStart(text[end]) {
		end--
	}
	rest := text[i:end]
	if n := strings.IndexAny(rest, "\r\n"); n >= 0 {
		rest = rest[:n]
	}
	return beforeMarker(rest)
}

// afterGap reads the value behind a sign, behind "is", or in quotes.
func (l label) afterGap(rest string) []span {
	var m []int
	if mayBridge(rest) {
		m = gapRE.FindStringSubmatchIndex(rest[:min(len(rest), gapWindow)])
	}
	if m == nil {
		return l.noGap(rest)
	}
	tail := rest[m[1]:]
	var found []span
	switch l.tier {
	case tierCode:
		found = codeValue(tail, m[2] >= 0)
	case tierPhrase:
		found = phraseValue(tail)
		if l.word == "seed" && len(found) > 0 && countWords(tail[found[0].start:found[0].end]) < 12 {
			return nil // plants have seeds too
		}
	default:
		v := value{tier: l.tier, sign: m[2] >= 0, tight: m[2] >= 0 && strings.HasSuffix(rest[m[2]:m[3]], "="), short: l.word == "_key" || l.word == "-key" || l.word == "api_key"}
		found = v.read(tail)
	}
	for i := range found {
		found[i].start += m[1]
		found[i].end += m[1]
	}
	return found
}

const gapWindow = 140 // bytes between a label and its value

var gapWords = wordSet("for of to at on in del de do da du des für fuer von vom zum voor per для от к is was are es era est ist lautet war é è это remains now")

// mayBridge reports whether a text can begin a gap at all, by its first sign or
// word. Most mentions of a password are told apart here.
func mayBridge(rest string) bool {
	rest = strings.TrimLeft(rest, "\\\"'`*_] \t")
	if rest == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	if !unicode.IsLetter(r) || unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hangul, r) || unicode.Is(unicode.Hiragana, r) {
		return strings.ContainsRune(":=-→(是为為はは은는이가", r)
	}
	word := rest[:min(len(rest), 16)]
	if i := strings.IndexAny(word, " \t"); i >= 0 {
		word = word[:i]
	}
	return gapWords[strings.ToLower(strings.TrimRight(word, ":"))]
}

// noGap reads a value that follows its label with nothing between.
func (l label) noGap(rest string) []span {
	digits := bareCode
	switch l.word {
	case "2fa", "combination":
		return nil
	case "cvv", "cvc", "cvv2":
		digits = bareCVV
	}
	switch {
	case l.tier == tierCode || strings.HasSuffix(l.word, " code"):
		if m := digits.FindStringSubmatchIndex(rest); m != nil {
			return []span{{start: m[2], end: m[3]}}
		}
	case l.tier == tierPhrase && rest != "" && (rest[0] == ' ' || rest[0] == '\t'):
		if m := wordsRE.FindStringSubmatchIndex(rest[1:]); m != nil && countWords(rest[1+m[2]:1+m[3]]) >= 12 {
			return []span{{start: 1 + m[2], end: 1 + m[3]}}
		}
	case l.tier != tierPhrase && l.tier != tierAnswer:
		return l.adjacent(rest)
	}
	return nil
}

// adjacent reads `password "x y"` and, for passwords, `password hunter22`.
func (l label) adjacent(rest string) []span {
	start := len(rest) - len(strings.TrimLeft(rest, " \t*_"))
	if start == 0 || start == len(rest) {
		return nil
	}
	v := value{tier: l.tier, sign: true}
	if opening, closing := quotes(rest[start:]); opening != "" && strings.Contains(rest[start+len(opening):], closing) {
		return shift(v.quoted(rest[start:], opening, closing), start)
	}
	word, _, _ := strings.Cut(rest[start:], " ")
	word = strings.TrimRight(word, ".,;:)")
	least := 6
	if l.tier == tierKey {
		least = 24
	}
	if len(word) < least || !looksPassword(word) || placeholder(word) || dateRE.MatchString(word) || strings.Contains(word, "://") {
		return nil
	}
	if hex := strings.HasPrefix(word, "0x") && len(word) >= 40; l.tier == tierKey && !hex && !mixedCase(word) {
		return nil // hashes and file names follow these words as well
	}
	return []span{{start: start, end: start + len(word)}}
}

func shift(spans []span, by int) []span {
	for i := range spans {
		spans[i].start += by
		spans[i].end += by
	}
	return spans
}

func countWords(s string) int {
	return len(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }))
}
