// Package hooks is the clock of quipu: what happens because time passed and nobody
// asked. It watches the workspaces that are in use, takes in what is edited outside
// once they rest, and does the housekeeping that is better done when nobody waits.
//
// It stands on package repo, which does every write. It never writes a memory file
// itself, holds no lock while it waits, and every goroutine that it starts ends with
// the context it was given.
package hooks
