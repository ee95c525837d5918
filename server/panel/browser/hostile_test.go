package browser

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"quipu/policy"
)

// hostile is text that would act if a page took it for markup.
var hostile = []string{
	`<script>window.acted = 1</script>`, `"><img src=x onerror="window.acted = 1">`, `</textarea></title><svg onload="window.acted = 1">`,
	`[click](javascript:window.acted=1) javascript:window.acted=1`, `' onfocus='window.acted=1' autofocus='`, `<!-- <base href="//evil.example"> {{.CSRF}} ${1}`,
	"evil\u202egnp.exe \u2066x\u2069",
}

// strangers names what stands in the document and is none of the panel's.
const strangers = `(() => {
	const out = [...document.querySelectorAll("img, iframe, object, embed, base, style, video, audio, math, [autofocus], [style]")].map((e) => e.outerHTML);
	for (const e of document.querySelectorAll("*")) {
		for (const a of e.attributes) if (a.name.startsWith("on") || /^\s*(javascript|data|vbscript):/i.test(a.value) || (["href", "src", "action", "formaction"].includes(a.name) && new URL(a.value, location.href).origin !== location.origin)) out.push(e.outerHTML.slice(0, 200));
	}
	for (const s of document.scripts) if (s.text || !s.src.startsWith(location.origin + "/static/")) out.push(s.outerHTML.slice(0, 200));
	if ([...document.querySelectorAll("svg")].some((s) => s.closest("main") === null)) out.push("a picture outside the page");
	if (window.acted) out.push("it ran");
	if (/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)) out.push("a control that turns the text around it");
	return out;
})()`

// besiege writes hostile text wherever somebody other than the person can write.
func besiege(h *house) *strings.Replacer {
	h.t.Helper()
	names := furnish(h)
	for i, bad := range hostile {
		if !strings.ContainsAny(bad, "<>") { // such a name is refused
			must(h.t, h.store.SetBot("empty", map[string]any{"name": bad}))
		}
		m := byBot(fmt.Sprintf("chat %q", bad))
		m.Author.Name, m.Quote = bad, bad
		_, err := h.scout.Update(h.t.Context(), m, policy.Update{Action: policy.Append, Text: fmt.Sprintf("fact %d: %s", i, bad), TextSet: true, Source: fmt.Sprintf("chat \"%s\"", bad)})
		must(h.t, err)
		h.write(fmt.Sprintf("memory/bad%d.md", i), fmt.Sprintf("---\ntitle: %q\ndescription: %q\naliases: [%q]\n---\n# %s\n\n%s\n\n- %s\n\n```\n%s\n```\n", bad, bad, bad, bad, bad, bad, bad))
		me, err := h.store.MakeMe(h.t.Context(), "")
		must(h.t, err)
		_, _, err = me.Learn(h.t.Context(), m, bad, []string{fmt.Sprintf("likes %d %s", i, bad)})
		must(h.t, err)
	}
	// A file of such a name, and a commit of such an author, as a person's own tools make them.
	h.outside("memory/x onload=alert(1) <img src=x onerror=alert(1)>.md", "- a fact\n")
	h.outside("memory/people.md", "- Meera is in <b onclick=alert(1)>Pune</b>\n")
	git := exec.CommandContext(h.t.Context(), "git", "commit", "-qam", `<img src=x onerror="window.acted = 1">`)
	git.Dir = h.scout.Dir()
	git.Env = append(os.Environ(), "GIT_AUTHOR_NAME=\"><img src=x onerror='window.acted = 1'> \u202eevil", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=javascript:window.acted=1", "GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := git.CombinedOutput(); err != nil {
		h.t.Fatalf("git commit: %v\n%s", err, out)
	}
	return names
}

func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	names := besiege(h)
	w := h.signedIn(t).meaning(http.StatusNotFound, http.StatusUnauthorized, http.StatusConflict)
	look := func(at string) {
		t.Helper()
		var found []string
		if w.eval(strangers, &found); len(found) > 0 {
			t.Errorf("%s: %s", at, strings.Join(found, "\n"))
		}
	}
	addresses := []string{"/bots/scout?did=%3Cscript%3E", "/bots/scout/journal?q=%3Cimg+src%3Dx%3E&path=%22%3E&since=%3C&author=%3C", "/bots/%3Cscript%3E"}
	for i := range hostile {
		path := fmt.Sprintf("?path=memory/bad%d.md", i)
		addresses = append(addresses, "/bots/scout/file"+path, "/bots/scout/edit"+path, "/bots/scout/delete"+path, "/bots/scout/journal"+path,
			h.entry(fmt.Sprintf("fact %d:", i)), strings.Replace(h.entry(fmt.Sprintf("fact %d:", i)), "/entry", "/forget", 1))
	}
	for _, v := range views {
		addresses = append(addresses, names.Replace(v.at))
	}
	for _, at := range addresses {
		w.visit(at)
		look(at)
	}
	// It is shown, as what it is.
	w.visit("/bots/scout")
	w.shows(hostile[0], hostile[1], "evil[U+202E]gnp.exe")
	w.visit("/bots/scout/journal?path=memory/people.md")
	w.shows("img src=x onerror='window.acted = 1'", "<b onclick=alert(1)>Pune</b>")
	w.visit("/bots/scout/file?path=memory/bad2.md")
	w.shows(hostile[2])
	// Both sides of a conflict, and what an open editor learns, are text too.
	w.visit("/bots/scout/edit?path=memory/bad0.md")
	w.fill("memory/bad0.md", hostile[2])
	h.write("memory/bad0.md", hostile[1])
	w.shows("changed this file while you were editing")
	look("an editor that is told")
	w.follow("button", "Save")
	look("a conflict")
	w.follow("button", "Reload")
	look("a draft")
}
