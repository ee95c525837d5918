package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
)

// wireCarrier talks to a remote in this process, in the words of go-git's protocol
// package. What go-git puts on top of them is not used: it cannot be ended while a
// server hangs, takes 1.2 s for one commit in ten thousand, and sets refs before objects
// are checked.
type wireCarrier struct{ e *endpoint }

// wire is a connection to one service of a remote, for one request.
type wire interface {
	// open begins the service; what it announces is read from the reader.
	open(ctx context.Context, service string) (io.Reader, error)
	// send sends a request of so many bytes and gives the answer to it.
	send(ctx context.Context, body io.Reader, size int64) (io.Reader, error)
	// close ends the connection. It gives what the other side said beside the protocol.
	close() (said string)
}

const (
	uploadPack  = "git-upload-pack"
	receivePack = "git-receive-pack"
)

// call is one connection with its watch.
type call struct {
	e     *endpoint
	asked context.Context //nolint:containedctx // the caller's, of this one call
	ctx   context.Context //nolint:containedctx // ends with the watch
	stop  func()
	wire  wire
	said  bytes.Buffer // by the server, beside what was asked
}

func (c *wireCarrier) call(asked context.Context, w *watch) (*call, error) {
	ctx, stop := w.run(asked)
	k := &call{e: c.e, asked: asked, ctx: ctx, stop: stop}
	var err error
	switch c.e.at.Scheme {
	case "ssh":
		k.wire = &sshWire{e: c.e, watch: w}
	case "file":
		k.wire = &localWire{e: c.e, watch: w}
	default:
		k.wire, err = newHTTPWire(c.e, w)
	}
	if err != nil {
		stop()
	}
	return k, err
}

// end closes the connection and makes a fault of an error.
func (k *call) end(err error) error {
	said := k.wire.close()
	cause := context.Cause(k.ctx)
	k.stop()
	switch {
	case err == nil || FaultOf(err) != 0:
		return err
	case k.asked.Err() != nil:
		return k.asked.Err()
	case errors.Is(cause, errStalled):
		return k.e.local(cause)
	case diskFault(err), errors.Is(err, errTooLarge), errors.Is(err, errBroken):
		return err
	}
	if line, ok := errors.AsType[*pktline.ErrorLine](err); ok {
		return k.e.understand("ERROR: "+line.Text+"\n", err, k.e.secrets())
	}
	if words, ok := strings.CutPrefix(err.Error(), "unexpected error: "); ok { // the channel of a server that gives up
		return k.e.understand("fatal: "+words+"\n", err, k.e.secrets())
	}
	if words := said + k.said.String(); strings.TrimSpace(words) != "" {
		return k.e.understand(words+"\nunexpected EOF", err, k.e.secrets())
	}
	return k.e.netFault(err)
}

// announced is what a remote says of itself, and the little that quipu asks of it.
func (k *call) announced(service string) (*packp.AdvRefs, error) {
	r, err := k.wire.open(k.ctx, service)
	if err != nil {
		return nil, err
	}
	var head headBuffer
	adv := packp.NewAdvRefs()
	err = adv.Decode(io.TeeReader(&limitedReader{r, mostListed}, &head))
	switch {
	case bytes.Contains(head.b, []byte("object-format=sha256")):
		return nil, k.e.at.faultf(FaultFormat, "SHA-256")
	case errors.Is(err, packp.ErrEmptyAdvRefs):
		return packp.NewAdvRefs(), nil
	}
	if _, ok := errors.AsType[*packp.ErrUnexpectedData](err); ok || errors.Is(err, pktline.ErrInvalidPktLen) {
		return nil, k.e.at.faultf(FaultNotGit, "it answers %q", clean(string(head.b[:min(len(head.b), 60)]), k.e.secrets()...))
	}
	if err == nil && len(adv.Shallows) > 0 {
		return nil, k.e.at.faultf(FaultFormat, "a shallow clone")
	}
	return adv, err
}

func (c *wireCarrier) refs(ctx context.Context) (RemoteState, error) {
	k, err := c.call(ctx, newWatch(c.e.Limit))
	if err != nil {
		return RemoteState{}, err
	}
	adv, err := k.announced(uploadPack)
	if err := k.end(err); err != nil {
		return RemoteState{}, err
	}
	state := RemoteState{Refs: map[string]Hash{}}
	for name, h := range adv.References {
		if wholeRef(name) {
			state.Refs[name] = h
		}
	}
	for _, s := range adv.Capabilities.Get(capability.SymRef) {
		if target, ok := strings.CutPrefix(s, "HEAD:"); ok {
			state.Head = target
		}
	}
	return state, nil
}

