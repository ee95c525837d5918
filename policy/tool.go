package policy

import (
	"fmt"
	"slices"
	"strings"
)

// ToolStyle is one of the two wordings in which the memory tool's contract is answered.
type ToolStyle string

// The styles: as the contract's pages have it, and as its SDK does.
const (
	StyleDocs ToolStyle = "docs"
	StyleSDK  ToolStyle = "sdk"
)

// ToolCommand is one command of the memory tool, memory_20250818. A field that was not
// sent is nil.
type ToolCommand struct {
	Command    string // view, create, str_replace, insert, delete, rename
	Path       *string
	OldPath    *string
	NewPath    *string
	FileText   *string
	OldStr     *string
	NewStr     *string
	InsertText *string
	InsertLine *int  // after which line; 0 is the top
	ViewRange  []int // two line numbers, both shown; -1 is the end
	Style      ToolStyle
}

// ToolError is an answer of the tool that is an error: its text is part of the contract.
type ToolError struct{ Text string }

func (e *ToolError) Error() string { return e.Text }

func toolError(format string, args ...any) error {
	return &ToolError{Text: fmt.Sprintf(format, args...)}
}

// Rewrite is one file as a command leaves it.
type Rewrite struct {
	Path string
	Text []byte
	Gone bool
}

// Writes says whether the command changes anything.
func (c ToolCommand) Writes() bool { return c.Command != "view" }

// Run carries a command out over the notes of a workspace, path to text, which it leaves
// as they are: what it would write comes back. The error is a *ToolError.
func (c ToolCommand) Run(notes map[string][]byte) (answer string, out []Rewrite, err error) {
	t := tree{notes: notes, docs: c.Style != StyleSDK}
	switch c.Command {
	case "view":
		answer, err = t.view(c)
	case "create":
		answer, out, err = t.create(c)
	case "str_replace":
		answer, out, err = t.replace(c)
	case "insert":
		answer, out, err = t.insert(c)
	case "delete":
		answer, out, err = t.remove(c)
	case "rename":
		answer, out, err = t.rename(c)
	default:
		err = toolError("There is no command %q: the commands are view, create, str_replace, insert, delete and rename", short(c.Command))
	}
	return answer, out, err
}

// tree is the notes of a workspace as the tool shows them: under /memories.
type tree struct {
	notes map[string][]byte
	docs  bool // the wording
}

// stands says whether a file is there for the tool. A MEMORY.md in which nothing was
// written yet is not.
func (t tree) stands(path string) bool {
	text, ok := t.notes[path]
	return ok && (path != MemoryFile || !IsSeed(text))
}

// fault is an error whose wording begins with a word in one of the styles.
func (t tree) fault(format string, args ...any) error {
	if t.docs {
		format = "Error: " + format
	}
	return toolError(format, args...)
}

// given is a parameter that a command needs.
func given(command, name string, value *string) (string, error) {
	if value == nil {
		return "", toolError("The command %s needs %s", command, name)
	}
	return *value, nil
}

// whole is the text of the file that a path names, for a command that edits it.
func (t tree) whole(command, path string, missing string) (file, text string, err error) {
	at, err := locate(path)
	if err != nil {
		return "", "", err
	}
	if file = t.fileAt(at); file == "" {
		if t.isDir(at) {
			return "", "", t.fault("The path %s is not a file.", path)
		}
		return "", "", t.fault(missing, path)
	}
	if kind, _ := CheckPath(file); kind == Log {
		return "", "", t.fault("The path %s is a day log, the bot's own record of a day: it can be read and deleted, not %s", path, command)
	}
	return file, string(t.notes[file]), nil
}

func (t tree) create(c ToolCommand) (string, []Rewrite, error) {
	path, err := given(c.Command, "path", c.Path)
	if err != nil {
		return "", nil, err
	}
	text, err := given(c.Command, "file_text", c.FileText)
	if err != nil {
		return "", nil, err
	}
	at, err := locate(path)
	if err != nil {
		return "", nil, err
	}
	if t.fileAt(at) != "" || t.isDir(at) {
		return "", nil, t.fault("File %s already exists", path)
	}
	file, err := at.newFile(path)
	if err != nil {
		return "", nil, err
	}
	return "File created successfully at: " + path, []Rewrite{{Path: file, Text: []byte(text)}}, nil
}

func (t tree) replace(c ToolCommand) (string, []Rewrite, error) {
	path, err := given(c.Command, "path", c.Path)
	if err != nil {
		return "", nil, err
	}
	old, err := given(c.Command, "old_str", c.OldStr)
	if err != nil {
		return "", nil, err
	}
	file, text, err := t.whole("edited", path, "The path %s does not exist. Please provide a valid path.")
	if err != nil {
		return "", nil, err
	}
	fresh := ""
	if c.NewStr != nil {
		fresh = *c.NewStr
	}
	found := linesOf(text, old)
	switch {
	case len(found) == 0:
		return "", nil, toolError("No replacement was performed, old_str `%s` did not appear verbatim in %s.", old, path)
	case len(found) > 1:
		return "", nil, toolError("No replacement was performed. Multiple occurrences of old_str `%s` in lines: %s. Please ensure it is unique", old, joined(found))
	}
	after := strings.Replace(text, old, fresh, 1)
	answer := "The memory file has been edited."
	if !t.docs {
		answer += " Here is the snippet showing the change (with line numbers):"
	}
	return answer + "\n" + snippet(after, found[0], found[0]+strings.Count(fresh, "\n")), []Rewrite{{Path: file, Text: []byte(after)}}, nil
}

