package exchange

import "strings"

// instructions are files of an OpenClaw workspace that tell the agent how to behave.
var instructions = map[string]bool{
	"AGENTS.md": true, "SOUL.md": true, "TOOLS.md": true, "IDENTITY.md": true, "HEARTBEAT.md": true, "BOOTSTRAP.md": true, "BOOT.md": true,
}

// readOpenClaw reads an OpenClaw workspace: MEMORY.md, USER.md, DREAMS.md and the day
// notes in memory/, which become day logs. What else lies there is the agent's work.
func readOpenClaw(s Source, b *Batch) error {
	dir, err := within(s.Dir, "MEMORY.md", "workspace")
	if err != nil {
		return err
	}
	f, err := readFolder(dir, isMarkdown, notMarkdown)
	if err != nil {
		return err
	}
	b.Left = append(b.Left, f.left...)
	for _, file := range f.files {
		day, _, isDay := dayName(file.path)
		inMemory := strings.HasPrefix(file.path, "memory/")
		switch {
		case file.path == "MEMORY.md", file.path == "USER.md", file.path == "DREAMS.md", inMemory && !isDay:
			b.page(file.path, file.path, file.text)
		case inMemory:
			b.page("memory/log/"+day+".md", file.path, file.text)
		case instructions[file.path]:
			b.leave(file.path, "instructions for the agent, not memory")
		default:
			b.leave(file.path, "not in the memory folder: the agent's work")
		}
	}
	return nil
}
