package policy

// SaidIn reports whether words stand in a text as they are quoted: whole, in this order, in
// whatever capitals and marks.
func SaidIn(text, quote string) bool {
	return len(quote) <= maxQuoteRunes*4 && len(newLine(VoicePerson, text).places(compared(quote))) > 0
}
