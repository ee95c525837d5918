package policy

import (
	"fmt"
	pathpkg "path"
	"regexp"
	"slices"
	"strings"
)

// ownName is a name that quipu or git gives: it tells nothing of a note.
var ownName = regexp.MustCompile(`^(?:MEMORY\.md|ABOUT\.md|memory(?:/(?:log|images|archive\.md|\.[a-z.]+|log/\d{4}-\d{2}-\d{2}\.md))?|log|images|archive\.md|\.ledger\.ndjson|\.epoch|\.quipu\.json|\d{4}-\d{2}-\d{2}\.md)$`)

// ownFolder begins the path of a memory file.
var ownFolder = regexp.MustCompile(`^memory/(?:log/|images/)?`)

// Path returns what a file is called after the erasure: a neutral name where the name of
// the file, or of a folder that it lies in, tells what is erased. The same path always
// gets the same name.
func (e *Erasure) Path(path string) string {
	if !e.TellsPath(path) {
		return path
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	dir, name := "", path
	for {
		i := strings.IndexByte(name, '/')
		if i < 0 {
			break
		}
		if folder := dir + name[:i]; e.TellsPath(folder) {
			dir = e.rename(folder, dir) + "/"
		} else {
			dir = folder + "/"
		}
		name = name[i+1:]
	}
	if next := dir + name; !e.TellsPath(next) {
		return next
	}
	return e.rename(path, dir)
}

// rename gives a path the neutral name in a folder that it has, or is to have.
func (e *Erasure) rename(path, dir string) string {
	if known := e.names[path]; known != "" {
		return known
	}
	md := ""
	if strings.HasSuffix(path, ".md") {
		md = ".md"
	}
	for n := 1; ; n++ {
		next := dir + e.word + md
		if n > 1 {
			next = fmt.Sprintf("%s%s-%d%s", dir, e.word, n, md)
		}
		if !e.TellsPath(next) && !e.given(next) && (e.taken == nil || !e.taken(next)) {
			e.names[path] = next
			return next
		}
	}
}

// TellsPath reports whether the name of a file or a folder, or its whole path, mentions
// what is erased: luna-vet.md does "Luna vet". What quipu itself calls its files does not.
func (e *Erasure) TellsPath(path string) bool {
	if e.facts != nil || ownName.MatchString(path) {
		return false
	}
	name := strings.TrimSuffix(ownFolder.ReplaceAllString(path, ""), ".md")
	if end := strings.ToLower(pathpkg.Ext(name)); slices.Contains(pictureEnds, end) {
		name = name[:len(name)-len(end)]
	}
	return e.tellsName(name)
}

func (e *Erasure) tellsName(name string) bool {
	return e.mentions(name) || e.mentions(strings.NewReplacer("-", " ", "_", " ", "/", " ", ".", " ").Replace(name))
}

// TellsRef reports whether the name of a branch, a tag or another ref mentions what is
// erased; ref is all of it, as refs/heads/luna. Names that git gives do not.
func (e *Erasure) TellsRef(ref string) bool {
	name := ownRef.ReplaceAllString(ref, "")
	return e.facts == nil && name != "" && e.tellsName(name)
}

// ownRef is what git or quipu gives of a ref's name.
var ownRef = regexp.MustCompile(`^(?:refs/(?:heads/main$|heads/|tags/|notes/commits$|notes/|remotes/(?:origin/(?:HEAD$|main$)?)?|stash$|quipu/.*|[a-z]+/)|HEAD$)`)

func (e *Erasure) given(name string) bool {
	for _, have := range e.names {
		if have == name {
			return true
		}
	}
	return false
}
