package main

import (
	"encoding/json"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newConfig() *cli.Command {
	return &cli.Command{
		Name: "config", Category: "serve",
		Usage:  "settings, kept in config.json of the home",
		Action: groupOnly,
		Subcommands: []*cli.Command{
			{
				Name: "get", Usage: "print a setting, or all of them", ArgsUsage: "[KEY]",
				Action: func(c *cli.Context) error {
					args, err := words(c, "[KEY]")
					if err != nil {
						return err
					}
					return runConfigGet(envOf(c), args[0])
				},
			},
			{
				Name: "set", Usage: "change a setting; null puts it back to its default", ArgsUsage: "KEY VALUE",
				Description: "KEY is dotted, as memory.tidyHour. VALUE is JSON, or plain text where that is meant.",
				Flags:       []cli.Flag{dryRunFlag()},
				Action: func(c *cli.Context) error {
					args, err := words(c, "KEY", "VALUE")
					if err != nil {
						return err
					}
					return runConfigSet(envOf(c), configSetArgs{Key: args[0], Value: args[1], DryRun: c.Bool("dry-run")})
				},
			},
			{
				Name: "validate", Usage: "say what is wrong in config.json",
				Action: noArgs(func(_ *cli.Context, e *env) error { return runConfigValidate(e) }),
			},
		},
	}
}

func runConfigGet(e *env, key string) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	raw, err := s.ConfigValue(key)
	if err != nil {
		return err
	}
	var text string
	if !e.json && json.Unmarshal(raw, &text) == nil {
		return e.write(text + "\n")
	}
	if e.json {
		return e.print(raw)
	}
	return e.write(strings.TrimSpace(string(raw)) + "\n")
}

type configSetArgs struct {
	Key, Value string
	DryRun     bool
}

func runConfigSet(e *env, a configSetArgs) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	if a.DryRun {
		if setting(a.Value) == nil {
			e.say("would put %s back to its default (dry run, nothing is written)", clean(a.Key))
		} else {
			e.say("would set %s to %s (dry run, nothing is written)", clean(a.Key), clean(a.Value))
		}
		return nil
	}
	value := setting(a.Value)
	err = s.SetConfig(a.Key, value)
	if err != nil && exitOf(err) == exitUsage {
		// "7717" may be meant as text: what is not right as JSON may be as words.
		if _, isText := value.(string); !isText && value != nil && s.SetConfig(a.Key, a.Value) == nil {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	if value == nil {
		e.say("%s is back to its default", clean(a.Key))
	} else {
		e.say("%s is set", clean(a.Key))
	}
	if e.json {
		return e.print(map[string]any{"ok": true, "key": a.Key, "value": value})
	}
	return nil
}

// setting reads a value: JSON where it is JSON, else the words themselves.
func setting(text string) any {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return text
	}
	return v
}

func runConfigValidate(e *env) error {
	home, err := e.homeDir()
	if err != nil {
		return err
	}
	var list []repo.Finding
	conf, err := repo.LoadConfig(home)
	if err != nil {
		list = append(list, repo.Finding{Level: "error", Where: home, What: err.Error()})
	}
	for _, key := range conf.Unknown {
		list = append(list, repo.Finding{Level: "warning", Where: "config.json", What: "there is no setting " + key + "; it is left alone", Fix: "quipu config set " + key + " null"})
	}
	return e.verdict(list)
}
