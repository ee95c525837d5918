// Package hooks is the clock of quipu: what happens around a turn, and because time
// passed and nobody asked. It begins and ends turns, recalls and searches in the scope
// that the host's facts give, watches the workspaces that are in use, and keeps notes in
// shape: a chat that went quiet is read, detail is filed, and at night notes are tidied.
//
// It stands on package repo, which does every write, on policy, which says what may be
// kept, and on hooks/model, the only thing that leaves the machine. It never writes a
// memory file itself and holds no lock while it waits for a model, the network or a
// person: what a model answered is a plan that the vault checks again under its lock.
// Every goroutine that it starts ends with the context it was given, an errand at its end
// or when the errands are stopped.
package hooks
