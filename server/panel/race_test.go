//go:build race

package panel_test

// slack is how much slower the race detector may make a page.
const slack = 10
