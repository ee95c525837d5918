package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
	"pgregory.net/rapid"
)

func TestArrange(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"nothing":                        {"", ""},
		"verb alone":                     {"log", "log"},
		"program's flag after a verb":    {"log --json", "--json log"},
		"program's flag after arguments": {"show MEMORY.md --bot scout", "--bot scout show -- MEMORY.md"},
		"value joined":                   {"show MEMORY.md --bot=scout", "--bot=scout show -- MEMORY.md"},
		"verb's flag after arguments":    {"remember tea --topic food --until 2026-01-02", "remember --topic food --until 2026-01-02 -- tea"},
		"flags on both sides":            {"--quiet remember --topic food tea --dry-run", "--quiet remember --topic food --dry-run -- tea"},
		"a value that looks like a flag": {"remember tea --source --json", "remember --source --json -- tea"},
		"a value that is a verb":         {"remember tea --source log", "remember --source log -- tea"},
		"an argument that is a verb":     {"remember log", "remember -- log"},
		"an argument that is help":       {"remember help", "remember -- help"},
		"standard input":                 {"write a.md - --expect 00", "write --expect 00 -- a.md -"},
		"stop at two dashes":             {"remember --topic food -- --json", "remember --topic food -- --json"},
		"two dashes before the verb":     {"-- remember --json", "remember -- --json"},
		"two dashes twice":               {"replace -- -- -x", "replace -- -- -x"},
		"number joined to a short flag":  {"log -n5 MEMORY.md", "log -n 5 -- MEMORY.md"},
		"number apart":                   {"log MEMORY.md -n 5", "log -n 5 -- MEMORY.md"},
		"verb under a verb":              {"token create --role bot --bot scout --json", "--bot scout --json token create --role bot"},
		"verb over a verb":               {"evidence --at today tea", "evidence --at today -- tea"},
		"verb under that verb":           {"evidence log tea -n 3", "evidence log -n 3 -- tea"},
		"its argument that is a verb":    {"evidence tea log", "evidence -- tea log"},
		"folder":                         {"import folder notes --dry-run", "import --dry-run -- folder notes"},
		"help at the end":                {"log MEMORY.md --help", "help -- log"},
		"unknown flag is the parser's":   {"log --nosuch", "log --nosuch"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := arrange(testApp(), append([]string{"quipu"}, strings.Fields(tt.in)...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimSpace("quipu "+tt.want), strings.Join(got, " ")); diff != "" {
				t.Errorf("arrange(%s) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func testApp() *cli.App {
	h := newHarness(nil)
	return newApp(h.env)
}

// leaves gives every verb that does something, with its path.
func leaves(cmds []*cli.Command, path ...string) map[string]*cli.Command {
	out := map[string]*cli.Command{}
	for _, c := range cmds {
		if len(c.Subcommands) == 0 {
			out[strings.Join(append(path, c.Name), " ")] = c
			continue
		}
		maps.Copy(out, leaves(c.Subcommands, append(path, c.Name)...))
	}
	return out
}

// TestArrangeEveryVerb holds for each verb and each of its flags that the flag works
// behind the arguments as it does before them.
func TestArrangeEveryVerb(t *testing.T) {
	for verb, c := range leaves(testApp().Commands) {
		for _, f := range append(slices.Clone(c.Flags), globalFlags()...) {
			for _, name := range f.Names() {
				dashed := "--" + name
				if len(name) == 1 {
					dashed = "-" + name
				}
				given := []string{dashed}
				if takesValue(f) {
					given = append(given, "value")
				}
				t.Run(verb+" "+dashed, func(t *testing.T) {
					path := append([]string{"quipu"}, strings.Fields(verb)...)
					after, err := arrange(testApp(), slices.Concat(path, []string{"word", "other"}, given))
					if err != nil {
						t.Fatal(err)
					}
					before, err := arrange(testApp(), slices.Concat(path, given, []string{"word", "other"}))
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(before, after); diff != "" {
						t.Errorf("flag behind differs from flag before (-before +behind):\n%s", diff)
					}
					if i, j := slices.Index(after, dashed), slices.Index(after, "word"); i < 0 || i > j {
						t.Errorf("arranged to %q, want %s before the arguments", after, dashed)
					}
				})
			}
		}
	}
}

func TestValueMissing(t *testing.T) {
	for _, in := range []string{"log MEMORY.md --since", "log --since -- MEMORY.md", "--bot", "log -n"} {
		t.Run(in, func(t *testing.T) {
			got, err := arrange(testApp(), append([]string{"quipu"}, strings.Fields(in)...))
			if err == nil || exitOf(err) != exitUsage || !strings.HasSuffix(err.Error(), " needs a value") {
				t.Errorf("arrange(%s) = %q, %v; want that a value is missing", in, got, err)
			}
		})
	}
}

func TestUnknownVerb(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"a letter short":    {"und", `unknown command "und", did you mean "undo"?`},
		"two letters apart": {"replcae a b", `unknown command "replcae", did you mean "replace"?`},
		"the start of one":  {"supers a b", `unknown command "supers", did you mean "supersede"?`},
		"like none":         {"frobnicate", `unknown command "frobnicate"`},
		"under a verb":      {"token creat", `unknown command "token creat", did you mean "token create"?`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := arrange(testApp(), append([]string{"quipu"}, strings.Fields(tt.in)...))
			if err == nil || err.Error() != tt.want {
				t.Errorf("arrange(%s) = %v, want %s", tt.in, err, tt.want)
			}
			if got := exitOf(err); got != exitUsage {
				t.Errorf("exit %d, want %d", got, exitUsage)
			}
		})
	}
}

// TestArrangeKeeps holds for any line: what stands after `--` stays as it is and in
// order, no argument is lost, and arranging twice changes nothing more.
func TestArrangeKeeps(t *testing.T) {
	app := testApp()
	tokens := []string{"--json", "--bot", "scout", "--bot=ada", "-n", "5", "-n7", "--since", "3d", "a b", "log", "-", "--quiet", "", "é"}
	rapid.Check(t, func(t *rapid.T) {
		before := append(rapid.SliceOf(rapid.SampledFrom(tokens)).Draw(t, "before"), "word")
		after := rapid.SliceOf(rapid.String()).Draw(t, "after")
		args := slices.Concat([]string{"quipu", "log"}, before, []string{"--"}, after)
		once, err := arrange(app, args)
		if err != nil {
			t.Fatal(err)
		}
		if got := once[len(once)-len(after):]; !slices.Equal(got, after) {
			t.Fatalf("after -- stands %q, want %q", got, after)
		}
		twice, err := arrange(app, once)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(once, twice); diff != "" {
			t.Fatalf("arranged again (-once +twice):\n%s", diff)
		}
		// A joined short flag comes apart; all else is only moved.
		count := func(list []string) (n int) {
			for _, a := range list {
				n += len(strings.TrimPrefix(a, "-"))
			}
			return n
		}
		if got, want := count(slices.DeleteFunc(slices.Clone(once), isDashes)), count(slices.DeleteFunc(args, isDashes)); got != want {
			t.Fatalf("%d letters left of %d: %q", got, want, once)
		}
	})
}

func isDashes(s string) bool { return s == "--" }

func FuzzArrange(f *testing.F) {
	for _, seed := range []string{"log --json", "remember\x00--\x00-x", "-n\x00", "token\x00create\x00--role", "--\x00", "-=\x00--=x", "show\x00--at"} {
		f.Add(seed)
	}
	app := testApp()
	f.Fuzz(func(t *testing.T, text string) {
		args := append([]string{"quipu"}, strings.Split(text, "\x00")...)
		got, err := arrange(app, args)
		if err != nil && exitOf(err) != exitUsage {
			t.Errorf("arrange(%q) = %v, want a mistake of usage", args, err)
		}
		if err == nil && got[0] != "quipu" {
			t.Errorf("arrange(%q) = %q, want the program first", args, got)
		}
	})
}
