package exchange

import (
	"encoding/json"
	"fmt"
	"strings"

	"quipu/markdown"
)

// agentFile is an .af file, as far as it holds memory: the text of the blocks.
type agentFile struct {
	Agents []struct {
		Name     string            `json:"name"`
		System   string            `json:"system"`
		Messages []json.RawMessage `json:"messages"`
	} `json:"agents"`
	Blocks []struct {
		Label       string `json:"label"`
		Value       string `json:"value"`
		Description string `json:"description"`
	} `json:"blocks"`
	Files   []json.RawMessage `json:"files"`
	Sources []json.RawMessage `json:"sources"`
	Tools   []json.RawMessage `json:"tools"`
}

// readLetta reads the blocks of an agent file, each as a topic, or the folder in which
// an agent keeps its memory as files.
func readLetta(s Source, b *Batch) error {
	if s.Dir != nil {
		return readMemFS(s, b)
	}
	var a agentFile
	if err := decode(s.Name, s.Text, &a); err != nil {
		return err
	}
	if a.Agents == nil && a.Blocks == nil {
		return faulty("%s holds neither agents nor blocks: it is no agent file", s.Name)
	}
	for i, block := range a.Blocks {
		from := fmt.Sprintf("%s#%s", s.Name, block.Label)
		switch {
		case strings.TrimSpace(block.Value) == "":
			b.leave(from, "an empty block")
		case strings.TrimSpace(block.Label) == "":
			b.page(fmt.Sprintf("block %d.md", i+1), from, block.Value)
		default:
			b.page(strings.ReplaceAll(block.Label, "/", " ")+".md", from, headed(block.Label, block.Description, block.Value))
		}
	}
	messages, prompts := 0, 0
	for _, agent := range a.Agents {
		messages += len(agent.Messages)
		if agent.System != "" {
			prompts++
		}
	}
	for _, rest := range []struct {
		n   int
		why string
	}{
		{messages, "%d messages: what was said, not memory"},
		{prompts, "%d system prompts: instructions, not memory"},
		{len(a.Files) + len(a.Sources), "%d files and sources: documents, not memory"},
		{len(a.Tools), "%d tools"},
	} {
		if rest.n > 0 {
			b.leave(s.Name, fmt.Sprintf(rest.why, rest.n))
		}
	}
	return nil
}

// headed puts a header over a text.
func headed(title, description, text string) string {
	out := string(markdown.MergeTopic(nil, title, nil, nil))
	if words := strings.Join(strings.Fields(description), " "); words != "" {
		quoted, err := json.Marshal(words) // YAML reads it as it is
		if err == nil {
			out = strings.TrimSuffix(out, "---\n") + "description: " + string(quoted) + "\n---\n"
		}
	}
	return out + "\n" + strings.TrimRight(text, "\n") + "\n"
}

func readMemFS(s Source, b *Batch) error {
	f, err := readFolder(s.Dir, isMarkdown, notMarkdown)
	if err != nil {
		return err
	}
	b.Left = append(b.Left, f.left...)
	for _, file := range f.files {
		b.page(strings.TrimPrefix(file.path, "system/"), file.path, file.text)
	}
	return nil
}
