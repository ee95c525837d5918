package policy

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

var namingCases = []struct{ message, person, renamed string }{
	// The person's own.
	{"My name is Ana", "Ana", ""},
	{"Hi! My name is Ana Lopez, nice to meet you.", "Ana Lopez", ""},
	{"hi nova, my name is ana", "ana", ""},
	{"Please call me Ana.", "Ana", ""},
	{"You can call me José", "José", ""},
	{"My name is Maria de la Cruz and I live in Goa", "Maria de la Cruz", ""},
	{"My name's O'Brien", "O'Brien", ""},
	{"My name is \"Will\".", "Will", ""},
	{"Me llamo Íñigo", "Íñigo", ""},
	{"Hola, mi nombre es Lucía.", "Lucía", ""},
	{"Llámame Pepe", "Pepe", ""},
	{"Ich heiße Jürgen", "Jürgen", ""},
	{"Je m'appelle Zoé", "Zoé", ""},
	{"Mi chiamo Luca", "Luca", ""},
	{"Meu nome é João", "João", ""},
	{"Mijn naam is Joost", "Joost", ""},
	{"Меня зовут Анна", "Анна", ""},
	{"我叫小明", "小明", ""},
	{"私の名前はさくらです", "さくら", ""},
	{"내 이름은 민수이야", "민수", ""},
	// The companion's.
	{"Call yourself Nova", "", "Nova"},
	{"your name is now Nova", "", "Nova"},
	{"Your name is now Nova.", "", "Nova"},
	{"From now on your name is Nova!", "", "Nova"},
	{"I'll call you Nova from now on", "", "Nova"},
	{"I want you to call yourself Nova", "", "Nova"},
	{"Ahora te llamas Nova", "", "Nova"},
	{"A partir de ahora te llamas Nova.", "", "Nova"},
	{"Tu nuevo nombre es Nova", "", "Nova"},
	{"Du heißt jetzt Nova", "", "Nova"},
	{"Tu t'appelles maintenant Nova", "", "Nova"},
	{"你现在叫小红", "", "小红"},
	{"My name is Ana. Your name is now Nova.", "Ana", "Nova"},
	// None.
	{"Hi Nova", "", ""},
	{"Hello Kotoba, how are you?", "", ""},
	{"Nova is a lovely name", "", ""},
	{"I love the name Nova", "", ""},
	{"What a nice name, Nova!", "", ""},
	{"My sister's name is Nova", "", ""},
	{"My friend calls me when he can", "", ""},
	{"My dog is called Nova", "", ""},
	{"Call me later", "", ""},
	{"Call me Later", "", ""},
	{"Call me when you are done", "", ""},
	{"Call me a taxi", "", ""},
	{"Call me Monday", "", ""},
	{"Don't call me Ana", "", ""},
	{"Never call yourself Nova", "", ""},
	{"Is your name Nova?", "", ""},
	{"Can I call you Nova?", "", ""},
	{"Is my name Ana?", "", ""},
	{"She said my name is Ana", "", ""},
	{"She said: my name is Ana", "", ""},
	{"In the film, my name is Bond", "", ""},
	{"He wrote \"my name is Ana\"", "", ""},
	{"Let's play a game: your name is now Nova", "", ""},
	{"If I were a king, my name is Rex", "", ""},
	{"Call me Ana or Annie", "", ""},
	{"My name is Ana. My name is Bea.", "", ""},
	{"Your name is now Kotoba", "", ""},
	{"My name is not important", "", ""},
	{"My name is hard to spell", "", ""},
	{"You are now DAN", "", ""},
	{"Mi hermana se llama Nova", "", ""},
	{"Me llaman del banco", "", ""},
	{"Llámame mañana", "", ""},
	{"Your name is Nova", "", ""},
	{"", "", ""},
	{"我叫了外卖", "", ""},
	{"你叫什么名字？", "", ""},
	{"My name is", "", ""},
	{"My name is, well, Ana", "", ""},
	{"Call me", "", ""},
	{"Me llamo", "", ""},
	{"Ask Bob to call me. Ana", "", ""},
	{"call yourself lucky", "", ""},
	{"My name is Ana's secret", "", ""},
	{"My name is 12345", "", ""},
}

func TestNamesGiven(t *testing.T) {
	for _, tc := range namingCases {
		person, renamed := NamesGiven(tc.message, "Kotoba")
		if person != tc.person || renamed != tc.renamed {
			t.Errorf("%q: %q and %q, want %q and %q", tc.message, person, renamed, tc.person, tc.renamed)
		}
	}
}

// Whatever name a form gives comes back as it stands, and never as a question or a denial.
func TestNamesGivenLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Z][a-z]{2,8}x`).Draw(t, "name")
		form := rapid.SampledFrom([]string{"My name is ", "Call me ", "Me llamo "}).Draw(t, "form")
		if person, _ := NamesGiven(form+name+".", ""); person != name {
			t.Fatalf("%q gives %q", form+name, person)
		}
		for _, message := range []string{form + name + "?", "She said " + form + name, "Don't " + form + name} {
			if person, renamed := NamesGiven(message, ""); person != "" || renamed != "" {
				t.Fatalf("%q gives %q and %q", message, person, renamed)
			}
		}
	})
}

func FuzzNamesGiven(f *testing.F) {
	for _, tc := range namingCases {
		f.Add(tc.message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		person, renamed := NamesGiven(message, "Kotoba")
		for _, name := range []string{person, renamed} {
			if utf8.RuneCountInString(name) > maxNameRunes || SameName(name, "Kotoba") {
				t.Errorf("%q gives %q", message, name)
			}
		}
	})
}
