package policy

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type secretCase struct {
	ID   string   `json:"id"`
	Text string   `json:"text"`
	Want []string `json:"want"`
}

func readSecrets(t testing.TB) (neg, pos []secretCase) {
	t.Helper()
	raw, err := os.ReadFile("testdata/secrets.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Neg, Pos []secretCase }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	return file.Neg, file.Pos
}

func TestOrdinaryNotesStay(t *testing.T) {
	neg, _ := readSecrets(t)
	red := NewRedactor()
	for _, c := range neg {
		if got, n := red.Redact(c.Text); got != c.Text || n != 0 {
			t.Errorf("%s: got %q (%d masked), want it untouched: %q", c.ID, got, n, c.Text)
		}
	}
}

// TestCredentialsGo asks for 95 of 100: each miss is logged by name.
func TestCredentialsGo(t *testing.T) {
	_, pos := readSecrets(t)
	red := NewRedactor()
	missed := 0
	for _, c := range pos {
		got, _ := red.Redact(c.Text)
		for _, secret := range c.Want {
			if strings.Contains(got, secret) {
				missed++
				t.Logf("missed %s: %q -> %q", c.ID, c.Text, got)
				break
			}
		}
	}
	if missed*20 > len(pos) {
		t.Errorf("missed %d of %d", missed, len(pos))
	}
}

func TestRedact(t *testing.T) {
	const run = "abcdefghijklmnopqrstuvwxyz0123456789"
	tests := []struct{ name, text, want string }{
		{"assignment", "export DATABASE_PASSWORD=hunter2hunter2", "export DATABASE_PASSWORD=«redacted 14 chars»"},
		{"json", `{"api_key": "abcd1234efgh5678"}`, `{"api_key": "«redacted 16 chars»"}`},
		{"yaml in quotes", "client_secret: 'zzzz-yyyy-xxxx-1'", "client_secret: '«redacted 16 chars»'"},
		{"flag", "--token=abc123def456", "--token=«redacted 12 chars»"},
		{"flag and blank", "mysql --password hunter22 -u root", "mysql --password «redacted 8 chars» -u root"},
		{"bearer", `curl -H "Authorization: Bearer abc.def-ghi_jkl123456789"`, `curl -H "Authorization: Bearer «redacted 24 chars»"`},
		{"basic", "Authorization: Basic YW5uYTpodW50ZXIyMg==", "Authorization: Basic «redacted 20 chars»"},
		{"anthropic", "x sk-" + "ant-api03-" + run + " y", "x «redacted 49 chars» y"},
		{"github classic", "x gh" + "p_" + run + " y", "x «redacted 40 chars» y"},
		{"github fine-grained", "x github_" + "pat_" + run + " y", "x «redacted 47 chars» y"},
		{"slack", "x xox" + "b-" + run + " y", "x «redacted 41 chars» y"},
		{"aws id, also the documented one", "x AKIA" + "IOSFODNN7EXAMPLE y", "x «redacted 20 chars» y"},
		{"google", "x AI" + "zaSyA-abcdefghijklmnopqrstuvwxyz012345 y", "x «redacted 40 chars» y"},
		{"npm", "x npm" + "_" + run + " y", "x «redacted 40 chars» y"},
		{"address", "postgres://anna:s3cr3t@db.example.com:5432/x", "postgres://anna:«redacted 6 chars»@db.example.com:5432/x"},
		{"connection string", "Server=db;User Id=sa;Password=P@ssw0rd;", "Server=db;User Id=sa;Password=«redacted 8 chars»;"},
		{"bold", "- **Password:** `S3cure!pw`", "- **Password:** `«redacted 9 chars»`"},
		{"for the office", "- Password for the router is admin1234", "- Password for the router is «redacted 9 chars»"},
		{"passphrase of words", "- My password is correct horse battery staple", "- My password is «redacted 28 chars»"},
		{"code for the door", "- the code for the door is 4821", "- the code for the door is «redacted 4 chars»"},
		{"said before", "- hunter22 is my password", "- «redacted 8 chars» is my password"},
		{"two on a line", "PIN: 4821, password: hunter22", "PIN: «redacted 4 chars», password: «redacted 8 chars»"},
		{"same twice", "password: hunter22\npassword: hunter22", "password: «redacted 8 chars»\npassword: «redacted 8 chars»"},
		{"wrapped token", "- key is AKIAQYLPMN5H\n  HHFPZAM2", "- key is «redacted 12 chars»\n  «redacted 8 chars»"},
		{"table", "| site | PIN |\n|---|---|\n| bank | 4821 |", "| site | PIN |\n|---|---|\n| bank | «redacted 4 chars» |"},
		{"spanish", "- La contraseña del banco es Luna!2020", "- La contraseña del banco es «redacted 9 chars»"},
		{"german", "- Das WLAN-Passwort lautet Regenbogen7!", "- Das WLAN-Passwort lautet «redacted 12 chars»"},
		{"russian", "- пароль от вайфая: qwerty123", "- пароль от вайфая: «redacted 9 chars»"},
		{"chinese", "- 密码：abc12345", "- 密码：«redacted 8 chars»"},
		{"korean", "- 비밀번호는 abc1234", "- 비밀번호는 «redacted 7 chars»"},
		{"bytes that are no text", "\xff\x00 password: hunter22 \x00\xfe", "\xff\x00 password: «redacted 8 chars» \x00\xfe"},
		{"characters are counted", "password: hüntér22", "password: «redacted 8 chars»"},
		{"key", "a\n  -----BEGIN RSA PRIVATE KEY-----\n  MIIEow\n  5Yk0\n  -----END RSA PRIVATE KEY-----\nb", "a\n  -----BEGIN RSA PRIVATE KEY-----\n  «redacted 13 chars»\n  -----END RSA PRIVATE KEY-----\nb"},
		{"key without end stays in its entry", "- x\n  -----BEGIN EC PRIVATE KEY-----\n  MHcCAQEEIIGl\n- likes tea\n", "- x\n  -----BEGIN EC PRIVATE KEY-----\n  «redacted 12 chars»\n- likes tea\n"},
		{"key that another entry ends", "-----BEGIN EC PRIVATE KEY-----\n- likes tea\n-----END EC PRIVATE KEY-----\n", "-----BEGIN EC PRIVATE KEY-----\n- likes tea\n-----END EC PRIVATE KEY-----\n"},
		{"marked off", "password: hunter22 # gitleaks:allow", "password: «redacted 8 chars» # gitleaks:allow"},
		{"guillemets", "password: «hunter22»", "password: ««redacted 8 chars»»"},
		{"a marker that is none", "password: «redacted hunter22", "password: «redacted «redacted 8 chars»"},
		{"beside a marker", "- password: `pass«redacted 7 chars»`", "- password: `pass«redacted 7 chars»`"},
	}
	red := NewRedactor()
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, n := red.Redact(tc.text)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if want := strings.Count(tc.want, marker) - strings.Count(tc.text, marker); n != want {
				t.Errorf("%d masked, want %d", n, want)
			}
		})
	}
}

