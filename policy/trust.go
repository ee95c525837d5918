package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Account is who speaks, on which platform: "qq:1001". It comes from the host's
// facts about a turn, never from what was said in it.
type Account string

const maxAccountRunes = 96

// ParseAccount reads platform:actor. The platform has letters, digits, _ . and -,
// and is put in lower case; the actor is kept as it is. Refused are more than 96
// characters, blanks, and characters that control or do not show.
func ParseAccount(id string) (Account, bool) {
	platform, actor, ok := strings.Cut(id, ":")
	if !ok || platform == "" || actor == "" || !utf8.ValidString(id) || utf8.RuneCountInString(id) > maxAccountRunes {
		return "", false
	}
	for i := range len(platform) {
		if c := platform[i]; !alnum(c) && c != '_' && c != '.' && c != '-' {
			return "", false
		}
	}
	if strings.ContainsFunc(actor, func(r rune) bool { return unicode.IsSpace(r) || unseen(r) }) {
		return "", false
	}
	return Account(lowerASCII(platform) + ":" + actor), true
}

// unseen reports whether a character controls or does not show.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) ||
		r == 0x034F || r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0
}

// TrustTier is what the host says of an account.
type TrustTier string

// The tiers, and the trust each begins with. Any other value is no tier.
const (
	TierAdmin   TrustTier = "admin"   // 1.0
	TierTrusted TrustTier = "trusted" // 0.8
	TierNormal  TrustTier = "normal"  // 0.5
	TierNone    TrustTier = "none"    // 0.3
)

// Known reports whether the host may say so: a tier, or "" for nothing.
func (t TrustTier) Known() bool {
	_, ok := t.base()
	return ok || t == ""
}

func (t TrustTier) base() (float64, bool) {
	switch t {
	case TierAdmin:
		return 1, true
	case TierTrusted:
		return 0.8, true
	case TierNormal:
		return 0.5, true
	case TierNone:
		return 0.3, true
	}
	return 0, false
}

// What moves a trust score, as N.E.K.O. has it (document 002).
const (
	trustSwing      = 0.30  // how far all adjustments together reach, either way
	trustPerMessage = 0.001 // what one message adds
	trustMessages   = 20    // messages that count
	trustReported   = 0.8   // the most that a base of the account's own telling comes to
	trustMargin     = "0.15"
)

// TrustInput is what is known about a speaker when something is noted.
type TrustInput struct {
	Account     string    // as the host gave it
	Tier        TrustTier // the host's word; "" when it gave none
	Reported    *float64  // the base by the account's own telling, 0 to 1; counts only without a tier
	Adjustments float64   // SumTrust over the events of all accounts of the person
	Messages    int       // how many the person sent
	Pending     bool      // the platform's older accounts are not taken over yet
	Unreadable  bool      // the events could not be read
}

// ResolveTrust returns how far a speaker is trusted, 0 to 1 in nine digits. It
// abstains, and nothing may be written then, exactly when the account is missing or
// malformed, a take-over is pending, neither a tier nor a base is known, or the events
// could not be read: a middling number in its place would take part in every
// comparison.
func ResolveTrust(in TrustInput) (float64, bool) {
	if _, ok := ParseAccount(in.Account); !ok || in.Pending || in.Unreadable || !finite(&in.Adjustments) {
		return 0, false
	}
	base, most := 0.0, 1.0
	if b, ok := in.Tier.base(); ok {
		base = b
	} else if finite(in.Reported) {
		base, most = clamp(*in.Reported, 0, 1), trustReported
	} else {
		return 0, false
	}
	heard := float64(min(trustMessages, max(0, in.Messages))) * trustPerMessage
	score := clamp(base+clamp(in.Adjustments, -trustSwing, trustSwing)+heard, 0, most)
	return math.Round(score*1e9) / 1e9, true
}

func clamp(x, low, high float64) float64 { return min(max(x, low), high) }