// linesOf are the lines on which a text begins in another, each time that it occurs.
func linesOf(text, part string) []int {
	var found []int
	if part == "" {
		return nil
	}
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return found
		}
		found = append(found, 1+strings.Count(text[:from+i], "\n"))
		from += i + len(part)
	}
}

func joined(numbers []int) string {
	list := make([]string, 0, len(numbers))
	for _, n := range slices.Compact(slices.Clone(numbers)) {
		list = append(list, fmt.Sprint(n))
	}
	return strings.Join(list, ", ")
}

func (t tree) insert(c ToolCommand) (string, []Rewrite, error) {
	path, err := given(c.Command, "path", c.Path)
	if err != nil {
		return "", nil, err
	}
	text, err := given(c.Command, "insert_text", c.InsertText)
	if err != nil {
		return "", nil, err
	}
	if c.InsertLine == nil {
		return "", nil, toolError("The command insert needs insert_line")
	}
	file, now, err := t.whole("edited", path, "The path %s does not exist")
	if err != nil {
		return "", nil, err
	}
	lines := splitLines(now)
	if *c.InsertLine < 0 || *c.InsertLine > len(lines) {
		if t.docs {
			return "", nil, t.fault("Invalid `insert_line` parameter: %d. It should be within the range of lines of the file: [0, %d]", *c.InsertLine, len(lines))
		}
		return "", nil, t.fault("Invalid `insert_line` parameter: %d. It should be within the range [0, %d].", *c.InsertLine, len(lines))
	}
	lines = slices.Insert(lines, *c.InsertLine, strings.TrimRight(text, "\n"))
	return fmt.Sprintf("The file %s has been edited.", path), []Rewrite{{Path: file, Text: []byte(strings.Join(lines, "\n") + "\n")}}, nil
}

func (t tree) remove(c ToolCommand) (string, []Rewrite, error) {
	path, err := given(c.Command, "path", c.Path)
	if err != nil {
		return "", nil, err
	}
	at, err := locate(path)
	if err != nil {
		return "", nil, err
	}
	if len(at) == 0 {
		return "", nil, toolError("Cannot delete the /memories directory itself")
	}
	files := t.under(at)
	if file := t.fileAt(at); file != "" {
		files = []string{file}
	}
	if len(files) == 0 {
		return "", nil, t.fault("The path %s does not exist", path)
	}
	var out []Rewrite
	for _, file := range files {
		out = append(out, gone(file))
	}
	return "Successfully deleted " + path, out, nil
}

// gone takes a file away. MEMORY.md is never missing: it begins anew.
func gone(file string) Rewrite {
	if file == MemoryFile {
		return Rewrite{Path: file, Text: []byte(Seed)}
	}
	return Rewrite{Path: file, Gone: true}
}

func (t tree) rename(c ToolCommand) (string, []Rewrite, error) {
	from, err := given(c.Command, "old_path", c.OldPath)
	if err != nil {
		return "", nil, err
	}
	to, err := given(c.Command, "new_path", c.NewPath)
	if err != nil {
		return "", nil, err
	}
	source, err := locate(from)
	if err != nil {
		return "", nil, err
	}
	target, err := locate(to)
	if err != nil {
		return "", nil, err
	}
	file, inside := t.fileAt(source), t.under(source)
	switch {
	case len(source) == 0:
		return "", nil, toolError("Cannot rename the /memories directory itself")
	case file == "" && len(inside) == 0:
		return "", nil, t.fault("The path %s does not exist", from)
	case t.fileAt(target) != "" || t.isDir(target):
		return "", nil, t.fault("The destination %s already exists", to)
	}
	answer := fmt.Sprintf("Successfully renamed %s to %s", from, to)
	if file != "" {
		out, err := t.move(file, target, to)
		return answer, out, err
	}
	var out []Rewrite
	for _, one := range inside {
		rest := shownAs(one)[len(source):]
		moved, err := t.move(one, append(slices.Clone(target), rest...), to+"/"+strings.Join(rest, "/"))
		if err != nil {
			return "", nil, err
		}
		out = append(out, moved...)
	}
	return answer, out, nil
}

func (t tree) move(file string, target place, shown string) ([]Rewrite, error) {
	if kind, _ := CheckPath(file); kind == Log {
		return nil, t.fault("The path %s is a day log, the bot's own record of a day: it can be read and deleted, not renamed", strings.Join(shownAs(file), "/"))
	}
	to, err := target.newFile(shown)
	if err != nil {
		return nil, err
	}
	return []Rewrite{{Path: to, Text: t.notes[file]}, gone(file)}, nil
}
