package hooks

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/policy"
)

// here is a fetcher that may reach this machine, for what else is tested.
func here() fetcher {
	return fetcher{allowed: func(netip.AddrPort) bool { return true }, port: func(string) bool { return true }}
}

func faultOf(t *testing.T, err error) policy.Fault {
	t.Helper()
	var p *policy.PictureError
	if !errors.As(err, &p) {
		t.Fatalf("%v is no reason for not keeping a picture", err)
	}
	return p.Fault
}

func serving(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func TestPublicAddresses(t *testing.T) {
	for addr, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "2606:4700::1111": true, "172.32.0.1": true, "100.128.0.1": true,
		"127.0.0.1": false, "127.9.9.9": false, "10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "100.100.100.200": false, "0.0.0.0": false, "0.1.2.3": false, "224.0.0.1": false,
		"239.255.255.250": false, "240.0.0.1": false, "255.255.255.255": false, "198.18.0.1": false, "192.0.0.192": false, "168.63.129.16": false,
		"192.88.99.1": false, "203.0.113.5": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:a9fe:a9fe": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b:1::a00:1": false, "2002:7f00:1::": false, "2002:a9fe:a9fe::1": false, "2001:0:1::1": false,
		"fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd00:ec2::254": false, "fec0::1": false, "ff02::1": false, "2001:db8::1": false,
		"2606:4700::5efe:7f00:1": false, "2606:4700::200:5efe:a00:1": false, "::ffff:8.8.8.8": true,
	} {
		if got := public(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: public is %v", addr, got)
		}
	}
}

func TestNothingPrivateIsFetched(t *testing.T) {
	var asked atomic.Int64
	s := serving(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for _, source := range []string{
		"http://127.0.0.1/a.png", "http://127.1/a.png", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/",
		"http://localhost/", "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://0.0.0.0/", "http://[fe80::1%25lo]/",
		"https://192.168.0.1/", s.URL + "/a.png", "http://user:pass@93.184.216.34/", "http://127.0.0.1:" + port + "/",
		"ftp://93.184.216.34/a.png", "file:///etc/passwd", "gopher://93.184.216.34/", "/etc/passwd", "photo.png", "", "http:", "http://", "http:///a", "http://93.184.216.34:22/", "HTTP:93.184.216.34",
		"http://example.org/" + strings.Repeat("a", fetchURL),
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		b, err := fetcher{}.read(ctx, source)
		cancel()
		if err == nil || faultOf(t, err) != policy.PictureUnreadable || b != nil {
			t.Errorf("%.60s: %d bytes, %v", source, len(b), err)
		}
	}
	if asked.Load() > 0 {
		t.Errorf("a server of this machine was asked %d times", asked.Load())
	}
}

// A name that was public when somebody looked means this machine when it is dialled: what
// counts is the address of the connection.
func TestARebindingNameLeadsNowhere(t *testing.T) {
	var asked atomic.Int64
	s := serving(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	addr := netip.MustParseAddrPort(s.Listener.Addr().String())
	var lookups atomic.Int64
	dns, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer dns.Close() //nolint:errcheck // the test is over
	go answerDNS(dns, &lookups)
	f := fetcher{
		port: func(string) bool { return true },
		resolve: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "udp", dns.LocalAddr().String())
		}},
	}
	_, port, _ := net.SplitHostPort(addr.String())
	_, err = f.read(t.Context(), "http://pictures.example.org:"+port+"/a.png")
	if faultOf(t, err) != policy.PictureUnreadable || !strings.Contains(err.Error(), "public web") || asked.Load() > 0 {
		t.Errorf("got %v, and the server was asked %d times", err, asked.Load())
	}
	if lookups.Load() == 0 {
		t.Error("the name was never looked up: the test shows nothing")
	}
}

// answerDNS answers each question for an address with 127.0.0.1.
func answerDNS(c net.PacketConn, n *atomic.Int64) {
	b := make([]byte, 512)
	for {
		size, from, err := c.ReadFrom(b)
		if err != nil {
			return
		}
		n.Add(1)
		end := 12
		for b[end] != 0 {
			end += int(b[end]) + 1
		}
		end += 5
		answer := append([]byte{}, b[:min(end, size)]...)
		answer[2], answer[3] = 0x81, 0x80
		copy(answer[6:], []byte{0, 0, 0, 0, 0, 0})
		if b[end-3] == 1 { // an A
			answer[7] = 1
			answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1)
		}
		_, _ = c.WriteTo(answer, from)
	}
}

