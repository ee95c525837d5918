package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

// newBench measures what a person never asks for: it is for those who work on quipu.
func newBench() *cli.Command {
	return &cli.Command{
		Name: "bench", Category: "help", ArgsUsage: "recall FILE", Hidden: true,
		Usage:  "measure recall",
		Action: groupOnly,
		Subcommands: []*cli.Command{{
			Name: "recall", ArgsUsage: "FILE",
			Usage:       "measure recall on conversations in LoCoMo's form",
			Description: "Prints n, recall@4, 8, 10 and 20, MRR, nDCG@10 and the times of a search in milliseconds, as JSON.",
			Action: func(c *cli.Context) error {
				args, err := words(c, "FILE")
				if err != nil {
					return err
				}
				return runBenchRecall(envOf(c), args[0])
			},
		}},
	}
}

func runBenchRecall(e *env, name string) error {
	in := e.In
	if name != "-" {
		if !filepath.IsAbs(name) {
			name = filepath.Join(e.Dir, name)
		}
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return &told{err: repo.ErrNotFound, text: fmt.Sprintf("there is no file %s", name)}
		}
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // only read
		in = f
	}
	figures, err := repo.BenchRecall(in, e.Now)
	if err != nil {
		return usage("the file holds a list of conversations, each with qa and conversation", "%v", err)
	}
	return e.print(figures)
}
