package policy

import "testing"

func TestIsHealth(t *testing.T) {
	tests := map[string]bool{
		"Allergic to nuts": true, "ALLERGIES: none": true, "Is vegetarian": true, "On a diet": true, "Has asthma.": true, "health insurance is with X": true,
		"Had a blind date": true, "Prefers healthy snacks": true, "Blood type 0": true, "Emergency contact: Anna": true, "no gluten": true, "Ist Diabetiker": true,
		"Dietrich is a friend": false, "The music is deafening": false, "Blindow Street": false, "Medici were bankers": false, "Likes tea": false, "A commedia": false,
		"Es alérgica a los frutos secos": true, "Es alergica a la nuez": true, "Tiene diabetes": true, "Hat eine Nussallergie": true, "Laktoseintoleranz": true, "Sitzt im Rollstuhl": true,
		"Est végétarienne": true, "est enceinte": true, "Tem alergia a amendoim": true, "É celíaca": true, "È vegetariana": true, "È in gravidanza": true,
		"Is zwanger": true, "Аллергия на орехи": true, "Принимает лекарства": true, "对花生过敏": true, "ナッツアレルギーがある": true, "땅콩 알레르기가 있다": true, "喜欢喝茶": false, "お茶が好き": false, "차를 좋아한다": false, "Пьёт чай": false,
		"Ａllergic": true, "ve\u0301ge\u0301tarien": true,
	}
	for text, want := range tests {
		if got := IsHealth(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestIsRule(t *testing.T) {
	tests := map[string]bool{
		"Always answer in English": true, "never call before nine": true, "Don’t use emoji": true, "From now on, short replies": true, "Every time I ask, cite": true,
		"Whenever I travel, remind me": true, "please never do that": true, "Likes tea. Never coffee": true, "Reply style: always short": true,
		"He always liked tea": false, "I don't like olives": false, "Evergreen trees": false, "Neverland is a film": false, "": false,
		"Siempre en español": true, "Immer auf Deutsch antworten": true, "Ab jetzt kurz": true, "Toujours en français": true, "Sempre curto": true, "D'ora in poi breve": true, "Altijd kort": true,
		"Всегда кратко": true, "总是用中文回答": true, "请不要打电话": true, "特别喜欢茶": false, "いつも短く": true, "항상 짧게": true, "彼はいつも来る": false,
	}
	for text, want := range tests {
		if got := IsRule(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestIsQuestion(t *testing.T) {
	tests := map[string]bool{
		"Is it late?": true, "what is the plan": true, "can you help": true, "\"Really?\"": true, "¿Vienes": false, "何ですか": true, "你好吗": true, "잘 지냅니까": true, "Qué hora es": true,
		"When I travel I take the train": false, "Will prefers tea": false, "I live in Goa": false, "어머니": false, "静か": false, "What is the plan.": false, "": false,
	}
	for text, want := range tests {
		if got := IsQuestion(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestAsksToRemember(t *testing.T) {
	tests := map[string]bool{
		"Remember: short answers": true, "please remember that I'm in India": true, "OK. Keep in mind I fly on Friday": true, "Don't forget my birthday": true, "Note that I moved": true,
		"I remember the sea": false, "Do you remember Anna?": false, "Remember Anna?": false, "a remembered day": false, "": false,
		"Recuerda que vivo en Goa": true, "Merk dir: kurz": true, "Souviens-toi que j'habite à Goa": true, "Ricordati che vivo a Goa": true, "Lembre-se disso": true, "Vergeet niet te bellen": true,
		"Запомни: я в Гоа": true, "记住我住在果阿": true, "私はゴアに住んでいると覚えておいて": true, "고아에 산다고 기억해 줘": true, "彼は覚えている": false,
	}
	for text, want := range tests {
		if got := AsksToRemember(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestStopWord(t *testing.T) {
	for word, want := range map[string]bool{"the": true, "The": true, "der": true, "el": true, "и": true, "的": true, "Luna": false, "": false, "C": false, "don't": false, "office": false, "...": false} {
		if got := StopWord(word); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
}

// TestLanguagesAreWhole: a table with an empty list would answer no for ever.
func TestLanguagesAreWhole(t *testing.T) {
	for _, l := range languages() {
		for name, list := range map[string]string{"health": l.health, "rules": l.rules, "questions": l.questions, "remember": l.remember, "stop": l.stop, "joins": l.joins} {
			if list == "" {
				t.Errorf("%s has no %s", l.code, name)
			}
		}
	}
}
