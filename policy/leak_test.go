package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// TestLeakKeywords holds the list that is compiled in against the rule set.
func TestLeakKeywords(t *testing.T) {
	set, err := readLeaks()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for word, rules := range set.by {
		want = append(want, word)
		for _, rule := range rules {
			if len(rule.Keywords) == 0 {
				t.Errorf("%s has no keyword", rule.ID)
			}
		}
	}
	for _, rule := range set.rules {
		if len(rule.Keywords) == 0 {
			t.Errorf("%s has no keyword: it would never run", rule.ID)
		}
	}
	slices.Sort(want)
	got := strings.Fields(leakKeywords)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-rule set +list):\n%s", diff)
	}
}

// TestLeaksLikeGitleaks compares what our reading of the rules finds with what
// gitleaks itself finds.
func TestLeaksLikeGitleaks(t *testing.T) {
	theirs, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	theirs.IgnoreGitleaksAllow = true
	set, words := mustReadLeaks(), newWordList()
	texts := []string{
		"discord_client_secret = \"q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6\"",
		"adobe: 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
		"key = \"9sd8f7sd98f7s9d8f7aa11\"",
		"dop_v1_a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a5b6c7d8e9f0a1b2",
		"hvs.CAESIJlU9JMYEhOPYv4igdhm9PnZDrabYTobQ4Ymnlq1qY-0Gh4KHGh2cy5VdmFwa0pnUmVwUzFGMVpzUTZtUThuWmk",
		"linear_api = lin_api_a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0",
		"my 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 token",
		"SK0123456789abcdef0123456789abcdef",
		"curl -u anna:hunter2hunter2 https://example.com",
		"const ghp = 'ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2' // gitleaks:allow",
		"an ordinary note about the api and the key of the token",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
	}
	for _, text := range texts {
		padded := strings.Repeat("plain words before it\n", 300) + text + "\n" + strings.Repeat("and after it\n", 300)
		f := fold(padded)
		var hits []leakHit
		words.lexicon.scan(f.lower, func(h hit) {
			if h.kind == hitLeak {
				hits = append(hits, leakHit{word: f.lower[h.pos:h.end], pos: h.pos})
			}
		})
		want, got := map[string]bool{}, map[string]bool{}
		for _, finding := range theirs.DetectString(padded) {
			want[finding.Secret] = true
		}
		for _, s := range set.find(f, hits) {
			got[f.text[s.start:s.end]] = true
		}
		for secret := range want {
			if !got[secret] {
				t.Errorf("%q: gitleaks finds %q, we find %v", text, secret, got)
			}
		}
		if len(want) == 0 && len(got) > 0 {
			t.Errorf("%q: gitleaks finds nothing, we find %v", text, got)
		}
	}
}
