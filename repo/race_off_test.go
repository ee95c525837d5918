//go:build !race

package repo

const raceFactor = 1
