// Package mcp serves one bot's memory to the clients of the Model Context Protocol, over
// standard input and output or streamable HTTP.
//
// It acts for the bot, never for the person: a model cannot name another bot, undo what
// the person did, or reach settings and About me, but in a turn whose own person asked for
// it. What it hands back is framed as notes, which are not instructions. With the bot's
// memory switched off no tool is listed.
//
// It stands on hooks and repo, and on the SDK of the protocol, which no other room knows.
// Who may ask is decided by the floor above: the host, origin and token of a request.
package mcp