func TestRedactStays(t *testing.T) {
	tests := []string{
		"", "pw: abc",
		"the keyboard shortcut is cmd-k",
		"git commit 3f2a9c1e7b4d5a6f8e9c0b1a2d3e4f5a6b7c8d9e",
		"https://example.com/path?page=2&sort=asc",
		"const token = await getToken(); // fetches later",
		"password: (leave blank to keep)",
		"risk-based plan for desk-organiser-with-drawers",
		"550e8400-e29b-41d4-a716-446655440000",
		"apiKey: import.meta.env.VITE_KEY",
		"The password reset page is slow",
		"no API key in the build",
		"api_key: ${API_KEY}", "password: <your password>", "password: ********", "password: {{ vault_pw }}",
		"token := os.Getenv(\"TOKEN\")", "token = request.headers[\"x-token\"]", "if password == \"\" { return err }",
		"- Password: see Bitwarden", "- Password: ask Anna on Monday", "- password policy: 12 characters, rotate yearly",
		"- The password is 12 characters long", "- token: expires in 30 days", "- pin: 4-digit code, set in the app",
		"- Login page / signup page need tests", "- Secret project: Bluebird", "- secret: the party is on Friday",
		"- mnemonic for planets: my very educated mother", "- Bearer authentication is used", "- bearer of good news",
		"- The gate code changes on 2026-10-01", "- passport expires 2031-01-01", "- Alarm 0730 on weekdays",
		"- max_tokens: 4096", "- sort_key=name", "- Order 4512 3456 7890 shipped", "- GTIN 04012345123456",
		"- Das Passwort liegt im Safe", "- La clave está en la mesa", "- пароль хранится в сейфе", "- パスワードは1Passwordに保存",
		"- Keeps a secret: hates cilantro", "- seed: tomato basil carrot pepper", "- token_type: bearer", "- GPIO pin 13 drives the LED", "- Credentials: PhD, MD", "- Bus pass: monthly",
		"| name | value |\n|---|---|\n| a | Zebra!88 |",
	}
	red := NewRedactor()
	for _, text := range tests {
		if got, n := red.Redact(text); got != text || n != 0 {
			t.Errorf("got %q (%d masked), want it untouched: %q", got, n, text)
		}
	}
}

