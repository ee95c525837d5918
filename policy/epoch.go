package policy

import (
	"strconv"
	"strings"
)

// EpochFile is the tracked file that counts how often history was taken back: a side
// whose number is lower still has what the other one erased.
const EpochFile = "memory/.epoch"

// SettingsFile is the tracked file of what machines that share a memory must agree on:
// the time zone in which days are counted. JSON.
const SettingsFile = "memory/.quipu.json"

// OwnFile reports whether a tracked path is quipu's own, and no note: it is written by
// transactions only, and what others do to it is put back.
func OwnFile(path string) bool {
	return path == LedgerFile || path == EpochFile || path == SettingsFile
}

// Epoch reads the epoch; a text that is none counts as 0, where every history begins.
func Epoch(text []byte) int {
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// EpochText is the file of an epoch.
func EpochText(n int) []byte { return []byte(strconv.Itoa(n) + "\n") }
