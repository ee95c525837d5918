package policy

import "testing"

func TestDelicate(t *testing.T) {
	tests := []struct {
		name, said, fact string
		want             bool
	}{
		{"said plainly", "I'm Muslim and I keep Ramadan", "Is Muslim", true},
		{"inferred from food", "I need a halal restaurant in Berlin", "Is Muslim", false},
		{"inferred from a day", "I'm off for Yom Kippur on Monday", "Is Jewish", false},
		{"a bare statement", "Muslim, 34, from Leeds", "Is Muslim", true},
		{"my religion", "My religion is Hinduism, by the way", "Religion is Hinduism", true},
		{"a brother's", "I think my brother is gay", "Is gay", false},
		{"a colleague's", "My boss is a Republican I think", "Is a Republican", false},
		{"he is", "He is Catholic, and we get along", "Is Catholic", false},
		{"both of them", "My brother and I are Muslim", "Is Muslim", true},
		{"people from it", "I go camping with friends from church", "Camps with friends from church", true},
		{"heritage by the grandparents", "My grandparents came from Suriname and we keep the kitchen", "Surinamese heritage", true},
		{"a parent's origin", "My mother is Kurdish, so we speak both", "Of Kurdish descent", true},
		{"a friend's origin", "A friend of mine is Kurdish, great cook", "Of Kurdish descent", false},
		{"own diagnosis", "I was diagnosed with depression in 2019", "Diagnosed with depression", true},
		{"inferred diagnosis", "I've been feeling down for months", "Has depression", false},
		{"a child's illness", "My son has epilepsy since he was three", "Son has epilepsy", true},
		{"a colleague's illness", "My colleague has cancer, it is sad", "Colleague has cancer", false},
		{"an allergy is no such topic", "Shellfish makes my throat close up", "Allergic to shellfish", true},
		{"own salary", "I earn 62,000 a year in Leeds", "Earns 62,000 a year", true},
		{"salary without a figure", "Let me tell you about work, it is fine", "Gets a salary", true},
		{"somebody's salary", "My manager earns 90,000 a year I heard", "Manager earns 90,000 a year", false},
		{"own union", "I'm in a union at the plant", "Is in a union", true},
		{"inferred union", "We went on strike for two days", "Is a union member", false},
		{"own record", "I was convicted of fraud in 2010", "Convicted of fraud", true},
		{"own vote", "I vote for the Green Party each time", "Votes for the Green Party", true},
		{"inferred politics", "I read the Guardian every day", "Is a leftist", false},
		{"a street", "Our office is on Church Street", "Office is on Church Street", true},
		{"a field of work", "I write software for criminal law firms", "Writes software for criminal law firms", true},
		{"an art", "I study Buddhism in art at Leiden", "Studies Buddhism in art", true},

		{"es, own", "Soy católica desde siempre", "Is Catholic", true},
		{"es, inferred", "Busco un colegio de monjas para mi hija", "Is Catholic", false},
		{"es, brother", "Mi hermano es gay y vive en Lima", "Is gay", false},
		{"de, own", "Ich bin in der Gewerkschaft", "Is a union member", true},
		{"de, inferred", "Wir haben zwei Tage gestreikt", "Is a union member", false},
		{"de, brother", "Mein Bruder ist schwul, na und", "Is gay", false},
		{"fr, own", "Je suis musulmane et je vis à Lyon", "Is Muslim", true},
		{"fr, friend", "Mon collègue est juif, on en parle", "Is Jewish", false},
		{"pt, own", "Sou evangélica há anos", "Is evangelical", true},
		{"it, own", "Sono atea convinta da sempre", "Is an atheist", true},
		{"nl, own", "Ik ben gereformeerd opgevoed", "Is Protestant", true},
		{"ru, own", "Я православная и соблюдаю пост", "Is a Christian", true},
		{"ru, brother", "Мой брат мусульманин уже давно", "Is a Muslim", false},
		{"zh, own", "我信佛，每周去寺庙", "Is a Buddhist", true},
		{"zh, friend", "我朋友是穆斯林", "Is Muslim", false},
		{"ja, own", "私はクリスチャンです", "Is a Christian", true},
		{"ja, friend", "友達はイスラム教徒です", "Is Muslim", false},
		{"ko, own", "저는 무교예요, 절에는 안 가요", "Has no religion", true},
		{"ko, friend", "친구는 무슬림이에요", "Is Muslim", false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := Candidate{Text: tc.fact, Kind: KindFact, AboutUser: true, Quotes: []string{tc.said}}
			_, err := c.Admit(person(tc.said), CaptureRules{})
			if got := ruleOf(t, err); (got == "") != tc.want || got != "" && got != RuleTopic {
				t.Errorf("rule %q, admitted %v (%v)", got, tc.want, err)
			}
			if _, err := c.Admit(person(tc.said), CaptureRules{Sensitive: true}); err != nil {
				t.Errorf("with the switch on: %v", err)
			}
		})
	}
}
