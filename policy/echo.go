package policy

import (
	"regexp"
	"strings"

	"quipu/markdown"
)

// echo refuses what is no fact but the prompt's own example, or the shape of one
// with nothing filled in.
func (a *admission) echo() error {
	id := foldText(markdown.Identity(a.Text))
	for _, p := range a.rules.Prompt {
		if foldText(markdown.Identity(oneFact(p))) == id {
			return unfit(RuleEcho, "it is an example of the prompt")
		}
	}
	if isTemplate(id) {
		return unfit(RuleEcho, "it is a template with nothing filled in")
	}
	return nil
}

var (
	bracketed    = regexp.MustCompile(`^(?:<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|\$\{?[a-z_]+\}?|"[^"]*\.\.\.")$`)
	leftBlank    = regexp.MustCompile(`(?:^|\s)<[^<>]{0,60}>|\{\{[^{}]*\}\}|\$\{[^{}]*\}|\[(?:your|the|a|an|insert|name|fact|topic|text|placeholder|city|user|person)\b[^\[\]]*\]`)
	limitRemark  = regexp.MustCompile(`\((?:max|maximum|up to|at most|≤|<=?)\.? ?\d+ ?(?:words?|char(?:acter)?s?|sentences?|tokens?)\)`)
	templateText = regexp.MustCompile(`^(?:(?:your |the |a |an |one |some |short |example )*(?:fact|text|string|title|placeholder|statement|content|note|memory|value)(?: (?:goes )?here| text here| text)?|` +
		`clear, specific title.*|lorem ipsum.*|todo|tbd|n/?a|none|null|undefined|unknown|nothing(?: new)?|no (?:new )?(?:facts?|memor(?:y|ies)|information)(?: .{0,40})?|example|sample|test|foo|bar|yyyy-mm-dd|insert .{0,40} here|.{0,40} goes here)$`)
)

// isTemplate reports whether a folded text is a template: "<fact>", "Clear,
// specific title (max 12 words)", "fact text here".
func isTemplate(text string) bool {
	text = strings.Trim(text, " \"'`.:…-*_")
	return text == "" || bracketed.MatchString(text) || leftBlank.MatchString(text) || limitRemark.MatchString(text) || templateText.MatchString(text)
}
