// Package exchange reads the memory of other systems.
//
// A reader takes bytes, or a folder, and gives notes: what is kept, as of which day,
// where it belongs here and where it stood there. It stands on markdown and policy
// alone. It never writes, never asks the clock, follows no link, and leaves nothing out
// without saying so: what does not come in is listed with its reason. Package repo makes
// one change of what was read.
package exchange
