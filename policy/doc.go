// Package policy is the law of a memory: which paths and names may be kept,
// what is masked before it is written, how a text is changed, which notes make
// room for others, what enters a prompt, what must not be mentioned, what is
// forgotten and never learned again, what may be added to About me, and what two
// machines' trees come to.
//
// It stands on package markdown for the shape of notes, on the rules of gitleaks
// for the shape of credentials, on snowballstem, and on one table of words a
// language. Everything in it is a pure function of its arguments: same text in,
// same text out.
//
// It never reads or writes a file, never opens a connection, never reads the
// clock and never decides who is asking.
package policy
