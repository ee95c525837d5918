package git

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// httpWire speaks git's smart protocol over http(s).
type httpWire struct {
	e       *endpoint
	client  *http.Client
	base    string // moves with a redirect on the same host
	service string
	bodies  []io.Closer
}

var errMoved = errors.New("redirect to another host")

func newHTTPWire(e *endpoint, w *watch) (*httpWire, error) {
	h := &httpWire{e: e, base: strings.TrimSuffix(e.at.String(), "/")}
	secure := &tls.Config{MinVersion: tls.VersionTLS12}
	if e.CA != "" {
		pem, err := os.ReadFile(e.CA)
		if err != nil {
			return nil, err
		}
		secure.RootCAs = x509.NewCertPool()
		if !secure.RootCAs.AppendCertsFromPEM(pem) {
			return nil, e.at.faultf(FaultTLS, "%s holds no certificate", e.CA)
		}
	}
	h.client = &http.Client{
		Transport: &http.Transport{
			Proxy:             http.ProxyFromEnvironment,
			DialContext:       func(ctx context.Context, _, address string) (net.Conn, error) { return e.dial(ctx, w, address) },
			TLSClientConfig:   secure,
			ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			const most = 5
			first := via[0]
			if req.URL.Host != first.URL.Host || req.URL.Scheme != first.URL.Scheme || req.Method != http.MethodGet || len(via) > most {
				return fmt.Errorf("%w: %s", errMoved, req.URL.Redacted())
			}
			return nil
		},
	}
	return h, nil
}

func (h *httpWire) open(ctx context.Context, service string) (io.Reader, error) {
	h.service = service
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.base+"/info/refs?service="+service, nil)
	if err != nil {
		return nil, err
	}
	body, head, at, err := h.do(req)
	if err != nil {
		return nil, err
	}
	at.RawQuery = ""
	h.base = strings.TrimSuffix(at.String(), "/info/refs")
	if kind := head.Get("Content-Type"); kind != "application/x-"+service+"-advertisement" {
		return nil, h.e.at.faultf(FaultNotGit, "it answers with %s", clean(kind))
	}
	return body, nil
}

func (h *httpWire) send(ctx context.Context, body io.Reader, size int64) (io.Reader, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.base+"/"+h.service, body)
	if err != nil {
		return nil, err
	}
	req.ContentLength = size
	req.Header.Set("Content-Type", "application/x-"+h.service+"-request")
	req.Header.Set("Accept", "application/x-"+h.service+"-result")
	answer, _, _, err := h.do(req)
	return answer, err
}

// do sends a request and gives the answer, which close closes, its header, and the
// address that it came from in the end.
func (h *httpWire) do(req *http.Request) (answer io.Reader, head http.Header, from *url.URL, err error) {
	req.Header.Set("User-Agent", "git/quipu")
	if h.e.Token != "" {
		req.SetBasicAuth(h.e.at.User, h.e.Token)
	}
	resp, err := h.client.Do(req) //nolint:bodyclose // close does, when all is read
	if errors.Is(err, errMoved) {
		err = &RemoteError{Fault: FaultMoved, Host: h.e.at.place(), Said: clean(err.Error(), h.e.secrets()...), Err: err}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	h.bodies = append(h.bodies, resp.Body)
	if resp.StatusCode == http.StatusOK {
		return resp.Body, resp.Header, resp.Request.URL, nil
	}
	words := ""
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") {
		b, _ := io.ReadAll(io.LimitReader(resp.Body, mostWords)) // as far as it comes
		words = ": " + string(b)
	}
	return nil, nil, nil, h.e.at.faultf(statusFault(resp.StatusCode), "%s", clean(resp.Status+words, h.e.secrets()...))
}

func statusFault(code int) Fault {
	switch {
	case code == http.StatusUnauthorized:
		return FaultAuth
	case code == http.StatusForbidden:
		return FaultDenied
	case code == http.StatusNotFound, code == http.StatusGone:
		return FaultNotFound
	case code == http.StatusProxyAuthRequired:
		return FaultRefused
	case code == http.StatusRequestEntityTooLarge:
		return FaultTooLarge
	case code >= http.StatusMultipleChoices && code < http.StatusBadRequest:
		return FaultMoved
	case code >= http.StatusInternalServerError:
		return FaultServer
	}
	return FaultOther
}

func (h *httpWire) close() string {
	for _, b := range h.bodies {
		_ = b.Close() // read only
	}
	h.client.CloseIdleConnections()
	return ""
}
