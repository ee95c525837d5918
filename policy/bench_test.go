package policy

import (
	"strings"
	"testing"
	"time"
)

const plainNote = "- 2026-09-10 · from chat \"Follow-up\" · The person prefers short replies in the morning and longer ones at night; " +
	"likes jasmine tea, the colour indigo, long walks by the river and old maps of Lisbon.\n"

func BenchmarkRedact(b *testing.B) {
	neg, pos := readSecrets(b)
	var file strings.Builder
	for i := 0; file.Len() < MaxBytes; i++ {
		file.WriteString(neg[i%len(neg)].Text + "\n")
		if i%20 == 0 {
			file.WriteString(pos[i/20%len(pos)].Text + "\n")
		}
	}
	tests := []struct{ name, text string }{
		{"200B", plainNote},
		{"200B-masked", plainNote[:100] + " password: hunter22, token ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2"},
		{"24KB-plain", strings.Repeat(plainNote, MaxBytes/len(plainNote))},
		{"24KB-notes", file.String()},
	}
	for _, tc := range tests {
		b.Run(tc.name, func(b *testing.B) {
			red := NewRedactor()
			red.Warm()
			b.SetBytes(int64(len(tc.text)))
			for b.Loop() {
				red.Redact(tc.text)
			}
		})
	}
}

func BenchmarkStart(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			NewRedactor().Redact(plainNote)
		}
	})
	b.Run("keyword", func(b *testing.B) {
		for b.Loop() {
			NewRedactor().Redact("- the token is 9f8a7b6c5d4e3f2a1b0c")
		}
	})
	b.Run("warm", func(b *testing.B) {
		for b.Loop() {
			NewRedactor().Warm()
		}
	})
}

// hostile are texts of MaxFileBytes bytes made to cost much.
func hostile() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, MaxFileBytes/len(s)+1)[:MaxFileBytes] }
	return map[string]string{
		"a":          fill("a"),
		"digits":     fill("4"),
		"groups":     fill("4111 "),
		"password":   fill("password "),
		"password:":  fill("password: "),
		"password:x": fill("password: hunter22 "),
		"lines":      fill("password: hunter22\n"),
		"chain":      fill("token=password="),
		"is":         fill("x is my password "),
		"for":        fill("password for a b c "),
		"url":        fill("://a:"),
		"dashes":     fill("-"),
		"flags":      fill("--token "),
		"begin":      fill("-----BEGIN RSA PRIVATE KEY-----"),
		"begin-body": fill("-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n"),
		"jwt":        fill("eyJ"),
		"jwt-dots":   fill("eyJaaaaaaaa."),
		"sk":         fill("sk-aaaaaaaaaaaaaaaaaa "),
		"sk-sk":      fill("sk-"),
		"pipes":      fill("|-"),
		"table":      "|password|\n|--|\n" + fill("|x|")[:MaxFileBytes-20],
		"keywords":   fill(strings.ReplaceAll(leakKeywords, "\n", " ")),
		"generic":    fill("api_key = \"a8f3k29d1k2j33kd\" "),
		"markers":    fill("«redacted 7 chars»"),
		"marker":     fill("«redacted "),
		"wide":       fill("密码是"),
		"quotes":     fill("password \""),
		"seed":       fill("seed phrase: apple "),
		"words":      fill("password: apple apple apple "),
		"newlines":   fill("\n"),
		"iban":       fill("GB82 "),
		"spaced":     fill("p a s s "),
		"percent":    fill("%3A"),
		"hyphens":    fill("pass-\n"),
		"base64":     fill("cGFzc3dvcmQ6IGh1bnRlcjIy "),
		"base64-one": fill("cGFzc3dvcmQ6IGh1bnRlcjIy"),
		"bip39":      fill("legal winner "),
		"mixed":      fill("pаss"),
		"bold":       fill("𝐩"),
		"long lines": fill("4111 1111\n"),
	}
}

// TestHostileTextIsLinear lets no text take time with the square of its length: a
// text that takes seconds, as on a busy machine under the race detector many do, is
// held against a quarter of it, which takes a quarter of the time, not a sixteenth.
func TestHostileTextIsLinear(t *testing.T) {
	red := NewRedactor()
	red.Warm()
	for name, text := range hostile() {
		start := time.Now()
		red.Redact(text)
		spent := time.Since(start)
		t.Logf("%-12s %v", name, spent.Round(time.Millisecond))
		if spent < 2*time.Second {
			continue
		}
		start = time.Now()
		red.Redact(text[:len(text)/4])
		if quarter := time.Since(start); spent > 10*quarter {
			t.Errorf("%s: %v for %d bytes, %v for a quarter of them", name, spent, len(text), quarter)
		}
	}
}
