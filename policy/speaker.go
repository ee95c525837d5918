package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	maxLabelRunes = 60 // characters of a speaker's label
	maxLabelID    = 32 // characters of the id in it
	cutLabelID    = 20 // characters of a longer id that are shown
	maxMarks      = 2  // combining marks on one character
)

// SpeakerLabel returns what a prompt calls a speaker by: `Alice (qq:1001)`, at most 60
// characters on one line. Of the name stay letters, digits, plain emoji and . _ -, so
// that it holds none of the marks with which a prompt parts speaker, id and words.
// A name that pretends to be one of the roles of a prompt, or one of the reserved names
// (the bot's), is put in quotes. The id always stands behind it, in a form that no
// other id has; so no label is ever the bare word for the owner or the bot.
func SpeakerLabel(name, id string, reserved ...string) string {
	shown := labelID(id)
	name = labelName(name)
	fake := pretends(name) || reservedName(name, reserved)
	room := maxLabelRunes - utf8.RuneCountInString(shown) - len(" ()")
	if fake {
		room -= len(`""`)
	}
	if utf8.RuneCountInString(name) > room {
		name = clipped(name, room-1) + "…"
	}
	if name == "" {
		name = "Somebody"
	}
	if fake {
		name = `"` + name + `"`
	}
	return name + " (" + shown + ")"
}

// BotLabel returns what a prompt calls the bot by: its name on one line, in quotes where
// that reads as one of the reserved ones.
func BotLabel(name string, reserved ...string) string {
	name = clipped(labelName(name), maxLabelRunes-len(`""`))
	switch {
	case name == "":
		return "Assistant"
	case reservedName(name, reserved):
		return `"` + name + `"`
	}
	return name
}

// SpokenLine returns one line of a conversation for a prompt: the label, and what was
// said, cut at so many characters. Whatever the text holds, it opens no second line:
// line ends become blanks, and marks that control, do not show, or turn the direction
// are gone. It is "" when nothing was said.
func SpokenLine(label, text string, runes int) string {
	text = Quoted(strings.Map(func(r rune) rune {
		joins := r == '\u200c' || r == '\u200d'
		if !unicode.IsSpace(r) && !joins && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, text), runes)
	if strings.Trim(text, " \u200c\u200d") == "" {
		return ""
	}
	return label + ": " + text
}

// labelName returns what of a name is shown.
func labelName(name string) string {
	marks := 0
	name = strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			marks++
			if marks > maxMarks || unseen(r) {
				return -1
			}
			return r
		}
		marks = 0
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unseen(r) || r == '\'' || r == '’' || r == utf8.RuneError:
			return -1
		case labelRune(r):
			return r
		}
		return ' '
	}, norm.NFKC.String(name))
	return strings.TrimLeft(strings.Join(strings.Fields(name), " "), ".-_ ")
}

// labelRune reports whether a character may stand in a label.
func labelRune(r rune) bool {
	if r == '.' || r == '-' || r == '_' {
		return true
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !likeMark(r) || plainEmoji(r)
}

// likeMark reports whether a letter looks like a colon, a quote or a bracket.
func likeMark(r rune) bool {
	return 0x02B0 <= r && r <= 0x02FF || 0xA788 <= r && r <= 0xA78C || r == 0xA4FD || r == 0x1433 || r == 0x1438
}

// plainEmoji leaves out the letters in squares and the ornaments like quotes.
func plainEmoji(r rune) bool {
	return 0x2600 <= r && r <= 0x26FF || 0x1F300 <= r && r <= 0x1F64F || 0x1F680 <= r && r <= 0x1FAFF
}

// labelID returns what of an id is shown. An id that is long, or holds more than plain
// letters, digits and the signs of addresses, is cut and named by its hash: two ids
// that only look alike have different labels.
func labelID(id string) string {
	if id == "" {
		return "no id"
	}
	if a, ok := ParseAccount(id); ok {
		id = string(a)
	}
	plain := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (alnum(byte(r)) || strings.ContainsRune("._-:@+~=", r)) {
			return r
		}
		return -1
	}, id)
	shown := plain
	if plain != id || len(plain) > maxLabelID {
		sum := sha256.Sum256([]byte(id))
		shown = clipped(plain, cutLabelID) + "…" + hex.EncodeToString(sum[:4])
	}
	if pretends(plain) { // (owner) would read as what the program says of the speaker
		shown = "id " + shown
	}
	return shown
}

// pretendWords are the words for the roles of a prompt and of a chat.
const pretendWords = "person|owner|user|human|admin|administrator|administrators|system|assistant|developer|moderator|operator|root|superuser|bot|host|model|tool|function|instruction|instructions|somebody|me|myself|you|" +
	"persona|dueño|dueña|propietario|propietaria|usuario|administrador|sistema|asistente|besitzer|besitzerin|eigentümer|inhaber|nutzer|benutzer|ich|personne|propriétaire|utilisateur|administrateur|système|moi|" +
	"pessoa|dono|dona|proprietário|proprietária|assistente|utente|amministratore|persoon|eigenaar|gebruiker|beheerder|systeem|ik|" +
	"человек|владелец|владелица|хозяин|хозяйка|админ|администратор|пользователь|система|системный|ассистент|я"

// pretendEast are the same in scripts without blanks, found anywhere in a name.
const pretendEast = "本人|主人|管理员|管理員|管理者|系统|系統|助手|助理|用户|用戶|使用者|群主|システム|アシスタント|所有者|オーナー|ユーザー|본인|주인|관리자|시스템|소유자|사용자|어시스턴트"

// pretenders are the two lists as bareWords has them.
type pretenders struct {
	words map[string]bool
	east  []string
}

var pretending = sync.OnceValue(func() pretenders {
	p := pretenders{words: map[string]bool{}}
	for word := range strings.SplitSeq(pretendWords, "|") {
		p.words[bare(word)] = true
	}
	for word := range strings.SplitSeq(pretendEast, "|") {
		p.east = append(p.east, bare(word))
	}
	return p
})

// pretends reports whether a name has a word for a role in it, or is one when the
// blanks and signs inside are taken out or its digits are read as letters. A name too
// many costs a pair of quotes.
func pretends(name string) bool {
	p := pretending()
	for _, as := range []string{name, strings.Map(lookAlike, name), digitsAsLetters(name)} {
		words := bareWords(as)
		whole := strings.Join(words, "")
		if p.words[whole] || slices.ContainsFunc(words, func(w string) bool { return p.words[w] }) ||
			slices.ContainsFunc(p.east, func(w string) bool { return strings.Contains(whole, w) }) {
			return true
		}
	}
	return false
}

func digitsAsLetters(name string) string {
	return strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t").Replace(name)
}

// reservedName reports whether a name reads as one of the reserved ones.
func reservedName(name string, reserved []string) bool {
	whole := bare(name)
	for _, r := range reserved {
		if own := bare(r); own != "" && own == whole {
			return true
		}
	}
	return false
}

func bare(name string) string { return strings.Join(bareWords(name), "") }

// bareWords returns the words of a name as they read at a glance: letters alone, folded,
// without accents, and with Latin letters for those of other alphabets that look so.
func bareWords(name string) []string {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(foldText(fold(name).text)))
	return strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) })
}
