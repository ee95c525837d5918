package policy

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// caseNumber reads a value of the published cases: a number, "nan" or "inf", anything else
// is none.
func caseNumber(t *testing.T, raw string) *float64 {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err)
	}
	switch v {
	case "nan":
		return new(math.NaN())
	case "inf":
		return new(math.Inf(1))
	}
	if f, ok := v.(float64); ok {
		return &f
	}
	return nil
}

func TestParseAccount(t *testing.T) {
	tests := []struct {
		id   string
		want Account
		ok   bool
	}{
		{"qq:1", "qq:1", true},
		{"QQ:Ab", "qq:Ab", true},
		{"matrix:@anna:example.org", "matrix:@anna:example.org", true},
		{"my-app_2.1:ünal", "my-app_2.1:ünal", true},
		{"x:" + strings.Repeat("a", 94), Account("x:" + strings.Repeat("a", 94)), true},
		{"x:" + strings.Repeat("ü", 94), Account("x:" + strings.Repeat("ü", 94)), true},
		{"x:" + strings.Repeat("a", 95), "", false},
		{"", "", false},
		{"qq", "", false},
		{"qq:", "", false},
		{":1", "", false},
		{"bad id", "", false},
		{"qq :1", "", false},
		{"q/q:1", "", false},
		{"üq:1", "", false},
		{"qq:1 2", "", false},
		{"qq:1\n", "", false},
		{"qq:1\u0000", "", false},
		{"qq:1\u0085", "", false},
		{"qq:1\u3000", "", false},
		{"qq:1\u200b", "", false},
		{"qq:\u202e1", "", false},
		{"qq:1\ufe0f", "", false},
		{"qq:\xff", "", false},
	}
	for _, tc := range tests {
		if got, ok := ParseAccount(tc.id); got != tc.want || ok != tc.ok {
			t.Errorf("ParseAccount(%q) = %q, %t; want %q, %t", tc.id, got, ok, tc.want, tc.ok)
		}
	}
}

func TestResolveTrust(t *testing.T) {
	const qq = "qq:1"
	tests := []struct {
		name string
		in   TrustInput
		want *float64 // nil: it abstains
	}{
		{"rt02", TrustInput{Account: qq, Tier: TierNormal, Messages: 1_000_000}, new(0.52)},
		{"rt03", TrustInput{Account: qq, Tier: TierTrusted, Adjustments: 0.9, Messages: 50}, new(1.0)},
		{"rt04", TrustInput{Account: qq, Tier: TierNone, Adjustments: -0.9}, new(0.0)},
		{"rt05", TrustInput{Account: qq, Reported: new(0.8), Adjustments: 0.3, Messages: 20}, new(0.8)},
		{"rt06", TrustInput{Account: qq, Reported: new(0.95)}, new(0.8)},
		{"rt07", TrustInput{Account: qq, Reported: new(0.5), Adjustments: 0.08}, new(0.58)},
		{"rt08", TrustInput{Tier: TierAdmin}, nil},
		{"rt09", TrustInput{Account: qq, Tier: TierAdmin, Pending: true}, nil},
		{"rt10", TrustInput{Account: "x:1"}, nil},
		{"rt11", TrustInput{Account: "bad id", Tier: TierNormal}, nil},

		{"the owner's friend", TrustInput{Account: qq, Tier: TierTrusted}, new(0.8)},
		{"a tier is not capped as a telling is", TrustInput{Account: qq, Tier: TierAdmin, Reported: new(0.1)}, new(1.0)},
		{"a tier of another name is none", TrustInput{Account: qq, Tier: "root"}, nil},
		{"and leaves the telling", TrustInput{Account: qq, Tier: "ADMIN", Reported: new(0.4)}, new(0.4)},
		{"three messages", TrustInput{Account: qq, Tier: TierNone, Messages: 3}, new(0.303)},
		{"messages below none", TrustInput{Account: qq, Tier: TierNone, Messages: -5}, new(0.3)},
		{"the swing down", TrustInput{Account: qq, Tier: TierNormal, Adjustments: -7}, new(0.2)},
		{"a telling above one does not outlast a correction", TrustInput{Account: qq, Reported: new(5.0), Adjustments: -0.3}, new(0.7)},
		{"a telling below zero", TrustInput{Account: qq, Reported: new(-5.0), Adjustments: 0.3}, new(0.3)},
		{"a telling that is no number", TrustInput{Account: qq, Reported: new(math.NaN())}, nil},
		{"a telling without end", TrustInput{Account: qq, Reported: new(math.Inf(1))}, nil},
		{"events that could not be read", TrustInput{Account: qq, Tier: TierNormal, Unreadable: true}, nil},
		{"a sum that is no number", TrustInput{Account: qq, Tier: TierNormal, Adjustments: math.NaN()}, nil},
		{"nothing at all", TrustInput{}, nil},
	}
	for _, tc := range tests {
		got, ok := ResolveTrust(tc.in)
		if tc.want == nil {
			if ok || got != 0 {
				t.Errorf("%s: got %v, %t; want it to abstain", tc.name, got, ok)
			}
			continue
		}
		if !ok || got != *tc.want {
			t.Errorf("%s: got %v, %t; want %v", tc.name, got, ok, *tc.want)
		}
	}
}

