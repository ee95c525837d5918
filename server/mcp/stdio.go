package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLine is the longest message in bytes: a whole note, written as JSON has it, fits.
	maxLine = 4 << 20
	// lastAnswers is how long a client that has said all it wanted is still answered.
	lastAnswers = time.Minute
)

// Stdio is the transport of a client that started this process: one message a line. A line
// that is no message is answered with an error and the rest goes on; a client that closes
// its side is answered to the end first.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	p := &pipe{out: out, settled: make(chan struct{}, 1)}
	r, w := io.Pipe()
	return &mcp.IOTransport{Reader: feeding{r, func(ctx context.Context) { p.feed(ctx, in, w) }, &sync.Once{}}, Writer: p, MaxLineLength: -1}
}

// feeding is the reading side; what feeds it begins with the first read.
type feeding struct {
	*io.PipeReader
	begin func(context.Context)
	once  *sync.Once
}

func (f feeding) Read(b []byte) (int, error) {
	f.once.Do(func() { go f.begin(context.Background()) })
	return f.PipeReader.Read(b)
}

// pipe knows which requests are not answered yet.
type pipe struct {
	out     io.Writer
	settled chan struct{} // told when none is left

	mu   sync.Mutex
	open int
}

// envelope is what of a message says whether it asks or answers.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// feed hands each message on, and the end of them when all are answered.
func (p *pipe) feed(ctx context.Context, in io.Reader, w *io.PipeWriter) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if !json.Valid(line) {
			_, _ = p.out.Write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a message is one line of JSON; this line is none"}}` + "\n"))
			continue
		}
		p.count(line, 1)
		if _, err := w.Write(append(line, '\n')); err != nil {
			return
		}
	}
	p.wait(ctx)
	_ = w.CloseWithError(lines.Err()) // nil is the end of what the client says
}

// count takes a request in, or its answer off.
func (p *pipe) count(line []byte, asked int) {
	var e envelope
	if json.Unmarshal(line, &e) != nil || len(e.ID) == 0 || string(e.ID) == "null" || (e.Method != "") != (asked > 0) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open += asked; p.open <= 0 {
		select {
		case p.settled <- struct{}{}:
		default:
		}
	}
}

func (p *pipe) wait(ctx context.Context) {
	end, cancel := context.WithTimeout(ctx, lastAnswers)
	defer cancel()
	for {
		p.mu.Lock()
		open := p.open
		p.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-p.settled:
		case <-end.Done():
			return
		}
	}
}

// Write sends one answer.
func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	for line := range bytes.Lines(b) {
		p.count(line, -1)
	}
	return n, err
}

// Close leaves the writer to whoever opened it.
func (p *pipe) Close() error { return nil }