func TestARedirectIsLookedAt(t *testing.T) {
	var inner atomic.Int64
	secret := serving(t, func(http.ResponseWriter, *http.Request) { inner.Add(1) })
	bad := netip.MustParseAddrPort(secret.Listener.Addr().String())
	var s *httptest.Server
	s = serving(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/private":
			http.Redirect(w, r, secret.URL, http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/user":
			http.Redirect(w, r, strings.Replace(s.URL, "http://", "http://a:b@", 1)+"/ok", http.StatusFound)
		case "/1", "/2", "/3", "/4":
			http.Redirect(w, r, "/"+string(r.URL.Path[1]-1), http.StatusFound)
		default:
			if r.Header.Get("Cookie")+r.Header.Get("Referer")+r.Header.Get("Authorization") != "" {
				t.Errorf("sent along: %v", r.Header)
			}
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			_, _ = io.WriteString(w, "picture")
		}
	})
	f := here()
	f.allowed = func(at netip.AddrPort) bool { return at != bad }
	for path, want := range map[string]string{"/private": "public web", "/file": "no http", "/user": "password", "/4": "too often"} {
		_, err := f.read(t.Context(), s.URL+path)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if b, err := f.read(t.Context(), s.URL+"/3"); err != nil || string(b) != "picture" {
		t.Errorf("three redirects: %q, %v", b, err)
	}
	if inner.Load() > 0 {
		t.Errorf("the private server was asked %d times", inner.Load())
	}
}

// A stream without an end, or with a length that is not true, stops at what a picture may
// have.
func TestALongAnswerIsCutShort(t *testing.T) {
	var sent atomic.Int64
	s := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/says" {
			w.Header().Set("Content-Length", "10737418240")
		}
		chunk := make([]byte, 1<<20)
		for range 10 << 10 { // ten gigabytes
			n, err := w.Write(chunk)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	})
	for _, path := range []string{"/streams", "/says"} {
		sent.Store(0)
		_, err := here().read(t.Context(), s.URL+path)
		if faultOf(t, err) != policy.PictureTooLarge {
			t.Errorf("%s: %v", path, err)
		}
	}
	s.CloseClientConnections()
	s.Close()
	if sent.Load() > 64<<20 {
		t.Errorf("%d bytes went over the wire", sent.Load())
	}
}

func TestASlowAnswerEnds(t *testing.T) {
	end := make(chan struct{})
	s := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "a")
		w.(http.Flusher).Flush()
		<-end
	})
	defer close(end)
	f := here()
	f.time = 100 * time.Millisecond
	if _, err := f.read(t.Context(), s.URL); !strings.Contains(err.Error(), "in time") {
		t.Errorf("got %v", err)
	}
}

func TestNoProxyIsAsked(t *testing.T) {
	var asked atomic.Int64
	proxy := serving(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("ALL_PROXY", proxy.URL)
	if here().transport().Proxy != nil {
		t.Error("a proxy is looked for in the environment")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, _ = fetcher{}.read(ctx, "http://192.0.2.1/a.png")
	if asked.Load() > 0 {
		t.Error("the proxy was asked")
	}
}

func TestAnErrorOfTheServerTellsNothing(t *testing.T) {
	s := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "secret words")
	})
	_, err := here().read(t.Context(), s.URL)
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "403") {
		t.Errorf("got %v", err)
	}
}

func TestDataURLs(t *testing.T) {
	for source, want := range map[string]string{
		"data:image/png;base64,aGVsbG8=":     "hello",
		"data:;base64,aGVsbG8":               "hello",
		"DATA:text/plain,a%20b":              "a b",
		"data:image/svg+xml;BASE64,aGVs bG8": "hello",
		"data:image/png;base64,_-8":          "\xff\xef",
	} {
		if got, err := (fetcher{}).read(t.Context(), source); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", source, got, err)
		}
	}
	for source, want := range map[string]policy.Fault{
		"data:image/png;base64": policy.PictureUnreadable, "data:;base64,!!": policy.PictureUnreadable, "data:,%zz": policy.PictureUnreadable,
		"data:;base64," + strings.Repeat("A", policy.MaxPictureBytes*2): policy.PictureTooLarge,
		"data:," + strings.Repeat("A", policy.MaxPictureBytes*5):        policy.PictureTooLarge,
	} {
		if _, err := (fetcher{}).read(t.Context(), source); faultOf(t, err) != want {
			t.Errorf("%.40s: %v", source, err)
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add("data:image/png;base64,aGVsbG8=")
	f.Add("file:///etc/passwd")
	f.Add("data:,%41")
	f.Fuzz(func(t *testing.T, source string) {
		if low := strings.ToLower(source); strings.HasPrefix(low, "http") {
			t.Skip("no web in a test")
		}
		b, err := fetcher{}.read(t.Context(), source)
		if err == nil && len(b) > 4*policy.MaxPictureBytes {
			t.Fatalf("%d bytes", len(b))
		}
		if err != nil {
			faultOf(t, err)
		}
	})
}
