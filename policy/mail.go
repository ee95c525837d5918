package policy

import (
	"regexp"
	"strings"
	"unicode"
)

// Mail is a mail that the owner sent, its body as plain text.
type Mail struct {
	Headers map[string]string // by name, in any case
	Subject string
	Body    string
}

func (m Mail) header(name string) string {
	for have, value := range m.Headers {
		if strings.EqualFold(have, name) {
			return strings.ToLower(strings.TrimSpace(value))
		}
	}
	return ""
}

var (
	forwardedSubject = regexp.MustCompile(`(?i)^\s*(?:fwd?|wg|tr|rv|enc|i|doorst|пересл|转发|轉寄|転送|전달)\s*[:：]`)
	automaticSubject = regexp.MustCompile(`(?i)^\s*(?:auto(?:matic|mated)?[ -]?(?:reply|response)|out of (?:the )?office|automatische antwort|abwesenheit|réponse automatique|respuesta automática|resposta automática|risposta automatica|automatisch antwoord|автоответ|自动回复|自動返信|자동 회신)`)
	// A line from which on nothing is the owner's: what they answer to, what they forward.
	quoteBegins = regexp.MustCompile(`(?i)^\s*(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensaje reenviado|mensagem original|mensagem encaminhada|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|doorgestuurd bericht|исходное сообщение|пересылаемое сообщение)\b.*` +
		`|begin forwarded message:.*` +
		`|on .{4,120} wrote:|am .{4,120} schrieb.{0,80}:|le .{4,120} a écrit\s?:|el .{4,120} escribió:|em .{4,120} escreveu:|il .{4,120} ha scritto:|op .{4,120} schreef.{0,80}:|.{4,120} (?:пишет|написал(?:а)?):|.{4,120}写道[:：]|.{4,120}のメール[:：]?|.{4,120}작성[:：]` +
		`|_{10,}` +
		`)\s*$`)
	headerLine = regexp.MustCompile(`(?i)^\s*\*?(?:from|von|de|da|van|от|发件人|差出人|보낸 사람)\s*[:：]\*?\s*\S.*$`)
	dateLine   = regexp.MustCompile(`(?i)^\s*\*?(?:sent|date|gesendet|datum|envoyé|enviado|fecha|data|inviato|verzonden|отправлено|дата|发送时间|送信日時|보낸 날짜|to|an|à|para|a|aan|кому|subject|betreff|objet|asunto|assunto|oggetto|onderwerp|тема)\s*[:：]`)
)

// OwnWords are the lines of a sent mail that the owner wrote: without quoted lines, what they
// answer or forward, and the signature. ok is false for a forwarded or automated mail, and
// where nothing is left.
func (m Mail) OwnWords() (text string, ok bool) {
	if m.automated() || forwardedSubject.MatchString(m.Subject) || automaticSubject.MatchString(m.Subject) {
		return "", false
	}
	lines := strings.Split(strings.ReplaceAll(m.Body, "\r\n", "\n"), "\n")
	var own []string
	for i, line := range lines {
		if line == "-- " || strings.TrimRight(line, " ") == "--" || m.quoteAt(lines, i) {
			break
		}
		if bare := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(bare, ">") || strings.HasPrefix(bare, "|") && strings.Contains(bare, ">") {
			continue
		}
		own = append(own, strings.TrimRightFunc(line, unicode.IsSpace))
	}
	text = strings.TrimSpace(strings.Join(own, "\n"))
	return text, strings.ContainsFunc(text, isWordRune)
}

// quoteAt reports whether what is not the owner's begins at a line: a line that says so, over
// one line or two, or the head of another mail.
func (m Mail) quoteAt(lines []string, i int) bool {
	if quoteBegins.MatchString(lines[i]) {
		return true
	}
	if i+1 >= len(lines) || strings.TrimSpace(lines[i]) == "" {
		return false
	}
	if headerLine.MatchString(lines[i]) && dateLine.MatchString(lines[i+1]) {
		return true
	}
	wrapped := strings.TrimSpace(lines[i]) + " " + strings.TrimSpace(lines[i+1])
	ends := strings.TrimSpace(lines[i+1])
	return (strings.HasSuffix(ends, ":") || strings.HasSuffix(ends, "：")) && quoteBegins.MatchString(wrapped) && strings.ContainsAny(wrapped, "0123456789@")
}

// automated reports whether a program sent the mail.
func (m Mail) automated() bool {
	if auto := m.header("Auto-Submitted"); auto != "" && auto != "no" {
		return true
	}
	switch m.header("Precedence") {
	case "bulk", "list", "junk", "auto_reply":
		return true
	}
	for _, name := range []string{"List-Id", "List-Unsubscribe", "X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress", "Feedback-ID"} {
		if m.header(name) != "" {
			return true
		}
	}
	return false
}
