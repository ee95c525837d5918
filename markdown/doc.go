// Package markdown turns the bytes of a memory file into entries and back.
//
// It reads what a bot and a person wrote (dated bullets with what is indented
// under them, hand-written lines, fenced blocks, a YAML header), and it makes
// the new bytes of an edit: append, replace, strike, merge into a topic, apply
// one version's change to another, unite two versions, merge two trees of notes
// that grew apart, show a difference.
//
// It stands on goldmark, for the one question of where a fenced block begins
// and ends, on adrg/frontmatter, to read a header that was already found, and
// on the longest-common-subsequence of go-udiff.
//
// It never fails and never panics: any bytes are a memory file. It never
// touches a byte that it was not asked to change (byte order mark, CRLF, no
// final newline, NUL, invalid UTF-8, broken headers), and it knows no disk, no
// clock and no network.
package markdown
