package policy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// toolRoot is where the tool's contract has its files.
const toolRoot = "/memories"

// dirMark stands between the parts of a topic's name that the tool shows as folders: the
// topics of a workspace lie in one folder.
const dirMark = "--"

// place is a path under /memories, by its parts; empty is /memories itself.
type place []string

// locate reads a path of the tool. It is compared part by part: /memoriesX is not inside,
// and nothing leads out.
func locate(path string) (place, error) {
	rest, ok := strings.CutPrefix(path, toolRoot)
	if !ok || rest != "" && rest[0] != '/' {
		return nil, toolError("Path must start with /memories, got: %s", short(path))
	}
	var at place
	for part := range strings.SplitSeq(strings.Trim(rest, "/"), "/") {
		switch {
		case part == ".." || strings.ContainsAny(part, `\`):
			return nil, toolError("Path %s would escape /memories directory", short(path))
		case part == "" && rest != "" && strings.Trim(rest, "/") != "":
			return nil, toolError("Path %s has an empty part", short(path))
		case part == "." || strings.HasPrefix(part, "."):
			return nil, toolError("Path %s has a part that begins with a dot, which is hidden", short(path))
		case strings.ContainsFunc(part, unicode.IsControl):
			return nil, toolError("Path %s holds a control character", short(path))
		case part != "":
			at = append(at, part)
		}
	}
	return at, nil
}

// short keeps what a model made up out of long answers.
func short(text string) string {
	if r := []rune(text); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return text
}

// foreignExt is the end of a name that the tool gave it and a topic keeps before its .md.
var foreignExt = regexp.MustCompile(`\.[a-z][a-z0-9]{0,4}$`)

// shownAs is where the tool shows a memory file.
func shownAs(file string) place {
	name, ok := strings.CutPrefix(file, topicDir)
	if !ok {
		return place{file}
	}
	if strings.Contains(name, "/") { // a day log
		return strings.Split(name, "/")
	}
	if stem := strings.TrimSuffix(name, ".md"); foreignExt.MatchString(stem) {
		name = stem
	}
	parts := strings.Split(name, dirMark)
	if slices.ContainsFunc(parts, func(p string) bool { return p == "" || p[0] == '.' }) {
		return place{name}
	}
	return parts
}

// fileAt is the memory file that stands at a place, "" for none.
func (t tree) fileAt(at place) string {
	for file := range t.notes {
		if t.stands(file) && (slices.Equal(shownAs(file), at) || len(at) == 1 && file == topicDir+at[0]) {
			return file
		}
	}
	return ""
}

// under are the memory files inside a folder, sorted by where the tool shows them.
func (t tree) under(at place) []string {
	var files []string
	for file := range t.notes {
		shown := shownAs(file)
		if t.stands(file) && len(shown) > len(at) && slices.Equal(shown[:len(at)], at) {
			files = append(files, file)
		}
	}
	slices.SortFunc(files, func(a, b string) int { return slices.Compare(shownAs(a), shownAs(b)) })
	return files
}

func (t tree) isDir(at place) bool { return len(at) == 0 || len(t.under(at)) > 0 }

// newFile is the memory file that a new place becomes; path is how it was asked for.
func (at place) newFile(path string) (string, error) {
	if len(at) == 0 {
		return "", toolError("The path %s is not a file.", short(path))
	}
	if len(at) == 1 && at[0] == MemoryFile {
		return MemoryFile, nil
	}
	name := strings.Join(at, dirMark)
	if !strings.HasSuffix(name, ".md") {
		name += ".md"
	}
	kind, err := CheckPath(topicDir + name)
	switch {
	case at[0] == "log" && len(at) > 1:
		return "", toolError("The path %s is in the folder of the day logs, which the bot's turns write", short(path))
	case err != nil:
		rule := "it is no name of a memory file"
		if refused, ok := err.(*PathError); ok { //nolint:errorlint // CheckPath gives it bare
			rule = refused.Rule
		}
		return "", toolError("The path %s cannot be a memory file: %s", short(path), rule)
	case kind == Topic && !slices.Equal(shownAs(topicDir+name), at) && (len(at) != 1 || name != at[0]):
		return "", toolError("The path %s cannot be a memory file: %q in a name stands for a folder", short(path), dirMark)
	}
	return topicDir + name, nil
}
