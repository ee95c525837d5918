//go:build race

package repo

// raceFactor widens limits of time under the race detector.
const raceFactor = 10
