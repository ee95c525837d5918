package main

import (
	_ "embed" // the scripts below

	"github.com/urfave/cli/v2"
)

// The scripts ask the program itself what may follow.
var (
	//go:embed completion/quipu.bash
	bashScript string
	//go:embed completion/quipu.zsh
	zshScript string
	//go:embed completion/quipu.ps1
	powershellScript string
)

func newCompletion() *cli.Command {
	return &cli.Command{
		Name: "completion", Category: "help", ArgsUsage: "bash, zsh, fish or powershell",
		Usage: "print the script that completes words in a shell",
		Description: "bash: source <(quipu completion bash). zsh: quipu completion zsh > a folder of $fpath as _quipu. " +
			"fish: quipu completion fish | source. powershell: quipu completion powershell | Out-String | Invoke-Expression.",
		Action: func(c *cli.Context) error {
			args, err := words(c, "SHELL")
			if err != nil {
				return err
			}
			return runCompletion(c.App, envOf(c), args[0])
		},
	}
}

func runCompletion(app *cli.App, e *env, shell string) error {
	switch shell {
	case "bash":
		return e.write(bashScript)
	case "zsh":
		return e.write(zshScript)
	case "powershell", "pwsh":
		return e.write(powershellScript)
	case "fish":
		script, err := app.ToFishCompletion()
		if err != nil {
			return err
		}
		return e.write(script)
	}
	return usage("one of bash, zsh, fish, powershell", "no completion for %q", shell)
}