func (c *wireCarrier) fetch(ctx context.Context, in *quarantine, refs []string) (map[string]Hash, error) {
	w := newWatch(c.e.Limit)
	k, err := c.call(ctx, w)
	if err != nil {
		return nil, err
	}
	adv, err := k.announced(uploadPack)
	if err != nil {
		return nil, k.end(err)
	}
	got := map[string]Hash{}
	var wants []Hash
	for _, ref := range refs {
		h, ok := adv.References[ref]
		if !ok {
			return nil, k.end(c.e.at.faultf(FaultNoRef, "%s", ref))
		}
		if got[ref] = h; !in.r.has(h) && !slices.Contains(wants, h) {
			wants = append(wants, h)
		}
	}
	if len(wants) == 0 {
		return got, k.end(nil)
	}
	path := filepath.Join(in.packDir(), "came")
	err = k.end(k.receive(in.r, adv.Capabilities, wants, path))
	if err != nil {
		return nil, err
	}
	return got, in.index(ctx, path)
}

// receive asks for what leads from our commits to the wanted ones, and writes the pack
// that comes.
func (k *call) receive(r *Repo, can *capability.List, wants []Hash, path string) (err error) {
	req := packp.NewUploadRequest()
	req.Wants = wants
	side, muxed := sideChannel(can)
	for _, want := range []capability.Capability{side, capability.OFSDelta, capability.NoProgress} {
		if want != "" && can.Supports(want) {
			err = errors.Join(err, req.Capabilities.Set(want))
		}
	}
	var body bytes.Buffer
	enc := pktline.NewEncoder(&body)
	if err = errors.Join(err, req.Encode(&body)); err != nil {
		return err
	}
	haves, err := r.haves()
	if err != nil {
		return err
	}
	for _, h := range haves {
		err = errors.Join(err, enc.Encodef("have %s\n", h))
	}
	if err = errors.Join(err, enc.EncodeString("done\n")); err != nil {
		return err
	}
	answer, err := k.wire.send(k.ctx, &body, int64(body.Len()))
	if err != nil {
		return err
	}
	line := pktline.NewScanner(answer)
	if !line.Scan() {
		return errors.Join(line.Err(), io.ErrUnexpectedEOF)
	}
	if b := line.Bytes(); !bytes.HasPrefix(b, []byte("NAK")) && !bytes.HasPrefix(b, []byte("ACK ")) {
		return k.e.at.faultf(FaultNotGit, "it answers %q", clean(string(b), k.e.secrets()...))
	}
	if muxed {
		answer = k.demux(answer)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, &limitedReader{answer, k.e.Most})
	return errors.Join(err, f.Close())
}

func sideChannel(can *capability.List) (side capability.Capability, ok bool) {
	if can.Supports(capability.Sideband64k) {
		return capability.Sideband64k, true
	}
	return "", false
}

func (k *call) demux(r io.Reader) io.Reader {
	d := sideband.NewDemuxer(sideband.Sideband64k, r)
	d.Progress = writerFunc(func(b []byte) (int, error) {
		const most = 4 << 10
		if k.said.Len() < most {
			k.said.Write(b)
		}
		return len(b), nil
	})
	return d
}

// haves lists commits of ours by which a remote can tell what we lack: the ends of all
// refs, and of the branch some older ones, ever farther apart.
func (r *Repo) haves() ([]Hash, error) {
	const most, depth = 256, 2048
	refs, err := r.allRefs()
	if err != nil {
		return nil, err
	}
	seen := map[Hash]bool{}
	var out []Hash
	add := func(h Hash) {
		if !seen[h] && len(out) < most && r.has(h) {
			seen[h] = true
			out = append(out, h)
		}
	}
	_, head, err := r.Head()
	if err != nil && !errors.Is(err, ErrState) {
		return nil, err
	}
	for n, next := 0, 0; n <= depth && !head.IsZero(); n++ {
		c, err := r.Commit(head)
		if err != nil {
			break
		}
		if n == next {
			add(head)
			next = n*2 + 1
		}
		if len(c.Parents) == 0 {
			break
		}
		head = c.Parents[0]
	}
	for _, h := range refs {
		add(h)
	}
	return out, nil
}

// headBuffer keeps the first bytes that are written to it.
type headBuffer struct{ b []byte }

func (h *headBuffer) Write(b []byte) (int, error) {
	const most = 4 << 10
	h.b = append(h.b, b[:min(len(b), most-len(h.b))]...)
	return len(b), nil
}

// limitedReader ends with errTooLarge where io.LimitedReader would end as if all was read.
type limitedReader struct {
	r    io.Reader
	left int64
}

func (l *limitedReader) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	if l.left -= int64(n); l.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
