// Package exchange turns what other systems keep into notes, and notes into what they keep.
//
// A reader takes bytes, or a folder, and gives notes: what is kept, as of which day,
// where it belongs here and where it stood there. A writer takes notes and gives files.
// What does not come along, in or out, is listed with its reason. It stands on markdown and
// policy alone and is pure: it never writes, never asks the clock, follows no link. Package
// repo makes one change of what was read, and masks credentials before a text is given out.
package exchange
