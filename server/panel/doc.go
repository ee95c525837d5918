// Package panel is the web panel: pages in which a person reads what a bot remembers,
// sees what changed, edits it and takes changes back.
//
// The pages are html/template and work without JavaScript; everything they need is
// embedded, and they ask no other host for anything. A browser is signed in by a link
// with a code for one use, and then known by a cookie (session.go). Every action is a
// form with a token of that session, and goes through the calls of packages repo and hooks
// that the HTTP API makes, signed as the person.
//
// It stands on hooks, repo, policy and markdown. It never writes a file, never tells an error
// that was not written for the reader, and never takes text of a note for markup.
package panel