// pieces are what hostile and ordinary texts are put together from.
var pieces = []string{
	"password", "token", "PIN", " is ", ": ", "=", "hunter22", "Tr0ub4dor&3", "ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2", "AKIAQYLPMN5H", "HHFPZAM2",
	"\n", "\r\n", "  ", "- 2026-09-10 · ", "«redacted 7 chars»", "«redacted ", " chars»", "»", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----",
	"MIIEowIBAAKCAQEA", "4111 1111 1111 1111", "GB82WEST12345698765432", "219-09-9999", "| ", "|---|---|", "\xff", "\x00", "パスワードは ", "\u200b", "seed phrase: ",
	"legal winner thank year wave sausage worth useful legal winner thank yellow", "\"", "'", "`", "://anna:", "@host", "Bearer ", "--token ", "my ", "sk-",
}

func mixedText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), "")
}

func TestRedactTwiceIsOnce(t *testing.T) {
	red := NewRedactor()
	rapid.Check(t, func(t *rapid.T) {
		text := mixedText(t)
		once, n := red.Redact(text)
		checkRedacted(t, red, text, once, n)
	})
}

func checkRedacted(t interface{ Fatalf(string, ...any) }, red *Redactor, text, once string, n int) {
	if n == 0 && once != text {
		t.Fatalf("%q became %q and nothing was masked", text, once)
	}
	if twice, m := red.Redact(once); twice != once || m != 0 {
		t.Fatalf("%q -> %q -> %q (%d masked)", text, once, twice, m)
	}
	if !strings.Contains(text, "-----BEGIN") && !strings.Contains(text, "Private-Lines") && strings.Count(text, "\n") != strings.Count(once, "\n") {
		t.Fatalf("%q -> %q: lines were lost", text, once)
	}
	if utf8.ValidString(text) && !utf8.ValidString(once) {
		t.Fatalf("%q -> %q: broken characters", text, once)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("- password: hunter2 «redacted 3 chars»")
	f.Add("\xff4111 1111 1111 1111\x00 Bearer aaaaaaaaaaaa1")
	f.Add("-----BEGIN RSA PRIVATE KEY-----\nx\n")
	f.Add("| password |\n|---|\n| Zebra!88 |")
	red := NewRedactor()
	f.Fuzz(func(t *testing.T, text string) {
		once, n := red.Redact(text)
		checkRedacted(t, red, text, once, n)
	})
}

func TestRedactAtTheSameTime(t *testing.T) {
	red := NewRedactor()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				if got, n := red.Redact("token ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2, discord_secret = \"q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6\""); n != 2 {
					t.Errorf("got %q", got)
				}
			}
		})
	}
	wait.Wait()
}
