package policy

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// toolNames are the parameters of the memory tool, each with the names that look-alikes of
// the contract have for it. What a name means may depend on the command.
func toolNames(command string) map[string][]string {
	names := map[string][]string{
		"path":        {"file_path", "filepath", "file"},
		"file_text":   {"content", "contents", "text"},
		"old_str":     {"old_string", "old_text"},
		"new_str":     {"new_string", "new_text"},
		"insert_text": {"text", "content"},
		"insert_line": {"line", "after_line"},
		"old_path":    {"from", "source", "source_path"},
		"new_path":    {"to", "destination", "dest_path"},
		"view_range":  {"range", "lines"},
	}
	switch command {
	case "insert":
		names["insert_text"] = append(names["insert_text"], "new_str", "new_string")
	case "rename":
		names["old_path"] = append(names["old_path"], "path", "file_path")
	}
	return names
}

// toolTakes are the parameters of each command.
var toolTakes = map[string][]string{
	"view":        {"path", "view_range"},
	"create":      {"path", "file_text"},
	"str_replace": {"path", "old_str", "new_str"},
	"insert":      {"path", "insert_line", "insert_text"},
	"delete":      {"path"},
	"rename":      {"old_path", "new_path"},
}

// ParseTool reads a command of the memory tool, a JSON object, under the contract's names
// or those of its look-alikes. What some of them send besides, reason or description, is
// passed over: a change says what it did in its own words. The error is a *ToolError.
func ParseTool(data []byte) (c ToolCommand, err error) {
	var sent map[string]json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&sent); err != nil || sent == nil || dec.More() {
		return c, toolError("The command must be one JSON object")
	}
	if err := take(sent, "command", &c.Command); err != nil {
		return c, err
	}
	if c.Command == "" {
		return c, toolError("The command is missing: view, create, str_replace, insert, delete or rename")
	}
	style := ""
	if err := take(sent, "style", &style); err != nil {
		return c, err
	}
	if c.Style = ToolStyle(style); c.Style != "" && c.Style != StyleDocs && c.Style != StyleSDK {
		return c, toolError("style must be docs or sdk")
	}
	return c, c.fill(sent)
}

// TurnBeside takes the turn in which a bot acts out of a command, whose other fields are
// the tool's own; "" is none. The error is a *ToolError.
func TurnBeside(data []byte) (command []byte, turn string, err error) {
	var sent map[string]json.RawMessage
	if json.Unmarshal(data, &sent) != nil || sent == nil {
		return nil, "", toolError("The command must be one JSON object")
	}
	if err := take(sent, "turn", &turn); err != nil {
		return nil, "", err
	}
	command, err = json.Marshal(sent)
	return command, turn, err
}

// fill takes the parameters of the command out of what was sent.
func (c *ToolCommand) fill(sent map[string]json.RawMessage) error {
	takes, known := toolTakes[c.Command]
	if !known {
		return nil // Run says which commands there are
	}
	into := map[string]any{
		"path": &c.Path, "file_text": &c.FileText, "old_str": &c.OldStr, "new_str": &c.NewStr, "insert_text": &c.InsertText,
		"insert_line": &c.InsertLine, "old_path": &c.OldPath, "new_path": &c.NewPath, "view_range": &c.ViewRange,
	}
	names := toolNames(c.Command)
	for _, name := range takes {
		for _, spelled := range append([]string{name}, names[name]...) {
			raw, ok := sent[spelled]
			if !ok || string(raw) == "null" {
				continue
			}
			if err := take(sent, spelled, into[name]); err != nil {
				return err
			}
			break
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		if string(sent[name]) == "null" || slices.Contains([]string{"reason", "description", "update_description"}, name) {
			continue
		}
		return toolError("%s does not go with %s, which takes %s", short(name), c.Command, strings.Join(takes, ", "))
	}
	return nil
}

// take reads one parameter and crosses it off.
func take(sent map[string]json.RawMessage, name string, into any) error {
	raw, ok := sent[name]
	delete(sent, name)
	if !ok || string(raw) == "null" {
		return nil
	}
	if json.Unmarshal(raw, into) == nil {
		return nil
	}
	switch name {
	case "insert_line", "line", "after_line":
		return toolError("Invalid `insert_line` parameter: it must be a whole number")
	case "view_range", "range", "lines":
		return toolError("Invalid `view_range` parameter: it should be two line numbers, [start, end]")
	}
	return toolError("%s must be a string", name)
}
