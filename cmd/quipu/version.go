package main

import (
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func newVersion() *cli.Command {
	return &cli.Command{
		Name: "version", Category: "help",
		Usage: "print the version",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runVersion(envOf(c))
		},
	}
}

// build is what this program was made from.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Changed bool   `json:"modified,omitempty"` // made from a tree with changes that are not in Commit
	Go      string `json:"go"`
	System  string `json:"system"`
}

func version() build {
	b := build{Version: "dev", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}

func runVersion(e *env) error {
	b := version()
	if e.json {
		return e.print(b)
	}
	line := "quipu " + b.Version
	if len(b.Commit) >= 12 {
		line += " (" + b.Commit[:12] + ")"
	}
	return e.write(line + " " + b.Go + " " + b.System + "\n")
}
