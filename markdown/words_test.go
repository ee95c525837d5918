package markdown

import "testing"

// One little word in common makes no two wordings of one note: blame would say that
// somebody else taught it.
func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"One fact a line: what is worth knowing in every conversation.", "Is vegetarian", false},
		{"Lives in Goa", "Lives in Goa since 2020, with Kim and the dog", true},
		{"The office is in Pune", "The office moved to Goa", true},
		{"Likes tea", "Likes coffee", true},
		{"Likes tea", "Has a dog", false},
		{"", "", false},
		{"x", "", false},
	} {
		if got := alike(words(tt.a), words(tt.b)); got != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
		if got := alike(words(tt.b), words(tt.a)); got != tt.want {
			t.Errorf("%q and %q the other way: %v", tt.a, tt.b, got)
		}
	}
}
