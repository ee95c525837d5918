package repo

import (
	"flag"
	"os"
	"testing"
)

// TestMain keeps property tests, each of whose steps syncs a disk, to a number that
// does not make a person wait; -rapid.checks on the command line wins.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", "10"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
