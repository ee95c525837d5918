//go:build !race

package panel_test

// slack is how much slower a page may be than it has to: the machine that tests is often busy.
const slack = 3
