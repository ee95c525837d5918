// Package policy is the law of a memory: which paths and names may be kept,
// what is masked before it is written, how a text is changed, and how much of
// it is loaded.
//
// It stands on package markdown for the shape of notes and on the rules of
// gitleaks for the shape of credentials. Everything in it is a pure function of
// its arguments: same text in, same text out.
//
// It never reads or writes a file, never opens a connection, never reads the
// clock and never decides who is asking.
package policy
