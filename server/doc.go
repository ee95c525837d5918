// Package server is the windows of the house: it lets programs read and change a
// bot's notes over HTTP.
//
// A handler decodes, makes one call down, encodes, and returns an error; routes.go
// says which path leads where and who may go there, errors.go which error becomes
// which status, and openapi.yaml describes all of it to other programs.
//
// It stands on hooks for turns, recall and search, on repo, which keeps the notes and
// the tokens, and on policy for the form of paths and the gauge. It never opens a
// memory file itself, never sends the text of an error that was not written for the
// reader, never logs a token or the text of a note, and trusts no header that a proxy
// or a web page could have made up.
package server
