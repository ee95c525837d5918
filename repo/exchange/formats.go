package exchange

import (
	"errors"
	"slices"
	"strings"
)

// Format is one system whose memory can be read.
type Format struct {
	Name  string
	Usage string // what PATH is
	// Folder says that it is a folder (or a zip of one), File that it is a file.
	Folder, File bool
	read         func(s Source, b *Batch) error
}

// Formats lists them by name.
func Formats() []Format {
	return []Format{
		{"basic-memory", "a project's folder of notes", true, false, readVault},
		{"chatgpt", "the list of memories that it prints, as text", false, true, readList},
		{"claude-code", "a project's memory folder, ~/.claude/projects/NAME/memory", true, false, readClaudeCode},
		{"folder", "any folder of markdown notes", true, false, readVault},
		{"kotoba", "its memory folder, ~/.kotoba/memory", true, false, readKotoba},
		{"letta", "an agent file (.af), or the folder of an agent's memory files", true, true, readLetta},
		{"mcp-memory", "the reference memory server's file, memory.jsonl", false, true, readGraph},
		{"mem0", "the JSON of get_all, or an OpenMemory backup (zip)", true, true, readMem0},
		{"memory-store", "the JSON listing of a memory store, view=full", false, true, readListing},
		{"obsidian", "a vault", true, false, readObsidian},
		{"openclaw", "its workspace, ~/.openclaw/workspace", true, false, readOpenClaw},
		{"openmausbot", "a bot's workspace, with its journal", true, false, readWorkspace},
		{"otto", "its Markdown export", false, true, readOtto},
		{"retention", "a memory.md of bullets `- Fact [YYYY-MM-DD]`", true, true, readRetention},
	}
}

// Named gives a format by its name.
func Named(name string) (Format, bool) {
	all := Formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}

// Read reads s as the named format. ErrInput, ErrTooLarge.
func Read(name string, s Source) (Batch, error) {
	f, ok := Named(name)
	if !ok {
		return Batch{}, faulty("there is no format %q", name)
	}
	zipped := s.Dir == nil
	s, err := s.opened()
	if err != nil {
		return Batch{}, err
	}
	switch {
	case s.Dir != nil && !f.Folder:
		return Batch{}, faulty("%s is a folder; %s is read from %s", s.Name, f.Name, f.Usage)
	case s.Dir == nil && !f.File:
		return Batch{}, faulty("%s is not a folder; %s is read from %s", s.Name, f.Name, f.Usage)
	}
	b := Batch{Format: f.Name}
	err = f.read(s, &b)
	if zipped && err != nil && !errors.Is(err, ErrInput) && !errors.Is(err, ErrTooLarge) {
		err = faulty("%s cannot be unpacked: %v", s.Name, err)
	}
	return b, err
}

// Detect says which format s looks like: by names and first bytes alone. Any other
// folder is `folder`; "" is a file that could be anything.
func Detect(s Source) string {
	s, err := s.opened()
	if err != nil {
		return ""
	}
	if s.Dir != nil {
		return detectFolder(s)
	}
	return detectFile(s)
}

func detectFolder(s Source) string {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !holds(s.Dir, n) })
	}
	switch {
	case s.Journal != nil:
		return "openmausbot"
	case has("memories.json"):
		return "mem0"
	case has(".obsidian"):
		return "obsidian"
	case has("USER.md", "topics"):
		return "kotoba"
	case has("MEMORY.md", "AGENTS.md"), has("MEMORY.md", "SOUL.md"):
		return "openclaw"
	}
	return "folder"
}

func detectFile(s Source) string {
	head := strings.TrimSpace(string(s.Text[:min(len(s.Text), 4096)]))
	first, _, _ := strings.Cut(head, "\n")
	switch {
	case strings.HasSuffix(s.Name, ".af"):
		return "letta"
	case strings.HasPrefix(first, "{") && strings.HasSuffix(strings.TrimSpace(first), "}") && strings.Contains(first, `"type"`) &&
		(strings.Contains(first, `"entityType"`) || strings.Contains(first, `"relationType"`)):
		return "mcp-memory"
	case strings.HasPrefix(head, "{"), strings.HasPrefix(head, "["):
		switch {
		case strings.Contains(head, `"content_sha256"`):
			return "memory-store"
		case strings.Contains(head, `"memory"`):
			return "mem0"
		}
	}
	return ""
}
