// Package side is the derived index of a history: which change touched which
// file, by whom, from which source, what undid what, and who wrote each line.
// Git answers these by walking every commit; the index answers them from tables.
//
// It is one SQLite file, index.db, that stands for exactly one head. Every row
// follows from the commits alone, so the file can be lost, cut short or altered
// at any time: it is then made again. Sync brings it to a new head; a history
// that was rewritten takes the rows that are no longer reachable out, and their
// bytes with them.
//
// The changes are numbered in one order that follows from the head: what the
// first parent brought, then what the other parents added, then the commit
// itself. The numbers of an ancestor on the first-parent line are therefore a
// prefix of the numbers of its descendants, and catching up gives the same tables
// as building from nothing.
//
// It stands on repo/internal/git, which reads commits and blobs, and on markdown,
// which says how the units of a file went from one version to the next. It never
// writes to the history, never holds a lock between two calls, and never waits
// for another process that is writing: it says ErrLocked and the caller goes on.
package side
