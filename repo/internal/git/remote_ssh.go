package git

import (
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"
)

// sshWire runs git's service over ssh, without the ssh program. It reads no ssh
// configuration; host keys are always checked.
type sshWire struct {
	stream
	e       *endpoint
	watch   *watch
	client  *ssh.Client
	session *ssh.Session
	agent   net.Conn
	unhook  func() bool
}

func (s *sshWire) open(ctx context.Context, service string) (io.Reader, error) {
	port := s.e.at.Port
	if port == "" {
		port = "22"
	}
	address := net.JoinHostPort(s.e.at.Host, port)
	config, err := s.config(ctx, address)
	if err != nil {
		return nil, err
	}
	conn, err := s.e.dial(ctx, s.watch, address)
	if err != nil {
		return nil, err
	}
	s.unhook = context.AfterFunc(ctx, func() { _ = conn.Close() }) // what waits for it ends
	c, channels, requests, err := ssh.NewClientConn(conn, address, config)
	if err != nil {
		_ = conn.Close() // it came to nothing
		return nil, s.fault(err)
	}
	s.client = ssh.NewClient(c, channels, requests)
	session, err := s.client.NewSession()
	if err != nil {
		return nil, err
	}
	session.Stderr = &limited{to: &s.stderr, most: 1 << 20}
	if s.in, err = session.StdinPipe(); err != nil {
		return nil, err
	}
	if s.out, err = session.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := session.Start(service + " " + shellQuote(s.e.at.Path)); err != nil {
		return nil, err
	}
	s.session = session
	return s.out, nil
}

func (s *sshWire) close() string {
	if s.client != nil {
		s.bye()
		_ = s.client.Close() // it is over
	}
	if s.session != nil {
		_ = s.session.Wait() // likewise; nothing is written to stderr any more
	}
	if s.unhook != nil {
		s.unhook()
	}
	if s.agent != nil {
		_ = s.agent.Close() // likewise
	}
	return s.stderr.String()
}

// fault tells what ssh says when it does not come to a session.
func (s *sshWire) fault(err error) error {
	words := err.Error()
	f := &RemoteError{Host: s.e.at.place(), Said: clean(words), Err: err}
	key, isKey := errors.AsType[*knownhosts.KeyError](err)
	_, revoked := errors.AsType[*knownhosts.RevokedError](err)
	switch {
	case isKey && len(key.Want) == 0:
		f.Fault = FaultUnknownKey
	case isKey, revoked, strings.Contains(words, "no common algorithm for host key"):
		f.Fault = FaultHostKey
	case strings.Contains(words, "unable to authenticate"):
		f.Fault = FaultAuth
	default:
		return err
	}
	return f
}

func (s *sshWire) config(ctx context.Context, address string) (*ssh.ClientConfig, error) {
	name := s.e.at.User
	if name == "" {
		me, err := user.Current()
		if err != nil {
			return nil, err
		}
		name = me.Username
	}
	config := &ssh.ClientConfig{User: name, ClientVersion: "SSH-2.0-quipu"}
	if err := s.hostKeys(config, address); err != nil {
		return nil, err
	}
	return config, s.keys(ctx, config)
}

// hostKeys makes known_hosts the judge of the host's key, and asks the host for one of a
// kind that is known: with another kind it would seem to be another host.
func (s *sshWire) hostKeys(config *ssh.ClientConfig, address string) error {
	files := []string{s.e.KnownHosts}
	if s.e.KnownHosts == "" {
		files = []string{"/etc/ssh/ssh_known_hosts"}
		if home, err := os.UserHomeDir(); err == nil {
			files = append(files, filepath.Join(home, ".ssh", "known_hosts"))
		}
	}
	var there []string
	for _, f := range files {
		if _, err := os.Stat(f); err == nil {
			there = append(there, f)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	check, err := knownhosts.New(there...)
	if err != nil {
		return s.e.at.faultf(FaultUnknownKey, "%s", clean(err.Error()))
	}
	config.HostKeyCallback = func(host string, addr net.Addr, key ssh.PublicKey) error {
		err := check(host, addr, key)
		if err != nil {
			return &shownKeyError{err, key.Type() + " " + ssh.FingerprintSHA256(key)}
		}
		return nil
	}
	probe, err := ssh.NewPublicKey(probeKey())
	if err != nil {
		return err
	}
	known, ok := errors.AsType[*knownhosts.KeyError](check(address, &net.TCPAddr{IP: net.IPv4zero}, probe))
	if !ok {
		return nil
	}
	for _, k := range known.Want {
		switch t := k.Key.Type(); t {
		case ssh.KeyAlgoRSA:
			config.HostKeyAlgorithms = append(config.HostKeyAlgorithms, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256)
		default:
			config.HostKeyAlgorithms = append(config.HostKeyAlgorithms, t)
		}
	}
	return nil
}

// shownKeyError says which key the host showed.
type shownKeyError struct {
	err error
	key string
}

func (k *shownKeyError) Error() string { return "it shows " + k.key }
func (k *shownKeyError) Unwrap() error { return k.err }

// keys are those of the remote's own file, or of the agent and of the person's folder.
func (s *sshWire) keys(ctx context.Context, config *ssh.ClientConfig) error {
	if s.e.Key != "" {
		b, err := os.ReadFile(s.e.Key)
		if err != nil {
			return s.e.at.faultf(FaultAuth, "the key cannot be read: %s", clean(err.Error()))
		}
		key, err := ssh.ParsePrivateKey(b)
		if err != nil {
			return s.e.at.faultf(FaultAuth, "the key %s: %s", s.e.Key, clean(err.Error()))
		}
		config.Auth = []ssh.AuthMethod{ssh.PublicKeys(key)}
		return nil
	}
	var signers []ssh.Signer
	if socket := os.Getenv("SSH_AUTH_SOCK"); socket != "" {
		dial, cancel := context.WithTimeout(ctx, min(s.e.Limit, time.Second))
		defer cancel()
		if conn, err := (&net.Dialer{}).DialContext(dial, "unix", socket); err == nil { // without one the files are left
			s.agent = conn
			_ = conn.SetDeadline(time.Now().Add(s.e.Limit)) // a socket has deadlines
			signers, _ = agent.NewClient(conn).Signers()    // likewise
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		for _, name := range [...]string{"id_ed25519", "id_ecdsa", "id_rsa"} {
			b, err := os.ReadFile(filepath.Join(home, ".ssh", name))
			if err != nil {
				continue
			}
			if key, err := ssh.ParsePrivateKey(b); err == nil { // one with a passphrase is the agent's to use
				signers = append(signers, key)
			}
		}
	}
	if len(signers) == 0 {
		return s.e.at.faultf(FaultAuth, "there is no key in the ssh agent, and none without passphrase in ~/.ssh")
	}
	config.Auth = []ssh.AuthMethod{ssh.PublicKeys(signers...)}
	return nil
}

// probeKey is no host's key: asked for it, known_hosts tells which it knows.
func probeKey() ed25519.PublicKey { return make(ed25519.PublicKey, ed25519.PublicKeySize) }