func TestBandOf(t *testing.T) {
	tests := []struct {
		name, trust string
		want        Band
	}{
		{"tb01", "1.0", BandHigh},
		{"tb02", "0.75", BandHigh},
		{"tb03", "0.7499", BandMedium},
		{"tb04", "0.45", BandMedium},
		{"tb05", "0.44", BandLow},
		{"tb06", "true", BandUnknown},
		{"tb07", `"0.9"`, BandUnknown},
		{"tb09", `"nan"`, BandUnknown},
		{"without end", `"inf"`, BandUnknown},
		{"missing", "null", BandUnknown},
		{"zero", "0", BandLow},
		{"below zero", "-1", BandLow},
	}
	for _, tc := range tests {
		if got := BandOf(caseNumber(t, tc.trust)); got != tc.want {
			t.Errorf("%s: %s is %q, want %q", tc.name, tc.trust, got, tc.want)
		}
	}
}

func TestPreferByTrust(t *testing.T) {
	tests := []struct {
		name, old, fresh string
		want             Preferred
	}{
		{"tr01", "0.6", "0.45", PreferOld},
		{"tr03", "0.45", "0.6", PreferNew},
		{"tr05", `"nan"`, "0.3", PreferNeither},
		{"tr06", "0.8", `"inf"`, PreferNeither},
		{"a hair below the margin", "0.6", "0.4501", PreferNeither},
		{"the margin at the low end", "0.15", "0", PreferOld},
		{"the margin at the high end", "0.85", "1", PreferNew},
		{"equal", "0.5", "0.5", PreferNeither},
		{"old missing", "null", "0.9", PreferNeither},
		{"new missing", "0.9", "null", PreferNeither},
		{"true is no number", "true", "0.1", PreferNeither},
	}
	for _, tc := range tests {
		if got := PreferByTrust(caseNumber(t, tc.old), caseNumber(t, tc.fresh)); got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.name, got, tc.want)
		}
	}
}

