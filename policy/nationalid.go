package policy

import "strings"

// nationalID returns the number of a person that the digits at i belong to: one
// word whose form and check digit only such a number has. Numbers whose form is
// too plain for that are known by their label alone.
func nationalID(text string, i int) (span, bool) {
	start := i
	for start > 0 && alnum(text[start-1]) && i-start < maxIDLetters {
		start--
	}
	end := i
	for end < len(text) && alnum(text[end]) && end-start <= longestID {
		end++
	}
	s := span{start: start, end: end}
	if wordBefore(text, start) || wordAfter(text, end) || start > 0 && text[start-1] == '-' || end < len(text) && text[end] == '-' {
		return span{}, false
	}
	return s, checkedID(strings.ToUpper(text[start:end]))
}

const (
	maxIDLetters = 6  // letters before the first digit
	longestID    = 18 // characters
)

// checkedID reports whether a word in capitals is a national number with a
// valid check.
func checkedID(w string) bool {
	switch len(w) {
	case 9:
		return spanishID(w)
	case 15:
		return frenchID(w)
	case 16:
		return italianID(w) || britishLicence(w)
	case 18:
		return chineseID(w)
	}
	return false
}

const dniLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

// spanishID: DNI, eight digits and a letter, or NIE, X, Y or Z, seven digits and
// a letter.
func spanishID(w string) bool {
	first := strings.IndexByte("XYZ", w[0])
	if first < 0 {
		first = int(w[0] - '0')
	}
	if first < 0 || first > 9 || !digitsOnly(w[1:8]) {
		return false
	}
	return w[8] == dniLetters[(first*10000000+number(w[1:8]))%23]
}

// frenchID: NIR, sex, year, month, place, order and a key modulo 97.
func frenchID(w string) bool {
	if !digitsOnly(w) || w[0] != '1' && w[0] != '2' || !month(w[3:5]) {
		return false
	}
	return 97-number(w[:13])%97 == number(w[13:])
}

// italianID: codice fiscale, six letters, year, letter of the month, day, place
// and a check letter.
func italianID(w string) bool {
	const months = "ABCDEHLMPRST"
	if !lettersOnly(w[:6]) || !digitsOnly(w[6:8]) || strings.IndexByte(months, w[8]) < 0 || !digitsOnly(w[9:11]) || !lettersOnly(w[11:12]) || !digitsOnly(w[12:15]) {
		return false
	}
	odd := [...]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}
	sum := 0
	for i := range 15 {
		n := int(w[i] - 'A')
		if w[i] <= '9' {
			n = int(w[i] - '0')
		}
		if i%2 == 0 {
			n = odd[n]
		}
		sum += n
	}
	return w[15] == byte('A'+sum%26)
}

// britishLicence: five letters of the name, filled with 9, the birthday, the
// initials and three more.
func britishLicence(w string) bool {
	name := strings.TrimRight(w[:5], "9")
	if name == "" || !lettersOnly(name) || !digitsOnly(w[6:11]) || !lettersOnly(w[14:]) {
		return false
	}
	m := number(w[6:8])
	initials := lettersOnly(w[11:12]) && (w[12] == '9' || lettersOnly(w[12:13]))
	day := number(w[8:10])
	return initials && digitsOnly(w[5:6]) && m%50 >= 1 && m%50 <= 12 && day >= 1 && day <= 31
}

// chineseID: seventeen digits with the birthday and a check character.
func chineseID(w string) bool {
	if !digitsOnly(w[:17]) || !month(w[10:12]) || w[6:8] != "19" && w[6:8] != "20" {
		return false
	}
	weights := [...]int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}
	sum := 0
	for i, weight := range weights {
		sum += int(w[i]-'0') * weight
	}
	return w[17] == "10X98765432"[sum%11]
}

// groupedID returns the national number that groups of digits begin with: a
// Brazilian CPF, a Korean resident number, or a French NIR in its usual groups.
func groupedID(text string, groups []span) (span, int, bool) {
	for _, form := range [...]struct {
		lens  []int
		seps  string
		check func(string) bool
	}{
		{[]int{3, 3, 3, 2}, "..-", brazilianID},
		{[]int{6, 7}, "-", koreanID},
		{[]int{1, 2, 2, 2, 3, 3, 2}, "      ", frenchID},
	} {
		if s, ok := grouped(text, groups, form.lens, form.seps, form.check); ok {
			return s, len(form.lens), true
		}
	}
	return span{}, 0, false
}

func grouped(text string, groups []span, lens []int, seps string, check func(string) bool) (span, bool) {
	if len(groups) < len(lens) {
		return span{}, false
	}
	var digits strings.Builder
	for i, n := range lens {
		g := groups[i]
		if g.end-g.start != n || i > 0 && text[groups[i-1].end:g.start] != seps[i-1:i] {
			return span{}, false
		}
		digits.WriteString(text[g.start:g.end])
	}
	s := span{start: groups[0].start, end: groups[len(lens)-1].end}
	return s, !wordBefore(text, s.start) && !wordAfter(text, s.end) && check(digits.String())
}

func brazilianID(d string) bool {
	if strings.Trim(d, d[:1]) == "" {
		return false
	}
	for n := 9; n <= 10; n++ {
		sum := 0
		for i := range n {
			sum += int(d[i]-'0') * (n + 1 - i)
		}
		if int(d[n]-'0') != sum*10%11%10 {
			return false
		}
	}
	return true
}

func koreanID(d string) bool {
	if !month(d[2:4]) || d[6] < '1' || d[6] > '8' {
		return false
	}
	sum := 0
	for i, weight := range [...]int{2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5} {
		sum += int(d[i]-'0') * weight
	}
	return int(d[12]-'0') == (11-sum%11)%10
}

func month(two string) bool { return two >= "01" && two <= "12" }

func number(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

func digitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

func lettersOnly(s string) bool { return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" }
