package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// The environment of these tests.
const (
	noBrowser = "QUIPU_NO_BROWSER" // 1 leaves them out
	chromeAt  = "QUIPU_CHROMIUM"   // the browser, when it is not found by name
	axeAt     = "QUIPU_AXE"        // axe.min.js, when it is not where make puts it
	shotsIn   = "QUIPU_SHOTS"      // a folder for pictures of every page
)

// axeHere is where make puts axe-core, below the module's root.
const axeHere = "bin/tools/axe-core-4.14.1/axe.min.js"

// chromium is the one browser of all tests, each of which has a profile of its own in it.
// It starts with the first that wants it.
var chromium struct {
	sync.Once

	ctx context.Context //nolint:containedctx // the driver keeps its browser in it
	end []func()
	axe string // the source of axe-core
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, end := range slices.Backward(chromium.end) {
		end()
	}
	os.Exit(code)
}

// browse gives the browser, or ends the test that has none.
func browse(t *testing.T) context.Context {
	t.Helper()
	if os.Getenv(noBrowser) == "1" {
		t.Skip(noBrowser + " is 1: nothing is tried in a browser")
	}
	chromium.Do(start)
	if chromium.err != nil {
		t.Fatalf("%v; %s=1 leaves these tests out", chromium.err, noBrowser)
	}
	return chromium.ctx
}

func start() {
	var path string
	if chromium.axe, chromium.err = readAxe(); chromium.err != nil {
		return
	}
	if path, chromium.err = findChromium(); chromium.err != nil {
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.Flag("lang", "en-GB"))
	if os.Geteuid() == 0 { // its own sandbox wants another user
		options = append(options, chromedp.NoSandbox)
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), options...)
	// What a newer browser tells beyond what the driver knows of is of no use here.
	ctx, end := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	chromium.ctx, chromium.end = ctx, []func(){stop, end} //nolint:fatcontext // once, for all tests
	if err := chromedp.Run(ctx); err != nil {
		chromium.err = fmt.Errorf("%s does not start: %w", path, err)
	}
}

func findChromium() (string, error) {
	names := []string{os.Getenv(chromeAt), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	if runtime.GOOS == "darwin" {
		names = append(names, "/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium: apt-get install chromium, or name one in " + chromeAt)
}

func readAxe() (string, error) {
	path := os.Getenv(axeAt)
	if path == "" {
		root, err := moduleRoot()
		if err != nil {
			return "", err
		}
		path = filepath.Join(root, filepath.FromSlash(axeHere))
	}
	source, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no axe-core at %s: make test gets it, or name it in %s", path, axeAt)
	}
	return string(source), err
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("these tests lie in no module")
		}
	}
	return "", err
}
