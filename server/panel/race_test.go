//go:build race

package panel_test

// slack is how much slower the race detector may make a page: the tables that it reads are
// of Go, too.
const slack = 20