func TestPreferByTrustIsAntisymmetric(t *testing.T) {
	score := rapid.Custom(func(t *rapid.T) *float64 {
		if rapid.IntRange(0, 4).Draw(t, "odd") == 0 {
			return rapid.SampledFrom([]*float64{nil, new(math.NaN()), new(math.Inf(1)), new(math.Inf(-1)), new(1e300), new(5e-324)}).Draw(t, "value")
		}
		return new(float64(rapid.IntRange(0, 100).Draw(t, "hundredths")) / 100)
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := score.Draw(t, "a"), score.Draw(t, "b")
		mirror := map[Preferred]Preferred{PreferOld: PreferNew, PreferNew: PreferOld, PreferNeither: PreferNeither}
		if got, back := PreferByTrust(a, b), PreferByTrust(b, a); back != mirror[got] {
			t.Fatalf("%v and back %v", got, back)
		}
	})
	for a := range 101 { // every pair of hundredths, against whole numbers
		for b := range 101 {
			want := PreferNeither
			if a-b >= 15 {
				want = PreferOld
			} else if b-a >= 15 {
				want = PreferNew
			}
			if got := PreferByTrust(new(float64(a)/100), new(float64(b)/100)); got != want {
				t.Fatalf("0.%02d and 0.%02d: got %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestNewTrustEvent(t *testing.T) {
	tests := []struct {
		name    string
		by      Voice
		account Account
		kind    Related
		want    bool
	}{
		{"the owner confirms", VoicePerson, "qq:1", Confirmation, true},
		{"the owner corrects", VoicePerson, "QQ:1", Correction, true},
		{"the owner says something else", VoicePerson, "qq:1", Unrelated, false},
		{"another person", VoiceOther, "qq:1", Confirmation, false},
		{"the bot", VoiceBot, "qq:1", Confirmation, false},
		{"another bot", VoiceOtherBot, "qq:1", Confirmation, false},
		{"nobody", VoiceNobody, "qq:1", Confirmation, false},
		{"no account", VoicePerson, "", Confirmation, false},
		{"malformed account", VoicePerson, "bad id", Confirmation, false},
		{"a kind of somebody's making", VoicePerson, "qq:1", "praise", false},
	}
	for _, tc := range tests {
		got, ok := NewTrustEvent(tc.by, tc.account, tc.kind, "f1", "f2")
		want := TrustEvent{}
		if tc.want {
			want = TrustEvent{Account: "qq:1", Kind: tc.kind, ID: TrustEventID(tc.kind, "f1", "f2")}
		}
		if diff := cmp.Diff(want, got); diff != "" || ok != tc.want {
			t.Errorf("%s: %t, -want +got\n%s", tc.name, ok, diff)
		}
	}
	// printf 'correction|f1|f2' | sha256sum
	if got, want := TrustEventID(Correction, "f1", "f2"), "f73aaa0bba690228aea5034a"; got != want {
		t.Errorf("id %s, want %s", got, want)
	}
}

func TestSumTrust(t *testing.T) {
	yes := func(account Account, id string) TrustEvent {
		return TrustEvent{Account: account, Kind: Confirmation, ID: id}
	}
	no := func(account Account, id string) TrustEvent {
		return TrustEvent{Account: account, Kind: Correction, ID: id}
	}
	tests := []struct {
		name   string
		events []TrustEvent
		want   float64
	}{
		{"none", nil, 0},
		{"one of each", []TrustEvent{yes("qq:1", "a"), no("qq:1", "b")}, -0.04},
		{"found again", []TrustEvent{yes("qq:1", "a"), yes("qq:1", "a"), yes("qq:1", "a")}, 0.04},
		{"three times 0.04 is 0.12", []TrustEvent{yes("qq:1", "a"), yes("qq:1", "b"), yes("qq:1", "c")}, 0.12},
		{"two accounts of one person", []TrustEvent{no("qq:1", "a"), no("tg:7", "b"), no("tg:7", "a")}, -0.16},
		{"an id of both kinds is a correction", []TrustEvent{no("qq:1", "a"), yes("qq:1", "a")}, -0.08},
		{"no id", []TrustEvent{yes("qq:1", "")}, 0},
		{"another kind", []TrustEvent{{Account: "qq:1", Kind: "praise", ID: "a"}}, 0},
		{"the whole is not clamped here", slices.Repeat([]TrustEvent{no("qq:1", "a"), no("qq:1", "b"), no("qq:1", "c"), no("qq:1", "d"), no("qq:1", "e")}, 2), -0.4},
	}
	for _, tc := range tests {
		if got := SumTrust(tc.events); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestAccountsAreClampedTogether: two accounts of one person have one swing, not two,
// and what one loses the other cannot hide behind its own limit.
func TestAccountsAreClampedTogether(t *testing.T) {
	var events []TrustEvent
	for i := range 10 {
		events = append(events, TrustEvent{Account: "qq:1", Kind: Confirmation, ID: "a" + string(rune('0'+i))})
		events = append(events, TrustEvent{Account: "tg:7", Kind: Correction, ID: "b" + string(rune('0'+i))})
	}
	got, _ := ResolveTrust(TrustInput{Account: "qq:1", Tier: TierNormal, Adjustments: SumTrust(events)}) // 0.4 - 0.8
	if got != 0.2 {
		t.Errorf("got %v, want 0.2: the sum of clamped sums would be 0.5", got)
	}
}

func TestSumTrustLaws(t *testing.T) {
	event := rapid.Custom(func(t *rapid.T) TrustEvent {
		return TrustEvent{
			Account: rapid.SampledFrom([]Account{"qq:1", "tg:7"}).Draw(t, "account"),
			Kind:    rapid.SampledFrom([]Related{Confirmation, Correction, Unrelated}).Draw(t, "kind"),
			ID:      rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e", "f"}).Draw(t, "id"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOf(event).Draw(t, "events")
		want := SumTrust(events)
		if got := SumTrust(rapid.Permutation(events).Draw(t, "order")); got != want {
			t.Fatalf("in another order %v, want %v", got, want)
		}
		n := rapid.IntRange(0, len(events)).Draw(t, "n")
		if got := SumTrust(slices.Concat(events[n:], events, events[:n])); got != want {
			t.Fatalf("merged from two clones %v, want %v", got, want)
		}
	})
}

// TestResolveTrustLaws: whatever comes in, a score is between 0 and 1, and one that
// rests on the account's own telling at most 0.8.
func TestResolveTrustLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := TrustInput{
			Account: "qq:1", Tier: rapid.SampledFrom([]TrustTier{"", TierAdmin, TierTrusted, TierNormal, TierNone, "owner"}).Draw(t, "tier"),
			Adjustments: rapid.Float64().Draw(t, "adjustments"), Messages: rapid.Int().Draw(t, "messages"),
		}
		if rapid.Bool().Draw(t, "reports") {
			in.Reported = new(rapid.Float64().Draw(t, "reported"))
		}
		got, ok := ResolveTrust(in)
		_, tier := in.Tier.base()
		if ok != (tier || in.Reported != nil) {
			t.Fatalf("abstains: %t", !ok)
		}
		if !(got >= 0 && got <= 1) || ok && !tier && got > 0.8 {
			t.Fatalf("score %v", got)
		}
	})
}
