package panel_test

import (
	"net/http"
	"net/url"
	"testing"
)

// A folder of the server's machine is set as a remote by somebody who sits there.
func TestAFolderIsNoRemoteFromAfar(t *testing.T) {
	b := signedIn(t)
	form := url.Values{"do": {"set"}, "url": {"/srv/notes.git"}}
	away := func(r *http.Request) { r.RemoteAddr = "192.168.1.9:4000" }
	b.post("/bots/scout/remote", form, away).is(http.StatusForbidden).has("somebody at this machine")
	b.post("/bots/scout/remote", form, with("X-Forwarded-For", "192.168.1.9")).is(http.StatusForbidden)
	b.get("/bots/scout/remote").is(http.StatusOK).hasNot("/srv/notes.git")
	b.post("/bots/scout/remote", form).is(http.StatusSeeOther)
}
