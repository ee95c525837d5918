package panel

import (
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// luminance is the relative luminance of a colour #rrggbb, as WCAG 2 defines it.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil || len(hex) != 7 {
		t.Fatalf("%q is no colour", hex)
	}
	part := func(v uint64) float64 {
		c := float64(v&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(n>>16) + 0.7152*part(n>>8) + 0.0722*part(n)
}

func TestColoursCanBeRead(t *testing.T) {
	sheet := string(readStatic()["panel.css"].data)
	light, dark, found := strings.Cut(sheet, "prefers-color-scheme: dark")
	if !found {
		t.Fatal("there is no dark scheme")
	}
	dark, _, _ = strings.Cut(dark, "\n}\n")
	pairs := strings.Fields("ink/paper soft/paper accent/paper warm/paper bad/paper on-accent/accent ink/sheet soft/sheet accent/sheet warm/sheet " +
		"ink/add soft/add ink/del soft/del ink/add-word ink/del-word")
	for scheme, text := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6})`).FindAllStringSubmatch(text, -1) {
			colours[m[1]] = m[2]
		}
		for _, pair := range pairs {
			on, under, _ := strings.Cut(pair, "/")
			a, b := luminance(t, colours[on]), luminance(t, colours[under])
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
				t.Errorf("%s: %s has a contrast of %.2f, want 4.5 or more", scheme, pair, ratio)
			}
		}
	}
}

func TestStyleIsPlain(t *testing.T) {
	sheet := string(readStatic()["panel.css"].data)
	sizes := map[string]bool{}
	for _, m := range regexp.MustCompile(`font(?:-size)?: ([^;/ ]+)`).FindAllStringSubmatch(sheet, -1) {
		if m[1] != "inherit" {
			sizes[m[1]] = true
		}
	}
	if len(sizes) > 3 {
		t.Errorf("sizes of type %v, want at most three", sizes)
	}
	// What is said by start and end follows the direction of writing; what is said by side does not.
	if m := regexp.MustCompile(`(?:margin|padding|border)-(?:left|right|top|bottom)|[ ;](?:left|right|float):|text-align: (?:left|right)|url\(|@import|!important`).FindString(sheet); m != "" {
		t.Errorf("the style sheet has %q", m)
	}
	for _, want := range []string{":focus-visible", "prefers-reduced-motion", "color-scheme: light dark"} {
		if !strings.Contains(sheet, want) {
			t.Errorf("the style sheet lacks %q", want)
		}
	}
}

// Trusted Types refuse what makes markup of text, and the policy anything evaluated.
func TestScriptMakesNoMarkup(t *testing.T) {
	total := 0
	for name, f := range readStatic() {
		if path.Ext(name) != ".js" {
			continue
		}
		total += len(f.data)
		makesNoMarkup(t, name, string(f.data))
	}
	if total > 40_000 {
		t.Errorf("the scripts are %d bytes, want at most 40 KB", total)
	}
}

func makesNoMarkup(t *testing.T, name, script string) {
	t.Helper()
	if m := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(|Function\(|createContextualFragment|https?://`).FindString(script); m != "" {
		t.Errorf("%s has %q", name, m)
	}
	if n := len(script); n > 20_000 {
		t.Errorf("the script is %d bytes, want at most 20 KB", n)
	}
}
