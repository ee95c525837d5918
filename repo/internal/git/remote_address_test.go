package git

import (
	"strings"
	"testing"
	"unicode"
)

func TestCheckURL(t *testing.T) {
	for _, c := range []struct {
		raw, text string
		fault     Fault
		plain     bool
	}{
		{raw: "https://example.org/ada/memory.git", text: "https://example.org/ada/memory.git"},
		{raw: "HTTPS://example.org:8443/a b.git", text: "https://example.org:8443/a%20b.git"},
		{raw: "https://ada@example.org/m.git", text: "https://example.org/m.git"},
		{raw: "http://127.0.0.1:3000/m.git", text: "http://127.0.0.1:3000/m.git"},
		{raw: "http://[::1]/m.git", text: "http://[::1]/m.git"},
		{raw: "http://gitea.local/m.git", text: "http://gitea.local/m.git", plain: true},
		{raw: "ssh://git@example.org:2222/srv/m.git", text: "ssh://git@example.org:2222/srv/m.git"},
		{raw: "ssh://example.org/~/m.git", text: "ssh://example.org/~/m.git"},
		{raw: "git@github.com:ada/memory.git", text: "git@github.com:ada/memory.git"},
		{raw: "box:m.git", text: "box:m.git"},
		{raw: "box:/srv/m.git", text: "ssh://box/srv/m.git"},
		{raw: "[::1]:m.git", text: "[::1]:m.git"},
		{raw: "/srv/m.git", text: "/srv/m.git"},
		{raw: "file:///srv/m%20x.git", text: "/srv/m x.git"},
		{raw: "file://localhost/srv/m.git", text: "/srv/m.git"},

		{raw: "", fault: FaultAddress},
		{raw: "  ", fault: FaultAddress},
		{raw: "-oProxyCommand=x", fault: FaultAddress},
		{raw: "--upload-pack=x", fault: FaultAddress},
		{raw: "ssh://-oProxyCommand=x/m.git", fault: FaultAddress},
		{raw: "ssh://-l@host/m.git", fault: FaultAddress},
		{raw: "-x@host:m.git", fault: FaultAddress},
		{raw: "host:-m.git", fault: FaultAddress},
		{raw: "a@-host:m.git", fault: FaultAddress},
		{raw: "https://example.org/a\nb", fault: FaultAddress},
		{raw: "https://example.org/a%0ab", fault: FaultAddress},
		{raw: "https://exa mple.org/a", fault: FaultAddress},
		{raw: "https://ada:pw@example.org/m.git", fault: FaultAddress},
		{raw: "ssh://ada:pw@example.org/m.git", fault: FaultAddress},
		{raw: "ada:pw@example.org:m.git", fault: FaultAddress},
		{raw: "https://ghp_0123456789abcdef@github.com/a/b", fault: FaultAddress},
		{raw: "https://0123456789abcdef0123456789abcdef01234567@github.com/a/b", fault: FaultAddress},
		{raw: "https://example.org/m.git?token=x", fault: FaultAddress},
		{raw: "https://example.org/m.git#x", fault: FaultAddress},
		{raw: "https://example.org", fault: FaultAddress},
		{raw: "https:///m.git", fault: FaultAddress},
		{raw: "https://example.org:99999/m.git", fault: FaultAddress},
		{raw: "file://other/m.git", fault: FaultAddress},
		{raw: "memory.git", fault: FaultAddress},
		{raw: "./memory.git", fault: FaultAddress},
		{raw: "../x:y", fault: FaultAddress},
		{raw: "ext::sh -c x", fault: FaultProtocol},
		{raw: "fd::17", fault: FaultProtocol},
		{raw: "persistent-https::x", fault: FaultProtocol},
		{raw: "git://example.org/m.git", fault: FaultProtocol},
		{raw: "ftp://example.org/m.git", fault: FaultProtocol},
		{raw: "javascript://x/y", fault: FaultProtocol},
	} {
		a, err := CheckURL(c.raw)
		if FaultOf(err) != c.fault {
			t.Errorf("%q: fault %d, want %d: %v", c.raw, FaultOf(err), c.fault, err)
			continue
		}
		if err != nil {
			if strings.Contains(err.Error(), "pw") || strings.Contains(err.Error(), "ghp_") {
				t.Errorf("%q: the message repeats the credential: %v", c.raw, err)
			}
			continue
		}
		if a.String() != c.text || a.Plain != c.plain {
			t.Errorf("%q reads %q plain %v, want %q %v", c.raw, a, a.Plain, c.text, c.plain)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{"https://u:p@h/x", "git@h:x/y", "ssh://a@[::1]:22/~/x", "file:///a%2f..", "ext::x", "/a", "h:~b", "a:b@c:d", "ssh://h//x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, err := CheckURL(raw)
		if err != nil {
			if FaultOf(err) == 0 || strings.ContainsFunc(err.Error(), unicode.IsControl) {
				t.Fatalf("%q: %q", raw, err)
			}
			return
		}
		s := a.String()
		if strings.HasPrefix(s, "-") || strings.ContainsFunc(s, unicode.IsControl) || helperForm.MatchString(s) || strings.HasPrefix(a.Host, "-") ||
			strings.HasPrefix(a.User, "-") || a.Scheme == "ssh" && strings.HasPrefix(a.Path, "-") {
			t.Fatalf("%q becomes %q", raw, s)
		}
		again, err := CheckURL(s)
		if a.Scheme != "ssh" {
			a.User = "" // told to git by its configuration
		}
		if err != nil || again != a {
			t.Fatalf("%q becomes %q, which reads %+v, not %+v (%v)", raw, s, again, a, err)
		}
	})
}

func TestCleanWords(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a\x1b[31mb\r\nc\td", "a[31mb c d"},
		{"token s3cret here", "token «redacted» here"},
		{"\xff\u202ex\u0085y", "x y"},
		{strings.Repeat("é", 200), strings.Repeat("é", 150) + "…"},
	} {
		if got := clean(c.in, "s3cret", ""); got != c.want {
			t.Errorf("%q reads %q, want %q", c.in, got, c.want)
		}
	}
}
