//go:build race

package git

// raceFactor widens limits of time under the race detector.
const raceFactor = 10
