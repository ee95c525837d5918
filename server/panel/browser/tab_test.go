package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"quipu/policy"
)

// patience is how long a page has for anything that it is asked for.
const patience = time.Minute

// tab is a window of a browser before the house.
type tab struct {
	*house
	t   *testing.T
	ctx context.Context    //nolint:containedctx // the driver keeps the window in it
	end context.CancelFunc // closes it

	profile cdp.BrowserContextID
	mu      sync.Mutex
	faults  []string
	means   []int // statuses that this test leads to on purpose
}

// newTab opens a window of a browser that was never here.
func (h *house) newTab(t *testing.T) *tab {
	t.Helper()
	all := cdp.WithExecutor(browse(t), chromedp.FromContext(browse(t)).Browser)
	profile, err := target.CreateBrowserContext().Do(all)
	must(t, err)
	t.Cleanup(func() { must(t, target.DisposeBrowserContext(profile).Do(all)) })
	return h.window(t, profile)
}

// beside opens another window of the same browser: it shares what the browser keeps.
func (w *tab) beside() *tab {
	w.t.Helper()
	return w.window(w.t, w.profile)
}

// window opens one of its own, so that no other hides it.
func (h *house) window(t *testing.T, profile cdp.BrowserContextID) *tab {
	t.Helper()
	all := cdp.WithExecutor(browse(t), chromedp.FromContext(browse(t)).Browser)
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(profile).WithNewWindow(true).Do(all)
	must(t, err)
	ctx, end := chromedp.NewContext(browse(t), chromedp.WithTargetID(id))
	t.Cleanup(end)
	w := &tab{house: h, t: t, ctx: ctx, end: end, profile: profile}
	chromedp.ListenTarget(ctx, w.hear)
	must(t, chromedp.Run(ctx, network.Enable(), audits.Enable(), emulation.SetFocusEmulationEnabled(true)))
	w.size(1200)
	t.Cleanup(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, f := range w.faults {
			t.Error(f)
		}
	})
	return w
}

// signedIn is a browser that followed a link.
func (h *house) signedIn(t *testing.T) *tab {
	t.Helper()
	w := h.newTab(t)
	w.signIn()
	return w
}

func (w *tab) signIn() {
	w.t.Helper()
	code, err := w.store.NewLogin()
	must(w.t, err)
	w.visit("/sign-in?code=" + code)
}

// meaning says which statuses a test leads to on purpose: the browser complains of each.
func (w *tab) meaning(statuses ...int) *tab {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.means = append(w.means, statuses...)
	return w
}

// hear keeps what the browser complains of.
func (w *tab) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		w.fault("console: %s %v", e.Type, told(e.Args))
	case *runtime.EventExceptionThrown:
		w.fault("exception: %v", e.ExceptionDetails)
	case *log.EventEntryAdded:
		if !w.meant(e.Entry.Text) {
			w.fault("%s: %s: %s", e.Entry.Source, e.Entry.Level, e.Entry.Text)
		}
	case *audits.EventIssueAdded:
		details, _ := json.Marshal(e.Issue.Details)
		w.fault("issue: %s %s", e.Issue.Code, details)
	case *page.EventJavascriptDialogOpening:
		w.fault("dialog: %s", e.Message)
		go func() { _ = chromedp.Run(w.ctx, page.HandleJavaScriptDialog(true)) }()
	case *network.EventRequestWillBeSent:
		if to := e.Request.URL; !strings.HasPrefix(to, w.url+"/") && !strings.HasPrefix(to, "data:") && to != "about:blank" {
			w.fault("asks another host: %s", to)
		}
	}
}

func told(args []*runtime.RemoteObject) (said []string) {
	for _, a := range args {
		said = append(said, string(a.Value)+a.Description)
	}
	return said
}

func (w *tab) meant(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.means, func(status int) bool {
		return strings.HasPrefix(text, fmt.Sprintf("Failed to load resource: the server responded with a status of %d ", status))
	})
}

func (w *tab) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// run does something in the tab, or ends the test.
func (w *tab) run(actions ...chromedp.Action) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		w.t.Fatalf("%v\n%s", err, w.where())
	}
}

// lead does what leads to another page, and waits for it. It gives the status.
func (w *tab) lead(actions ...chromedp.Action) int {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	answer, err := chromedp.RunResponse(ctx, actions...)
	if err != nil {
		w.t.Fatalf("no page came: %v\n%s", err, w.where())
	}
	if answer == nil {
		return http.StatusOK
	}
	return int(answer.Status)
}

func (w *tab) visit(path string) int {
	w.t.Helper()
	return w.lead(chromedp.Navigate(w.url + path))
}

func (w *tab) reload() {
	w.t.Helper()
	w.lead(chromedp.Reload())
}

// where tells what the tab shows, for a test that fails.
func (w *tab) where() string {
	ctx, cancel := context.WithTimeout(w.ctx, 2*time.Second)
	defer cancel()
	var at, shown string
	_ = chromedp.Run(ctx, chromedp.Location(&at), chromedp.Evaluate("document.body.innerText", &shown))
	return at + "\n" + shown
}

// eval asks the page; a promise is waited for.
func (w *tab) eval(script string, into any) {
	w.t.Helper()
	w.run(chromedp.Evaluate(script, into, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
}

// text is what a person sees of the page.
func (w *tab) text() string {
	w.t.Helper()
	var shown string
	w.eval("document.body.innerText", &shown)
	return strings.Join(strings.Fields(shown), " ")
}

// until waits for something to be so.
func (w *tab) until(what string, so func() bool) {
	w.t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("never: %s\n%s", what, w.where())
		}
	}
}

