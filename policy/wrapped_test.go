package policy

import (
	"encoding/base64"
	"hash/crc32"
	"strings"
	"testing"
)

// Every value here is made up.
const madeUpToken = "ghp" + "_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2"

func TestRedactHidden(t *testing.T) {
	wrap := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	tests := []struct{ name, text, secret string }{
		{"base64", "key " + wrap("password: hunter22"), wrap("password: hunter22")},
		{"base64 token", "b64 " + wrap(madeUpToken) + " end", wrap(madeUpToken)},
		{"base64 twice", "b64 " + wrap(wrap(madeUpToken)), wrap(wrap(madeUpToken))},
		{"base64 for addresses", base64.RawURLEncoding.EncodeToString([]byte("???password: hunter22")), "aHVudGVyMjI"},
		{"bold letters", "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝: hunter22", "hunter22"},
		{"Cyrillic in a Latin word", "pаsswоrd: hunter22", "hunter22"},
		{"Greek in a Latin word", "passwοrd is hunter22", "hunter22"},
		{"full width", "ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２２", "ｈｕｎｔｅｒ"},
		{"invisible", "pass\u200bword: hun\u00adter22", "ter22"},
		{"spaced out", "p a s s w o r d : h u n t e r 2", "h u n t e r 2"},
		{"spaced label", "P-A-S-S-W-O-R-D: hunter22", "hunter22"},
		{"spaced token", "x " + strings.Join(strings.Split(madeUpToken, ""), " "), "a B 3 d E 6"},
		{"percent", "password%3A%20hunter22", "hunter22"},
		{"hyphen at the line end", "my pass-\n  word: hunter22", "hunter22"},
		{"card over two lines", "4111 1111\n1111 1111", "1111\n1111"},
		{"next line", "Password:\n- hunter22", "hunter22"},
		{"paragraph under a label", "**Password**\nhunter22!\n", "hunter22"},
		{"IBAN in small letters", "konto de89 3704 0044 0532 0130 00", "0044"},
		{"IBAN with dashes", "DE89-3704-0044-0532-0130-00", "0044"},
		{"CPF", "cadastro 529.982.247-25 ok", "529.982.247-25"},
		{"DNI", "su número 12345678Z", "12345678Z"},
		{"NIE", "X1234567L", "X1234567L"},
		{"codice fiscale", "RSSMRA85T10A562S", "RSSMRA85T10A562S"},
		{"NIR", "numéro 1 85 05 78 006 084 91", "78 006"},
		{"NIR in one", "185057800608491", "185057800608491"},
		{"Chinese id", "11010519491231002X", "11010519491231002X"},
		{"Korean id", "900101-1234568", "900101-1234568"},
		{"British licence", "licence SMITH853106S99AA", "SMITH853106S99AA"},
		{"by label", "BSN 111222333", "111222333"},
		{"maiden name", "mother's maiden name: Smithson", "Smithson"},
		{"seed phrase", "legal winner thank year wave sausage worth useful legal winner thank yellow", "sausage"},
		{"seed phrase, numbered", "1. legal 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. legal 10. winner 11. thank 12. yellow", "sausage"},
		{"seed phrase, one a line", strings.ReplaceAll("legal winner thank year wave sausage worth useful legal winner thank yellow", " ", "\n"), "sausage"},
		{"seed phrase in capitals", "LEGAL-WINNER-THANK-YEAR-WAVE-SAUSAGE-WORTH-USEFUL-LEGAL-WINNER-THANK-YELLOW", "SAUSAGE"},
		{"marked off", madeUpToken + " // gitleaks:allow", madeUpToken},
		{"marked off, wrapped", "gitleaks:allow " + wrap(madeUpToken), wrap(madeUpToken)},
		{"vietnamese", "mật khẩu: bimat123", "bimat123"},
		{"arabic", "كلمة المرور: sirri123", "sirri123"},
		{"hebrew", "סיסמה: sodi1234", "sodi1234"},
	}
	red := NewRedactor()
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if !strings.Contains(tc.text, tc.secret) && tc.name != "base64 for addresses" && tc.name != "full width" && tc.name != "invisible" {
				t.Fatalf("%q is not in %q", tc.secret, tc.text)
			}
			got, n := red.Redact(tc.text)
			if n == 0 || strings.Contains(got, tc.secret) {
				t.Errorf("got %q", got)
			}
			if again, m := red.Redact(got); again != got || m != 0 {
				t.Errorf("%q -> %q", got, again)
			}
		})
	}
}

func TestRedactLeavesPlainThings(t *testing.T) {
	tests := []string{
		"logo " + base64.StdEncoding.EncodeToString([]byte("a plain text about nothing at all")), "sha512-" + strings.Repeat("aB3+", 20),
		"0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1", "c2: 0.2568692839860636", "- a - b - c - d - e - f", "A. B. C. D. E. F. G.", "| a | b | c | d | e | f | g |",
		"100%25 of it", "https://example.com/a%20b%3Ac", "well-\nknown and long-\n  lived", "4512 3456\n7890 1235", "- Password\n- Username\n- Notes", "Password:\n- see Bitwarden",
		"529.982.247-26", "12345678A", "X1234567A", "RSSMRA85T10A562X", "185057800608492", "110105194912310021", "900101-1234567", "SN123456A", "MODEL813199S99AA",
		"tools: memory_list, memory_search(since, until), memory_update(action add, text, until, topic, source), memory_history, memory_undo",
		"Москва и Питер", "Ελλάδα", "naïve café über", "Kоличество по-русски",
	}
	red := NewRedactor()
	for _, text := range tests {
		if got, n := red.Redact(text); n != 0 {
			t.Errorf("%q -> %q", text, got)
		}
	}
}

// TestSeedWords: the list is the published one, so its sum is the published sum.
func TestSeedWords(t *testing.T) {
	if sum := crc32.ChecksumIEEE([]byte(seedWords)); sum != 0xc1dbd296 {
		t.Errorf("%x", sum)
	}
}

func FuzzHidden(f *testing.F) {
	f.Add("p a s s w o r d : h u n t e r 2\n4111 1111\n1111 1111 %3A pass-\r\nword: \xff")
	f.Add("𝐩аss password:\n- hunter22 cGFzc3dvcmQ6IGh1bnRlcjIy legal winner")
	red := NewRedactor()
	f.Fuzz(func(t *testing.T, text string) {
		once, n := red.Redact(text)
		checkRedacted(t, red, text, once, n)
	})
}
