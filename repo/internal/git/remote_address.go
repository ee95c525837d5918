package git

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Address is a remote's address, taken apart and found harmless. It holds no
// credential.
type Address struct {
	Scheme string // https, http, ssh or file
	User   string // of https and ssh; "" when the address names none
	Host   string // without port and brackets; "" for file
	Port   string // "" for the scheme's own
	Path   string // for ssh as the other side reads it, so without a first "/" it is below the user's folder

	// Plain says that what is sent can be read, and altered, on its way: http to
	// another machine.
	Plain bool
}

// helperForm is git's way of naming a program that is to fetch: ext::, fd:: and others.
var helperForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9+.-]*::`)

// tokenForm are users that are none: a token that was put into the address.
var tokenForm = regexp.MustCompile(`^(gh[a-z]_|github_pat_|glpat-|gldt-|ATBB|ATCTT)|^[A-Za-z0-9_-]{36,}$`)

// CheckURL takes a remote's address apart: https://, http://, ssh://, user@host:path,
// file:// or the whole path of a folder. Addresses that could run a program, hold a
// credential or be read as an option are refused with a RemoteError of
// FaultAddress or FaultProtocol. It asks nobody and touches nothing.
func CheckURL(raw string) (Address, error) {
	switch {
	case strings.TrimSpace(raw) == "":
		return Address{}, badAddress("", "it is empty")
	case !utf8.ValidString(raw) || strings.ContainsFunc(raw, unicode.IsControl):
		return Address{}, badAddress("", "it holds control characters")
	case strings.HasPrefix(raw, "-"):
		return Address{}, badAddress("", `it begins with "-"`)
	case helperForm.MatchString(raw):
		name, _, _ := strings.Cut(raw, "::")
		return Address{}, badProtocol(name)
	case filepath.IsAbs(raw):
		return Address{Scheme: "file", Path: filepath.Clean(raw)}, nil
	}
	if scheme, _, ok := strings.Cut(raw, "://"); ok {
		return parseURL(strings.ToLower(scheme), raw)
	}
	return parseSCP(raw)
}

func parseURL(scheme, raw string) (Address, error) {
	if !slices.Contains([]string{"https", "http", "ssh", "file"}, scheme) {
		return Address{}, badProtocol(scheme)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return Address{}, badAddress("", "it is no URL") // the parser's words repeat the address
	}
	a := Address{Scheme: scheme, User: u.User.Username(), Host: u.Hostname(), Port: u.Port(), Path: u.Path}
	_, password := u.User.Password()
	switch {
	case password:
		return Address{}, badAddress(a.Host, "it holds a password; take it out and give it as the remote's token")
	case scheme != "ssh" && tokenForm.MatchString(a.User):
		return Address{}, badAddress(a.Host, "it holds a token; take it out and give it as the remote's token")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return Address{}, badAddress(a.Host, `it holds "?" or "#"`)
	case strings.ContainsFunc(u.Path, unicode.IsControl):
		return Address{}, badAddress(a.Host, "it holds control characters")
	}
	if scheme == "file" {
		return parseFile(a)
	}
	if strings.HasPrefix(a.Path, "/~") && scheme == "ssh" {
		a.Path = a.Path[1:]
	}
	a.Plain = scheme == "http" && !loopback(a.Host)
	return a, a.check()
}

func parseFile(a Address) (Address, error) {
	if a.Host != "" && a.Host != "localhost" || a.User != "" || a.Port != "" {
		return Address{}, badAddress(a.Host, "a file address names no host; write file:///path")
	}
	if !filepath.IsAbs(a.Path) {
		return Address{}, badAddress("", "a file address needs the whole path")
	}
	return Address{Scheme: "file", Path: filepath.Clean(a.Path)}, nil
}

// parseSCP reads user@host:path.
func parseSCP(raw string) (Address, error) {
	var a Address
	rest := raw
	if user, after, ok := strings.Cut(raw, "@"); ok && !strings.ContainsAny(user, ":/") {
		a.User, rest = user, after
	}
	var ok bool
	if strings.HasPrefix(rest, "[") {
		a.Host, a.Path, ok = strings.Cut(rest[1:], "]:")
	} else {
		a.Host, a.Path, ok = strings.Cut(rest, ":")
	}
	switch {
	case !ok || strings.Contains(a.Host, "/"):
		return Address{}, badAddress("", "write https://host/path, ssh://user@host/path, user@host:path, or the whole path of a folder")
	case a.User == "" && strings.Contains(strings.SplitN(a.Path, "/", 2)[0], "@"): // user:password@host:path
		return Address{}, badAddress("", "it holds a password; take it out, ssh signs in with a key")
	case strings.HasPrefix(a.Path, "/~"):
		a.Path = a.Path[1:]
	}
	a.Scheme = "ssh"
	return a, a.check()
}

// What a host and a user may be made of.
var (
	wholeHost = regexp.MustCompile(`^[\pL\pN_]([\pL\pN._-]*[\pL\pN_.])?$`)
	wholeUser = regexp.MustCompile(`^[\pL\pN_.+@\\][\pL\pN_.+@\\-]*$`)
)

func (a Address) check() error {
	port, err := strconv.Atoi(a.Port)
	switch {
	case a.Host == "":
		return badAddress("", "it names no host")
	case !wholeHost.MatchString(a.Host) && net.ParseIP(a.Host) == nil:
		return badAddress("", "its host has characters that no host has")
	case a.User != "" && !wholeUser.MatchString(a.User):
		return badAddress(a.Host, "its user has characters that no user has")
	case a.Port != "" && (err != nil || port < 1 || port > 65535):
		return badAddress(a.Host, "its port is no number from 1 to 65535")
	case strings.Trim(a.Path, "/") == "":
		return badAddress(a.Host, "it names no repository behind the host")
	case strings.HasPrefix(a.Path, "-"):
		return badAddress(a.Host, `its path begins with "-"`)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// String is the address as git is given it and messages show it. It has no user for
// https, who is told otherwise. A path below the user's folder needs the short form:
// /~/path says the same only to a shell.
func (a Address) String() string {
	u := url.URL{Scheme: a.Scheme, Host: a.hostPort(), Path: a.Path}
	switch {
	case a.Scheme == "file":
		return a.Path
	case a.Scheme == "ssh" && !strings.HasPrefix(a.Path, "/") && !strings.HasPrefix(a.Path, "~"):
		if a.User != "" {
			return a.User + "@" + u.Host + ":" + a.Path
		}
		return u.Host + ":" + a.Path
	case a.Scheme == "ssh" && a.User != "":
		u.User = url.User(a.User)
	}
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path
	}
	return u.String()
}

func (a Address) hostPort() string {
	host := a.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if a.Port != "" {
		return host + ":" + a.Port
	}
	return host
}

// place names where the remote is, for messages.
func (a Address) place() string {
	if a.Scheme == "file" {
		return a.Path
	}
	return a.hostPort()
}

// folder tells whether the path of a file address is one.
func (a Address) folder() (there, dir bool) {
	info, err := os.Stat(a.Path)
	return err == nil, err == nil && info.IsDir()
}
