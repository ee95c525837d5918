// Package repo is the vault: it keeps each bot's notes in a git repository of
// their own and is the only package that writes them.
//
// Every write goes through one transaction (tx.go): take the locks, take in what
// was edited outside as a commit of its own, run the change on that view, apply
// the law of package policy, make it durable, answer. A change is one commit with
// trailers that say who made it, from which source and why; its ChangeID names it
// for ever and undo is a commit that reverses it by entries.
//
// It stands on repo/internal/git (objects, refs, index, the record that makes a
// change durable), repo/internal/side (a derived index in SQLite for reading
// history), policy and markdown. It never calls a model, never holds a lock over
// the network or a person, and never reads the wall clock: the clock is passed in.
package repo
