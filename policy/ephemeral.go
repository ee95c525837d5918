package policy

import (
	"regexp"
	"strings"
	"unicode"
)

// Ephemeral reports whether a fact would not be worth keeping in a week: a
// passing state ("tired today"), something just eaten, work in progress
// ("debugging a React app right now"), or a step of a task on files and commands
// ("Creating a folder named test"). Moving to a city is none of these, nor is
// somebody who is always tired.
func Ephemeral(text string) bool { return narrates(text) || isPassing(text) }

// isPassing reports whether a clause is true for the moment only.
func isPassing(text string) bool {
	w := wordsOf(text)
	v := idiom()
	if v.passes.in(w) {
		return true
	}
	if v.lasting.in(w) {
		return false
	}
	switch {
	case v.states.in(w) && (v.moments.in(w) || onlyState(w)):
		return true
	case v.justs.in(w) && v.meals.in(w):
		return true
	}
	return v.sessions.in(w) && v.instants.in(w)
}

// onlyState reports whether a clause says nothing but that the speaker is in a
// state: "I'm so tired", "estoy cansada".
func onlyState(w []string) bool {
	const filler = 4 // "I", "am", "so", "very"
	start, end := idiom().states.first(w)
	if start < 0 || end != len(w) || start > filler {
		return false
	}
	for i := range start {
		if !stateFillers[w[i]] && !single([]rune(w[i])[0]) {
			return false
		}
	}
	return true
}

// stateFillers may stand between the start of a clause and the state.
var stateFillers = wordSet(`i m am im we re are is was feel feeling so very really too pretty quite a bit bit kind of just still super the person user they
 estoy soy muy tan un poco me siento bastante ich bin so sehr ganz ziemlich total fühle mich je suis très trop un peu si me sens
 estou muito sou tão me sinto meio sono molto così un po mi sento ik ben zo erg heel best voel me я очень так совсем чувствую себя мне`)

// Steps of a task: they are what a model makes of a log of work, and never of a
// person.
var (
	stepLead = regexp.MustCompile(`^(?:creating|adding|moving|deleting|removing|editing|running|renaming|trying to|copying|updating|writing to|opening|saving|downloading|uploading|installing|executing|generating|compiling|testing)\b`)
	stepName = regexp.MustCompile(`(?:^|[\s'"(/\\])[\w.-]*\w\.(?:txt|md|py|js|ts|tsx|jsx|go|rs|java|c|h|cpp|hpp|cs|rb|php|html?|css|scss|json|ya?ml|toml|xml|csv|tsv|sql|sh|bat|ps1|ini|cfg|conf|env|log|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|zip|gz|tar|ipynb|lock|kt|swift)\b`)
	stepWhat = regexp.MustCompile(`\b(?:command|commands|folder|folders|directory|directories|file|files|script|scripts|subfolder)\b`)
	stepPage = regexp.MustCompile(`\b(?:page|note|document|doc|sheet|spreadsheet|table|database|list|playlist|board|card|task|ticket|issue|branch|repo|repository|event|reminder|tab|channel)\b.*\b(?:named|titled|called|with the (?:title|name))\b`)
	// What was asked of the assistant, and what goes on between it and the person. How it is
	// to behave is no task.
	asksBot  = regexp.MustCompile(`^(?:asked|asks|asking|requested|told|wanted) (?:the |its |an? )?(?:assistant|bot|companion|ai|model|chatbot) (?:to|for|about|whether|if|what|how|why)\b`)
	rulesBot = regexp.MustCompile(`\bto (?:always|never|not|be|call|address|speak|talk|answer|reply|respond|use|remember|stop)\b`)
	thisTalk = regexp.MustCompile(`\b(?:in|during|of) (?:this|the current) (?:conversation|chat|session|turn)\b|\b(?:talking|chatting|speaking) (?:to|with) (?:the |an? )?(?:assistant|bot|companion|ai|chatbot)\b.*\b(?:now|moment)\b`)
	subject  = regexp.MustCompile(`^(?:the (?:person|user)|person|user|i|he|she|they)(?:'m|'re|'s| am| is| are)? `)
)

// narrates reports whether a text tells a step of a task. Kotoba's collector
// leaves the same things out.
func narrates(text string) bool {
	s := strings.TrimFunc(fold(text).lower, unicode.IsSpace)
	s = s[:runeFloor(s, maxStepBytes)]
	s = subject.ReplaceAllString(s, "")
	switch {
	case asksBot.MatchString(s):
		return !rulesBot.MatchString(s)
	case thisTalk.MatchString(s):
		return true
	}
	return stepLead.MatchString(s) && (stepName.MatchString(s) || stepWhat.MatchString(s) || stepPage.MatchString(s))
}

const maxStepBytes = 1200
