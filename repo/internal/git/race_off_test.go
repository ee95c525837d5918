//go:build !race

package git

const raceFactor = 1
