package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// line is a command line taken apart: flags may stand anywhere in it, before the
// verb and after its arguments, and end at `--`.
type line struct {
	flags   []cli.Flag // those of the whole program
	globals []string
	path    []*cli.Command // the verb, and the verb under it
	help    bool           // --help or -h stands somewhere
	local   []string
	words   []string // the arguments
}

// arrange puts the flags of args before its other arguments, because urfave/cli
// takes everything after the first argument for an argument. args[0] is the
// program. An unknown verb is a mistake of usage.
func arrange(app *cli.App, args []string) ([]string, error) {
	l := &line{flags: app.Flags}
	for i := 1; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			if err := l.rest(app.Commands, args[i+1:]); err != nil {
				return nil, err
			}
			i = len(args)
		case len(arg) > 1 && arg[0] == '-':
			n, err := l.flag(args[i:])
			if err != nil {
				return nil, err
			}
			i += n
		default:
			if err := l.word(app.Commands, arg); err != nil {
				return nil, err
			}
		}
	}
	return l.join(app.Name), nil
}

// rest takes what follows `--`: arguments, but for a verb that was not named yet.
func (l *line) rest(verbs []*cli.Command, words []string) error {
	if len(l.path) == 0 && len(words) > 0 {
		if err := l.word(verbs, words[0]); err != nil {
			return err
		}
		words = words[1:]
	}
	l.words = append(l.words, words...)
	return nil
}

// word takes a verb or an argument.
func (l *line) word(verbs []*cli.Command, word string) error {
	prefix := ""
	if len(l.path) > 0 {
		last := l.path[len(l.path)-1]
		if len(last.Subcommands) == 0 {
			l.words = append(l.words, word)
			return nil
		}
		verbs, prefix = last.Subcommands, last.Name+" "
	}
	for _, v := range verbs {
		if v.HasName(word) && len(l.words) == 0 {
			l.path = append(l.path, v)
			return nil
		}
	}
	if prefix != "" && strings.HasPrefix(l.path[len(l.path)-1].ArgsUsage, "[") { // it does something by itself, too
		l.words = append(l.words, word)
		return nil
	}
	hint := "`quipu help` lists the verbs"
	if prefix != "" {
		hint = "`quipu help " + strings.TrimSpace(prefix) + "` lists what there is"
	}
	if near := nearest(verbs, word); near != "" {
		return usage(hint, "unknown command %q, did you mean %q?", prefix+word, prefix+near)
	}
	return usage(hint, "unknown command %q", prefix+word)
}

// flag takes the flag at args[0] and its value, and gives how many more arguments
// than one it took.
func (l *line) flag(args []string) (int, error) {
	arg := args[0]
	name, _, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if name == "help" || name == "h" {
		l.help = true
		return 0, nil
	}
	f, global := l.find(name)
	if f == nil && len(name) > 1 && !joined && !strings.HasPrefix(arg, "--") {
		// -n5 is -n 5
		if short, of := l.find(name[:1]); short != nil && takesValue(short) {
			l.put(of, "-"+name[:1], name[1:])
			return 0, nil
		}
	}
	if f == nil || joined || !takesValue(f) {
		l.put(global, arg)
		return 0, nil
	}
	if len(args) == 1 || args[1] == "--" {
		return 0, usage("as in `"+arg+" VALUE`", "%s needs a value", arg)
	}
	l.put(global, arg, args[1])
	return 1, nil
}

func (l *line) put(global bool, args ...string) {
	if global {
		l.globals = append(l.globals, args...)
		return
	}
	l.local = append(l.local, args...)
}

// find gives a flag by its name and whether it is the program's; nil when no verb
// so far has it: the parser then says so.
func (l *line) find(name string) (f cli.Flag, global bool) {
	named := func(f cli.Flag) bool { return slices.Contains(f.Names(), name) }
	if len(l.path) > 0 {
		own := l.path[len(l.path)-1].Flags
		if i := slices.IndexFunc(own, named); i >= 0 {
			return own[i], false
		}
	}
	if i := slices.IndexFunc(l.flags, named); i >= 0 {
		return l.flags[i], true
	}
	return nil, false
}

func (l *line) join(program string) []string {
	out := append([]string{program}, l.globals...)
	if l.help {
		// What else the line says does not matter to someone who asks how to say it.
		l.local, l.words = nil, nil
		out = append(out, "help", "--")
	}
	for _, v := range l.path {
		out = append(out, v.Name)
	}
	out = append(out, l.local...)
	if len(l.words) > 0 {
		out = append(append(out, "--"), l.words...)
	}
	return out
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// nearest gives the verb that was probably meant, "" when none is near.
func nearest(verbs []*cli.Command, word string) string {
	best, least := "", 3
	for _, v := range verbs {
		if v.Hidden {
			continue
		}
		d := distance(v.Name, word)
		if len(word) > 1 && strings.HasPrefix(v.Name, word) {
			d = min(d, 1)
		}
		if d < least && d < len(v.Name) {
			best, least = v.Name, d
		}
	}
	return best
}

// distance counts the letters to add, drop, change or swap to make a into b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
