package policy

import (
	"regexp"
	"strings"
)

// numbers returns the payment cards, bank accounts (IBAN), US social security
// numbers and other national numbers in text. Each is checked by its own check digits or ranges,
// so an ISBN, a phone number or an article number is left alone.
func numbers(text string) []span {
	var spans []span
	for i := 0; i < len(text); {
		if text[i] < '0' || text[i] > '9' {
			i++
			continue
		}
		if s, ok := iban(text, i-2); ok {
			spans = append(spans, s)
			i = s.end
			continue
		}
		if s, ok := nationalID(text, i); ok {
			spans = append(spans, s)
			i = s.end
			continue
		}
		groups := digitGroups(text, i)
		found, end := groupNumbers(text, groups)
		spans = append(spans, found...)
		i = end
	}
	return spans
}

// digitGroups returns the runs of digits from i on that single blanks, dashes
// or dots join.
func digitGroups(text string, i int) []span {
	var groups []span
	for {
		start := i
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			i++
		}
		if start == i {
			return groups
		}
		groups = append(groups, span{start: start, end: i})
		if i+1 >= len(text) || text[i] != ' ' && text[i] != '-' && text[i] != '.' {
			return groups
		}
		i++
	}
}

// groupNumbers looks for numbers that start and end with a group.
func groupNumbers(text string, groups []span) ([]span, int) {
	var spans []span
	for i := 0; i < len(groups); i++ {
		if i == 0 && wordBefore(text, groups[0].start) {
			continue
		}
		if s, ok := ssn(text, groups[i:]); ok {
			spans = append(spans, s)
			i += 2
			continue
		}
		if s, n, ok := groupedID(text, groups[i:]); ok {
			spans = append(spans, s)
			i += n - 1
			continue
		}
		digits := 0
		for j := i; j < len(groups) && digits < 19; j++ {
			digits += groups[j].end - groups[j].start
			s := span{start: groups[i].start, end: groups[j].end}
			if digits >= 14 && digits <= 19 && digits >= 3*(j-i+1) && !decimals(text, s, i < j) && !wordAfter(text, s.end) && isCard(text[s.start:s.end]) {
				spans = append(spans, s)
				i = j
				break
			}
		}
	}
	return spans, groups[len(groups)-1].end
}

// decimals reports whether the digits of s are one group behind a point, as in
// 0.2568692839860636.
func decimals(text string, s span, groups bool) bool {
	return !groups && s.start > 1 && text[s.start-1] == '.' && digit(text[s.start-2])
}

func wordBefore(text string, i int) bool {
	return i > 0 && (alnum(text[i-1]) || text[i-1] == '_' || text[i-1] == '+' || text[i-1] == '/')
}

func wordAfter(text string, i int) bool {
	return i < len(text) && (alnum(text[i]) || text[i] == '_')
}

// ssn accepts ddd-dd-dddd within the ranges that are issued.
func ssn(text string, groups []span) (span, bool) {
	if len(groups) < 3 {
		return span{}, false
	}
	s := span{start: groups[0].start, end: groups[2].end}
	if s.end-s.start != len("ddd-dd-dddd") || wordAfter(text, s.end) || strings.HasPrefix(text[s.end:], "-") {
		return span{}, false
	}
	if s.start > 0 && (text[s.start-1] == '-' || text[s.start-1] == '+') {
		return span{}, false
	}
	return s, ssnRE.MatchString(text[s.start:s.end]) && !ssnUnissued.MatchString(text[s.start:s.end])
}

var (
	ssnRE       = regexp.MustCompile(`^\d{3}-\d{2}-\d{4}$`)
	ssnUnissued = regexp.MustCompile(`^(?:000|666|9)|-00-|-0000$`)
)

// isCard reports whether digits, parted by blanks, dashes or dots, are the
// number of a payment card: a known brand, its length, and Luhn's check. The
// brand is needed: device numbers pass Luhn as well.
func isCard(s string) bool {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
	return cardBrand(digits) && luhn(digits)
}

func cardBrand(d string) bool {
	for _, brand := range cardBrands {
		n := len(brand.low)
		if len(d) >= brand.min && len(d) <= brand.max && d[:n] >= brand.low && d[:n] <= brand.high {
			return true
		}
	}
	return false
}

// cardBrands are the ranges of first digits and the lengths of the card brands.
var cardBrands = [...]struct {
	low, high string
	min, max  int
}{
	{"4", "4", 16, 16},       // Visa
	{"4", "4", 19, 19},       // Visa
	{"51", "55", 16, 16},     // Mastercard
	{"2221", "2720", 16, 16}, // Mastercard
	{"34", "34", 15, 15},     // American Express
	{"37", "37", 15, 15},     // American Express
	{"300", "305", 14, 14},   // Diners Club
	{"36", "36", 14, 14},     // Diners Club
	{"38", "39", 14, 14},     // Diners Club
	{"6011", "6011", 16, 16}, // Discover
	{"644", "659", 16, 16},   // Discover
	{"3528", "3589", 16, 16}, // JCB
	{"62", "62", 16, 19},     // UnionPay
	{"50", "50", 16, 16},     // Maestro
	{"56", "58", 16, 16},     // Maestro
	{"6304", "6304", 16, 19}, // Maestro
	{"6759", "6759", 16, 19}, // Maestro
}

func luhn(d string) bool {
	sum := 0
	for i := range len(d) {
		n := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			n *= 2
			if n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

// ibanLengths are the lengths of the registry, four bytes a country.
const ibanLengths = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22" +
	"GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30" +
	"NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20"

func ibanLength(country string) int {
	for i := 0; i+4 <= len(ibanLengths); i += 4 {
		if ibanLengths[i:i+2] == country {
			return int(ibanLengths[i+2]-'0')*10 + int(ibanLengths[i+3]-'0')
		}
	}
	return 0
}

// iban reads an account number that starts at i: country, check digits and the
// country's length of letters and digits, blanks allowed between.
func iban(text string, i int) (span, bool) {
	if i < 0 || i > 0 && alnum(text[i-1]) {
		return span{}, false
	}
	want := ibanLength(strings.ToUpper(text[i : i+2]))
	if want == 0 {
		return span{}, false
	}
	code, end := readCode(text, i, want)
	return span{start: i, end: end}, len(code) == want && !wordAfter(text, end) && mod97(code)
}

// readCode reads up to want letters and digits from i on, as capitals, with
// single blanks or dashes between, and returns where it stopped.
func readCode(text string, i, want int) ([]byte, int) {
	code := make([]byte, 0, want)
	for i < len(text) && len(code) < want {
		c := text[i]
		if !alnum(c) && (c != ' ' && c != '-' || i+1 < len(text) && !alnum(text[i+1])) {
			break
		}
		if alnum(c) {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			code = append(code, c)
		}
		i++
	}
	return code, i
}

func mod97(code []byte) bool {
	rest := 0
	for i := range code {
		c := code[(i+4)%len(code)]
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
			continue
		}
		rest = (rest*10 + int(c-'0')) % 97
	}
	return rest == 1
}
