package hooks

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"quipu/policy"
)

// What a picture may take to come from the web.
const (
	fetchTime      = 20 * time.Second
	fetchDial      = 5 * time.Second
	fetchRedirects = 3
	fetchURL       = 2048     // bytes of an address
	fetchHead      = 64 << 10 // bytes of an answer's head
)

// fetcher reads a picture from its source. Nothing private is ever asked: the address is
// looked at when the connection is made, after the name was looked up, so that a name
// which means another machine the next moment leads nowhere.
type fetcher struct {
	// allowed says whether a connection may be made; nil is reachable.
	allowed func(netip.AddrPort) bool
	port    func(string) bool // whether an address may name a port; nil is webPort
	resolve *net.Resolver     // nil is the machine's
	time    time.Duration     // 0 is fetchTime
}

// read gives the bytes of a data: or http(s) URL. The error is a *policy.PictureError.
func (f fetcher) read(ctx context.Context, source string) ([]byte, error) {
	scheme, rest, ok := strings.Cut(source, ":")
	switch strings.ToLower(scheme) {
	case "data":
		if ok {
			return readDataURL(rest)
		}
	case "http", "https":
		if ok {
			return f.fetch(ctx, source)
		}
	}
	return nil, unreadable("a picture comes as bytes, or as a data:, http: or https: URL; a file name means nothing here")
}

func unreadable(why string) error { return policy.RefusePicture(policy.PictureUnreadable, "%s", why) }

func tooLarge() error {
	return policy.RefusePicture(policy.PictureTooLarge, "the picture has more than %d bytes", policy.MaxPictureBytes)
}

// readDataURL reads what stands after data: in RFC 2397. Its type is not believed.
func readDataURL(rest string) ([]byte, error) {
	head, data, ok := strings.Cut(rest, ",")
	if !ok {
		return nil, unreadable("the data: URL has no data")
	}
	if len(data) > 4*policy.MaxPictureBytes {
		return nil, tooLarge()
	}
	text, err := url.PathUnescape(data)
	if err != nil {
		return nil, unreadable("the data: URL cannot be read")
	}
	if !strings.HasSuffix(strings.ToLower(strings.ReplaceAll(head, " ", "")), ";base64") {
		return []byte(text), nil
	}
	return DecodePicture(text)
}

// DecodePicture reads a picture that was written as base64, of either alphabet, with or
// without its end. The error is a *policy.PictureError.
func DecodePicture(text string) ([]byte, error) {
	text = strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
	text = strings.NewReplacer("-", "+", "_", "/").Replace(text)
	if base64.RawStdEncoding.DecodedLen(len(text)) > policy.MaxPictureBytes {
		return nil, tooLarge()
	}
	b, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, unreadable("the data is no base64")
	}
	return b, nil
}

var errAddress = errors.New("no public address")

// fetch reads a picture from the web: no cookie, no credential, no proxy, and never more
// than a picture may have, whatever the answer says of its length.
func (f fetcher) fetch(ctx context.Context, source string) ([]byte, error) {
	limit := f.time
	if limit == 0 {
		limit = fetchTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	u, err := url.Parse(source)
	if err != nil || len(source) > fetchURL {
		return nil, unreadable("the address cannot be read")
	}
	if err := f.fit(u); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, unreadable("the address cannot be read")
	}
	req.Header.Set("Accept", "image/png, image/jpeg, image/gif, image/webp")
	req.Header.Set("User-Agent", "quipu")
	transport := f.transport()
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: f.redirect}
	answer, err := client.Do(req)
	if err != nil {
		return nil, fetchError(err)
	}
	defer answer.Body.Close() //nolint:errcheck // read only
	if answer.StatusCode != http.StatusOK {
		return nil, policy.RefusePicture(policy.PictureUnreadable, "the address answered with status %d", answer.StatusCode)
	}
	if answer.ContentLength > policy.MaxPictureBytes {
		return nil, tooLarge()
	}
	b, err := io.ReadAll(io.LimitReader(answer.Body, policy.MaxPictureBytes+1))
	if len(b) > policy.MaxPictureBytes {
		return nil, tooLarge()
	}
	if err != nil {
		return nil, fetchError(err)
	}
	return b, nil
}

// fetchError says why nothing came, and no word of what stands at the address.
func fetchError(err error) error {
	var fault *policy.PictureError
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.Is(err, errAddress):
		return unreadable("the address is not one of the public web")
	case errors.Is(err, context.DeadlineExceeded):
		return unreadable("the address did not answer in time")
	case errors.Is(err, context.Canceled):
		return unreadable("the fetching was stopped")
	}
	return unreadable("the address cannot be fetched")
}

// fit refuses an address that no public picture has.
func (f fetcher) fit(u *url.URL) error {
	port := f.port
	if port == nil {
		port = webPort
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.Opaque != "":
		return unreadable("the address is no http or https URL")
	case u.User != nil:
		return unreadable("the address holds a user name or a password; none is sent")
	case !port(u.Port()):
		return unreadable("the address names a port other than 80 and 443")
	}
	return nil
}

func webPort(port string) bool { return port == "" || port == "80" || port == "443" }

func (f fetcher) redirect(req *http.Request, via []*http.Request) error {
	if len(via) > fetchRedirects {
		return unreadable("the address leads on too often")
	}
	req.Header.Del("Referer")
	return f.fit(req.URL)
}

func (f fetcher) transport() *http.Transport {
	dialer := &net.Dialer{Timeout: fetchDial, Control: f.control, Resolver: f.resolve}
	return &http.Transport{
		Proxy:       nil, // the environment's would look the name up behind our back
		DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true,
		TLSHandshakeTimeout: fetchDial, ResponseHeaderTimeout: fetchTime, MaxResponseHeaderBytes: fetchHead,
	}
}

// control refuses a connection to what is not public. It sees the address itself.
func (f fetcher) control(network, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return errAddress
	}
	allowed := f.allowed
	if allowed == nil {
		allowed = reachable
	}
	if !allowed(at) {
		return errAddress
	}
	return nil
}

func reachable(at netip.AddrPort) bool {
	return (at.Port() == 80 || at.Port() == 443) && public(at.Addr())
}

// withheld are the blocks that are no machine of the public web, or may lead to one that
// is not: IANA's registries of special-purpose addresses, both of them, with the ways in
// which an IPv4 address is written into an IPv6 one, and the metadata of clouds.
var withheld = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/3", "168.63.129.16/32",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

// global is where all public IPv6 addresses are.
var global = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, p := range list {
		out[i] = netip.MustParsePrefix(p)
	}
	return out
}

// public reports whether an address is one of the public web.
func public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if a.Is6() && (!global.Contains(a) || isatap(a)) {
		return false
	}
	for _, p := range withheld {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast() && !a.IsPrivate()
}

// isatap reports whether an address has an IPv4 one at its end; RFC 5214.
func isatap(a netip.Addr) bool {
	b := a.As16()
	return b[8]&0xfd == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
