package git

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's own names of texts
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// IsSetting says whether a file of the git directory, as its path below it, is one by
// which a person tells git what to do.
func IsSetting(where string) bool {
	return where == "config" || where == "config.worktree" || where == "description" || strings.HasPrefix(where, "hooks/") || strings.HasPrefix(where, "info/")
}

// stockConfig are the lines of a configuration that git or quipu writes.
var stockConfig = regexp.MustCompile(`(?m)^[ \t]*(?:\[(?:core|branch "main"|remote "origin")\]|worktree = .*|fetch = \+refs/\S+|merge = refs/heads/main|remote = origin|\w+ = (?:true|false|\d+))[ \t\r]*$`)

// stockFiles are the names, as objects, of the files that git puts into a new repository:
// its description and its list of what is excluded.
var stockFiles = []string{"498b267a8c7812490d6479839c5577eaaec79d62", "a5196d1be8fb59edf8062bef36d3a602e0812139"}

// Foreign gives what of a setting was not written by git or quipu as their stock text.
func Foreign(where string, raw []byte) []byte {
	head := fmt.Appendf(nil, "blob %d\x00", len(raw))
	switch {
	case strings.HasPrefix(where, "hooks/") && strings.HasSuffix(where, ".sample"), slices.Contains(stockFiles, fmt.Sprintf("%x", sha1.Sum(append(head, raw...)))): //nolint:gosec // as above
		return nil
	case strings.HasPrefix(where, "config"):
		return stockConfig.ReplaceAll(raw, nil)
	}
	var out []byte
	stock := strings.Split(excludeText+attributesText+descriptionText, "\n")
	for line := range bytes.Lines(raw) {
		if !slices.Contains(stock, strings.TrimRight(string(line), "\r\n")) {
			out = append(out, line...)
		}
	}
	return out
}

// RefNames lists the names of all refs, in order.
func (r *Repo) RefNames() ([]string, error) {
	refs, err := r.allRefs()
	names := make([]string, 0, len(refs))
	for name := range refs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, err
}
