package git

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Signature says who and when.
type Signature struct {
	Name, Email string
	When        time.Time
}

// CommitterEmail is the committer's address of every commit that quipu makes: by it
// they are told from a person's own.
const CommitterEmail = "quipu@localhost"

// Commit is one commit as it is read.
type Commit struct {
	Hash, Tree        Hash
	Parents           []Hash
	Author, Committer Signature
	Message           string
}

// Commit reads a commit. ErrNoObject.
func (r *Repo) Commit(h Hash) (*Commit, error) {
	raw, err := r.object(KindCommit, h)
	if err != nil {
		return nil, err
	}
	return parseCommit(h, raw)
}

func parseCommit(h Hash, raw []byte) (*Commit, error) {
	c := &Commit{Hash: h}
	head, message, _ := bytes.Cut(raw, []byte("\n\n"))
	c.Message = string(message)
	for line := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "tree":
			c.Tree, _ = ParseHash(value)
		case "parent":
			if p, ok := ParseHash(value); ok {
				c.Parents = append(c.Parents, p)
			}
		case "author":
			c.Author = parseSignature(value)
		case "committer":
			c.Committer = parseSignature(value)
		}
	}
	if c.Tree.IsZero() {
		return nil, fmt.Errorf("commit %s: %w", h, errBroken)
	}
	return c, nil
}

func parseSignature(s string) Signature {
	var sig Signature
	open, shut := strings.LastIndexByte(s, '<'), strings.LastIndexByte(s, '>')
	if open < 0 || shut < open {
		sig.Name = s
		return sig
	}
	sig.Name, sig.Email = strings.TrimSpace(s[:open]), s[open+1:shut]
	stamp, zone, _ := strings.Cut(strings.TrimSpace(s[shut+1:]), " ")
	sec, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return sig
	}
	sig.When = time.Unix(sec, 0).In(parseZone(zone))
	return sig
}

func parseZone(s string) *time.Location {
	n, err := strconv.Atoi(s)
	if err != nil || n == 0 {
		return time.UTC
	}
	return time.FixedZone("", (n/100*60+n%100)*60)
}

func (s Signature) append(b []byte) []byte {
	clean := strings.NewReplacer("<", "", ">", "", "\n", " ", "\r", " ", "\x00", "")
	name, email := strings.TrimSpace(clean.Replace(s.Name)), strings.TrimSpace(clean.Replace(s.Email))
	if name == "" {
		name = "unknown"
	}
	return fmt.Appendf(b, "%s <%s> %d %s", name, email, s.When.Unix(), s.When.Format("-0700"))
}

func encodeCommit(c *Commit) []byte {
	b := fmt.Appendf(nil, "tree %s\n", c.Tree)
	for _, p := range c.Parents {
		b = fmt.Appendf(b, "parent %s\n", p)
	}
	b = append(c.Author.append(append(b, "author "...)), '\n')
	b = append(c.Committer.append(append(b, "committer "...)), '\n', '\n')
	return append(b, c.Message...)
}

// Trailer is one `Key: value` line of a message's last paragraph.
type Trailer struct{ Key, Value string }

// Trailers reads the last paragraph of a message when every line of it is a
// trailer or the continuation of one; otherwise there are none.
func Trailers(message string) []Trailer {
	text := strings.TrimRight(message, "\n")
	i := strings.LastIndex(text, "\n\n")
	if i < 0 {
		return nil
	}
	var out []Trailer
	for line := range strings.SplitSeq(text[i+2:], "\n") {
		if line != "" && (line[0] == ' ' || line[0] == '\t') && len(out) > 0 {
			out[len(out)-1].Value += " " + strings.TrimSpace(line)
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || !trailerKey(key) {
			return nil
		}
		out = append(out, Trailer{Key: key, Value: strings.TrimSpace(value)})
	}
	return out
}

func trailerKey(s string) bool {
	for _, c := range []byte(s) {
		if c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return s != ""
}