// finite reports whether a number is there and is one.
func finite(x *float64) bool { return x != nil && !math.IsNaN(*x) && !math.IsInf(*x, 0) }

// Band is a trust score as a person or a model is told it.
type Band string

// The bands.
const (
	BandHigh    Band = "high"    // 0.75 and more
	BandMedium  Band = "medium"  // 0.45 and more
	BandLow     Band = "low"     // less
	BandUnknown Band = "unknown" // none known
)

// BandOf returns the band of a trust score; nil and what is no finite number are unknown.
func BandOf(trust *float64) Band {
	switch {
	case !finite(trust):
		return BandUnknown
	case *trust >= 0.75:
		return BandHigh
	case *trust >= 0.45:
		return BandMedium
	}
	return BandLow
}

// Preferred says which of two facts that contradict each other trust speaks for.
type Preferred uint8

// The preferences. When trust abstains, the newer fact stands.
const (
	PreferNeither Preferred = iota
	PreferOld
	PreferNew
)

// PreferByTrust compares the trust in who said the old fact and who said the new one.
// A difference below 0.15 decides nothing, nor does a score that is not known. The
// difference is that of the numbers as they are written: 0.6 and 0.45 are 0.15 apart,
// which their binary forms are not.
func PreferByTrust(old, fresh *float64) Preferred {
	if !finite(old) || !finite(fresh) {
		return PreferNeither
	}
	margin, _ := new(big.Rat).SetString(trustMargin)
	gap := new(big.Rat).Sub(asWritten(*old), asWritten(*fresh))
	switch {
	case gap.Cmp(margin) >= 0:
		return PreferOld
	case gap.Neg(gap).Cmp(margin) >= 0:
		return PreferNew
	}
	return PreferNeither
}

func asWritten(x float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64)) // a finite number always reads back
	return r
}

// TrustEvent is one time that the owner's words bore out or corrected what an account
// had said.
type TrustEvent struct {
	Account Account
	Kind    Related
	ID      string // see TrustEventID
}

const trustIDLetters = 24

// TrustEventID returns what one event is known by however often it is found again: the
// first 24 hexadecimal digits of SHA-256 over kind|fact|target. The fact is the owner's
// statement and the target the one that it bears on, each by an id that holds no |.
func TrustEventID(kind Related, fact, target string) string {
	sum := sha256.Sum256([]byte(string(kind) + "|" + fact + "|" + target))
	return hex.EncodeToString(sum[:])[:trustIDLetters]
}

// NewTrustEvent returns the event of a statement about what an account had said. There
// is one only when the owner's own words make it, the account is known, and the
// statement bears on it at all.
func NewTrustEvent(by Voice, account Account, kind Related, fact, target string) (TrustEvent, bool) {
	a, known := ParseAccount(string(account))
	if by != VoicePerson || !known || kind != Confirmation && kind != Correction {
		return TrustEvent{}, false
	}
	return TrustEvent{Account: a, Kind: kind, ID: TrustEventID(kind, fact, target)}, true
}

// SumTrust adds the events of all accounts of one person up: 0.04 a confirmation,
// -0.08 a correction. It is not clamped: ResolveTrust clamps the whole. An event
// counts once however often it is there; without an id or of another kind it does not
// count; and an id that is there as both kinds is a correction. So the order of the
// events, and which clone they come from, change nothing.
func SumTrust(events []TrustEvent) float64 {
	const confirmed, corrected = 4, -8 // hundredths: whole numbers add up the same in any order
	counted := map[string]int{}
	for _, e := range events {
		switch {
		case e.ID == "":
		case e.Kind == Correction:
			counted[e.ID] = corrected
		case e.Kind == Confirmation && counted[e.ID] == 0:
			counted[e.ID] = confirmed
		}
	}
	sum := 0
	for _, n := range counted {
		sum += n
	}
	return float64(sum) / 100
}
