// Package turns keeps what was said in a bot's conversations and what the bot did
// in them: one turn a row, its messages, the tools it used, how it ended.
//
// A turn is open from Begin to End. Open turns are on disk, so that a process that
// dies forgets none; a conversation's next turn ends the one that is still open,
// and after six hours Lapse does. What was said can then be searched by words and
// by time (Search), read in order by an index in memory (Follow), quoted in the
// brief of another conversation (Newest) and captured once (Waiting, MarkRead).
// What is deleted is gone: its rows, its words in the full text, and their bytes in
// the file and in its log.
//
// It stands on SQLite with FTS5, one file for all bots of a home. Words are cut and
// folded here (word.go), not by SQLite, so that scripts without spaces, accents and
// signs are found, and so that marks in a snippet are the matches themselves. Which
// conversations a search may read is part of the full text query, so nothing that
// is out of scope is ever ranked.
//
// It never redacts: what it is given is clean already. It never reads the clock,
// decides a scope, calls a model or writes a note.
package turns
