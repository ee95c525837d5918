package git

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Fault says what went wrong with a remote.
type Fault uint8

// The faults of a remote. Each has one cause and one next step, which RemoteError says.
const (
	FaultAddress    Fault = iota + 1 // the address cannot be used
	FaultProtocol                    // the address asks for a protocol that is not allowed
	FaultNoHost                      // no such host
	FaultRefused                     // the host cannot be reached, or nothing listens
	FaultStalled                     // the host answered nothing, or too slowly, for the whole limit
	FaultTLS                         // the certificate is not trusted
	FaultHostKey                     // the ssh host key is another one than the known one
	FaultUnknownKey                  // the ssh host key is not known
	FaultAuth                        // token, key or password were not accepted, or there are none
	FaultDenied                      // known, but this may only be read, or not even that
	FaultNotFound                    // no repository of that name
	FaultNotGit                      // something is there, but no git repository
	FaultMoved                       // it redirects to another host
	FaultDropped                     // the connection ended too early
	FaultServer                      // the server failed
	FaultTooLarge                    // more than may be taken in
	FaultDisk                        // our disk is full
	FaultBroken                      // what came is damaged, or not whole
	FaultFormat                      // another object format than SHA-1, or a shallow history
	FaultNoRef                       // the remote has no such branch
	FaultNoGit                       // git is needed, and not installed
	FaultOther                       // none of these; Said tells
)

// faultWords are a cause, with the host and before what the other side said, and a
// next step.
var faultWords = [...]struct{ cause, next string }{
	FaultAddress:    {"the address cannot be used", "correct the remote's address"},
	FaultProtocol:   {"the protocol is not allowed", "use https://, ssh:// or a folder"},
	FaultNoHost:     {"no such host", "check the address, the network and the name server"},
	FaultRefused:    {"the host cannot be reached", "check the address and port, the network and the proxy"},
	FaultStalled:    {"the host did not answer in time", "try again later; check the network and the server"},
	FaultTLS:        {"the certificate is not trusted", "check the address and this machine's clock; name the server's own CA file for a private one"},
	FaultHostKey:    {"the host key is NOT the known one; somebody may be in between", "ask whoever runs the host; only then take the old key out with `ssh-keygen -R`"},
	FaultUnknownKey: {"the host key is not known", "compare its fingerprint with the host's own, then add it to known_hosts (connect once with `ssh`)"},
	FaultAuth:       {"signing in failed", "set a valid token (https), or add the key to the ssh agent and the account (ssh)"},
	FaultDenied:     {"this account may not do that", "give the token or key the right to read and write this repository"},
	FaultNotFound:   {"no such repository, or none that this account may see", "check the path; create the repository first"},
	FaultNotGit:     {"there is no git repository at that address", "check the path; for a folder run `git init --bare` there"},
	FaultMoved:      {"it sends us to another host", "set the remote to the new address, if it is the right one"},
	FaultDropped:    {"the connection broke off", "try again; nothing was changed here"},
	FaultServer:     {"the server failed", "try again later, or look into the server's log"},
	FaultTooLarge:   {"it holds more than may be taken in", "check that it is the right repository"},
	FaultDisk:       {"this disk is full, or cannot be written", "make room and try again"},
	FaultBroken:     {"what it sent is damaged", "run `git fsck` in the remote repository"},
	FaultFormat:     {"the repository has a form that quipu cannot use", "use a whole repository in SHA-1 format (`git init --object-format=sha1`)"},
	FaultNoRef:      {"the remote has no such branch", "look at its branches and name another"},
	FaultNoGit:      {"git is not installed", "install git, or use https:// or ssh://"},
	FaultOther:      {"the remote failed", "see what it said"},
}

// RemoteError says which fault a remote had. Its text names host, cause and next step,
// and holds no credential and no control character.
type RemoteError struct {
	Fault Fault
	Host  string // host and port, or the folder; "" when the address names none
	Said  string // details, in the words of the other side or of git; cleaned and cut
	Err   error  // what it came from; may be nil
}

func (e *RemoteError) Error() string {
	w := faultWords[e.Fault]
	b := w.cause
	if e.Host != "" {
		b = "remote " + e.Host + ": " + b
	}
	if e.Said != "" {
		b += " (" + e.Said + ")"
	}
	return b + "; " + w.next
}

func (e *RemoteError) Unwrap() error { return e.Err }

// FaultOf gives the fault that an error is of; 0 when it is none of a remote.
func FaultOf(err error) Fault {
	if e, ok := errors.AsType[*RemoteError](err); ok {
		return e.Fault
	}
	return 0
}

func badAddress(host, why string) error {
	return &RemoteError{Fault: FaultAddress, Host: host, Said: why}
}

func badProtocol(name string) error {
	return &RemoteError{Fault: FaultProtocol, Said: clean(name)}
}

const mostWords = 300 // bytes of what a remote says that a message repeats

// clean makes what a remote says fit for a message: one line, no control characters, cut.
// The secrets are taken out: a server may answer with what it was sent.
func clean(said string, secrets ...string) string {
	for _, s := range secrets {
		if s != "" {
			said = strings.ReplaceAll(said, s, "«redacted»")
		}
	}
	said = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case !unicode.IsPrint(c):
			return -1
		}
		return c
	}, strings.ToValidUTF8(said, ""))
	said = strings.Join(strings.Fields(said), " ")
	if len(said) > mostWords {
		said = strings.ToValidUTF8(said[:mostWords], "") + "…"
	}
	return said
}

// faultf is a fault with details of our own.
func (a Address) faultf(f Fault, format string, args ...any) error {
	return &RemoteError{Fault: f, Host: a.place(), Said: fmt.Sprintf(format, args...)}
}
