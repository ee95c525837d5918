// Package model asks language models: one prompt in, one text out. It picks the
// engine that writes a bot's background text (the bot's own, or the helper where the
// bot has none), holds a call to its limits of time, size and money, and keeps what
// each call used.
//
// It stands on package repo for the configuration and on the makers' own kits for
// their servers: openai-go for whatever speaks OpenAI's chat completions,
// anthropic-sdk-go for Anthropic's messages. A program on this machine is the third
// kind of engine.
//
// It never gives a model a tool, never writes a memory file and never trusts an
// answer. It never reads a key from anywhere but the environment variable that the
// configuration names, and puts neither a key nor any text of a prompt or an answer
// into a log. It never sends a bot's text to another engine than the one that was
// picked, not even when that one fails.
package model
