package policy

import "testing"

func TestEphemeral(t *testing.T) {
	tests := map[string]bool{
		// Kotoba's collector.
		"Works with Node.js and React daily": false, "Moving to Barcelona in September": false, "Running a marathon in October": false, "Removing gluten from his diet permanently": false, "Serves in the army command structure": false,
		"Running npm version command": true, "Creating a folder named test": true, "Adding a line that says 'el pepe' to saludo2.txt": true,

		"Editing app.css right now": true, "Deleting the old config file": true, "Creating a Notion page titled 'Trial'": true, "Adding a new baby to the family in March": false, "Creating art as a hobby since childhood": false,
		"Building Aurora, a Next.js photography portfolio site": false, "Downloading the report.pdf": true, "Testing a new script": true, "Asked the assistant to open the browser": true, "Asked the bot about the weather": true,
		"Asked the assistant to always answer in Spanish": false, "Asked to be called Ana": false, "Is chatting with the assistant right now": true, "Wants a joke in this conversation": true, "Chats with an AI every day": false,
		"Installing solar panels for a living": false, "Adding a room to the house in May": false,

		"Tired today": true, "The person is tired": true, "Is exhausted right now": true, "Just had coffee": true, "Is debugging a React app right now": true, "The user is editing main.go": true, "I'm on my way": true, "In a bad mood today": true,
		"Is always tired on Mondays": false, "Gets tired easily": false, "Has chronic fatigue": false, "Drinks coffee every day": false, "Just had a baby": false, "Just moved to Goa": false, "Writes a novel": false, "Currently lives in Berlin": false,
		"Deleted the legacy config.yaml": false, "Moved all files to /srv/data": false, "Is training for a marathon": false, "Is happy in Goa": false, "Busy on Mondays": false, "": false,

		"Está cansada hoy": true, "Acabo de tomar un café": true, "Siempre está cansada": false,
		"Ist heute müde": true, "Hatte gerade einen Kaffee": true, "Trinkt jeden Tag Kaffee": false,
		"Est fatiguée ce soir": true, "Boit du café tous les jours": false, "Está cansado agora": true, "È stanca stasera": true, "Is vandaag moe": true, "Сегодня устала": true, "Всегда устаёт": false,
		"今天很累": true, "每天喝咖啡": false, "今日は疲れた": true, "毎日コーヒーを飲む": false, "오늘 피곤해": true, "매일 커피를 마셔요": false,
	}
	for text, want := range tests {
		if got := Ephemeral(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestIsYearly(t *testing.T) {
	tests := map[string]bool{
		"Birthday is 2 May": true, "Anna's birthday is on 5 October": true, "Wedding anniversary on 12 June": true, "Born on 3 April": true, "Celebrates Christmas in Prague": true, "Name day is 26 July": true, "Runs the race every year": true,
		"In Goa until Christmas": false, "Report due before my birthday": false, "Exams this weekend": false, "Works from Goa": false, "The year plan": false, "": false,
		"Su cumpleaños es el 3 de abril": true, "Aniversario de bodas en junio": true, "En Goa hasta Navidad": false,
		"Hat am 3. April Geburtstag": true, "Hochzeitstag ist am 12. Juni": true, "In Goa bis Weihnachten": false,
		"Son anniversaire est le 3 avril": true, "Fête Noël à Lyon": true, "À Goa jusqu'à Noël": false,
		"Aniversário em 3 de abril": true, "Em Goa até o Natal": false, "Il compleanno è il 3 aprile": true, "A Goa fino a Natale": false, "Verjaardag is op 3 april": true, "In Goa tot kerst": false,
		"День рождения 3 апреля": true, "Годовщина свадьбы в июне": true, "В Гоа до Нового года": false,
		"生日是四月三日": true, "结婚纪念日在六月": true, "在果阿待到圣诞之前": false, "誕生日は4月3日": true, "クリスマスまでゴアにいる": false, "생일은 4월 3일": true, "크리스마스까지 고아에 있다": false,
	}
	for text, want := range tests {
		if got := IsYearly(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
