// Command quipu is the door: it turns a person's words into calls of package repo
// and their answers into text, JSON and an exit code.
//
// Every verb has a file with newX, which declares its words and flags, and runX,
// which does the work on an env. It stands on repo for every read and write, on
// server for `quipu serve`, and on urfave/cli for reading arguments.
//
// It never opens a memory file itself, never asks a question when standard input is
// no terminal, and prints data on standard output and words on standard error. Only
// main.go reads the clock and ends the process.
package main
