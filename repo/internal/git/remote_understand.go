package git

import "strings"

// gitWords tell faults by what git, curl, ssh and the common servers say. The first that
// fits counts.
var gitWords = [...]struct {
	fault Fault
	words []string
}{
	{FaultHostKey, []string{"REMOTE HOST IDENTIFICATION HAS CHANGED", "Offending key", "has been revoked"}},
	{FaultUnknownKey, []string{"Host key verification failed", "host key is known for"}},
	{FaultNoHost, []string{"Could not resolve host", "Name or service not known", "nodename nor servname", "No address associated"}},
	{FaultRefused, []string{
		"Connection refused", "Failed to connect", "Couldn't connect to server", "No route to host", "Network is unreachable", "Could not resolve proxy",
		"Received HTTP code 407", "Connection timed out", "Operation timed out", "from proxy after CONNECT",
	}},
	{FaultStalled, []string{"Operation too slow"}},
	{FaultTLS, []string{"SSL certificate problem", "certificate verif", "certificate subject name", "SSL: ", "gnutls_handshake", "server certificate", "CAfile"}},
	{FaultFormat, []string{"mismatched algorithms", "unsupported object format", "unknown object format", "hash algorithm", "attempt to fetch/clone from a shallow repository", "shallow"}},
	{FaultProtocol, []string{"not allowed\n", "is not supported", "Unable to find remote helper"}},
	{FaultMoved, []string{"unable to update url base from redirection", "returned error: 30", "Maximum (", "redirect"}},
	{FaultDenied, []string{
		"returned error: 403", "marked as read only", "read-only", "denied to ", "not allowed to push", "access rights to push", "deploy key",
		"detected dubious ownership", "service not enabled", "access denied",
	}},
	{FaultAuth, []string{
		"Authentication failed", "could not read Username", "could not read Password", "terminal prompts disabled", "Permission denied (", "returned error: 401",
		"Too many authentication failures", "HTTP Basic: Access denied", "Invalid username",
	}},
	{FaultNotGit, []string{"is this a git repository", "does not appear to be a git repository", "not a git repository", "invalid server response", "not valid: ", "no DAV locking"}},
	{FaultNotFound, []string{"not found", "returned error: 404", "could not be found", "does not exist", "No such file or directory"}},
	{FaultDisk, []string{"No space left on device", "Disk quota exceeded", "Read-only file system"}},
	{FaultTooLarge, []string{"returned error: 413", "exceeds maximum", "Out of memory", "malloc failed"}},
	{FaultServer, []string{"returned error: 5", "Internal Server Error", "upload-pack: not our ref"}},
	{FaultBroken, []string{
		"fsck error", "did not receive expected object", "invalid index-pack output", "inflate", "index-pack failed", "bad pack", "pack is corrupt", "pack has bad", "did not send all necessary objects", "missing blob", "missing tree",
		"bad object", "invalid object", "unresolved delta", "pack signature mismatch", "SHA1 COLLISION", "broken link",
	}},
	{FaultDropped, []string{
		"hung up unexpectedly", "early EOF", "unexpected disconnect", "RPC failed", "Connection reset", "Broken pipe", "transfer closed", "Empty reply", "Connection closed by",
		"bad line length", "expected flush", "Could not read from remote repository", "unexpected EOF",
	}},
}

// understand makes a fault of what git said when it failed.
func (e *endpoint) understand(stderr string, err error, secrets []string) error {
	f := &RemoteError{Fault: FaultOther, Host: e.at.place(), Said: clean(lastWords(stderr), secrets...), Err: err}
	stderr = strings.NewReplacer(e.at.String(), "", e.at.Path, "").Replace(stderr) // a name in it is no fault
	if strings.Contains(stderr, "couldn't find remote ref") {
		f.Fault = FaultNoRef
		return f
	}
	dropped := strings.Contains(stderr, "early EOF") || strings.Contains(stderr, "unexpected disconnect") || strings.Contains(stderr, "RPC failed; curl 18")
	for _, g := range gitWords {
		if dropped && g.fault == FaultBroken {
			continue // a pack that ends too early is damaged, too
		}
		for _, w := range g.words {
			if strings.Contains(stderr, w) {
				f.Fault = g.fault
				return f
			}
		}
	}
	return f
}

// lastWords are the lines that tell why: those that programs mark, or the last one.
func lastWords(stderr string) string {
	var why []string
	last := ""
	for line := range strings.Lines(strings.ReplaceAll(stderr, "\r", "\n")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.Contains(line, "% ("):
			continue
		case strings.HasPrefix(line, "fatal: Could not read from remote"), strings.HasPrefix(line, "Please make sure"), strings.HasPrefix(line, "and the repository exists"),
			strings.HasPrefix(line, "@@@"), strings.HasPrefix(line, "@ "):
			continue
		}
		last = line
		for _, mark := range [...]string{"fatal: ", "error: ", "ERROR: ", "remote: ", "ssh: "} {
			if words, ok := strings.CutPrefix(line, mark); ok {
				why = append(why, words)
				break
			}
		}
	}
	if len(why) == 0 {
		return last
	}
	return strings.Join(why, "; ")
}