// shows waits until the page shows each of these.
func (w *tab) shows(want ...string) {
	w.t.Helper()
	for _, text := range want {
		w.until("the page shows "+text, func() bool { return strings.Contains(w.text(), text) })
	}
}

// hides fails the test if the page shows any of these.
func (w *tab) hides(unwanted ...string) {
	w.t.Helper()
	shown := w.text()
	for _, text := range unwanted {
		if strings.Contains(shown, text) {
			w.t.Errorf("the page shows %q:\n%s", text, shown)
		}
	}
}

// found is an element of the page as those who cannot see it have it.
type found struct {
	role, name string
	id         cdp.BackendNodeID
}

// named matches an accessible name; a * at its end stands for any rest.
func named(pattern, name string) bool {
	if head, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(name, head)
	}
	return pattern == name
}

// look finds the elements of a role and a name.
func (w *tab) look(role, name string) (list []found) {
	w.t.Helper()
	w.run(chromedp.ActionFunc(func(ctx context.Context) error {
		root, err := dom.GetDocument().WithDepth(0).Do(ctx)
		if err != nil {
			return err
		}
		nodes, err := accessibility.QueryAXTree().WithBackendNodeID(root.BackendNodeID).WithRole(role).Do(ctx)
		if err != nil {
			return nil //nolint:nilerr // the page is just being left for another: it is looked again
		}
		for _, n := range nodes {
			if is := read(n); !n.Ignored && named(name, is.name) {
				list = append(list, is)
			}
		}
		return nil
	}))
	return list
}

func read(n *accessibility.Node) found {
	f := found{id: n.BackendDOMNodeID}
	for text, v := range map[*string]*accessibility.Value{&f.role: n.Role, &f.name: n.Name} {
		if v != nil {
			_ = json.Unmarshal([]byte(v.Value), text) // what is no text stays empty
		}
	}
	return f
}

// one waits for the first element of a role and a name.
func (w *tab) one(role, name string) found {
	w.t.Helper()
	var list []found
	w.until(fmt.Sprintf("there is a %s %q", role, name), func() bool {
		list = w.look(role, name)
		return len(list) > 0
	})
	return list[0]
}

// mouse clicks where an element is.
func mouse(f found) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		if err := dom.ScrollIntoViewIfNeeded().WithBackendNodeID(f.id).Do(ctx); err != nil {
			return err
		}
		quads, err := dom.GetContentQuads().WithBackendNodeID(f.id).Do(ctx)
		if err != nil || len(quads) == 0 {
			return fmt.Errorf("%s %q cannot be clicked: %w", f.role, f.name, err)
		}
		q := quads[0]
		return chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2).Do(ctx)
	})
}

func (w *tab) click(role, name string) {
	w.t.Helper()
	w.run(mouse(w.one(role, name)))
}

// follow clicks what leads to another page, and gives the status of that.
func (w *tab) follow(role, name string) int {
	w.t.Helper()
	return w.lead(mouse(w.one(role, name)))
}

// clear marks all of the box that has the focus, so that what is typed replaces it.
func clear() chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return input.DispatchKeyEvent(input.KeyRawDown).WithKey("a").WithModifiers(input.ModifierCtrl).WithCommands([]string{"selectAll"}).Do(ctx)
	})
}

// fill puts a text in the place of what a box holds.
func (w *tab) fill(label, text string) {
	w.t.Helper()
	w.run(dom.Focus().WithBackendNodeID(w.one("textbox", label).id), clear(), input.InsertText(text))
}

// add types a text at the end of MEMORY.md in its editor, key by key.
func (w *tab) add(text string) {
	w.t.Helper()
	box := w.one("textbox", policy.MemoryFile)
	w.of(box, "this.setSelectionRange(this.value.length, this.value.length)", nil)
	w.run(dom.Focus().WithBackendNodeID(box.id), chromedp.KeyEvent(text))
}

// of asks an element: this is the element in the script.
func (w *tab) of(f found, script string, into any) {
	w.t.Helper()
	w.run(chromedp.ActionFunc(func(ctx context.Context) error {
		object, err := dom.ResolveNode().WithBackendNodeID(f.id).Do(ctx)
		if err != nil {
			return err
		}
		return chromedp.CallFunctionOn("function() { return "+script+" }", into, func(p *runtime.CallFunctionOnParams) *runtime.CallFunctionOnParams {
			return p.WithObjectID(object.ObjectID)
		}).Do(ctx)
	}))
}

// box is what a box holds.
func (w *tab) box(label string) (value string) {
	w.t.Helper()
	w.of(w.one("textbox", label), "this.value", &value)
	return value
}

func (w *tab) size(width int64) {
	w.t.Helper()
	w.run(emulation.SetDeviceMetricsOverride(width, 900, 1, false))
}

// prefer has the browser say what its person prefers: prefer("color-scheme", "dark").
func (w *tab) prefer(what, value string) {
	w.t.Helper()
	w.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-" + what, Value: value}}))
}

// scriptless switches JavaScript off in the tab.
func (w *tab) scriptless() {
	w.t.Helper()
	w.run(emulation.SetScriptExecutionDisabled(true))
}
