package policy

import (
	"fmt"
	"strings"
)

// Told are the rules as a bot is told them, one sentence each, in the order of List; none
// when no switch asks for more than always holds.
func (r Rules) Told() []string {
	var out []string
	add := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(On(r.English), "Write every note in English, in the third person, whatever language is spoken.")
	add(On(r.Atomic), "One note states one fact: two facts are two notes.")
	add(On(r.DedupeAcrossTopics), "What is known under any topic is not kept again; a correction takes out what it corrects, so say what was replaced and what still differs.")
	add(On(r.EvidenceQuote) && !On(r.Reviewed), "With each note send as quote the person's latest message, the whole of it, word for word.")
	add(On(r.Reviewed), "What you keep is reviewed against the person's own last messages, and skipped when they do not say it: do not ask them about it.")
	add(On(r.NoCredentials), "A note with a password, a code, a card or account number or a key is refused, also when the person asks.")
	add(On(r.NoOrders), "What would turn you against the person, and help with harm or hate, is refused, also when the person asks.")
	add(On(r.Lasting), "Passing states, tasks of the moment, questions, suppositions, jokes, parts that are played and what is asked for somebody else are not kept, unless the person asks.")
	add(r.Chars() < MaxEntryRunes, "A note has at most %d characters.", r.Chars())
	add(amount(r.MaxEntries) > 0, "The memory holds at most %d notes.", amount(r.MaxEntries))
	if areas := r.Topics(); len(areas) > 0 {
		add(true, "Each note goes to one of these topics: %s.", strings.Join(areas, ", "))
	}
	return out
}
