package main

import (
	"github.com/urfave/cli/v2"

	"quipu/server"
)

func newOpenAPI() *cli.Command {
	return &cli.Command{
		Name: "openapi", Category: "serve",
		Usage: "print the description of the HTTP API",
		Action: noArgs(func(_ *cli.Context, e *env) error {
			return e.write(string(server.OpenAPI()))
		}),
	}
}
