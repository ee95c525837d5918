package policy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var foreignFacts = []string{
	// Spanish.
	"Vive en Madrid", "Tiene un perro", "Estudia por las noches", "vive en Madrid", "Prefiere el té verde", "Es de Caracas", "Trabaja como ingeniero de seguridad", "Está construyendo una web", "Su perro se llama Toby",
	"No tiene hijos", "Su color favorito es el verde musgo", "El cumpleaños de Ana es en mayo", "Habla inglés", "Come carne los domingos", "VIVE EN MADRID", "Le gusta el café", "Tiene un perro llamado Luna",
	"Tiene un perro que se llama \"The Dog\"",
	// French.
	"Habite à Paris", "A un chien", "Aime le thé", "J'aime le thé vert", "Est allergique aux noix", "Travaille dans une banque", "Sa couleur préférée est le bleu", "Ne boit pas de café", "Parle anglais",
	// German.
	"Wohnt in Berlin", "Hat einen Hund", "Mag Hunde", "Ist mit Anna verheiratet", "Die Katze heißt Luna", "Trinkt keinen Kaffee", "Arbeitet als Ärztin", "Ihre Lieblingsfarbe ist Blau", "Ist Vegetarier",
	// Portuguese.
	"Mora em Lisboa", "Tem dois gatos", "Gosta de chá", "É professora", "Trabalha como médica", "Não come carne", "A cor preferida dele é azul",
	// Italian.
	"Vive a Roma", "Ha un cane", "Abita a Milano", "Non mangia carne", "Le piace il tè", "Lavora come medico", "Il suo colore preferito è il blu",
	// Dutch.
	"Woont in Utrecht", "Heeft een hond", "Houdt van thee", "Is getrouwd met Anna", "Werkt als arts in een ziekenhuis", "Zijn lievelingskleur is blauw",
	// Other scripts.
	"Живёт в Москве", "Любит чай", "У неё есть собака", "住在北京", "喜欢喝茶", "東京に住んでいる", "Netflixが好き", "寿司が好きです", "서울에 살아요", "커피를 좋아해요", "يعيش في القاهرة", "Ζει στην Αθήνα",
	"喜欢用Python编程",
	// A part of it.
	"Likes tea. Vive en Madrid",
}

var englishFacts = []string{
	"Lives in Madrid", "lives in Madrid", "Lives in El Paso", "Has a dog named Luna", "Visited Los Angeles in the spring", "Report is called “Atrapa la fruta”", "Works as a security engineer", "Uses ES modules", "Prefers green tea",
	"Is allergic to peanuts", "Studies at night", "Speaks English", "Building Kotoba, an AI companion", "Likes sushi", "Name is José Núñez", "Name is 李雷", "Likes 寿司", "Studied 中文 in Beijing", "Favorite anime is 進撃の巨人",
	"Sister is called Иван Петров", "Favorite song is La vida es un carnaval", "Favorite song is la vida es un carnaval", "Loves crème brûlée", "Eats pan con tomate", "Drinks café con leche", "Works with Médecins Sans Frontières",
	"Address is Calle de la Luna 5", "Born in Rio de Janeiro", "Reads Der Spiegel and Die Zeit", "Fan of Ludwig van Beethoven", "Married to Maria de la Cruz", "Email is juan.perez@correo.es", "Uses `el.classList.add` in code",
	"Says 'hasta la vista' to everyone", "The motto is \"Vive la vida\"", "Hat collector and hiker", "Die Hard is the favourite film", "La La Land is a favourite", "Le Mans fan", "Da Vinci fan", "Drives a VW Golf", "Vegetarian", "Luna", "",
	"Likes jalapeño and piñata parties", "Plays in a band", "Dog's name is Amélie", "Has a chat group for the war game", "Likes rock and pain au chocolat", "Was born in San José, Costa Rica", "Website is https://vive.es/en/casa",
	"Manager at Volkswagen AG in Wolfsburg", "Son is called Juan", "Ana's son lives in La Paz", "Allergic to nuts", "Dr. García is the dentist", "St. Louis is home", "Owns a Casa del Sol timeshare", "Works on Les Misérables", "Uses vim",
	"No sugar in coffee", "Per diem is 40 euros", "Mag 7 investor", "Has an Alfa Romeo and a Fiat", "Learning Spanish and German", "Goes to Café de Flore", "Deutsche Bahn employee", "Uses Visual Studio Code", "Dislikes die cut stickers",
	"Marie lives nearby", "NATO analyst in Brussels", "Uber driver", "Utilises tools", "Née Smith", "Mia adores cats", "Era of jazz enthusiast", "Court clerk", "Voyage planner", "Voyage planner for la Marina", "I'd like an espresso",
}

func TestEnglish(t *testing.T) {
	for _, text := range foreignFacts {
		if English(text) {
			t.Errorf("%q passes for English", text)
		}
	}
	for _, text := range englishFacts {
		if !English(text) {
			t.Errorf("%q is refused", text)
		}
	}
}

// What is quoted never decides, whatever its language.
func TestEnglishQuotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.SampledFrom(foreignFacts).Draw(t, "title")
		if strings.ContainsAny(title, "\"") {
			return
		}
		if text := "Favorite book is \"" + title + "\""; !English(text) {
			t.Fatalf("%q is refused", text)
		}
	})
}

func FuzzEnglish(f *testing.F) {
	for _, text := range append(foreignFacts, englishFacts...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if English(text) != English(text+" ") {
			t.Errorf("a blank decides on %q", text)
		}
	})
}
